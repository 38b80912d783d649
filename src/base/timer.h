// timer.h: seconds of the monotonic clock.
#ifndef PL_BASE_TIMER_H
#define PL_BASE_TIMER_H

double pl_now(void);

// Makes the call and adds its time to total.
#define PL_TIMED(total, call)     \
  do {                            \
    double begun_ = pl_now();     \
    call;                         \
    (total) += pl_now() - begun_; \
  } while (0)

#endif
