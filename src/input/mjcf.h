// mjcf.h: the parts of the MJCF reader.
#ifndef PL_INPUT_MJCF_H
#define PL_INPUT_MJCF_H

#include "input/robot.h"

// Two geoms touch if contype of one and conaffinity of the other have a bit in common.
typedef struct plMjcfMask {
  int body;
  unsigned contype, conaffinity;
} plMjcfMask;

// A geom that a <pair> names; only: it collides with nothing else.
typedef struct plMjcfPaired {
  const char* name;
  int body;
  bool only;
} plMjcfPaired;

// springdamper of a joint of the spec: s, and the damping ratio.
typedef struct plMjcfSpring {
  int joint;
  double time, ratio;
} plMjcfSpring;

// Settings of one model: its <compiler>, its classes and assets. A file has one, and one for each model that
// it attaches.
typedef struct plMjcfScope {
  const plXml* root;
  const char* folder;  // of its file
  double angle;        // radians per unit of the file
  char euler[4];       // axes of euler angles, upper case: fixed ones
  bool autolimits, balance;
  int inertia_from_geom;  // 0: never, 1: where a body has no inertial, 2: always
  double group_low, group_high;
  const char* mesh_folder;
  bool strip_path, fit_box;
  double least_mass, least_inertia, total_mass;  // boundmass, boundinertia, settotalmass (-1: none)
} plMjcfScope;

typedef struct plMjcf {
  plRobot* robot;
  const plXml* root;
  plMjcfScope main;
  // origin of the joints, in MuJoCo's order, for keyframes
  int joint0;   // first joint of this robot in the spec
  double* ref;  // [joints of this robot] MuJoCo's coordinate at our zero
  int nref, ref_cap;
  int* welded;  // [nwelded] free joints of the file that are welded: the joint of the spec that follows
  int nwelded, welded_cap;
  plMjcfSpring* spring;  // [nspring]
  int nspring, spring_cap;
  int* actuator;  // [nactuator of the file] in the spec, -1: left out
  int nactuator, actuator_cap;
  int nbody, njoint;              // counters for names
  unsigned contype, conaffinity;  // of the geom read last
  plMjcfMask* mask;               // [nmask] bodies whose geoms collide, with the bits of all of them
  int nmask, mask_cap;
  struct plMjcfVertex* vertex;  // [nvertex] of deformables
  int nvertex, vertex_cap;
  plMjcfPaired* paired;  // [npaired]
  int npaired, paired_cap;
} plMjcf;

// An attribute of an element, or of the default class that applies to it (class_name: that of the bodies
// around it), else NULL. kind is the element's name in the defaults.
const char* pl_mjcf_attr(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                         const char* name);
// The scope of a node; and the scope of a file, from its <compiler> (mjcf_scope.c).
const plMjcfScope* pl_mjcf_scope(const plMjcf* m, const plXml* node);
plStatus pl_mjcf_read_scope(plRobot* robot, const plXml* root, plMjcfScope* scope);
// The <default> of a class of a scope, NULL: the top one; NULL if there is none.
const plXml* pl_mjcf_class(const plMjcfScope* scope, const char* name);
// The class that applies where a class has no value; NULL: none.
const plXml* pl_mjcf_outer(const plXml* d);
// One number of that kind; *value does not change if there is none.
plStatus pl_mjcf_number(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                        const char* name, double* value);
// The first of up to three coefficients of a polynomial, with a remark if there are others.
plStatus pl_mjcf_linear(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                        const char* name, double* value);
// Up to n numbers, at least `least`; *count is 0 if there are none.
plStatus pl_mjcf_numbers(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                         const char* name, double* value, int least, int n, int* count);
// pos and one of quat, axisangle, euler, xyaxes, zaxis.
plStatus pl_mjcf_pose(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                      plPose* pose);
// The rotation with these columns.
plQuat pl_mjcf_columns(plVec3 x, plVec3 y, plVec3 z);
// Marks the attributes of default classes that are read wherever an element needs them.
void pl_mjcf_use_defaults(const plXml* node);
// "true", "false" or "auto" (which means automatic)
plStatus pl_mjcf_flag(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                      const char* name, bool automatic, bool* value);

// A geom into a shape (name within the robot) and its inertia; *known is false for kinds that are not read.
plStatus pl_mjcf_geom(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                      plInertia* inertia, bool* known);

// Volume, centre and moments of a mesh as MuJoCo has them, at density 1 (mjcf_inertia.c).
typedef enum plMjcfMeshInertia {
  PL_MJCF_LEGACY,  // pyramids from the surface's centre, all counted positive
  PL_MJCF_EXACT,   // with their signs
  PL_MJCF_CONVEX,  // of the convex hull
  PL_MJCF_SHELL    // of the surface, by area
} plMjcfMeshInertia;
// *known is false for a mesh without volume (or area).
plStatus pl_mjcf_mesh_inertia(const plMesh* mesh, plMjcfMeshInertia kind, plInertia* inertia, bool* known,
                              plError* error);
// The inertia of a primitive's surface by area; false for those that have none here.
bool pl_mjcf_shell_inertia(const plRobotShape* shape, plInertia* inertia);
// A primitive (shape->kind) instead of a mesh: its box of inertia, or its box of coordinates; scaled by
// `scale`. *known is false for a mesh without volume.
plStatus pl_mjcf_fit(const plMesh* mesh, plMjcfMeshInertia kind, bool box, double scale, plRobotShape* shape,
                     bool* known, plError* error);

// Replaces every <replicate> below a node of the file of root by copies.
plStatus pl_mjcf_replicate(plMjcf* m, plXml* root, plXml* node, int depth);
// The element of a name below a node; kind NULL: of any kind.
plXml* pl_mjcf_find_named(plXml* node, const char* kind, const char* name);
// A copy of a node with everything below it: its names, and those of copied elements that it refers to, begin
// with prefix and end with suffix; NULL: no memory, or more items than a tree may have.
plXml* pl_mjcf_copy(plRobot* robot, const plXml* node, const char* prefix, const char* suffix);
void pl_mjcf_append(plXml* parent, plXml* child);
// Whether an attribute is the name of another element, to which prefixes apply.
bool pl_mjcf_is_reference(const char* attr);
// Inserts the files of <include>.
plStatus pl_mjcf_include(plRobot* robot, plXml* node, int depth);
// Replaces every <attach> of a file by copies of other models (mjcf_attach.c).
plStatus pl_mjcf_attach(plMjcf* m, plXml* root, int depth);

// The mesh of a geom: its file, or the mesh itself if the asset contains its vertices; *known is false if
// there is neither.
plStatus pl_mjcf_mesh(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                      plMjcfMeshInertia* kind, bool* known);

// Stores the bits of the last geom as a body's; when all are known, excludes contact between bodies that have
// none in common.
plStatus pl_mjcf_add_mask(plMjcf* m, int body);
plStatus pl_mjcf_keep_apart(plMjcf* m);

// A site of the file: the body that carries it (-1: the world) and its pose there. attr of node names it
// (mjcf_site.c).
typedef struct plMjcfSite {
  int body;
  plPose pose;
  const plXml* node;
  const char* class_name;  // of the bodies around it
} plMjcfSite;
// Adds every site that has a name to the spec.
plStatus pl_mjcf_sites(plMjcf* m);
plStatus pl_mjcf_site(plMjcf* m, const plXml* node, const char* attr, plMjcfSite* site);
// The spec's site that attr of node names, once all are added.
plStatus pl_mjcf_find_site(plMjcf* m, const plXml* node, const char* attr, int* site);
// The sites of a <spatial> tendon in order; *known is false if it winds around geoms or has pulleys.
enum { PL_MJCF_CABLE_SITES = 64 };
plStatus pl_mjcf_cable(plMjcf* m, const plXml* node, int* site, int* n, bool* known);

// The joints of a <fixed> tendon; *offset: offset of MuJoCo's coordinates (mjcf_tendon.c).
enum { PL_MJCF_TENDON_JOINTS = 64 };
plStatus pl_mjcf_tendon(plMjcf* m, const plXml* node, int* joint, double* coefficient, int* n,
                        double* offset);
// The <fixed> or <spatial> tendon of a name; NULL: none.
const plXml* pl_mjcf_find_tendon(const plMjcf* m, const char* kind, const char* name);
// An equality between two fixed tendons, or of one.
plStatus pl_mjcf_tendon_pair(plMjcf* m, const plXml* node);
// The inertia that an actuator feels in the file's initial configuration (mjcf_damping.c); 0: none.
plStatus pl_mjcf_felt_inertia(plMjcf* m, const plActuatorDef* def, double* inertia);
// MuJoCo's coordinate of a joint where ours is 0.
double pl_mjcf_ref(const plMjcf* m, int joint);

// <option>: timestep and gravity become the spec's, if the definition allows it.
plStatus pl_mjcf_options(plMjcf* m);
// A <flexcomp> in a body (-1: the world), whose frame is at `at` there, becomes a deformable (mjcf_flex.c).
plStatus pl_mjcf_flexcomp(plMjcf* m, const plXml* node, int body, plPose at);
// The same in expanded form (mjcf_flex_list.c): a <flex> of <deformable> lists its vertices; those that move
// are bodies with three slides and nothing else. They are stored here instead of becoming bodies; the
// deformables are made when all other bodies exist.
typedef struct plMjcfVertex {
  const char* name;
  int body;     // that carries it, -1: the world
  plPose pose;  // in it
  double mass;
} plMjcfVertex;
bool pl_mjcf_is_vertex(const plMjcf* m, const plXml* body);
plStatus pl_mjcf_add_vertex(plMjcf* m, const plXml* node, int body, plPose at);
plStatus pl_mjcf_flexes(plMjcf* m);
// Common to both: material, friction and, from the mass, density; and the reason why one is not read, NULL:
// it is read.
plStatus pl_mjcf_flex_material(plMjcf* m, const plXml* node, const plMesh* mesh, double mass,
                               plDeformableDef* def);
const char* pl_mjcf_flex_refusal(const plXml* node, const char* type);
plStatus pl_mjcf_actuators(plMjcf* m);
plStatus pl_mjcf_sensors(plMjcf* m);
plStatus pl_mjcf_constraints(plMjcf* m);
// The ranges, springs and dampers of tendons.
plStatus pl_mjcf_tendons(plMjcf* m);
// With the name and the switch of its element.
plStatus pl_mjcf_add_constraint(plMjcf* m, const plXml* node, plConstraintDef* def);
plStatus pl_mjcf_keyframe(plMjcf* m);
// A joint of the file by its own name: index in the spec, -1: none.
int pl_mjcf_joint(const plMjcf* m, const char* name);
int pl_mjcf_body(const plMjcf* m, const char* name);

#endif
