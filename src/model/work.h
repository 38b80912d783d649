// work.h: data of the pipeline's stages: constant tables of the model, factors and scratch memory of a
// simulation.
#ifndef PL_MODEL_WORK_H
#define PL_MODEL_WORK_H

#include <assert.h>
#include <math.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "fem/elastic.h"
#include "linalg/bsym.h"
#include "geom/hull.h"
#include "geom/skin.h"
#include "geom/tri_tree.h"
#include "linalg/chol.h"
#include "model/tree.h"
#include "pliant/data.h"
#include "pliant/sap.h"

// One side of a contact point: a point of a deformable's surface (weights on its vertices), or of a rigid
// shape (nvert 0).
typedef struct plContactSide {
  int body;      // deformable body, -1: rigid
  int shape_id;  // rigid shape, -1: deformable
  int nvert;
  const int* vert;       // [nvert] vertices of the model, in the memory of the contact stage
  const double* weight;  // [nvert] sum 1
  int tri;               // boundary triangle of the model, or facet of the rigid shape; -1: none
  int edge;              // edge of its surface on which the point lies, counted from 1; 0: none
} plContactSide;

static inline plSide pl_contact_side(const plContactSide* side) {
  return side->shape_id >= 0 ? (plSide){PL_SIDE_SHAPE, side->shape_id}
                             : (plSide){PL_SIDE_DEFORMABLE, side->body};
}

// Compliance of a surface under a point, in series with its own stiffness: compliance that its mesh is too
// coarse to have.
typedef struct plSpring {
  double compliance;  // m/N; 0: rigid
  double rest;        // m, the gap at which it does not push
  double stop;  // m, the mean overlap beyond which it does not deform further; infinite: not within this step
  double k;     // N/m, of it and of what is in series with it, in this step; 0: rigid      CONSTRAINTS
} plSpring;

// What the area of a point depends on: it is constant for flat faces, edges and corners; for round sides it
// depends on the depth d of the overlap, as sqrt(d) along a line and as d at a point.
typedef enum plAreaKind { PL_AREA_FLAT, PL_AREA_LINE, PL_AREA_POINT, PL_AREA_SHARP } plAreaKind;

// A contact point as the contact search found it, A -> B.
typedef struct plContactPoint {
  plContactSide a, b;
  plVec3 position;  // m
  plVec3 normal;    // unit, from A to B
  double gap;       // m, negative: overlap
  double area;      // m^2, at this gap
  plAreaKind kind;  // how the area grows with the depth
  double least;     // m, depth below which the area does not shrink further
  double share;     // area over the lumped area of the point's vertex: weight of the regularisation
  plSpring spring;
  double resolved;  // m, depth to which the step resolves the surfaces' stiffness; deeper, and where it is
                    // negative, the near-rigid one acts (constraint/contact_rows.c)
  double tangent;   // m, depth at which the law of round sides has its tangent
  bool swept;       // found from a motion (contact/sweep.h): rigid sides act at their own points
  plVec3 position_a, position_b;  // m, those points
} plContactPoint;

// Loads on deformable bodies, each with the objects it acts on: vertices, tetrahedra or boundary triangles of
// the model. Of the four triangles on a face of a quadratic tetrahedron the first is listed.
typedef struct plLoads {
  int n;
  int* body;         // [n]
  plLoadKind* kind;  // [n]
  plVec3* vector;    // [n] N, N/m^3 or N/m^2
  double* pressure;  // [n] Pa
  int* knot0;        // [n + 1] first knot of the factor
  double* time;      // [knot0[n]] s
  double* factor;    // [knot0[n]]
  int* item0;        // [n + 1] first object
  int* item;         // [item0[n]]
} plLoads;

// Constant tables, one per model.
typedef struct plModelWork {
  atomic_int users;             // the caller of pl_model_create, until pl_model_destroy, and every plData
  uint64_t hash3;               // model->hash as state files up to version 3 have it
  plArena arena;                // every array of the model
  plParameters par;             // model->par, its arrays in the arena
  plBsym** pattern;             // [ndeform] the pattern of A; values unused
  plPoints** points;            // [ndeform] quadrature points
  plElastic** elastic;          // [ndeform] their law and assembly
  double** mass;                // [ndeform] [blocks] m^3, M = density mass (x) I_3 on the pattern
  plLoads loads;                // external forces on deformable bodies
  struct plSensorPlan* sensor;  // [nsensor] what each sensor measures (sensor/sensor.h)
  size_t sensor_bytes;          // of their part of a state
  plTriTree**
      shape_tree;  // [nshape] over the surface of a mesh shape (its hull, where it has one), NULL for others
  plChol** chol;   // [ndeform] ordering and symbolic factorization of A, shared by all simulations
  plSkin** deform_skin;  // [ndeform] surfaces at rest, shared except for their geometry
  plSkin** shape_skin;   // [nshape] facets of boxes and meshes that collide; NULL for other shapes
  plHull** shape_hull;   // [nshape] of meshes that are declared convex, NULL for others
  bool* vert_surface;    // [nvert] on the boundary
  plTree* tree;          // rigid bodies in joint coordinates, with the inertia of model->par
  int* body_order;       // [nbody] parents first
  int* joint_node;       // [njoint] the node that moves with the joint's frame M, -1: a fixed joint
  plPose* joint_pose;    // [njoint] M in the child's frame
  // dofs whose limits of force apply to a sum of actuators (compile_effort.c)
  int neffort;       // their number
  int* effort_dof;   // [neffort]
  bool* dof_summed;  // [nv_rigid] it is one of them
  int* effort0;      // [neffort + 1] first entry in effort_act
  int* effort_act;   // [effort0[neffort]] actuators on the dof
  int* effort_term;  // [effort0[neffort]] which of the actuator's terms (act_term) acts there
  bool* act_spring;  // [nact] no limit of a dof applies
} plModelWork;

// Length and scheme of a step; parts of a step, and inner steps under error control, have their own.
typedef struct plScheme {
  double dt, theta, theta_vq;
} plScheme;

// One simulation's memory.
typedef struct plWork {
  plParameters* par;          // data->par, to be changed
  plArena arena;              // arrays that live as long as the simulation
  plArena step;               // memory of one step
  plScheme last;              // length and scheme of the present solve, or of the last one if none is running
  plArena inner;              // memory of one solve of a step under error control (step/accuracy.c)
  bool prepared;              // the memory that only steps need is allocated
  plPool* threads;            // its own, NULL: one thread
  plPool* pool;               // the same, or NULL in a step that runs on the caller alone
  struct plBodyCrew* bodies;  // memory of threads that work on one body each (deform/bodies.c), NULL: none
  plControl* control;
  void* control_user;
  void (*part)(const plData*, void*);  // tests: called after each part of a step, NULL: none
  void* part_user;
  plError* error;  // of the present step, may be NULL

  plBsym* A;                // [ndeform] tangent; pattern shared with the model
  plChol** chol;            // [ndeform] its factor
  uint64_t* factor_key;     // [ndeform] of the set whose constant A chol holds, 0: none   FACTOR
  double* v_guess;          // [nv] v0, or the prescribed velocities     KINEMATICS
  double* v_first;          // [nv] velocities at which bodies are linearised first        MOMENTUM
  double* q_end;            // [nq] positions at the end of the step for v = v_guess        KINEMATICS
  plElasticWork** elastic;  // [ndeform] frozen rotations and fields at points          KINEMATICS, MOMENTUM
  double** D;  // [ndeform] [9 blocks] damping matrix of a nonlinear law (momentum.c), NULL: none   MOMENTUM
  double**
      products;  // [ndeform] [9 n] of nonlinear bodies: velocities v, M (v - v0) and the damping's product
  bool* has_products;              // [ndeform] they belong to the present step (deform/momentum.c)
  double *kinetic_v, *kinetic_of;  // [nv] velocities, [ndeform] kinetic energy of unit density at them
  double* f_ext;                   // [nv] gravity, loads and the user's forces (N)                KINEMATICS
  double* m;                       // [nv] residual m(v_first)                                     MOMENTUM
  double* m_scale;              // [nv] sum of the magnitudes of its terms                           MOMENTUM
  double *q_before, *v_before;  // [nq], [nv] state before the last step               ADVANCE
  double* v_solved;  // [nv_rigid] velocities from the constraints, before their momentum is balanced  ADVANCE
  double* spring_left;  // [ndeform] J, in the springs of its points at the end of the step          ADVANCE
  double rigid_gain;    // J, what rigid bodies gained in the parts of a solve of error control   ADVANCE
  double whole_dt;      // s, length of the step that consists of parts or inner steps
  double dt_limit;      // s, stability limit of the scheme; 0: not known yet           KINEMATICS
  double* v;  // [nv] velocities at the end of the step                       CONTACT_SOLVE, INTERIOR

  plSkin** deform_skin;  // [ndeform] surfaces in the current configuration           CONTACTS
  plSkin**
      shape_skin;  // [nshape] facets of boxes and meshes in the world, NULL for shapes with exact distances
  struct plContactWork* contact;  // data of the contact stage (contact/contact.h)
  plContactPoint* point;          // [npoint] contact points, sorted                     CONTACTS
  int npoint, point_cap;
  int contact_cap;  // of data->contact
  int impulse_cap;  // of data->impulse
  bool stepped;     // q_before, v_before and the impulses belong to the state: a step led to it
  bool in_control;  // the user's callback is running: the state must not be replaced
  bool placed;  // the state was set from outside: the next step also counts vertices buried in other bodies
  int* participating;   // [nvert] vertices (counted in their body) that constraints touch, body by body from
                        // vert0   PARTITION
  int* nparticipating;  // [ndeform]
  bool* same_participating;              // [ndeform] true if the set is that of the partition before
  struct plPartitionJob* partition_job;  // builds symbolic factorizations beside momentum, or NULL
  bool again;  // the guard solves the problem of this step again: linear bodies keep m and A, and their
               // factor and v_star too while the same vertices participate
  bool participate_all;  // every vertex participates: the full problem, for tests that compare it with the
                         // reduced one
  plSapWorkspace* sap;
  plSapCoulomb coulomb;  // settings of the law `coulomb`; benchmarks change the defaults
  bool convex_friction;  // the law `coulomb` is not corrected in this step (set by a stage, cleared by
                         // pl_step)
  bool may_halve;        // the present step can still be halved
  bool may_refine;       // or a shorter one can still be tried by the same method
  bool damped;           // backward Euler takes this part although the scene has another scheme (parts.c)
  bool given;            // the last part failed because contacts gave it energy (advance.c)
  int guard_rounds;      // of the present part; the report has the sum
  int iterations0;       // report.iterations before the present part
  const double* v_warm;  // [nv] start of the solver instead of v_guess, NULL: v_guess
  struct plReduced* reduced;    // the convex problem of this step (constraint/constraint.h), NULL: no
                                // constraints   CONSTRAINTS
  double *gamma, *vc;           // its impulses and constraint velocities
  plPose* shape_world;          // [nshape] poses of the shapes that collide                   KINEMATICS
  int attach_cap;               // of data->attach
  struct plSensorWork* sensor;  // pending samples (sensor/sensor.h), NULL: no sensors   SENSORS
  // ---- rigid trees
  plForce* body_F;          // [nbody] scratch of joint wrenches
  double* reaction;         // [2 nv_rigid] scratch of the same
  plTree forest;            // the model's tree, with the inertia of this simulation's parameters
  plTreeState tree;         // positions and velocities of the nodes at (q0, v0)             KINEMATICS
  double* tree_A;           // [tree_M0[ntree]] one full symmetric block a tree             MOMENTUM
  double* tree_L;           // [tree_M0[ntree]] their factors                               FACTOR
  double* act_coefficient;  // [act_term0[nact]] the model's; those of sites at the present configuration
                            // KINEMATICS
  double* act_length;       // [nact] lengths of the cables through sites
  double* dof_force;        // [nv_rigid] f of the linear law f - K q - D v on each dof     MOMENTUM
  double* dof_K;            // [nv_rigid] springs and position gains
  double* dof_D;            // [nv_rigid] damping and velocity gains
  double* tree_q;           // [nq_rigid] positions at the theta-state, scratch
  double* tree_v;           // [nv_rigid] velocities, scratch
  double* tree_bias;        // [nv_rigid] bias at (q0, v0)                                    MOMENTUM
  bool* tree_swings;        // [ntree] its joints turn far (rigid/swing.c)                   FREE_MOTION
  double* v_turn;           // [nv_rigid] velocities whose rotation the balance of v_star contains
  struct plSwing* swing;    // data of these trees, NULL: there are none
} plWork;

// A simulation starts and stops using a model; the model is freed with its last user.
void pl_model_hold(const plModel* model);
void pl_model_release(const plModel* model);
// Allocates the memory that only steps need: factors, fields of elements, surfaces, contact search. Later
// calls do nothing.
plStatus pl_data_prepare(plData* data, plError* error);

// m/s, rad/s: higher speeds are an instability and end with PL_ERROR_NOT_FINITE.
#define PL_FASTEST 1e6

// The parts of pl_model_create, each in its own file; sizes are added to the model as they become known.
plStatus pl_compile_rigid(const plSpec* spec, plModel* model, plError* error);
void pl_compile_rigid_start(const plSpec* spec, plModel* model);
plStatus pl_compile_actuators(const plSpec* spec, plModel* model, plError* error);
plStatus pl_compile_efforts(const plSpec* spec, plModel* model, plError* error);
uint64_t pl_hash_efforts(const plModel* model, uint64_t h);
uint64_t pl_hash_rigid(const plModel* model, uint64_t h);
uint64_t pl_hash_frames(const plModel* model, uint64_t h);
plStatus pl_compile_deformables(const plSpec* spec, plModel* model, plError* error);
plStatus pl_compile_loads(const plSpec* spec, plModel* model, plError* error);
uint64_t pl_hash_loads(const plModel* model, uint64_t h);
uint64_t pl_hash_load_parts(const plModel* model, uint64_t h);
plStatus pl_compile_shapes(const plSpec* spec, plModel* model, plError* error);
plStatus pl_compile_shared(plModel* model, plError* error);
void pl_destroy_shared(plModel* model);

plStatus pl_compile_attachments(const plSpec* spec, plModel* model, plError* error);
uint64_t pl_hash_attachments(const plModel* model, uint64_t h);

// inside [nvert]: which vertices of body b lie in the region. The midpoint of an edge is in a list if it or
// both ends of the edge are listed.
void pl_mark_region(const plModel* model, int b, const plRegion* region, bool* inside);

// ---- sensors (sensor/)

plStatus pl_compile_sites(const plSpec* spec, plModel* model, plError* error);
plStatus pl_compile_sensors(const plSpec* spec, plModel* model, plError* error);
uint64_t pl_hash_sensors(const plModel* model, uint64_t h);
uint64_t pl_hash_sensor_plans(const plModel* model, uint64_t h);
// Memory for samples; false if it runs out. It lives in the simulation's arena.
bool pl_sensors_create(plData* data);
// Takes the samples of the start, with the noise of a seed below PL_SENSOR_SEEDS; those of the end of a step;
// computes readings from the present samples.
void pl_sensors_reset(plData* data, int seed);
void pl_sensors_step(plData* data);
// Forces of a step that is taken in parts are means over them. Begins with no parts; adds the part that was
// taken last; copies the sums, [pl_sensors_nsum], to and from `sums`: parts that are not kept do not count.
void pl_sensors_begin(plData* data);
void pl_sensors_add_part(plData* data);
int pl_sensors_nsum(const plData* data);
void pl_sensors_keep(const plData* data, double* sums);
void pl_sensors_go_back(plData* data, const double* sums);
void pl_sensors_show(plData* data);
// Whether bytes of a state are valid samples of this model's sensors.
bool pl_sensors_valid(const plModel* model, const void* bytes);
// The samples as bytes, [model->work->sensor_bytes].
unsigned char* pl_sensors_state(const plData* data);
// Moves work->tree to the state at which the last step evaluated its forces, with its accelerations (node_A).
// rigid/reaction.c
void pl_step_place_tree(const plData* data);

// ---- parameters (parameters.c)

// Allocates parameters of a model: the struct and its arrays in one block for pl_free, to be filled by
// pl_parameters_copy. NULL if memory runs out.
plParameters* pl_parameters_create(const plModel* model, plError* error);
void pl_parameters_copy(const plModel* model, plParameters* to, const plParameters* from);
// Checked parameters with these options and values (as pl_parameters_get lists them), to be freed; NULL on
// failure.
plStatus pl_parameters_from(const plData* data, const plOptions* options, const double* value,
                            plParameters** parameters, plError* error);
// Makes checked parameters those of the simulation and updates everything derived from them; threads and
// duration do not change.
void pl_parameters_use(plData* data, const plParameters* par);
// The parameter of this index; NaN if there is none.
double pl_parameter_of(const plModel* model, const plParameters* par, int index);
// 1 or -1 if the model's value is infinite, else 0.
int pl_parameter_sign(const plModel* model, int index);
// Options and values as a state has them, into bytes that need not be aligned.
size_t pl_parameters_bytes(const plModel* model);
void pl_parameters_write(const plModel* model, const plParameters* par, void* bytes);
// Whether the bytes are those of par.
bool pl_parameters_written(const plModel* model, const plParameters* par, const void* bytes);
// Whether they are the model's.
bool pl_parameters_unchanged(const plData* data);
// act_gain and act_bias of actuator i from act_law.
void pl_actuator_apply(const plModel* model, plParameters* par, int i);
// The array behind the pointer at this offset of the struct.
char* pl_parameters_array(const plParameters* par, size_t pointer);
// Creates the struct and its arrays in memory of pl_parameters_room bytes, aligned to 8.
size_t pl_parameters_room(const plModel* model);
plParameters* pl_parameters_place(const plModel* model, void* memory);

// ---- options as a row of numbers (options.c)

void pl_options_pack(const plOptions* options, double* row);
// From a row of n numbers; missing ones have their defaults. The caller checks the result.
plOptions pl_options_unpack(const double* row, size_t n);
// Number i of the row belongs to the option of this name.
bool pl_option_is(int i, const char* name);
// Sets the options that do not affect results (duration, threads) to those of own.
void pl_options_keep(plOptions* options, const plOptions* own);
uint64_t pl_options_hash(const plOptions* options, uint64_t h);

// The world pose of rigid body b (-1: the world) at the configuration of
// work->tree.                  rigid/result.c
plPose pl_body_pose(const plData* data, int body);
// Mass, centre of mass, momentum and box of a deformable, without its elements; the rest is
// 0.             deform/result.c
void pl_deformable_motion(const plData* data, int deformable, plBodyState* state);
// The model's attachments in their initial state; false if memory runs out. constraint/attach.c
bool pl_reset_attachments(plData* data);
// Frees attachments from index first on.
void pl_free_attachments(plData* data, int first);
// Allocates the arrays of one attachment, whose nvert and other are set; false if memory runs out
// (pl_attachment_free frees what was allocated).
bool pl_attachment_alloc(plAttachment* attachment);  // model/state_discrete.c
void pl_attachment_free(plAttachment* attachment);

// Memory of the contact stage; false if it runs
// out.                                                  contact/collider.c
bool pl_contact_work_create(plData* data);
void pl_contact_work_destroy(plData* data);

// Whether an actuator is part of the convex problem: one with gains and a finite limit, or with gains on a
// tendon; others act as forces and in A.
static inline bool pl_actuator_has_sites(const plModel* m, int a) {
  return m->act_site0[a + 1] > m->act_site0[a];
}
static inline bool pl_actuator_is_tendon(const plModel* m, int a) {
  return m->act_term0[a + 1] > m->act_term0[a] + 1 || pl_actuator_has_sites(m, a);
}
// Whether it acts on one dof alone, and only as part of a limited sum.
static inline bool pl_actuator_is_summed(const plModel* m, int a) {
  return !pl_actuator_is_tendon(m, a) && m->work->dof_summed[m->act_dof[a]] && !m->work->act_spring[a];
}
static inline bool pl_actuator_is_constraint(const plData* data, int a) {
  const plModel* model = data->model;
  if (pl_actuator_is_summed(model, a)) return false;
  const plParameters* par = data->par;
  double kp = -par->act_bias[3 * a + 1], kd = -par->act_bias[3 * a + 2];
  bool limited = isfinite(par->act_force_lower[a]) || isfinite(par->act_force_upper[a]),
       tendon = pl_actuator_is_tendon(model, a);
  return (limited || tendon) && kp >= 0 && kd >= 0 && kp + kd > 0;
}
// The limits of an actuator's force that do not depend on other actuators (compile_effort.c): its own; those
// of the dofs of a tendon with gains, too.
void pl_effort_bounds(const plData* data, int a, double* lower, double* upper);
// The coordinate on which an actuator acts, and its rate.
static inline double pl_actuator_position(const plData* data, int a) {
  const plModel* m = data->model;
  double sum = 0;
  if (pl_actuator_has_sites(m, a)) return data->work->act_length[a];
  for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++)
    sum += m->act_coefficient[k] * data->q[m->dof_q[m->act_term[k]]];
  return sum;
}
static inline double pl_actuator_rate(const plData* data, int a, const double* v) {
  const plModel* m = data->model;
  double sum = 0;
  for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++)
    sum += data->work->act_coefficient[k] * v[m->act_term[k]];
  return sum;
}
static inline double pl_actuator_clamp(const plData* data, int a, double f) {
  return fmin(fmax(f, data->par->act_force_lower[a]), data->par->act_force_upper[a]);
}

// The facets of a box or mesh shape in the shape's own frame, with depth limits; *skin is NULL for shapes
// with exact distances.
plStatus pl_shape_skin_create(const plModel* model, int shape, plSkin** skin, plError* error);
// Its facets at a pose in the world: x and the box; the rest is computed if something is near
// (pl_skin_shape).
void pl_shape_skin_move(const plModel* model, int shape, plPose pose, plSkin* skin);
// The centre and the half sizes of its box in the shape's own frame.
void pl_shape_skin_box(const plModel* model, int shape, const plSkin* skin, plVec3* middle, plVec3* half);

// Sets the options to a scheme and returns the previous one: results of the last step are computed with the
// scheme of its solve.
static inline plScheme pl_scheme_use(const plData* data, plScheme to) {
  plOptions* o = &data->work->par->options;
  plScheme was = {o->dt, o->theta, o->theta_vq};
  o->dt = to.dt, o->theta = to.theta, o->theta_vq = to.theta_vq;
  return was;
}

// s, length of the interval to which contacts and impulses belong: the last step, or its last part.
static inline double pl_step_dt(const plData* data) {
  return data->report.dt > 0 ? data->report.dt : data->par->options.dt;
}

// Entries of a deformable's vectors, three for each vertex; its matrices have as many rows.
static inline int pl_deform_nv(const plData* data, int b) {
  const int* vert0 = data->model->deform_vert0;
  assert(b >= 0 && b < data->model->ndeform && data->work->A[b].n == vert0[b + 1] - vert0[b]);
  return 3 * (vert0[b + 1] - vert0[b]);
}
// Mass of a deformable, and of one of its vertices counted in the model (kg).
static inline double pl_deform_mass(const plData* data, int b) {
  return data->par->deform_material[b].density * data->model->deform_volume[b];
}
static inline double pl_vert_mass(const plData* data, int b, int vert) {
  return data->par->deform_material[b].density * data->model->vert_volume[vert];
}

#endif
