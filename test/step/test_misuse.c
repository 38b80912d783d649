// Wrong programs: NULL where there must be something is an assert that names it; numbers that are not values
// of an enumeration are refused; a model that is destroyed before its simulations stays until they go.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "world.h"

static World world;
static plError error;

// ---- NULL

// The program ends with an assert that names the argument.
static void aborts(void (*call)(void), const char* name) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    signal(SIGABRT, SIG_DFL);
    call();
    _exit(0);
  }
  close(ends[1]);
  char text[4096];
  size_t used = 0;
  for (ssize_t n; used < sizeof text - 1 && (n = read(ends[0], text + used, sizeof text - 1 - used)) > 0;)
    used += (size_t)n;
  text[used] = 0;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
  CHECK_HAS(text, "ssertion");
  CHECK_HAS(text, name);
}

static void step_nothing(void) { pl_step(NULL, NULL); }
static void create_of_nothing(void) { pl_data_create(NULL, NULL); }
static void compile_nothing(void) { pl_model_create(NULL, NULL); }
static void add_nothing(void) { pl_spec_add_deformable(world.spec, NULL, NULL, NULL); }
static void add_to_nothing(void) {
  plBodyDef def = pl_default_body_def();
  pl_spec_add_body(NULL, &def, NULL, NULL);
}
static void load_nowhere(void) { pl_spec_load("a.yaml", NULL, NULL, NULL); }
static void load_from_nowhere(void) {
  plSpec* spec;
  pl_spec_load(NULL, NULL, &spec, NULL);
}
static void save_nowhere(void) { pl_state_save(world.data, NULL, NULL); }
static void mesh_nowhere(void) { pl_mesh_box((plVec3){1, 1, 1}, 1, NULL, NULL); }
static void record_nothing(void) { pl_recording_open("x.plrec", NULL, NULL, NULL); }
static void state_nowhere(void) { pl_deformable_state(world.data, 0, NULL); }

static void null_arguments_are_named(void) {
  aborts(step_nothing, "data");
  aborts(create_of_nothing, "model");
  aborts(compile_nothing, "spec");
  aborts(add_nothing, "def");
  aborts(add_to_nothing, "spec");
  aborts(load_nowhere, "spec");
  aborts(load_from_nowhere, "path");
  aborts(save_nowhere, "path");
  aborts(mesh_nowhere, "mesh");
  aborts(record_nothing, "model");
  aborts(state_nowhere, "state");
  // arguments that may be NULL
  pl_model_destroy(NULL), pl_data_destroy(NULL), pl_spec_destroy(NULL), pl_mesh_destroy(NULL);
}

// ---- enumerations

static const int bad[] = {-1, 99, 1 << 30};

#define REFUSES(call)                                                             \
  do {                                                                            \
    plStatus check_status = (call);                                               \
    if (check_status != PL_ERROR_INPUT || !error.message[0])                      \
      check_errors++, printf("%s:%d: %s was taken\n", __FILE__, __LINE__, #call); \
  } while (0)

static void numbers_that_are_no_value_of_an_enumeration_are_refused(void) {
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 1, 1, 1);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    World w = begin((plVec3){0, 0, -9.81}, 0.01);
    plDeformableDef soft = pl_default_deformable_def();
    soft.name = "soft", soft.mesh = mesh;
    plDeformableDef d = soft;
    d.material.kind = (plMaterialKind)bad[i];
    REFUSES(pl_spec_add_deformable(w.spec, &d, NULL, &error));
    d = soft, d.material.volumetric = (plVolumetric)bad[i];
    REFUSES(pl_spec_add_deformable(w.spec, &d, NULL, &error));
    d = soft, d.material.element = (plElement)bad[i];
    REFUSES(pl_spec_add_deformable(w.spec, &d, NULL, &error));
    d = soft, d.material.mass = (plMass)bad[i];
    REFUSES(pl_spec_add_deformable(w.spec, &d, NULL, &error));
    d = soft, d.material.rotation = (plRotation)bad[i];
    REFUSES(pl_spec_add_deformable(w.spec, &d, NULL, &error));
    CHECK_INT(pl_spec_add_deformable(w.spec, &soft, NULL, &error), PL_OK);

    plShapeDef shape = pl_default_shape_def();
    shape.name = "shape", shape.kind = (plShapeKind)bad[i];
    REFUSES(pl_spec_add_shape(w.spec, &shape, NULL, &error));
    plFixDef fix = pl_default_fix_def();
    fix.region.kind = (plRegionKind)bad[i];
    REFUSES(pl_spec_add_fix(w.spec, &fix, &error));
    plLoadDef load = pl_default_load_def();
    load.kind = (plLoadKind)bad[i];
    REFUSES(pl_spec_add_load(w.spec, &load, &error));

    plBodyDef body = pl_default_body_def();
    body.name = "body", body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    int id;
    CHECK_INT(pl_spec_add_body(w.spec, &body, &id, &error), PL_OK);
    plJointDef joint = pl_default_joint_def();
    joint.name = "joint", joint.child = id;
    plJointDef j = joint;
    j.kind = (plJointKind)bad[i];
    REFUSES(pl_spec_add_joint(w.spec, &j, NULL, &error));
    CHECK_INT(pl_spec_add_joint(w.spec, &joint, NULL, &error), PL_OK);
    plActuatorDef actuator = pl_default_actuator_def();
    actuator.name = "actuator", actuator.joint = 0;
    plActuatorDef a = actuator;
    a.kind = (plActuatorKind)bad[i];
    REFUSES(pl_spec_add_actuator(w.spec, &a, NULL, &error));
    static const double time[] = {0, 1}, value[] = {0, 1};
    a = actuator, a.ntime = 2, a.time = time, a.value = value, a.interpolation = (plInterpolation)bad[i];
    REFUSES(pl_spec_add_actuator(w.spec, &a, NULL, &error));
    plConstraintDef constraint = pl_default_constraint_def();
    constraint.name = "c", constraint.a = 0, constraint.kind = (plConstraintKind)bad[i];
    REFUSES(pl_spec_add_constraint(w.spec, &constraint, NULL, &error));

    const plOptions good = *pl_spec_options(w.spec);
    plOptions* o = pl_spec_options(w.spec);
    for (int k = 0; k < 3; k++) {
      *o = good;
      if (k == 0) o->contact_law = (plContactLaw)bad[i];
      if (k == 1) o->coupling = (plCoupling)bad[i];
      if (k == 2) o->rigid_contact = (plRigidContact)bad[i];
      const plModel* model = pl_model_create(w.spec, &error);
      CHECK(!model && error.status == PL_ERROR_INPUT);
      pl_model_destroy(model);
    }
    *o = good;
    build(&w);
    REFUSES(pl_switch_set(w.data, (plSwitch)bad[i], 0, false, &error));
    plColour colour = (plColour)bad[i];
    plPictureOptions picture = pl_default_picture_options();
    picture.colour = colour;
    REFUSES(pl_picture_draw(w.data, &picture, "misuse.png", &error));
    REFUSES(pl_output_check_kind("misuse", (plOutputKind)bad[i], &error));
    end(&w);
  }
  pl_mesh_destroy(mesh);
}

// ---- order of destruction

// ---- numbers

// A slider with an actuator and a soft box; which: the number that is too large.
typedef enum Large {
  NONE,
  MASS,
  COM,
  INERTIA,
  STIFFNESS,
  START,
  KP,
  SIZE,
  YOUNG,
  VERTEX,
  SPEED,
  LARGE_COUNT
} Large;

static plSpec* large_spec(Large which, double value) {
  plSpec* spec = pl_spec_create();
  plBodyDef body = pl_default_body_def();
  body.name = "cart", body.mass = which == MASS ? value : 1, body.com.x = which == COM ? value : 0;
  for (int k = 0; k < 3; k++) body.inertia[k] = which == INERTIA ? value : 1;
  CHECK_INT(pl_spec_add_body(spec, &body, NULL, &error), PL_OK);
  plJointDef joint = pl_default_joint_def();
  joint.name = "rail", joint.kind = PL_JOINT_PRISMATIC, joint.parent = -1, joint.child = 0;
  joint.axis = (plVec3){1, 0, 0}, joint.dof[0].stiffness = which == STIFFNESS ? value : 1;
  joint.dof[0].lower = -1.7e308, joint.dof[0].upper = 1.7e308, joint.dof[0].effort = 1e300;
  CHECK_INT(pl_spec_add_joint(spec, &joint, NULL, &error), PL_OK);
  if (which == START) CHECK_INT(pl_spec_set_joint_start(spec, 0, &value, NULL, &error), PL_OK);
  plActuatorDef drive = pl_default_actuator_def();
  drive.name = "drive", drive.kind = PL_ACTUATOR_PD, drive.joint = 0, drive.kp = which == KP ? value : 1;
  CHECK_INT(pl_spec_add_actuator(spec, &drive, NULL, &error), PL_OK);
  plShapeDef shape = pl_default_shape_def();
  shape.name = "ball", shape.body = 0, shape.kind = PL_SHAPE_SPHERE,
  shape.radius = which == SIZE ? value : 0.1;
  CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_box_cells((plVec3){1, 1, 1}, 1, 1, 1, &mesh, &error), PL_OK);
  for (int i = 0; which == VERTEX && i < 3 * mesh->nvert; i++) mesh->vert[i] *= 2 * value;
  plDeformableDef soft = pl_default_deformable_def();
  soft.name = "soft", soft.mesh = mesh, soft.pose.p.z = 5;
  if (which == YOUNG) soft.material.young = value;
  if (which == SPEED) soft.velocity.y = value;
  CHECK_INT(pl_spec_add_deformable(spec, &soft, NULL, &error), PL_OK);
  pl_mesh_destroy(mesh);
  return spec;
}

static void numbers_beyond_all_ranges_are_refused_by_name(void) {
  for (Large which = MASS; which < LARGE_COUNT; which++)
    for (double value = 1.01e30; value < 1e90; value *= 1e25) {
      plSpec* spec = large_spec(which, value);
      const plModel* model = pl_model_create(spec, &error);
      CHECK(model == NULL && error.status == PL_ERROR_INPUT);
      CHECK_HAS(error.message, which == KP          ? "drive"
                               : which == SIZE      ? "ball"
                               : which >= YOUNG     ? "soft"
                               : which >= STIFFNESS ? "rail"
                                                    : "cart");
      if (model) pl_model_destroy(model);
      pl_spec_destroy(spec);
    }
  plSpec* spec = large_spec(NONE, 0);
  const plModel* model = pl_model_create(spec, &error);
  CHECK(model != NULL);
  plData* data = pl_data_create(model, &error);
  // Limits beyond all numbers are none.
  CHECK(isinf(model->par->dof_lower[0]) && isinf(model->par->dof_upper[0]));
  CHECK_INT(pl_step(data, &error), PL_OK);
  // Nor are such parameters taken.
  uint64_t hash = pl_parameter_hash(data);
  CHECK_INT(pl_parameter_set(data, "cart.mass", 1e31, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "at most 1e+30");
  CHECK_INT(pl_parameter_set(data, "soft.material.density", 1e308, &error), PL_ERROR_INPUT);
  CHECK(pl_parameter_hash(data) == hash);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

static void a_model_stays_until_its_simulations_go(void) {
  plOptions options = pl_default_options();
  plSpec* spec = block_spec(0.2, options);
  const plModel* model = pl_model_create(spec, &error);
  pl_spec_destroy(spec);
  plData *one = pl_data_create(model, &error), *two = pl_data_create(model, &error);
  pl_model_destroy(model);
  for (int i = 0; i < 3; i++) CHECK_INT(pl_step(one, &error), PL_OK);
  pl_data_destroy(one);
  for (int i = 0; i < 3; i++) CHECK_INT(pl_step(two, &error), PL_OK);
  pl_data_destroy(two);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  world = begin((plVec3){0, 0, 0}, 0.01);
  add_block(&world, (plVec3){0.1, 0.1, 0.1}, 1, 1, 1, pose_at(0, 0, 0), 1e5);
  build(&world);
  RUN(null_arguments_are_named);
  RUN(numbers_that_are_no_value_of_an_enumeration_are_refused);
  RUN(numbers_beyond_all_ranges_are_refused_by_name);
  RUN(a_model_stays_until_its_simulations_go);
  end(&world);
  return CHECK_END;
}
