// bench_states.h: the start of each timed part of a long scene: time, positions and velocities, in a file.
#ifndef PL_CLI_BENCH_STATES_H
#define PL_CLI_BENCH_STATES_H

#include "cli.h"

// False if the file cannot be written; a message was printed.
bool window_save(const plData* data, const char* path);
// False, with the data unchanged, if there is no such file or it does not belong to a model with as many
// coordinates.
bool window_load(plData* data, const char* path);

#endif
