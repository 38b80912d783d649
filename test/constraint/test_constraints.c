// Joints, actuators, constraints and attachments in the convex problem, against closed forms.
#include "check.h"

#include "base/random.h"
#include "math/vec3.h"
#include "model/work.h"
#include "world.h"

// A body of 2 kg on a joint along or about `axis`, at the origin.
static int add_jointed(World* w, const char* name, plJointKind kind, plVec3 axis, plPose pose, plDofDef dof,
                       int parent) {
  plBodyDef body = pl_default_body_def();
  body.name = name, body.mass = 2;
  for (int k = 0; k < 3; k++) body.inertia[k] = 0.1;
  int id, joint;
  CHECK_INT(pl_spec_add_body(w->spec, &body, &id, &w->error), PL_OK);
  plJointDef def = pl_default_joint_def();
  def.name = name, def.kind = kind, def.axis = axis, def.child = id, def.parent = parent, def.pose = pose,
  def.dof[0] = dof;
  CHECK_INT(pl_spec_add_joint(w->spec, &def, &joint, &w->error), PL_OK);
  return id;
}

static plDofDef plain_dof(void) { return pl_default_joint_def().dof[0]; }
static const plPose origin = {{0, 0, 0}, {1, 0, 0, 0}};
static const plVec3 down = {0, 0, -9.81}, still = {0, 0, 0}, z_axis = {0, 0, 1}, y_axis = {0, 1, 0};

static void a_limit_stops_a_falling_slider(void) {
  World w = begin(down, 0.01);
  plDofDef dof = plain_dof();
  dof.lower = -0.2, dof.upper = 1;
  add_jointed(&w, "slider", PL_JOINT_PRISMATIC, z_axis, origin, dof, -1);
  build(&w);
  for (int i = 0; i < 200; i++) {
    run(&w, 1);
    CHECK_BELOW(-0.2 - w.data->q[0], 1.3e-5, 1);
  }
  CHECK_NEAR(w.data->q[0], -0.2, 1.4e-6);
  CHECK_ROUND(w.data->v[0], 0, 0.1);
  end(&w);
}

// A PD motor that may push with 30 N at most lifts 2 kg with (30 - m g)/m while it is saturated, and holds it
// afterwards.
static void an_actuator_keeps_its_effort_limit(void) {
  World w = begin(down, 0.01);
  add_jointed(&w, "slider", PL_JOINT_PRISMATIC, z_axis, origin, plain_dof(), -1);
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "motor", motor.kind = PL_ACTUATOR_POSITION, motor.joint = 0, motor.kp = 1e4, motor.kd = 200,
  motor.effort = 30;
  motor.has_input = true, motor.input[0] = 1;
  CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 20);
  CHECK_NEAR(w.data->v[0], (30.0 / 2 - 9.81) * 0.2, 1.4e-14);
  run(&w, 480);
  CHECK_NEAR(w.data->q[0], 1 - 2 * 9.81 / 1e4, 5.3e-9);
  end(&w);
}

// The same motor without a limit acts inside A; where the limit never bites both give the same motion.
static void a_loose_limit_changes_nothing(void) {
  double q[2];
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.01);
    pl_spec_options(w.spec)->tolerance = 1e-12;
    add_jointed(&w, "slider", PL_JOINT_PRISMATIC, z_axis, origin, plain_dof(), -1);
    plActuatorDef motor = pl_default_actuator_def();
    motor.name = "motor", motor.kind = PL_ACTUATOR_POSITION, motor.joint = 0, motor.kp = 100, motor.kd = 20,
    motor.effort = k ? 1e6 : INFINITY;
    motor.has_input = true, motor.input[0] = 0.3;
    CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
    build(&w);
    run(&w, 50);
    CHECK_INT(w.data->report.constraints, k);
    q[k] = w.data->q[0];
    end(&w);
  }
  CHECK_NEAR(q[0], q[1], 1.4e-15);
}

// Dry friction of 5 N: a push of 4 N does not move 2 kg, a push of 9 N accelerates them by 2 m/s^2.
static void dry_friction_holds_and_slides(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(still, 0.01);
    plDofDef dof = plain_dof();
    dof.friction = 5;
    add_jointed(&w, "slider", PL_JOINT_PRISMATIC, z_axis, origin, dof, -1);
    build(&w);
    w.data->f_user[0] = k ? 9 : 4;
    run(&w, 50);
    if (k)
      CHECK_NEAR(w.data->v[0], 2.0 * 0.5, 1.4e-14);
    else
      CHECK_NEAR(w.data->v[0], 0, 6e-5);
    end(&w);
  }
}

static void a_coupler_ties_two_sliders(void) {
  World w = begin(still, 0.01);
  add_jointed(&w, "one", PL_JOINT_PRISMATIC, z_axis, origin, plain_dof(), -1);
  add_jointed(&w, "two", PL_JOINT_PRISMATIC, y_axis, origin, plain_dof(), -1);
  plConstraintDef def = pl_default_constraint_def();
  def.name = "mimic", def.kind = PL_CONSTRAINT_COUPLER, def.a = 1, def.b = 0, def.ratio = -0.5,
  def.offset = 0.1;
  CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  w.data->f_user[0] = 5;
  run(&w, 150);  // it starts 0.1 m off, which takes a second to make good
  CHECK_NEAR(w.data->q[1], -0.5 * w.data->q[0] + 0.1, 1.8e-7);
  // Effective mass 2 + 0.25 * 2.
  CHECK_NEAR(w.data->v[0], 5 / 2.5 * 1.5, 8.5e-13);
  end(&w);
}

// A free body on a ball joint in the world is a pendulum: its point stays, its swing has the period of the
// closed form (small angles).
static void a_ball_constraint_makes_a_pendulum(void) {
  World w = begin(down, 0.002);
  plBodyDef body = pl_default_body_def();
  body.name = "bob", body.mass = 1, body.pose.p = (plVec3){0.05, 0, -1};
  for (int k = 0; k < 3; k++) body.inertia[k] = 0.01;
  CHECK_INT(pl_spec_add_body(w.spec, &body, NULL, &w.error), PL_OK);
  plConstraintDef def = pl_default_constraint_def();
  def.name = "pin", def.kind = PL_CONSTRAINT_BALL, def.a = -1, def.b = 0,
  def.pose_b.p = (plVec3){-0.05, 0, 1};
  CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  double r2 = 1 + 0.05 * 0.05, period = 2 * M_PI * sqrt((r2 + 0.01) / (9.81 * sqrt(r2))), last = 0.05,
         crossing = 0;
  int crossings = 0;
  for (int i = 0; i < 3000 && crossings < 3; i++) {
    run(&w, 1);
    double x = w.data->q[0];
    if (x * last < 0 && ++crossings == 1)
      crossing = w.data->time;
    else if (x * last < 0 && crossings == 3)
      CHECK_NEAR(w.data->time - crossing, period, 0.001 * period);
    last = x;
    plQuat q = {w.data->q[3], w.data->q[4], w.data->q[5], w.data->q[6]};
    plVec3 arm = {-0.05, 0, 1};
    double px =
        w.data->q[0] + (1 - 2 * (q.y * q.y + q.z * q.z)) * arm.x + 2 * (q.x * q.z + q.w * q.y) * arm.z;
    CHECK_NEAR(px, 0, 1.4e-7);
  }
  CHECK_INT(crossings, 3);
  end(&w);
}

// Two free bodies welded together, one pushed: they move as one, and the weld can be switched off.
static void a_weld_carries_and_lets_go(void) {
  World w = begin(still, 0.01);
  for (int k = 0; k < 2; k++) {
    plBodyDef body = pl_default_body_def();
    body.name = k ? "right" : "left", body.mass = 1, body.pose.p.x = k ? 0.5 : -0.5;
    for (int i = 0; i < 3; i++) body.inertia[i] = 0.05;
    CHECK_INT(pl_spec_add_body(w.spec, &body, NULL, &w.error), PL_OK);
  }
  plConstraintDef def = pl_default_constraint_def();
  def.name = "weld", def.kind = PL_CONSTRAINT_WELD, def.a = 0, def.b = 1, def.pose_a.p.x = 0.5,
  def.pose_b.p.x = -0.5;
  CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  w.data->f_user[1] = 1;  // left body, along y: the pair accelerates and turns
  run(&w, 10);
  CHECK_NEAR(w.data->v[1] + w.data->v[7], 0.1, 4.5e-15);    // momentum
  double moment = -0.5 * 0.1, inertia = 2 * (0.05 + 0.25);  // about the middle
  CHECK_NEAR(w.data->v[5], moment / inertia, 5.9e-7);
  CHECK_NEAR(w.data->v[11], w.data->v[5], 1.1e-15);
  CHECK_INT(pl_switch_set(w.data, PL_SWITCH_CONSTRAINT, 0, false, &w.error), PL_OK);
  double before = w.data->v[7];
  run(&w, 10);
  CHECK_NEAR(w.data->v[7], before, 1.1e-16);
  CHECK_INT(pl_switch_set(w.data, PL_SWITCH_CONSTRAINT, 5, true, &w.error), PL_ERROR_INPUT);
  end(&w);
}

// The sag of a weld depends on g dt^2 alone, however small the body: its angles and lengths have different
// units, and the mobility of one does not soften the other.
static void a_weld_holds_bodies_of_any_size(void) {
  double worst = 0;
  for (double size = 1e-4; size < 20; size *= 10) {
    World w = begin(down, 0.01);
    plBodyDef body = pl_default_body_def();
    plConstraintDef weld = pl_default_constraint_def();
    int id;
    body.name = "b", body.mass = 0.3;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.1 * body.mass * size * size;
    CHECK_INT(pl_spec_add_body(w.spec, &body, &id, &w.error), PL_OK);
    weld.name = "w", weld.kind = PL_CONSTRAINT_WELD, weld.a = id, weld.b = -1;
    CHECK_INT(pl_spec_add_constraint(w.spec, &weld, NULL, &w.error), PL_OK);
    build(&w);
    run(&w, 40);
    plRigidState s;
    CHECK_INT(pl_rigid_body_state(w.data, id, &s), PL_OK);
    worst = fmax(worst, v3_norm(s.pose.p) / (9.81 * 0.01 * 0.01));
    end(&w);
  }
  CHECK_NEAR(worst, 0, 8.8e-4);
}

// A body that joints let slide, or turn, but not both.
static void a_weld_holds_what_moves_one_way(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.01);
    plConstraintDef weld = pl_default_constraint_def();
    int id = add_jointed(&w, "b", k ? PL_JOINT_REVOLUTE : PL_JOINT_PRISMATIC, k ? y_axis : z_axis, origin,
                         plain_dof(), -1);
    weld.name = "w", weld.kind = PL_CONSTRAINT_WELD, weld.a = id, weld.b = -1;
    CHECK_INT(pl_spec_add_constraint(w.spec, &weld, NULL, &w.error), PL_OK);
    build(&w);
    run(&w, 40);
    CHECK_NEAR(w.data->q[0], 0, 5.1e-4 * 9.81 * 0.01 * 0.01);
    end(&w);
  }
}

static void a_distance_is_kept(void) {
  World w = begin(down, 0.005);
  plBodyDef body = pl_default_body_def();
  body.name = "bob", body.mass = 1, body.pose.p = (plVec3){1, 0, 0};
  for (int k = 0; k < 3; k++) body.inertia[k] = 0.01;
  CHECK_INT(pl_spec_add_body(w.spec, &body, NULL, &w.error), PL_OK);
  plConstraintDef def = pl_default_constraint_def();
  def.name = "rod", def.kind = PL_CONSTRAINT_DISTANCE, def.a = -1, def.b = 0, def.length = 1;
  CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  for (int i = 0; i < 200; i++) {
    run(&w, 1);
    CHECK_NEAR(sqrt(w.data->q[0] * w.data->q[0] + w.data->q[1] * w.data->q[1] + w.data->q[2] * w.data->q[2]),
               1, 0.0012);
  }
  end(&w);
}

// A tendon q0 + q1 <= 0.3: two sliders are pulled out until it is taut.
static void a_tendon_becomes_taut(void) {
  World w = begin(still, 0.01);
  add_jointed(&w, "one", PL_JOINT_PRISMATIC, z_axis, origin, plain_dof(), -1);
  add_jointed(&w, "two", PL_JOINT_PRISMATIC, y_axis, origin, plain_dof(), -1);
  int joints[] = {0, 1};
  double coefficients[] = {1, 1};
  plConstraintDef def = pl_default_constraint_def();
  def.name = "tendon", def.kind = PL_CONSTRAINT_TENDON, def.njoint = 2, def.joint = joints,
  def.coefficient = coefficients, def.upper = 0.3;
  CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  w.data->f_user[0] = w.data->f_user[1] = 2;
  run(&w, 300);
  CHECK_NEAR(w.data->q[0] + w.data->q[1], 0.3, 3e-7);
  end(&w);
}

// ---- attachments

// A soft block hung on a rigid slider by its top; nx cells across.
static World hanging_block(int cells) {
  World w = begin(down, 0.01);
  plDofDef dof = plain_dof();
  int body =
      add_jointed(&w, "hook", PL_JOINT_PRISMATIC, z_axis, (plPose){{0, 0, 1.05}, {1, 0, 0, 0}}, dof, -1);
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, cells, cells, cells);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.pose.p.z = 1, def.material.damping_stiffness = 0.05;
  int id;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, &id, &w.error), PL_OK);
  plAttachDef attach = pl_default_attach_def();
  attach.name = "glue", attach.deformable = id, attach.body = body;
  attach.region.kind = PL_REGION_HALF_SPACE, attach.region.centre.z = 0.0499,
  attach.region.normal = (plVec3){0, 0, -1};
  CHECK_INT(pl_spec_add_attachment(w.spec, &attach, NULL, &w.error), PL_OK);
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "motor", motor.kind = PL_ACTUATOR_POSITION, motor.joint = 0, motor.kp = 1e4, motor.kd = 400;
  CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
  build(&w);
  pl_mesh_destroy(mesh);
  return w;
}

// At rest the motor carries both masses: 3 kg on 1e4 N/m.
static void an_attached_block_hangs_from_its_body(void) {
  World w = hanging_block(3);
  CHECK_INT(w.data->attach[0].nvert, 16);
  run(&w, 400);
  CHECK_NEAR(w.data->q[0], -3 * 9.81 / 1e4, 3.8e-13);
  plBodyState state;
  pl_deformable_state(w.data, 0, &state);
  CHECK(state.com.z < 1 && state.com.z > 0.99);
  CHECK_NEAR(state.upper.z, 1.05 + w.data->q[0], 9.4e-7);
  end(&w);
}

// How far the glue gives under the block's weight must not depend on the mesh.
static void the_compliance_of_an_attachment_does_not_depend_on_the_mesh(void) {
  double sag[2];
  for (int k = 0; k < 2; k++) {
    World w = hanging_block(k ? 5 : 3);
    run(&w, 200);
    double mean = 0, mass = 0;
    const plAttachment* a = &w.data->attach[0];
    for (int i = 0; i < a->nvert; i++) {
      double m = w.model->par->deform_material[0].density * w.model->vert_volume[a->vert[i]];
      double z = w.data->q[w.model->deform_q0[0] + 3 * a->vert[i] + 2];
      mean += m * (1.05 + w.data->q[0] + a->anchor[3 * i + 2] - z), mass += m;
    }
    sag[k] = mean / mass;
    end(&w);
  }
  CHECK(sag[0] > 0);
  CHECK_NEAR(sag[1] / sag[0], 1, 9e-7);
}

// Release: the block falls freely; attached again it stays where it is caught. Saving and loading in between
// gives the same bits.
static void attachments_are_released_and_made_at_run_time(void) {
  World w = hanging_block(3);
  run(&w, 100);
  plBodyState a, b;
  CHECK_INT(pl_attachment_set(w.data, 0, false, &w.error), PL_OK);
  pl_deformable_state(w.data, 0, &a);
  run(&w, 10);
  pl_deformable_state(w.data, 0, &b);
  CHECK_NEAR((b.momentum.z - a.momentum.z) / b.mass, -9.81 * 0.1, 1.3e-14);
  int corner[] = {0, 1, 2, 3};
  int id = -1;
  CHECK_INT(pl_attach(w.data, 0, corner, 4, -1, &id, &w.error), PL_OK);
  CHECK_INT(id, 1);
  CHECK_INT(pl_state_save(w.data, "test_attach.state", &w.error), PL_OK);
  run(&w, 50);
  plData* again = pl_data_create(w.model, &w.error);
  CHECK_INT(pl_state_load(again, "test_attach.state", &w.error), PL_OK);
  CHECK_INT(again->nattach, 2);
  for (int i = 0; i < 50; i++) CHECK_INT(pl_step(again, &w.error), PL_OK);
  CHECK(pl_state_hash(again) == pl_state_hash(w.data));
  // The caught corner stays.
  CHECK_NEAR(w.data->q[w.model->deform_q0[0] + 2], w.data->attach[1].anchor[2], 2.5e-6);
  remove("test_attach.state");
  pl_data_destroy(again);
  // Nonsense is refused.
  int bad[] = {9999};
  CHECK_INT(pl_attach(w.data, 0, bad, 1, -1, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_INT(pl_attach(w.data, 0, corner, 4, 7, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_INT(pl_attachment_set(w.data, 9, true, &w.error), PL_ERROR_INPUT);
  end(&w);
}

// Every kind of switch does what it says, and is part of the state.
static void switches_turn_things_off(void) {
  World w = begin(down, 0.01);
  plDofDef dof = plain_dof();
  dof.lower = -0.05, dof.friction = 40;
  add_jointed(&w, "slider", PL_JOINT_PRISMATIC, z_axis, origin, dof, -1);
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "motor", motor.kind = PL_ACTUATOR_POSITION, motor.joint = 0, motor.kp = 1e3, motor.kd = 50,
  motor.effort = 100;
  CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 2, 2, 2);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.pose.p = (plVec3){1, 0, 0.05};
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(w.spec, &ground, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 50);
  CHECK_NEAR(w.data->v[0], 0, 2.9e-4);  // friction and motor hold it
  pl_switch_set(w.data, PL_SWITCH_ACTUATOR, 0, false, NULL);
  run(&w, 50);
  CHECK_NEAR(w.data->v[0], 0, 2.9e-4);  // friction alone
  pl_switch_set(w.data, PL_SWITCH_FRICTION, 0, false, NULL);
  run(&w, 200);
  CHECK_NEAR(w.data->q[0], -0.05, 1.4e-6);  // fallen onto its limit
  pl_switch_set(w.data, PL_SWITCH_LIMIT, 0, false, NULL);
  double v = w.data->v[0];
  run(&w, 10);
  CHECK_NEAR(w.data->v[0], v - 9.81 * 0.1, 1.3e-14);
  plBodyState a, b;
  pl_deformable_state(w.data, 0, &a);
  CHECK(a.com.z > 0.04);
  pl_switch_set(w.data, PL_SWITCH_DEFORMABLE, 0, false, NULL);
  pl_switch_set(w.data, PL_SWITCH_SHAPE, 0, false, NULL);
  run(&w, 10);
  pl_deformable_state(w.data, 0, &b);
  CHECK_NEAR(b.com.z, a.com.z, 0);
  CHECK_INT(pl_state_save(w.data, "test_switch.state", &w.error), PL_OK);
  plData* again = pl_data_create(w.model, &w.error);
  CHECK_INT(pl_state_load(again, "test_switch.state", &w.error), PL_OK);
  CHECK(!again->on[PL_SWITCH_DEFORMABLE][0] && !again->on[PL_SWITCH_SHAPE][0] &&
        again->on[PL_SWITCH_CONSTRAINT]);
  remove("test_switch.state");
  pl_data_destroy(again);
  pl_switch_set(w.data, PL_SWITCH_DEFORMABLE, 0, true, NULL);
  run(&w, 10);
  pl_deformable_state(w.data, 0, &b);
  CHECK_NEAR(b.momentum.z / b.mass, -9.81 * 0.1, 1.3e-14);  // the ground is off
  CHECK_INT(pl_switch_set(w.data, PL_SWITCH_SHAPE, 3, true, &w.error), PL_ERROR_INPUT);
  pl_mesh_destroy(mesh);
  end(&w);
}

// The problem on participating DoFs has the solution of the full one (P8): tolerance 1e-12, moduli up to 1
// MPa.
static void reduced_and_full_problems_agree(void) {
  for (int k = 0; k < 2; k++) {
    plOptions options = pl_default_options();
    options.tolerance = 1e-12, options.contact_law = PL_LAW_CONE;  // rounds of Coulomb's law stop at 1e-4 m/s
    plError error;
    plSpec* spec = pl_spec_create();
    *pl_spec_options(spec) = options;
    plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 3, 3, 3);
    for (int i = 0; i < 2; i++) {
      plDeformableDef def = pl_default_deformable_def();
      def.name = i ? "top" : "bottom", def.mesh = mesh,
      def.pose.p = (plVec3){0.01 * i, 0, 0.0495 + 0.0995 * i};
      def.material.young = k ? 1e6 : 3e4, def.velocity.x = 0.3 * i;
      CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
    }
    plShapeDef ground = pl_default_shape_def();
    ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
    CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
    const plModel* model = pl_model_create(spec, &error);
    plData *reduced = pl_data_create(model, &error), *full = pl_data_create(model, &error);
    full->work->participate_all = true;
    for (int i = 0; i < 5; i++) {
      CHECK_INT(pl_step(reduced, &error), PL_OK);
      CHECK_INT(pl_step(full, &error), PL_OK);
      CHECK(reduced->report.contacts > 0);
      double worst = 0, size = 0;
      for (int j = 0; j < model->nv; j++)
        worst = fmax(worst, fabs(reduced->v[j] - full->v[j])), size = fmax(size, fabs(full->v[j]));
      CHECK_BELOW(worst, 9.6e-12, size);
    }
    pl_data_destroy(reduced), pl_data_destroy(full), pl_model_destroy(model), pl_spec_destroy(spec),
        pl_mesh_destroy(mesh);
  }
}

// A rigid plate on a slider falls on a soft block and rests there: rigid and deformable in one problem.
static void a_rigid_plate_rests_on_a_soft_block(void) {
  World w = begin(down, 0.01);
  int body = add_jointed(&w, "plate", PL_JOINT_PRISMATIC, z_axis, (plPose){{0, 0, 0.15}, {1, 0, 0, 0}},
                         plain_dof(), -1);
  plShapeDef plate = pl_default_shape_def();
  plate.name = "plate", plate.body = body, plate.kind = PL_SHAPE_BOX, plate.size = (plVec3){0.3, 0.3, 0.02};
  CHECK_INT(pl_spec_add_shape(w.spec, &plate, NULL, &w.error), PL_OK);
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 3, 3, 3);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.pose.p.z = 0.05;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(w.spec, &ground, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 300);
  double on_ground = 0, on_plate = 0;
  for (int i = 0; i < w.data->ncontact; i++) {
    const plContact* c = &w.data->contact[i];
    if (c->b.kind == PL_SIDE_SHAPE && c->b.index == 1) on_ground += c->force.z;
    if (c->b.kind == PL_SIDE_SHAPE && c->b.index == 0) on_plate += c->force.z;
  }
  CHECK_NEAR(on_plate, 2 * 9.81, 2.8e-11);
  CHECK_NEAR(on_ground, -3 * 9.81, 3.7e-11);
  CHECK_NEAR(w.data->v[0], 0,
             8.9e-8);  // the block spreads by the creep of regularised friction, about sigma dt g
  pl_mesh_destroy(mesh);
  end(&w);
}

// Two free bodies at rest, held by a pair that starts open: it closes, and nothing begins to turn or to fly.
static void pairs_that_start_open_set_nothing_in_motion(void) {
  static const char* const kinds[] = {"ball", "weld", "distance"};
  plRandom r = {11};
  for (int k = 0; k < CHECK_MEMBERS(30); k++) {
    char text[2048], poses[2][256];
    double size = 0.05 * exp(pl_random(&r, 0, 3)), mass = exp(pl_random(&r, -3, 3));
    for (int i = 0; i < 2; i++) {
      double x[6];
      for (int j = 0; j < 6; j++) x[j] = pl_random(&r, -1, 1);
      snprintf(poses[i], sizeof poses[i], "{position: [%.17g, %.17g, %.17g], rpy: [%.17g, %.17g, %.17g]}",
               size * x[0], size * x[1], size * x[2], x[3], x[4], x[5]);
    }
    double I = mass * size * size;
    snprintf(text, sizeof text,
             "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0]}\nbodies:\n"
             "  - {name: a, mass: %.17g, inertia: [%.17g, %.17g, %.17g], pose: %s}\n"
             "  - {name: b, mass: 1, inertia: [%.17g, %.17g, %.17g], pose: %s}\n"
             "constraints: [{name: c, kind: %s, a: a, b: b, pose_a: %s, pose_b: %s%s}]\n",
             k % 2 ? 0.01 : 0.001, mass, I, 1.2 * I, 1.5 * I, poses[0], I / mass, I / mass, I / mass,
             poses[1], kinds[k % 3], poses[1], poses[0], k % 3 == 2 ? ", length: 0.01" : "");
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    double scale = 0, worst = 0;
    for (int i = 0; i < 200; i++) {
      plRigidTotals e;
      CHECK_INT(pl_step(data, NULL), PL_OK);
      pl_rigid_totals(data, &e);
      scale = fmax(scale, size * sqrt(2 * fmin(1, mass) * e.kinetic_energy));
      worst = fmax(worst, fmax(v3_norm(e.angular_momentum), size * v3_norm(e.momentum)));
    }
    CHECK(scale > 0);
    CHECK_BELOW(worst, 2e-3, scale);  // a ball whose impulses act at two points: up to 0.36
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_limit_stops_a_falling_slider);
  RUN(an_actuator_keeps_its_effort_limit);
  RUN(a_loose_limit_changes_nothing);
  RUN(dry_friction_holds_and_slides);
  RUN(a_coupler_ties_two_sliders);
  RUN(a_ball_constraint_makes_a_pendulum);
  RUN(a_weld_carries_and_lets_go);
  RUN(a_weld_holds_bodies_of_any_size);
  RUN(a_weld_holds_what_moves_one_way);
  RUN(a_distance_is_kept);
  RUN(a_tendon_becomes_taut);
  RUN(an_attached_block_hangs_from_its_body);
  RUN(the_compliance_of_an_attachment_does_not_depend_on_the_mesh);
  RUN(attachments_are_released_and_made_at_run_time);
  RUN(switches_turn_things_off);
  RUN(reduced_and_full_problems_agree);
  RUN(a_rigid_plate_rests_on_a_soft_block);
  RUN(pairs_that_start_open_set_nothing_in_motion);
  return CHECK_END;
}
