// A rigid sphere, capsule or cylinder pressed into a coarse soft block and dragged over it: the force must not feel the mesh.
#include "math/pose.h"
#include "pliant/pliant.h"
#include "world.h"

// Instrumented programs are slow: a shorter way, on the coarse mesh alone.
#ifdef CHECK_SANITIZED
enum { TRAVEL = 25, SLOW = 1 };
#else
enum { TRAVEL = 100, SLOW = 0 };
#endif
enum { PRESS = 50, SETTLE = 10 };  // steps: pressing, then dragging before anything is measured

typedef struct Case {
  plShapeKind kind;
  double radius;
  int refine;           // cells of 24 mm / refine
  double mu;
  plElement element;
  double stiffness;     // Pa/m of the contact; 0: near-rigid
  int slow;             // 0: 10 ms a step and damping, 1 mm a step; else at rest in each step (dt 1 s, no damping), 1 mm / slow
} Case;

typedef struct Drag {
  double press;                   // N at the end of pressing
  double rough;                   // largest second difference of the force while pressing, over it
  double normal, swing;           // N: mean and relative standard deviation while dragging
  double ratio, least, most;      // Fx / N
  double slope, slope_least, slope_most;  // the same from the block's elastic energy: dW / dx / N
  double apart;                   // largest deviation of Fx / N - dW / dx / N from its mean
  double newton;
  int newton_max, deep;
} Drag;

static void add_soft(World* w, const Case* c) {
  plMesh* mesh = box_mesh(v3(0.24, 0.12, 0.06), 10 * c->refine, 5 * c->refine, 2 * c->refine);
  plDeformableDef soft = pl_default_deformable_def();
  soft.name = "block", soft.mesh = mesh, soft.pose.p.z = -0.03, soft.surface.friction = c->mu;
  soft.material.young = 1e5, soft.material.poisson = 0.4, soft.material.element = c->element, soft.material.damping_stiffness = c->slow ? 0 : 0.01;
  if (c->stiffness > 0) soft.surface.contact_stiffness = c->stiffness, soft.surface.relaxation_time = 0;
  CHECK_INT(pl_spec_add_deformable(w->spec, &soft, NULL, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
  hold_below(w, 0, -0.03);
}

static void add_tool(World* w, const Case* c) {
  plVec3 axis = v3(0.01, 0.035, 0);
  plPose pose = pose_at(-0.05, 0.004, c->radius + 0.001);
  if (c->kind != PL_SHAPE_SPHERE) pose.q = quat_mul(quat_from_axis_angle(v3(0, 0, 1), atan2(axis.y, axis.x)), quat_from_axis_angle(v3(0, 1, 0), M_PI / 2));
  plGeometryDef g = pl_default_geometry_def();
  g.kind = c->kind, g.radius = c->radius, g.length = 2 * v3_norm(axis), g.surface.friction = c->mu, g.size = v3(2 * c->radius, 3 * c->radius, 4 * c->radius);
  if (c->stiffness > 0) g.surface.relaxation_time = 0;
  double heavy = c->slow ? 1e13 : 1e7;
  add_body(w, "tool", g, pose, v3(0, 0, c->slow ? -2.2e-4 : -0.022), heavy, heavy);
}

// What the tool feels (the block is A, the tool B), and how the block's energy changed.
typedef struct Feel { double x, z, slope; } Feel;

static void sum_up(Drag* d, const Feel* feel, int n) {
  double sum2 = 0, lag = 0;
  d->least = d->slope_least = INFINITY, d->most = d->slope_most = -INFINITY;
  for (int i = 0; i < n; i++) {
    double ratio = feel[i].x / feel[i].z, slope = feel[i].slope / feel[i].z;
    d->ratio += ratio / n, d->slope += slope / n, d->normal += feel[i].z / n, sum2 += feel[i].z * feel[i].z / n;
    d->least = fmin(d->least, ratio), d->most = fmax(d->most, ratio);
    d->slope_least = fmin(d->slope_least, slope), d->slope_most = fmax(d->slope_most, slope);
  }
  lag = d->ratio - d->slope;
  for (int i = 0; i < n; i++) d->apart = fmax(d->apart, fabs((feel[i].x - feel[i].slope) / feel[i].z - lag));
  d->swing = sqrt(fmax(0, sum2 - d->normal * d->normal)) / d->normal;
}

// A block of 0.24 x 0.12 x 0.06 m held at its bottom; the shape comes from above, 10 mm deep, then moves along x.
static Drag drag(Case c) {
  World w = begin(v3(0, 0, 0), c.slow ? 1 : 0.01);
  add_soft(&w, &c), add_tool(&w, &c);
  build(&w);
  plData* data = w.data;
  int finer = c.slow ? c.slow : 1, first = PRESS + SETTLE * finer, steps = first + (TRAVEL - SETTLE) * finer;
  double step = 1e-3 / finer, before = 0, force[PRESS];
  Drag d = {0};
  Feel* feel = calloc((size_t)steps, sizeof *feel);
  for (int i = 0; i < steps; i++) {
    if (i == PRESS) data->v[0] = c.slow ? step : 0.1, data->v[2] = 0;
    run(&w, 1);
    if (data->report.status) break;
    plVec3 f = {0, 0, 0};
    for (int k = 0; k < data->ncontact; k++) f = v3_add(f, data->contact[k].force);
    plBodyState state;
    pl_deformable_state(data, 0, &state);
    feel[i] = (Feel){-f.x, f.z, (state.elastic_energy - before) / step}, before = state.elastic_energy;
    if (i < PRESS) force[i] = f.z;
    d.newton += (double)data->report.iterations / steps, d.newton_max = data->report.iterations > d.newton_max ? data->report.iterations : d.newton_max;
    d.deep += data->report.deep;
  }
  d.press = force[PRESS - 1];
  for (int i = 6; i < PRESS - 1; i++) d.rough = fmax(d.rough, fabs(force[i + 1] - 2 * force[i] + force[i - 1]) / d.press);
  sum_up(&d, feel + first, steps - first);
  printf("%s r %g refine %d: press %.2f N (rough %.3f), drag N %.2f (swing %.3f) Fx/N %.3f in %.3f .. %.3f; Newton %.2f (%d), deep %d\n", pl_shape_name(c.kind),
         c.radius, c.refine, d.press, d.rough, d.normal, d.swing, d.ratio, d.least, d.most, d.newton, d.newton_max, d.deep);
  if (c.slow) printf("  dW/dx/N %.3f in %.3f .. %.3f, from Fx/N by %.4f + at most %.4f\n", d.slope, d.slope_least, d.slope_most, d.ratio - d.slope, d.apart);
  free(feel);
  end(&w);
  return d;
}

static Drag drag_shape(plShapeKind kind, double radius, double mu) { return drag((Case){.kind = kind, .radius = radius, .refine = 1, .mu = mu}); }

// The closest point of each facet gave Fx/N of 0.22 .. 0.57 for the sphere (mean 0.40, friction 0.3 and ploughing).
static void a_sphere_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_SPHERE, 0.03, 0.3);
  CHECK(d.least > 0.30 && d.most < 0.48 && d.swing < 0.05 && d.rough < 0.03);
  if (SLOW) return;
  Drag fine = drag((Case){.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = 2, .mu = 0.3});
  CHECK(fine.most - fine.least < 0.03 && fine.swing < 0.02);
}
static void a_capsule_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_CAPSULE, 0.02, 0.3);
  CHECK(d.least > 0.40 && d.most < 0.54 && d.swing < 0.03);
}
static void a_cylinder_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_CYLINDER, 0.02, 0.3);
  CHECK(d.least > 0.36 && d.most < 0.56 && d.swing < 0.03);
}
static void an_ellipsoid_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_ELLIPSOID, 0.02, 0.3);
  CHECK(d.least > 0.25 && d.swing < 0.06);
}
// Without friction the tool feels the bumps of the mesh, and that facets are a step behind: 1 mm of its radius, and damping.
static void a_smooth_tool_is_hardly_held(void) {
  Drag d = drag_shape(PL_SHAPE_SPHERE, 0.03, 0);
  CHECK(d.least > -0.05 && d.most < 0.18);
}
// A quarter of a facet in size: never lost, never through.
static void a_small_sphere_is_caught(void) {
  Drag d = drag_shape(PL_SHAPE_SPHERE, 0.006, 0.3);
  CHECK(d.press > 40 && d.press < 55 && d.rough < 0.05 && d.normal > 40);
  Drag needle = drag_shape(PL_SHAPE_SPHERE, 0.001, 0.3);
  CHECK(needle.press > 30 && needle.normal > 30);
}

// Whose bumps? In slow motion and without friction what the tool feels is the slope of the block's elastic energy: the same all the way, but for
// what a step's delay adds, which falls with the step. So the bumps are the elements' own, not the contact's.
static void bumps_are_the_elements_own(void) {
  if (SLOW) return;
  Case c = {.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = 1, .element = PL_ELEMENT_TET10, .slow = 1};
  Drag quick = drag(c);
  c.slow = 4;
  Drag slow = drag(c);
  CHECK(slow.slope_most - slow.slope_least > 0.08 && slow.apart < 0.01);
  CHECK(fabs(slow.slope) < 0.01 && quick.ratio > 0.03 && slow.ratio < 0.3 * quick.ratio);
  // Linear cells of half the size have the same facets and are smooth.
  c.element = PL_ELEMENT_TET4;
  Drag coarse = drag(c);
  CHECK(coarse.most - coarse.least < coarse.slope_most - coarse.slope_least);
  c.refine = 2;
  Drag fine = drag(c);
  CHECK(fine.most - fine.least < 0.02 && fabs(fine.ratio - slow.ratio) < 0.01);
}

// A layer that gives as much as the dimple which a facet cannot take, 3 E* / h per area, makes the coarse block smooth, and as soft as fine ones.
static void a_soft_layer_smooths_a_coarse_mesh(void) {
  double h = 0.024, layer = 3 * 1e5 / (1 - 0.16) / h;
  Drag stiff = drag_shape(PL_SHAPE_SPHERE, 0.03, 0.3), soft = drag((Case){.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = 1, .mu = 0.3, .stiffness = layer});
  CHECK(soft.most - soft.least < 0.07 && soft.swing < 0.02);
  if (SLOW) return;
  Drag fine = drag((Case){.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = 2, .mu = 0.3});
  CHECK(fabs(soft.normal / fine.normal - 1) < 0.05 && stiff.normal > 1.5 * fine.normal);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_sphere_is_dragged_smoothly);
  RUN(a_capsule_is_dragged_smoothly);
  RUN(a_cylinder_is_dragged_smoothly);
  RUN(an_ellipsoid_is_dragged_smoothly);
  RUN(a_smooth_tool_is_hardly_held);
  RUN(a_small_sphere_is_caught);
  RUN(bumps_are_the_elements_own);
  RUN(a_soft_layer_smooths_a_coarse_mesh);
  return CHECK_END;
}
