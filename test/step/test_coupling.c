// Nonlinear materials in contact: the momentum balance itself is met, not only its linearisation.
#include "check.h"

#include "base/random.h"
#include "math/random_vec3.h"
#include "math/vec3.h"
#include "scenes.h"

static const plMaterialKind kinds[] = {PL_MATERIAL_NEO_HOOKEAN, PL_MATERIAL_COROTATED,
                                       PL_MATERIAL_SAINT_VENANT_KIRCHHOFF, PL_MATERIAL_MOONEY_RIVLIN};

static const plModel* falling_block(plMaterialKind kind, plCoupling coupling) {
  plError error;
  plOptions options = pl_default_options();
  options.coupling = coupling;
  plSpec* spec = pl_spec_create();
  *pl_spec_options(spec) = options;
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 3, 3, 3);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.pose.p.z = 0.056, def.velocity.z = -1.5, def.velocity.x = 0.5;
  def.material.kind = kind, def.material.young = 2e4;
  if (kind == PL_MATERIAL_MOONEY_RIVLIN)
    def.material.c1 = 2e3, def.material.c2 = 1e3, def.material.bulk = 3e4;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  return model;
}

// Change of momentum = impulse of weight and contact, whatever happens inside: Newton's third law makes the
// elastic forces vanish in the sum, so this checks forces and velocities of the step without the solver's own
// residual.
static void momentum_follows_the_forces(void) {
  for (int k = 0; k < 4; k++) {
    plError error;
    const plModel* model = falling_block(kinds[k], PL_COUPLING_CONVERGED);
    plData* data = pl_data_create(model, &error);
    plBodyState before, after;
    int touched = 0, rounds = 0;
    double worst = 0;
    for (int i = 0; i < 60; i++) {
      pl_deformable_state(data, 0, &before);
      plStatus status = pl_step(data, &error);
      CHECK_INT(status, PL_OK);
      if (status) {
        printf("%s: step %d: %s\n", pl_material_name(kinds[k]), i, error.message);
        break;
      }
      pl_deformable_state(data, 0, &after);
      double fz = 0, fx = 0;
      for (int c = 0; c < data->ncontact; c++) fz -= data->contact[c].force.z, fx -= data->contact[c].force.x;
      touched += data->ncontact > 0;
      rounds += data->report.couplings;
      worst =
          fmax(worst, fabs((after.momentum.z - before.momentum.z) / 0.01 - (fz - 9.81)) / (fabs(fz) + 9.81));
      worst = fmax(worst, fabs((after.momentum.x - before.momentum.x) / 0.01 - fx) / (fabs(fz) + 9.81));
      if (data->ncontact) CHECK_BELOW(data->report.coupled_residual, 1e-6, 1);
    }
    CHECK(touched > 10);
    CHECK(rounds > 0);
    CHECK_BELOW(worst, 1.5e-14, 1);
    printf("%s: %d steps in contact, %d linearisations, balance to %.1e\n", pl_material_name(kinds[k]),
           touched, rounds, worst);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

// The paper's way linearises once: no rounds, and a balance that is worse by orders of magnitude in the
// impact.
static void once_is_the_papers_way(void) {
  plError error;
  const plModel* model = falling_block(PL_MATERIAL_NEO_HOOKEAN, PL_COUPLING_ONCE);
  plData* data = pl_data_create(model, &error);
  double difference = 0;
  const plModel* exact = falling_block(PL_MATERIAL_NEO_HOOKEAN, PL_COUPLING_CONVERGED);
  plData* other = pl_data_create(exact, &error);
  for (int i = 0; i < 20; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    CHECK_INT(pl_step(other, &error), PL_OK);
    CHECK_INT(data->report.couplings, 0);
    for (int j = 0; j < model->nv; j++) difference = fmax(difference, fabs(data->v[j] - other->v[j]));
  }
  CHECK(difference > 1e-4);
  pl_data_destroy(data), pl_model_destroy(model);
  pl_data_destroy(other), pl_model_destroy(exact);
}

// A stiff block that turns several times in a step between the ground and a fast ball. Its first guess is
// strained many times over, and the way from there leads past saddles of the energy, where its differences
// are lost in its rounding long before the forces are in balance.
static const plModel* spinning_block(plRandom* r, int k) {
  plError error;
  plOptions options = pl_default_options();
  options.dt = exp(pl_random(r, log(0.01), log(0.03)));
  plSpec* spec = pl_spec_create();
  *pl_spec_options(spec) = options;
  double size = 0.02, z = pl_random(r, 0.015, 0.02), rate = pl_random(r, 2, 15) / options.dt,
         down = -pl_random(r, 5, 40);
  plMesh* mesh = box_mesh((plVec3){size, 0.7 * size, 0.6 * size}, 1 + k % 2, 1, 1);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.pose.p.z = z, def.velocity.z = down, def.self_contact = false;
  plVec3 axis;
  axis.x = pl_random(r, -1, 1), axis.y = pl_random(r, -1, 1), axis.z = pl_random(r, -1, 1);
  def.angular_velocity = v3_scale(rate / v3_norm(axis), axis);
  def.material.kind = kinds[k % 4], def.material.young = exp(pl_random(r, log(1e7), log(2e8)));
  def.material.density = pl_random(r, 150, 3000), def.material.poisson = 0.35;
  def.material.element = k % 2 ? PL_ELEMENT_TET4 : PL_ELEMENT_TET10;
  def.material.damping_mass = def.material.damping_stiffness = 0;
  if (def.material.kind == PL_MATERIAL_MOONEY_RIVLIN)
    def.material.c1 = 0.12 * def.material.young, def.material.c2 = 0.05 * def.material.young,
    def.material.bulk = def.material.young;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
  plBodyDef ball = pl_default_body_def();
  ball.name = "ball", ball.mass = exp(pl_random(r, log(1e-3), log(0.1)));
  ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 0.4 * ball.mass * 1e-4, ball.pose.p.z = z + 0.03,
  ball.velocity.z = -50;
  int id;
  CHECK_INT(pl_spec_add_body(spec, &ball, &id, &error), PL_OK);
  plShapeDef sphere = pl_default_shape_def();
  sphere.name = "sphere", sphere.kind = PL_SHAPE_SPHERE, sphere.radius = 0.01, sphere.body = id;
  CHECK_INT(pl_spec_add_shape(spec, &sphere, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  return model;
}

static void bodies_that_turn_many_times_converge(void) {
  plRandom r = {5};
  for (int k = 0; k < CHECK_MEMBERS(12); k++) {
    plError error;
    const plModel* model = spinning_block(&r, k);
    plData* data = pl_data_create(model, &error);
    plStatus status = pl_step(data, &error);
    CHECK(status != PL_ERROR_NOT_CONVERGED);
    if (status) printf("member %d: %s\n", k, error.message);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

// A chain of light links that a stiff, fast block throws about. Its joints turn far, and each linearisation
// of the block leads to another motion of the chain.
static const plModel* chain_that_is_hit(plRandom* r, int k) {
  plError error;
  plSpec* spec = pl_spec_create();
  plOptions* o = pl_spec_options(spec);
  o->dt = exp(pl_random(r, log(0.002), log(0.02))), o->gravity = (plVec3){0, 0, 0};
  o->theta = o->theta_vq = k % 2 ? 0.5 : 1, o->contact_law = k % 4 < 2 ? PL_LAW_CONE : PL_LAW_SIMILAR;
  double length = 0.012, radius = 0.005;
  int parent = -1;
  for (int i = 0; i < 4; i++) {
    plBodyDef link = pl_default_body_def();
    plJointDef joint = pl_default_joint_def();
    char name[3][32];
    snprintf(name[0], sizeof name[0], "link%d", i), snprintf(name[1], sizeof name[1], "shape%d", i);
    snprintf(name[2], sizeof name[2], "joint%d", i);
    link.name = name[0], link.mass = exp(pl_random(r, log(0.001), log(0.02)));
    for (int j = 0; j < 3; j++) link.inertia[j] = 0.4 * link.mass * radius * radius;
    joint.name = name[2], joint.kind = k % 3 ? PL_JOINT_PLANAR : PL_JOINT_BALL, joint.parent = parent;
    joint.pose.p.x = i ? length : 0, joint.axis = v3(i % 2, 1 - i % 2, 0), joint.axis2 = v3(0, 0, 1);
    CHECK_INT(pl_spec_add_body(spec, &link, &parent, &error), PL_OK);
    joint.child = parent;
    CHECK_INT(pl_spec_add_joint(spec, &joint, NULL, &error), PL_OK);
    plShapeDef shape = pl_default_shape_def();
    shape.name = name[1], shape.kind = PL_SHAPE_SPHERE, shape.radius = radius, shape.body = parent;
    CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  }
  plMesh* mesh = box_mesh((plVec3){0.02, 0.02, 0.02}, 1, 1, 1);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.pose.p = v3(pl_random(r, 0, 0.03), 0, 0.016);
  def.velocity.x = pl_random(r, -5, 5), def.velocity.y = pl_random(r, -5, 5);
  def.velocity.z = -pl_random(r, 10, 40);
  def.angular_velocity = v3_random(r, -40, 40);
  def.material.kind = kinds[k % 3], def.material.young = exp(pl_random(r, log(1e8), log(1e11)));
  def.material.density = pl_random(r, 1000, 6000), def.material.poisson = 0.2;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  return model;
}

// A step converges, or returns a status and leaves the state as it was.
static void chains_that_are_hit_step_or_say_so(void) {
  plRandom r = {17};
  int failures = 0, steps = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    plError error;
    const plModel* model = chain_that_is_hit(&r, k);
    plData* data = pl_data_create(model, &error);
    for (int i = 0; i < 8; i++) {
      uint64_t before = pl_state_hash(data);
      steps++;
      if (!pl_step(data, &error)) continue;
      failures++;
      CHECK(pl_state_hash(data) == before);
      break;
    }
    pl_data_destroy(data), pl_model_destroy(model);
  }
  printf("  %d of %d steps end in a status\n", failures, steps);
  CHECK(failures <= steps / 20);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(momentum_follows_the_forces);
  RUN(once_is_the_papers_way);
  RUN(bodies_that_turn_many_times_converge);
  RUN(chains_that_are_hit_step_or_say_so);
  return CHECK_END;
}
