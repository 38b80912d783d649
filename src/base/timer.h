// timer.h: seconds on a clock that never goes back.
#ifndef PL_BASE_TIMER_H
#define PL_BASE_TIMER_H

double pl_now(void);

#endif
