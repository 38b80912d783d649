// Thresholds of soft facets under round tools (src/contact/thresholds.h; the law is in skin_smooth.c): each
// test fails when one of them is doubled or halved.
#include "contact/pair.h"
#include "points.h"

static const plVec3 nowhere = {0, 0, 0};
static const double edge = 0.1, young = 1e5, poisson = 0.3;

// A regular tetrahedron, whose facets have the same area as its vertices: the size of the mesh is h.
static double size_of_mesh(void) { return sqrt(sqrt(3) / 4) * edge; }
static double plane_modulus(void) { return young / (1 - poisson * poisson); }

// Its lower facet, at z = 0, about the origin.
static void facet(plVec3 x[3]) {
  for (int k = 0; k < 3; k++)
    x[k] = v3(edge / sqrt(3) * cos(2 * M_PI * k / 3), edge / sqrt(3) * sin(2 * M_PI * k / 3), 0);
}

// A ball of this radius, from below, with its centre there, that moves up with this speed.
static World ball_at(double radius, plVec3 centre, double speed) {
  World w = begin(nowhere, 0.01);
  plMesh* mesh = pl_mesh_create(4, 1, 0, NULL);
  plVec3 x[3];
  facet(x);
  for (int k = 0; k < 3; k++) v3_store(mesh->vert + 3 * (size_t)k, x[k]);
  v3_store(mesh->vert + 9, v3(0, 0, edge * sqrt(2.0 / 3)));
  for (int k = 0; k < 4; k++) mesh->tet[k] = k;
  plDeformableDef def = pl_default_deformable_def();
  plShapeDef ball = pl_default_shape_def();
  def.name = "soft", def.mesh = mesh, def.material.young = young, def.material.poisson = poisson;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  ball.kind = PL_SHAPE_SPHERE, ball.radius = radius;
  add_body(&w, "ball", ball, pose_at(centre.x, centre.y, centre.z), v3(0, 0, speed), 1, 1e-3);
  build(&w);
  find_points(&w);
  return w;
}

// ---- the spring

// The stiffness of all springs under a ball that is this deep in the middle of the facet, over E* h.
static double stiffness(double radius, double depth) {
  World w = ball_at(radius, v3(0, 0, -radius + depth), 0);
  double sum = 0;
  CHECK_INT(w.data->work->npoint, 3);
  for (int i = 0; i < w.data->work->npoint; i++) sum += 1 / w.data->work->point[i].spring.compliance;
  end(&w);
  return sum / (plane_modulus() * size_of_mesh());
}

// A patch smaller than the facet is as stiff as a rigid punch of its area on a half space: 2 E* a.
static void punch(void) {
  double h = size_of_mesh(), r = 0.85 * h, depth = 0.0435 * h, a = sqrt(2 * r * depth - depth * depth);
  CHECK_NEAR(stiffness(r, depth), 2 * a / h, 0.02 * 2 * a / h);
}

// A ball that covers the whole facet presses on a layer as thick as the facet is wide, of twice the modulus
// (the layer cannot widen). Facets that are small beside the ball follow its shape: at ten times their size
// the layer is twice as stiff.
static void layer(void) {
  double h = size_of_mesh();
  CHECK_NEAR(stiffness(5 * h, 0.12 * h) / 1.5, 2, 0.1);
  CHECK_NEAR(stiffness(20 * h, 0.05 * h) / stiffness(5 * h, 0.12 * h), 2, 0.024);
}

// A needle must not pass between the vertices: one as thin as a fifth of the facet is 27 times as stiff as a
// cube of the mesh's size.
static void needle(void) {
  double h = size_of_mesh();
  CHECK_NEAR(stiffness(0.2 * h, 0.01 * h), 27, 0.52);
}

// Nothing sinks in past its middle: where the overlap exceeds 0.4 radii the layer is stiffer by 1 + 10 (h /
// r)^2. The plane of the facet cuts two concentric discs, out of the ball and out of the ball of 0.6 radii.
static void core(void) {
  double h = size_of_mesh(), r = 0.2 * h, deep = 0.56, above2 = (1 - deep) * (1 - deep),
         part = (0.36 - above2) / (1 - above2), plain = stiffness(r, 0.1 * r);
  CHECK_ROUND(stiffness(r, 0.28 * r) / plain, 1, 1);
  CHECK_NEAR(stiffness(r, deep * r) / plain, 1 + 10 * 25 * part, 0.1 * 250 * part);
}

// Parts of a facet that make more than 78 degrees with the direction to the shape count less, in proportion
// to the cosine. A ball whose middle is only h before the plane has such parts beyond 4.9 h from its axis.
static void facing(void) {
  double r = 0.2 * size_of_mesh(), h = 0.1 * r, c = 0.2, sum = 0;
  World w = ball_at(r, v3(0, 0, -h), 0);
  for (int i = 0; i < w.data->work->npoint; i++) sum += w.data->work->point[i].area;
  CHECK_NEAR(sum, M_PI * h * h * (1 / (c * c) - 1) + 2 * M_PI * h / c * (r - h / c), 0.01 * M_PI * r * r);
  end(&w);
}

// A spring yields by about a third of the tool's radius; then the point is as stiff as any other.
static void stop(void) {
  double h = size_of_mesh(), r = 0.2 * h;
  World w = ball_at(r, v3(0, 0, -r + 0.1 * r), 1);
  CHECK_INT(w.data->work->npoint, 3);
  for (int i = 0; i < w.data->work->npoint; i++)
    CHECK_NEAR(w.data->work->point[i].spring.stop, r / 3, 0.03 * r);
  end(&w);
}

// It yields no farther than until the deepest position is 0.4 cells inside. A large ball is flat on the
// facet: the deepest position is in the middle, and the layer behind it is the limit of the mean overlap.
static void deepest(void) {
  double h = size_of_mesh(), depth = 0.1 * h;
  World w = ball_at(h, v3(0, 0, -h + depth), 10);
  CHECK_INT(w.data->work->npoint, 3);
  const plSkin* skin = w.data->work->contact->collider[0].skin;
  for (int i = 0; i < w.data->work->npoint; i++) {
    const plContactPoint* p = &w.data->work->point[i];
    CHECK_ROUND(p->gap + p->spring.stop, 0.4 * fmin(h, skin->limit) - depth, h);
  }
  end(&w);
}

// The layer is five times as stiff at the corners of a facet as in its middle, with mean compliance 1. A ball
// so large that it is flat presses the whole facet in: where the point of a corner acts, as the mean of the
// corner's own coordinate over the 16 parts of the facet.
static double own_coordinate(double corner, double middle) {
  enum { N = 4 };
  double sum = 0, own = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; i + j < N; j++)
      for (int k = 1; k <= (i + j < N - 1 ? 2 : 1); k++) {
        double a = (i + k / 3.0) / N, b = (j + k / 3.0) / N, c = 1 - a - b,
               squares = a * a + b * b + c * c + 1.0 / (6 * N * N),
               compliance = middle + (corner - middle) * (squares - 1.0 / 3) / (2.0 / 3);
        sum += a / compliance, own += a * a / compliance;
      }
  return own / sum;
}

static void uneven(void) {
  double h = size_of_mesh(), r = 1000 * h;
  World w = ball_at(r, v3(0, 0, -r + 0.05 * h), 0);
  CHECK_INT(w.data->work->npoint, 3);
  for (int i = 0; i < w.data->work->npoint; i++) {
    const plContactSide* soft =
        w.data->work->point[i].a.nvert ? &w.data->work->point[i].a : &w.data->work->point[i].b;
    double most = 0;
    for (int k = 0; k < soft->nvert; k++) most = fmax(most, soft->weight[k]);
    CHECK_NEAR(most, own_coordinate(0.25, 1.25), 4.5e-4);
  }
  end(&w);
}

// ---- before the tool touches

// The area of the facet, projected on the ball's normal, that is nearer to the ball than t.
static double area_within(plVec3 centre, double radius, double t) {
  enum { N = 400 };
  plVec3 x[3];
  double sum = 0, whole = sqrt(3) / 4 * edge * edge;
  facet(x);
  for (int i = 0; i < N; i++)
    for (int j = 0; i + j < N; j++) {
      double a = (i + 1.0 / 3) / N, b = (j + 1.0 / 3) / N;
      plVec3 p = v3_add(x[0], v3_add(v3_scale(a, v3_sub(x[1], x[0])), v3_scale(b, v3_sub(x[2], x[0])))),
             d = v3_sub(centre, p);
      if (v3_norm(d) - radius < t) sum += -d.z / v3_norm(d) * whole * 2 / (N * N + N);
    }
  return sum;
}

// How far beyond the closest point the points of a ball reach that does not touch yet, over h: the part of
// the facet that is so near has the area of the points. The ball is before the corner x[0], beyond it by this
// slope.
static double ahead(double radius, double slope) {
  double h = size_of_mesh(), gap = 1e-5, area = 0, low = 0, high = h;
  plVec3 x[3];
  facet(x);
  plVec3 towards = v3_unit(v3(slope, 0, -1)), centre = v3_madd(x[0], radius + gap, towards);
  World w = ball_at(radius, centre, 0);
  for (int i = 0; i < w.data->work->npoint; i++) area += w.data->work->point[i].area;
  end(&w);
  for (int i = 0; i < 30; i++) {
    double middle = 0.5 * (low + high);
    if (area_within(centre, radius, gap + middle) < area)
      low = middle;
    else
      high = middle;
  }
  return low / h;
}

// As far as the ball bends away from a facet of that size, a part of it, and no more than a part of the ball.
static void reach(void) {
  double h = size_of_mesh();
  CHECK_NEAR(ahead(20 * h, 0.3), 0.06 + 0.1 / 40, 9e-4);
  CHECK_NEAR(ahead(2 * h, 0.3), 0.06 + 0.1 / 4, 0.005);
  CHECK_NEAR(ahead(0.5 * h, 0), 0.05 * 0.5, 0.005);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(punch);
  RUN(layer);
  RUN(needle);
  RUN(core);
  RUN(facing);
  RUN(stop);
  RUN(deepest);
  RUN(uneven);
  RUN(reach);
  return CHECK_END;
}
