// test_moments.c: the moment of taxels that are not a flat grid, or at whose rim a contact lies, against the
// moment of the contacts: within half a taxel times the force, for random bodies that meet.
#include "contact/random_pair.h"
#include "math/pose.h"
#include "sensor/sensor.h"
#include "world.h"

enum { COLUMNS = 6 };
static const double DT = 5e-4;  // s

typedef struct Moments {
  double moment;  // largest difference of moments over what half a taxel allows
  double force;   // largest difference of resultants, relative
  int members;    // number of taxels touched
} Moments;

// Half the side of a square with a taxel's share of the surface.
static double half_taxel(const plTriTree* tree, int rows) {
  double area = 0;
  for (int t = 0; t < tree->ntri; t++) {
    const int* v = tree->tri + 3 * t;
    plVec3 a = v3_load(tree->vert + 3 * v[0]);
    area += 0.5 * v3_norm(v3_cross(v3_sub(v3_load(tree->vert + 3 * v[1]), a),
                                   v3_sub(v3_load(tree->vert + 3 * v[2]), a)));
  }
  return 0.5 * sqrt(area / rows);
}

// Force and moment about the origin of the body, in its axes, of the taxels at the vertices of its only
// shape.
static plWrench felt(const plData* data) {
  const plTaxelSkin* skin = &data->model->work->sensor[0].taxels.skin[0];
  plWrench sum = {0};
  double* x = calloc((size_t)pl_sensor_size(data->model, 0), sizeof *x);
  bool* seen = calloc((size_t)data->model->sensor[0].rows, sizeof *seen);
  CHECK_INT(pl_sensor_read(data, 0, x), PL_OK);
  for (int k = 0; k < 3 * skin->tree.ntri; k++) {
    int v = skin->tree.tri[k], row = skin->row[v];
    if (seen[row]) continue;
    seen[row] = true;
    plVec3 f = v3(x[COLUMNS * row + 1], x[COLUMNS * row + 2], -x[COLUMNS * row]);
    sum.force = v3_add(sum.force, f);
    sum.moment = v3_add(sum.moment, v3_cross(v3_load(skin->tree.vert + 3 * v), f));
  }
  free(x), free(seen);
  return sum;
}

enum { FINE = 8 };

// The hull's facets with dents of fine facets, which reach nearly to its middle. Contact is with the hull.
static plMesh* dented(const plHull* h) {
  int cells = FINE * FINE, n = 0;
  plMesh* mesh = pl_mesh_create(9 * h->ntri * cells, 0, 3 * h->ntri * cells, NULL);
  for (int t = 0; t < 3 * h->ntri; t++) {
    plVec3 a = v3_load(h->vert + 3 * h->tri[t]),
           b = v3_load(h->vert + 3 * h->tri[t % 3 == 2 ? t - 2 : t + 1]), c = h->centre;
    for (int i = 0; i < FINE; i++)
      for (int j = 0; j < 2 * (FINE - i) - 1; j++) {
        // upright triangles have even j, the others stand on their heads between them
        double u = i, v = j / 2, corner[3][2] = {{u, v}, {u + 1, v}, {u, v + 1}};
        if (j % 2) corner[0][0] = u + 1, corner[0][1] = v + 1;
        for (int k = 0; k < 3; k++, n++) {
          double s = corner[k][0] / FINE, r = corner[k][1] / FINE;
          plVec3 x = v3_add(v3_scale(1 - s - r, a), v3_add(v3_scale(s, b), v3_scale(r, c)));
          // all but the hull's own corners lie inside of it
          v3_store(mesh->vert + 3 * n, fmax(s, 1 - s - r) == 1 ? x : v3_madd(v3_scale(0.1, c), 0.9, x));
          mesh->tri[n] = n;
        }
      }
  }
  return mesh;
}

static void add_dented(World* w, const RandomBody* b) {
  plShapeDef shape = pl_default_shape_def();
  plMesh* mesh = dented(b->hull);
  shape.kind = PL_SHAPE_MESH, shape.mesh = mesh, shape.convex = true;
  add_body(w, "a", shape, b->pose, (plVec3){0, 0, 0}, 1, 1e-3);
  pl_mesh_destroy(mesh);
}

static void add_ball(World* w, const RandomBody* b, double edge) {
  plDeformableDef def = pl_default_deformable_def();
  plMesh* mesh;
  CHECK_INT(pl_mesh_sphere(b->radius, edge, &mesh, &w->error), PL_OK);
  def.name = "b", def.mesh = mesh, def.pose = b->pose, def.material.young = 1e5;
  CHECK_INT(pl_spec_add_deformable(w->spec, &def, NULL, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
}

// Two random bodies meet and slide. Nothing else acts on the first: its momentum says what the contacts do.
static void meet(uint64_t seed, Moments* worst) {
  plRandom r = {seed};
  World w = begin((plVec3){0, 0, 0}, DT);
  pl_spec_options(w.spec)->tolerance = 1e-11;
  Carrier ca = (Carrier)(ON_MESH + pl_random_int(&r, ON_HALF_SPACE - ON_MESH)),
          cb = (Carrier)pl_random_int(&r, ON_HALF_SPACE);
  RandomBody a = random_body(&r, ca), b = random_body(&r, cb);
  bool ball = ca >= ON_SPHERE && cb == ON_SOFT;
  if (ball) b.carrier = ON_SPHERE, b.radius = pl_random(&r, 0.02, 0.06);
  plConvexGap g = place_pair(&r, &a, &b, 1e-4);
  if (ca == ON_HULL)
    add_dented(&w, &a);
  else
    CHECK(add_random_body(w.spec, "a", &a));
  if (ball)
    add_ball(&w, &b, pl_random(&r, 0.2, 0.5) * b.radius);
  else
    CHECK(add_random_body(w.spec, "b", &b));
  plSensorDef def = pl_default_sensor_def();
  def.name = "skin", def.kind = PL_SENSOR_TAXELS, def.on = "a", def.has_region = true;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  double half = half_taxel(&w.model->work->sensor[0].taxels.skin[0].tree, w.model->sensor[0].rows);
  bool touched = false;
  v3_store(w.data->v, v3_madd(v3_scale(0.2, random_unit(&r)), 0.5, g.normal));
  v3_store(w.data->v + 3, v3_scale(3, random_unit(&r)));
  for (int k = 0; k < 8; k++) {
    plPose before[2];
    plVec3 v = v3_load(w.data->v), spin = v3_load(w.data->v + 3);
    pl_rigid_poses(w.data, before);
    run(&w, 1);
    // 1 kg, 1e-3 kg m^2 about every axis
    plVec3 F = v3_scale(1 / DT, v3_sub(v3_load(w.data->v), v)),
           M = v3_scale(1e-3 / DT, v3_sub(v3_load(w.data->v + 3), spin));
    double size = 0;
    for (int i = 0; i < w.data->ncontact; i++) size += v3_norm(w.data->contact[i].force);
    if (!(size > 0)) continue;
    touched = true;
    plQuat back = quat_conj(before[0].q);
    plWrench taxels = felt(w.data);
    worst->force = fmax(worst->force, v3_norm(v3_sub(taxels.force, quat_rotate(back, F))) / size);
    worst->moment = fmax(worst->moment, v3_norm(v3_sub(taxels.moment, quat_rotate(back, M))) / (size * half));
  }
  worst->members += touched;
  pl_hull_destroy(a.hull), pl_hull_destroy(b.hull);
  end(&w);
}

static void facets_of_random_bodies(void) {
  Moments worst = {0};
  for (uint64_t seed = 1; seed <= CHECK_MEMBERS(300); seed++) meet(seed, &worst);
  printf("%d members: moments off by %.2g of half a taxel, resultants by %.1e\n", worst.members, worst.moment,
         worst.force);
  CHECK(worst.moment <= 1);
  CHECK_BELOW(worst.force, 9.9e-9, 1);  // of what a step's tolerance leaves where a force is small
  CHECK(worst.members > CHECK_MEMBERS(300) * 5 / 6);
}

enum { GRIDS = 60 };

// Grids that lie anywhere under the contact: where it is inside the hull of the centres the moment is exact,
// between them and the border it is within half a taxel.
static void rims_of_random_grids(void) {
  plRandom r = {7};
  World w = begin((plVec3){0, 0, 0}, DT);
  plShapeDef shape = pl_default_shape_def();
  shape.kind = PL_SHAPE_BOX, shape.size = (plVec3){1, 1, 0.1};
  add_body(&w, "table", shape, pose_at(0, 0, -0.05), (plVec3){0, 0, 0}, 1, 1e-3);
  shape.kind = PL_SHAPE_SPHERE, shape.radius = 0.05;
  add_body(&w, "ball", shape, pose_at(0, 0, 0.0501), (plVec3){0.2, 0.1, -0.5}, 1, 1e-3);
  plSensorDef def[GRIDS];
  for (int k = 0; k < GRIDS; k++) {
    char name[24];
    snprintf(name, sizeof name, "g%d", k);
    def[k] = pl_default_sensor_def();
    def[k].name = name, def[k].kind = PL_SENSOR_TAXELS, def[k].on = "table";
    for (int i = 0; i < 2; i++)
      def[k].size[i] = pl_random(&r, 0.01, 0.1), def[k].cells[i] = 1 + pl_random_int(&r, 8);
    double x = pl_random(&r, -0.5, 0.5) * def[k].size[0], y = pl_random(&r, -0.5, 0.5) * def[k].size[1];
    def[k].pose = (plPose){{x, y, 0.05}, quat_from_axis_angle(v3(0, 0, 1), pl_random(&r, 0, 6))};
    CHECK_INT(pl_spec_add_sensor(w.spec, &def[k], NULL, &w.error), PL_OK);
    def[k].name = NULL;
  }
  build(&w);
  int inside = 0, rim = 0;
  double worst = 0, exact = 0;
  for (int step = 0; step < 6; step++) {
    plPose before[2];
    pl_rigid_poses(w.data, before);
    run(&w, 1);
    if (w.data->ncontact != 1 || !(v3_norm(w.data->contact[0].force) > 0)) continue;
    const plContact* c = &w.data->contact[0];
    for (int k = 0; k < GRIDS; k++) {
      plPose grid = pose_mul(before[0], def[k].pose);
      plVec3 at = pose_apply_inverse(grid, c->position), F = {0}, M = {0},
             f = quat_rotate(quat_conj(grid.q), v3_scale(c->b.index == 0 ? 1 : -1, c->force));
      double x[64 * COLUMNS], cell[2], past[2];
      for (int i = 0; i < 2; i++) {
        cell[i] = def[k].size[i] / def[k].cells[i];
        past[i] = fabs(i ? at.y : at.x) - def[k].size[i] / 2;
      }
      if (past[0] > 0 || past[1] > 0) continue;
      CHECK_INT(pl_sensor_read(w.data, k, x), PL_OK);
      for (int n = 0; n < def[k].cells[0] * def[k].cells[1]; n++) {
        const double* t = x + COLUMNS * n;
        plVec3 one = v3(t[1], t[2], -t[0]),
               place = v3((n % def[k].cells[0] + 0.5) * cell[0] - def[k].size[0] / 2,
                          (n / def[k].cells[0] + 0.5) * cell[1] - def[k].size[1] / 2, 0);
        F = v3_add(F, one), M = v3_add(M, v3_cross(place, one));
      }
      at.z = 0;
      double force = v3_norm(f), off = v3_norm(v3_sub(M, v3_cross(at, f)));
      bool in_hull = past[0] <= -cell[0] / 2 && past[1] <= -cell[1] / 2;
      CHECK_BELOW(v3_norm(v3_sub(F, f)), 1.5e-14, force);
      inside += in_hull, rim += !in_hull;
      if (in_hull)
        exact = fmax(exact, off / (force * (def[k].size[0] + def[k].size[1])));
      else
        worst = fmax(worst, off / (force * 0.5 * sqrt(cell[0] * cell[0] + cell[1] * cell[1])));
    }
  }
  printf("%d inside: %.1e; %d at rims: %.2g of half a taxel\n", inside, exact, rim, worst);
  CHECK_BELOW(exact, 1.5e-14, 1);
  CHECK(worst <= 1);
  CHECK(inside > 30 && rim > 30);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(facets_of_random_bodies);
  RUN(rims_of_random_grids);
  return CHECK_END;
}
