// residual.c: the momentum residual relative to the stopping test and to rounding errors.
//
// p, jg, gamma, grad -> residuals, the worst clique, the constraint to blame
#include <float.h>
#include <math.h>
#include <string.h>

#include "sap/report.h"

static const double CLIQUE_FLOOR =
    1e-6;  // the scale of a clique is at least this fraction of that of the whole
static const double ROUNDING_LIMIT =
    100;  // times the tolerance: larger residuals are never attributed to rounding
static const double NOT_LARGER =
    1 - 1e-9;  // a sum of impulses is at most as large as their sizes, up to rounding

void pl_sap_scale(plSapWorkspace* ws) {
  memset(ws->S, 0, (size_t)ws->lay.nv * sizeof *ws->S);
  ws->summed = false;
  for (int k = 0; k < ws->pattern.npos; k++) {
    int c = ws->pattern.pos_clique[k], nv = ws->problem->clique_nv[c];
    const double *A = ws->problem->A[c], *scale = ws->problem->scale;
    for (int j = 0, at = ws->lay.clique_dof0[c]; j < nv; j++)
      ws->S[at + j] = 1 / sqrt(scale ? scale[at + j] : A[(size_t)j * (size_t)nv + (size_t)j]);
  }
}

// |S J' g|^2 for block k of n rows
static double block_norm2(const plSapWorkspace* ws, int k, int n, const double* g) {
  const plSapLayout* lay = &ws->lay;
  const plSapBlock* b = lay->blk + k;
  const double* S = ws->S + lay->clique_dof0[b->clique];
  const int* list = lay->blk_list[k];
  double sum = 0;
  if (n == 3 && list) {
    for (int c = 0; c < lay->blk_used[k]; c++) {
      const double* J = b->J + 3 * (size_t)list[c];
      double f = (J[0] * g[0] + J[1] * g[1] + J[2] * g[2]) * S[list[c]];
      sum += f * f;
    }
    return sum;
  }
  for (int c = 0; c < lay->blk_used[k]; c++) {
    int j = list ? list[c] : c;
    const double* J = b->J + (size_t)j * (size_t)n;
    double f = 0;
    for (int r = 0; r < n; r++) f += J[r] * g[r];
    f *= S[list ? j : 3 * b->vert[j / 3] + j % 3];
    sum += f * f;
  }
  return sum;
}

// the same for a point
static double point_norm2(const plSapWorkspace* ws, int k, const double* g) {
  const plSapLayout* lay = &ws->lay;
  const plSapBlock* b = lay->blk + k;
  const double *S = ws->S + lay->clique_dof0[b->clique], *base = lay->blk_base[k];
  double f[3], sum = 0;
  for (int i = 0; i < 3; i++) f[i] = base[3 * i] * g[0] + base[3 * i + 1] * g[1] + base[3 * i + 2] * g[2];
  for (int v = 0; v < b->nvert; v++)
    for (int i = 0; i < 3; i++) {
      double h = lay->blk_weight[k][v] * f[i] * S[3 * b->vert[v] + i];
      sum += h * h;
    }
  return sum;
}

// |S J' g|^2 for block k of constraint i
static double norm2_of(const plSapWorkspace* ws, int i, int k, const double* g) {
  const plSapLayout* lay = &ws->lay;
  int n = lay->con_row0[i + 1] - lay->con_row0[i];
  return n == 3 && lay->blk_base[k] ? point_norm2(ws, k, g) : block_norm2(ws, k, n, g);
}

// sum_i |S J_i' gamma_i| for each clique; returns sum_i |S J_i' gamma_i|^2 over all.
static double impulse_sums(plSapWorkspace* ws, const double* gamma, double* sum) {
  const plSapLayout* lay = &ws->lay;
  double all2 = 0;
  memset(sum, 0, (size_t)lay->nclique * sizeof *sum);
  for (int i = 0; i < lay->nconstraint; i++) {
    int n = lay->con_row0[i + 1] - lay->con_row0[i];
    const double* g = gamma + lay->con_row0[i];
    if (n == 3 && pl_sap_is_open(g)) continue;
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      double norm2 = norm2_of(ws, i, k, g);
      sum[lay->blk[k].clique] += sqrt(norm2), all2 += norm2;
    }
  }
  return all2;
}

// |S f| over the degrees of freedom of one clique
static double clique_norm(const plSapWorkspace* ws, int c, const double* f) {
  double sum = 0;
  for (int i = ws->lay.clique_dof0[c]; i < ws->lay.clique_dof0[c + 1]; i++)
    sum += ws->S[i] * f[i] * ws->S[i] * f[i];
  return sqrt(sum);
}

// The ratio of r to scale + absolute / relative tolerance, so that a residual below the absolute tolerance
// is small too.
static double relative_to(double r, double scale, const plSapOptions* o) {
  double size = scale + (o->relative_tolerance > 0 ? o->absolute_tolerance / o->relative_tolerance : 0);
  return size > 0 ? r / size : r;
}

// The ratio of the residual of the whole problem to its tolerance; |S r|, |S A v| and |S J' gamma| of each
// clique, into clique_norm.
static double whole_residual(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report) {
  const plSapPattern* p = &ws->pattern;
  double r2 = 0, av2 = 0, jg2 = 0, *Av = ws->dp;
  // A v = A v_star + A x
  for (int i = 0; i < ws->lay.nv; i++) Av[i] = ws->Av_star[i] + ws->p[i];
  for (int k = 0; k < p->npos; k++) {
    int c = p->pos_clique[k];
    double r = clique_norm(ws, c, ws->grad), a = clique_norm(ws, c, Av), j = clique_norm(ws, c, ws->jg);
    r2 += r * r, av2 += a * a, jg2 += j * j;
    ws->clique_norm[c] = (plSapNorms){r, a, j};
  }
  double scale = sqrt(fmax(av2, jg2)), r = sqrt(r2);
  ws->residual = r, ws->residual_scale = scale;
  report->momentum_residual = relative_to(r, scale, options);
  return r / (options->absolute_tolerance + options->relative_tolerance * scale);
}

double pl_sap_momentum_residual(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report) {
  (void)whole_residual(ws, options, report);
  return report->momentum_residual;
}

// The largest ratio of the residual of a clique to its tolerance. Its scale has a part from the impulses:
// their sizes one by one (sum), or the size of their sum, which is not larger.
static double worst_clique(const plSapWorkspace* ws, const plSapOptions* options, const double* sum,
                           plSapReport* report) {
  const plSapPattern* p = &ws->pattern;
  double worst = -1;
  report->clique_residual = 0;
  for (int k = 0; k < p->npos; k++) {
    int c = p->pos_clique[k];
    plSapNorms n = ws->clique_norm[c];
    double impulse = sum ? sum[c] : NOT_LARGER * n.impulse;
    double s = fmax(fmax(n.momentum, impulse), CLIQUE_FLOOR * ws->residual_scale);
    double allowed = options->absolute_tolerance + options->relative_tolerance * s;
    report->clique_residual =
        fmax(report->clique_residual, n.residual > 0 ? relative_to(n.residual, s, options) : 0);
    if (n.residual / allowed > worst) worst = n.residual / allowed, report->worst_clique = c;
  }
  return worst;
}

double pl_sap_residual(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report) {
  double ratio = whole_residual(ws, options, report);
  if (!isfinite(ws->residual)) return NAN;
  // impulses are summed one by one only if the verdict depends on it
  if (ratio <= 1) {
    double most = fmax(ratio, worst_clique(ws, options, NULL, report));
    if (most <= 1) return most;
  }
  if (!ws->summed) ws->impulse_size = sqrt(impulse_sums(ws, ws->gamma, ws->clique_sum));
  ws->summed = true;
  ws->impulse_scale = fmax(ws->residual_scale, ws->impulse_size);
  return fmax(ratio, worst_clique(ws, options, ws->clique_sum, report));
}

// rounding error of gamma: eps G (|J| |v| + |b| + |v_hat|) for each row, into e
static void impulse_rounding(plSapWorkspace* ws, double* e) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* con = ws->problem->constraint + i;
    int n = con->nrow, r0 = lay->con_row0[i];
    double* u = ws->ls_vc + r0;
    for (int r = 0; r < n; r++) u[r] = con->bias ? fabs(con->bias[r]) : 0;
    if (con->law == PL_SAP_CONE)
      u[2] += fabs(con->cone.v_hat_n);
    else if (!pl_sap_is_contact(con->law) && con->law != PL_SAP_ACTUATOR)
      for (int r = 0; r < n; r++) u[r] += fabs(con->row[r].v_hat);
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      const plSapBlock* b = lay->blk + k;
      const double* J = b->J;
      for (int j = 0; j < lay->blk_ncol[k]; j++, J += n) {
        int d = lay->clique_dof0[b->clique] + (b->nvert > 0 ? 3 * b->vert[j / 3] + j % 3 : j);
        double v = fabs(ws->problem->v_star[d]) + fabs(ws->x[d]);
        for (int r = 0; r < n; r++) u[r] += fabs(J[r]) * v;
      }
    }
    const double* G = ws->G + lay->con_G0[i];
    for (int r = 0; r < n; r++) {
      double g = fabs(ws->gamma[r0 + r]);
      if (pl_sap_is_contact(con->law))
        g += fabs(G[r]) * u[0] + fabs(G[r + 3]) * u[1] + fabs(G[r + 6]) * u[2];
      else
        g += G[r] * u[r];
      e[r0 + r] = DBL_EPSILON * g;
    }
  }
}

// y = |A| |x| on touched cliques
static void momentum_sizes(const plSapWorkspace* ws, const double* x, double* y) {
  const plSapPattern* p = &ws->pattern;
  const int *dof0 = ws->lay.clique_dof0, *nv = ws->problem->clique_nv;
  memset(y, 0, (size_t)ws->lay.nv * sizeof *y);
  for (int k = 0; k < p->npos; k++) {
    int c = p->pos_clique[k], n = nv[c];
    const double *A = ws->problem->A[c], *xc = x + dof0[c];
    double* yc = y + dof0[c];
    for (int j = 0; j < n; j++)
      for (int i = j; i < n; i++) {
        double a = fabs(A[(size_t)j * (size_t)n + (size_t)i]);
        yc[i] += a * fabs(xc[j]);
        if (i != j) yc[j] += a * fabs(xc[i]);
      }
  }
  for (int k = 0; k < p->ncoupling; k++) {
    const plSapCoupling* c = ws->problem->coupling + k;
    if (p->clique_pos[c->row] < 0) continue;
    for (int j = 0; j < nv[c->col]; j++)
      for (int i = 0; i < nv[c->row]; i++) {
        double a = fabs(c->A[(size_t)j * (size_t)nv[c->row] + (size_t)i]);
        y[dof0[c->row] + i] += a * fabs(x[dof0[c->col] + j]);
        y[dof0[c->col] + j] += a * fabs(x[dof0[c->row] + i]);
      }
  }
}

bool pl_sap_at_rounding(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, bool stuck) {
  const plSapPattern* p = &ws->pattern;
  double absolute = options->absolute_tolerance, relative = options->relative_tolerance;
  // Impulses one by one: those of an actuator against a limit, or of two opposite contacts, are large while
  // their sum is small. Their rounding errors must be compared with the impulses, not with the sum.
  double scale = ws->residual_scale, single = ws->impulse_scale, r = ws->residual;
  if (r > ROUNDING_LIMIT * (absolute + relative * single)) return false;
  double *e = ws->ls_gamma, *noise = ws->clique_sum, noise2 = 0;
  (void)pl_sap_residual(ws, options, report);  // a second call finds other values in dp and clique_sum
  ws->summed = false;                          // clique_sum will hold the noise
  // the scale of each clique's tolerance
  double* allowed = ws->clique_size;
  for (int k = 0; k < p->npos; k++) {
    int c = p->pos_clique[k];
    allowed[c] = fmax(clique_norm(ws, c, ws->dp), ws->clique_sum[c]);
    double limit = absolute + relative * fmax(allowed[c], CLIQUE_FLOOR * scale);
    // whatever the rounding errors are
    if (clique_norm(ws, c, ws->grad) > ROUNDING_LIMIT * limit) return report->at_rounding = 0, false;
  }
  impulse_rounding(ws, e);
  (void)impulse_sums(ws, e, noise);
  // and the rounding error of A x, whose entries are large where a stiff body moves as a whole
  double* sizes = ws->dp;
  momentum_sizes(ws, ws->x, sizes);
  bool ok = true;
  for (int k = 0; k < p->npos; k++) {
    int c = p->pos_clique[k];
    double limit = absolute + relative * fmax(allowed[c], CLIQUE_FLOOR * scale);
    double rest = clique_norm(ws, c, ws->grad);
    noise[c] += DBL_EPSILON * clique_norm(ws, c, sizes);
    noise2 += noise[c] * noise[c];
    if (rest > limit + 2 * noise[c]) ok = false;
  }
  if (r > absolute + relative * (stuck ? single : scale) + 2 * sqrt(noise2)) ok = false;
  report->at_rounding = ok;
  if (ok) report->momentum_residual = relative_to(r, single, options);
  return ok;
}

int pl_sap_blame(plSapWorkspace* ws, int clique) {
  const plSapLayout* lay = &ws->lay;
  double most = -1;
  int worst = -1;
  for (int i = 0; i < lay->nconstraint; i++)
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      if (lay->blk[k].clique != clique) continue;
      double norm2 = norm2_of(ws, i, k, ws->gamma + lay->con_row0[i]);
      if (norm2 > most) most = norm2, worst = i;
    }
  return worst;
}
