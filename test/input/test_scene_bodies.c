// test_scene_bodies.c: rigid bodies, attachments, constraints and unions of a scene file reach the spec;
// wrong ones are refused where they stand.
#include "check.h"
#include "model/spec.h"
#include "pliant/model.h"
#include "pliant/rigid.h"

static plError error;

static plSpec* parse(const char* text) {
  plSpec* spec = NULL;
  plStatus status = pl_spec_parse("s.yaml", "", text, strlen(text), NULL, &spec, &error);
  if (status) printf("%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
  CHECK(!status);
  return spec;
}

static void refuse(const char* text, int line, int column, const char* part) {
  plSpec* spec = NULL;
  CHECK(pl_spec_parse("s.yaml", "", text, strlen(text), NULL, &spec, &error) != PL_OK);
  CHECK(!spec);
  CHECK_INT(error.line, line);
  CHECK_INT(error.column, column);
  CHECK_HAS(error.message, part);
}

static const char gripper[] =
    "pliant: 1\n"
    "bodies:\n"
    "  - name: left\n"
    "    mass: 0.05\n"
    "    com: [0, 0, 0.1]\n"
    "    inertia: [1, 2, 3]\n"
    "    products: [0.1, 0.2, 0.3]\n"
    "    joint: {kind: prismatic, parent: base, axis: [0, 1, 0], lower: -0.05, upper: 0, position: -0.01,\n"
    "            velocity: 0.5, damping: 2, pose: {position: [0, 0, 1]},\n"
    "            actuator: {kind: pd, kp: 10, kd: 3, effort: 80, times: [0, 1, 2], values: [0, -0.02, "
    "0.01],\n"
    "                       zero_velocity: true}}\n"
    "  - name: right\n"
    "    mass: 0.05\n"
    "    joint: {name: slide, kind: prismatic, parent: base, axis: [0, -1, 0]}\n"
    "  - {name: base, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 2, 3]}, velocity: [0, 0, 1]}\n"
    "deformables:\n"
    "  - {name: pad, shape: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}\n"
    "  - {name: rind, shape: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1], pose: {position: [0, 0, 0.1]}}\n"
    "shapes:\n"
    "  - {name: tip, body: left, shape: sphere, radius: 0.01}\n"
    "attachments:\n"
    "  - {name: glue, deformable: pad, region: {shape: half_space, normal: [0, 0, 1], centre: [0, 0, "
    "-0.05]},\n"
    "     to: left, stiffness: 100, relaxation_time: 0.1, off: true}\n"
    "  - {name: sandwich, deformable: rind, region: {shape: all}, to: pad}\n"
    "constraints:\n"
    "  - {name: mimic, kind: coupler, a: slide, b: left, ratio: -1, offset: 0.001}\n"
    "  - {name: string, kind: tendon, joints: [left, slide], coefficients: [2, 1], upper: 0.3}\n"
    "  - {name: rod, kind: distance, a: base, length: 0.5, pose_b: {position: [0, 0, 4]}, stiffness: 10, "
    "damping: 1}\n"
    "  - {name: crank, kind: motion, a: slide, offset: 0.2, times: [0, 1], values: [0, 0.01], interpolation: "
    "cubic,\n"
    "     amplitude: 0.1, frequency: 2, phase: 0.5}\n"
    "exclude: [{a: left, b: right}, {a: base, b: world}]\n";

static void bodies_joints_and_actuators_arrive(void) {
  plSpec* spec = parse(gripper);
  if (!spec) return;
  CHECK_INT(pl_spec_body_count(spec), 3);
  const plBodyDef* left = pl_spec_body(spec, 0);
  CHECK(left->mass == 0.05 && left->com.z == 0.1 && left->inertia[1] == 2 && left->inertia[5] == 0.3);
  const plBodyDef* base = pl_spec_body(spec, 2);
  CHECK(base->pose.p.y == 2 && base->velocity.z == 1);
  const plJointDef* joint = pl_spec_joint(spec, pl_spec_find_joint(spec, "left"));
  CHECK(joint->kind == PL_JOINT_PRISMATIC && joint->parent == 2 && joint->child == 0 && joint->axis.y == 1);
  CHECK(joint->dof[0].lower == -0.05 && joint->dof[0].upper == 0 && joint->dof[0].damping == 2);
  CHECK(joint->position[0] == -0.01 && joint->velocity[0] == 0.5 && joint->pose.p.z == 1);
  CHECK(pl_spec_find_joint(spec, "slide") >= 0);
  const plActuatorDef* drive = pl_spec_actuator(spec, pl_spec_find_actuator(spec, "left"));
  CHECK(drive->kind == PL_ACTUATOR_PD && drive->kp == 10 && drive->kd == 3 && drive->effort == 80);
  CHECK(drive->ntime == 3 && drive->time[2] == 2 && drive->value[1] == -0.02 && drive->zero_velocity);
  CHECK_INT(pl_spec_shape(spec, 0)->body, 0);
  const plModel* model = pl_model_create(spec, &error);
  CHECK(model != NULL);
  if (model) CHECK_INT(model->nv_rigid, 8);
  pl_model_destroy(model);
  pl_spec_destroy(spec);
}

static void attachments_and_constraints_arrive(void) {
  plSpec* spec = parse(gripper);
  if (!spec) return;
  CHECK_INT(spec->nattach, 2);
  CHECK(spec->attach[1].deformable == 1 && spec->attach[1].other == 0 && spec->attach[1].body == -1);
  const plAttachDef* glue = &spec->attach[0];
  CHECK(glue->deformable == 0 && glue->body == 0 && glue->stiffness == 100 && glue->relaxation_time == 0.1);
  CHECK(glue->off && glue->region.kind == PL_REGION_HALF_SPACE && glue->region.centre.z == -0.05);
  CHECK_INT(spec->nexclude, 2);
  CHECK_INT(pl_spec_constraint_count(spec), 4);
  const plConstraintDef* crank = pl_spec_constraint(spec, 3);
  CHECK(crank->kind == PL_CONSTRAINT_MOTION && crank->a == 1 && crank->offset == 0.2 && crank->ntime == 2 &&
        crank->time[1] == 1 && crank->value[1] == 0.01 && crank->interpolation == PL_CUBIC);
  CHECK(crank->amplitude == 0.1 && crank->frequency == 2 && crank->phase == 0.5);
  const plConstraintDef *mimic = pl_spec_constraint(spec, 0), *string = pl_spec_constraint(spec, 1),
                        *rod = pl_spec_constraint(spec, 2);
  CHECK(mimic->kind == PL_CONSTRAINT_COUPLER && mimic->a == 1 && mimic->b == 0 && mimic->ratio == -1 &&
        mimic->offset == 0.001);
  CHECK(string->kind == PL_CONSTRAINT_TENDON && string->njoint == 2 && string->joint[0] == 0 &&
        string->coefficient[0] == 2 && string->upper == 0.3);
  CHECK(rod->kind == PL_CONSTRAINT_DISTANCE && rod->a == 2 && rod->b == -1 && rod->length == 0.5 &&
        rod->pose_b.p.z == 4 && rod->stiffness == 10 && rod->damping == 1);
  pl_spec_destroy(spec);
}

// Two balls of radius r whose centres are r apart hold 2 (4/3 pi r^3) less their lens, pi r^3 5/12.
static void a_union_joins_overlapping_parts(void) {
  plSpec* spec = parse(
      "pliant: 1\ndeformables:\n  - {name: pair, shape: union, edge: 0.015, parts: [\n"
      "     {shape: sphere, radius: 0.1}, {shape: sphere, radius: 0.1, pose: {position: [0.1, 0, 0]}}]}\n");
  if (!spec) return;
  plMeshReport report;
  CHECK(!pl_mesh_check(spec->deform[0].mesh, &report, &error));
  double volume = M_PI * 1e-3 * (8.0 / 3 - 5.0 / 12);
  CHECK_NEAR(report.volume, volume, 0.02 * volume);
  CHECK_INT(report.component, 1);
  pl_spec_destroy(spec);
}

static void wrong_ones_are_refused(void) {
  refuse("pliant: 1\nbodies: [{name: a, joint: {kind: prismatic, parent: b}}]\n", 2, 53, "no rigid body 'b'");
  refuse("pliant: 1\nbodies: [{name: a, joint: {kind: slider}}]\n", 2, 34, "one of fixed, revolute");
  refuse("pliant: 1\nbodies: [{name: a, joint: {kind: ball, position: 1}}]\n", 2, 40, "3 degrees of freedom");
  refuse("pliant: 1\nbodies: [{name: a, joint: {kind: fixed}, pose: {}}]\n", 2, 42, "for free bodies");
  refuse("pliant: 1\nbodies: [{name: a, joint: {kind: prismatic, actuator: {times: [0], values: [1, 2]}}}]\n",
         2, 68, "as many 'times' as 'values'");
  refuse("pliant: 1\nshapes: [{name: s, body: arm, shape: sphere, radius: 1}]\n", 2, 26,
         "no rigid body 'arm'");
  refuse(
      "pliant: 1\ndeformables: [{name: d, shape: box, size: [1, 1, 1], cells: [1, 1, 1]}]\n"
      "attachments: [{name: g, deformable: d, region: {shape: all}, to: d}]\n",
      3, 15, "another deformable");
  refuse("pliant: 1\nattachments: [{name: g, deformable: d, region: {shape: all}}]\n", 2, 37,
         "no deformable 'd'");
  refuse("pliant: 1\nexclude: [{a: arm/*, b: world}]\n", 2, 12, "no rigid body 'arm/*'");
  refuse("pliant: 1\nconstraints: [{name: c, kind: coupler, a: j, b: k}]\n", 2, 43, "no joint 'j'");
  refuse("pliant: 1\nconstraints: [{name: c, kind: coupler, a: j, b: k, length: 1}]\n", 2, 52,
         "does not apply to the kind coupler");
  refuse("pliant: 1\nconstraints: [{name: c, kind: tendon, joints: [a, b], coefficients: [1]}]\n", 2, 55,
         "one coefficient per joint");
  refuse("pliant: 1\nconstraints: [{name: c, kind: tendon, joints: a, coefficients: [1, 2]}]\n", 2, 50,
         "one coefficient per joint");
  refuse("pliant: 1\ndeformables: [{name: u, shape: union, edge: 0.1, parts: []}]\n", 2, 50,
         "at least one part");
  refuse(
      "pliant: 1\ndeformables: [{name: u, shape: union, edge: 1e-5, parts: [{shape: sphere, radius: 1}]}]\n",
      2, 39, "tetrahedra");
  refuse("pliant: 1\ndeformables: [{name: u, shape: union, edge: 1, parts: [{shape: union}]}]\n", 2, 64,
         "must be one of box");
}

// A table without entries is none, in an actuator, a controller of a robot and a constraint alike.
static void an_empty_table_is_none(void) {
  static const char* const lists[] = {"times: []", "values: []", "times: [], values: []"};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "pliant: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, actuator: "
             "{kind: pd, kp: 1, %s}}}]\nconstraints: [{name: c, kind: motion, a: a, amplitude: 1, frequency: "
             "1, %s}]\n",
             lists[i], lists[i]);
    plSpec* spec = parse(text);
    if (!spec) continue;
    CHECK_INT(spec->actuator[0].ntime, 0);
    CHECK_INT(spec->constraint[0].ntime, 0);
    pl_spec_destroy(spec);
  }
}

// A missing space after a colon makes a text of what should be a map.
static void a_text_with_a_colon_is_no_map(void) {
  refuse("pliant: 1\noptions:\n  dt:0.01\n", 3, 3, "write a space after the colon");
  refuse("pliant: 1\nbodies: [a:b]\n", 2, 10, "write a space after the colon");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(bodies_joints_and_actuators_arrive);
  RUN(attachments_and_constraints_arrive);
  RUN(a_union_joins_overlapping_parts);
  RUN(wrong_ones_are_refused);
  RUN(an_empty_table_is_none);
  RUN(a_text_with_a_colon_is_no_map);
  return CHECK_END;
}
