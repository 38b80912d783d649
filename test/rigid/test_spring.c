// test_spring.c: springs of every kind of joint: kinetic and elastic energy are kept, and loads come to rest
// where the springs carry them.
#include "base/random.h"
#include "bodies.h"
#include "model/joint_kinds.h"

enum { KINDS = 7, MEMBERS = 6 };
static const plJointKind kinds[KINDS] = {PL_JOINT_REVOLUTE,  PL_JOINT_PRISMATIC, PL_JOINT_SCREW,
                                         PL_JOINT_UNIVERSAL, PL_JOINT_PLANAR,    PL_JOINT_BALL,
                                         PL_JOINT_FREE};

static plVec3 draw_vec(plRandom* r, double size) {
  double x = pl_random(r, -size, size);
  double y = pl_random(r, -size, size);
  double z = pl_random(r, -size, size);
  return (plVec3){x, y, z};
}

// Coordinates of the spring that are positions have a rest; turns of ball and free joints pull to zero.
static bool has_rest(plJointKind kind, int dof) {
  return kind != PL_JOINT_BALL && (kind != PL_JOINT_FREE || dof < 3);
}

// One body on a joint with a spring in each degree of freedom. damping: of the critical one, about.
static plData* make(plRandom* r, plJointKind kind, double damping, plVec3 gravity) {
  plSpec* spec = new_spec(damping > 0 ? "backward_euler" : "midpoint", damping > 0 ? 0.02 : 1e-3);
  pl_spec_options(spec)->gravity = gravity;
  double mass = pl_random(r, 0.2, 2);
  plVec3 com = kind == PL_JOINT_FREE ? (plVec3){0, 0, 0} : draw_vec(r, 0.1), moments;
  moments.x = pl_random(r, 0.02, 0.03), moments.y = pl_random(r, 0.02, 0.03);
  moments.z = pl_random(r, 0.02, 0.03);
  int body = add_body(spec, "body", mass, com, moments);
  plVec3 axis = v3_unit(draw_vec(r, 1));
  plJointDef def = joint("joint", kind, -1, body, draw_vec(r, 1), axis);
  def.axis2 = v3_unit(v3_cross(axis, draw_vec(r, 1))), def.pitch = 0.5, def.pose.q = quat_exp(draw_vec(r, 1));
  double turn = pl_random(r, 3, 8);  // of the three turns together: one torque towards zero
  for (int k = 0; k < pl_joint_nv(kind); k++) {
    double size = pl_joint_is_length(kind, k) ? mass : 0.03, rate = pl_random(r, 3, 8);
    if (!has_rest(kind, k)) rate = turn;
    def.dof[k].stiffness = size * rate * rate, def.dof[k].damping = damping * 2 * size * rate;
    if (has_rest(kind, k)) def.dof[k].rest = pl_random(r, -0.3, 0.3);
    def.velocity[k] = pl_random(r, -2, 2);
  }
  add_joint(spec, def);
  return start(spec);
}

static double energy(const plData* data) {
  plRigidTotals totals;
  pl_rigid_totals(data, &totals);
  return totals.kinetic_energy + totals.elastic_energy;
}

static void energy_is_kept(void) {
  plRandom r = {11};
  for (int k = 0; k < KINDS; k++) {
    double worst = 0;
    for (int i = 0; i < MEMBERS; i++) {
      plData* data = make(&r, kinds[k], 0, (plVec3){0, 0, 0});
      double first = energy(data);
      for (int n = 0; n < 500; n++) step(data), worst = fmax(worst, fabs(energy(data) / first - 1));
      finish(data);
    }
    printf("%s: energy kept to %.2g\n", pl_joint_kind_name(kinds[k]), worst);
    CHECK_NEAR(worst, 0, 1.9e-5);  // wide: the order of the scheme
  }
}

// A free body hangs in the springs of its three translations, a weight over stiffness from their rest.
static void free_bodies_hang(void) {
  plRandom r = {12};
  for (int i = 0; i < MEMBERS; i++) {
    plVec3 gravity = draw_vec(&r, 10);
    plData* data = make(&r, PL_JOINT_FREE, 0.7, gravity);
    run_to(data, 20);
    const plParameters* par = data->par;
    plRigidState state;
    CHECK(!pl_rigid_body_state(data, 0, &state));
    CHECK(v3_norm(state.velocity) < 1e-9 && v3_norm(state.angular_velocity) < 1e-9);
    CHECK_NEAR(fabs(data->q[3]), 1, 1e-12);
    double pull = 0, load = par->body_mass[0] * v3_norm(gravity);
    for (int k = 0; k < 3; k++) pull += pow(par->dof_stiffness[k] * (data->q[k] - par->dof_rest[k]), 2);
    CHECK_NEAR(sqrt(pull), load, 1e-9 * load);
    finish(data);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(energy_is_kept);
  RUN(free_bodies_hang);
  return CHECK_END;
}
