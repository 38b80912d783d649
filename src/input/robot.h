// robot.h: shared by the readers of robot files: names, warnings, files, shapes, inertias, and attaching the
// base to the world.
#ifndef PL_INPUT_ROBOT_H
#define PL_INPUT_ROBOT_H

#include "input/mesh_builder.h"
#include "input/xml.h"
#include "math/pose.h"
#include "math/spatial.h"
#include "pliant/rigid.h"

enum { PL_ROBOT_MAX_BODIES = 10000, PL_ROBOT_MAX_SHAPES = 50000, PL_ROBOT_MAX_FILES = 50 };

typedef struct plRobotRemark plRobotRemark;

// A robot while it is read.
enum { PL_ROBOT_BUCKETS = 256 };
typedef struct plRobotName plRobotName;
typedef struct plRobot {
  plXmlTree tree;
  plSpec* spec;
  const plRobotDef* def;
  const plLoadOptions* options;  // may be NULL
  plError* error;
  const char* folder;                                                    // of the present file
  const char* name;                                                      // of the robot
  plRobotName *name_from[PL_ROBOT_BUCKETS], *name_to[PL_ROBOT_BUCKETS];  // robot_names.c
  plRobotRemark* remark;  // remarks, in the order of the file (robot_remark.c)
  int unsaid;             // remarks of more kinds than are kept
  int nfile;              // files read so far
  int nshape;
  bool any_case;  // files are looked for in any case
  plStatus
      mesh_status;  // of the last mesh that was requested; PL_OK without a mesh means that it is left out
  bool definition;  // the error is in the definition, not in the file
} plRobot;

// ---- remarks (robot_remark.c)

// A remark that affects the motion, "file:line: text"; remarks with the same format are one kind, reported
// once with their number.
void pl_robot_warn(plRobot* robot, const plXml* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// The same; the kind is distinguished by a key.
void pl_robot_warn_once(plRobot* robot, const plXml* at, const char* key, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
// A remark that affects only the drawing, or nothing.
void pl_robot_note(plRobot* robot, const plXml* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// Adds the node's file and line to an error without them; returns the status.
plStatus pl_robot_place(plRobot* robot, const plXml* node, plStatus status);
// Makes a remark for every kind of element and attribute that was not read.
plStatus pl_robot_warn_unused(plRobot* robot, const plXml* root);
// Reports all remarks; with the option strict, the first one that affects the motion is an error.
plStatus pl_robot_tell(plRobot* robot);

// ---- names and files

// "robot/name" in the characters that names may have, unique in the file; NULL if memory runs out or name is
// NULL. robot_names.c
const char* pl_robot_full_name(plRobot* robot, const char* name);
// The names of a file that the spec takes as they are, before others are changed into them.
void pl_robot_keep_names(plRobot* robot, const plXml* node);
const char* pl_robot_printf(plRobot* robot, const char* format, ...) __attribute__((format(printf, 2, 3)));
// A name for a joint, body, ... that is not taken: name, name_2, name_3, ...
const char* pl_robot_free_name(plRobot* robot, const char* name, int (*find)(const plSpec*, const char*));
// A motor of a joint with one degree of freedom; a PD controller where Drake's tag of gains is given.
plStatus pl_robot_add_motor(plRobot* robot, const char* name, int joint, const plXml* gains);
int pl_robot_find_shape(const plSpec* spec, const char* name);

// The path of a file named in a robot file: package://, model://, file:// or a path; NULL: not found, or uri
// is NULL because memory ran out.
const char* pl_robot_find_file(plRobot* robot, const char* uri);
// The tree of an included file.
plStatus pl_robot_include(plRobot* robot, const char* path, plXml** root);

// ---- shapes

typedef struct plRobotShape {
  const plXml* at;
  int body;          // of the spec
  const char* name;  // within the robot
  bool collide;
  plPose pose;  // in the body
  plShapeKind kind;
  plVec3 size;
  double radius, length;
  const char* mesh;       // uri
  const char* elsewhere;  // path of the mesh if the uri is not found, else NULL
  const plMesh* loaded;   // the mesh as it is used, else NULL: it is read from the uri
  bool convex;            // the convex hull replaces the mesh
  plVec3 scale;
  plSurface surface;
  double modulus;  // Pa; gives contact_stiffness = modulus / smallest half-size; 0: none
  plVec3 colour;
} plRobotShape;

plRobotShape pl_default_robot_shape(const plXml* at);
// Adds a shape. A mesh that is missing or cannot be read is left out with a warning.
plStatus pl_robot_add_shape(plRobot* robot, const plRobotShape* shape);

// The same for a visual mesh that is read and has parts with colours (robot_visual.c).
plStatus pl_robot_add_parts(plRobot* robot, const plRobotShape* shape, const plMesh* mesh,
                            const plMeshPart* part, int npart);

// The k-th number of Drake's <drake:proximity_properties>, its name and target; false after the last.
bool pl_robot_proximity(plRobotShape* shape, int k, const char** name, double** to);
// One warning if these properties give static friction.
void pl_robot_warn_static(plRobot* robot, const plXml* properties);

// Reads and scales the tetrahedra of a deformable. PL_OK without a mesh: it is not found, and the user allows
// to leave it out.
plStatus pl_robot_load_solid(plRobot* robot, const plXml* at, const char* name, plVec3 scale, plMesh** mesh);
// PL_ERROR_TOO_LARGE if with so many more tetrahedra the spec exceeds the limit of the options.
plStatus pl_robot_check_tets(plRobot* robot, const plXml* at, double ntet);
// Repairs them and checks their number; what was dropped is a remark. Elements may be numbered either way
// round.
plStatus pl_robot_repair(plRobot* robot, const plXml* at, const char* name, plMesh* mesh);

// Reads and scales the mesh of a shape; NULL with a warning if that is not possible.
plMesh* pl_robot_load_mesh(plRobot* robot, const plRobotShape* shape);

// Mass, centre and central moments of a shape of uniform density (kg/m^3); false for shapes without volume.
bool pl_shape_inertia(const plRobotShape* shape, const plMesh* mesh, double density, plInertia* inertia);
// Sums and poses: the inertia of a body at pose, about the frame's origin.
plInertia pl_inertia_at(plPose pose, plInertia inertia);
// Fills mass, com and inertia of a body from an inertia about its origin.
void pl_body_set_inertia(plBodyDef* body, plInertia inertia);

// ---- inertia in robot files (robot_inertia.c)

// Remarks on physically impossible moments; negative ones become 0.
void pl_robot_check_inertia(plRobot* robot, const plXml* at, plBodyDef* body);
// A link whose shapes are the last of the spec and that has no moments gets those of its shapes, if the
// definition says so; else a remark.
plStatus pl_robot_fill_inertia(plRobot* robot, const plXml* at, int body);
// Joints that mimic others, by the couplers from constraint0 on, start at the coupled position, except those
// marked in given [njoint] (may be NULL).
void pl_robot_follow(plSpec* spec, int constraint0, const bool* given);
// Whether a body, with the bodies welded to it, has mass and moments of inertia.
plStatus pl_robot_can_be_free(const plSpec* spec, int body, bool* can, plError* error);
// A free base that, with everything it carries, is numerically a rod: its moment about one axis is 0 or
// negligible. It could not be rotated; it gets a small moment there, with a remark.
plStatus pl_robot_thicken(plRobot* robot, const plXml* at, int body);

// ---- links that overlap at the start (robot_overlap.c)

// Excludes contact between the links from body0 on that overlap at the start; remark (empty: there are none)
// lists them.
plStatus pl_robot_exclude_overlaps(plSpec* spec, int body0, char* remark, size_t size, plError* error);

// ---- the base

// The frame that the robot's pose refers to: the parent body (-1: the world).
plStatus pl_robot_parent(plRobot* robot, int* parent);
// Attaches a body that no joint of the file moves, at pose in the model's frame: welded or free, as the
// definition says. fixed: the file says that it does not move.
plStatus pl_robot_add_base(plRobot* robot, const plXml* at, int body, plPose pose, bool fixed);
// The dry friction of a dof as the definition wants it.
double pl_robot_friction(plRobot* robot, const plXml* at, double friction, double effort);
// Negative damping, friction, stiffness and inertia of a joint's motor become 0, with a remark: they would
// give energy.
void pl_robot_tame(plRobot* robot, const plXml* at, plJointDef* def);

// ---- Drake's constraints and collision filters in a <robot> or <model> (robot_drake.c)

// How names of the file become bodies and joints of the spec, -1: there is none.
typedef struct plRobotNames {
  void* context;
  int (*body)(void* context, const char* name);
  int (*joint)(void* context, const char* name);
} plRobotNames;
plStatus pl_robot_drake_tags(plRobot* robot, const plXml* model, const plRobotNames* names);

// pl_spec_add_robot without the search for overlaps; *links: whether the file's format is searched for them.
plStatus pl_robot_add(plSpec* spec, const plRobotDef* def, const plLoadOptions* options, bool* links,
                      plError* error);
// That search; reports to the options.
plStatus pl_robot_part_links(plSpec* spec, const char* file, int body0, const plLoadOptions* options,
                             plError* error);

// ---- formats: root is the file's root element
plStatus pl_urdf_load(plRobot* robot, plXml* root);
plStatus pl_sdf_load(plRobot* robot, plXml* root);
plStatus pl_mjcf_load(plRobot* robot, plXml* root);

#endif
