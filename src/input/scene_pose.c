// scene_pose.c: the sections `pose` and `surface` that several others share -> plPose, plSurface.
#include <math.h>

#include "input/scene.h"
#include "math/pose.h"

// ---- pose

// clang-format off
static const plKey pose_keys[] = {
    {.name = "position", .type = PL_KEY_VEC3, .offset = offsetof(plScenePose, position), .unit = "m",
     .meaning = "of the frame's origin"},
    {.name = "rpy", .type = PL_KEY_VEC3, .offset = offsetof(plScenePose, rpy), .unit = "rad",
     .meaning = "roll, pitch, yaw about the fixed axes x, y, z, in this order (as in URDF)"},
    {.name = "quaternion", .type = PL_KEY_QUAT, .offset = offsetof(plScenePose, quaternion),
     .meaning = "w, x, y, z of length 1; instead of `rpy`"},
};
// clang-format on

static void pose_defaults(void* target) {
  *(plScenePose*)target = (plScenePose){.quaternion = quat_identity(), .pose = pose_identity()};
}

static plStatus pose_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  plScenePose* p = target;
  bool rpy = pl_yaml_get(map, "rpy"), quaternion = pl_yaml_get(map, "quaternion");
  if (rpy && quaternion)
    return pl_scene_fail_key(scene, map, "quaternion", "give either 'rpy' or 'quaternion', not both");
  double most = fmax(fabs(p->rpy.x), fmax(fabs(p->rpy.y), fabs(p->rpy.z)));
  if (most > 2 * M_PI + 1e-6)
    pl_scene_warn(scene, pl_yaml_get(map, "rpy"),
                  "an angle of %g rad is more than a turn; 'rpy' is in radians, not in degrees", most);
  p->pose.p = p->position;
  p->pose.q = rpy ? quat_from_rpy(p->rpy.x, p->rpy.y, p->rpy.z) : quat_unit(p->quaternion);
  return PL_OK;
}

const plSection pl_section_pose = {
    "pose", pose_keys, sizeof pose_keys / sizeof *pose_keys, sizeof(plScenePose), pose_defaults, pose_finish};

// ---- surface

// clang-format off
static const plKey surface_keys[] = {
    {.name = "friction", .type = PL_KEY_NUMBER, .offset = offsetof(plSurface, friction), .range = {0, 1e3, false, false},
     .meaning = "Coulomb coefficient; two surfaces a, b combine as 2 a b / (a + b)"},
    {.name = "contact_stiffness", .type = PL_KEY_NUMBER, .offset = offsetof(plSurface, contact_stiffness), .unit = "Pa/m",
     .range = {0, INFINITY, true, false},
     .meaning = "pressure per depth, a number or `infinite` (the near-rigid term decides); two combine in series"},
    {.name = "relaxation_time", .type = PL_KEY_NUMBER, .offset = offsetof(plSurface, relaxation_time), .unit = "s",
     .range = {0, 1e3, false, false}, .meaning = "dissipation of the laws `cone` and `coulomb`; two add up"},
    {.name = "dissipation", .type = PL_KEY_NUMBER, .offset = offsetof(plSurface, dissipation), .unit = "s/m",
     .range = {0, 1e6, false, false},
     .meaning = "dissipation of the law `similar`; two combine weighted by stiffness"},
    {.name = "surface_velocity", .type = PL_KEY_VEC3, .offset = offsetof(plSurface, surface_velocity), .unit = "m/s",
     .meaning = "of the surface along itself, in the frame of the shape: a belt; rigid shapes only"},
    {.name = "mesh_compliance", .type = PL_KEY_BOOL, .offset = offsetof(plSurface, mesh_compliance),
     .meaning = "soft facets under a round tool get the compliance that their mesh is too coarse to have; a pair has it only if both surfaces do"},
};
// clang-format on

static void surface_defaults(void* target) { *(plSurface*)target = pl_default_surface(); }

const plSection pl_section_surface = {
    "surface",         surface_keys,     sizeof surface_keys / sizeof *surface_keys,
    sizeof(plSurface), surface_defaults, NULL};
