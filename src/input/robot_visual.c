// robot_visual.c: a visual mesh whose file gives its parts colours becomes one shape for each colour.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "input/robot.h"

enum { MAX_COLOURS = 64 };

// The colour of a part as a number; a part without one takes the shape's.
static int colour_code(const plMeshPart* part, plVec3 colour) {
  const double own[3] = {colour.x, colour.y, colour.z};
  int code = 0;
  for (int i = 0; i < 3; i++)
    code = 256 * code + (int)lround(255 * (part->coloured ? part->colour[i] : own[i]));
  return code;
}

static plVec3 colour_of(int code) {
  return v3((code >> 16) / 255.0, (code >> 8 & 255) / 255.0, (code & 255) / 255.0);
}

// Lists the colours of all parts, in their order; -1: there are more than MAX_COLOURS.
static int list_colours(const plRobotShape* shape, const plMeshPart* part, int npart, int* code) {
  int n = 0;
  for (int i = 0; i < npart; i++) {
    int own = colour_code(&part[i], shape->colour), k = 0;
    while (k < n && code[k] != own) k++;
    if (k == MAX_COLOURS) return -1;
    if (k == n) code[n++] = own;
  }
  return n;
}

// The triangles of one colour and their vertices; NULL if memory runs out or there are none.
static plMesh* pick(const plMesh* mesh, const plRobotShape* shape, const plMeshPart* part, int npart,
                    int code) {
  int *id = PL_NEW(int, mesh->nvert), nvert = 0, ntri = 0;
  plMesh* picked = id ? pl_mesh_copy(mesh, NULL) : NULL;
  for (int p = 0; picked && p < npart; p++) {
    if (colour_code(&part[p], shape->colour) != code) continue;
    int end = p + 1 < npart ? part[p + 1].tri0 : mesh->ntri;
    assert(part[p].tri0 >= 0 && end <= mesh->ntri);  // the reader of the file counted them
    for (int t = part[p].tri0; t < end; t++, ntri++)
      for (int k = 0; k < 3; k++) {
        int v = mesh->tri[3 * t + k];
        assert(v >= 0 && v < mesh->nvert);
        if (!id[v]) {
          for (int i = 0; i < 3; i++) picked->vert[3 * nvert + i] = mesh->vert[3 * v + i];
          id[v] = ++nvert;
        }
        picked->tri[3 * ntri + k] = id[v] - 1;
      }
  }
  pl_free(id);
  assert(!picked || (nvert <= picked->nvert && ntri <= picked->ntri));  // parts do not overlap
  if (picked) picked->nvert = nvert, picked->ntri = ntri;
  return picked;
}

plStatus pl_robot_add_parts(plRobot* robot, const plRobotShape* shape, const plMesh* mesh,
                            const plMeshPart* part, int npart) {
  int code[MAX_COLOURS], n = list_colours(shape, part, npart, code);
  plRobotShape one = *shape;
  one.loaded = mesh;
  if (n < 0)
    pl_robot_note(robot, shape->at, "the mesh '%.200s' has more than %d colours; it is shown in one",
                  shape->mesh, (int)MAX_COLOURS);
  if (n == 1) one.colour = colour_of(code[0]);
  if (n <= 1) return pl_robot_add_shape(robot, &one);
  plStatus status = PL_OK;
  for (int i = 0; i < n && !status; i++) {
    plMesh* picked = pick(mesh, shape, part, npart, code[i]);
    if (!picked) return pl_fail_out_of_memory(robot->error, 36 * (size_t)mesh->nvert);
    one.loaded = picked, one.colour = colour_of(code[i]);
    if (picked->ntri) status = pl_robot_add_shape(robot, &one);
    pl_mesh_destroy(picked);
  }
  return status;
}
