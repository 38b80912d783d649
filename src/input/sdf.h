// sdf.h: the parts of the SDFormat reader: frames, links with their shapes, joints.
#ifndef PL_INPUT_SDF_H
#define PL_INPUT_SDF_H

#include "input/robot.h"

enum { PL_SDF_MAX_DEPTH = 8 };

typedef enum plSdfKind { PL_SDF_MODEL, PL_SDF_LINK, PL_SDF_JOINT, PL_SDF_FRAME } plSdfKind;

// A named frame. Names of nested models come first, as in "gripper::finger".
typedef struct plSdfFrame {
  const char* name;   // full, without the robot's
  const char* scope;  // full name of the model that contains it, "" at the top
  const char*
      model;  // full name of the frame that its pose refers to by default: scope's, or a merged model's
  plSdfKind kind;
  const plXml* node;
  const plXml* include;  // the <include> whose pose and name replace the model's own, else NULL
  plPose pose;           // in the file's world, once resolved
  int state;             // 0: not resolved, 1: being resolved, 2: resolved
  int on, base;          // the frame that carries it, and the one that its pose refers to, -1: the file's
                         // world; once it is being resolved
  int waiting;           // the frame that is resolved after this one, -1: none
  int body;              // links: body of the spec, -1: none
  bool fixed;            // models and their links: static
  bool child;            // links: some joint's child
} plSdfFrame;

typedef struct plSdf {
  plRobot* robot;
  plSdfFrame* frame;  // [nframe]
  int nframe, frame_cap;
  int* up;  // [nup] for every body of the spec the one that carries it, -1: the world, PL_SDF_LOOSE: no joint
  int nup;
} plSdf;
enum { PL_SDF_LOOSE = -2 };

// The model of the file that an <include> names.
plStatus pl_sdf_include(plRobot* robot, const plXml* include, const plXml** model);
// Collects the frames of a model (or of the one that a file includes) and of nested models. scope is the name
// of the enclosing model.
plStatus pl_sdf_collect(plSdf* sdf, const plXml* model, const plXml* include, const char* scope, bool fixed,
                        int depth);
// A frame relative to a scope: its index, or -1. "__model__" is the scope's own.
int pl_sdf_find(const plSdf* sdf, const char* scope, const char* name);
// The frame's pose in the file's world.
plStatus pl_sdf_resolve(plSdf* sdf, int frame, plPose* pose);
// The name of a joint's parent or child; Drake's joints write <drake:parent>.
const char* pl_sdf_end(const plXml* joint, const char* end);
// The link that carries a frame, once all are resolved.
plStatus pl_sdf_link_of(plSdf* sdf, int frame, int* link);
// A <pose> in a node, relative to the frame it refers to (default: fallback): the pose in the file's world.
plStatus pl_sdf_pose(plSdf* sdf, const plXml* node, const char* scope, int fallback, plPose* pose);

// The numbers of a child element; *value does not change if there is none.
plStatus pl_sdf_number(plSdf* sdf, const plXml* node, const char* name, double* value);

plStatus pl_sdf_add_link(plSdf* sdf, plSdfFrame* frame);
// Joints that close a loop (sdf_loop.c): what carries each body, once all are added; whether a joint between
// these bodies would close one; and the constraint that replaces it.
plStatus pl_sdf_list_parents(plSdf* sdf);
bool pl_sdf_closes_loop(const plSdf* sdf, int parent, int child);
plStatus pl_sdf_close_loop(plSdf* sdf, const plSdfFrame* frame, const plJointDef* def);

#endif
