// info.c: `pliant info`: the contents of a file. The extension determines its kind; a word without one is the
// name of a scene.
#include <string.h>

#include "cli.h"
#include "pliant/output.h"

static const char examples[] =
    "  pliant info bear.vtk\n"
    "      counts, size, volume and quality of a mesh, and what is wrong with it\n"
    "  pliant info part.stl --scale 0.001\n"
    "      the same for a mesh in millimetres\n"
    "  pliant info scenes/robots/iiwa14.urdf\n"
    "      tree, joints, limits and masses of a robot, and what was ignored\n"
    "  pliant info block\n"
    "      bodies, degrees of freedom and masses of scenes/block.yaml\n"
    "  pliant info run.plrec\n"
    "      frames of a recording, and whether it was cut off\n"
    "  pliant info --scenes\n"
    "      the scenes that can be named without a path\n";

static const char summary[] =
    "Shows what FILE holds: a scene (.yaml or a name), a mesh (.vtk .vtu .msh .node .ele .mesh .obj .stl "
    ".ply .gltf .glb .dae), a robot\n(.urdf .sdf .xml .mjcf) or a recording (.plrec).";

static int info_recording(const char* path) {
  plError error;
  plReplay* replay = NULL;
  if (pl_replay_open(path, &replay, &error)) return complain_error(&error);
  const plReplayInfo* info = pl_replay_info(replay);
  const plModel* model = pl_replay_model(replay);
  say(stdout, "recording      %s\n", path);
  printf("frames         %d", info->nframe);
  if (info->nframe)
    printf(", from %g s to %g s", pl_replay_time(replay, 0), pl_replay_time(replay, info->nframe - 1));
  printf("\nfinished       %s\n", info->closed ? "yes" : "no");
  if (info->note[0]) say(stdout, "note           %s\n", info->note);
  printf("model          %d deformable bodies, %d shapes, %d DoFs, dt %g s\n", model->ndeform, model->nshape,
         model->nv, model->par->options.dt);
  pl_replay_close(replay);
  return EXIT_DONE;
}

int info_main(int argc, char** argv) {
  const char* file = NULL;
  double scale = 1;
  bool scenes = false;
  const char* json = NULL;
  static ArgList set, search;
  // clang-format off
  const Arg table[] = {
      {"--scale", "S", ARG_NUMBER, &scale, "multiplies a mesh's coordinates first"},
      SET_ARG(&set),
      MESH_LIMIT_ARG,
      SEARCH_ARG(&search),
      {"--strict", NULL, ARG_FLAG, &load_strict, "remarks on robot files that affect the motion become errors"},
      {"--json", "FILE", ARG_TEXT, &json, "for programs: counts and remarks of a robot file, all tables of a scene"},
      {"--scenes", NULL, ARG_FLAG, &scenes, "lists the scenes that are found by name"},
  };
  // clang-format on
  const Command command = {
      "info", "FILE [OPTIONS]", summary, examples, table, sizeof table / sizeof *table, 1, 0};
  int status = args_read(&command, argc, argv, &file);
  if (status >= 0) return status;
  if (scenes) {
    scene_list(stdout);
    return EXIT_DONE;
  }
  if (!file) {
    complain("info needs a FILE; `pliant info --help` explains");
    return EXIT_BAD_INPUT;
  }
  if (!(scale > 0)) {
    complain("info: --scale must be positive, got %g", scale);
    return EXIT_BAD_INPUT;
  }
  static const char* const meshes[] = {".vtk", ".vtu", ".msh", ".node", ".ele", ".mesh",
                                       ".obj", ".stl", ".ply", ".gltf", ".glb", ".dae"};
  bool mesh = false, recording = ends_with(file, ".plrec");
  for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) mesh |= ends_with(file, meshes[i]);
  if (json && (mesh || recording)) {
    complain("info: --json is for scenes and robot files");
    return EXIT_BAD_INPUT;
  }
  if (mesh) return info_mesh(file, scale);
  if (recording) return info_recording(file);
  if (pl_is_robot_file(file)) return info_robot(file, &search, load_strict, json);
  scene_missing_meshes = true;
  return info_scene(file, &set, &search, json);
}
