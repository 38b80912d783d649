// contact_solve.c: SAP on the participating DoFs, then the interior by back-substitution. Paper: (17), (15).
//
// in: reduced, v_star, points -> out: gamma, vc, work->v
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "constraint/constraint.h"
#include "deform/deform.h"
#include "math/vec3.h"
#include "sap/groups.h"
#include "sap/workspace.h"
#include "step/step.h"

// Impulses -> forces on B, slip and stick.
plStatus pl_step_report_contacts(const plModel* model, plData* data) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  double dt = data->par->options.dt;
  if (!r) return PL_OK;
  pl_reduced_forces(model, r, work->gamma, data->f_constraint);
  pl_exact_forces(model, data, r, work->gamma, data->f_constraint);
  for (int i = 0; i < model->nv; i++) data->f_constraint[i] /= dt;
  if (work->npoint > work->contact_cap) {
    plContact* grown = pl_realloc(data->contact, 0, 2 * (size_t)work->npoint, sizeof *grown);
    if (!grown) return PL_ERROR_MEMORY;
    data->contact = grown;
    work->contact_cap = 2 * work->npoint;
  }
  data->ncontact = work->npoint;
  assert(work->npoint <= r->n && 3 * work->npoint <= r->nrow);
  for (int i = 0; i < work->npoint; i++) {
    assert(r->source[i].kind == PL_ROWS_CONTACT && r->source[i].index == i);
    const plContactPoint* p = &work->point[i];
    const plVec3* f = r->frame[i];
    const double* v = work->vc + 3 * i;
    plVec3 g = pl_rows_contact_impulse(r, work->gamma, i);
    double mu = r->problem.constraint[i].law == PL_SAP_CONE ? r->problem.constraint[i].cone.mu
                                                            : r->problem.constraint[i].hunt_crossley.mu;
    plContact* c = &data->contact[i];
    c->a = pl_contact_side(&p->a);
    c->b = pl_contact_side(&p->b);
    c->position = p->position;
    c->normal = p->normal;
    c->gap = p->gap;
    c->area = p->area;
    c->tri_a = p->a.tri, c->tri_b = p->b.tri;
    c->force = v3_scale(1 / dt, v3_madd(v3_madd(v3_scale(g.x, f[0]), g.y, f[1]), g.z, f[2]));
    c->slip = v3_madd(v3_scale(v[0], f[0]), v[1], f[1]);
    c->stick = g.z > 0 && v2_norm(g.x, g.y) < mu * g.z * (1 - 1e-9);
  }
  return PL_OK;
}

// report.where: the constraint at which the solver failed.
static void name_source(const plModel* model, plData* data, plRowSource source) {
  char* where = data->report.where;
  size_t size = sizeof data->report.where;
  bool contact = source.kind == PL_ROWS_CONTACT || source.kind == PL_ROWS_STOP;
  const plContactPoint* point = contact ? &data->work->point[source.index] : NULL;
  assert(source.index >= 0 && source.index < (contact                             ? data->work->npoint
                                              : source.kind == PL_ROWS_ACTUATOR   ? model->nact
                                              : source.kind == PL_ROWS_PAIR       ? model->nconstraint
                                              : source.kind == PL_ROWS_ATTACHMENT ? data->nattach
                                                                                  : model->nv_rigid));
  switch (source.kind) {
    case PL_ROWS_CONTACT:
    case PL_ROWS_STOP:
      snprintf(where, size, "contact %d of %s and %s", source.index,
               pl_side_name(model, pl_contact_side(&point->a)),
               pl_side_name(model, pl_contact_side(&point->b)));
      break;
    case PL_ROWS_LIMIT:
      snprintf(where, size, "limit of joint %s", model->joint_name[model->dof_joint[source.index]]);
      break;
    case PL_ROWS_FRICTION:
      snprintf(where, size, "friction of joint %s", model->joint_name[model->dof_joint[source.index]]);
      break;
    case PL_ROWS_ACTUATOR:
      snprintf(where, size, "actuator %s", model->act_name[source.index]);
      break;
    case PL_ROWS_EFFORT:
      snprintf(where, size, "effort limit of joint %s", model->joint_name[model->dof_joint[source.index]]);
      break;
    case PL_ROWS_PAIR:
      snprintf(where, size, "constraint %s", model->constraint[source.index].name);
      break;
    case PL_ROWS_ATTACHMENT:
      snprintf(where, size, "attachment %d of %s", source.index,
               model->deform_name[data->attach[source.index].deformable]);
      break;
  }
}

// One convex problem, or with coulomb its rounds.
static plStatus solve(plData* data, const plSapOptions* options, const plSapCoulomb* coulomb,
                      const double* v_guess, double* v) {
  plWork* work = data->work;
  plSapSolution solution = {v, work->gamma, work->vc};
  plStatus status = pl_sap_solve_groups(&work->reduced->problem, options, coulomb, v_guess, &solution,
                                        &data->report.sap, work->sap, work->error);
  // the result may be the start of the next solve
  if (status == PL_ERROR_NOT_CONVERGED) pl_sap_write_solution(work->sap, &solution);
  return status;
}

// The same with the impulses r->push, by constraints of one row each with a constant impulse. (The solver's
// own known impulses need a factor of A, which may be indefinite here.)
static plStatus solve_pushed(plData* data, const plSapOptions* options, const plSapCoulomb* coulomb,
                             const double* v_guess, double* v) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  plArena* arena = &work->step;
  plSapProblem problem = r->problem;
  int n = problem.nconstraint, nclique = problem.nclique, nrow = r->nrow + nclique;
  plSapConstraint* constraint = PL_ARENA_NEW(arena, plSapConstraint, n + nclique);
  plSapRow* row = PL_ARENA_NEW(arena, plSapRow, nclique);
  plSapBlock* block = PL_ARENA_NEW(arena, plSapBlock, nclique);
  double *gamma = PL_ARENA_NEW(arena, double, nrow), *vc = PL_ARENA_NEW(arena, double, nrow),
         *shift = PL_ARENA_NEW(arena, double, 3 * (size_t)(n + nclique));
  if (arena->failed) return PL_ERROR_MEMORY;
  memcpy(constraint, problem.constraint, (size_t)n * sizeof *constraint);
  problem.constraint = constraint, problem.scale = r->diagonal;
  for (int c = 0; c < nclique; c++) {
    const double* push = r->push + r->clique_v0[c];
    bool any = false;
    for (int i = 0; i < problem.clique_nv[c]; i++) any |= push[i] != 0;
    if (!any) continue;
    row[c] = (plSapRow){.R = 1, .lower = 1, .upper = 1};
    block[c] = (plSapBlock){.clique = c, .J = push};
    constraint[problem.nconstraint++] =
        (plSapConstraint){.law = PL_SAP_BOUNDED, .nrow = 1, .nblock = 1, .block = &block[c], .row = &row[c]};
  }
  plSapSolution solution = {v, gamma, vc};
  plSapReport* report = &data->report.sap;
  plStatus status;
  if (coulomb) {
    plSapCoulomb rule = *coulomb;
    memset(shift, 0, 3 * (size_t)problem.nconstraint * sizeof *shift);
    if (rule.start) memcpy(shift, rule.start, 3 * (size_t)n * sizeof *shift), rule.start = shift;
    rule.shift = shift;
    status =
        pl_sap_solve_coulomb(&problem, options, &rule, v_guess, &solution, report, work->sap, work->error);
    if (!status) memcpy(coulomb->shift, shift, 3 * (size_t)n * sizeof *shift);
  } else {
    status = pl_sap_solve(&problem, options, v_guess, &solution, report, work->sap, work->error);
  }
  if (report->worst_constraint >= n) report->worst_constraint = -1;
  // the result may be the start of the next solve
  if (status == PL_ERROR_NOT_CONVERGED) pl_sap_write_solution(work->sap, &solution);
  if (status && status != PL_ERROR_NOT_CONVERGED) return status;
  memcpy(work->gamma, gamma, (size_t)r->nrow * sizeof *gamma);
  memcpy(work->vc, vc, (size_t)r->nrow * sizeof *vc);
  return status;
}

// Coulomb's law: rounds from the shifts of the problem, or from the slip of the guess. The final shifts stay
// in the problem.
static plStatus solve_rounds(plData* data, const plSapOptions* options, const double* v_guess, double* v) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  plSapCoulomb rule = work->coulomb;
  rule.start = r->shift;
  if (!r->shift) r->shift = PL_KEEP(&work->step, double, 3 * (size_t)r->n);
  if (!r->shift) return PL_ERROR_MEMORY;
  rule.shift = r->shift;
  pl_reduced_shift(r, -1);
  plStatus status = (r->push ? solve_pushed : solve)(data, options, &rule, v_guess, v);
  pl_reduced_shift(r, 1);
  data->report.coulomb_rounds += data->report.sap.rounds;
  return status;
}

// options.max_iterations bounds each convex solve. A part has many: rounds of friction, of the coupling and
// of the guard multiply. If all of them together have used what two solves may, and the part can be shorter,
// another one costs more than the two halves, which need few.
static plStatus check_effort(const plData* data) {
  int used = data->report.iterations - data->work->iterations0;
  if (!data->work->may_halve || used <= 2 * data->par->options.max_iterations) return PL_OK;
  return pl_fail(data->work->error, PL_ERROR_NOT_CONVERGED, "not solved after %d iterations", used);
}

// A solve that is more accurate than the step requires may ask for more than rounding allows. Its residual
// then wanders without falling, and what the step requires is met already (coupling.c). Newton's method
// converges quadratically there: after so many iterations without a new smallest residual nothing is gained.
enum { TIGHT_PATIENCE = 24 };

plStatus pl_step_solve_reduced(const plModel* model, plData* data, const double* v_guess, double tolerance,
                               bool correct) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  plStatus status = check_effort(data);
  if (status) return status;
  double* v = PL_ARENA_NEW(&work->step, double, r->clique_v0[r->problem.nclique]);
  if (!v) return PL_ERROR_MEMORY;
  plSapOptions options = pl_sap_quick_options();
  options.relative_tolerance = tolerance;
  options.max_iterations = data->par->options.max_iterations;
  if (tolerance < data->par->options.tolerance) options.patience = TIGHT_PATIENCE;
  options.pool = work->pool;
  plSapReport* report = &data->report.sap;
  status = correct && data->par->options.contact_law == PL_LAW_COULOMB && !work->convex_friction
               ? solve_rounds(data, &options, v_guess, v)
               : (r->push ? solve_pushed : solve)(data, &options, NULL, v_guess, v);
  data->report.iterations += report->iterations;
  data->report.line_search += report->search_evaluations;
  data->report.residual = report->momentum_residual;
  if (status && report->worst_constraint >= 0) name_source(model, data, r->source[report->worst_constraint]);
  if (!status || status == PL_ERROR_NOT_CONVERGED) pl_reduced_scatter(model, r, v, work->v);
  return status;
}

void pl_step_keep_impulses(const plModel* model, const plReduced* r, const double* before, double* v) {
  for (int i = 0; i < model->nv_rigid; i++) v[i] += r->v_star[i] - before[i];
}

plStatus pl_step_contact_solve(const plModel* model, plData* data) {
  plWork* work = data->work;
  memcpy(work->v, data->v_star, (size_t)model->nv * sizeof(double));
  memset(data->f_constraint, 0, (size_t)model->nv * sizeof(double));
  data->ncontact = 0;
  plReduced* r = work->reduced;
  if (!r) return PL_OK;  // no constraints: v = v*
  work->gamma = PL_ARENA_NEW(&work->step, double, r->nrow);
  work->vc = PL_ARENA_NEW(&work->step, double, r->nrow);
  if (work->step.failed) return PL_ERROR_MEMORY;
  plStatus status = pl_step_solve_reduced(model, data, r->v_guess, data->par->options.tolerance, true);
  if (!status) status = pl_step_swing(model, data);
  if (!status) status = pl_step_shake(model, data);
  if (!status) status = pl_step_arms(model, data);
  if (!status) status = pl_step_stall(model, data);
  if (!status) status = pl_step_calm_push_out(model, data);
  // The problem was linearised about velocities that are far from the solution. In the last attempt the
  // rounds of the coupling start from what this solve has reached.
  if (status != PL_ERROR_NOT_CONVERGED || !pl_step_is_last(data) || !pl_step_couples(model, data))
    return status;
  r->rough = true;
  pl_error_clear(work->error);
  return PL_OK;
}

// dv_n = -A_nn^-1 A_np dv_p   (15)
static plStatus interior_of(const plModel* model, plData* data, int b, void* context) {
  plWork* work = data->work;
  (void)context;
  if (work->nparticipating[b] == 0) return PL_OK;
  int iv = model->deform_v0[b], n = pl_deform_nv(data, b);
  double* dv = PL_KEEP(&work->step, double, n);
  if (!dv) return PL_ERROR_MEMORY;
  for (int i = 0; i < work->nparticipating[b]; i++) {
    int at = 3 * work->participating[model->deform_vert0[b] + i];
    assert(at >= 0 && at + 3 <= n);
    for (int k = 0; k < 3; k++) dv[at + k] = work->v[iv + at + k] - data->v_star[iv + at + k];
  }
  pl_chol_interior(work->chol[b], dv, work->pool);
  for (int i = 0; i < n; i++) work->v[iv + i] = data->v_star[iv + i] + dv[i];
  return PL_OK;
}

plStatus pl_step_interior(const plModel* model, plData* data) {
  return pl_deform_each(model, data, interior_of, NULL);
}
