// interrupt.c: Ctrl-C as a question that loops ask, so that they can end cleanly.
#include <signal.h>

#include "cli.h"

static volatile sig_atomic_t caught;

static void on_signal(int number) { caught = number; }

void catch_interrupts(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void) { return caught != 0; }
