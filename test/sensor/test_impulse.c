// test_impulse.c: forces that sensors read, times the length of each step, add up to the change of momentum,
// also where steps are taken in parts or under error control.
#include "base/random.h"
#include "pliant/pliant.h"
#include "world.h"

enum { MEMBERS = 36, STEPS = 40 };
static const double DT = 0.01, MASS = 0.3;

static void add_sensor(World* w, const char* name, plSensorKind kind, const char* on, const char* other) {
  plSensorDef def = pl_default_sensor_def();
  def.name = name, def.kind = kind, def.on = on, def.other = other;
  if (kind == PL_SENSOR_TAXELS) def.size[0] = def.size[1] = 50, def.cells[0] = def.cells[1] = 3;
  CHECK_INT(pl_spec_add_sensor(w->spec, &def, NULL, &w->error), PL_OK);
}

// A body on a vertical slider falls on a thin plate, and a soft or rigid one beside it on the ground.
static World make(plRandom* r, int i) {
  World w = begin((plVec3){0, 0, -9.81}, DT);
  plOptions* o = pl_spec_options(w.spec);
  static const double theta[] = {1, 0.5, 0.7, 0.6};
  o->theta = o->theta_vq = theta[i % 4], o->tolerance = 1e-9;
  if (i % 4 == 3) o->theta_vq = 1;
  o->accuracy = i / 4 % 3 == 0 ? 0 : i / 4 % 3 == 1 ? 1e-3 : 1e-4;
  plSurface surface = pl_default_surface();
  surface.relaxation_time = pl_random(r, 0, 0.05);
  plShapeDef ball = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.03, ball.name = "ball", ball.surface = surface;
  plBodyDef body = pl_default_body_def();
  body.name = "rod", body.mass = MASS, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e-4;
  CHECK_INT(pl_spec_add_body(w.spec, &body, &ball.body, &w.error), PL_OK);
  plJointDef joint = pl_default_joint_def();
  joint.name = "slider", joint.kind = PL_JOINT_PRISMATIC, joint.child = ball.body;
  joint.pose.p.z = pl_random(r, 0.05, 0.3), joint.velocity[0] = pl_random(r, -40, 0);
  CHECK_INT(pl_spec_add_joint(w.spec, &joint, NULL, &w.error), PL_OK);
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "motor", motor.joint = 0, motor.kind = PL_ACTUATOR_POSITION, motor.kp = 20, motor.kd = 1;
  motor.effort = 2;
  CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
  CHECK_INT(pl_spec_add_shape(w.spec, &ball, NULL, &w.error), PL_OK);
  add_shape(&w, "plate", PL_SHAPE_BOX, (plVec3){0.2, 0.2, 0.004}, (plVec3){0, 0, 0}, surface);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, -0.1}, surface);
  plShapeDef capsule = pl_default_shape_def();
  capsule.kind = PL_SHAPE_CAPSULE, capsule.radius = 0.02, capsule.length = 0.06;
  plBodyDef top = pl_default_body_def();
  top.name = "top", top.mass = MASS, top.pose = pose_at(2, 0, pl_random(r, -0.05, 0.2));
  top.inertia[0] = top.inertia[1] = 2e-4, top.inertia[2] = 5e-5;
  top.angular_velocity = (plVec3){pl_random(r, 0, 3000), 20, 50}, top.velocity.z = -2;
  CHECK_INT(pl_spec_add_body(w.spec, &top, &capsule.body, &w.error), PL_OK);
  capsule.name = "top";
  CHECK_INT(pl_spec_add_shape(w.spec, &capsule, NULL, &w.error), PL_OK);
  plMesh* mesh;
  CHECK_INT(pl_mesh_box_cells((plVec3){0.06, 0.06, 0.06}, 2, 2, 2, &mesh, &w.error), PL_OK);
  plDeformableDef block = pl_default_deformable_def();
  block.name = "block", block.mesh = mesh, block.pose = pose_at(1, 0, pl_random(r, 0, 0.2));
  block.material.kind = PL_MATERIAL_NEO_HOOKEAN, block.material.young = pow(10, pl_random(r, 3.5, 5));
  block.velocity.z = pl_random(r, -20, 0), block.angular_velocity = (plVec3){pl_random(r, 0, 50), 10, 0};
  CHECK_INT(pl_spec_add_deformable(w.spec, &block, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  add_sensor(&w, "plate", PL_SENSOR_CONTACT, "plate", "rod");
  add_sensor(&w, "taxels", PL_SENSOR_TAXELS, "ground", NULL);
  add_sensor(&w, "touch", PL_SENSOR_TOUCH, "rod", NULL);
  add_sensor(&w, "force", PL_SENSOR_FORCE, "rod", NULL);
  add_sensor(&w, "acceleration", PL_SENSOR_ACCELEROMETER, "rod", NULL);
  add_sensor(&w, "motor", PL_SENSOR_ACTUATOR_FORCE, "motor", NULL);
  add_sensor(&w, "effort", PL_SENSOR_JOINT_EFFORT, "slider", NULL);
  add_sensor(&w, "top", PL_SENSOR_TOUCH, "top", NULL);
  build(&w);
  return w;
}

static double block_momentum(const plData* data) {
  plBodyState state;
  CHECK_INT(pl_deformable_state(data, 0, &state), PL_OK);
  return state.momentum.z;
}

static void forces_times_steps_are_momentum(void) {
  plRandom r = {5};
  double worst = 0;
  int parts = 0, inner = 0;
  for (int i = 0; i < MEMBERS; i++) {
    World w = make(&r, i);
    double p0 = MASS * w.data->v[0], b0 = block_momentum(w.data),
           weight = pl_deformable_mass(w.data, 0) * 9.81;
    double plate = 0, touch = 0, force = 0, taxels = 0, speed = 0, motor = 0, effort = 0, top = 0, size = 0;
    for (int step = 0; step < STEPS; step++) {
      run(&w, 1);
      double read[54];
      parts += w.data->report.parts > 1 && w.data->report.inner == 0, inner += w.data->report.inner > 1;
      pl_sensor_read(w.data, 0, read), plate += read[2] * DT;
      pl_sensor_read(w.data, 1, read);
      for (int k = 0; k < 9; k++) taxels += read[6 * k] * DT;
      pl_sensor_read(w.data, 2, read), touch += read[0] * DT;
      pl_sensor_read(w.data, 3, read), force += read[2] * DT;
      pl_sensor_read(w.data, 4, read), speed += read[2] * DT;
      pl_sensor_read(w.data, 5, read), motor += read[0] * DT;
      pl_sensor_read(w.data, 7, read), top += read[0] * DT;
      pl_sensor_read(w.data, 6, read), effort += read[0] * DT;
      double measured;
      CHECK_INT(pl_sensor_measure(w.data, 6, &measured), PL_OK);
      CHECK_ROUND(measured, read[0], 3);
    }
    double p = MASS * w.data->v[0] - p0 + MASS * 9.81 * STEPS * DT;  // given by plate and motor
    double b = block_momentum(w.data) - b0 + weight * STEPS * DT;
    plRigidState state;
    CHECK_INT(pl_rigid_body_state(w.data, 1, &state), PL_OK);
    double t = state.momentum.z - MASS * (-2 - 9.81 * STEPS * DT);
    size = MASS * 9.81 * STEPS * DT + fabs(plate) + fabs(taxels);
    const double error[] = {plate + motor - p, touch - plate,  force - motor, MASS * speed - p,
                            taxels - b - t,    effort - motor, top - t};
    for (int k = 0; k < 7; k++) worst = fmax(worst, fabs(error[k]) / size);
    end(&w);
  }
  printf(
      "%d falls, %d steps in parts and %d with several inner steps: momentum off by %.2g of what forces "
      "gave\n",
      MEMBERS, parts, inner, worst);
  CHECK(parts > 10 && inner > 100);
  CHECK_NEAR(worst, 0, 1.5e-8);  // wide: the tolerance of the solve
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(forces_times_steps_are_momentum);
  return CHECK_END;
}
