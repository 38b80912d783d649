// mesh_convert.c: a small program for meshio_roundtrip.py and for looking at a mesh by hand.
//
//   mesh_convert IN OUT      loads and saves
//   mesh_convert dump IN     prints vertices and elements as text
//   mesh_convert check IN    prints the report
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pliant/mesh.h"

static void dump(const plMesh* mesh) {
  printf("%d %d %d\n", mesh->nvert, mesh->ntet, mesh->ntri);
  for (int v = 0; v < mesh->nvert; v++)
    printf("%.17g %.17g %.17g\n", mesh->vert[3 * v], mesh->vert[3 * v + 1], mesh->vert[3 * v + 2]);
  for (int t = 0; t < mesh->ntet; t++)
    printf("%d %d %d %d\n", mesh->tet[4 * t], mesh->tet[4 * t + 1], mesh->tet[4 * t + 2],
           mesh->tet[4 * t + 3]);
  for (int t = 0; t < mesh->ntri; t++)
    printf("%d %d %d\n", mesh->tri[3 * t], mesh->tri[3 * t + 1], mesh->tri[3 * t + 2]);
}

static plStatus check(const plMesh* mesh, plError* error) {
  plMeshReport r;
  char text[4096];
  plStatus status = pl_mesh_check(mesh, &r, error);
  if (status) return status;
  printf("%d vertices (%d on the boundary), %d tets, %d triangles, %d boundary faces, %d parts\n", r.nvert,
         r.boundary_vert, r.ntet, r.ntri, r.boundary_tri, r.component);
  printf("box %.5g %.5g %.5g, volume %.6g, area %.6g, edges %.4g %.4g %.4g\n", r.upper.x - r.lower.x,
         r.upper.y - r.lower.y, r.upper.z - r.lower.z, r.volume, r.area, r.edge_min, r.edge_mean, r.edge_max);
  printf("quality %.4f %.4f\n", r.quality_min, r.quality_mean);
  if (pl_mesh_report_text(&r, text, sizeof text)) printf("%s\n", text);
  return PL_OK;
}

int main(int argc, char** argv) {
  plError error;
  char text[2048];
  plMesh* mesh = NULL;
  if (argc != 3) return fprintf(stderr, "usage: mesh_convert IN OUT | dump IN | check IN\n"), 2;
  bool dumped = !strcmp(argv[1], "dump"), checked = !strcmp(argv[1], "check");
  plStatus status = pl_mesh_load(dumped || checked ? argv[2] : argv[1], &mesh, &error);
  if (!status && dumped) dump(mesh);
  if (!status && checked) status = check(mesh, &error);
  if (!status && !dumped && !checked) status = pl_mesh_save(argv[2], mesh, &error);
  if (status) fprintf(stderr, "%s\n", pl_error_text(&error, text, sizeof text));
  pl_mesh_destroy(mesh);
  return (int)status;
}
