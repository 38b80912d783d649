// info_mesh.c: properties of a mesh: counts, size, quality as small bars, findings as sentences.
#include "cli.h"

static void print_quality(const plMeshReport* r) {
  int most = 1;
  for (int i = 0; i < PL_QUALITY_BINS; i++)
    if (r->quality[i] > most) most = r->quality[i];
  printf("quality        min %.3f, mean %.3f (1: regular, 0: flat)\n", r->quality_min, r->quality_mean);
  for (int i = 0; i < PL_QUALITY_BINS; i++) {
    int length = (int)(40.0 * r->quality[i] / most + 0.5);
    if (r->quality[i] && !length) length = 1;
    printf("  %.1f - %.1f    %8d %.*s\n", (double)i / PL_QUALITY_BINS, (double)(i + 1) / PL_QUALITY_BINS,
           r->quality[i], length, "########################################");
  }
}

void print_mesh_report(const plMeshReport* r) {
  printf("vertices       %d\n", r->nvert);
  if (r->ntet) printf("tetrahedra     %d\n", r->ntet);
  printf("boundary       %d triangles, %d vertices, %.6g m^2\n", r->boundary_tri, r->boundary_vert, r->area);
  printf("components     %d\n", r->component);
  printf("bounding box   [%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g] m\n", r->lower.x, r->lower.y, r->lower.z,
         r->upper.x, r->upper.y, r->upper.z);
  printf("size           %.6g x %.6g x %.6g m\n", r->upper.x - r->lower.x, r->upper.y - r->lower.y,
         r->upper.z - r->lower.z);
  printf("volume         %.9g m^3%s\n", r->volume, r->ntet ? "" : " enclosed");
  printf("edges          %.4g to %.4g m, mean %.4g m\n", r->edge_min, r->edge_max, r->edge_mean);
  if (r->ntet) print_quality(r);
  static char text[4096];
  int findings = pl_mesh_report_text(r, text, sizeof text);
  printf("findings       %s\n", findings ? "" : "none");
  if (findings) printf("%s%s", text, text[0] ? "\n" : "");
}

int info_mesh(const char* path, double scale) {
  plError error;
  plMesh* mesh = NULL;
  if (pl_mesh_load_within(path, mesh_limit(), &mesh, &error)) return complain_error(&error);
  plPose identity = {.q = {1, 0, 0, 0}};
  if (scale != 1) pl_mesh_transform(mesh, (plVec3){scale, scale, scale}, identity);
  plMeshReport report;
  plStatus status = pl_mesh_check(mesh, &report, &error);
  int by_corners = mesh->by_corners;
  pl_mesh_destroy(mesh);
  if (status) return complain_error(&error);
  say(stdout, "mesh           %s\n", path);
  if (by_corners)
    printf("note           %d elements of second or higher order were read by their corners\n", by_corners);
  print_mesh_report(&report);
  return EXIT_DONE;
}
