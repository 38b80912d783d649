// arc.c: a step of Newton's method along an arc, and the motion that a step begins with.
//
// The vertices of a rotating body move along arcs. Moving them along chords stretches the body by the square
// of the angle, and if the body is stiff for its mass and step, that costs more than the rotation gains. A
// search along chords would turn it by a few degrees per round and would not converge when an impact changes
// its spin. The best-fit rotation of a step is therefore applied as a rotation:
//
//   h v' = h v + a h dv + (exp(a h w) - 1 - a h [w]) r,   w = arg min sum |dv - u - w x r|^2,
//
// where x are the positions at which the forces of v are taken, r these relative to their centre, and h =
// dx/dv. For small a this is v + a dv, so a function that decreases along dv also decreases along the arc.
//
// Newton's method begins at v_guess, a motion along chords too. The potential decreases from there, and at
// the end of the step a body has at most as much elastic energy as the potential had at the beginning. For a
// stiff body that turns by a radian this is far more than the body had, and elements that are turned inside
// out keep it. No motion at all has the potential of the energy that is there; a guess that is worse than
// that is replaced by the same motion along arcs.
#include <float.h>
#include <math.h>
#include <string.h>

#include "deform/deform.h"
#include "math/spatial.h"
#include "rigid/rigid.h"

// positions x_i at which the body's forces are taken, for the velocities v
static plVec3 position(const plModel* model, const plData* data, int b, const double* v, int i) {
  const plOptions* o = &data->par->options;
  const double *q = data->q + model->deform_q0[b], *v0 = data->v + model->deform_v0[b];
  plVec3 mean = v3_madd(v3_scale(o->theta_vq, v3_load(v + 3 * i)), 1 - o->theta_vq, v3_load(v0 + 3 * i));
  return v3_madd(v3_load(q + 3 * i), o->theta * o->dt, mean);
}

// (exp(phi) - 1 - [phi]) r
static plVec3 bend(plVec3 phi, plVec3 r) {
  double t = v3_norm(phi), half = sin(0.5 * t);
  plVec3 across = v3_cross(phi, r);
  return v3_madd(v3_scale(sin(t) / t - 1, across), 2 * half * half / (t * t), v3_cross(phi, across));
}

// w, and the centre of x; 0 if motion of the body is prescribed.
static plVec3 turn(const plModel* model, const plData* data, int b, const double* v, const double* dv,
                   plVec3* centre) {
  int n = model->deform_vert0[b + 1] - model->deform_vert0[b];
  bool plane = model->deform_plane[b];
  plVec3 c = v3(0, 0, 0), u = c, L = c;
  plSym3 I = {0};
  for (int i = 0; i < n; i++)
    if (model->vert_fixed[model->deform_vert0[b] + i] & (plane ? 3 : 7)) return c;
  for (int i = 0; i < n; i++) {
    u = v3_madd(u, 1.0 / n, v3_load(dv + 3 * i));
    c = v3_madd(c, 1.0 / n, position(model, data, b, v, i));
  }
  for (int i = 0; i < n; i++) {
    plVec3 r = v3_sub(position(model, data, b, v, i), c);
    I = sym3_add(I, sym3_steiner(1, r));
    L = v3_add(L, v3_cross(r, v3_sub(v3_load(dv + 3 * i), u)));
  }
  *centre = c;
  return plane ? v3(0, 0, L.z / I.zz) : m3_mulv(m3_inverse(sym3_matrix(I)), L);
}

void pl_deform_along(const plModel* model, const plData* data, int b, const double* v, const double* dv,
                     double a, double* to) {
  const plOptions* o = &data->par->options;
  int n = model->deform_vert0[b + 1] - model->deform_vert0[b];
  double h = o->theta * o->theta_vq * o->dt;
  for (int i = 0; i < 3 * n; i++) to[i] = v[i] + a * dv[i];
  plVec3 c = v3(0, 0, 0), phi = v3_scale(a * h, turn(model, data, b, v, dv, &c));
  double angle2 = v3_norm2(phi);
  // for so small an angle the chord equals the arc
  if (!(angle2 > DBL_EPSILON) || !isfinite(angle2)) return;
  for (int i = 0; i < n; i++) {
    plVec3 more = bend(phi, v3_sub(position(model, data, b, v, i), c));
    v3_store(to + 3 * i, v3_madd(v3_load(to + 3 * i), 1 / h, more));
  }
}

// Whether v_guess turns body b far; rest, dv: no motion, and what v_guess is beyond it.
static bool guess_turns_far(const plModel* model, const plData* data, int b, double* rest, double* dv) {
  const plOptions* o = &data->par->options;
  const double *v0 = data->v + model->deform_v0[b], *guess = data->work->v_guess + model->deform_v0[b];
  plVec3 centre;
  for (int i = 0; i < pl_deform_nv(data, b); i++)
    rest[i] = (1 - 1 / o->theta_vq) * v0[i], dv[i] = guess[i] - rest[i];
  return o->theta_vq * o->dt * v3_norm(turn(model, data, b, rest, dv, &centre)) > PL_SMALL_TURN;
}

plStatus pl_deform_begin(const plModel* model, plData* data, int b, double* v) {
  const plOptions* o = &data->par->options;
  const double* guess = data->work->v_guess + model->deform_v0[b];
  int n = pl_deform_nv(data, b);
  memcpy(v, guess, (size_t)n * sizeof *v);
  if (pl_law_is_linear(data->par->deform_material[b].kind) || !(o->theta * o->theta_vq > 0)) return PL_OK;
  double *rest = PL_ARENA_NEW(&data->work->step, double, n), *dv = PL_ARENA_NEW(&data->work->step, double, n),
         *arc = PL_ARENA_NEW(&data->work->step, double, n), none, chord, bent;
  if (!rest || !dv || !arc) return PL_ERROR_MEMORY;
  // a body with prescribed motion is not turned
  if (!guess_turns_far(model, data, b, rest, dv)) return PL_OK;
  plStatus status = pl_deform_potential(model, data, b, rest, &none, NULL);
  if (!status) status = pl_deform_potential(model, data, b, guess, &chord, NULL);
  if (status || chord <= none) return status;
  pl_deform_along(model, data, b, rest, dv, 1, arc);
  status = pl_deform_potential(model, data, b, arc, &bent, NULL);
  if (!status && bent < chord) memcpy(v, arc, (size_t)n * sizeof *v);
  return status;
}
