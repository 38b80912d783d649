// Thresholds of motions that pass through something (src/contact/thresholds.h): each test stands on both
// sides of one of them, at 0.7 and at 1.4 of it, and fails when it is doubled or halved.
#include <stdlib.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"
#include "math/pose.h"
#include "points.h"

static const plVec3 nowhere = {0, 0, 0};

// A rod on its way past the edge of a box, close enough for its points to close within the step though it
// misses: n . v dt is 10 um more than the gap.
static void sweep_slow(void) {
  static const double near = 2e-4;  // PL_MARGIN_LEAST of its size
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double way = (k ? 1.4 : 0.7) * 5 * near, cosine = 0.45, gap = way * cosine - 1e-5, r = 0.01;
    plShapeDef rod = pl_default_shape_def(), box = pl_default_shape_def();
    rod.kind = PL_SHAPE_CAPSULE, rod.radius = r, rod.length = 0.08;
    box.kind = PL_SHAPE_BOX, box.size = v3(0.1, 0.1, 0.1);
    plPose pose = pose_at(-(r + gap) * cosine, 0, (r + gap) * sqrt(1 - cosine * cosine));
    pose.q = quat_exp(v3(M_PI / 2, 0, 0));
    add_body(&w, "box", box, pose_at(0.05, 0, -0.05), nowhere, 1, 1e-3);
    add_body(&w, "rod", rod, pose, v3(way / 0.01, 0, 0), 1, 1e-3);
    CHECK((points(&w) > 0) == (k == 0));
    end(&w);
  }
}

// Hits of a motion that takes one block by `way` towards another that is `gap` above it; in parts of the
// thinner limit.
static int hits_of(double gap, double way, double* share) {
  World w = begin(nowhere, 0.01);
  plVec3 size = v3(0.1, 0.1, 0.1);
  add_block(&w, size, 2, 2, 2, pose_at(0, 0, 0), 1e6);
  add_block(&w, size, 2, 2, 2, pose_at(0.013, 0.007, 0.1 + 1e-4), 1e6);
  build(&w);
  run(&w, 1);
  plData* data = w.data;
  plWork* work = data->work;
  const plCollider* c = work->contact->collider;
  double thin = fmin(c[0].skin->thinnest, c[1].skin->thinnest), dt = 0.01;
  double* v = calloc((size_t)data->model->nv, sizeof *v);
  int iv = data->model->deform_v0[1];
  for (int i = iv; i < data->model->nv; i++) v[i] = i % 3 == (iv + 2) % 3 ? -way * thin / dt : 0;
  for (int i = 0; i < c[1].skin->nvert; i++) c[1].skin->x[3 * i + 2] += gap * thin - 1e-4;
  pl_skin_update(c[1].skin);
  work->npoint = 0;  // those of the step before
  plSweepHit* hit;
  int n;
  CHECK_INT(pl_contact_sweep(data->model, data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  if (share) *share = n ? hit[0].point.share : 0;
  free(v);
  end(&w);
  return n;
}

static void sweep_fast(void) {
  CHECK_INT(hits_of(0, 0.7 * 0.25, NULL), 0);
  CHECK(hits_of(0, 1.4 * 0.25, NULL) > 0);
}

static void sweep_deep(void) {
  double share;
  CHECK_INT(hits_of(0.5 - 0.7 * 0.1, 0.5, NULL), 0);
  CHECK(hits_of(0.5 - 1.4 * 0.1, 0.5, &share) > 0);
  CHECK_NEAR(share, 50, 7.1e-13);
}

// The motion that takes an egg by `way` into a box in which its end is this deep already, or the turn that
// takes its side in as far, of which the row at its end sees nothing; in half lengths of the egg.
static int holds_of(double deep, double way, bool turns) {
  World w = begin(nowhere, 0.01);
  double r = 0.05;
  plShapeDef egg = pl_default_shape_def(), box = pl_default_shape_def();
  egg.kind = PL_SHAPE_ELLIPSOID, egg.size = v3(4 * r, 4 * r, 2 * r), box.kind = PL_SHAPE_BOX,
  box.size = v3(1, 1, 0.3);
  add_body(&w, "box", box, pose_at(0, 0, -0.15), nowhere, 1, 1e-3);
  add_body(&w, "egg", egg, pose_at(0, 0, r - deep * r), nowhere, 1, 1e-3);
  CHECK_INT(points(&w), 1);
  double* v = calloc((size_t)w.model->nv, sizeof *v);
  // r sqrt(cos^2 + 4 sin^2) = r (1 + way)
  if (turns)
    v[6 + 3] = asin(sqrt(((1 + way) * (1 + way) - 1) / 3)) / 0.01;
  else
    v[6 + 2] = -way * r / 0.01;
  plSweepHit* hit;
  int n;
  CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  free(v), end(&w);
  return n;
}

static void sweep_held(void) {
  CHECK_INT(holds_of(0.7 * 0.5 * 0.1, 0.005, true), 0);
  CHECK_INT(holds_of(1.4 * 0.5 * 0.1, 0.005, true), 1);
}

static void sweep_onward(void) {
  CHECK_INT(holds_of(0.1, 0.7 * 0.01 * 0.1, true), 0);
  CHECK_INT(holds_of(0.1, 1.4 * 0.01 * 0.1, true), 1);
}

static void sweep_stop_rigid(void) {
  CHECK_INT(holds_of(0.7 * 1.8 * 0.1, 1e-6, false), 0);
  CHECK_INT(holds_of(1.4 * 1.8 * 0.1, 1e-6, false), 1);
}

// The middle of a soft face is this deep in a box, in cells, and moves on. Its cubes of five tetrahedra are
// one cell thick.
static int stops_of(double deep) {
  World w = begin(nowhere, 0.01);
  double side = 0.02, cell = side * cbrt(6.0 / 5);
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = v3(2.4 * side, 2.4 * side, 4 * side);
  add_body(&w, "box", box, pose_at(0, 0, -5.5 * side + deep * cell), nowhere, 1, 1e-3);
  add_block(&w, v3(7 * side, 7 * side, 7 * side), 7, 7, 7, pose_at(0, 0, 0), 1e6);
  CHECK(points(&w) > 0);
  double* v = calloc((size_t)w.model->nv, sizeof *v);
  v[2] = 1e-6;  // of the box, up
  plSweepHit* hit;
  int n, at_stop = 0;
  CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  for (int i = 0; i < n; i++) at_stop += hit[i].kind == PL_SWEEP_AT_STOP;
  free(v), end(&w);
  return at_stop;
}

static void sweep_stop_cell(void) {
  CHECK_INT(stops_of(0.7 * 0.45), 0);
  CHECK(stops_of(1.4 * 0.45) > 0);
}

// A block's lower edge, which slopes up outwards, comes down on the rim of another's top near its own lower
// end: along their common perpendicular the top rises by the sine of the slope. Hits of edges.
static int edge_hits_of(double sine) {
  World w = begin(nowhere, 0.01);
  double side = 0.1, way = 0.03;
  plVec3 size = v3(side, side, side), end_of = v3(-0.48 * side, 0, -side / sqrt(2));
  plQuat q = quat_mul(quat_exp(v3(0, -asin(sine), 0)), quat_exp(v3(M_PI / 4, 0, 0)));
  plPose high = {v3(0, 0, 0), q};
  plVec3 at = quat_rotate(quat_exp(v3(0, -asin(sine), 0)), end_of);
  high.p = v3_sub(v3(0.5 * side, 0.013, 0.5 * side + 1e-4), at);
  add_block(&w, size, 2, 2, 2, pose_at(0, 0, 0), 1e6);
  add_block(&w, size, 2, 2, 2, high, 1e6);
  build(&w);
  run(&w, 1);
  double* v = calloc((size_t)w.model->nv, sizeof *v);
  int iv = w.model->deform_v0[1], hits = 0, n;
  for (int i = iv; i < w.model->nv; i++) v[i] = (i - iv) % 3 == 2 ? -way / 0.01 : 0;
  w.data->work->npoint = 0;
  plSweepHit* hit;
  CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  for (int i = 0; i < n; i++)
    hits += hit[i].kind == PL_SWEEP_EDGES && fabs(hit[i].point.position.x - 0.5 * side) < 5e-3;
  free(v), end(&w);
  return hits;
}

static void sweep_rise(void) {
  // the facet's third corner lies across its diagonal
  CHECK_INT(edge_hits_of(0.7 * 0.2 * sqrt(2)), 1);
  CHECK_INT(edge_hits_of(1.4 * 0.2 * sqrt(2)), 0);
}

// A soft block that sinks with its existing points.
static void sweep_soft(void) {
  static const double part[2] = {0.7, 1.4};
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    // The lower block has a thin cell beside the upper one: a motion that is too small to count is followed.
    plMesh* mesh = box_mesh(v3(0.3, 0.1, 0.1), 3, 1, 1);
    for (int v = 0; v < mesh->nvert; v++)
      if (mesh->vert[3 * v] > 0.1) mesh->vert[3 * v] -= 0.08;
    plDeformableDef def = pl_default_deformable_def();
    def.name = "low", def.mesh = mesh, def.material.young = 1e6, def.self_contact = false;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    add_block(&w, v3(0.1, 0.08, 0.1), 1, 1, 1, pose_at(-0.05, 0, 0.1 - 1e-5), 1e6);
    CHECK(points(&w) > 0);
    const plCollider* c = w.data->work->contact->collider;
    double thin = INFINITY;
    for (int i = 0; i < w.data->work->npoint; i++) {
      const plContactPoint* p = &w.data->work->point[i];
      int a = p->a.tri - w.model->deform_tri0[p->a.body], b = p->b.tri - w.model->deform_tri0[p->b.body];
      thin = fmin(thin, fmin(c[p->a.body].skin->tri_limit[a], c[p->b.body].skin->tri_limit[b]));
    }
    double way = part[k] * 2.5 * 0.1 * thin;
    double* v = calloc((size_t)w.model->nv, sizeof *v);
    int iv = w.model->deform_v0[1], n;
    for (int i = iv; i < w.model->nv; i++) v[i] = (i - iv) % 3 == 2 ? -way / 0.01 : 0;
    plSweepHit* hit;
    CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
    int held = 0;
    for (int i = 0; i < n; i++) held += hit[i].kind == PL_SWEEP_POINT;
    CHECK((held > 0) == (k == 1));
    free(v), end(&w);
  }
}

// Hits of a motion of body number `moving` by `way` in a step, of one kind or (-1) of any; *time: of the
// first.
static int hits_of_kind(World* w, int moving, plVec3 way, int kind, double* time) {
  double* v = calloc((size_t)w->model->nv, sizeof *v);
  plSweepHit* hit;
  int n, found = 0;
  v3_store(v + 6 * moving, v3_scale(1 / 0.01, way));
  CHECK_INT(pl_contact_sweep(w->model, w->data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  for (int i = 0; i < n; i++) {
    if (kind >= 0 && (int)hit[i].kind != kind) continue;
    if (time && !found) *time = hit[i].time;
    found++;
  }
  free(v);
  return found;
}

// A ball that comes down on a rigid plate of facets, and ends this deep in it, in parts of its radius.
static int plate_hits(double deep) {
  World w = begin(nowhere, 0.01);
  double r = 0.05, gap = 0.5 * r;
  plMesh* mesh = box_surface(v3(0.6, 0.6, 0.4));
  plShapeDef plate = pl_default_shape_def(), ball = pl_default_shape_def();
  plate.kind = PL_SHAPE_MESH, plate.mesh = mesh, ball.kind = PL_SHAPE_SPHERE, ball.radius = r;
  add_body(&w, "plate", plate, pose_at(0.05, 0.02, -0.2), nowhere, 1, 1e-3);
  add_body(&w, "ball", ball, pose_at(0, 0, r + gap), v3(0, 0, -10), 1, 1e-3);
  pl_mesh_destroy(mesh);
  build(&w);
  find_points(&w);
  int n = hits_of_kind(&w, 1, v3(0, 0, -gap - deep * r), PL_SWEEP_FACET, NULL);
  end(&w);
  return n;
}

static void sweep_round(void) {
  CHECK_INT(plate_hits(0.7 * 2 * 0.1), 0);
  CHECK(plate_hits(1.4 * 2 * 0.1) > 0);
}

// A ball that touches a box goes in: it is followed at eight times, and found at the first at which it is too
// deep, which is after 2.3 of these intervals.
static void sweep_looks(void) {
  World w = begin(nowhere, 0.01);
  double r = 0.05, time = 0, part = 2.3 / 8;
  plShapeDef ball = pl_default_shape_def(), box = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = r, box.kind = PL_SHAPE_BOX, box.size = v3(0.3, 0.3, 0.3);
  add_body(&w, "box", box, pose_at(0, 0, -0.15), nowhere, 1, 1e-3);
  add_body(&w, "ball", ball, pose_at(0, 0, r), nowhere, 1, 1e-3);
  build(&w);
  CHECK_INT(find_points(&w), 1);
  CHECK_INT(hits_of_kind(&w, 1, v3(0, 0, -0.1 * r / part), PL_SWEEP_CONVEX, &time), 1);
  CHECK_NEAR(time, 3.0 / 8, 0);
  end(&w);
}

// A ball hits the first of a row of others, which hits the next one, and so on, all in one step. At first the
// first few are hit; of the last ones each collision shows only when the one before is solved. The first four
// rounds leave one hit of 43, each later one as many as before. Parts of the step.
static int parts_of_row(int others) {
  World w = begin(nowhere, 0.01);
  plShapeDef ball = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.05;
  for (int i = 0; i <= others; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    add_body(&w, name, ball, pose_at(0.12 * i, 0, 0), v3(i ? 0 : 400, 0, 0), 1, 1e-3);
  }
  build(&w);
  run(&w, 1);
  int parts = w.data->report.parts;
  for (int i = 0; i < others; i++) CHECK(w.data->q[7 * (i + 1)] - w.data->q[7 * i] > 0.08);
  end(&w);
  return parts;
}

static void sweep_rounds(void) {
  CHECK_INT(parts_of_row(17), 1);
  CHECK(parts_of_row(18) > 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(sweep_slow);
  RUN(sweep_fast);
  RUN(sweep_deep);
  RUN(sweep_held);
  RUN(sweep_onward);
  RUN(sweep_stop_rigid);
  RUN(sweep_stop_cell);
  RUN(sweep_rise);
  RUN(sweep_soft);
  RUN(sweep_round);
  RUN(sweep_looks);
  RUN(sweep_rounds);
  return CHECK_END;
}
