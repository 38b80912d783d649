// fuzz_robot.c: libFuzzer entry for the robot readers: what loads is compiled, stepped and freed. The root
// element decides the format.
#include <stdint.h>
#include <stdio.h>

#include "pliant/pliant.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = "a.xml";
  if (!pl_spec_parse_robot(spec, &def, "/nowhere", (const char*)data, size, NULL, &error)) {
    const plModel* model = pl_model_create(spec, &error);
    plData* simulation = model ? pl_data_create(model, &error) : NULL;
    for (int i = 0; simulation && i < 2; i++)
      if (pl_step(simulation, &error)) break;
    pl_data_destroy(simulation);
    pl_model_destroy(model);
  }
  pl_spec_destroy(spec);
  return 0;
}
