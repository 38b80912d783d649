// spec.h: the members of a plSpec: copies of the definitions, in the order in which they were added.
#ifndef PL_MODEL_SPEC_H
#define PL_MODEL_SPEC_H

#include "pliant/rigid.h"
#include "pliant/sensor.h"
#include "pliant/spec.h"

struct plSpec {
  plOptions options;

  plDeformableDef* deform;  // [ndeform] name and mesh are owned copies
  int ndeform, deform_cap;
  plFixDef* fix;  // [nfix] index, time and offset are owned copies
  int nfix, fix_cap;
  plAttachDef* attach;  // [nattach] name and index are owned copies
  int nattach, attach_cap;
  plLoadDef* load;  // [nload] index, time and factor are owned copies (spec_load.c)
  int nload, load_cap;
  plShapeDef* shape;  // [nshape] name and mesh are owned copies
  int nshape, shape_cap;
  plSensorDef* sensor;  // [nsensor] names, index and points are owned copies (spec_sensor.c)
  int nsensor, sensor_cap;
  plRecordingDef recording;  // its texts are owned copies

  // ---- rigid bodies (spec_rigid.c, spec_actuator.c, spec_constraint.c); names, tables and lists are owned
  // copies
  plBodyDef* body;  // [nbody]
  int nbody, body_cap;
  plJointDef* joint;  // [njoint]
  int njoint, joint_cap;
  plActuatorDef* actuator;  // [nactuator]
  int nactuator, actuator_cap;
  plConstraintDef* constraint;  // [nconstraint]
  int nconstraint, constraint_cap;
  plSide* exclude;  // [2 nexclude] pairs of rigid bodies, deformables or the world without contact
  int nexclude, exclude_cap;
  int* exclude_slot;  // [exclude_nslot] hash table of these pairs: index + 1, 0: empty (spec_constraint.c)
  int exclude_nslot, exclude_used;  // slots, a power of two; slots that are not empty
  plSiteDef* site;                  // [nsite]
  int nsite, site_cap;
};

// ---- checks (spec_check.c)

// The value that the default functions write to `mark`: shows that a definition was initialised. what:
// "body".
#define PL_DEF_MARK 0x504c6465u
plStatus pl_check_mark(uint32_t mark, const char* what, plError* error);

// Letters, digits and _ - . /
bool pl_is_name_letter(char c);
// A name that is not empty and consists of these characters.
plStatus pl_spec_check_word(const char* what, const char* name, plError* error);
plStatus pl_spec_fail_taken(const char* what, const char* name, plError* error);
// The largest coefficient of friction of a surface.
#define PL_MOST_FRICTION 1e3
// Numbers of a surface, of a body's inertia and of a joint's degree of freedom.
plStatus pl_spec_check_surface(const char* name, const plSurface* surface, plError* error);
plStatus pl_spec_check_inertia(const plBodyDef* def, plError* error);
// Whether xx, yy, zz, xy, xz, yz are a positive definite matrix.
bool pl_spec_inertia_is_positive(const double I[6]);
plStatus pl_spec_check_dof(const char* joint, const plDofDef* dof, plError* error);
// A finite pose; its quaternion is normalised.
plStatus pl_spec_check_pose(const char* name, plPose* pose, plError* error);
// The knots of a table of `width` values each: finite, times increasing. what ("a load on") and name go into
// the message.
plStatus pl_spec_check_table(const char* what, const char* name, int ntime, const double* time,
                             const double* value, int width, plError* error);
// A region of deformable body `deformable`: numbers finite, indices in range.
plStatus pl_spec_check_region(const plSpec* spec, int deformable, const plRegion* region, plError* error);

// Whether every finite number is at most PL_NUMBER_MAX, every length at most PL_LENGTH_MAX (spec_bytes.c).
plStatus pl_spec_check_numbers(const plSpec* spec, plError* error);
// A limit, which is none beyond PL_NUMBER_MAX: robot files write 1.8e308 there.
double pl_spec_limit(double limit);

void pl_load_def_free(plLoadDef* def);
void pl_sensor_def_free(plSensorDef* def);
// Copies the first name of plSensorDef.hide to word; returns the rest of the list, NULL at its end.
const char* pl_sensor_hidden(const char* list, char* word, size_t size);

void pl_recording_def_free(plRecordingDef* def);
void pl_constraint_def_free(plConstraintDef* def);

// The sizes of a spec; rolling back drops everything added since.
typedef struct plSpecMark {
  int ndeform, nfix, nshape, nbody, njoint, nactuator, nconstraint, nexclude, nload, nattach, nsensor, nsite;
} plSpecMark;
// The initial poses of all bodies, [nbody], in time proportional to their number; false if memory runs out
// (spec_pose.c).
bool pl_spec_body_poses(const plSpec* spec, plPose* pose);

// Whether pl_spec_exclude was called for two sides.
bool pl_spec_excludes(const plSpec* spec, plSide a, plSide b);

plSpecMark pl_spec_mark(const plSpec* spec);
void pl_spec_rollback(plSpec* spec, plSpecMark mark);

// Sorts the list of a region that belongs to the spec, for fast lookup of vertices.
void pl_spec_sort_region(plRegion* region);

// The default of plLoadOptions.max_tets, and the tetrahedra of all deformables so far.
enum { PL_SPEC_MAX_TETS = 2000000 };
long pl_spec_count_tets(const plSpec* spec);

#endif
