// parameters_memory.c: memory of a plParameters: the struct and all its arrays in one block, copied as one.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "model/work.h"

typedef struct Field {
  size_t pointer;  // in plParameters
  size_t size;     // bytes of one item
  size_t n;        // in plModel: number of items
} Field;

#define FIELD(field, count, n) \
  { offsetof(plParameters, field), (count) * sizeof(*((plParameters*)0)->field), offsetof(plModel, n) }
static const Field fields[] = {
    FIELD(deform_material, 1, ndeform),
    FIELD(deform_surface, 1, ndeform),
    FIELD(shape_surface, 1, nshape),
    FIELD(body_mass, 1, nbody),
    FIELD(body_com, 1, nbody),
    FIELD(body_inertia, 6, nbody),
    FIELD(body_gravity, 1, nbody),
    FIELD(dof_lower, 1, nv_rigid),
    FIELD(dof_upper, 1, nv_rigid),
    FIELD(dof_damping, 1, nv_rigid),
    FIELD(dof_friction, 1, nv_rigid),
    FIELD(dof_stiffness, 1, nv_rigid),
    FIELD(dof_rest, 1, nv_rigid),
    FIELD(act_law, 1, nact),
    FIELD(act_force_lower, 1, nact),
    FIELD(act_force_upper, 1, nact),
    FIELD(act_lower, 1, nact),
    FIELD(act_upper, 1, nact),
    FIELD(act_gain, 3, nact),
    FIELD(act_bias, 3, nact),
    FIELD(attach_stiffness, 1, nattach),
    FIELD(attach_relaxation, 1, nattach),
};
enum { NFIELD = sizeof fields / sizeof *fields };

static size_t field_bytes(const plModel* model, const Field* f) {
  int n;
  memcpy(&n, (const char*)model + f->n, sizeof n);
  return (size_t)n * f->size;
}

char* pl_parameters_array(const plParameters* par, size_t pointer) {
  char* array;
  memcpy(&array, (const char*)par + pointer, sizeof array);
  return array;
}

size_t pl_parameters_room(const plModel* model) {
  size_t size = sizeof(plParameters);
  for (int i = 0; i < NFIELD; i++) size += field_bytes(model, &fields[i]);
  return size;
}

plParameters* pl_parameters_place(const plModel* model, void* memory) {
  plParameters* par = memory;
  char* at = (char*)(par + 1);
  for (int i = 0; i < NFIELD; i++) {
    memcpy((char*)par + fields[i].pointer, &at, sizeof at);
    at += field_bytes(model, &fields[i]);
  }
  assert((size_t)(at - (char*)memory) == pl_parameters_room(model));
  return par;
}

plParameters* pl_parameters_create(const plModel* model, plError* error) {
  size_t size = pl_parameters_room(model);
  void* memory = pl_alloc_room(size, 1);
  if (!memory) return pl_fail_out_of_memory(error, size), NULL;
  return pl_parameters_place(model, memory);
}

void pl_parameters_copy(const plModel* model, plParameters* to, const plParameters* from) {
  memcpy(&to->options, &from->options, sizeof to->options);
  for (int i = 0; i < NFIELD; i++) {
    size_t bytes = field_bytes(model, &fields[i]);
    if (bytes)
      memcpy(pl_parameters_array(to, fields[i].pointer), pl_parameters_array(from, fields[i].pointer), bytes);
  }
}
