// spec_recording.c: the outputs that a command writes while it simulates; part of the spec, not of the model.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/spec.h"

plRecordingDef pl_default_recording_def(void) { return (plRecordingDef){.mark = PL_DEF_MARK, .every = 1}; }

void pl_recording_def_free(plRecordingDef* def) {
  pl_free((void*)def->file);
  pl_free((void*)def->csv);
  pl_free((void*)def->signals);
  *def = pl_default_recording_def();
}

plStatus pl_spec_set_recording(plSpec* spec, const plRecordingDef* def, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "recording", error)) return PL_ERROR_INPUT;
  if (!(def->rate >= 0 && isfinite(def->rate)))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the rate of a recording must be positive (frames per second), or 0, got %g", def->rate);
  if (def->every < 1)
    return pl_fail(error, PL_ERROR_INPUT, "a recording must be written every 1 or more steps, got %d",
                   def->every);
  if (def->csv && !def->signals)
    return pl_fail(error, PL_ERROR_INPUT, "the table '%s' needs signals, e.g. time, BODY.com.z", def->csv);
  plRecordingDef copy = *def;
  copy.file = pl_strdup(def->file);
  copy.csv = pl_strdup(def->csv);
  copy.signals = pl_strdup(def->signals);
  if ((def->file && !copy.file) || (def->csv && !copy.csv) || (def->signals && !copy.signals)) {
    pl_recording_def_free(&copy);
    return pl_fail_out_of_memory(error, sizeof copy);
  }
  pl_recording_def_free(&spec->recording);
  spec->recording = copy;
  return PL_OK;
}

const plRecordingDef* pl_spec_recording(const plSpec* spec) {
  assert(spec != NULL);
  return &spec->recording;
}
