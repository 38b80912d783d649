// timer.h: seconds of the monotonic clock, and of a cheaper one for the times in reports.
#ifndef PL_BASE_TIMER_H
#define PL_BASE_TIMER_H

double pl_now(void);

// For differences alone: seconds by the processor's own counter, whose rate is measured once, to about one
// part in a thousand. It takes a third of the time of pl_now. Without such a counter it is pl_now.
double pl_tick(void);

// Makes the call and adds its time to total.
#define PL_TIMED(total, call)      \
  do {                             \
    double begun_ = pl_tick();     \
    call;                          \
    (total) += pl_tick() - begun_; \
  } while (0)

#endif
