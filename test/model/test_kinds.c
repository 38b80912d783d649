// The lists of laws, elements, joints and sensors: names stand in the order of their enumerations, and what
// is derived from a joint's chain of nodes is what the header promises.
#include "check.h"
#include "fem/elements.h"
#include "fem/law.h"
#include "math/pose.h"
#include "model/joint_kinds.h"
#include "model/sensor_kinds.h"

static void check_words(const plWord* words, int count) {
  for (int i = 0; i < count; i++) {
    CHECK(words[i].name != NULL);
    CHECK_INT(words[i].value, i);
    for (int j = 0; j < i; j++) CHECK(strcmp(words[i].name, words[j].name) != 0);
  }
  CHECK(words[count].name == NULL);
}

static void words_are_in_order(void) {
  check_words(pl_material_words, PL_MATERIAL_COUNT);
  check_words(pl_element_words, PL_ELEMENT_COUNT);
  check_words(pl_joint_words, PL_JOINT_COUNT);
  check_words(pl_sensor_words, PL_SENSOR_COUNT);
  for (int i = 0; i < PL_ELEMENT_COUNT; i++) CHECK(pl_elements[i].points != NULL);
  for (int i = 0; i < PL_SENSOR_COUNT; i++) CHECK(pl_sensors[i].keys != NULL && pl_sensors[i].on != 0);
}

// The numbers of docs/robots.md, "Coordinates".
static void joints_have_their_coordinates(void) {
  static const int nq[PL_JOINT_COUNT] = {0, 1, 1, 1, 1, 2, 4, 3, 7},
                   nv[PL_JOINT_COUNT] = {0, 1, 1, 1, 1, 2, 3, 3, 6};
  static const char* const lengths[PL_JOINT_COUNT] = {"", "0", "0", "1", "0", "00", "000", "110", "111000"};
  for (int kind = 0; kind < PL_JOINT_COUNT; kind++) {
    CHECK_INT(pl_joint_nq((plJointKind)kind), nq[kind]);
    CHECK_INT(pl_joint_nv((plJointKind)kind), nv[kind]);
    for (int i = 0; i < nv[kind]; i++)
      CHECK_INT(pl_joint_is_length((plJointKind)kind, i), lengths[kind][i] == '1');
    CHECK_INT(pl_joint_has_quaternion((plJointKind)kind), kind == PL_JOINT_BALL || kind == PL_JOINT_FREE);
  }
}

// A point moved by a chain of nodes, and by the formula of the joint.
static void chains_move_as_their_joints(void) {
  plJointDef def = pl_default_joint_def();
  def.axis = v3_unit(v3(1, 2, 3)), def.axis2 = v3_unit(v3_cross(def.axis, v3(0, 0, 1))), def.pitch = 0.02;
  plVec3 x = v3(0.3, -0.2, 0.5), third = v3_cross(def.axis, def.axis2);
  double q[7] = {0.7, -0.4, 0.9};
  memcpy(def.position, q, sizeof q);
  plQuat first = quat_from_axis_angle(def.axis, q[0]);
  def.kind = PL_JOINT_SCREW;
  plVec3 screw = v3_madd(quat_rotate(first, x), 0.02 * q[0] / (2 * 3.14159265358979323846), def.axis);
  CHECK_BELOW(v3_norm(v3_sub(pose_apply(pl_joint_motion(&def), x), screw)), 1e-15, 1);
  def.kind = PL_JOINT_UNIVERSAL;
  plVec3 universal = quat_rotate(first, quat_rotate(quat_from_axis_angle(def.axis2, q[1]), x));
  CHECK_BELOW(v3_norm(v3_sub(pose_apply(pl_joint_motion(&def), x), universal)), 1e-15, 1);
  def.kind = PL_JOINT_PLANAR;
  plVec3 planar = quat_rotate(quat_from_axis_angle(third, q[2]), x);
  planar = v3_madd(v3_madd(planar, q[0], def.axis), q[1], def.axis2);
  CHECK_BELOW(v3_norm(v3_sub(pose_apply(pl_joint_motion(&def), x), planar)), 1e-15, 1);
  def.kind = PL_JOINT_FIXED;
  CHECK(v3_norm(v3_sub(pose_apply(pl_joint_motion(&def), x), x)) == 0);
}

// Laws without batched kernels go point by point: those of the linear laws are affine, and the viscous
// tangent is not the derivative of a law.
static void batched_laws(void) {
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++) {
    bool linear = pl_law_is_linear((plMaterialKind)kind);
    CHECK_INT(pl_law_is_batched((plMaterialKind)kind, PL_TANGENT_PROJECTED), !linear);
    CHECK_INT(pl_law_is_batched((plMaterialKind)kind, PL_TANGENT_VISCOUS), false);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(words_are_in_order);
  RUN(joints_have_their_coordinates);
  RUN(chains_move_as_their_joints);
  RUN(batched_laws);
  return CHECK_END;
}
