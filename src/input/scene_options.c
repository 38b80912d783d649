// scene_options.c: the section `options` of a scene file -> plOptions.
#include "input/scene.h"

static const plWord schemes[] = {{"backward_euler", 0}, {"symplectic_euler", 1}, {"midpoint", 2}, {NULL, 0}};
static const plWord laws[] = {
    {"cone", PL_LAW_CONE}, {"coulomb", PL_LAW_COULOMB}, {"similar", PL_LAW_SIMILAR}, {NULL, 0}};
static const plWord rigid_contacts[] = {{"patch", PL_RIGID_PATCH}, {"point", PL_RIGID_POINT}, {NULL, 0}};
static const plWord couplings[] = {
    {"converged", PL_COUPLING_CONVERGED}, {"once", PL_COUPLING_ONCE}, {NULL, 0}};

#define AT(field) offsetof(plSceneOptions, options.field)
// clang-format off
static const plKey keys[] = {
    {.name = "dt", .type = PL_KEY_NUMBER, .offset = AT(dt), .unit = "s", .range = {0, 1e3, true, false},
     .meaning = "time step"},
    {.name = "duration", .type = PL_KEY_NUMBER, .offset = AT(duration), .unit = "s", .range = {0, 1e9, false, false},
     .meaning = "simulated time of a run"},
    {.name = "gravity", .type = PL_KEY_VEC3, .offset = AT(gravity), .unit = "m/s^2", .meaning = "acceleration of gravity"},
    {.name = "scheme", .type = PL_KEY_WORD, .offset = offsetof(plSceneOptions, scheme), .words = schemes,
     .meaning = "time integration: (theta, theta_vq) = (1, 1), (0, 1) or (1/2, 1/2)"},
    {.name = "theta", .type = PL_KEY_NUMBER, .offset = AT(theta), .range = {0, 1, false, false},
     .meaning = "forces are taken at theta q + (1 - theta) q0; instead of `scheme`"},
    {.name = "theta_vq", .type = PL_KEY_NUMBER, .offset = AT(theta_vq), .range = {0, 1, false, false},
     .meaning = "positions move with theta_vq v + (1 - theta_vq) v0; instead of `scheme`"},
    {.name = "contact_law", .type = PL_KEY_WORD, .offset = AT(contact_law), .words = laws, .removed = "lagged",
     .remedy = "its friction did not converge to Coulomb's; use coulomb, or similar for Hunt-Crossley",
     .meaning = "law of contact and friction: the paper's convex cone, Coulomb's friction with the same compliance, or Hunt-Crossley with the convex friction (similar)"},
    {.name = "coulomb_strict", .type = PL_KEY_BOOL, .offset = AT(coulomb_strict),
     .meaning = "with contact_law coulomb: a step whose friction does not settle fails, instead of being counted"},
    {.name = "coupling", .type = PL_KEY_WORD, .offset = AT(coupling), .words = couplings,
     .meaning = "nonlinear materials in contact: linearised again until the coupled balance meets the tolerance, or once, at the start of the step"},
    {.name = "tolerance", .type = PL_KEY_NUMBER, .offset = AT(tolerance), .range = {1e-14, 1, false, true},
     .meaning = "relative residual that the contact problem must reach"},
    {.name = "free_tolerance", .type = PL_KEY_NUMBER, .offset = AT(free_tolerance), .range = {1e-14, 1, false, true},
     .meaning = "relative residual that nonlinear motion without contact must reach"},
    {.name = "max_iterations", .type = PL_KEY_INT, .offset = AT(max_iterations), .range = {1, 1e6, false, false},
     .meaning = "Newton iterations after which a step fails (it never goes on unconverged)"},
    {.name = "friction_sigma", .type = PL_KEY_NUMBER, .offset = AT(friction_sigma), .range = {0, 1, true, false},
     .meaning = "regularisation of friction"},
    {.name = "near_rigid", .type = PL_KEY_NUMBER, .offset = AT(near_rigid), .range = {0, 100, true, false},
     .meaning = "beta of the near-rigid regularisation of contact"},
    {.name = "gap_closing", .type = PL_KEY_NUMBER, .offset = AT(gap_closing), .range = {0, 1, true, false},
     .meaning = "part of a gap that may close in one step; below 1 what approaches is braked, and forces of rolling and sliding polyhedra are smoother"},
    {.name = "push_out_speed", .type = PL_KEY_NUMBER, .offset = AT(push_out_speed), .range = {0, INFINITY, true, false}, .unit = "m/s",
     .meaning = "at most, at which contacts, limits and constraints without a stiffness of their own take back what is violated when a step begins: an overlap at the start comes apart at this speed, whatever dt"},
    {.name = "push_out_turn", .type = PL_KEY_NUMBER, .offset = AT(push_out_turn), .range = {0, INFINITY, true, false}, .unit = "rad/s",
     .meaning = "the same of angles: limits of hinges, welds"},
    {.name = "contact_points", .type = PL_KEY_INT, .offset = AT(contact_points), .range = {0, 1000, false, false},
     .meaning = "a flat patch of more contact points than this is reduced to so many (at least 4), with its force, moment and area; 0: never"},
    {.name = "rigid_contact", .type = PL_KEY_WORD, .offset = AT(rigid_contact), .words = rigid_contacts,
     .meaning = "convex rigid shapes touch each other and half spaces with every corner of the patch they share, or with one point (GJK and EPA): fewer constraints, but no resistance to turning on the spot and little that keeps things upright"},
    {.name = "threads", .type = PL_KEY_INT, .offset = AT(threads), .range = {1, 1024, false, false},
     .meaning = "threads of the simulation; the result does not depend on it"},
};
// clang-format on
#undef AT

static void defaults(void* target) {
  *(plSceneOptions*)target = (plSceneOptions){.options = pl_default_options()};
}

// scheme gives both thetas; together they would contradict each other.
static plStatus finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  plSceneOptions* o = target;
  if (!pl_yaml_get(map, "scheme")) return PL_OK;
  for (int i = 0; i < 2; i++) {
    const char* theta = i ? "theta_vq" : "theta";
    if (pl_yaml_get(map, theta))
      return pl_scene_fail_key(scene, map, theta, "give either 'scheme' or 'theta' and 'theta_vq', not both");
  }
  plStatus status =
      pl_scheme_by_name(schemes[o->scheme].name, &o->options.theta, &o->options.theta_vq, scene->error);
  return pl_scene_locate(scene, map, status);
}

const plSection pl_section_options = {"options", keys,  sizeof keys / sizeof *keys, sizeof(plSceneOptions),
                                      defaults,  finish};
