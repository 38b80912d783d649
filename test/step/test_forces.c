// Forces that joints transmit and constraints exert, against statics, closed forms of motion, and the balance
// of free bodies.
#include "pliant/forces.h"
#include "world.h"

static const plVec3 down = {0, 0, -9.81};
static const double g0 = 9.81;

static int add_link(World* w, const char* name, double mass, plVec3 com, plVec3 inertia) {
  plBodyDef body = pl_default_body_def();
  body.name = name, body.mass = mass, body.com = com;
  body.inertia[0] = inertia.x, body.inertia[1] = inertia.y, body.inertia[2] = inertia.z;
  int id;
  CHECK_INT(pl_spec_add_body(w->spec, &body, &id, &w->error), PL_OK);
  return id;
}

static int add_joint(World* w, const char* name, plJointKind kind, plVec3 axis, int parent, int child,
                     plVec3 place) {
  plJointDef def = pl_default_joint_def();
  def.name = name, def.kind = kind, def.axis = axis,
  def.axis2 = axis.x != 0 ? (plVec3){0, 1, 0} : (plVec3){1, 0, 0};
  def.parent = parent, def.child = child, def.pose.p = place, def.pitch = 0.1;
  int id;
  CHECK_INT(pl_spec_add_joint(w->spec, &def, &id, &w->error), PL_OK);
  return id;
}

// A uniform rod along x from its joint, hinged about -y: q > 0 lifts it.
static int add_rod(World* w, const char* name, double mass, double length, int parent, plVec3 place,
                   double start) {
  double I = mass * length * length / 12;
  int id = add_link(w, name, mass, (plVec3){0.5 * length, 0, 0}, (plVec3){1e-4 * I, I, I});
  int joint = add_joint(w, name, PL_JOINT_REVOLUTE, (plVec3){0, -1, 0}, parent, id, place);
  CHECK_INT(pl_spec_set_joint_start(w->spec, joint, &start, NULL, &w->error), PL_OK);
  return id;
}

static double norm(plVec3 a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
#define CHECK_VEC(a, X, Y, Z, tolerance) \
  do {                                   \
    plVec3 vec_a = (a);                  \
    CHECK_NEAR(vec_a.x, X, tolerance);   \
    CHECK_NEAR(vec_a.y, Y, tolerance);   \
    CHECK_NEAR(vec_a.z, Z, tolerance);   \
  } while (0)

#define CHECK_VEC_ROUND(a, X, Y, Z, terms) \
  do {                                     \
    plVec3 vec_a = (a);                    \
    CHECK_ROUND(vec_a.x, X, terms);        \
    CHECK_ROUND(vec_a.y, Y, terms);        \
    CHECK_ROUND(vec_a.z, Z, terms);        \
  } while (0)

static void wrenches(const World* w, plWrench* wrench) {
  CHECK_INT(pl_joint_wrenches(w->data, wrench, NULL), PL_OK);
}

// ---- statics

// Links hang from each other by hinges, a weld and a ball joint: each joint carries the weight below it.
static void a_hanging_chain_carries_what_is_below(void) {
  static const plJointKind kinds[] = {PL_JOINT_FIXED, PL_JOINT_REVOLUTE, PL_JOINT_BALL, PL_JOINT_FIXED,
                                      PL_JOINT_UNIVERSAL};
  static const char* const names[] = {"a", "b", "c", "d", "e"};
  static const double mass[] = {1, 2, 0.5, 4, 0.25};
  World w = begin(down, 0.01);
  for (int i = 0; i < 5; i++) {
    int id = add_link(&w, names[i], mass[i], (plVec3){0, 0, -0.1}, (plVec3){0.01, 0.01, 0.01});
    add_joint(&w, names[i], kinds[i], (plVec3){1, 0, 0}, i - 1, id, (plVec3){0, 0, i ? -0.2 : 1});
  }
  build(&w);
  plWrench wrench[5];
  CHECK_INT(pl_joint_wrenches(w.data, wrench, NULL), PL_ERROR_INPUT);  // no step yet
  run(&w, 20);
  wrenches(&w, wrench);
  double below = 0;
  for (int i = 4; i >= 0; i--) {
    below += mass[i];
    CHECK_VEC(wrench[i].force, 0, 0, below * g0, 9.8e-13);
    CHECK_VEC_ROUND(wrench[i].moment, 0, 0, 0, below * g0);
  }
  end(&w);
}

// An arm of three welded or locked links sticks out: forces and moments of a cantilever.
static void a_cantilever_arm_has_its_moments(void) {
  static const char* const names[] = {"a", "b", "c"};
  World w = begin(down, 0.01);
  for (int i = 0; i < 3; i++) {
    int id = add_link(&w, names[i], 2, (plVec3){0.25, 0, 0}, (plVec3){0.01, 0.05, 0.05});
    int joint = add_joint(&w, names[i], i == 1 ? PL_JOINT_REVOLUTE : PL_JOINT_FIXED, (plVec3){0, -1, 0},
                          i - 1, id, (plVec3){i ? 0.5 : 0, 0, 0});
    if (i == 1) CHECK_INT(pl_spec_set_joint_locked(w.spec, joint, true, &w.error), PL_OK);
  }
  build(&w);
  run(&w, 5);
  plWrench wrench[3];
  wrenches(&w, wrench);
  for (int i = 0; i < 3; i++) {
    double n = 3 - i, weight = 2 * n * g0, length = 0.5 * n;
    CHECK_VEC(wrench[i].force, 0, 0, weight, 8.3e-13);
    CHECK_VEC(wrench[i].moment, 0, -weight * length / 2, 0, 6.2e-13);
  }
  end(&w);
}

// Two rods lean on each other, feet hinged at the ground, tops pinned by a ball constraint: a loop. Thrust W
// / (2 tan a).
static void a_three_hinged_arch_has_its_thrust(void) {
  double L = 1, angle = 60 * M_PI / 180, W = 3 * g0, thrust = W / (2 * tan(angle)), half = L * cos(angle);
  World w = begin(down, 0.01);
  int left = add_rod(&w, "left", 3, L, -1, (plVec3){-half, 0, 0}, angle);
  int right = add_rod(&w, "right", 3, L, -1, (plVec3){half, 0, 0}, M_PI - angle);
  plConstraintDef pin = pl_default_constraint_def();
  pin.name = "pin", pin.kind = PL_CONSTRAINT_BALL, pin.a = left, pin.b = right,
  pin.pose_a.p.x = pin.pose_b.p.x = L;
  CHECK_INT(pl_spec_add_constraint(w.spec, &pin, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 100);
  plWrench wrench[2], on_b;
  plPose frame[2];
  CHECK_INT(pl_joint_wrenches(w.data, wrench, frame), PL_OK);
  CHECK_VEC_ROUND(frame[0].p, -half, 0, 0, half);
  for (int k = 0; k < 2; k++) {
    double q = k ? M_PI - angle : angle, c = cos(q), s = sin(q);
    // from M's axes back to the world: x along the rod
    double fx = c * wrench[k].force.x - s * wrench[k].force.z,
           fz = s * wrench[k].force.x + c * wrench[k].force.z;
    CHECK_NEAR(fx, k ? -thrust : thrust, 1.3e-7 * W);
    CHECK_NEAR(fz, W, 1.1e-7 * W);
    CHECK_NEAR(wrench[k].moment.y, 0, 6.6e-8 * W);
  }
  CHECK_INT(pl_constraint_force(w.data, 0, &on_b, NULL), PL_OK);
  CHECK_VEC(on_b.force, thrust, 0, 0, 2.6e-7 * W);
  printf("  thrust %.4f N, %.4f expected\n", on_b.force.x, thrust);
  end(&w);
}

// A rod lies with its tip on the ground: tip and hinge carry half of it each.
static void a_contact_at_the_child_loads_the_joint(void) {
  static const plContactLaw laws[] = {PL_LAW_CONE, PL_LAW_COULOMB, PL_LAW_SIMILAR};
  for (int law = 0; law < 3; law++) {
    World w = begin(down, 0.01);
    pl_spec_options(w.spec)->contact_law = laws[law];
    int rod = add_rod(&w, "rod", 2, 1, -1, (plVec3){0, 0, 0.05}, 0);
    plShapeDef tip = pl_default_shape_def(), ground = tip;
    tip.name = "tip", tip.body = rod, tip.kind = PL_SHAPE_SPHERE, tip.radius = 0.05, tip.pose.p.x = 1,
    tip.surface.friction = 0;
    ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE, ground.surface.friction = 0;
    tip.surface.contact_stiffness = ground.surface.contact_stiffness = 2e6;
    CHECK_INT(pl_spec_add_shape(w.spec, &tip, NULL, &w.error), PL_OK);
    CHECK_INT(pl_spec_add_shape(w.spec, &ground, NULL, &w.error), PL_OK);
    build(&w);
    run(&w, 400);
    plWrench wrench;
    wrenches(&w, &wrench);
    CHECK_VEC(wrench.force, 0, 0, g0, 0.01 * g0);
    CHECK_VEC(wrench.moment, 0, 0, 0, 2.1e-6 * g0);
    end(&w);
  }
}

// ---- motion

// A rod swings from the horizontal: along it m (g sin + l w^2), across m g cos / 4 (the angle from the
// horizontal, below it).
static void a_swinging_rod_pulls_at_its_hinge(void) {
  double m = 2, L = 0.8, worst = 0;
  World w = begin(down, 2e-4);
  pl_scheme_by_name("midpoint", &pl_spec_options(w.spec)->theta, &pl_spec_options(w.spec)->theta_vq, NULL);
  add_rod(&w, "rod", m, L, -1, (plVec3){0, 0, 0}, 0);
  build(&w);
  for (int i = 0; i < 6000; i++) {
    double q = w.data->q[0], v = w.data->v[0];
    run(&w, 1);
    q = 0.5 * (q + w.data->q[0]), v = 0.5 * (v + w.data->v[0]);
    plWrench r;
    wrenches(&w, &r);
    // M's x points from the hinge along the rod; the hinge pulls back
    double along = -m * (-g0 * sin(q) + 0.5 * L * v * v), across = m * g0 * cos(q) / 4;
    worst = fmax(worst, hypot(r.force.x - along, r.force.z - across));
    CHECK_NEAR(r.moment.y, 0, 2.8e-12);
  }
  printf("  largest error %.2e N of %.1f\n", worst, m * g0 * 2.5);
  CHECK_BELOW(worst, 2.8e-13, m * g0);
  end(&w);
}

// A mass at radius r and height h on a shaft that turns steadily: -m r w^2 towards the axis, moments of it
// and of the weight at the bearing.
static void a_turning_shaft_loads_its_bearing(void) {
  double m = 1.5, r = 0.2, h = 0.4, rate = 3, period = 1 / 3.0;
  World w = begin(down, 1e-4);
  pl_spec_options(w.spec)->tolerance = 1e-11;
  int id = add_link(&w, "mass", m, (plVec3){r, 0, h}, (plVec3){0.02, 0.03, 0.01});
  int joint = add_joint(&w, "shaft", PL_JOINT_REVOLUTE, (plVec3){0, 0, 1}, -1, id, (plVec3){1, 2, 3});
  double start = 0, speed = 2 * M_PI * rate, time[] = {0, 2 * period}, value[] = {0, 4 * M_PI};
  CHECK_INT(pl_spec_set_joint_start(w.spec, joint, &start, &speed, &w.error), PL_OK);
  plConstraintDef def = pl_default_constraint_def();
  def.name = "drive", def.kind = PL_CONSTRAINT_MOTION, def.a = joint, def.ntime = 2, def.time = time,
  def.value = value;
  CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 2000);
  plWrench b;
  wrenches(&w, &b);
  double pull = -m * r * speed * speed;
  CHECK_VEC(b.force, pull, 0, m * g0, 6.1e-13 * fabs(pull));
  CHECK_VEC(b.moment, 0, -r * m * g0 + h * pull, 0, 2.4e-13 * fabs(pull));
  double effort;
  CHECK_INT(pl_constraint_force(w.data, 0, NULL, &effort), PL_OK);
  CHECK_ROUND(effort, 0, fabs(pull));
  end(&w);
}

// Whatever the joint, a passive one transmits nothing along the motions that it leaves free.
static void passive_joints_transmit_nothing_along_their_freedoms(void) {
  static const plJointKind kinds[] = {PL_JOINT_PLANAR, PL_JOINT_UNIVERSAL, PL_JOINT_SCREW,
                                      PL_JOINT_BALL,   PL_JOINT_PRISMATIC, PL_JOINT_REVOLUTE};
  static const char* const names[] = {"planar", "universal", "screw", "ball", "prismatic", "revolute"};
  for (int scheme = 0; scheme < 2; scheme++) {
    World w = begin((plVec3){1, -2, -9}, 0.002);
    if (scheme)
      pl_scheme_by_name("midpoint", &pl_spec_options(w.spec)->theta, &pl_spec_options(w.spec)->theta_vq,
                        NULL);
    pl_spec_options(w.spec)->free_tolerance = 1e-12;
    for (int i = 0; i < 6; i++) {
      int id = add_link(&w, names[i], 1 + 0.3 * i, (plVec3){0.05, 0.02, -0.1}, (plVec3){0.02, 0.03, 0.04});
      add_joint(&w, names[i], kinds[i], (plVec3){i % 2, 1 - i % 2, 0}, i - 1, id, (plVec3){0.1, 0, -0.2});
    }
    build(&w);
    run(&w, 200);
    plWrench f[6];
    wrenches(&w, f);
    double e = 8.5e-13;                                         // 64 eps of the forces, which are up to 60 N
    CHECK_NEAR(hypot(f[0].force.x, f[0].force.y), 0, 3.3 * e);  // the plane of x and y
    CHECK_ROUND(f[0].moment.z, 0, 60);
    CHECK_NEAR(f[1].moment.y, 0, 1.1 * e);  // axis x, then y carried by it
    CHECK_NEAR(f[2].moment.y + 0.1 / (2 * M_PI) * f[2].force.y, 0, e);
    CHECK_NEAR(norm(f[3].moment), 0, 2.4 * e);
    CHECK_NEAR(f[4].force.y, 0, 2.5 * e);
    CHECK_ROUND(f[5].moment.x, 0, 60);
    CHECK(norm(f[0].moment) > 1 && norm(f[3].force) > 1);
    end(&w);
  }
}

// Motors with and without effort limit, friction, limits, springs, damping, armature: the moment about the
// axis is their sum.
static void efforts_add_up_to_the_moment_about_the_axis(void) {
  World w = begin(down, 0.005);
  pl_spec_options(w.spec)->tolerance = 1e-11;
  plDofDef dof = pl_default_joint_def().dof[0];
  dof.damping = 0.1, dof.friction = 0.3, dof.stiffness = 2, dof.rest = 0.1, dof.armature = 0.05,
  dof.upper = 0.35;
  for (int i = 0; i < 2; i++) {
    int id = add_link(&w, i ? "lower" : "upper", 2 - i, (plVec3){0.25, 0, 0}, (plVec3){0.01, 0.05, 0.05});
    plJointDef def = pl_default_joint_def();
    def.name = i ? "elbow" : "shoulder", def.axis = (plVec3){0, -1, 0}, def.child = id, def.parent = i - 1,
    def.pose.p.x = 0.5 * i;
    def.dof[0] = dof, def.position[0] = 0.3 - 0.1 * i;
    CHECK_INT(pl_spec_add_joint(w.spec, &def, NULL, &w.error), PL_OK);
    plActuatorDef motor = pl_default_actuator_def();
    motor.name = def.name, motor.kind = PL_ACTUATOR_PD, motor.joint = i, motor.kp = 200, motor.kd = 5,
    motor.effort = i ? 4 : INFINITY;
    motor.has_input = true, motor.input[0] = 0.4, motor.input[2] = 1;
    CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
  }
  build(&w);
  bool limited = false, saturated = false;
  for (int s = 0; s < 100; s++) {
    double v0[2] = {w.data->v[0], w.data->v[1]};
    run(&w, 1);
    plWrench f[2];
    wrenches(&w, f);
    for (int i = 0; i < 2; i++) {
      double v = w.data->v[i], q = w.data->q[i], limit = pl_limit_force(w.data, i),
             motor = pl_motor_force(w.data, i);
      double sum = motor + pl_friction_force(w.data, i) + limit - dof.damping * v -
                   dof.stiffness * (q - dof.rest) - dof.armature * (v - v0[i]) / 0.005;
      CHECK_NEAR(-f[i].moment.y, sum, 7.5e-12 * (1 + fabs(motor)));
      CHECK_BELOW(fabs(pl_friction_force(w.data, i)) - 0.3, 1.5e-14, 1);
      CHECK(limit <= 0);
      limited |= limit < -0.1, saturated |= i && fabs(motor - 4) < 1e-9;
    }
  }
  CHECK(limited && saturated);
  end(&w);
}

// Free bodies fall, touch, are welded, tied and pushed: what comes through their joints must be nothing at
// all.
static void free_joints_transmit_nothing(void) {
  World w = begin(down, 0.01);
  pl_spec_options(w.spec)->tolerance = 1e-10;
  static const char* const names[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++) {
    plBodyDef body = pl_default_body_def();
    body.name = names[i], body.mass = 1 + i, body.com = (plVec3){0.01, 0, 0.02},
    body.pose.p = (plVec3){0.3 * i, 0, 0.16};
    body.pose.q = (plQuat){0.9, 0.1, 0.3, 0.2}, body.angular_velocity = (plVec3){1, 2, 3};
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.01 + 0.002 * k;
    CHECK_INT(pl_spec_add_body(w.spec, &body, NULL, &w.error), PL_OK);
    plShapeDef box = pl_default_shape_def();
    box.name = names[i], box.body = i, box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.2, 0.2, 0.2};
    CHECK_INT(pl_spec_add_shape(w.spec, &box, NULL, &w.error), PL_OK);
  }
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(w.spec, &ground, NULL, &w.error), PL_OK);
  static const plConstraintKind kinds[] = {PL_CONSTRAINT_BALL, PL_CONSTRAINT_WELD, PL_CONSTRAINT_DISTANCE};
  for (int i = 0; i < 3; i++) {
    plConstraintDef def = pl_default_constraint_def();
    def.name = names[i], def.kind = kinds[i], def.a = i, def.b = i + 1, def.length = 0.3;
    def.pose_a.p.x = 0.15 * (i < 2), def.pose_b.p.x = -0.15 * (i < 2);
    CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  }
  build(&w);
  for (int i = 0; i < 6; i++) w.data->f_user[6 + i] = i - 2.5;
  int touched = 0;
  double most = 0, rest = 0;
  for (int s = 0; s < 60; s++) {
    run(&w, 1);
    plWrench f[4];
    wrenches(&w, f);
    touched += w.data->ncontact > 0;
    for (int i = 0; i < w.data->ncontact; i++) most = fmax(most, norm(w.data->contact[i].force));
    for (int i = 0; i < 4; i++) rest = fmax(rest, norm(f[i].force) + norm(f[i].moment));
  }
  printf("  contacts push with up to %.1f N, joints with %.2g N\n", most, rest);
  CHECK(touched > 20 && most > 10);
  CHECK(rest < 300 * 1e-10 * most);  // times the tolerance of the step
  CHECK_INT(w.data->nimpulse, 3);
  end(&w);
}

// A tool at the end of an arm is pushed from outside: the joints pass the force on, the hinge the moment that
// its lock holds.
static void a_force_on_a_body_loads_the_joints_before_it(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  int arm = add_link(&w, "arm", 1, (plVec3){0.2, 0, 0}, (plVec3){0.01, 0.01, 0.01});
  int tool = add_link(&w, "tool", 0.2, (plVec3){0, 0, 0}, (plVec3){0.01, 0.01, 0.01});
  int hinge = add_joint(&w, "hinge", PL_JOINT_REVOLUTE, (plVec3){0, 0, 1}, -1, arm, (plVec3){0, 0, 0});
  add_joint(&w, "flange", PL_JOINT_FIXED, (plVec3){0, 0, 1}, arm, tool, (plVec3){0.4, 0, 0});
  CHECK_INT(pl_spec_set_joint_locked(w.spec, hinge, true, &w.error), PL_OK);
  build(&w);
  CHECK_INT(pl_rigid_add_force(w.data, tool, (plVec3){0.1, 0, 0}, (plVec3){1, 2, 3}, (plVec3){0, 0, 4}),
            PL_OK);
  size_t size = pl_state_size(w.data);
  unsigned char* bytes = malloc(size);
  CHECK_INT(pl_state_get(w.data, bytes, size, &w.error), PL_OK);
  pl_clear_forces(w.data);
  CHECK_NEAR(norm(w.data->f_body[tool].force), 0, 0);
  CHECK_INT(pl_state_set(w.data, bytes, size, &w.error), PL_OK);
  free(bytes);
  run(&w, 3);
  plWrench f[2];
  wrenches(&w, f);
  for (int k = 0; k < 2; k++) {
    double reach = k ? 0.1 : 0.5;
    CHECK_VEC(f[k].force, -1, -2, -3, 4.2e-14);
    CHECK_VEC(f[k].moment, 0, 3 * reach, -2 * reach - 4, 7.1e-14);
  }
  end(&w);
}

// ---- attachments

// A soft block on a slider that a motor holds: the attachment, regularised or exact, carries the block, the
// joint both.
static void hang_block(bool exact) {
  World w = begin(down, 0.01);
  int hook = add_link(&w, "hook", 2, (plVec3){0, 0, 0}, (plVec3){0.1, 0.1, 0.1});
  add_joint(&w, "hook", PL_JOINT_PRISMATIC, (plVec3){0, 0, 1}, -1, hook, (plVec3){0, 0, 1.05});
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 3, 3, 3);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.pose.p = (plVec3){0.2, 0, 1},
  def.material.damping_stiffness = 0.05;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  plAttachDef attach = pl_default_attach_def();
  attach.name = "glue", attach.body = hook, attach.region.kind = PL_REGION_HALF_SPACE;
  attach.region.centre.z = 0.0499, attach.region.normal = (plVec3){0, 0, -1}, attach.exact = exact;
  CHECK_INT(pl_spec_add_attachment(w.spec, &attach, NULL, &w.error), PL_OK);
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "motor", motor.kind = PL_ACTUATOR_POSITION, motor.joint = 0, motor.kp = 1e4, motor.kd = 400;
  CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 500);
  plWrench block, joint;
  plVec3 centre;
  CHECK_INT(pl_attachment_force(w.data, 0, &block, &centre), PL_OK);
  CHECK_VEC(block.force, 0, 0, g0, 1.9e-6 * g0);
  CHECK_VEC(block.moment, 0, 0, 0, 3.9e-10);
  CHECK_ROUND(centre.x, 0.2, 0.2);
  CHECK_NEAR(pl_motor_force(w.data, 0), 3 * g0, 4.3e-10 * g0);
  wrenches(&w, &joint);
  CHECK_VEC(joint.force, 0, 0, 3 * g0, 1.9e-6 * g0);
  CHECK_VEC(joint.moment, 0, -0.2 * g0, 0, 3.8e-7 * g0);  // the block hangs 0.2 m off the slider's axis
  CHECK_INT(pl_attachment_set(w.data, 0, false, NULL), PL_OK);
  run(&w, 1);
  CHECK_INT(pl_attachment_force(w.data, 0, &block, NULL), PL_OK);
  CHECK_NEAR(norm(block.force), 0, 0);
  end(&w);
}

static void an_attachment_carries_its_block(void) {
  hang_block(false);
  hang_block(true);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_hanging_chain_carries_what_is_below);
  RUN(a_cantilever_arm_has_its_moments);
  RUN(a_three_hinged_arch_has_its_thrust);
  RUN(a_contact_at_the_child_loads_the_joint);
  RUN(a_swinging_rod_pulls_at_its_hinge);
  RUN(a_turning_shaft_loads_its_bearing);
  RUN(passive_joints_transmit_nothing_along_their_freedoms);
  RUN(efforts_add_up_to_the_moment_about_the_axis);
  RUN(free_joints_transmit_nothing);
  RUN(a_force_on_a_body_loads_the_joints_before_it);
  RUN(an_attachment_carries_its_block);
  return CHECK_END;
}
