// laws.c: laws of mechanics that hold for every scene.
//
// Energy: under backward Euler the sum of kinetic and gravitational energy never exceeds its initial value
// plus the work done; with nonlinear laws elastic energy is included. With other schemes, and for the energy
// that the frozen rotation of linear_corotated adds, the gain must be reported as energy_gain. Work is done
// by actuators, driven joints and belts. A compressed contact returns the energy stored in its compliance: at
// most that of a motion at options.push_out_speed. Bodies that start in overlap, if only by the rounding of
// the numbers in the scene, are pushed out as by a wall that moves at this speed: it lifts their weight, and
// an elastic body leaves it at twice the speed. Momentum: without external forces it changes only by the
// weight, up to rounding. Rest: bodies that lie flat do not move. Without weight and inputs, what moves has
// its energy from contacts that removed overlaps: each did at most the work of its force times its overlap.
// There is no bound for distances: a free body flies on, and a lever moves the centre of one that is held
// farther than the point that is pushed.
//
// Tolerances: 1e-3 of the largest energy, for the energy that the near-rigid springs of joint limits, pairs,
// attachments and contacts store and return; 2 % more if energy_gain must explain a rise; the allowances of
// allowances.c, which follow from what a scene does. Not checked: the gain of trees with theta < 1
// (energy_gain does not count joint limits, nor steps without constraints), and the angular momentum of
// everything except free rigid bodies.
#include <float.h>
#include <math.h>
#include <string.h>

#include "judge.h"
#include "math/pose.h"
#include "model/work.h"

// ---- properties of the scene

bool is_driven(const plConstraintDef* c) {
  return c->kind == PL_CONSTRAINT_MOTION || c->ntime > 0 || c->amplitude != 0;
}

// Whether something fixed in the world holds or touches the bodies.
static bool isolated(const plModel* m) {
  for (int i = 0; i < m->nshape; i++)
    if (m->shape_collide[i] && (m->shape_body[i] < 0 || m->body_node[m->shape_body[i]] < 0)) return false;
  for (int j = 0; j < m->njoint; j++)
    if (m->joint_parent[j] < 0 && m->joint_kind[j] != PL_JOINT_FREE) return false;
  for (int i = 0; i < m->nconstraint; i++)
    if (m->constraint[i].kind <= PL_CONSTRAINT_DISTANCE && (m->constraint[i].a < 0 || m->constraint[i].b < 0))
      return false;
  for (int i = 0; i < m->nattach; i++)
    if (m->attach_body[i] < 0 && m->attach_other[i] < 0) return false;
  for (int b = 0; b < m->ndeform; b++)
    if (m->deform_plane[b] || m->par->deform_material[b].damping_mass > 0) return false;
  for (int i = 0; i < m->nv_rigid; i++)
    if (m->dof_locked[i] && m->joint_parent[m->dof_joint[i]] < 0) return false;
  return m->nfix == 0;
}

static bool at_rest(const plModel* m) {
  for (int i = 0; i < m->nv; i++)
    if (m->start_v[i] != 0) return false;
  return true;
}

void run_facts(Run* run, const char* text) {
  const plModel* m = run->model;
  const plOptions* o = &m->par->options;
  Facts* f = &run->facts;
  bool loads = strstr(text, "loads:") != NULL, driven = false, distance = false, belts = false;
  for (int i = 0; i < m->nconstraint; i++) {
    driven |= is_driven(&m->constraint[i]);
    distance |= is_driven(&m->constraint[i]) && m->constraint[i].kind == PL_CONSTRAINT_DISTANCE;
  }
  for (int i = 0; i < m->nshape; i++) belts |= v3_norm(m->par->shape_surface[i].surface_velocity) > 0;
  f->isolated = isolated(m) && !loads;
  bool counted = !loads && m->nfix == 0 && !distance && start_is_fulfilled(run),
       quiet = counted && !driven && !belts && m->nact == 0;
  f->budget = counted && !overlaps_at_start(run->overlaps);
  f->passive = quiet && f->budget;
  bool springs =
      strstr(text, "rest:") != NULL;  // joints that do not start at the rest positions of their springs
  double g = v3_norm(o->gravity);
  f->flat = at_rest(m) && f->passive && !springs && g > 0 && strstr(text, MARK_REST);
  f->still = at_rest(m) && quiet && !springs && g == 0;
  f->implicit = o->theta == 1 && o->theta_vq == 1;
  f->nonlinear = true;
  for (int b = 0; b < m->ndeform; b++)
    f->nonlinear &= m->par->deform_material[b].kind > PL_MATERIAL_LINEAR_COROTATED;
  if (o->coupling != PL_COUPLING_CONVERGED) f->nonlinear = m->ndeform == 0;
  f->rigid_only = m->ndeform == 0;
  f->free_bodies = m->nconstraint == 0;
  for (int j = 0; j < m->njoint; j++) {
    bool free = m->joint_kind[j] == PL_JOINT_FREE && m->joint_parent[j] < 0;
    f->free_bodies &= free, f->trees |= !free;
  }
  for (int i = 0; i < m->nbody; i++) {
    f->push = v3_madd(f->push, m->par->body_mass[i] * m->par->body_gravity[i], o->gravity);
    f->mass += m->par->body_mass[i];
  }
  for (int b = 0; b < m->ndeform; b++) {
    double mass = pl_deformable_mass(run->data, b);
    double lambda, mu;
    pl_material_lame(&m->par->deform_material[b], &lambda, &mu);
    f->push = v3_madd(f->push, mass, o->gravity), f->mass += mass;
    f->stiffness += (fabs(lambda) + 2 * mu) * m->deform_volume[b];
  }
}

// ---- sums

void run_sums(const Run* run, Sums* s) {
  const plModel* m = run->model;
  plRigidTotals rigid;
  plVec3 origin = {0, 0, 0};
  *s = (Sums){0};
  pl_rigid_totals(run->data, &rigid);
  s->kinetic = rigid.kinetic_energy, s->gravity = rigid.gravity_energy, s->elastic = rigid.elastic_energy;
  s->momentum = rigid.momentum, origin = rigid.angular_momentum;
  const plOptions* o = &m->par->options;
  double ahead = (1 - o->theta_vq) * o->dt;
  for (int i = 0; i < m->nbody; i++) {
    plRigidState b;
    if (pl_rigid_body_state(run->data, i, &b)) continue;
    // bodies may fall at different rates; then their weights exert a torque on the whole
    plVec3 weight = v3_scale(m->par->body_mass[i] * m->par->body_gravity[i], o->gravity),
           at = m->par->body_mass[i] > 0 ? v3_madd(b.com, ahead / m->par->body_mass[i], b.momentum) : b.com;
    s->torque = v3_add(s->torque, v3_cross(at, weight));
    s->com = v3_madd(s->com, m->par->body_mass[i], b.com);
    s->moved += v3_norm(b.momentum),
        s->turned += v3_norm(b.angular_momentum) + v3_norm(b.com) * v3_norm(b.momentum);
  }
  for (int i = 0; i < m->ndeform; i++) {
    plBodyState b;
    if (pl_deformable_state(run->data, i, &b)) continue;
    s->kinetic += b.kinetic_energy, s->gravity += b.gravity_energy, s->elastic += b.elastic_energy;
    s->momentum = v3_add(s->momentum, b.momentum);
    origin = v3_add(origin, v3_add(b.angular_momentum, v3_cross(b.com, b.momentum)));
    s->com = v3_madd(s->com, b.mass, b.com);
    s->torque =
        v3_add(s->torque, v3_cross(v3_madd(b.com, ahead / b.mass, b.momentum), v3_scale(b.mass, o->gravity)));
    s->moved += v3_norm(b.momentum),
        s->turned += v3_norm(b.angular_momentum) + v3_norm(b.com) * v3_norm(b.momentum);
  }
  if (run->facts.mass > 0) s->com = v3_scale(1 / run->facts.mass, s->com);
  s->angular = origin;
}

// ---- work done

void run_before(Run* run) {
  const plModel* m = run->model;
  memcpy(run->before, run->data->q, (size_t)m->nq * sizeof(double));
  memcpy(run->before + m->nq, run->data->v, (size_t)m->nv * sizeof(double));
  pl_shape_poses(run->data, run->pose);
  memcpy(run->part_q, run->data->q, (size_t)m->nq * sizeof(double));
  memcpy(run->part_v, run->data->v, (size_t)m->nv * sizeof(double));
  run->data->work->part = run_count_part, run->data->work->part_user = run;
}

// Displacement of a joint of one degree of freedom in this part of the step.
static double way(const Run* run, int joint) {
  int q = run->model->joint_q0[joint];
  return run->data->q[q] - run->part_q[q];
}

static double driven_work(const Run* run) {
  const plModel* m = run->model;
  double sum = 0;
  for (int i = 0; i < m->nconstraint; i++) {
    const plConstraintDef* c = &m->constraint[i];
    double effort, length = 0;
    if (!is_driven(c) || c->kind < PL_CONSTRAINT_COUPLER || pl_constraint_force(run->data, i, NULL, &effort))
      continue;
    if (c->kind == PL_CONSTRAINT_TENDON)
      for (int k = 0; k < c->njoint; k++) length += c->coefficient[k] * way(run, c->joint[k]);
    else
      length = way(run, c->a) - (c->kind == PL_CONSTRAINT_COUPLER ? c->ratio * way(run, c->b) : 0);
    sum += effort * length;
  }
  return sum;
}

// The power of belts: the force on B times the velocity of the surfaces along themselves.
static double belt_work(const Run* run) {
  const plModel* m = run->model;
  double sum = 0;
  for (int i = 0; i < run->data->ncontact; i++) {
    const plContact* c = &run->data->contact[i];
    plSide side[2] = {c->a, c->b};
    for (int k = 0; k < 2; k++)
      if (side[k].kind == PL_SIDE_SHAPE) {
        int g = side[k].index;
        plVec3 w = quat_rotate(run->pose[g].q, m->par->shape_surface[g].surface_velocity);
        w = v3_madd(w, -v3_dot(w, c->normal), c->normal);
        sum += (k ? -1 : 1) * v3_dot(c->force, w);
      }
  }
  return sum * run->data->par->options.dt;
}

// Forces and contacts are those of a part of the step (src/step/parts.c).
void run_count_part(const plData* data, void* user) {
  Run* run = user;
  const plModel* m = run->model;
  for (int i = 0; i < m->nact; i++)
    for (int k = m->act_term0[i]; k < m->act_term0[i + 1]; k++) {
      int q = m->dof_q[m->act_term[k]];
      run->work += data->actuator_force[i] * m->act_coefficient[k] * (data->q[q] - run->part_q[q]);
    }
  run->work += driven_work(run) + belt_work(run);
  run_count_allowances(run);
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    run->impulse += v3_norm(c->force) * data->par->options.dt;
    run->pushed += fmax(0, v3_dot(c->force, c->normal)) * fmax(0, -c->gap);
  }
  // The momentum that the contact solve of each part left over: its residual r, scaled by 1 / sqrt(mass), is
  // relative to the same norm of the momenta and impulses, so |sum r| is at most residual * sqrt(mass * 2
  // E_kinetic).
  run->unsolved += data->report.residual * (sqrt(2 * run->facts.mass * run->last.kinetic) + run->impulse);
  memcpy(run->part_q, data->q, (size_t)m->nq * sizeof(double));
  memcpy(run->part_v, data->v, (size_t)m->nv * sizeof(double));
  overlaps_part(run->overlaps, data);
}

void run_count(Run* run, Verdict* v) {
  const plModel* m = run->model;
  const plData* data = run->data;
  for (int i = 0; i < data->ncontact; i++) {
    v->contact |= v3_norm(data->contact[i].force) > 0;
    if (data->report.step == 1) run->overlap = fmax(run->overlap, -data->contact[i].gap);
  }
  v->contact |= data->report.parts > 1;  // the points are those of its last part
  for (int i = 0; i < data->nimpulse; i++) run->impulse += v3_norm(data->impulse[i].push.force);
  v->capped |= data->report.coulomb_capped != 0;
  double rigid = data->report.energy_gain;  // J, gained by rigid bodies
  for (int b = 0; b < m->ndeform; b++) rigid -= data->energy_gain[b];
  run->gain += fmax(0, rigid);
  for (int b = 0; b < m->ndeform; b++) {
    double *sum = run->watch + 3 * b, *lowest = sum + 1, *largest = sum + 2;
    run->gain += fmax(0, data->energy_gain[b]);
    *sum += data->energy_gain[b], *lowest = fmin(*lowest, *sum), *largest = fmax(*largest, data->energy[b]);
    v->warned |= *sum - *lowest > 0.01 * *largest;
  }
}

// ---- the laws

static void judge_converged(Run* run, int step, Verdict* v) {
  const plReport* r = &run->data->report;
  const plOptions* o = &run->model->par->options;
  bool nonlinear = false;
  for (int b = 0; b < run->model->ndeform; b++)
    nonlinear |= run->model->par->deform_material[b].kind > PL_MATERIAL_LINEAR_COROTATED;
  // relative to the sum of the norms of the impulses; in a plain sum, an actuator that pushes against a limit
  // would cancel
  double contact = fmin(r->residual, r->sap.clique_residual);
  if (r->constraints > 0 && contact > o->tolerance && !r->sap.at_rounding)
    fail(v, OUTCOME_UNCONVERGED, step, "contact residual %.2e", r->residual);
  if (nonlinear && o->theta * o->theta_vq > 0 && r->free_residual > o->free_tolerance && r->constraints == 0)
    fail(v, OUTCOME_UNCONVERGED, step, "free residual %.2e", r->free_residual);
  if (nonlinear && o->coupling == PL_COUPLING_CONVERGED && r->coupled_residual > o->tolerance)
    fail(v, OUTCOME_UNCONVERGED, step, "coupled residual %.2e", r->coupled_residual);
}

static void judge_energy(Run* run, const Sums* s, int step, Verdict* v) {
  const Facts* f = &run->facts;
  const plOptions* o = &run->model->par->options;
  double start = run->start.kinetic + run->start.gravity + run->start.elastic;
  run->scale =
      fmax(run->scale, s->kinetic + s->elastic + fabs(s->gravity - run->start.gravity) + fabs(run->work));
  if (!f->budget) return;
  // energy that a compressed contact may return
  double rounding = 1e-12 * (fabs(s->gravity) + f->stiffness),
         push = v->contact ? 0.5 * f->mass * o->push_out_speed * o->push_out_speed : 0;
  if (run->overlap > 0) push = 4 * push + v3_norm(f->push) * run->overlap;
  double allowed = (1e-3 + run->turned) * run->scale + push + rounding + run->stored + run->lag +
                   fmax(0, run->weight),
         rise = s->kinetic + s->gravity - start - run->work;
  // linear_corotated: the frozen rotation may add elastic energy, which is reported and becomes motion
  if (f->implicit && rise - (f->nonlinear ? 0 : run->gain) > allowed)
    fail(v, OUTCOME_ENERGY, step, "kinetic and gravity energy risen by %.3g J, largest %.3g J, put in %.3g J",
         rise, run->scale, run->work);
  if (f->implicit && f->nonlinear && rise + s->elastic > allowed)
    fail(v, OUTCOME_ENERGY, step, "total energy risen by %.3g J, largest %.3g J, put in %.3g J",
         rise + s->elastic, run->scale, run->work);
  if (!f->rigid_only && !f->trees && rise + s->elastic - run->gain > allowed + 0.02 * run->scale)
    fail(v, OUTCOME_GAIN, step,
         "total energy risen by %.3g J, reported %.3g J, largest %.3g J, put in %.3g J", rise + s->elastic,
         run->gain, run->scale, run->work);
}

static void judge_momentum(Run* run, const Sums* s, int step, Verdict* v) {
  const Facts* f = &run->facts;
  if (!f->isolated || f->mass == 0) return;
  double t = run->data->time;
  plVec3 expected = v3_madd(run->start.momentum, t, f->push);
  double off = v3_norm(v3_sub(s->momentum, expected)),
         size = s->moved + run->start.moved + t * v3_norm(f->push) + run->impulse;
  // bodies at rest move because of rounding in their forces, relative to the speed of sound
  double rounding = 1e-20 * f->mass + DBL_EPSILON * sqrt(f->stiffness * f->mass);
  if (off > 1e-9 * size + run->unsolved + rounding)
    fail(v, OUTCOME_MOMENTUM, step, "off by %.2e of %.2e kg m/s", off, size);
  // the docs promise it for free rigid bodies that nothing touches
  bool kept = f->rigid_only && f->free_bodies && !v->contact;
  off = v3_norm(v3_sub(s->angular, run->angular)),
  size = s->turned + run->start.turned + v3_norm(run->angular);
  if (kept && off > 1e-9 * size) fail(v, OUTCOME_ANGULAR, step, "off by %.2e of %.2e kg m^2/s", off, size);
}

// Flat bodies sink in under their weight, as far as the compliance of contact allows in one or two steps.
static void judge_flat(Run* run, const Sums* s, int step, Verdict* v) {
  const plOptions* o = &run->model->par->options;
  double away = v3_norm(v3_sub(s->com, run->start.com)), g = v3_norm(o->gravity), dt = o->dt,
         allowed = 10 * g * dt * dt + 1e-4 * o->push_out_speed;
  if (away > allowed)
    fail(v, OUTCOME_REST, step, "the centre moved by %.2e m, allowed %.2e m", away, allowed);
}

// Without weight, all energy comes from pushes out of overlaps. What they leave is motion: a free body goes
// on at that speed, and one that is held turns about its hold.
static void judge_still(Run* run, const Sums* s, int step, Verdict* v) {
  const Facts* f = &run->facts;
  double away = v3_norm(v3_sub(s->com, run->start.com)), put_in = run->pushed + run->stored + run->gain,
         energy = s->kinetic + s->elastic - run->start.elastic, mass = fmax(f->mass, 1e-300),
         speed = 1e-8 + sqrt(2 * put_in / mass);
  run->drift += run->model->par->options.dt * speed;
  if (away > 1e-9 + run->drift)
    fail(v, OUTCOME_REST, step, "the centre moved by %.2e m, allowed %.2e m", away, 1e-9 + run->drift);
  if (energy > 0.5 * mass * speed * speed + 1e-12 * f->stiffness)
    fail(v, OUTCOME_REST, step, "moves with %.2e J, pushed by %.2e J", energy, put_in);
}

void run_laws(Run* run, Verdict* v) {
  int step = (int)run->data->report.step - 1;
  Sums s;
  run->angular = v3_madd(run->angular, run->model->par->options.dt, run->last.torque);
  run_sums(run, &s);
  if (!isfinite(s.kinetic + s.gravity + s.elastic)) fail(v, OUTCOME_FINITE, step, "energy");
  judge_converged(run, step, v);
  judge_energy(run, &s, step, v);
  judge_momentum(run, &s, step, v);
  if (run->facts.flat) judge_flat(run, &s, step, v);
  if (run->facts.still) judge_still(run, &s, step, v);
  run->last = s;
}
