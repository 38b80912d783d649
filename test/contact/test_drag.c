// A rigid sphere, capsule or cylinder pressed into a coarse soft block and dragged over it: the force must not feel the mesh.
#include "math/pose.h"
#include "pliant/pliant.h"
#include "world.h"

typedef struct Drag {
  double press;                   // N at the end of pressing
  double rough;                   // largest second difference of the force while pressing, over it
  double normal, swing;           // N: mean and relative standard deviation while dragging
  double ratio, least, most;      // Fx / N
  double newton;
  int newton_max, deep;
} Drag;

// A block of 0.24 x 0.12 x 0.06 m held at its bottom, cells of 24 mm; the shape comes from above, 10 mm deep, then moves along x.
static Drag drag(plShapeKind kind, double radius, double tilt, int refine, double mu) {
  World w = begin(v3(0, 0, 0), 0.01);
  plMesh* mesh = box_mesh(v3(0.24, 0.12, 0.06), 10 * refine, 5 * refine, 2 * refine);
  plDeformableDef soft = pl_default_deformable_def();
  soft.name = "block", soft.mesh = mesh, soft.pose.p.z = -0.03, soft.surface.friction = mu;
  soft.material.young = 1e5, soft.material.poisson = 0.4, soft.material.damping_stiffness = 0.01;
  CHECK_INT(pl_spec_add_deformable(w.spec, &soft, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  hold_below(&w, 0, -0.03);
  plVec3 axis = v3(0.01, 0.035, 0);
  plPose pose = pose_at(-0.05, 0.004, radius + 0.001);
  if (kind != PL_SHAPE_SPHERE) pose.q = quat_mul(quat_from_axis_angle(v3(0, 0, 1), tilt + atan2(axis.y, axis.x)), quat_from_axis_angle(v3(0, 1, 0), M_PI / 2));
  plGeometryDef g = pl_default_geometry_def();
  g.kind = kind, g.radius = radius, g.length = 2 * v3_norm(axis), g.surface.friction = mu, g.size = v3(2 * radius, 3 * radius, 4 * radius);
  add_body(&w, "tool", g, pose, v3(0, 0, -0.022), 1e7, 1e7);
  build(&w);
  plData* data = w.data;
  Drag d = {.least = INFINITY, .most = -INFINITY};
  double force[150], sum2 = 0;
  int n = 0;
  for (int i = 0; i < 150; i++) {
    if (i == 50) data->v[0] = 0.1, data->v[2] = 0;
    run(&w, 1);
    if (data->report.status) break;
    plVec3 f = {0, 0, 0};
    for (int k = 0; k < data->ncontact; k++) f = v3_add(f, data->contact[k].force);
    // The block is A, the tool B: what B feels.
    force[i] = f.z, d.newton += data->report.iterations, d.newton_max = data->report.iterations > d.newton_max ? data->report.iterations : d.newton_max;
    d.deep += data->report.deep;
    if (i == 49) d.press = f.z;
    if (i < 60) continue;
    double ratio = -f.x / f.z;
    d.ratio += ratio, d.normal += f.z, sum2 += f.z * f.z, n++;
    d.least = fmin(d.least, ratio), d.most = fmax(d.most, ratio);
  }
  for (int i = 6; i < 49; i++) d.rough = fmax(d.rough, fabs(force[i + 1] - 2 * force[i] + force[i - 1]) / d.press);
  d.normal /= n, d.ratio /= n, d.swing = sqrt(fmax(0, sum2 / n - d.normal * d.normal)) / d.normal, d.newton /= 150;
  printf("%s r %g refine %d: press %.2f N (rough %.3f), drag N %.2f (swing %.3f) Fx/N %.3f in %.3f .. %.3f; Newton %.2f (%d), deep %d\n", pl_shape_name(kind),
         radius, refine, d.press, d.rough, d.normal, d.swing, d.ratio, d.least, d.most, d.newton, d.newton_max, d.deep);
  end(&w);
  return d;
}

// The closest point of each facet gave Fx/N of 0.22 .. 0.57 for the sphere (mean 0.40, friction 0.3 and ploughing).
static void a_sphere_is_dragged_smoothly(void) {
  Drag d = drag(PL_SHAPE_SPHERE, 0.03, 0, 1, 0.3);
  CHECK(d.least > 0.30 && d.most < 0.48 && d.swing < 0.05 && d.rough < 0.03);
  Drag fine = drag(PL_SHAPE_SPHERE, 0.03, 0, 2, 0.3);
  CHECK(fine.most - fine.least < 0.03 && fine.swing < 0.02);
}
static void a_capsule_is_dragged_smoothly(void) {
  Drag d = drag(PL_SHAPE_CAPSULE, 0.02, 0, 1, 0.3);
  CHECK(d.least > 0.40 && d.most < 0.54 && d.swing < 0.03);
}
static void a_cylinder_is_dragged_smoothly(void) {
  Drag d = drag(PL_SHAPE_CYLINDER, 0.02, 0, 1, 0.3);
  CHECK(d.least > 0.36 && d.most < 0.56 && d.swing < 0.03);
}
static void an_ellipsoid_is_dragged_smoothly(void) {
  Drag d = drag(PL_SHAPE_ELLIPSOID, 0.02, 0, 1, 0.3);
  CHECK(d.least > 0.25 && d.swing < 0.06);
}
// Without friction the tool feels only what it ploughs.
static void a_smooth_tool_is_hardly_held(void) {
  Drag d = drag(PL_SHAPE_SPHERE, 0.03, 0, 1, 0);
  CHECK(d.least > -0.05 && d.most < 0.18);
}
// A quarter of a facet in size: never lost, never through.
static void a_small_sphere_is_caught(void) {
  Drag d = drag(PL_SHAPE_SPHERE, 0.006, 0, 1, 0.3);
  CHECK(d.press > 40 && d.press < 55 && d.rough < 0.05 && d.normal > 40);
  Drag needle = drag(PL_SHAPE_SPHERE, 0.001, 0, 1, 0.3);
  CHECK(needle.press > 30 && needle.normal > 30);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_sphere_is_dragged_smoothly);
  RUN(a_capsule_is_dragged_smoothly);
  RUN(a_cylinder_is_dragged_smoothly);
  RUN(an_ellipsoid_is_dragged_smoothly);
  RUN(a_smooth_tool_is_hardly_held);
  RUN(a_small_sphere_is_caught);
  return CHECK_END;
}
