// Bodies in a turning drum. A step moves points along straight lines, so what turns with the drum sinks into
// its wall by r (omega dt)^2 / 2 in each step, and contact must take it out again, however fast the drum is.
#include "math/pose.h"
#include "math/random_vec3.h"
#include "world.h"

typedef enum Kind { SOFT, BOX, BALL, KINDS } Kind;

// A cube of walls about the z axis, driven at a speed that it reaches within the ramp.
typedef struct Drum {
  double inside, thick, omega, dt;  // m, m, rad/s, s
  Kind kind;
  double size;  // m, of the body in it
} Drum;

static const double RAMP = 0.2;  // s

static void add_walls(World* w, const Drum* d, int body) {
  for (int s = 0; s < 6; s++) {
    double all = d->inside + 2 * d->thick, at[3] = {0, 0, 0}, size[3] = {all, all, all};
    at[s / 2] = (s % 2 ? 0.5 : -0.5) * (d->inside + d->thick), size[s / 2] = d->thick;
    plShapeDef wall = pl_default_shape_def();
    char name[16];
    snprintf(name, sizeof name, "wall%d", s);
    wall.name = name, wall.body = body, wall.kind = PL_SHAPE_BOX, wall.size = v3_load(size);
    wall.pose.p = v3_load(at), wall.surface.friction = 0.5;
    CHECK_INT(pl_spec_add_shape(w->spec, &wall, NULL, &w->error), PL_OK);
  }
}

static World make_drum(const Drum* d, plContactLaw law) {
  World w = begin(v3(0, -9.81, 0), d->dt);
  pl_spec_options(w.spec)->contact_law = law;
  plBodyDef drum = pl_default_body_def();
  int body, joint;
  drum.name = "drum", drum.mass = 1, drum.inertia[0] = drum.inertia[1] = drum.inertia[2] = 0.01;
  CHECK_INT(pl_spec_add_body(w.spec, &drum, &body, &w.error), PL_OK);
  plJointDef axle = pl_default_joint_def();
  axle.name = "axle", axle.child = body;
  CHECK_INT(pl_spec_add_joint(w.spec, &axle, &joint, &w.error), PL_OK);
  double time[3] = {0, RAMP, 100}, angle[3] = {0, 0.5 * RAMP * d->omega, (100 - 0.5 * RAMP) * d->omega};
  plConstraintDef drive = pl_default_constraint_def();
  drive.name = "drive", drive.kind = PL_CONSTRAINT_MOTION, drive.a = joint;
  drive.time = time, drive.value = angle, drive.ntime = 3;
  CHECK_INT(pl_spec_add_constraint(w.spec, &drive, NULL, &w.error), PL_OK);
  add_walls(&w, d, body);
  plPose pose = pose_at(0.5 * (d->inside - d->size) - 0.1 * d->size, 0, 0);
  if (d->kind == SOFT) {
    (void)add_block(&w, v3(d->size, d->size, d->size), 2, 2, 2, pose, 1e5);
  } else {
    plShapeDef g = pl_default_shape_def();
    double mass = 1000 * d->size * d->size * d->size;
    g.kind = d->kind == BOX ? PL_SHAPE_BOX : PL_SHAPE_SPHERE, g.size = v3(d->size, d->size, d->size);
    g.radius = 0.5 * d->size, g.surface.friction = 0.5;
    add_body(&w, "body", g, pose, v3(0, 0, 0), mass, mass * d->size * d->size / 6);
  }
  build(&w);
  return w;
}

static double beyond(const Drum* d, plPose drum, plVec3 x) {
  plVec3 y = pose_apply_inverse(drum, x);
  return fmax(fabs(y.x), fmax(fabs(y.y), fabs(y.z))) - 0.5 * d->inside;
}

// How far the body is beyond the inner side of the walls (m).
static double depth_of(const Drum* d, const World* w) {
  plRigidState drum, body;
  pl_rigid_body_state(w->data, 0, &drum);
  double deep = -INFINITY;
  for (int v = 0; d->kind == SOFT && v < w->model->nvert; v++)
    deep = fmax(deep, beyond(d, drum.pose, v3_load(w->data->q + w->model->deform_q0[0] + 3 * v)));
  if (d->kind == SOFT) return deep;
  pl_rigid_body_state(w->data, 1, &body);
  double h = 0.5 * d->size;
  for (int k = 0; d->kind == BOX && k < 8; k++)
    deep = fmax(deep, beyond(d, drum.pose,
                             pose_apply(body.pose, v3(k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h))));
  return d->kind == BOX ? deep : beyond(d, drum.pose, body.pose.p) + h;
}

// Drums that turn by 0.02 to 0.25 rad a step. In half thicknesses of the wall.
static void nothing_leaves_a_turning_drum(void) {
  plRandom r = {61};
  double worst[KINDS] = {0};
  for (int trial = 0; trial < CHECK_MEMBERS(60); trial++) {
    Drum d = {.kind = (Kind)(trial % KINDS)};
    d.inside = pl_random(&r, 0.15, 0.3), d.dt = pl_random(&r, 0.005, 0.02);
    d.thick = d.inside * pl_random(&r, 0.015, 0.06), d.size = d.inside * pl_random(&r, 0.15, 0.35);
    d.omega = pl_random(&r, 0.02, 0.25) / d.dt;
    World w = make_drum(&d, trial / KINDS % 2 ? PL_LAW_CONE : PL_LAW_COULOMB);
    for (int i = 0; i < (int)(1.5 / d.dt); i++) {
      run(&w, 1);
      worst[d.kind] = fmax(worst[d.kind], depth_of(&d, &w) / (0.5 * d.thick));
    }
    end(&w);
  }
  printf("  deepest, in half thicknesses of the wall: soft %.3g, box %.3g, ball %.3g\n", worst[SOFT],
         worst[BOX], worst[BALL]);
  CHECK_BELOW(worst[SOFT], 1, 1);
  CHECK_BELOW(worst[BOX], 0.4, 1);
  CHECK_BELOW(worst[BALL], 0.4, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(nothing_leaves_a_turning_drum);
  return CHECK_END;
}
