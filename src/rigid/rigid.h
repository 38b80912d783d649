// rigid.h: rigid trees in the step: from state and inputs to the momentum residual m(v), its tangent A, and
// free motion.
//
// m(v) = M (v - v0) + dt (bias + D v_theta + K x(q_theta) - f)           (8), per tree
// A    = M + theta dt D + theta theta_vq dt^2 K                           (11), symmetric positive definite
//
// M includes armatures; D and K contain joint damping, springs and the gains of actuators; f the inputs and
// the user's forces. With theta = 0 or 1, M and bias are taken at (q0, v0), as in the paper, except for the
// rotation of free and ball joints (gyration.c); otherwise at the theta-state, and m(v) = 0 is solved
// iteratively.
#ifndef PL_RIGID_RIGID_H
#define PL_RIGID_RIGID_H

#include "model/work.h"
#include "rigid/tree.h"

// u from tables, at the time t + theta dt.
void pl_rigid_control(const plModel* model, plData* data);
// The value and slope of actuator i's table at a time.
void pl_actuator_table(const plModel* model, int i, double time, double* value, double* slope);

// act_coefficient and act_length of the actuators on sites, from work->tree. cable.c
void pl_rigid_cables(const plModel* model, plData* data);
// Their forces on bodies (-1: the world) at points, in world axes, at the configuration of work->tree.
typedef void plSiteForce(void* user, int body, plVec3 p, plVec3 force, plVec3 moment);
void pl_rigid_site_forces(const plData* data, plSiteForce* apply, void* user);
// work->tree at (q0, v0), cables; v_guess = v0, 0 where locked.
void pl_rigid_kinematics(const plModel* model, plData* data);
// m(v_guess), tree_A
void pl_rigid_momentum(const plModel* model, plData* data);
// tree_L; a pivot that fails names its joint.
plStatus pl_rigid_factor(const plModel* model, plData* data);
// v_star with m(v_star) = 0; afterwards tree_A and tree_L belong to it.
plStatus pl_rigid_free_motion(const plModel* model, plData* data);
// v_star with the rotation of free and ball joints in momentum form; before, v_star = v0 - A^-1 m(v0).
plStatus pl_rigid_turn(const plModel* model, plData* data);
// Single bodies among some trees: v_star with the rotation of v, which constraints changed, in place of that
// of v_turn, which becomes v.
void pl_rigid_turn_along(const plModel* model, plData* data, const double* v, const bool* tree);
// Some trees: v_star of the balance linearised about v instead of the free motion, A (v - v_star) = m(v),
// with the present A; v_turn becomes v. Only if M and bias are at the theta-state; state is scratch.
plStatus pl_rigid_star_about(const plModel* model, plData* data, const double* v, const bool* tree,
                             const plTreeState* state);
// Trees whose joints turn far, under backward Euler (swing.c). pl_rigid_swing is like pl_rigid_turn, but the
// Coriolis forces of these trees are those at the middle of the motion; PL_ERROR_NOT_CONVERGED without a
// message: the rotation is too large for one step.
typedef struct plSwing plSwing;
plStatus pl_rigid_swing(const plModel* model, plData* data);
// Their v_star with the forces of a step that ends with v.
void pl_rigid_swing_along(const plModel* model, plData* data, const double* v);
// All trees at the middle of a step that ends with v.
plTreeState* pl_rigid_swing_middle(plData* data, const double* v);
// |a - b| / |a|, the largest of these trees, each dof weighted with its inertia; whether that is at most
// options.tolerance.
double pl_rigid_swing_change(const plData* data, const double* a, const double* b);
double pl_rigid_change(const plData* data, const double* a, const double* b,
                       const bool* tree);  // the same of some trees
// The same relative to the largest of |a|, |a - c| and a millionth of these of all: bodies may be at rest.
double pl_rigid_change_beside(const plData* data, const double* a, const double* b, const double* c,
                              const bool* tree);
bool pl_rigid_swing_is_found(const plData* data, const double* a, const double* b);
// Whether tree t is one of them.
bool pl_rigid_swings(const plData* data, int t);
// The same if M and bias are at the theta-state: adds to m(v1), which is being evaluated there.
void pl_rigid_turn_at_theta(plData* data, const double* v1);
// The addition of a step from v0 to v1 to M (v1 - v0) + dt bias at a free or ball joint of tree t: moment
// about the joint's point and force (N m s, N s), world axes. s is the state of M and bias.
plForce pl_rigid_turn_wrench(const plData* data, const plTreeState* s, int t, int node, const double* v0,
                             const double* v1);
// Free joints: corrects q1 so that the centre of mass of everything they carry moves with its own velocity,
// which conserves angular momentum about any point; before, q1 is the joint's own point moved with its
// velocity.
void pl_rigid_carry_centres(const plData* data, const double* v1, double* q1);
// The same for q after a part of the motion.
void pl_rigid_carry_centres_part(const plData* data, const double* v1, double part, double* q);
// The way of the centre of mass of a free body without moving joints relative to its origin, due to rotation
// alone, in a part of a motion that ends with v1; in the joint's axes. Zero for other trees.
plVec3 pl_rigid_centre_turns(const plData* data, int t, const double* v1, double part);
// Free bodies without moving joints: corrects v1 so that the centre of mass keeps the momentum that the
// constraints gave it. The constraints changed the spin of v_star, with M at the old centre; the joint's own
// velocity in v1 compensates for the motion of the centre due to the new spin.
void pl_rigid_keep_momentum(const plData* data, double* v1);
// Trees with moving joints on free bases: the same of the whole tree, in v1 and q1 (links.c).
plStatus pl_rigid_balance_links(const plModel* model, plData* data, double* v1, double* q1);
// Whether tree t has a hinge or slider that moves, or several joints. A single body has none.
bool pl_tree_has_links(const plModel* model, int t);
// The arrays of a state in the arena of the step; false if memory runs out.
bool pl_tree_state_new(const plTree* tree, plArena* arena, plTreeState* state);
// The motion of pl_rigid_advance without advancing: mean [nv] of the velocities, and shift [ntree] (m, world
// axes), which carrying the centres adds to each tree. Without the balance of links.
plStatus pl_rigid_way(plData* data, const double* v1, double* mean, plVec3* shift);
// x := T^-1 x by elimination with row exchanges; T is column-major and is overwritten. False if it is
// singular.
bool pl_solve_dense(int n, double* T, double* x);
// q1 from q0 and the velocity v1 at the end of the step, after balancing its momentum; names the joint if it
// is not finite.
plStatus pl_rigid_advance(const plModel* model, plData* data, double* v1, double* q1);

// The largest angle by which a joint of tree t turns in a step with v1, and whether it is more than an angle.
double pl_rigid_largest_turn(const plModel* model, const plData* data, int t, const double* v1);
bool pl_rigid_turns_far(const plModel* model, const plData* data, int t, const double* v1, double angle);
// A tree whose joints all turn by less than this in a step gains almost no energy, with the bias at (q0, v0)
// or at the middle.
#define PL_SMALL_TURN 0.02
#define PL_SWING_TURN 0.1
// Such an angle in the present part of a step: what the parts add up to counts as in the whole step.
double pl_rigid_turn_of_part(const plData* data, double angle);
// Kinetic energy of every tree and that of its weight and springs; leaves work->tree at q, v.
void pl_rigid_energies(const plModel* model, plData* data, const double* q, const double* v, double* energy);
// Work of forces and constraints on tree t along the step.
double pl_rigid_work(const plData* data, int t, const double* v1);
// Whether the energy of a tree that turns far grew by more than this fraction of its kinetic energy beyond
// the work done on it (gain.c), or whether constraints that store no energy added more than this fraction of
// the total to what single bodies lost. Leaves work->tree at q1, v1.
bool pl_rigid_gains(const plModel* model, plData* data, const double* q1, const double* v1, double part,
                    double given);
// Slows such trees with links down until they have what was there and was put in. A free base keeps the
// momentum of its tree.
plStatus pl_rigid_give_back(const plModel* model, plData* data, double part, double* q1, double* v1);

// The coordinate on which the spring of dof i acts: its position, or a component of the rotation vector of a
// ball or free joint.
double pl_rigid_spring_coordinate(const plModel* model, const double* q, int i);
// m(v) and tree_A for any v.
void pl_rigid_evaluate(const plModel* model, plData* data, const double* v);
// World poses of a node and of a shape at the configuration of work->tree.
plPose pl_node_pose(const plData* data, int node);
plPose pl_rigid_shape_pose(const plData* data, int shape);
// Whether M and bias are taken at the theta-state.
static inline bool pl_rigid_is_iterated(const plData* data) {
  return data->par->options.theta > 0 && data->par->options.theta < 1;
}

#endif
