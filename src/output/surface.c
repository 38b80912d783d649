// surface.c: deformed bodies and rigid shapes -> triangles; OBJ and PLY files of them.
#include "output/surface.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "math/pose.h"
#include "output/chunk.h"
#include "output/moving.h"

// ---- parts

// The boundary of a deformed body, with only the vertices on it.
static bool add_body(const plData* data, int b, plSurfacePart* part) {
  const plModel* m = data->model;
  int v0 = m->deform_vert0[b], nvert = m->deform_vert0[b + 1] - v0, f0 = m->deform_tri0[b],
      ntri = m->deform_tri0[b + 1] - f0;
  *part = (plSurfacePart){.name = m->deform_name[b], .side = b, .ntri = ntri, .colour = pl_look_colour(b)};
  int* place = PL_NEW(int, nvert);
  part->tri = PL_NEW(int, 3 * (size_t)ntri);
  part->source = PL_NEW(int, nvert);
  bool ok = place && part->tri && part->source;
  for (size_t i = 0; ok && i < 3 * (size_t)ntri; i++) {
    int v = m->tri_vert[3 * (size_t)f0 + i] - v0;
    assert(v >= 0 && v < nvert);
    if (!place[v]) part->source[part->nvert] = v, place[v] = ++part->nvert;
    part->tri[i] = place[v] - 1;
  }
  if (ok) ok = (part->vert = PL_NEW(double, 3 * (size_t)part->nvert)) != NULL;
  for (int i = 0; ok && i < part->nvert; i++)
    v3_store(part->vert + 3 * (size_t)i, v3_load(data->q + m->deform_q0[b] + 3 * (size_t)part->source[i]));
  pl_free(place);
  return ok;
}

static plStatus add_shape(const plData* data, int g, plPose pose, plSurfacePart* part, plError* error) {
  const plModel* m = data->model;
  plMesh* mesh = pl_look_tessellate(m, g, error);
  if (!mesh) return PL_ERROR_MEMORY;
  pl_mesh_transform(mesh, v3(1, 1, 1), pose);
  *part = (plSurfacePart){.name = m->shape_name[g],
                          .side = m->ndeform + g,
                          .nvert = mesh->nvert,
                          .ntri = mesh->ntri,
                          .vert = mesh->vert,
                          .tri = mesh->tri,
                          .colour = m->shape_colour[g]};
  // The arrays now belong to the part.
  pl_free(mesh->tet);
  pl_free(mesh);
  return PL_OK;
}

plStatus pl_surfaces_create(const plData* data, plSurfaces** surfaces, plError* error) {
  const plModel* m = data->model;
  plSurfaces* s = PL_NEW(plSurfaces, 1);
  plPose* pose = PL_NEW(plPose, m->nshape);
  bool* dressed = pl_look_dressed(m);
  *surfaces = NULL;
  if (s) s->part = PL_NEW(plSurfacePart, m->ndeform + m->nshape);
  plStatus status = s && s->part && pose && dressed ? PL_OK : pl_fail_out_of_memory(error, sizeof *s);
  if (!status) pl_moving_poses(data, pose);
  for (int b = 0; b < m->ndeform && !status; b++)
    if (!add_body(data, b, &s->part[s->npart++])) status = pl_fail_out_of_memory(error, 24 * (size_t)m->ntri);
  for (int g = 0; g < m->nshape && !status; g++)
    if (pl_look_shown(m, dressed, g)) status = add_shape(data, g, pose[g], &s->part[s->npart++], error);
  pl_free(pose), pl_free(dressed);
  if (status) return pl_surfaces_destroy(s), status;
  *surfaces = s;
  return PL_OK;
}

void pl_surfaces_destroy(plSurfaces* s) {
  if (!s) return;
  for (int i = 0; s->part && i < s->npart; i++)
    pl_free(s->part[i].vert), pl_free(s->part[i].tri), pl_free(s->part[i].source);
  pl_free(s->part);
  pl_free(s);
}

// ---- files

static plStatus write_file(const char* path, plBytes* bytes, plError* error) {
  bool plain;
  plStatus status = pl_file_check_kind(path, &pl_file_mesh, &plain, error);
  if (status) return pl_bytes_free(bytes), status;
  FILE* file = bytes->failed ? NULL : fopen(path, "wbe");
  if (bytes->failed)
    status = pl_fail_out_of_memory(error, bytes->cap);
  else if (!file)
    status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be made: %s", strerror(errno));
  bool ok = !file || fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
  if (file && fclose(file)) ok = false;
  if (!status && !ok)
    status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be written: %s", strerror(errno));
  pl_bytes_free(bytes);
  return status;
}

plStatus pl_surface_save_obj(const char* path, const plData* data, plError* error) {
  assert(path != NULL && data != NULL);
  plSurfaces* s;
  plStatus status = pl_surfaces_create(data, &s, error);
  if (status) return status;
  plBytes bytes = {0};
  pl_bytes_print(&bytes, "# Pliant %s, t = %.17g s, lengths in m\n", pl_version(), data->time);
  long first = 1;
  for (int p = 0; p < s->npart; p++) {
    const plSurfacePart* part = &s->part[p];
    pl_bytes_print(&bytes, "o %s\n", part->name);
    for (const double* x = part->vert; x < part->vert + 3 * (size_t)part->nvert; x += 3)
      pl_bytes_print(&bytes, "v %.17g %.17g %.17g\n", x[0], x[1], x[2]);
    for (const int* t = part->tri; t < part->tri + 3 * (size_t)part->ntri; t += 3)
      pl_bytes_print(&bytes, "f %ld %ld %ld\n", first + t[0], first + t[1], first + t[2]);
    first += part->nvert;
  }
  pl_surfaces_destroy(s);
  return write_file(path, &bytes, error);
}

plStatus pl_surface_save_ply(const char* path, const plData* data, plError* error) {
  assert(path != NULL && data != NULL);
  plSurfaces* s;
  plStatus status = pl_surfaces_create(data, &s, error);
  if (status) return status;
  long nvert = 0, ntri = 0;
  for (int p = 0; p < s->npart; p++) nvert += s->part[p].nvert, ntri += s->part[p].ntri;
  plBytes bytes = {0};
  pl_bytes_print(
      &bytes,
      "ply\nformat binary_little_endian 1.0\ncomment Pliant %s, t = %.17g s, lengths in m\nelement vertex "
      "%ld\n"
      "property double x\nproperty double y\nproperty double z\nproperty uchar red\nproperty uchar green\n"
      "property uchar blue\nelement face %ld\nproperty list uchar int vertex_indices\nend_header\n",
      pl_version(), data->time, nvert, ntri);
  for (int p = 0; p < s->npart; p++)
    for (int i = 0; i < s->part[p].nvert; i++) {
      const double c[3] = {s->part[p].colour.x, s->part[p].colour.y, s->part[p].colour.z};
      unsigned char rgb[3];
      for (int k = 0; k < 3; k++) rgb[k] = (unsigned char)lround(255 * fmin(fmax(c[k], 0), 1));
      pl_bytes_add(&bytes, s->part[p].vert + 3 * (size_t)i, 3 * sizeof(double));
      pl_bytes_add(&bytes, rgb, 3);
    }
  int first = 0;
  for (int p = 0; p < s->npart; first += s->part[p++].nvert)
    for (const int* t = s->part[p].tri; t < s->part[p].tri + 3 * (size_t)s->part[p].ntri; t += 3) {
      int corner[3] = {first + t[0], first + t[1], first + t[2]};
      pl_bytes_add(&bytes, "\3", 1);
      pl_bytes_add(&bytes, corner, sizeof corner);
    }
  pl_surfaces_destroy(s);
  return write_file(path, &bytes, error);
}
