// spec.h: the description of a scene that a user builds. Take a definition from its default function, change
// it, and add it to a plSpec, which copies it:
//
//   plDeformableDef def = pl_default_deformable_def();
//   def.name = "block"; def.mesh = mesh;
//   pl_spec_add_deformable(spec, &def, NULL, &error);
//
// A spec is compiled into a constant plModel (model.h), which any number of simulations share (data.h).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_SPEC_H
#define PLIANT_SPEC_H

#include <stdbool.h>

#include "pliant/material.h"
#include "pliant/mesh.h"
#include "pliant/shape.h"
#include "pliant/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plSpec plSpec;

// ---- options

// The friction law of contacts (docs/notation.md).
typedef enum plContactLaw {
  PL_LAW_CONE = 0,     // the paper's convex law: linear compliance with a Coulomb cone
  PL_LAW_SIMILAR = 2,  // Hunt-Crossley, fully implicit (the number 1 belonged to a law that was removed)
  PL_LAW_COULOMB = 3  // linear compliance with Coulomb's friction, by several convex solves (rounds) per step
} plContactLaw;

// How nonlinear materials are coupled with contact.
typedef enum plCoupling {
  PL_COUPLING_CONVERGED,  // linearised again until the coupled momentum balance meets the tolerance
  PL_COUPLING_ONCE        // linearised once, at the free motion, as in the paper
} plCoupling;

// Which contact points two convex rigid shapes get.
typedef enum plRigidContact {
  PL_RIGID_PATCH,  // every corner of the area where their faces meet
  PL_RIGID_POINT   // the closest point alone; where faces lie flat on each other, the middle of their common
                   // area; and corners that would sink in ahead of that point within the step
} plRigidContact;

typedef struct plOptions {
  double dt;        // s, time step; default 0.01
  double duration;  // s, simulated time after which `pliant run` ends; pl_step does not use it; default 1
  plVec3 gravity;   // m/s^2; default (0, 0, -9.81)
  double theta;     // forces are taken at theta q + (1-theta) q0, in [0, 1]; default 1 (backward Euler)
  double theta_vq;  // q = q0 + dt (theta_vq v + (1-theta_vq) v0), in [0, 1]; default 1
  plContactLaw contact_law;  // default PL_LAW_COULOMB
  bool coulomb_strict;  // with PL_LAW_COULOMB: true makes a step fail if its rounds do not converge; default
                        // false: such a step is counted in report.coulomb_capped
  double tolerance;     // relative residual at which the contact problem is solved; default 1e-6
  double free_tolerance;  // the same for the free motion of nonlinear materials; default 1e-8
  int max_iterations;     // Newton iterations after which a step fails with a status; default 500
  // Contact is compliant: a point yields R times its impulse (m/s per N s). w is the inverse of the mass that
  // the point feels (1/kg, docs/notation.md).
  double friction_sigma;  // sigma of the tangential compliance of every contact, R_t = sigma w; default 1e-3
  double near_rigid;      // beta of the least normal compliance, R_n >= beta^2/(4 pi^2) w; default 1
  double gap_closing;     // fraction of a gap that may close in one step, in (0, 1]; values below 1 slow
                          // approaching bodies down; default 1
  double push_out_speed;  // m/s, largest speed at which near-rigid contacts, limits and constraints correct a
                          // violation present at the start of a step; default 0.1; infinity corrects it in
                          // one step
  double push_out_turn;   // rad/s, the same for angles; default 1
  double accuracy;     // m, error control: each step is divided into inner steps whose estimated error stays
                       // below this; default 0: no error control
  int contact_points;  // a flat patch with more contact points than this is reduced to this number (at least
                       // 4); 0: never (default)
  plRigidContact rigid_contact;  // between convex rigid shapes and half spaces; default PL_RIGID_PATCH
  plCoupling coupling;           // of nonlinear materials with contact; default PL_COUPLING_CONVERGED
  int threads;  // threads of one simulation; 0 (the default): as many as make it faster. The results do not
                // depend on it
} plOptions;
enum { PL_OPTION_COUNT = 22 };  // numbers in plOptions; gravity counts as three

PL_API plOptions pl_default_options(void);
// Fails with PL_ERROR_INPUT if a value is outside its range; the error names the option.
PL_API plStatus pl_options_check(const plOptions* options, plError* error);
// Named schemes: "backward_euler" (1, 1), "symplectic_euler" (0, 1), "midpoint" (1/2, 1/2).
PL_API plStatus pl_scheme_by_name(const char* name, double* theta, double* theta_vq, plError* error);

// ---- contact properties of a surface

typedef struct plSurface {
  double friction;  // Coulomb coefficient mu >= 0; default 1; two surfaces combine as 2 a b / (a + b)
  double contact_stiffness;  // Pa/m, pressure per depth of penetration; default infinite (then near_rigid
                             // sets the stiffness); those of two surfaces combine in series
  double relaxation_time;    // s, dissipation time of the laws with linear compliance; default 0.1; those of
                             // two surfaces add up
  double dissipation;  // s/m, Hunt-Crossley dissipation of PL_LAW_SIMILAR; default 10; those of two surfaces
                       // are averaged with weights by stiffness
  plVec3 surface_velocity;  // m/s, velocity of the surface relative to its shape, as of a conveyor belt, in
                            // the shape's frame; rigid shapes only; default 0
  bool mesh_compliance;     // soft facets that touch a round rigid surface (a shape, or a mesh without sharp
                            // edges) get the compliance that their mesh is too coarse to have; default true;
                            // a pair has it only if both surfaces do
} plSurface;

PL_API plSurface pl_default_surface(void);

// ---- a deformable body

typedef struct plDeformableDef {
  const char* name;         // unique: letters, digits and _ - . /; default NULL: must be given
  const plMesh* mesh;       // tetrahedra in the body's frame (m), copied; default NULL: must be given
  plPose pose;              // of the body's frame in the world at the start; default identity
  plMaterial material;      // law, density, damping, element; default pl_default_material()
  plSurface surface;        // contact; default pl_default_surface()
  plVec3 velocity;          // m/s at the start, world; default 0
  plVec3 angular_velocity;  // rad/s at the start about the centre of mass, world; default 0
  bool plane_strain;  // plane strain: no motion along z and no change along z, as in a slice of an infinitely
                      // long body; default false
  bool self_contact;  // contact of the body with itself; default true
  uint32_t mark;      // set by pl_default_deformable_def; a definition without it is refused
} plDeformableDef;

PL_API plDeformableDef pl_default_deformable_def(void);
// *id (may be NULL) gets the body's index.
PL_API plStatus pl_spec_add_deformable(plSpec* spec, const plDeformableDef* def, int* id, plError* error);

// ---- parts of a body: vertices chosen by position or by index

typedef enum plRegionKind {
  PL_REGION_ALL,
  PL_REGION_BOX,
  PL_REGION_SPHERE,
  PL_REGION_HALF_SPACE,
  PL_REGION_INDICES
} plRegionKind;

// A set of vertices of a deformable. Positions are in the body's frame, on the undeformed mesh. Vertices on
// the border are inside (within 1e-9 of the body's size).
typedef struct plRegion {
  plRegionKind kind;  // default PL_REGION_ALL
  plPose pose;        // box: frame of its centre and sides, in the body's frame; default identity
  plVec3 centre;      // m, centre of the box (in the frame `pose`) or sphere, or a point on the plane of the
                      // half space; default 0
  plVec3 size;        // m, full side lengths of the box
  double radius;      // m, of the sphere
  plVec3 normal;      // the half space is where normal . (x - centre) <= 0
  const int* index;   // [nindex] vertex ids, copied. Quadratic tetrahedra also have nodes in the middle of
                      // edges, numbered after the vertices in the order of their edges; such a node is
                      // included if it or both ends of its edge are listed
  int nindex;         // number of entries in index
} plRegion;

PL_API plRegion pl_default_region(void);

enum { PL_FIX_X = 1, PL_FIX_Y = 2, PL_FIX_Z = 4, PL_FIX_ALL = 7 };

// Vertices with prescribed motion: fixed (default), or displaced from their start by a table over time,
// interpolated linearly. Regions of fixed vertices may overlap.
typedef struct plFixDef {
  int deformable;      // index of the body
  plRegion region;     // which vertices; an empty region is an error
  int components;      // PL_FIX_X | PL_FIX_Y | PL_FIX_Z in world axes; default all
  int ntime;           // number of knots of the motion; 0 fixes the vertices
  const double* time;  // [ntime] s, increasing, copied
  // [ntime] m, displacement in the world, copied; constant before the first and after the last knot
  const plVec3* offset;
  uint32_t mark;  // set by pl_default_fix_def; a definition without it is refused
} plFixDef;

PL_API plFixDef pl_default_fix_def(void);
PL_API plStatus pl_spec_add_fix(plSpec* spec, const plFixDef* def, plError* error);

// ---- loads on a deformable body

typedef enum plLoadKind {
  PL_LOAD_VERTEX,         // vector: N on each vertex of the region
  PL_LOAD_FORCE_DENSITY,  // vector: N per m^3 of the undeformed tetrahedra whose vertices all lie in the
                          // region
  PL_LOAD_TRACTION,  // vector: N per m^2 of the undeformed surface triangles whose vertices all lie in the
                     // region
  PL_LOAD_PRESSURE,  // pressure: Pa on those triangles, normal to the deformed surface
  PL_LOAD_COUNT
} plLoadKind;

// "vertex", "force_density", "traction", "pressure"
PL_API const char* pl_load_name(plLoadKind kind);

typedef struct plLoadDef {
  int deformable;      // index of the body
  plRegion region;     // where the load acts; a region without a vertex, tetrahedron or triangle is an error
  plLoadKind kind;     // default PL_LOAD_TRACTION
  plVec3 vector;       // load in world axes, with the unit of its kind; default 0
  double pressure;     // Pa, positive pushes inward; default 0
  int ntime;           // number of knots of a factor over time that multiplies the load; 0: the factor is 1
  const double* time;  // [ntime] s, increasing, copied
  // [ntime] copied; linear in between, constant before the first and after the last knot
  const double* factor;
  uint32_t mark;  // set by pl_default_load_def; a definition without it is refused
} plLoadDef;

PL_API plLoadDef pl_default_load_def(void);
PL_API plStatus pl_spec_add_load(plSpec* spec, const plLoadDef* def, plError* error);

// ---- attachments: vertices of a deformable that move with a rigid body, with another deformable, or stay in
// the world

typedef struct plAttachDef {
  const char* name;  // unique among attachments, as for deformables; default NULL: must be given
  int deformable;    // index of the body
  plRegion region;   // which vertices; an empty region is an error
  int body;          // rigid body, -1: the world (default)
  int other;  // another deformable that holds the vertices instead: each vertex moves with the tetrahedron
              // behind its nearest facet; default -1: none
  double stiffness;  // N/m of the whole attachment, whatever the number of vertices; default infinite (as
                     // stiff as the time step allows)
  double relaxation_time;  // s, dissipation; default 0
  bool exact;     // the vertices follow rigidly and have no degrees of freedom of their own (only linear
                  // materials, only on a rigid body or the world); default false
  bool off;       // true if it is off at the start; default false
  uint32_t mark;  // set by pl_default_attach_def; a definition without it is refused
} plAttachDef;

PL_API plAttachDef pl_default_attach_def(void);
PL_API plStatus pl_spec_add_attachment(plSpec* spec, const plAttachDef* def, int* id, plError* error);

// ---- rigid shapes

// A shape for contact and drawing, fixed in the world or on a rigid body.
typedef struct plShapeDef {
  const char* name;    // unique, as for deformables; default NULL: must be given
  int body;            // index of the rigid body that carries it; -1: the world (default)
  plPose pose;         // in that body's frame; default identity
  plShapeKind kind;    // default PL_SHAPE_BOX
  plVec3 size;         // m, see the kinds; default 0: must be given where it is used
  double radius;       // m
  double length;       // m
  const plMesh* mesh;  // PL_SHAPE_MESH: copied
  bool convex;  // PL_SHAPE_MESH: use the convex hull of its vertices for contact; the mesh need not be closed
                // then; default false
  plSurface surface;  // contact; default pl_default_surface()
  bool collide;       // takes part in contact; default true
  plVec3 colour;      // red, green, blue in [0, 1]; default (0.6, 0.6, 0.6)
  uint32_t mark;      // set by pl_default_shape_def; a definition without it is refused
} plShapeDef;

PL_API plShapeDef pl_default_shape_def(void);
PL_API plStatus pl_spec_add_shape(plSpec* spec, const plShapeDef* def, int* id, plError* error);

// ---- what a command writes while it simulates (paths start at the working folder)

typedef struct plRecordingDef {
  const char* file;     // recording of all frames (output.h), NULL: none (default)
  const char* csv;      // table of signals, NULL: none (default)
  const char* signals;  // names of the table's signals, separated by commas; NULL: none (default)
  double rate;          // frames per simulated second; 0: `every` counts instead (default)
  int every;            // steps from one frame to the next, >= 1; default 1
  uint32_t mark;        // set by pl_default_recording_def; a definition without it is refused
} plRecordingDef;

PL_API plRecordingDef pl_default_recording_def(void);
PL_API plStatus pl_spec_set_recording(plSpec* spec, const plRecordingDef* def, plError* error);  // copied
PL_API const plRecordingDef* pl_spec_recording(const plSpec* spec);

// ---- the spec itself

PL_API plSpec* pl_spec_create(void);  // NULL if memory runs out
PL_API void pl_spec_destroy(plSpec* spec);
PL_API plOptions* pl_spec_options(plSpec* spec);  // the spec's options, to read and change
// Read the definitions in a spec. An index by name is -1 if there is none.
PL_API int pl_spec_deformable_count(const plSpec* spec);
PL_API const plDeformableDef* pl_spec_deformable(const plSpec* spec, int id);
PL_API int pl_spec_find_deformable(const plSpec* spec, const char* name);

// The whole spec as bytes, to send it to another process or to store it without the files it was read from. A
// spec that is read back compiles to a model with the same hash and the same bits.
PL_API size_t pl_spec_size(const plSpec* spec);
PL_API plStatus pl_spec_write(const plSpec* spec, void* bytes, size_t size, plError* error);
// Bytes that were cut off, damaged, or written by another version are refused; then *spec is NULL.
PL_API plStatus pl_spec_read(const void* bytes, size_t size, plSpec** spec, plError* error);

// A function that receives warnings while files are loaded. NULL (default) discards them.
typedef void plWarn(void* user, const char* text);

// What a remark on a robot file is about.
typedef enum plRemarkRank {
  PL_REMARK_PHYSICS,  // the motion differs from what the file asks for
  PL_REMARK_OTHER     // only the drawing differs, or nothing
} plRemarkRank;
// A function that receives remarks on robot files; count is the number of remarks of the same kind.
typedef void plRemark(void* user, plRemarkRank rank, int count, const char* text);

// A value that replaces one of a scene, as in `--set options.dt=0.005`.
typedef struct plOverride {
  const char* key;    // "options.dt"
  const char* value;  // "0.005", as it would stand in the file
} plOverride;

// How files are read. `plLoadOptions options = {0};` gives the defaults.
typedef struct plLoadOptions {
  const plOverride* overrides;  // [noverride]
  int noverride;                // number of overrides
  const char* const* search;    // [nsearch] folders to look for files in, after the scene's own
  int nsearch;                  // number of folders
  plWarn* warn;                 // receives warnings; NULL discards them
  void* warn_user;              // passed to warn and remark
  // If not NULL, receives the remarks on robot files, and warn does not
  plRemark* remark;
  bool strict;                 // true makes a remark of rank PL_REMARK_PHYSICS an error; default false
  long max_tets;               // a scene with more tetrahedra is refused (PL_ERROR_TOO_LARGE); 0: 2 million
  bool ignore_missing_meshes;  // collision meshes of robots that cannot be read are left out with a warning
                               // instead of an error; default false; a scene's `missing_meshes: ignore` says
                               // the same
  size_t max_mesh_bytes;       // a larger mesh file is refused (PL_ERROR_TOO_LARGE); 0: 1 GiB
} plLoadOptions;

// Reads a scene file (docs/scene.md). options may be NULL. Nothing is half-loaded: on failure *spec is NULL.
PL_API plStatus pl_spec_load(const char* path, const plLoadOptions* options, plSpec** spec, plError* error);
// The same from memory; name stands for the file in errors, folder is where relative paths start.
PL_API plStatus pl_spec_parse(const char* name, const char* folder, const char* text, size_t size,
                              const plLoadOptions* options, plSpec** spec, plError* error);

#ifdef __cplusplus
}
#endif
#endif
