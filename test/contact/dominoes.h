// dominoes.h: falling dominoes in the plane, by a program that shares nothing with ours: rigid rectangles
// with corners that touch the ground and their neighbours' sides, no restitution, Coulomb's friction exactly.
// Each step is swept, contact by contact (gamma_n >= 0 that ends the approach, then gamma_t within mu gamma_n
// that ends the slip), until no impulse changes a speed by more than 1e-9 m/s.
#ifndef PL_TEST_CONTACT_DOMINOES_H
#define PL_TEST_CONTACT_DOMINOES_H

#include <math.h>
#include <string.h>

enum { DOMINOES = 16, DOMINO_CONTACTS = 16 * DOMINOES };

typedef struct Domino {
  double q[3], v[3];  // x, z, angle from z towards x
} Domino;

typedef struct Touch {
  int body[2];              // -1: the ground
  double J[2][3], T[2][3];  // of the normal and the tangential speed
  double gap, normal, tangent;
} Touch;

typedef struct Plane {
  double half[2], mass, inertia, mu, dt;  // half thickness and height
  Domino body[DOMINOES];
  Touch touch[DOMINO_CONTACTS];
  int ntouch;
} Plane;

static void domino_corner(const Plane* w, int i, int k, double* p) {
  const double* q = w->body[i].q;
  double x = k & 1 ? w->half[0] : -w->half[0], z = k & 2 ? w->half[1] : -w->half[1];
  p[0] = q[0] + cos(q[2]) * x + sin(q[2]) * z, p[1] = q[1] - sin(q[2]) * x + cos(q[2]) * z;
}

// A point p of body a on body b with the normal n towards a.
static void domino_touch(Plane* w, int a, int b, const double* p, const double* n, double gap) {
  if (w->ntouch == DOMINO_CONTACTS) return;
  Touch* c = &w->touch[w->ntouch++];
  *c = (Touch){.body = {a, b}, .gap = gap};
  for (int s = 0; s < 2; s++) {
    if (c->body[s] < 0) continue;
    const double* q = w->body[c->body[s]].q;
    double x = p[0] - q[0], z = p[1] - q[1], sign = s ? -1 : 1;
    double J[3] = {n[0], n[1], n[0] * z - n[1] * x}, T[3] = {-n[1], n[0], -n[1] * z - n[0] * x};
    for (int d = 0; d < 3; d++) c->J[s][d] = sign * J[d], c->T[s][d] = sign * T[d];
  }
}

// A corner of a on the side of b that it is nearest to.
static void domino_pair(Plane* w, int a, int k, int b, double margin) {
  const double* q = w->body[b].q;
  double p[2], c = cos(q[2]), s = sin(q[2]);
  domino_corner(w, a, k, p);
  double x = c * (p[0] - q[0]) - s * (p[1] - q[1]), z = s * (p[0] - q[0]) + c * (p[1] - q[1]);
  double gx = fabs(x) - w->half[0], gz = fabs(z) - w->half[1];
  if (gx > margin || gz > margin || (gx > 1e-9 && gz > 1e-9)) return;
  double e = (gx > gz ? x : z) > 0 ? 1 : -1;
  double n[2] = {e * (gx > gz ? c : s), e * (gx > gz ? -s : c)};
  domino_touch(w, a, b, p, n, fmax(gx, gz));
}

// Moves the impulse of one row to what it should be, between low and high; by how much the speed changed.
static double domino_row(Plane* w, const Touch* c, double (*J)[3], double bias, double low, double high,
                         double* impulse) {
  const double inverse[3] = {1 / w->mass, 1 / w->mass, 1 / w->inertia};
  double W = 0, u = bias;
  for (int s = 0; s < 2; s++)
    for (int d = 0; d < 3 && c->body[s] >= 0; d++)
      W += J[s][d] * J[s][d] * inverse[d], u += J[s][d] * w->body[c->body[s]].v[d];
  double next = fmax(low, fmin(high, *impulse - u / W)), change = next - *impulse;
  *impulse = next;
  for (int s = 0; s < 2; s++)
    for (int d = 0; d < 3 && c->body[s] >= 0; d++) w->body[c->body[s]].v[d] += inverse[d] * J[s][d] * change;
  return fabs(change) * W;
}

static void domino_step(Plane* w) {
  const double margin = 2e-3, up[2] = {0, 1};
  w->ntouch = 0;
  for (int i = 0; i < DOMINOES; i++)
    for (int k = 0; k < 4; k++) {
      double p[2];
      domino_corner(w, i, k, p);
      if (p[1] < margin) domino_touch(w, i, -1, p, up, p[1]);
      if (i + 1 < DOMINOES) domino_pair(w, i, k, i + 1, margin), domino_pair(w, i + 1, k, i, margin);
    }
  for (int i = 0; i < DOMINOES; i++) w->body[i].v[1] -= 9.81 * w->dt;
  double change = 1;
  for (int sweep = 0; sweep < 20000 && change > 1e-9; sweep++) {
    change = 0;
    for (int i = 0; i < w->ntouch; i++) {
      Touch* c = &w->touch[i];
      // a gap may close, an overlap goes back slowly
      double bias = c->gap > 0 ? c->gap / w->dt : fmax(0.05 * c->gap / w->dt, -0.05);
      change = fmax(change, domino_row(w, c, c->J, bias, 0, INFINITY, &c->normal));
      double most = w->mu * c->normal;
      change = fmax(change, domino_row(w, c, c->T, 0, -most, most, &c->tangent));
    }
  }
  for (int i = 0; i < DOMINOES; i++)
    for (int d = 0; d < 3; d++) w->body[i].q[d] += w->dt * w->body[i].v[d];
}

// Speed of the wave between the sixth and the fourteenth, each counted when its centre has moved by 1 mm.
static double domino_wave(double thickness, double height, double pitch, double mu, double spin, double dt) {
  static Plane w;
  w = (Plane){.half = {thickness / 2, height / 2}, .mass = 0.01, .mu = mu, .dt = dt};
  w.inertia = w.mass * (thickness * thickness + height * height) / 12;
  for (int i = 0; i < DOMINOES; i++) w.body[i].q[0] = pitch * i, w.body[i].q[1] = height / 2;
  w.body[0].v[0] = spin * height / 2, w.body[0].v[2] = spin;
  double at[DOMINOES] = {0};
  for (int n = 0; n < (int)(2 / dt) && at[13] == 0; n++) {
    double before[DOMINOES];
    for (int k = 0; k < DOMINOES; k++) before[k] = w.body[k].q[0] - pitch * k;
    domino_step(&w);
    for (int k = 0; k < DOMINOES; k++) {
      double x = w.body[k].q[0] - pitch * k;
      if (at[k] == 0 && x > 1e-3) at[k] = (n + 1) * dt - dt * (x - 1e-3) / (x - before[k]);
    }
  }
  return 8 * pitch / (at[13] - at[5]);
}

#endif
