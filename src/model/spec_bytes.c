// spec_bytes.c: a spec as bytes and back, for other processes and for files of other programs.
//
// One function per definition (deformable, joint, ...) lists its members once; it counts, writes, reads or
// compares, so that the directions cannot differ. It also checks the sizes of all numbers. Reading passes
// every definition to pl_spec_add_...: bytes are trusted no more than a user. Adding may change last digits
// (it normalises quaternions and axes); these are then restored to the bits that were written. Numbers are in
// the machine's byte order:
//   "PLSPEC4\0" | size of all (8) | members in the order below | hash of all before (8)
// The lists of plRegion and of tables follow the numbers of their definition.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/spec.h"
#include "model/work.h"

static const char magic[8] = "PLSPEC4";
enum { HEADER = 16, TRAILER = 8 };

typedef enum Mode { COUNT, CHECK, WRITE, READ, COMPARE } Mode;

typedef struct Io {
  Mode mode;
  unsigned char* to;          // WRITE
  const unsigned char* from;  // READ, COMPARE
  size_t at, size;            // READ, COMPARE: size is where the members end
  bool bad;                   // READ, COMPARE: invalid bytes
  plArena arena;              // READ: lists until they are copied
  // CHECK: the definition that is looked at, and the first number that is too large; 0: none
  const char *what, *name;
  int index;
  double large, most;
} Io;

// ---- single values

static bool enough(Io* io, size_t n) {
  if (io->mode < READ || n <= io->size - io->at) return true;
  io->bad = true;
  return false;
}

static void raw(Io* io, void* value, size_t n) {
  if (io->bad || !enough(io, n)) return;
  if (io->mode == WRITE) memcpy(io->to + io->at, value, n);
  if (io->mode >= READ) memcpy(value, io->from + io->at, n);
  io->at += n;
}

static bool is_too_large(Io* io, double value, double most) {
  if (!isfinite(value) || fabs(value) <= most) return false;
  io->large = value, io->most = most;
  return io->bad = true;
}

// COMPARE: a value that differs only in its last digits gets the bits that were written.
static void number(Io* io, double* value) {
  if (io->mode == CHECK && (io->bad || is_too_large(io, *value, PL_NUMBER_MAX))) return;
  double old = *value;
  raw(io, value, sizeof *value);
  if (io->mode != COMPARE || io->bad || !memcmp(&old, value, sizeof old)) return;
  if (!(fabs(old - *value) <= 1e-12)) io->bad = true;
}

static void numbers(Io* io, double* value, int n) {
  for (int i = 0; i < n; i++) number(io, &value[i]);
}

// A coordinate or a size in metres.
static void length(Io* io, double* value) {
  if (io->mode == CHECK && (io->bad || is_too_large(io, *value, PL_LENGTH_MAX))) return;
  number(io, value);
}

static void integer(Io* io, int* value) {
  int old = *value;
  raw(io, value, sizeof *value);
  if (io->mode == COMPARE && old != *value) io->bad = true;
}

static void yes_no(Io* io, bool* value) {
  int number = io->mode == READ ? 0 : *value;
  integer(io, &number);
  if (number != 0 && number != 1) io->bad = true;
  *value = number == 1;
}

// An enum by its number; the functions that add it check the range.
#define KIND(io, value)                                     \
  do {                                                      \
    int kind_ = (int)(value);                               \
    integer((io), &kind_);                                  \
    if (kind_ < 0) (io)->bad = true;                        \
    if (!(io)->bad) memcpy(&(value), &kind_, sizeof kind_); \
  } while (0)

static void vector(Io* io, plVec3* v) { number(io, &v->x), number(io, &v->y), number(io, &v->z); }
static void place(Io* io, plVec3* v) { length(io, &v->x), length(io, &v->y), length(io, &v->z); }

static void side(Io* io, plSide* x) {
  KIND(io, x->kind);
  integer(io, &x->index);
}

static void pose(Io* io, plPose* x) {
  place(io, &x->p);
  number(io, &x->q.w), number(io, &x->q.x), number(io, &x->q.y), number(io, &x->q.z);
}

// ---- texts and lists. COMPARE skips them: they were copied unchanged.

// NULL is a text of length -1.
static void text(Io* io, const char** value) {
  if (io->mode == CHECK && !io->name) io->name = *value;
  int n = io->mode >= READ || !*value ? -1 : (int)strlen(*value);
  raw(io, &n, sizeof n);
  if (io->bad || n < -1 || !enough(io, (size_t)n + 1)) {
    io->bad = true;
    return;
  }
  if (io->mode == WRITE && n >= 0) memcpy(io->to + io->at, *value, (size_t)n + 1);
  const char* at = n >= 0 && io->mode >= READ ? (const char*)io->from + io->at : NULL;
  if (at && (at[n] || memchr(at, 0, (size_t)n))) io->bad = true;
  if (io->mode == READ) *value = io->bad ? NULL : at;
  io->at += (size_t)(n + 1);
}

static void list(Io* io, const void** values, int count, size_t size) {
  if (count < 0) io->bad = true;
  if (io->bad) return;
  size_t n = (size_t)count * size;
  if (io->mode >= READ && (size_t)count > (io->size - io->at) / size) {
    io->bad = true;
    return;
  }
  if (io->mode == WRITE && n) memcpy(io->to + io->at, *values, n);
  if (io->mode == READ) {
    void* copy = n ? pl_arena_alloc(&io->arena, (size_t)count, size) : NULL;
    if (copy) memcpy(copy, io->from + io->at, n);
    *values = copy;
    if (n && !copy) io->bad = true;
  }
  io->at += n;
}
#define LIST(io, values, count) list((io), (const void**)&(values), (count), sizeof *(values))

// Lists of numbers, or of structs of numbers.
static void check_list(Io* io, const void* values, int count, size_t size, double most) {
  const double* value = values;
  for (size_t k = 0; io->mode == CHECK && !io->bad && k < (size_t)count * (size / sizeof *value); k++)
    is_too_large(io, value[k], most);
}
#define NUMBERS(io, values, count)                                        \
  do {                                                                    \
    check_list((io), (values), (count), sizeof *(values), PL_NUMBER_MAX); \
    LIST(io, values, count);                                              \
  } while (0)
#define LENGTHS(io, values, count)                                        \
  do {                                                                    \
    check_list((io), (values), (count), sizeof *(values), PL_LENGTH_MAX); \
    LIST(io, values, count);                                              \
  } while (0)

static bool within(const int* index, int n, int count) {
  for (int i = 0; i < n; i++)
    if (index[i] < 0 || index[i] >= count) return false;
  return true;
}

static bool rises(const int* index, int n, int count) {
  for (int i = 1; i < n; i++)
    if (index[i] <= index[i - 1]) return false;
  return within(index, n, count);
}

// Neither definition checks triangles and numbers, so it is done here.
static void mesh(Io* io, const plMesh** value) {
  bool there = *value != NULL;
  plMesh m = there && io->mode != READ ? **value : (plMesh){0};
  if (io->mode == READ) there = false;
  yes_no(io, &there);
  if (io->bad || !there) return;
  integer(io, &m.nvert), integer(io, &m.ntet), integer(io, &m.ntri), integer(io, &m.by_corners);
  integer(io, &m.nnumber), number(io, &m.kept);
  if (m.nvert < 0 || m.ntet < 0 || m.ntri < 0 || m.nnumber < 0) io->bad = true;
  if (io->bad) return;
  const double(*vert)[3] = (const double(*)[3])m.vert;
  const int(*tet)[4] = (const int(*)[4])m.tet;
  const int(*tri)[3] = (const int(*)[3])m.tri;
  LENGTHS(io, vert, m.nvert);
  LIST(io, tet, m.ntet);
  LIST(io, tri, m.ntri);
  const int* numbers = m.number;
  LIST(io, numbers, m.nnumber ? m.nvert : 0);
  if (io->mode != READ || io->bad) return;
  m.vert = (double*)vert, m.tet = (int*)tet, m.tri = (int*)tri, m.number = (int*)numbers;
  plMesh* copy = PL_ARENA_NEW(&io->arena, plMesh, 1);
  if (!copy || m.ntet > INT32_MAX / 4 || m.ntri > INT32_MAX / 3 || !within(m.tet, 4 * m.ntet, m.nvert) ||
      !within(m.tri, 3 * m.ntri, m.nvert) || !rises(m.number, m.nnumber ? m.nvert : 0, m.nnumber)) {
    io->bad = true;
    return;
  }
  *copy = m;
  *value = copy;
}

// ---- definitions

// The row of numbers of the options.
static void options(Io* io, plOptions* o) {
  double row[PL_OPTION_COUNT];
  pl_options_pack(o, row);
  for (int i = 0; i < PL_OPTION_COUNT; i++) number(io, &row[i]);
  if (io->mode == READ && !io->bad) *o = pl_options_unpack(row, PL_OPTION_COUNT);
}

static void surface(Io* io, plSurface* s) {
  number(io, &s->friction), number(io, &s->contact_stiffness), number(io, &s->relaxation_time);
  number(io, &s->dissipation), vector(io, &s->surface_velocity), yes_no(io, &s->mesh_compliance);
}

static void material(Io* io, plMaterial* m) {
  KIND(io, m->kind);
  number(io, &m->young), number(io, &m->poisson), number(io, &m->lame_lambda), number(io, &m->lame_mu);
  number(io, &m->c1), number(io, &m->c2), number(io, &m->bulk), number(io, &m->density);
  number(io, &m->damping_mass), number(io, &m->damping_stiffness);
  KIND(io, m->volumetric);
  KIND(io, m->element);
  KIND(io, m->mass);
  KIND(io, m->rotation);
}

static void deformable(Io* io, plDeformableDef* d) {
  text(io, &d->name);
  pose(io, &d->pose), material(io, &d->material), surface(io, &d->surface);
  vector(io, &d->velocity), vector(io, &d->angular_velocity);
  yes_no(io, &d->plane_strain), yes_no(io, &d->self_contact);
  mesh(io, &d->mesh);
}

static void region(Io* io, plRegion* r) {
  KIND(io, r->kind);
  pose(io, &r->pose), place(io, &r->centre), place(io, &r->size), length(io, &r->radius);
  vector(io, &r->normal), integer(io, &r->nindex);
  LIST(io, r->index, r->nindex);
}

static void fix(Io* io, plFixDef* d) {
  integer(io, &d->deformable), region(io, &d->region), integer(io, &d->components), integer(io, &d->ntime);
  NUMBERS(io, d->time, d->ntime);
  LENGTHS(io, d->offset, d->ntime);
}

static void load(Io* io, plLoadDef* d) {
  integer(io, &d->deformable), region(io, &d->region);
  KIND(io, d->kind);
  vector(io, &d->vector), number(io, &d->pressure), integer(io, &d->ntime);
  NUMBERS(io, d->time, d->ntime);
  NUMBERS(io, d->factor, d->ntime);
}

static void attachment(Io* io, plAttachDef* d) {
  text(io, &d->name);
  integer(io, &d->deformable), region(io, &d->region), integer(io, &d->body), integer(io, &d->other);
  number(io, &d->stiffness), number(io, &d->relaxation_time), yes_no(io, &d->exact), yes_no(io, &d->off);
}

static void shape(Io* io, plShapeDef* d) {
  text(io, &d->name);
  integer(io, &d->body), pose(io, &d->pose);
  KIND(io, d->kind);
  place(io, &d->size), length(io, &d->radius), length(io, &d->length);
  yes_no(io, &d->convex), surface(io, &d->surface), yes_no(io, &d->collide), vector(io, &d->colour);
  mesh(io, &d->mesh);
}

static void recording(Io* io, plRecordingDef* d) {
  text(io, &d->file), text(io, &d->csv), text(io, &d->signals);
  number(io, &d->rate), integer(io, &d->every);
}

static void body(Io* io, plBodyDef* d) {
  text(io, &d->name);
  number(io, &d->mass), place(io, &d->com), numbers(io, d->inertia, 6), number(io, &d->gravity);
  pose(io, &d->pose), vector(io, &d->velocity), vector(io, &d->angular_velocity);
}

static void dof(Io* io, plDofDef* d) {
  number(io, &d->lower), number(io, &d->upper), number(io, &d->effort), number(io, &d->force_lower);
  number(io, &d->force_upper), number(io, &d->speed);
  number(io, &d->damping), number(io, &d->friction), number(io, &d->stiffness), number(io, &d->rest);
  number(io, &d->armature), number(io, &d->rotor_inertia), number(io, &d->gear_ratio);
}

static void joint(Io* io, plJointDef* d) {
  text(io, &d->name);
  KIND(io, d->kind);
  integer(io, &d->parent), integer(io, &d->child), pose(io, &d->pose), pose(io, &d->child_pose);
  vector(io, &d->axis), vector(io, &d->axis2), number(io, &d->pitch);
  for (int k = 0; k < 6; k++) dof(io, &d->dof[k]);
  numbers(io, d->position, 7), numbers(io, d->velocity, 6), yes_no(io, &d->locked);
}

static void actuator(Io* io, plActuatorDef* d) {
  text(io, &d->name);
  KIND(io, d->kind);
  integer(io, &d->joint), integer(io, &d->dof), integer(io, &d->njoint);
  LIST(io, d->tendon, d->njoint);
  NUMBERS(io, d->coefficient, d->njoint);
  integer(io, &d->nsite);
  LIST(io, d->site, d->nsite);
  numbers(io, d->wrench, 6);
  number(io, &d->kp), number(io, &d->kd), number(io, &d->gain), numbers(io, d->bias, 3);
  number(io, &d->gear), number(io, &d->effort), number(io, &d->force_lower), number(io, &d->force_upper);
  number(io, &d->lower), number(io, &d->upper), numbers(io, d->input, 3);
  yes_no(io, &d->has_input), yes_no(io, &d->off), yes_no(io, &d->spring), integer(io, &d->ntime);
  NUMBERS(io, d->time, d->ntime);
  NUMBERS(io, d->value, d->ntime);
  KIND(io, d->interpolation);
  yes_no(io, &d->zero_velocity);
}

static void constraint(Io* io, plConstraintDef* d) {
  text(io, &d->name);
  KIND(io, d->kind);
  integer(io, &d->a), integer(io, &d->b), pose(io, &d->pose_a), pose(io, &d->pose_b);
  length(io, &d->length), number(io, &d->ratio), number(io, &d->offset), integer(io, &d->njoint);
  LIST(io, d->joint, d->njoint);
  NUMBERS(io, d->coefficient, d->njoint);
  number(io, &d->lower), number(io, &d->upper), number(io, &d->stiffness), number(io, &d->damping);
  yes_no(io, &d->off), integer(io, &d->ntime);
  NUMBERS(io, d->time, d->ntime);
  NUMBERS(io, d->value, d->ntime);
  KIND(io, d->interpolation);
  number(io, &d->amplitude), number(io, &d->frequency), number(io, &d->phase);
}

static void sensor(Io* io, plSensorDef* d) {
  text(io, &d->name), text(io, &d->on), text(io, &d->other), text(io, &d->mount);
  KIND(io, d->kind);
  pose(io, &d->pose), number(io, &d->rate), number(io, &d->delay);
  numbers(io, d->noise, PL_SENSOR_COLUMNS), integer(io, &d->nnoise), raw(io, &d->seed, sizeof d->seed);
  region(io, &d->region), yes_no(io, &d->has_region), numbers(io, d->size, 2);
  integer(io, &d->cells[0]), integer(io, &d->cells[1]), integer(io, &d->npoint);
  LENGTHS(io, d->point, d->npoint);
  yes_no(io, &d->cavity), integer(io, &d->width), integer(io, &d->height);
  numbers(io, d->focal, 2), numbers(io, d->centre, 2), number(io, &d->near), number(io, &d->far);
  yes_no(io, &d->range), yes_no(io, &d->shadows), text(io, &d->hide);
}

static void site(Io* io, plSiteDef* d) { text(io, &d->name), integer(io, &d->body), pose(io, &d->pose); }

// ---- writing

#define EACH(io, part, list, n)                                \
  do {                                                         \
    integer((io), &(n));                                       \
    for (int i_ = 0; i_ < (n) && !(io)->bad; i_++) {           \
      (io)->what = #part, (io)->index = i_, (io)->name = NULL; \
      part((io), &(list)[i_]);                                 \
    }                                                          \
  } while (0)

// COUNT, CHECK and WRITE alone: the spec stays as it is.
static void whole(Io* io, plSpec* s) {
  options(io, &s->options);
  recording(io, &s->recording);
  EACH(io, body, s->body, s->nbody);
  EACH(io, deformable, s->deform, s->ndeform);
  EACH(io, joint, s->joint, s->njoint);
  EACH(io, site, s->site, s->nsite);
  EACH(io, actuator, s->actuator, s->nactuator);
  EACH(io, constraint, s->constraint, s->nconstraint);
  EACH(io, shape, s->shape, s->nshape);
  EACH(io, fix, s->fix, s->nfix);
  EACH(io, load, s->load, s->nload);
  EACH(io, attachment, s->attach, s->nattach);
  integer(io, &s->nexclude);
  for (int i = 0; i < 2 * s->nexclude; i++) side(io, &s->exclude[i]);
  EACH(io, sensor, s->sensor, s->nsensor);
}

plStatus pl_spec_check_numbers(const plSpec* spec, plError* error) {
  Io io = {.mode = CHECK, .what = "options"};
  whole(&io, (plSpec*)spec);
  if (io.large == 0) return PL_OK;
  char item[240];
  if (io.name)
    snprintf(item, sizeof item, "%s '%.200s'", io.what, io.name);
  else
    snprintf(item, sizeof item, "%s %d", io.what, io.index);
  return pl_fail(error, PL_ERROR_INPUT,
                 "%s has the number %g, but numbers are at most %g%s: is its unit right?", item, io.large,
                 io.most, io.most == PL_LENGTH_MAX ? " m where they are lengths" : "");
}

size_t pl_spec_size(const plSpec* spec) {
  assert(spec != NULL);
  Io io = {.mode = COUNT, .at = HEADER};
  whole(&io, (plSpec*)spec);
  return io.at + TRAILER;
}

plStatus pl_spec_write(const plSpec* spec, void* bytes, size_t size, plError* error) {
  assert(spec != NULL && bytes != NULL);
  size_t needed = pl_spec_size(spec);
  if (size != needed)
    return pl_fail(error, PL_ERROR_INPUT, "the spec has %zu bytes, the buffer %zu", needed, size);
  Io io = {.mode = WRITE, .to = bytes, .at = HEADER};
  memcpy(io.to, magic, sizeof magic);
  memcpy(io.to + sizeof magic, &(uint64_t){size}, 8);
  whole(&io, (plSpec*)spec);
  assert(io.at + TRAILER == size);
  uint64_t hash = pl_hash(PL_HASH_START, bytes, io.at);
  memcpy(io.to + io.at, &hash, sizeof hash);
  return PL_OK;
}

// ---- reading

// Reads definitions one by one, adds them and restores their bits. part: the function above; add: the
// function that adds it to the spec; stored: the added definition.
#define READ_EACH(io, part, Def, add, stored)                  \
  do {                                                         \
    int n_ = 0;                                                \
    integer((io), &n_);                                        \
    for (int i_ = 0; i_ < n_ && !(io)->bad && !status; i_++) { \
      size_t start_ = (io)->at;                                \
      Def def = {0};                                           \
      part((io), &def);                                        \
      def.mark = PL_DEF_MARK;                                  \
      if (!(io)->bad) status = (add);                          \
      if ((io)->bad || status) break;                          \
      (io)->mode = COMPARE, (io)->at = start_;                 \
      part((io), &(stored)[i_]);                               \
      (io)->mode = READ;                                       \
      pl_arena_reset(&(io)->arena);                            \
    }                                                          \
  } while (0)

static plStatus read_rigid(Io* io, plSpec* s, plError* error) {
  plStatus status = PL_OK;
  READ_EACH(io, joint, plJointDef, pl_spec_add_joint(s, &def, NULL, error), s->joint);
  READ_EACH(io, site, plSiteDef, pl_spec_add_site(s, &def, NULL, error), s->site);
  READ_EACH(io, actuator, plActuatorDef, pl_spec_add_actuator(s, &def, NULL, error), s->actuator);
  READ_EACH(io, constraint, plConstraintDef, pl_spec_add_constraint(s, &def, NULL, error), s->constraint);
  READ_EACH(io, shape, plShapeDef, pl_spec_add_shape(s, &def, NULL, error), s->shape);
  return status;
}

static plStatus read_regions(Io* io, plSpec* s, plError* error) {
  plStatus status = PL_OK;
  READ_EACH(io, fix, plFixDef, pl_spec_add_fix(s, &def, error), s->fix);
  READ_EACH(io, load, plLoadDef, pl_spec_add_load(s, &def, error), s->load);
  READ_EACH(io, attachment, plAttachDef, pl_spec_add_attachment(s, &def, NULL, error), s->attach);
  int nexclude = 0;
  plSide pair[2] = {0};
  integer(io, &nexclude);
  for (int i = 0; i < nexclude && !io->bad && !status; i++) {
    side(io, &pair[0]), side(io, &pair[1]);
    if (!io->bad) status = pl_spec_exclude(s, pair[0], pair[1], error);
  }
  READ_EACH(io, sensor, plSensorDef, pl_spec_add_sensor(s, &def, NULL, error), s->sensor);
  return status;
}

static plStatus read_whole(Io* io, plSpec* s, plError* error) {
  plStatus status = PL_OK;
  plRecordingDef record = pl_default_recording_def();
  options(io, &s->options);
  recording(io, &record);
  if (!io->bad) status = pl_spec_set_recording(s, &record, error);
  READ_EACH(io, body, plBodyDef, pl_spec_add_body(s, &def, NULL, error), s->body);
  READ_EACH(io, deformable, plDeformableDef, pl_spec_add_deformable(s, &def, NULL, error), s->deform);
  if (!io->bad && !status) status = read_rigid(io, s, error);
  if (!io->bad && !status) status = read_regions(io, s, error);
  if (status) return status;
  if (io->arena.failed) return pl_fail_out_of_memory(error, io->size);
  if (io->bad || io->at != io->size)
    return pl_fail(error, PL_ERROR_INPUT, "byte %zu of a spec of %zu bytes is not valid", io->at,
                   io->size + TRAILER);
  return PL_OK;
}

static plStatus check_envelope(const unsigned char* bytes, size_t size, plError* error) {
  uint64_t stated, hash;
  if (size < HEADER + TRAILER || memcmp(bytes, magic, sizeof magic - 2))
    return pl_fail(error, PL_ERROR_INPUT, "these %zu bytes are not a spec that pl_spec_write wrote", size);
  if (memcmp(bytes, magic, sizeof magic))
    return pl_fail(error, PL_ERROR_INPUT,
                   "this spec was written by another version of the library; this one reads '%s'", magic);
  memcpy(&stated, bytes + sizeof magic, sizeof stated);
  if (stated != size)
    return pl_fail(error, PL_ERROR_INPUT, "the spec has %zu bytes, but its header says %llu: it was cut off",
                   size, (unsigned long long)stated);
  memcpy(&hash, bytes + size - TRAILER, sizeof hash);
  if (hash != pl_hash(PL_HASH_START, bytes, size - TRAILER))
    return pl_fail(error, PL_ERROR_INPUT, "the check sum of a spec of %zu bytes is wrong: it was damaged",
                   size);
  return PL_OK;
}

plStatus pl_spec_read(const void* bytes, size_t size, plSpec** spec, plError* error) {
  assert(bytes != NULL && spec != NULL);
  *spec = NULL;
  plStatus status = check_envelope(bytes, size, error);
  if (status) return status;
  plSpec* made = pl_spec_create();
  if (!made) return pl_fail_out_of_memory(error, sizeof *made);
  Io io = {.mode = READ, .from = bytes, .at = HEADER, .size = size - TRAILER};
  pl_arena_init(&io.arena);
  status = read_whole(&io, made, error);
  pl_arena_free(&io.arena);
  if (status)
    pl_spec_destroy(made);
  else
    *spec = made;
  return status;
}
