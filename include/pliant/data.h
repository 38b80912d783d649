// data.h: one simulation: its state, the results derived from it, and the function that takes a step.
//
// The state consists of (t, q, v, u, f_user, f_body), the switches and attachments (the discrete part), the
// samples of sensors, and the parameters. A step is a pure function of model and state: a simulation that is
// saved, loaded and continued gives the same bits. Several threads may step several plData of one plModel at
// the same time.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_DATA_H
#define PLIANT_DATA_H

#include "pliant/model.h"
#include "pliant/parameters.h"
#include "pliant/sap.h"

#ifdef __cplusplus
extern "C" {
#endif

// The stages of a step, in order.
typedef enum plStage {
  PL_STAGE_CONTROL,        // tables write u; the user's callback writes u, f_user and f_body
  PL_STAGE_KINEMATICS,     // prescribed motion, poses of bodies, deformation of elements
  PL_STAGE_CONTACTS,       // contact points
  PL_STAGE_PARTITION,      // the vertices that take part in constraints         VI.A
  PL_STAGE_MOMENTUM,       // residual m(v0) and tangent A                      (8), (11)
  PL_STAGE_FACTOR,         // A = L L', stopped at the Schur complement A_hat    VI.B
  PL_STAGE_FREE_MOTION,    // v* = v0 - A^-1 m(v0)                              (10)
  PL_STAGE_CONSTRAINTS,    // A_hat, v*, J, v_hat and laws of the convex problem (17)
  PL_STAGE_CONTACT_SOLVE,  // SAP on the participating DoFs                     (17)
  PL_STAGE_INTERIOR,       // dv_n = -A_nn^-1 A_np dv_p                          (15)
  PL_STAGE_COUPLING,       // nonlinear materials are linearised again until m(v) = J' gamma
  PL_STAGE_GUARD,    // contact points on surfaces that the motion would pass through; solves the step again
  PL_STAGE_ADVANCE,  // q = q0 + dt N v^theta_vq                          (4)
  PL_STAGE_SENSORS,  // sensors take their samples and write their readings
  PL_STAGE_COUNT
} plStage;

PL_API const char* pl_stage_name(plStage stage);

// One contact point of the last step. Forces act on B; A feels the opposite.
typedef struct plContact {
  plSide a, b;      // the two sides, rigid shapes or deformables; equal for a deformable that touches itself
  plVec3 position;  // m, world
  plVec3 normal;    // unit, from A to B
  double gap;       // m, signed distance at the start of the step; negative means overlap
  double area;      // m^2 of surface that the point represents
  plVec3 force;     // N on B, mean over the step
  plVec3 slip;      // m/s, tangential velocity of B relative to A
  bool stick;  // true if the friction force is inside the friction cone, so that the point does not slide
  int tri_a,
      tri_b;  // facet of each side that the point lies on. On a deformable it is a boundary triangle of the
              // model (model->tri_tet is the tetrahedron behind it), on a rigid mesh or box a triangle of
              // that shape; -1 on smooth and convex shapes and at vertices of a crushed body that lie inside
              // the other side
} plContact;

// Pressure is the normal force divided by the area, traction is the force on B divided by the area, and shear
// is the part of the traction along the surface (all in Pa). They are zero for a point without area.
PL_API double pl_contact_pressure(const plContact* contact);
PL_API plVec3 pl_contact_traction(const plContact* contact);
PL_API plVec3 pl_contact_shear(const plContact* contact);

// A force and its moment about a stated point.
typedef struct plWrench {
  plVec3 force, moment;  // N, Nm
} plWrench;

// Kinds of the constraints other than contacts, whose impulses in the last step are kept (forces.h adds them
// up).
typedef enum plImpulseKind {
  PL_IMPULSE_LIMIT,       // position limit of a degree of freedom
  PL_IMPULSE_FRICTION,    // dry friction of a degree of freedom
  PL_IMPULSE_ACTUATOR,    // an actuator with an effort limit
  PL_IMPULSE_CONSTRAINT,  // constraint between bodies or joints
  PL_IMPULSE_ATTACHMENT,  // one vertex of an attachment
  PL_IMPULSE_EFFORT       // all actuators of a degree of freedom together, whose sum is limited
} plImpulseKind;

typedef struct plImpulse {
  plImpulseKind kind;  // kind of the constraint
  int index;           // of the degree of freedom, actuator, constraint or attachment, depending on kind
  int part;  // for limits and tendons 0 is the lower bound and 1 the upper one; for an attachment it counts
             // its vertices
  int nrow;  // number of rows of the constraint: 1, 3 or 6
  double gamma[6];  // N s or Nm s, impulse of each row. Rows that form a vector are in world axes; a weld has
                    // the moment first, then the force
  int a, b;  // rigid bodies on which the impulse acts, -1 for none. For an attachment, b stands for the
             // vertex and is -1
  plVec3 point_a, point_b;  // m, points of the bodies where it acts, world
  plWrench push;  // N s and Nm s, impulse on b at point_b, world axes; the opposite acts on a at point_a.
                  // Zero for constraints that act on joint coordinates
} plImpulse;

// The contacts of two sides taken together.
typedef struct plContactPair {
  int count, pressing;  // number of contact points, and number of those that carry force
  int stick;            // number of force-carrying points that do not slide
  double area;  // m^2, sum over points that carry force or have a gap below a thousandth of the point's size
  double normal_force;  // N, sum of the normal components
  plVec3 force;         // N on the second side
  plVec3 centre;        // m, centre of the normal forces; NaN if there are none
  plVec3 moment;        // Nm on the second side about the centre
  double gap_min;       // m, smallest gap; infinity if there are no points
  double slip_max;      // m/s, largest slip speed of the points that carry force
} plContactPair;

// What a step did.
typedef struct plReport {
  plStatus status;     // of the last step
  long step;           // steps taken so far by this plData
  int constraints;     // number of constraints as the paper counts them: contact points, attached vertices,
                       // active limits and so on
  int contacts;        // contact points
  int iterations;      // Newton iterations of the contact problem
  int line_search;     // evaluations of the cost by the line searches of that problem
  double residual;     // relative momentum residual of the contact problem, scaled as in sap.h
  plSapReport sap;     // details of the last solve of the contact problem: cone violation, slip angle,
                       // regularisation, timing and so on
  int coulomb_rounds;  // with PL_LAW_COULOMB: number of convex solves in this step
  double coulomb_residual;  // m/s, largest deviation from Coulomb's law of any point (pliant/sap.h)
  int coulomb_fallbacks;    // number of points whose deviation is above the tolerance
  int coulomb_capped;       // 1 if coulomb_fallbacks is not 0, else 0
  int couplings;            // how often nonlinear laws were linearised again
  double coupled_residual;  // with nonlinear laws in contact: largest |m(v) - J' gamma| of a body or tree,
                            // divided by the largest of three: a term of that sum, M v, their rounding error
  int free_iterations;      // Newton iterations of the free motion (1 for linear materials)
  double free_residual;     // |m(v*)| divided by the largest of three: a term of m(v*), M v, their rounding
                            // error; for linear materials divided by |A| |dv|
  double free_residual_weight;  // for linear materials: largest entry of m(v*) divided by dt times the body's
                                // weight
  // J, growth of the energy of deformable bodies beyond the work that gravity, loads, contacts, attachments
  // and prescribed motion did on them. It is negative where damping and the time integration dissipate
  // energy, and 0 if it is below the rounding error. It includes what the springs of mesh_compliance return
  // beyond what they had stored. With theta_vq < 1 it includes the energy that a contact adds to its two
  // sides together, and the energy that contacts, balls, welds and distances add to rigid bodies
  // (docs/materials.md, Reported energy gain)
  double energy_gain;
  int factorizations;  // number of Cholesky factorizations of deformable bodies
  int skipped;         // number of degenerate contact candidates that were dropped
  int deep;  // number of penetrations that contact ignores because they are deeper than the body is thick
             // there. The first step from a state that was set also counts penetrations that no contact can
             // undo
  plSide deep_a, deep_b;  // the two sides of the first such penetration; equal for a deformable with itself
  int merged;             // points that were merged into others; the geometry found contacts + merged points
  int guard_rounds;  // number of additional solves with contact points where the motion would have passed
                     // through a surface
  int guard_points;  // number of those contact points
  int parts;  // number of shorter steps that made up this step: 1, or up to 64 if one step had no solution,
              // passed through a surface or gained energy; with options.accuracy those of all inner steps,
              // rejected ones included
  int damped_parts;   // how many of these were taken by backward Euler because the scene's scheme failed
  int coupled_parts;  // how many were taken with the converged coupling because `coupling: once` failed
  int inner;          // number of inner steps with options.accuracy
  double dt;     // s, length of the last of these shorter steps; contacts, impulses and forces belong to it
  int searches;  // number of contact searches
  int rejected;  // inner steps under options.accuracy that were taken again, shorter
  double error;  // m, largest estimated error of an inner step under options.accuracy
  double stage_s[PL_STAGE_COUNT];        // s of wall time in each stage of this step
  double total_stage_s[PL_STAGE_COUNT];  // the same, added up since pl_data_create
  char where[128];                       // after a failure: the body, vertex or constraint that caused it
} plReport;

// What can be switched on and off while the simulation runs.
typedef enum plSwitch {
  PL_SWITCH_CONSTRAINT,  // [nconstraint] constraints between bodies or joints
  PL_SWITCH_LIMIT,       // [nv_rigid] limits of a degree of freedom
  PL_SWITCH_FRICTION,    // [nv_rigid] dry friction of a degree of freedom
  PL_SWITCH_ACTUATOR,    // [nact] actuators
  PL_SWITCH_SHAPE,       // [nshape] contact of a rigid shape
  PL_SWITCH_DEFORMABLE,  // [ndeform] a deformable that is off stays at rest where it is and has no contact
  PL_SWITCH_COUNT
} plSwitch;

// Vertices of a deformable that are held by a rigid body, by another deformable or by the world. Those of the
// model come first, in its order.
typedef struct plAttachment {
  bool on;         // false if it holds nothing at present
  bool exact;      // rigid: the vertices follow the body without compliance and have no degrees of freedom of
                   // their own
  int deformable;  // index of the deformable whose vertices are held
  int body;        // rigid body that holds them; -1 for the world
  int other;       // deformable that holds them instead of a rigid body; -1 for none
  int nvert;       // number of held vertices
  int* vert;       // [nvert] held vertices, counted from the first vertex of their deformable
  double* anchor;  // [3 nvert] m, position of each in the rigid body's frame; zeros if another deformable
                   // holds them
  int* target;     // [4 nvert] if another deformable holds them: vertices of the tetrahedron that holds each,
                   // counted from that deformable's first vertex; else NULL
  double* weight;  // [4 nvert] barycentric coordinates in that tetrahedron (they add up to 1); else NULL
  double stiffness;        // N/m of the whole attachment; may be infinite
  double relaxation_time;  // s, dissipation time of the attachment
} plAttachment;

// A callback for the start of each step. It may write data->u, data->f_user and data->f_body, change switches
// and make attachments. If it returns anything but PL_OK, the step fails with PL_ERROR_CANCELLED; if it
// writes a number that is not finite, with PL_ERROR_NOT_FINITE. When a step fails for any reason, everything
// that the callback wrote is undone as well. It must not step, reset or replace its own simulation: such
// calls return PL_ERROR_INPUT, and pl_data_reset, which has no status, fails an assertion.
typedef plStatus plControl(plData* data, void* user);

struct plData {
  const plModel* model;     // the model that it simulates
  const plParameters* par;  // parameters of this simulation; pl_parameter_set changes them

  // ---- state
  double time;       // s
  double* q;         // [nq] positions; for deformables the vertices' world coordinates (m)
  double* v;         // [nv] velocities (m/s, rad/s)
  double* u;         // [nu] inputs of the actuators
  double* f_user;    // [nv] generalised forces of the user (N, Nm); they stay until changed
  plWrench* f_body;  // [nbody] forces of the user on rigid bodies, at the origin of each body's frame, world
                     // axes (N, Nm); they stay until changed
  bool* on[PL_SWITCH_COUNT];  // switches by kind, for example on[PL_SWITCH_SHAPE][nshape]; pl_switch_set
                              // changes them
  plAttachment* attach;       // [nattach] attachments of the model, then those made by pl_attach
  int nattach;                // number of attachments
  double inner_dt;  // s, with options.accuracy the length of the next inner step; otherwise the length of the
                    // longest part of the last step. 0: not shorter than dt
  int inner_wait;   // number of parts of steps to take before a part of twice inner_dt is tried again
  int inner_failures;  // how often in a row a part of that length failed

  // ---- results of the last step; the word at the end is the stage (PL_STAGE_...) that writes the field
  double* v_star;  // [nv] free-motion velocities                          FREE_MOTION
  double* energy;  // [ndeform] J, kinetic and elastic energy of each body at the end of the step; NULL in a
                   // replay     ADVANCE
  double* energy_gain;   // [ndeform] J, growth of that energy beyond the work done on the body (see
                         // plReport.energy_gain); NULL in a replay     ADVANCE
  double* f_constraint;  // [nv] generalised forces of all constraints (N, Nm), mean over the step   ADVANCE
  double* tet_pi;  // [ntet] pressure of the patch that the tetrahedron belongs to (Pa, tension is positive);
                   // 0 without patches     ADVANCE
  plContact* contact;      // [ncontact] contact points of the step                      ADVANCE
  int ncontact;            // number of contact points
  plImpulse* impulse;      // [nimpulse] impulse of every constraint other than a contact       ADVANCE
  int nimpulse;            // number of impulses
  double* actuator_force;  // [nact] N or Nm, force of each actuator at its joint, mean over the step ADVANCE
  // [model->reading_bytes] readings of all sensors, one after the other (sensor.h)  SENSORS
  unsigned char* reading;
  plReport report;  // what the step did: iterations, residuals, counts, times

  struct plWork* work;  // scratch memory and factors of the stages (src/model/work.h)
};

// A new simulation in the model's initial state. Returns NULL if memory runs out.
PL_API plData* pl_data_create(const plModel* model, plError* error);
PL_API void pl_data_destroy(plData* data);
// Copies the complete state of src, parameters included, to dst. Both must be simulations of one model.
PL_API plStatus pl_data_copy(plData* dst, const plData* src, plError* error);
// Returns to the model's initial state.
PL_API void pl_data_reset(plData* data);
// Sets the callback (see plControl); NULL removes it. user is passed to it.
PL_API void pl_data_set_control(plData* data, plControl* control, void* user);

// Sets f_user and f_body to zero.
PL_API void pl_clear_forces(plData* data);

// Takes one time step of options.dt; with options.accuracy it consists of inner steps whose length is chosen
// by their error. If it fails, every byte of the state is as before, inputs and forces included; data->report
// says why, and error (if not NULL) gets a sentence. The results of the step before it (contacts, forces,
// energy budgets) are lost, unless the control callback ended the step. A data of NULL fails an assertion
// (pliant.h).
PL_API plStatus pl_step(plData* data, plError* error);

// Counts of a call of pl_advance.
typedef struct plAdvanceReport {
  int samples;  // number of steps of options.dt, after each of which sensors are sampled; the last one may be
                // shorter
  int steps;    // number of inner steps
  int rejected;         // number of inner steps that were rejected and taken again with a shorter length
  long factorizations;  // Cholesky factorizations of deformable bodies, those of rejected steps included
  long searches;        // contact searches, the same
  double error;         // m, largest estimated error of an inner step
} plAdvanceReport;

// Steps to the time t_end with an accuracy (m): the estimated error of every inner step stays below it. The
// error is the largest distance over all vertices and rigid bodies (of their origins, and of their rotation
// times the radius of gyration). accuracy = 0 uses that of the options. The control callback is called and
// sensors are sampled every options.dt, which is also the longest inner step; tables of inputs are evaluated
// in every inner step if there is no callback. On failure the state is that of the last complete sample.
// report may be NULL.
PL_API plStatus pl_advance(plData* data, double t_end, double accuracy, plAdvanceReport* report,
                           plError* error);

// Describes violations that constraints will correct once stepping begins: joints outside their limits, and
// pairs whose overlap is larger than options.push_out_speed can undo in one step, or too deep for contact
// (report.deep). warn gets one sentence for each. The state does not change.
PL_API plStatus pl_describe_start(plData* data, plWarn* warn, void* user, plError* error);

// Recomputes tet_pi, the only result that depends on q alone. Call it after changing q by hand.
PL_API void pl_data_refresh(plData* data);

// ---- the discrete state: switches, attachments made and released while the simulation runs (grasp, suction)

// Attaches vertices of a deformable to a rigid body (-1 for the world) at their present relative positions,
// with infinite stiffness (as stiff as the time step allows). *id (may be NULL) gets the index in
// data->attach. Fails with PL_ERROR_NOT_FINITE if q is not finite.
PL_API plStatus pl_attach(plData* data, int deformable, const int* vert, int nvert, int body, int* id,
                          plError* error);
// The same with another deformable: each vertex moves with the tetrahedron behind the facet that is nearest
// to it now.
PL_API plStatus pl_attach_deformable(plData* data, int deformable, const int* vert, int nvert, int other,
                                     int* id, plError* error);
// Switches an attachment on or off. When switched on, it holds its vertices at their present relative
// positions.
PL_API plStatus pl_attachment_set(plData* data, int id, bool on, plError* error);
// Switches one thing on or off; plSwitch says what index counts.
PL_API plStatus pl_switch_set(plData* data, plSwitch kind, int index, bool on, plError* error);
// The number of switches of a kind that a model has.
PL_API int pl_switch_count(const plModel* model, plSwitch kind);

// ---- the complete state as bytes

// pl_state_get writes pl_state_size bytes; pl_state_set restores them in any simulation of the same model:
// one of the same model->hash, which may have other parameters; they are part of the state and are replaced.
// The state of another model is refused with PL_ERROR_MISMATCH and changes nothing, also where the sizes
// agree. Ask for the size each time: attachments, forces on bodies and steps in parts change it.
PL_API size_t pl_state_size(const plData* data);
PL_API plStatus pl_state_get(const plData* data, void* bytes, size_t size, plError* error);
PL_API plStatus pl_state_set(plData* data, const void* bytes, size_t size, plError* error);
// A 64-bit hash of the state's bits.
PL_API uint64_t pl_state_hash(const plData* data);
// Save the state as a file with a checksum, and load it. Loading the state of another model fails with
// PL_ERROR_MISMATCH and changes nothing.
PL_API plStatus pl_state_save(const plData* data, const char* path, plError* error);
PL_API plStatus pl_state_load(plData* data, const char* path, plError* error);

// ---- results for bodies and elements

typedef struct plBodyState {
  double mass;              // kg
  plVec3 com;               // m
  plVec3 momentum;          // kg m/s
  plVec3 angular_momentum;  // kg m^2/s about the centre of mass
  double kinetic_energy;    // J
  double elastic_energy;    // J
  double gravity_energy;    // J, -m g . com
  double volume;            // m^3, present volume
  int inverted;             // elements turned inside out (det F < 0); the laws allow it, matter does not
  plVec3 lower, upper;      // bounding box (m)
} plBodyState;

// Sums up the last step's contacts between two sides of any kind. Forces act on b. For contacts of a body
// with itself (a = b) the resultant force and moment are zero; the other fields are as usual.
PL_API void pl_contact_pair(const plData* data, plSide a, plSide b, plContactPair* pair);

// Mass of a deformable (kg).
PL_API double pl_deformable_mass(const plData* data, int deformable);
// Mass, motion, energies and extent of a deformable in the present state.
PL_API plStatus pl_deformable_state(const plData* data, int deformable, plBodyState* state);

typedef struct plElementState {
  double F[9];              // deformation gradient, column-major
  double green_strain[6];   // xx yy zz xy yz xz
  double cauchy_stress[6];  // Pa, xx yy zz xy yz xz
  double von_mises;         // Pa
  double pressure;          // Pa, -trace/3
  double energy;            // J, elastic energy of the element
} plElementState;

// Results of tetrahedron tet (counted over the whole model).
PL_API plStatus pl_element_state(const plData* data, int tet, plElementState* state);
// The same at a vertex: means over the tetrahedra around it, weighted by volume. energy is the vertex's share
// of their energies.
PL_API plStatus pl_vertex_state(const plData* data, int vertex, plElementState* state);

// Energy balance of a deformable body over the last step (J): kinetic_change + elastic_change = external_work
// - damping_loss + rest. rest contains the work of contacts, attachments and prescribed motion, and the
// numerical damping of the time integration.
typedef struct plEnergyBudget {
  double kinetic, elastic;                // at the end of the step
  double kinetic_change, elastic_change;  // over the step
  double external_work;                   // work of gravity, loads and f_user
  double damping_loss;                    // energy dissipated by Rayleigh damping, >= 0
  double rest;                            // the remainder, see above
} plEnergyBudget;

// Fails with PL_ERROR_INPUT if no step led to the state (at the start, after a reset, after a state was set,
// after a step that failed) and for a replayed recording.
PL_API plStatus pl_energy_budget(const plData* data, int deformable, plEnergyBudget* budget);

#ifdef __cplusplus
}
#endif
#endif
