// spec.h: the spec's insides: copies of the definitions, in the order in which they were added.
#ifndef PL_MODEL_SPEC_H
#define PL_MODEL_SPEC_H

#include "pliant/spec.h"

struct plSpec {
  plOptions options;

  plDeformableDef* deform;  // [ndeform] name and mesh are owned copies
  int ndeform, deform_cap;
  plFixDef* fix;            // [nfix] index, time and offset are owned copies
  int nfix, fix_cap;
  plGeometryDef* geom;      // [ngeom] name and mesh are owned copies
  int ngeom, geom_cap;
  plRecordingDef recording; // its texts are owned copies
};

// A name that is not empty, printable, without the characters that signals use, and not taken by another body or shape.
plStatus pl_spec_check_name(const plSpec* spec, const char* what, const char* name, plError* error);

void pl_recording_def_free(plRecordingDef* def);

#endif
