// constraint.h: from contacts, joints and attachments to participating DoFs and the rows of the convex
// problem.
#ifndef PL_CONSTRAINT_CONSTRAINT_H
#define PL_CONSTRAINT_CONSTRAINT_H

#include "model/work.h"

// The contact points that can act, each with the position where it acts.
plStatus pl_constraint_points(const plModel* model, plData* data);  // points.c
// The vertices that constraints touch, body by body, and the factor's partition.  VI.A
// With threads, the symbolic factorizations of bodies that are not distributed are built beside what the
// caller does next; pl_constraint_partition_end waits for them. Nothing may use the factor in between.
plStatus pl_constraint_partition(const plModel* model, plData* data);
plStatus pl_constraint_partition_end(plData* data);

// The source of a constraint of the problem.
typedef enum plRowKind {
  PL_ROWS_CONTACT,
  PL_ROWS_STOP,
  PL_ROWS_LIMIT,
  PL_ROWS_ACTUATOR,
  PL_ROWS_EFFORT,
  PL_ROWS_FRICTION,
  PL_ROWS_PAIR,
  PL_ROWS_ATTACHMENT
} plRowKind;
typedef struct plRowSource {
  plRowKind kind;
  int index;        // contact point, contact point (the stop of its spring), dof, actuator, dof, dof,
                    // constraint, attachment
  int part;         // limit, tendon: 0 lower, 1 upper; attachment: index of its vertex; effort: counts its
                    // rows; else 0
  unsigned pushes;  // bits of its rows that correct a violation as stiffly as the step allows
  double mobility;  // 1/kg, of the rows of a pair between bodies
  double turn_mobility;  // 1/(kg m^2), of the angles of a weld
  double curvature;      // 1/(kg m), of the path of a pair between bodies (pl_rows_curvature)
} plRowSource;

// A constraint of the problem while it is built: writable pointers to arrays that the solver only reads.
typedef struct plRows {
  plSapConstraint* c;  // the constraint itself; its arrays are those below
  plSapBlock* block;   // [most_blocks]
  double** J;          // [most_blocks] block[i].J
  double* bias;        // [nrow]
  double* room;        // [36] of three rows: J of the first two blocks, if they are those of single bodies
  plSapRow* row;       // [nrow] of a row law, NULL: another law
} plRows;

// A vertex that moves with a rigid body or the world: v = S v_tree + b.  (attach_exact.c)
typedef struct plExactVertex {
  int deformable, vert;  // vert counted in its body
  int rank;              // index among the participating vertices of its body
  int body;              // rigid body, -1: world
  int tree;              // its tree, -1: none
  int n;                 // degrees of freedom of the tree
  plVec3 anchor;         // m, in the world
  double* S;             // [3 n] column-major
  double b[3];           // m/s
  int attachment, part;  // the attachment, and the index of the vertex in it
  double impulse[3];     // N s: final impulse on the vertex
} plExactVertex;

// The problem on participating DoFs. Cliques: the trees, then those of the deformable bodies, at most
// PL_CLIQUES_OF_BODY for each body, which A_hat couples (cliques.c).
enum { PL_CLIQUES_OF_BODY = 6 };
// The parts of the problem that step/shake.c changes, as they are without it.
typedef struct plUnturned {
  double* bias;             // [rows]
  double *v_star, *v_turn;  // [nv_rigid]
  bool* held;               // [ntree] trees that pairs hold
  bool slow;                // no body turns far: the step is also right without the changes
} plUnturned;
typedef struct plReduced {
  plSapProblem problem;
  double** A;               // [nclique] problem.A
  plSapCoupling* coupling;  // problem.coupling
  double** coupling_A;      // coupling[k].A
  double* v_star;           // [sum of clique_nv] problem.v_star
  int* body;                // [nclique - ntree] deformable body of each clique after the trees
  int* clique_vert0;        // [nclique - ntree + 1] its vertices in vert
  int* vert;                // [participating] vertices of the cliques, counted in their bodies
  int* clique_v0;           // [nclique + 1] first velocity of each clique in the problem
  int *clique_of_vert,
      *row_of_vert;   // [nvert] clique of a participating vertex and its index there, -1: none
  double* v0;         // [sum of clique_nv] velocities at the start of the step: laws depend on them
  double* v_guess;    // [sum of clique_nv] start of the solver: v0, or the result of an earlier round
  bool* likely_open;  // [npoint] contact points that will probably stay open (cliques.c)
  double* diagonal;   // [sum of clique_nv] diagonal of A (before elimination, because regularisation must not
                      // depend on the participating set)
  double* inverse;    // [sum of clique_nv] 1 / diagonal
  plSapConstraint* constraint;  // [cap] n of them are filled
  plRows* rows;                 // [cap]
  plRowSource* source;          // [cap]
  int n, cap;
  int nrow;          // rows of all constraints: entries of gamma and vc
  double* shift;     // [3 n] h and s of Coulomb's law (pliant/sap.h) that are included in bias and v_hat_n;
                     // NULL: none
  plUnturned* base;  // what step/shake.c changed, as it was before; NULL: it did not
  int idle0;         // constraints from here on are limits that can only be reached through other constraints
  int most_blocks;   // largest number of blocks of a constraint
  int coupling_cap;  // capacity of problem.coupling, if there are exact vertices
  plVec3 (*frame)[3];    // [npoint] tangents and normal of each contact
  int* stop;             // [npoint] the constraint that is the stop of the point's spring, -1: none
  plExactVertex* exact;  // [nexact] vertices without degrees of freedom of their own
  int nexact;
  int* exact_of_vert;  // [nvert] -1: none
  double** exact_A;    // [ndeform] A_hat of bodies with exact vertices, both triangles
  double* push;        // [sum of clique_nv] impulses that the next solve adds to those of the constraints;
                       // NULL: none                                                           COUPLING
  bool rough;          // the last solve ended before the solution                           CONTACT_SOLVE
} plReduced;

// Builds it in the step's arena from A_hat, v_star and the state.  (17)
plStatus pl_constraint_reduce(const plModel* model, plData* data, plReduced* reduced);

// The cliques and their vertices.
plStatus pl_reduced_cliques(const plModel* model, plData* data, plReduced* r);
// Copies velocities of the problem to v [nv], and back.
void pl_reduced_scatter(const plModel* model, const plReduced* r, const double* v_reduced, double* v);
void pl_reduced_gather(const plModel* model, const plReduced* r, const double* v, double* v_reduced);
// A_hat and v_star of the cliques of one deformable body; called again if its factor changed. PL_ERROR_MEMORY
// or PL_OK.
plStatus pl_reduced_refresh(const plModel* model, plData* data, plReduced* r, int body);
// f [nv] = J' gamma
void pl_reduced_forces(const plModel* model, const plReduced* r, const double* gamma, double* f);
// Lowers v_hat_n and the tangential bias of the contacts by sign times the shifts.
void pl_reduced_shift(plReduced* r, double sign);
// vc = J v + b at reduced velocities; for contacts the slip itself, without the shift on which friction acts.
void pl_reduced_velocities(const plReduced* r, const double* v_reduced, double* vc);
// The same, with impulses and the sum of the costs of all laws.
double pl_reduced_laws(const plReduced* r, const double* v_reduced, double* vc, double* gamma);

// Exact attachments (attach_exact.c): finds the vertices they hold; adds their part of the diagonals of the
// trees, and of A, couplings and impulses once the rest is complete; the impulses again for another v* of the
// trees; computes velocities of these vertices from those of the problem; f [nv] += impulses of these
// attachments, and the impulse of each vertex.
plStatus pl_exact_list(const plModel* model, plData* data, plReduced* r);
void pl_exact_diagonals(const plModel* model, const plData* data, plReduced* r);
plStatus pl_exact_apply(const plModel* model, plData* data, plReduced* r);
plStatus pl_exact_impulses(const plModel* model, plData* data, plReduced* r);
void pl_exact_velocities(const plModel* model, const plReduced* r, const double* v_reduced, double* v);
void pl_exact_forces(const plModel* model, const plData* data, plReduced* r, const double* gamma, double* f);

// ---- one file each; they add to the problem in a fixed order
plStatus pl_rows_contacts(const plModel* model, plData* data, plReduced* r);  // contact_rows.c
// Impulse of point i, its stop included, in the axes of its frame (N s).
plVec3 pl_rows_contact_impulse(const plReduced* r, const double* gamma, int i);
// Adds the limits that joints can reach by themselves; or, for the trees marked in idle (NULL: the former),
// those that they can reach only if something else pushes them. joint_rows.c
plStatus pl_rows_limits(const plModel* model, plData* data, plReduced* r, const bool* idle);
plStatus pl_rows_actuators(const plModel* model, plData* data, plReduced* r);
// The law of an actuator with gains in its own coordinate, without limits; w: 1/kg of its row.
plSapActuator pl_actuator_sap(const plData* data, int a, double w);
// Actuators whose sum on a dof is limited. effort_rows.c
plStatus pl_rows_efforts(const plModel* model, plData* data, plReduced* r);
plStatus pl_rows_friction(const plModel* model, plData* data, plReduced* r);
plStatus pl_rows_pairs(const plModel* model, plData* data, plReduced* r);  // pair_rows.c
// The violations of the rows of balls, welds and distances at work->tree, up to constants. Entries of
// other rows are not written.
void pl_pairs_gaps(const plModel* model, const plData* data, const plReduced* r, double* g);
// Energy (J) that constraint i of r (a ball, weld or distance that is not driven) stores at work->tree, for a
// step that is not taken in parts.
double pl_pair_energy(const plModel* model, const plData* data, const plReduced* r, int i);
// Length (m) that the drive of a distance adds to it at a time. Energy (J) that the spring of constraint i
// has at work->tree if that is x; 0 without a stiffness.
double pl_pair_drive(const plModel* model, int index, double time);
double pl_pair_spring(const plModel* model, const plData* data, const plReduced* r, int i, double x);
plStatus pl_rows_idle_tendons(const plModel* model, plData* data, plReduced* r, const bool* tree);
// Adds to gain [ndeform] the work that attachments did on their two sides together in a step that ends at q1,
// v1, beyond what they had stored (attach_gain.c).
plStatus pl_attachments_gain(const plModel* model, plData* data, const double* q1, const double* v1,
                             double* gain);
plStatus pl_rows_attachments(const plModel* model, plData* data, plReduced* r);  // attach_rows.c
// Computes J of all pairs or attachments again at the present work->tree, in place. reduce.c
plStatus pl_rows_along(const plModel* model, plData* data, plReduced* r, plRowKind kind);
// k of the rows of each vertex (N/m) in a step of dt.
void pl_attachment_stiffness(const plData* data, const plAttachment* a, double dt, double* stiffness);

// Whether an attachment is on and its bodies take part.
static inline bool pl_attachment_holds(const plData* data, const plAttachment* a) {
  const bool* on = data->on[PL_SWITCH_DEFORMABLE];
  return a->on && on[a->deformable] && (a->other < 0 || on[a->other]);
}
// Target and weight of each vertex of an attachment to another deformable, at the present positions.
plStatus pl_attachment_find_targets(const plData* data, plAttachment* a);  // attach_soft.c

// ---- building blocks of rows (rows.c)

// A new constraint with room for its blocks and a zero bias; NULL if memory runs out.
plRows* pl_rows_new(plData* data, plReduced* r, plRowKind kind, int index, int nrow);
size_t pl_rows_bytes(const plReduced* r, int nrow);  // of the step's memory that this takes
// Gives it a row law with room for its numbers, which are zero; NULL if memory runs out.
plSapRow* pl_rows_law(plData* data, plRows* rows, plSapLaw law);
// Adds sign * axes' v(point) for a deformable's weighted vertices: three rows, one block for each clique;
// exact vertices move with their tree. Prescribed components go to the bias.
plStatus pl_rows_add_vertices(const plModel* model, plData* data, plReduced* r, plRows* rows, int body,
                              int nvert, const int* vert, const double* weight, const plVec3 axes[3],
                              double sign);
// Adds sign * axes' v of the point p of a rigid body (nothing for the world): three rows from row0 on;
// angular: of the angular velocity instead.
plStatus pl_rows_add_body(const plModel* model, plData* data, plReduced* r, plRows* rows, int row0, int body,
                          plVec3 p, const plVec3 axes[3], double sign, bool angular);
// Adds coefficient times the rate of a dof to a row.
plStatus pl_rows_add_dof(const plModel* model, plData* data, plReduced* r, plRows* rows, int row, int dof,
                         double coefficient);
// The Delassus estimate w = |J diag(A)^-1 J'|_F / nrow, for the regularisation.
double pl_rows_delassus(const plReduced* r, const plSapConstraint* c);
// Columns of a block's J; those of its vertices lie in its clique.
int pl_rows_columns(const plReduced* r, const plSapBlock* b);
// vc = J v + b of a constraint at reduced velocities.
void pl_rows_velocity(const plReduced* r, const plSapConstraint* c, const double* v_reduced, double* vc);
// True if dof i is an angle.
bool pl_dof_is_angle(const plModel* model, int dof);
// The bodies that a row connects or separates at the points p_a and p_b (-1: none), and the quantity that the
// row measures.
typedef struct plRowAnchors {
  bool angle;
  int a, b;
  plVec3 p_a, p_b;
} plRowAnchors;
// The rate at which a distance is driven, limited to what hinges can follow. Near a dead centre (links in a
// row, a line through a hinge) they would have to turn infinitely fast. A line of this length that turns by
// phi about its end becomes shorter by length phi^2 / 2, so a step turns it by at most sqrt(2 dt rate /
// length).
double pl_rows_drive(const plModel* model, const plData* data, const plReduced* r, const plSapConstraint* c,
                     double rate, double length);

// Limits the speed at which violations are corrected to options.push_out_speed (or _turn), treating the n
// rows from row0 on as one vector, and also so that no hinge turns faster than options.push_out_turn because
// of it. The increase of the violation due to the rotation of the bodies in each step is added to the limit;
// otherwise it would accumulate. Rows softer than near rigid (R_nr) have a stiffness of their own and are not
// changed. Not for gaps that may close. c is the constraint added last.
void pl_rows_slow_down(const plModel* model, const plData* data, plReduced* r, const plSapConstraint* c,
                       plRowAnchors anchors, double R_nr, int row0, int n, plSapRow* row);
// R of a near-rigid row that is not a contact.
static inline double pl_rows_near_rigid(double w) {
  return PL_SAP_BETA * PL_SAP_BETA / (4 * M_PI * M_PI) * w;
}
// The limit for the last row of a contact, without the part due to rotation. The contact is the constraint
// added last and is marked as pushing.
double pl_rows_push_out(const plModel* model, const plData* data, plReduced* r, const plSapConstraint* c);
// That part.
double pl_rows_turning(const plModel* model, const plData* data, plRowAnchors anchors);
// The limit for a point of a body that does not turn a hinge by itself.
double pl_rows_push_out_at(const plModel* model, const plData* data, int body, plVec3 p);
// An estimate of the curvature of a pair's path, as if joints moved one by one: the second derivative of the
// path along velocities v is of the order of this number times v'A v. Points turn with their bodies, and the
// line of a distance (one row) turns with its ends.
double pl_rows_curvature(const plModel* model, const plData* data, const plReduced* r, int nrow,
                         plRowAnchors anchors);
// The same, times the impulses gamma of constraint i, a pair between bodies (1/s): exact for all motions of
// their trees, as a Frobenius norm.  bend.c
plStatus pl_pair_bend(const plModel* model, plData* data, const plReduced* r, int i, const double* gamma,
                      double* norm);
// Sets the law of all rows with one near-rigid R: PL_SAP_BILATERAL with g [nrow]; the first three of six rows
// are angles.
plStatus pl_rows_holonomic(const plModel* model, plData* data, plReduced* r, plRows* rows, const double* g,
                           double stiffness, double relaxation_time, plRowAnchors anchors);

#endif
