// mesh.c: `pliant mesh`: converts, scales and repairs meshes, and fills closed surfaces with tetrahedra.
#include <math.h>
#include <string.h>

#include "cli.h"

typedef struct MeshArgs {
  double edge;  // infinite: nothing is filled
  double scale;
  int max_tets;
  bool as_is;
} MeshArgs;

static const char examples[] =
    "  pliant mesh bear.vtk bear.msh\n"
    "      converts between formats; repairs inverted, flat and duplicate elements and says so\n"
    "  pliant mesh bunny.stl bunny.vtu --edge 0.005\n"
    "      fills the closed surface with tetrahedra of about 5 mm\n"
    "  pliant mesh part.obj part.vtk --scale 0.001 --edge 0.004\n"
    "      the same for a surface in millimetres\n"
    "  pliant mesh soft.vtk skin.stl\n"
    "      the boundary of a tetrahedral mesh\n";

static const char summary[] =
    "Reads the mesh IN and writes it as OUT; the extensions choose the formats (.vtk .vtu .msh .node .ele "
    ".mesh .obj .stl .ply; .gltf, .glb and .dae are only read).\n"
    "With --edge, the inside of the surface is filled with tetrahedra of about that edge length; a "
    "tetrahedral mesh is\n"
    "meshed again from its boundary. It refuses, with an estimate, if more than --max-tets tetrahedra would "
    "result.";

// The boundary of a tet mesh as a surface of its own.
static plStatus take_boundary(plMesh** mesh, plError* error) {
  plStatus status = pl_mesh_boundary(*mesh, error);
  if (status) return status;
  plMesh* surface = pl_mesh_create((*mesh)->nvert, 0, (*mesh)->ntri, error);
  if (!surface) return PL_ERROR_MEMORY;
  memcpy(surface->vert, (*mesh)->vert, 3 * sizeof(double) * (size_t)(*mesh)->nvert);
  memcpy(surface->tri, (*mesh)->tri, 3 * sizeof(int) * (size_t)(*mesh)->ntri);
  pl_mesh_destroy(*mesh);
  *mesh = surface;
  return pl_mesh_repair(surface, NULL, 0, error);
}

static plStatus fill_inside(plMesh** mesh, const MeshArgs* args, plError* error) {
  plStatus status = (*mesh)->ntet ? take_boundary(mesh, error) : PL_OK;
  if (status) return status;
  plMesh* filled = NULL;
  status = pl_mesh_tetrahedralize(*mesh, args->edge, args->max_tets, &filled, error);
  if (status) return status;
  pl_mesh_destroy(*mesh);
  *mesh = filled;
  if (filled->kept < 0.95)
    complain(
        "warning: tetrahedra of edge %g m fill only %.0f %% of the enclosed volume; choose a shorter edge",
        args->edge, 100 * filled->kept);
  return PL_OK;
}

static plStatus work(const char* in, const char* out, const MeshArgs* args, plMesh** mesh, plError* error) {
  static char log[4096];
  plStatus status = pl_mesh_load_within(in, mesh_limit(), mesh, error);
  if (status) return status;
  if ((*mesh)->by_corners)
    printf("%d elements of second or higher order were read by their corners\n", (*mesh)->by_corners);
  plPose identity = {.q = {1, 0, 0, 0}};
  if (args->scale != 1) pl_mesh_transform(*mesh, (plVec3){args->scale, args->scale, args->scale}, identity);
  if (!args->as_is) status = pl_mesh_repair(*mesh, log, sizeof log, error);
  if (!status && log[0]) printf("repaired:\n%s%s", log, log[strlen(log) - 1] == '\n' ? "" : "\n");
  if (!status && isfinite(args->edge)) status = fill_inside(mesh, args, error);
  return status ? status : pl_mesh_save(out, *mesh, error);
}

int mesh_main(int argc, char** argv) {
  const char* file[2];
  MeshArgs args = {.edge = INFINITY, .scale = 1};
  // clang-format off
  const Arg table[] = {
      {"--edge", "H", ARG_NUMBER, &args.edge, "fills the inside with tetrahedra of about this edge length (m)"},
      {"--scale", "S", ARG_NUMBER, &args.scale, "multiplies the coordinates first, e.g. 0.001 for millimetres"},
      {"--max-tets", "N", ARG_COUNT, &args.max_tets, "refuses to make more tetrahedra than this; default 20 million"},
      MESH_LIMIT_ARG,
      {"--as-is", NULL, ARG_FLAG, &args.as_is, "repairs nothing"},
  };
  // clang-format on
  const Command command = {"mesh", "IN OUT [OPTIONS]",           summary, examples,
                           table,  sizeof table / sizeof *table, 2,       2};
  int status = args_read(&command, argc, argv, file);
  if (status >= 0) return status;
  if (!(args.edge > 0) || !(args.scale > 0)) {
    complain("mesh: --edge and --scale must be positive");
    return EXIT_BAD_INPUT;
  }
  plError error;
  plMesh* mesh = NULL;
  plMeshReport report;
  plStatus failed = work(file[0], file[1], &args, &mesh, &error);
  if (!failed) failed = pl_mesh_check(mesh, &report, &error);
  pl_mesh_destroy(mesh);
  if (failed) {
    if (!error.file[0]) snprintf(error.file, sizeof error.file, "%.500s", file[0]);
    return complain_error(&error);
  }
  say(stdout, "written        %s\n", file[1]);
  print_mesh_report(&report);
  return EXIT_DONE;
}
