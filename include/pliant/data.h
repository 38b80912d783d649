// data.h: one simulation: state, what is derived from it, the step.
//
// The state is (t, q, v, u, f_user, f_body), the discrete part (switches, attachments) and the parameters; a
// step is a pure function of model and state. Saving, loading and going on gives the same bits. Several
// threads may step several plData of one plModel at the same time. SPDX-License-Identifier: Apache-2.0
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
  PL_STAGE_CONTROL,        // the user's callback writes u and f_user
  PL_STAGE_KINEMATICS,     // given motion, poses, deformation
  PL_STAGE_CONTACTS,       // contact points
  PL_STAGE_PARTITION,      // the vertices that take part in constraints         VI.A
  PL_STAGE_MOMENTUM,       // residual m(v0) and tangent A                      (8), (11)
  PL_STAGE_FACTOR,         // A = L L', stopped at the Schur complement A_hat    VI.B
  PL_STAGE_FREE_MOTION,    // v* = v0 - A^-1 m(v0)                              (10)
  PL_STAGE_CONSTRAINTS,    // A_hat, v*, J, v_hat and laws of the convex problem (17)
  PL_STAGE_CONTACT_SOLVE,  // SAP on the participating DoFs                     (17)
  PL_STAGE_INTERIOR,       // dv_n = -A_nn^-1 A_np dv_p                          (15)
  PL_STAGE_COUPLING,       // nonlinear laws: linearised again until m(v) = J' gamma
  PL_STAGE_GUARD,          // what the motion would pass through gets contact points, solved again
  PL_STAGE_ADVANCE,        // q = q0 + dt N v^theta_vq                          (4)
  PL_STAGE_SENSORS,        // samples and readings
  PL_STAGE_COUNT
} plStage;

PL_API const char* pl_stage_name(plStage stage);

// One contact point of the last step. Forces act on B; A feels the opposite.
typedef struct plContact {
  plSide a, b;      // shapes or deformables; equal: a body with itself
  plVec3 position;  // m, world
  plVec3 normal;    // unit, from A to B
  double gap;       // m at the start of the step, negative: overlap
  double area;      // m^2 that the point stands for
  plVec3 force;     // N on B, mean over the step
  plVec3 slip;      // m/s, tangential velocity of B relative to A
  bool stick;       // friction below the cone
  int tri_a,
      tri_b;  // the facet it lies on: of a deformable a boundary triangle of the model (behind it
              // model->tri_tet), of a rigid mesh or box its triangle; -1: none (a smooth or convex shape)
} plContact;

// Normal force over area (Pa), and force on B over area (Pa): along the normal and along the surface. Zero
// for a point without area.
PL_API double pl_contact_pressure(const plContact* contact);
PL_API plVec3 pl_contact_traction(const plContact* contact);
PL_API plVec3 pl_contact_shear(const plContact* contact);

// A force with its moment.
typedef struct plWrench {
  plVec3 force, moment;
} plWrench;

// What one constraint other than a contact did in the last step (forces.h sums them up).
typedef enum plImpulseKind {
  PL_IMPULSE_LIMIT,       // of a degree of freedom
  PL_IMPULSE_FRICTION,    // its dry friction
  PL_IMPULSE_ACTUATOR,    // an actuator with an effort limit
  PL_IMPULSE_CONSTRAINT,  // between bodies or joints
  PL_IMPULSE_ATTACHMENT   // one vertex of an attachment
} plImpulseKind;

typedef struct plImpulse {
  plImpulseKind kind;  // of the constraint
  int index;           // dof, dof, actuator, constraint, attachment
  int part;            // limit, tendon: 0 the lower bound, 1 the upper one; attachment: which of its vertices
  int nrow;            // 1, 3 or 6
  double gamma[6];  // N s, Nm s: the solver's rows, in world axes where they are vectors (weld: moment, then
                    // force)
  int a, b;  // rigid bodies that feel it, -1: none; an attachment's vertex is b, which is no rigid body
  plVec3 point_a, point_b;  // m, where
  plWrench push;  // N s, Nm s on b at its point, world axes; a feels the opposite at its own; zero for rows
                  // of joints
} plImpulse;

// The contacts of two sides taken together.
typedef struct plContactPair {
  int count, pressing;  // points; those that carry force
  int stick;            // pressing points that stick
  double area;          // m^2 of the points that press or are closer than a thousandth of their size
  double normal_force;  // N, sum of the normal parts
  plVec3 force;         // N on the second side
  plVec3 centre;        // m, centre of the normal forces; not a number where there are none
  plVec3 moment;        // Nm on the second side about the centre
  double gap_min;       // m, infinite without points
  double slip_max;      // m/s, of the pressing points
} plContactPair;

// What a step did.
typedef struct plReport {
  plStatus status;  // of the last step
  long step;        // steps taken so far by this plData
  int constraints;  // contact points, attached vertices, active limits, ... as the paper counts
  int contacts;     // contact points
  int iterations;   // Newton iterations of the contact problem
  int line_search;  // evaluations of its line searches
  double residual;  // scaled momentum residual of the contact problem, relative
  plSapReport sap;  // of the last solve of the contact problem: cone violation, slip angle, regularisation,
                    // timing, ...
  int coulomb_rounds;       // PL_LAW_COULOMB: convex solves of this step
  double coulomb_residual;  // m/s: largest difference to Coulomb's law over the points (pliant/sap.h)
  int coulomb_fallbacks;    // points where it is above the tolerance
  int coulomb_capped;       // 1 if there are any
  int couplings;            // how often nonlinear laws were linearised again
  double coupled_residual;  // |m(v) - J' gamma| of nonlinear bodies in contact, relative to its terms, M v
                            // and their rounding
  int free_iterations;      // Newton iterations of the free motion (1 for linear materials)
  double free_residual;     // |m(v*)| relative to the largest of its terms, M v and their rounding; linear
                            // materials: to |A| |dv|
  double free_residual_weight;  // linear materials: largest entry of m(v*) over dt times the body's weight
  double energy_gain;  // J by which the energy of deformable bodies grew beyond the work that gravity, loads,
                       // contacts, attachments and given motion did on them; negative: damping and the scheme
                       // took some away; 0 within rounding
  int factorizations;  // Cholesky factorizations of deformable bodies
  int skipped;         // degenerate contact candidates that were dropped
  int deep;  // overlaps deeper than the body is thick there, in the first step all that nothing can bring
             // apart: left as they are
  plSide deep_a, deep_b;  // the sides of the first of these; equal: a body with itself
  int merged;             // points that were joined with others: geometry found contacts + merged
  int guard_rounds;       // solves of this step with points for what its motion would have passed through
  int guard_points;       // these points
  int parts;              // solves that it was taken in: 1, or up to 16 where that did not hold; under
                          // options.accuracy all those of inner steps, rejected ones too
  int inner;              // inner steps under options.accuracy
  double dt;              // s, length of the part that contacts, impulses and forces are of: the last one
  int searches;           // contact searches
  int rejected;           // inner steps under options.accuracy that were taken again, shorter
  double error;           // m, the largest error of an inner step under options.accuracy, as estimated
  double stage_s[PL_STAGE_COUNT];        // s of wall time in each stage of this step
  double total_stage_s[PL_STAGE_COUNT];  // and since pl_data_create
  char where[128];                       // on failure: the body, vertex or constraint concerned
} plReport;

// What can be switched on and off while the simulation runs.
typedef enum plSwitch {
  PL_SWITCH_CONSTRAINT,  // [nconstraint] constraints between bodies or joints
  PL_SWITCH_LIMIT,       // [nv_rigid] limits of a degree of freedom
  PL_SWITCH_FRICTION,    // [nv_rigid] its dry friction
  PL_SWITCH_ACTUATOR,    // [nact] actuators
  PL_SWITCH_SHAPE,       // [ngeom] contact of a rigid shape
  PL_SWITCH_DEFORMABLE,  // [ndeform] a body that is off stays where it is, at rest, and touches nothing
  PL_SWITCH_COUNT
} plSwitch;

// Vertices of a deformable that are held by a rigid body, by another deformable or by the world. Those of the
// model come first, in its order.
typedef struct plAttachment {
  bool on;
  bool exact;      // no compliance: the vertices have no degrees of freedom of their own
  int deformable;  // body
  int body;        // rigid body, -1: world
  int other;       // deformable that holds them instead, -1: none
  int nvert;
  int* vert;       // [nvert] vertices, counted in their body
  double* anchor;  // [3 nvert] m, where each is held, in the rigid body's frame; other: from the point of its
                   // tetrahedron, 0
  int* target;     // other: [4 nvert] vertices of the tetrahedron that holds each, counted in the other body;
                   // else NULL
  double* weight;  // other: [4 nvert] the point of it, sum 1; else NULL
  double stiffness;        // N/m of the whole, may be infinite
  double relaxation_time;  // s
} plAttachment;

// Called at the start of each step; may write data->u, data->f_user and data->f_body, switch things and make
// attachments. A status other than PL_OK ends the step with PL_ERROR_CANCELLED; a number that is not finite
// ends it with PL_ERROR_NOT_FINITE. Whatever ends a step, what the callback wrote is taken back with the
// rest.
typedef plStatus plControl(plData* data, void* user);

struct plData {
  const plModel* model;
  const plParameters* par;  // this simulation's own numbers; change them with pl_parameter_set

  // ---- state
  double time;       // s
  double* q;         // [nq] positions; for deformables the vertices' world coordinates (m)
  double* v;         // [nv] velocities (m/s, rad/s)
  double* u;         // [nu] actuator inputs
  double* f_user;    // [nv] generalised forces added by the user (N, Nm), kept until changed
  plWrench* f_body;  // [nbody] forces of the user on rigid bodies at the origin of each frame, world axes (N,
                     // Nm), kept until changed
  bool* on[PL_SWITCH_COUNT];  // switches by kind: on[PL_SWITCH_SHAPE][ngeom], ...; change them with
                              // pl_switch_set
  plAttachment* attach;       // [nattach] those of the model, then those made by pl_attach
  int nattach;
  double inner_dt;  // s, the inner step with which options.accuracy goes on; 0: dt

  // ---- written by the last step
  double* v_star;  // [nv] free-motion velocities                          FREE_MOTION
  double* energy;  // [ndeform] J, kinetic and elastic energy of each body at the end of the step; NULL in a
                   // replay     ADVANCE
  double* energy_gain;   // [ndeform] J by which it grew in the step beyond the work put in; negative: damping
                         // and the scheme took some away; NULL in a replay     ADVANCE
  double* f_constraint;  // [nv] generalised forces of all constraints (N, Nm), mean over the step   COUPLING
  double*
      tet_pi;  // [ntet] pressure of the tetrahedron's patch (Pa, tension positive), 0 without patches ADVANCE
  plContact* contact;  // [ncontact]                                           CONTACT_SOLVE
  int ncontact;
  plImpulse* impulse;  // [nimpulse] of every constraint but the contacts       ADVANCE
  int nimpulse;
  double* actuator_force;  // [nact] N or Nm at the joint, mean over the step      ADVANCE
  unsigned char* reading;  // [model->reading_bytes] of all sensors, one behind the other (sensor.h)  SENSORS
  plReport report;

  struct plWork* work;  // scratch memory and factors of the stages (src/model/work.h)
};

// NULL if memory runs out; the state is the model's start.
PL_API plData* pl_data_create(const plModel* model, plError* error);
PL_API void pl_data_destroy(plData* data);
// dst gets the complete state of src, parameters included; both are simulations of one model.
PL_API plStatus pl_data_copy(plData* dst, const plData* src, plError* error);
// Back to the model's start.
PL_API void pl_data_reset(plData* data);
PL_API void pl_data_set_control(plData* data, plControl* control, void* user);

// f_user and f_body zero.
PL_API void pl_clear_forces(plData* data);

// One time step of options.dt; under options.accuracy it is taken in inner steps of their own length. On
// failure every byte of the state is as it was before, inputs and forces included, and
// data->report says why (error, if not NULL, as a sentence).
PL_API plStatus pl_step(plData* data, plError* error);

// What a call of pl_advance did.
typedef struct plAdvanceReport {
  int samples;          // steps of options.dt, the last one may be shorter
  int steps;            // inner steps
  int rejected;         // inner steps that were taken again, shorter
  long factorizations;  // Cholesky factorizations of deformable bodies, those of rejected steps included
  long searches;        // contact searches, the same
  double error;         // m, the largest error of an inner step, as estimated
} plAdvanceReport;

// Steps to the time t_end under an accuracy (m): every inner step's error, as estimated, stays below it in
// the largest distance over all vertices and rigid bodies (their origins, and how far they turned times their
// radius of gyration). accuracy 0: that of the options. The control callback is called, tables of inputs
// aside, and sensors are sampled every options.dt, which is the longest inner step as well. On failure the
// state is that of the last whole sample. report may be NULL.
PL_API plStatus pl_advance(plData* data, double t_end, double accuracy, plAdvanceReport* report,
                           plError* error);

// What the state violates and constraints will take back: joints outside of their limits, pairs that overlap
// by more than options.push_out_speed makes good in a step. A sentence for each goes to warn; the state
// stays.
PL_API plStatus pl_describe_start(plData* data, plWarn* warn, void* user, plError* error);

// Recomputes what is derived from the state for results (tet_pi) after q was changed by hand.
PL_API void pl_data_refresh(plData* data);

// ---- the discrete state: switches, attachments made and released while the simulation runs (grasp, suction)

// Holds vertices of a deformable where they are now relative to a rigid body (-1: the world). *id (may be
// NULL) gets its index in data->attach.
PL_API plStatus pl_attach(plData* data, int deformable, const int* vert, int nvert, int body, int* id,
                          plError* error);
// The same relative to another deformable: each vertex moves with the tetrahedron behind the facet that is
// nearest to it now.
PL_API plStatus pl_attach_deformable(plData* data, int deformable, const int* vert, int nvert, int other,
                                     int* id, plError* error);
// Switches an attachment. Switched on, it holds its vertices where they are now.
PL_API plStatus pl_attachment_set(plData* data, int id, bool on, plError* error);
PL_API plStatus pl_switch_set(plData* data, plSwitch kind, int index, bool on, plError* error);
// How many switches of a kind a model has.
PL_API int pl_switch_count(const plModel* model, plSwitch kind);

// ---- the complete state as bytes

PL_API size_t pl_state_size(const plData* data);
PL_API plStatus pl_state_get(const plData* data, void* bytes, size_t size, plError* error);
PL_API plStatus pl_state_set(plData* data, const void* bytes, size_t size, plError* error);
// 64 bits of the state: equal bits, equal hash.
PL_API uint64_t pl_state_hash(const plData* data);
// As a file with a check sum; loading another model's state is PL_ERROR_MISMATCH and changes nothing.
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
  double volume;            // m^3 now
  plVec3 lower, upper;      // bounding box (m)
} plBodyState;

// The last step's contacts between two sides of any kind. Forces act on b. Points of a body with itself (a =
// b) count for the normal force, the area and the rest, and have no resultant.
PL_API void pl_contact_pair(const plData* data, plSide a, plSide b, plContactPair* pair);

// Mass of a deformable (kg).
PL_API double pl_deformable_mass(const plData* data, int deformable);
PL_API plStatus pl_deformable_state(const plData* data, int deformable, plBodyState* state);

typedef struct plElementState {
  double F[9];              // deformation gradient, column-major
  double green_strain[6];   // xx yy zz xy yz xz
  double cauchy_stress[6];  // Pa, xx yy zz xy yz xz
  double von_mises;         // Pa
  double pressure;          // Pa, -trace/3
  double energy;            // J
} plElementState;

// Results of tetrahedron tet (counted over the whole model).
PL_API plStatus pl_element_state(const plData* data, int tet, plElementState* state);
// The same at a vertex: means over the tetrahedra around it, weighted by volume; energy is their share at the
// vertex.
PL_API plStatus pl_vertex_state(const plData* data, int vertex, plElementState* state);

// Where a body's energy went in the last step (J). kinetic + elastic changes = external_work - damping_loss +
// rest; rest is what contacts, attachments and given motion did, and the scheme's own damping.
typedef struct plEnergyBudget {
  double kinetic, elastic;                // at the end of the step
  double kinetic_change, elastic_change;  // over the step
  double external_work;                   // of gravity, loads and f_user
  double damping_loss;                    // of Rayleigh damping, >= 0
  double rest;                            // the remainder, see above
} plEnergyBudget;

// PL_ERROR_INPUT before the first step, and for a replayed recording.
PL_API plStatus pl_energy_budget(const plData* data, int deformable, plEnergyBudget* budget);

#ifdef __cplusplus
}
#endif
#endif
