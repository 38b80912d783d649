// joint_kinds.h: the list of joints. A joint is a chain of elementary nodes (model/tree.h); its coordinates,
// axes and motion follow from the chain.
#ifndef PL_MODEL_JOINT_KINDS_H
#define PL_MODEL_JOINT_KINDS_H

#include "base/word.h"
#include "model/tree.h"
#include "pliant/rigid.h"

// The axis of a node: that of the joint's definition, its second axis, or their cross product.
typedef enum plJointAxis { PL_AXIS_NONE, PL_AXIS_FIRST, PL_AXIS_SECOND, PL_AXIS_CROSS } plJointAxis;

enum { PL_JOINT_NODES = 3 };

typedef struct plJointInfo {
  int nnode;
  struct {
    int kind;  // plNodeKind
    plJointAxis axis;
  } node[PL_JOINT_NODES];
  bool unlimited;  // the limits of the definition are not used
} plJointInfo;

extern const plJointInfo pl_joints[PL_JOINT_COUNT];
// Their names in scene files, in the order of plJointKind.
extern const plWord pl_joint_words[];

// The last axis of the definition that the joint needs.
plJointAxis pl_joint_axes(plJointKind kind);
plVec3 pl_joint_node_axis(const plJointDef* def, int node);
// Metres per radian of a screw.
double pl_joint_pitch(const plJointDef* def);
// The pose of M in F at the definition's starting position.
plPose pl_joint_motion(const plJointDef* def);
// The pose of the child in the parent there.
plPose pl_joint_pose(const plJointDef* def);
// True if dof i is a length (m), false if it is an angle (rad).
bool pl_joint_is_length(plJointKind kind, int i);
// True if the positions contain a quaternion: then there is one more position than velocities.
bool pl_joint_has_quaternion(plJointKind kind);

#endif
