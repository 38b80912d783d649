// A rigid sphere, capsule or cylinder pressed into a coarse soft block and dragged over it: the force must
// not depend on the mesh.
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
  int refine;  // cells of 24 mm / refine
  double mu;
  plElement element;
  double depth;     // m, how far it is pressed in; 0: 10 mm
  bool aligned;     // the axis along y, over a row of vertices; else askew
  bool only_press;  // not dragged
  int slow;  // 0: 10 ms a step and damping, 1 mm a step; else at rest in each step (dt 1 s, no damping), 1 mm
             // / slow
} Case;

typedef struct Drag {
  double press;                           // N at the end of pressing
  double rough;                           // largest second difference of the force while pressing, over it
  double normal, swing;                   // N: mean and relative standard deviation while dragging
  double ratio, least, most;              // Fx / N
  double jump;                            // its largest change from one step to the next
  double weakest;                         // N, least normal force while dragging
  double slope, slope_least, slope_most;  // the same from the block's elastic energy: dW / dx / N
  double apart;                           // largest deviation of Fx / N - dW / dx / N from its mean
  double newton;
  int newton_max, deep;
} Drag;

static void add_soft(World* w, const Case* c) {
  plMesh* mesh = box_mesh(v3(0.24, 0.12, 0.06), 10 * c->refine, 5 * c->refine, 2 * c->refine);
  plDeformableDef soft = pl_default_deformable_def();
  soft.name = "block", soft.mesh = mesh, soft.pose.p.z = -0.03, soft.surface.friction = c->mu;
  soft.material.young = 1e5, soft.material.poisson = 0.4, soft.material.element = c->element,
  soft.material.damping_stiffness = c->slow ? 0 : 0.01;
  CHECK_INT(pl_spec_add_deformable(w->spec, &soft, NULL, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
  hold_below(w, 0, -0.03);
}

static void add_tool(World* w, const Case* c) {
  plVec3 axis = v3(c->aligned ? 0 : 0.01, 0.035, 0);
  plPose pose = pose_at(-0.05, c->aligned ? 0 : 0.004, c->radius + 0.001);
  if (c->kind != PL_SHAPE_SPHERE)
    pose.q = quat_mul(quat_from_axis_angle(v3(0, 0, 1), atan2(axis.y, axis.x)),
                      quat_from_axis_angle(v3(0, 1, 0), M_PI / 2));
  plShapeDef g = pl_default_shape_def();
  g.kind = c->kind, g.radius = c->radius, g.length = 2 * v3_norm(axis), g.surface.friction = c->mu,
  g.size = v3(2 * c->radius, 3 * c->radius, 4 * c->radius);
  double heavy = c->slow ? 1e13 : 1e7, depth = c->depth > 0 ? c->depth : 0.01;
  add_body(w, "tool", g, pose, v3(0, 0, -(depth + 0.001) / PRESS / (c->slow ? 1 : 0.01)), heavy, heavy);
}

// The force on the tool (the block is A, the tool B), and the change of the block's energy.
typedef struct Feel {
  double x, z, slope;
} Feel;

static void sum_up(Drag* d, const Feel* feel, int n) {
  double sum2 = 0, lag = 0;
  d->least = d->slope_least = d->weakest = INFINITY, d->most = d->slope_most = -INFINITY;
  for (int i = 0; i < n; i++) {
    double ratio = feel[i].x / feel[i].z, slope = feel[i].slope / feel[i].z;
    d->ratio += ratio / n, d->slope += slope / n, d->normal += feel[i].z / n,
        sum2 += feel[i].z * feel[i].z / n;
    d->least = fmin(d->least, ratio), d->most = fmax(d->most, ratio);
    d->weakest = fmin(d->weakest, feel[i].z);
    if (i) d->jump = fmax(d->jump, fabs(ratio - feel[i - 1].x / feel[i - 1].z));
    d->slope_least = fmin(d->slope_least, slope), d->slope_most = fmax(d->slope_most, slope);
  }
  lag = d->ratio - d->slope;
  for (int i = 0; i < n; i++) d->apart = fmax(d->apart, fabs((feel[i].x - feel[i].slope) / feel[i].z - lag));
  d->swing = sqrt(fmax(0, sum2 - d->normal * d->normal)) / d->normal;
}

// A block of 0.24 x 0.12 x 0.06 m held at its bottom; the shape comes from above, then moves along x.
static Drag drag(Case c) {
  World w = begin(v3(0, 0, 0), c.slow ? 1 : 0.01);
  add_soft(&w, &c), add_tool(&w, &c);
  build(&w);
  plData* data = w.data;
  int finer = c.slow ? c.slow : 1, first = PRESS + SETTLE * finer,
      steps = c.only_press ? PRESS : first + (TRAVEL - SETTLE) * finer;
  double step = 1e-3 / finer, before = 0, force[PRESS];
  Drag d = {0};
  Feel* feel = calloc((size_t)steps, sizeof *feel);
  for (int i = 0; i < steps; i++) {
    if (i == PRESS) data->v[0] = c.slow ? step : 0.1, data->v[2] = 0;
    run(&w, 1);
    if (data->report.status) break;
    plVec3 f = {0, 0, 0};
    double energy = 0;  // of the springs under the points, then of all
    for (int k = 0; k < data->ncontact; k++) {
      const plContact* at = &data->contact[k];
      f = v3_add(f, at->force), energy -= 0.5 * v3_dot(at->force, at->normal) * at->gap;
    }
    plBodyState state;
    pl_deformable_state(data, 0, &state);
    energy += state.elastic_energy;
    feel[i] = (Feel){-f.x, f.z, (energy - before) / step}, before = energy;
    if (i < PRESS) force[i] = f.z;
    d.newton += (double)data->report.iterations / steps,
        d.newton_max = data->report.iterations > d.newton_max ? data->report.iterations : d.newton_max;
    d.deep += data->report.deep;
  }
  d.press = force[PRESS - 1];
  for (int i = 6; i < PRESS - 1; i++)
    d.rough = fmax(d.rough, fabs(force[i + 1] - 2 * force[i] + force[i - 1]) / d.press);
  if (!c.only_press) sum_up(&d, feel + first, steps - first);
  printf(
      "%s r %g refine %d: press %.2f N (rough %.3f), drag N %.2f (swing %.3f) Fx/N %.3f in %.3f .. %.3f "
      "(%.4f a step); Newton %.2f (%d), deep %d\n",
      pl_shape_name(c.kind), c.radius, c.refine, d.press, d.rough, d.normal, d.swing, d.ratio, d.least,
      d.most, d.jump, d.newton, d.newton_max, d.deep);
  if (c.slow)
    printf("  dW/dx/N %.3f in %.3f .. %.3f, from Fx/N by %.4f + at most %.4f\n", d.slope, d.slope_least,
           d.slope_most, d.ratio - d.slope, d.apart);
  free(feel);
  end(&w);
  return d;
}

static Drag drag_shape(plShapeKind kind, double radius, double mu) {
  return drag((Case){.kind = kind, .radius = radius, .refine = 1, .mu = mu});
}

static double spread(Drag d) { return d.most - d.least; }

// The closest point of each facet (the study) gave Fx / N of 0.22 .. 0.57 for the sphere: 0.35 from end to
// end.
static void a_sphere_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_SPHERE, 0.03, 0.3);
  CHECK_BELOW(spread(d), 0.05, 1);
  CHECK_BELOW(d.jump, 0.01, 1);
  CHECK_BELOW(d.swing, 0.02, 1);
  CHECK_BELOW(d.rough, 0.02, 1);
  CHECK(d.least > 0.30 && d.most < 0.39);
  if (SLOW) return;
  // On twice as many cells it is as smooth, and the coarse block is no stiffer than that by more than a
  // tenth.
  Drag fine = drag((Case){.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = 2, .mu = 0.3});
  CHECK_BELOW(spread(fine), 0.03, 1);
  CHECK_BELOW(fine.jump, 0.01, 1);
  CHECK_BELOW(fine.swing, 0.01, 1);
  CHECK_BELOW(fabs(d.normal / fine.normal - 1), 0.1, 1);
  Drag small = drag((Case){.kind = PL_SHAPE_SPHERE, .radius = 0.015, .refine = 1, .mu = 0.3, .depth = 0.006});
  CHECK_BELOW(spread(small), 0.07, 1);
  CHECK_BELOW(small.jump, 0.03, 1);
  Drag large = drag_shape(PL_SHAPE_SPHERE, 0.06, 0.3);
  CHECK_BELOW(spread(large), 0.03, 1);
  CHECK_BELOW(large.jump, 0.005, 1);
}
static void a_capsule_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_CAPSULE, 0.02, 0.3);
  CHECK_BELOW(spread(d), 0.04, 1);
  CHECK_BELOW(d.jump, 0.01, 1);
  CHECK_BELOW(d.swing, 0.01, 1);
  CHECK(d.least > 0.30 && d.most < 0.39);
  // Along the edges of the mesh, all of them at once: the worst direction (0.31 for means of gaps, without
  // the spring).
  Drag aligned =
      drag((Case){.kind = PL_SHAPE_CAPSULE, .radius = 0.02, .refine = 1, .mu = 0.3, .aligned = true});
  CHECK_BELOW(spread(aligned), 0.07, 1);
  CHECK_BELOW(aligned.jump, 0.019, 1);
}
static void a_cylinder_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_CYLINDER, 0.02, 0.3);
  CHECK_BELOW(spread(d), 0.07, 1);
  CHECK_BELOW(d.jump, 0.015, 1);
  CHECK_BELOW(d.swing, 0.02, 1);
  CHECK(d.least > 0.30 && d.most < 0.40);
  Drag aligned =
      drag((Case){.kind = PL_SHAPE_CYLINDER, .radius = 0.02, .refine = 1, .mu = 0.3, .aligned = true});
  CHECK_BELOW(spread(aligned), 0.07, 1);
  CHECK_BELOW(aligned.jump, 0.02, 1);
}
static void an_ellipsoid_is_dragged_smoothly(void) {
  Drag d = drag_shape(PL_SHAPE_ELLIPSOID, 0.02, 0.3);
  CHECK_BELOW(spread(d), 0.06, 1);
  CHECK_BELOW(d.jump, 0.01, 1);
  CHECK_BELOW(d.swing, 0.02, 1);
}
static void other_elements_are_smooth_too(void) {
  if (SLOW) return;
  for (int e = PL_ELEMENT_TET4_SMOOTHED; e <= PL_ELEMENT_TET10; e++) {
    Drag d = drag(
        (Case){.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = 1, .mu = 0.3, .element = (plElement)e});
    CHECK_BELOW(spread(d), 0.1, 1);
    CHECK_BELOW(d.jump, 0.02, 1);
    CHECK_BELOW(d.swing, 0.03, 1);
  }
}
// Without friction the tool feels that facets are a step behind (1 mm of its radius), damping, and what is
// left of the mesh's bumps.
static void a_smooth_tool_is_hardly_held(void) {
  Drag d = drag_shape(PL_SHAPE_SPHERE, 0.03, 0);
  CHECK(d.least > 0 && d.most < 0.06);
}
// Tools of a quarter of a facet in size and less, and others pressed in past their middle: never lost, never
// through.
static void a_small_sphere_is_caught(void) {
  Drag d = drag_shape(PL_SHAPE_SPHERE, 0.006, 0.3);
  CHECK_BELOW(d.rough, 0.017, 1);
  CHECK(d.press > 30 && d.press < 55 && d.normal > 30);
  Drag needle = drag_shape(PL_SHAPE_SPHERE, 0.001, 0.3);
  CHECK(needle.press > 30 && needle.normal > 30);
  static const plShapeKind kind[] = {PL_SHAPE_SPHERE, PL_SHAPE_SPHERE, PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE,
                                     PL_SHAPE_CYLINDER};
  static const double radius[] = {0.01, 0.015, 0.03, 0.01, 0.005}, depth[] = {0.02, 0.03, 0.04, 0.02, 0.02};
  for (int i = 0; i < 5 && !SLOW; i++) {
    Drag deep = drag((Case){.kind = kind[i], .radius = radius[i], .refine = 1, .mu = 0.3, .depth = depth[i]});
    CHECK(deep.weakest > 0.5 * deep.normal && deep.normal > 40);
  }
}

// At rest in each step and without friction, what the tool feels is the slope of the block's energy (with
// that of its surface's springs), but for a step's delay, which falls with the step: the points have no bumps
// of their own, and what is left of them is the elements'.
static void the_force_is_the_slope_of_the_energy(void) {
  if (SLOW) return;
  Case c = {.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = 1, .element = PL_ELEMENT_TET10, .slow = 1};
  Drag quick = drag(c);
  c.slow = 4;
  Drag slow = drag(c);
  CHECK_BELOW(fabs(slow.slope), 0.0029, 1);
  CHECK(quick.ratio > 0.02 && slow.ratio < 0.3 * quick.ratio);
  CHECK_BELOW(slow.apart, 0.007, 1);
  CHECK(slow.slope_most - slow.slope_least > 5 * slow.apart);
  c.element = PL_ELEMENT_TET4;
  Drag coarse = drag(c);
  CHECK_BELOW(spread(coarse), 0.05, 1);
  CHECK_BELOW(coarse.ratio, 0.01, 1);
  CHECK_BELOW(coarse.apart, 0.03, 1);
  c.refine = 2;
  Drag fine = drag(c);
  CHECK_BELOW(spread(fine), 0.025, 1);
  CHECK_BELOW(fine.apart, 0.007, 1);
}

// The force at one depth on cells of 24, 12 and 8 mm, whose limit is a block without cells: the same to a few
// per cent on all (it was 62, 39, 35 N).
static void coarse_meshes_are_not_too_stiff(void) {
  if (SLOW) return;
  double press[3];
  for (int i = 0; i < 3; i++)
    press[i] =
        drag((Case){.kind = PL_SHAPE_SPHERE, .radius = 0.03, .refine = i + 1, .only_press = true, .slow = 1})
            .press;
  CHECK_BELOW(fabs(press[0] / press[2] - 1), 0.12, 1);
  CHECK_BELOW(fabs(press[1] / press[2] - 1), 0.03, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_sphere_is_dragged_smoothly);
  RUN(a_capsule_is_dragged_smoothly);
  RUN(a_cylinder_is_dragged_smoothly);
  RUN(an_ellipsoid_is_dragged_smoothly);
  RUN(other_elements_are_smooth_too);
  RUN(a_smooth_tool_is_hardly_held);
  RUN(a_small_sphere_is_caught);
  RUN(the_force_is_the_slope_of_the_energy);
  RUN(coarse_meshes_are_not_too_stiff);
  return CHECK_END;
}
