// recording_model.c: the model of a recording, written and read by one table: plModel <-> sections.
//
// A recording is self-contained: it has everything needed to draw, to measure and to compute stress. The
// model that is read back has no work tables, so pl_step does not run on it. A new field of plModel needs one
// more row below.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "model/work.h"
#include "output/recording.h"

_Static_assert(sizeof(int) == 4 && sizeof(plShapeKind) == 4 && sizeof(plJointKind) == 4 && sizeof(bool) == 1,
               "types of the sections");
_Static_assert(sizeof(plPose) == 56 && sizeof(plVec3) == 24, "structs that are all double");

// ---- tables

typedef struct Size {
  const char* name;
  size_t offset;
} Size;

static const Size sizes[] = {
    {"nq", offsetof(plModel, nq)},
    {"nv", offsetof(plModel, nv)},
    {"nu", offsetof(plModel, nu)},
    {"ndeform", offsetof(plModel, ndeform)},
    {"nvert", offsetof(plModel, nvert)},
    {"ntet", offsetof(plModel, ntet)},
    {"ntri", offsetof(plModel, ntri)},
    {"nfix", offsetof(plModel, nfix)},
    {"ngeom", offsetof(plModel, nshape)},
    {"nbody", offsetof(plModel, nbody)},
    {"njoint", offsetof(plModel, njoint)},
    {"nq_rigid", offsetof(plModel, nq_rigid)},
    {"nv_rigid", offsetof(plModel, nv_rigid)},
};
enum { NSIZE = sizeof sizes / sizeof *sizes };

// An array of width (n + extra) values of the type, n being the size at offset n.
typedef struct Field {
  const char* name;
  size_t offset;
  char type;
  int width;
  size_t n;
  int extra;
} Field;

#define FIELD(field, type, width, n, extra) \
  { #field, offsetof(plModel, field), type, width, offsetof(plModel, n), extra }
// A field that has an earlier name in files.
#define FIELD_AS(name, field, type, width, n, extra) \
  { name, offsetof(plModel, field), type, width, offsetof(plModel, n), extra }
static const Field fields[] = {
    FIELD(deform_vert0, 'i', 1, ndeform, 1),
    FIELD(deform_tet0, 'i', 1, ndeform, 1),
    FIELD(deform_tri0, 'i', 1, ndeform, 1),
    FIELD(deform_q0, 'i', 1, ndeform, 0),
    FIELD(deform_v0, 'i', 1, ndeform, 0),
    FIELD(vert_rest, 'd', 3, nvert, 0),
    FIELD(vert_fixed, 'i', 1, nvert, 0),
    FIELD(vert_fix, 'i', 1, nvert, 0),
    FIELD(tet_vert, 'i', 4, ntet, 0),
    FIELD(tet_volume, 'd', 1, ntet, 0),
    FIELD(tet_grad, 'd', 12, ntet, 0),
    FIELD(tri_vert, 'i', 3, ntri, 0),
    FIELD(tri_tet, 'i', 1, ntri, 0),
    FIELD(fix_knot0, 'i', 1, nfix, 1),
    FIELD_AS("geom_body", shape_body, 'i', 1, nshape, 0),
    FIELD_AS("geom_kind", shape_kind, 'i', 1, nshape, 0),
    FIELD_AS("geom_pose", shape_pose, 'd', 7, nshape, 0),
    FIELD_AS("geom_size", shape_size, 'd', 3, nshape, 0),
    FIELD_AS("geom_radius", shape_radius, 'd', 1, nshape, 0),
    FIELD_AS("geom_length", shape_length, 'd', 1, nshape, 0),
    FIELD_AS("geom_collide", shape_collide, 'b', 1, nshape, 0),
    FIELD_AS("geom_colour", shape_colour, 'd', 3, nshape, 0),
    FIELD(start_q, 'd', 1, nq, 0),
    FIELD(start_v, 'd', 1, nv, 0),
    FIELD(tet_mid, 'i', 6, ntet, 0),
    FIELD(tet_patch, 'i', 1, ntet, 0),
    FIELD(deform_plane, 'i', 1, ndeform, 0),
    FIELD(deform_self, 'i', 1, ndeform, 0),
    FIELD(tet_patch_volume, 'd', 1, ntet, 0),
    FIELD(joint_kind, 'i', 1, njoint, 0),
    FIELD(joint_q0, 'i', 1, njoint, 0),
    FIELD(joint_v0, 'i', 1, njoint, 0),
};
enum { NFIELD = sizeof fields / sizeof *fields };

static int* size_of(const plModel* model, size_t offset) { return (int*)((char*)(uintptr_t)model + offset); }
static void* pointer_of(const plModel* model, size_t offset) {
  void* pointer;
  memcpy(&pointer, (const char*)model + offset, sizeof pointer);
  return pointer;
}

// Structs with mixed members are stored as rows of numbers, in the order of the header; later versions
// append.
enum { REMOVED_LAW = 1 };  // of contact_law: `lagged`
enum { MATERIAL = 15, SURFACE = 8, OPTIONS = PL_OPTION_COUNT };

static void pack_material(const plMaterial* m, double row[MATERIAL]) {
  const double values[MATERIAL] = {
      m->kind,    m->young, m->poisson, m->lame_lambda,  m->lame_mu,           m->c1,
      m->c2,      m->bulk,  m->density, m->damping_mass, m->damping_stiffness, m->volumetric,
      m->element, m->mass,  m->rotation};
  memcpy(row, values, sizeof values);
}

static void put_surfaces(plBytes* bytes, const char* name, const plSurface* surface, int n) {
  plBytes rows = {0};
  for (const plSurface* s = surface; s < surface + n; s++) {
    const double row[SURFACE] = {s->friction,           s->contact_stiffness,  s->relaxation_time,
                                 s->dissipation,        s->surface_velocity.x, s->surface_velocity.y,
                                 s->surface_velocity.z, s->mesh_compliance};
    pl_bytes_add(&rows, row, sizeof row);
  }
  if (rows.failed) bytes->failed = true;
  pl_section_add(bytes, name, 'd', rows.data, rows.size / sizeof(double));
  pl_bytes_free(&rows);
}

// A whole number in [0, n), else 0.
static int choice(double value, int n) { return value >= 0 && value < n ? (int)value : 0; }

static plMaterial unpack_material(const double row[MATERIAL]) {
  plMaterial m = {0};
  m.kind = (plMaterialKind)choice(row[0], PL_MATERIAL_COUNT);
  m.young = row[1], m.poisson = row[2], m.lame_lambda = row[3], m.lame_mu = row[4];
  m.c1 = row[5], m.c2 = row[6], m.bulk = row[7], m.density = row[8];
  m.damping_mass = row[9], m.damping_stiffness = row[10];
  m.volumetric = (plVolumetric)choice(row[11], PL_VOLUMETRIC_PATCH + 1);
  m.element = (plElement)choice(row[12], PL_ELEMENT_COUNT);
  m.mass = (plMass)choice(row[13], PL_MASS_LUMPED + 1);
  m.rotation = (plRotation)choice(row[14], PL_ROTATION_LAGGED + 1);
  return m;
}

// ---- writing

static void put_names(plBytes* bytes, const char* section, char** names, int n) {
  plBytes text = {0};
  for (int i = 0; i < n; i++) pl_bytes_add(&text, names[i], strlen(names[i]) + 1);
  if (text.failed) bytes->failed = true;
  pl_section_add(bytes, section, 'b', text.data, text.size);
  pl_bytes_free(&text);
}

// The meshes of the shapes in turn: their sizes, then all vertices, all triangles.
static void put_meshes(plBytes* bytes, const plModel* model) {
  plBytes size = {0}, vert = {0}, tri = {0};
  for (int g = 0; g < model->nshape; g++) {
    const plMesh* mesh = model->shape_mesh[g];
    pl_bytes_add(&size, (int[2]){mesh ? mesh->nvert : 0, mesh ? mesh->ntri : 0}, sizeof(int[2]));
    if (!mesh) continue;
    pl_bytes_add(&vert, mesh->vert, 3 * (size_t)mesh->nvert * sizeof(double));
    pl_bytes_add(&tri, mesh->tri, 3 * (size_t)mesh->ntri * sizeof(int));
  }
  if (size.failed || vert.failed || tri.failed) bytes->failed = true;
  pl_section_add(bytes, "geom_mesh_size", 'i', size.data, size.size / sizeof(int));
  pl_section_add(bytes, "geom_mesh_vert", 'd', vert.data, vert.size / sizeof(double));
  pl_section_add(bytes, "geom_mesh_tri", 'i', tri.data, tri.size / sizeof(int));
  pl_bytes_free(&size), pl_bytes_free(&vert), pl_bytes_free(&tri);
}

// Masses of bodies and vertices: a recording has kg, the model m^3.
static void put_masses(plBytes* bytes, const plModel* model, const plParameters* par) {
  plBytes body = {0}, vert = {0};
  for (int b = 0; b < model->ndeform; b++) {
    double density = par->deform_material[b].density, mass = density * model->deform_volume[b];
    pl_bytes_add(&body, &mass, sizeof mass);
    for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
      mass = density * model->vert_volume[i];
      pl_bytes_add(&vert, &mass, sizeof mass);
    }
  }
  if (body.failed || vert.failed) bytes->failed = true;
  pl_section_add(bytes, "deform_mass", 'd', body.data, body.size / sizeof(double));
  pl_section_add(bytes, "vert_mass", 'd', vert.data, vert.size / sizeof(double));
  pl_bytes_free(&body), pl_bytes_free(&vert);
}

// Options and all parameters, as in a state: a frame with the same values refers to them.
static void put_parameters(plBytes* bytes, const plModel* model, const plParameters* par) {
  double* number = pl_alloc(pl_parameters_bytes(model), 1);
  if (number)
    pl_parameters_write(model, par, number);
  else
    bytes->failed = true;
  if (number) pl_section_add(bytes, "parameters", 'd', number, pl_parameters_bytes(model) / sizeof(double));
  pl_free(number);
}

void pl_recording_put_model(plBytes* bytes, const plModel* model, const plParameters* par) {
  pl_section_add(bytes, "version", 'b', pl_version(), strlen(pl_version()));
  pl_section_add(bytes, "hash", 'l', &model->work->hash3, 1);
  pl_section_add(bytes, "structure", 'l', &model->hash, 1);
  double row[OPTIONS];
  pl_options_pack(&par->options, row);
  pl_section_add(bytes, "options", 'd', row, OPTIONS);
  for (int i = 0; i < NSIZE; i++)
    pl_section_add(bytes, sizes[i].name, 'i', size_of(model, sizes[i].offset), 1);
  put_names(bytes, "deform_name", model->deform_name, model->ndeform);
  put_names(bytes, "geom_name", model->shape_name, model->nshape);
  put_names(bytes, "body_name", model->body_name, model->nbody);
  put_names(bytes, "joint_name", model->joint_name, model->njoint);
  plBytes rows = {0};
  for (int b = 0; b < model->ndeform; b++) {
    double material[MATERIAL];
    pack_material(&par->deform_material[b], material);
    pl_bytes_add(&rows, material, sizeof material);
  }
  if (rows.failed) bytes->failed = true;
  pl_section_add(bytes, "deform_material", 'd', rows.data, rows.size / sizeof(double));
  pl_bytes_free(&rows);
  for (int i = 0; i < NFIELD; i++) {
    const Field* f = &fields[i];
    size_t count = (size_t)f->width * ((size_t)*size_of(model, f->n) + (size_t)f->extra);
    pl_section_add(bytes, f->name, f->type, pointer_of(model, f->offset), count);
  }
  put_surfaces(bytes, "deform_surface", par->deform_surface, model->ndeform);
  put_surfaces(bytes, "geom_surface", par->shape_surface, model->nshape);
  pl_section_add(bytes, "body_mass", 'd', par->body_mass, (size_t)model->nbody);
  size_t nknot = (size_t)model->fix_knot0[model->nfix];
  pl_section_add(bytes, "knot_time", 'd', model->knot_time, nknot);
  pl_section_add(bytes, "knot_offset", 'd', model->knot_offset, 3 * nknot);
  put_masses(bytes, model, par);
  put_parameters(bytes, model, par);
  put_meshes(bytes, model);
  pl_recording_put_force_names(bytes, model);
  pl_recording_put_sensors(bytes, model);
  pl_section_add(bytes, "geom_convex", 'b', model->shape_convex, (size_t)model->nshape);
  pl_section_add(bytes, "vert_number", 'i', model->vert_number, (size_t)model->nvert);
}

// ---- reading

// What the reading functions share.
typedef struct Source {
  unsigned char* payload;
  size_t size;
  const char* file;
  plArena* arena;
  plError* error;
} Source;

static plStatus damaged(const Source* s, const char* name, const char* why) {
  return pl_fail_at(s->error, PL_ERROR_INPUT, s->file, 0, 0,
                    "the recording's model is damaged or of another version: section '%s' %s", name, why);
}

static plStatus find(const Source* s, const char* name, char type, size_t count, plSection* section) {
  if (!pl_section_find(s->payload, s->size, name, type, section)) return damaged(s, name, "is missing");
  if (section->count != count) return damaged(s, name, "has the wrong length");
  return PL_OK;
}

static plStatus get_sizes(const Source* s, plModel* model) {
  for (int i = 0; i < NSIZE; i++) {
    plSection section;
    plStatus status = find(s, sizes[i].name, 'i', 1, &section);
    if (status) return status;
    int* n = size_of(model, sizes[i].offset);
    memcpy(n, section.values, sizeof *n);
    // Every counted object takes at least a byte of the file.
    if (*n < 0 || (size_t)*n > s->size) return damaged(s, sizes[i].name, "is out of range");
  }
  return PL_OK;
}

static plStatus get_fields(const Source* s, plModel* model) {
  for (int i = 0; i < NFIELD; i++) {
    const Field* f = &fields[i];
    plSection section;
    size_t count = (size_t)f->width * ((size_t)*size_of(model, f->n) + (size_t)f->extra);
    plStatus status = find(s, f->name, f->type, count, &section);
    if (status) return status;
    void* values = section.values;
    memcpy((char*)model + f->offset, &values, sizeof values);
  }
  return PL_OK;
}

static plStatus get_names(const Source* s, const char* name, int n, char*** names) {
  plSection section;
  if (!pl_section_find(s->payload, s->size, name, 'b', &section)) return damaged(s, name, "is missing");
  *names = PL_ARENA_NEW(s->arena, char*, n);
  if (!*names) return pl_fail_out_of_memory(s->error, (size_t)n * sizeof(char*));
  char* text = (char*)section.values;
  size_t left = section.count;
  for (int i = 0; i < n; i++) {
    char* end = left ? memchr(text, 0, left) : NULL;
    if (!end) return damaged(s, name, "has too few names");
    // Text from a file must not control the terminal on which it is printed.
    for (char* c = text; c < end; c++)
      if ((unsigned char)*c < 32 || *c == 127) *c = '_';
    (*names)[i] = text;
    left -= (size_t)(end + 1 - text);
    text = end + 1;
  }
  return PL_OK;
}

// n rows of numbers: *stored numbers per row; a later version may have more, an earlier one fewer.
static plStatus find_rows(const Source* s, const char* name, size_t n, plSection* section, size_t* stored) {
  if (!pl_section_find(s->payload, s->size, name, 'd', section)) return damaged(s, name, "is missing");
  *stored = n ? section->count / n : 0;
  return n && section->count % n ? damaged(s, name, "has the wrong length") : PL_OK;
}

// Row i, padded with zeros.
static void get_row(const plSection* section, size_t stored, int i, double* row, size_t width) {
  memset(row, 0, width * sizeof *row);
  memcpy(row, section->values + (size_t)i * stored * sizeof *row,
         (stored < width ? stored : width) * sizeof *row);
}

static plStatus get_meshes(const Source* s, plModel* model) {
  plSection size, vert, tri;
  plStatus status = find(s, "geom_mesh_size", 'i', 2 * (size_t)model->nshape, &size);
  if (status) return status;
  if (!pl_section_find(s->payload, s->size, "geom_mesh_vert", 'd', &vert) ||
      !pl_section_find(s->payload, s->size, "geom_mesh_tri", 'i', &tri))
    return damaged(s, "geom_mesh_vert", "is missing");
  const int* n = (const int*)(void*)size.values;
  size_t vert0 = 0, tri0 = 0;
  model->shape_mesh = PL_ARENA_NEW(s->arena, plMesh*, model->nshape);
  plMesh* meshes = PL_ARENA_NEW(s->arena, plMesh, model->nshape);
  if (!model->shape_mesh || !meshes)
    return pl_fail_out_of_memory(s->error, (size_t)model->nshape * sizeof(plMesh));
  for (int g = 0; g < model->nshape; g++) {
    int nvert = n[2 * g], ntri = n[2 * g + 1];
    model->shape_mesh[g] = NULL;
    if (model->shape_kind[g] != PL_SHAPE_MESH) continue;
    if (nvert < 0 || ntri < 0 || 3 * (size_t)nvert > vert.count - vert0 ||
        3 * (size_t)ntri > tri.count - tri0)
      return damaged(s, "geom_mesh_size", "is out of range");
    meshes[g] = (plMesh){.nvert = nvert, .ntri = ntri};
    meshes[g].vert = (double*)(void*)vert.values + vert0;
    meshes[g].tri = (int*)(void*)tri.values + tri0;
    vert0 += 3 * (size_t)nvert, tri0 += 3 * (size_t)ntri;
    for (size_t i = 0; i < 3 * (size_t)ntri; i++)
      if (meshes[g].tri[i] < 0 || meshes[g].tri[i] >= nvert)
        return damaged(s, "geom_mesh_tri", "is out of range");
    model->shape_mesh[g] = &meshes[g];
  }
  return PL_OK;
}

// The knots of prescribed motion, as many as the checked table says.
static plStatus get_knots(const Source* s, plModel* m) {
  int nknot = m->fix_knot0[m->nfix];
  plSection section;
  plStatus status = find(s, "knot_time", 'd', (size_t)nknot, &section);
  if (status) return status;
  m->knot_time = (double*)(void*)section.values;
  if ((status = find(s, "knot_offset", 'd', 3 * (size_t)nknot, &section))) return status;
  m->knot_offset = (double*)(void*)section.values;
  return PL_OK;
}

// Earlier recordings do not say which meshes are replaced by their hulls.
static plStatus get_convex(const Source* s, plModel* m) {
  plSection section;
  bool known = pl_section_find(s->payload, s->size, "geom_convex", 'b', &section);
  if (known && section.count != (size_t)m->nshape) return damaged(s, "geom_convex", "has the wrong length");
  m->shape_convex = PL_ARENA_NEW(s->arena, bool, m->nshape);
  if (!m->shape_convex) return pl_fail_out_of_memory(s->error, (size_t)m->nshape);
  for (int g = 0; g < m->nshape; g++) m->shape_convex[g] = known && section.values[g] != 0;
  return PL_OK;
}

// Earlier recordings do not have the numbers of vertices in their files.
static plStatus get_numbers(const Source* s, plModel* m) {
  plSection section;
  bool known = pl_section_find(s->payload, s->size, "vert_number", 'i', &section);
  if (known && section.count != (size_t)m->nvert) return damaged(s, "vert_number", "has the wrong length");
  m->vert_number = known ? (int*)(void*)section.values : PL_ARENA_NEW(s->arena, int, m->nvert);
  if (!m->vert_number) return pl_fail_out_of_memory(s->error, (size_t)m->nvert * sizeof(int));
  for (int b = 0; b < m->ndeform; b++)
    for (int i = m->deform_vert0[b], first = i; i < m->deform_vert0[b + 1]; i++) {
      if (!known) m->vert_number[i] = i - first;
      if (m->vert_number[i] < 0 || (i > first && m->vert_number[i] <= m->vert_number[i - 1]))
        return damaged(s, "vert_number", "does not ascend");
    }
  return PL_OK;
}

// Volumes of bodies and vertices, once the materials are known.
static plStatus get_masses(const Source* s, plModel* m, const plParameters* par) {
  plSection section;
  plStatus status = find(s, "deform_mass", 'd', (size_t)m->ndeform, &section);
  if (status) return status;
  m->deform_volume = (double*)(void*)section.values;
  if ((status = find(s, "vert_mass", 'd', (size_t)m->nvert, &section))) return status;
  m->vert_volume = (double*)(void*)section.values;
  for (int b = 0; b < m->ndeform; b++) {
    m->deform_volume[b] /= par->deform_material[b].density;
    for (int i = m->deform_vert0[b]; i < m->deform_vert0[b + 1]; i++)
      m->vert_volume[i] /= par->deform_material[b].density;
  }
  return PL_OK;
}

// Earlier recordings have no mesh_compliance: it was on.
static plStatus get_surface_rows(const Source* s, const char* name, int n, plSurface** surface) {
  plSection rows;
  size_t stored;
  plStatus status = find_rows(s, name, (size_t)n, &rows, &stored);
  if (status) return status;
  if (n && stored < SURFACE - 1) return damaged(s, name, "has the wrong length");
  *surface = PL_ARENA_NEW(s->arena, plSurface, n);
  if (!*surface) return pl_fail_out_of_memory(s->error, (size_t)n * sizeof **surface);
  for (int i = 0; i < n; i++) {
    double row[SURFACE];
    get_row(&rows, stored, i, row, SURFACE);
    (*surface)[i] = (plSurface){.friction = row[0],
                                .contact_stiffness = row[1],
                                .relaxation_time = row[2],
                                .dissipation = row[3],
                                .surface_velocity = {row[4], row[5], row[6]},
                                .mesh_compliance = stored < SURFACE || row[7] != 0};
  }
  return PL_OK;
}

static plStatus get_surfaces(const Source* s, const plModel* m, plParameters* par) {
  plSection section;
  plStatus status = get_surface_rows(s, "deform_surface", m->ndeform, &par->deform_surface);
  if (!status) status = get_surface_rows(s, "geom_surface", m->nshape, &par->shape_surface);
  if (status) return status;
  if ((status = find(s, "body_mass", 'd', (size_t)m->nbody, &section))) return status;
  par->body_mass = (double*)(void*)section.values;
  return PL_OK;
}

static plStatus check(const Source* s, const plModel* m) {
  plFlaw flaw = pl_recording_check_model(m);
  return flaw.section ? damaged(s, flaw.section, flaw.why) : PL_OK;
}

plStatus pl_recording_get_model(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                plModel* model, plError* error) {
  Source s = {payload, size, file, arena, error};
  plStatus status;
  plParameters* par = PL_ARENA_NEW(arena, plParameters, 1);
  if (!par) return pl_fail_out_of_memory(error, sizeof *par);
  *par = (plParameters){0};
  *model = (plModel){.par = par};
  if ((status = get_sizes(&s, model)) || (status = get_fields(&s, model)) || (status = check(&s, model)) ||
      (status = get_knots(&s, model)) || (status = get_meshes(&s, model)) ||
      (status = get_convex(&s, model)) || (status = get_numbers(&s, model)) ||
      (status = get_surfaces(&s, model, par)) ||
      (status = get_names(&s, "deform_name", model->ndeform, &model->deform_name)) ||
      (status = get_names(&s, "geom_name", model->nshape, &model->shape_name)) ||
      (status = get_names(&s, "body_name", model->nbody, &model->body_name)) ||
      (status = get_names(&s, "joint_name", model->njoint, &model->joint_name)) ||
      (status = pl_recording_get_force_names(payload, size, file, arena, model, error)) ||
      (status = pl_recording_get_sensors(payload, size, file, arena, model, error)))
    return status;
  // Options, materials, hash.
  double row[OPTIONS > MATERIAL ? OPTIONS : MATERIAL];
  plSection rows;
  size_t stored;
  if ((status = find_rows(&s, "options", 1, &rows, &stored))) return status;
  get_row(&rows, stored, 0, row, OPTIONS);
  if (row[7] == REMOVED_LAW)
    return pl_fail(error, PL_ERROR_INPUT,
                   "%s: recorded with the contact law 'lagged', which was removed; run its scene again with "
                   "coulomb or similar",
                   file);
  par->options = pl_options_unpack(row, stored < OPTIONS ? stored : OPTIONS);
  if ((status = find_rows(&s, "deform_material", (size_t)model->ndeform, &rows, &stored))) return status;
  par->deform_material = PL_ARENA_NEW(arena, plMaterial, model->ndeform);
  if (!par->deform_material) return pl_fail_out_of_memory(error, (size_t)model->ndeform * sizeof(plMaterial));
  for (int b = 0; b < model->ndeform; b++) {
    get_row(&rows, stored, b, row, MATERIAL);
    par->deform_material[b] = unpack_material(row);
    if (pl_material_check(&par->deform_material[b], NULL))
      return damaged(&s, "deform_material", "is out of range");
  }
  if ((status = get_masses(&s, model, par))) return status;
  plSection hash, now;
  if ((status = find(&s, "hash", 'l', 1, &hash))) return status;
  // Earlier recordings have the hash of that time alone.
  if (pl_section_find(s.payload, s.size, "structure", 'l', &now)) {
    if (now.count != 1) return damaged(&s, "structure", "has the wrong length");
    hash = now;
  }
  memcpy(&model->hash, hash.values, sizeof model->hash);
  return PL_OK;
}
