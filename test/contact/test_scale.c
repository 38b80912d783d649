// test_scale.c: contact has no length of its own. The same bodies of another size, under the same gravity and
// with times as the square root of lengths, move in the same way.
#include "../rigid/bodies.h"

static unsigned long long seed = 1;
static double uniform(double from, double to) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

enum { BODIES = 4, STEPS = 60 };

static plVec3 random_vector(plVec3 middle, double size) {
  double z = uniform(-size, size), y = uniform(-size, size), x = uniform(-size, size);
  return v3_add(middle, v3(x, y, z));
}

static void set_surface(plSurface* s) { s->friction = 0.4; }

// Rigid bodies of any shape, and two soft cubes, fall on each other and on the floor.
static plData* new_heap(int k, double scale) {
  static const plShapeKind kinds[] = {PL_SHAPE_BOX, PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  const double slow = sqrt(scale);
  seed = 1000 + (unsigned long long)k;
  plSpec* spec = new_spec("backward_euler", 0.01 * slow);
  plOptions* o = pl_spec_options(spec);
  plError error;
  o->contact_law = PL_LAW_CONE, o->tolerance = 1e-10;
  o->push_out_speed *= slow, o->push_out_turn /= slow;
  for (int i = 0; i < BODIES; i++) {
    char name[16];
    double size = uniform(0.04, 0.08), mass = uniform(0.1, 1) * pow(scale, 3),
           I = 0.2 * mass * pow(size * scale, 2);
    snprintf(name, sizeof name, "b%d", i);
    plBodyDef def = pl_default_body_def();
    def.name = name, def.mass = mass, def.inertia[0] = def.inertia[1] = def.inertia[2] = I;
    def.pose.p = v3_scale(scale, random_vector(v3(0, 0, 0.08 + 0.1 * i), 0.02));
    def.pose.q = quat_exp(random_vector(v3(0, 0, 0), 1));
    if (pl_spec_add_body(spec, &def, NULL, &error)) check_errors++, printf("%s\n", error.message);
    plShapeDef shape = pl_default_shape_def();
    shape.name = name, shape.body = i, shape.kind = kinds[(i + k) % 5];
    shape.size = v3(size * scale, size * scale, 0.7 * size * scale);
    shape.radius = 0.4 * size * scale, shape.length = 0.7 * size * scale, set_surface(&shape.surface);
    if (pl_spec_add_shape(spec, &shape, NULL, &error)) check_errors++, printf("%s\n", error.message);
  }
  plShapeDef floor = pl_default_shape_def();
  floor.name = "floor", floor.kind = PL_SHAPE_HALF_SPACE, set_surface(&floor.surface);
  if (pl_spec_add_shape(spec, &floor, NULL, &error)) check_errors++, printf("%s\n", error.message);
  for (int i = 0; i < 2; i++) {
    plMesh* mesh = NULL;
    CHECK(!pl_mesh_box(v3(0.06, 0.05, 0.06), 0.03, &mesh, &error));
    for (int j = 0; j < 3 * mesh->nvert; j++) mesh->vert[j] *= scale;
    plDeformableDef def = pl_default_deformable_def();
    def.name = i ? "high" : "low", def.mesh = mesh, set_surface(&def.surface);
    def.pose.p = v3_scale(scale, random_vector(v3(0, 0.1, 0.07 + 0.09 * i), 0.02));
    def.pose.q = quat_exp(random_vector(v3(0, 0, 0), 1));
    def.material.young = 3e4 * scale, def.material.density = 1000;
    def.material.damping_stiffness = 0.01 * slow;
    if (pl_spec_add_deformable(spec, &def, NULL, &error)) check_errors++, printf("%s\n", error.message);
    pl_mesh_destroy(mesh);
  }
  return start(spec);
}

// Powers of four: numbers scale without rounding, so a difference shows a length or time of the program.
static void motion_does_not_depend_on_the_size(void) {
  static const double scales[] = {0x1p-10, 0x1p-8, 0x1p-6, 0x1p-4, 0x1p4};
  double worst = 0;
  for (int k = 0; k < 20; k++)
    for (int s = 0; s < 5; s++) {
      plData *one = new_heap(k, 1), *other = new_heap(k, scales[s]);
      double off = 0;
      for (int i = 0; i < STEPS; i++) {
        step(one), step(other);
        for (int b = 0; b < BODIES; b++)
          off = fmax(off, v3_norm(v3_sub(v3_scale(1 / scales[s], v3_load(other->q + 7 * b)),
                                         v3_load(one->q + 7 * b))));
        for (int j = 7 * BODIES; j < one->model->nq; j++)
          off = fmax(off, fabs(other->q[j] / scales[s] - one->q[j]));
      }
      worst = fmax(worst, off);
      finish(one), finish(other);
    }
  printf("  bodies of 0.04 mm to 1 m: apart by at most %.2g m on the scale of 0.1 m\n", worst);
  CHECK_BELOW(worst, 1e-7, 1);  // wide: where a solve ends by rounding
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(motion_does_not_depend_on_the_size);
  return CHECK_END;
}
