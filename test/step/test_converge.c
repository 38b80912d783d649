// test_converge.c: every scene within the documented ranges can be stepped: stiff, light, weightless, at
// rest.
#include "math/pose.h"
#include "math/random_vec3.h"
#include "world.h"

static double log_random(plRandom* r, double a, double b) { return exp(pl_random(r, log(a), log(b))); }

static plPose random_pose(plRandom* r, double x, double y, double z) {
  plVec3 axis;
  axis.x = pl_random(r, -1, 1), axis.y = pl_random(r, -1, 1), axis.z = pl_random(r, -1, 1);
  return (plPose){{x, y, z}, quat_from_axis_angle(v3_unit(axis), pl_random(r, -3, 3))};
}

static const plMaterialKind LAW[] = {PL_MATERIAL_LINEAR,         PL_MATERIAL_LINEAR_COROTATED,
                                     PL_MATERIAL_COROTATED,      PL_MATERIAL_SAINT_VENANT_KIRCHHOFF,
                                     PL_MATERIAL_NEO_HOOKEAN,    PL_MATERIAL_MOONEY_RIVLIN,
                                     PL_MATERIAL_FIXED_COROTATED};
enum { NLAW = sizeof LAW / sizeof *LAW };

static plMaterial random_material(plRandom* r, plMaterialKind kind) {
  plMaterial m = pl_default_deformable_def().material;
  m.kind = kind, m.young = log_random(r, 1e2, 1e10), m.density = log_random(r, 1, 2e4);
  m.poisson = pl_random_int(r, 3) ? pl_random(r, 0, 0.4999) : 0.4999;
  if (pl_random_int(r, 2)) m.damping_stiffness = 0;
  if (kind == PL_MATERIAL_MOONEY_RIVLIN) {
    double mu = m.young / (2 * (1 + m.poisson));
    m.c1 = 0.3 * mu, m.c2 = 0.2 * mu;
    m.bulk = m.young / (3 * (1 - 2 * m.poisson));
  }
  return m;
}

// Velocity of the centre of mass of the only body.
static plVec3 centre(const plData* data) {
  const plModel* model = data->model;
  plVec3 c = {0, 0, 0};
  for (int i = 0; i < model->nvert; i++)
    c = v3_madd(c, model->vert_volume[i] / model->deform_volume[0], v3_load(data->v + 3 * (size_t)i));
  return c;
}

typedef struct Fall {
  plMaterial material;
  plPose pose;
  double h, dt;  // cells, step
  int n;         // cells along each side
} Fall;

// (lambda + 2 mu) dt^2 / (rho h^2)
static double stiffness(const Fall* f) {
  double nu = f->material.poisson, modulus = f->material.young * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  return modulus * f->dt * f->dt / (f->material.density * f->h * f->h);
}

// Three steps of free fall; *off: how far the centre's acceleration is from that of gravity, relative.
static plStatus fall(const Fall* f, double* off, plError* error) {
  const plVec3 gravity = {0, 0, -9.81};
  World w = begin(gravity, f->dt);
  plMesh* mesh = NULL;
  double side = f->n * f->h;
  CHECK_INT(pl_mesh_box_cells((plVec3){side, side, side}, f->n, f->n, f->n, &mesh, &w.error), PL_OK);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "b", def.mesh = mesh, def.material = f->material, def.pose = f->pose;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  build(&w);
  plStatus status = PL_OK;
  *off = 0;
  for (int i = 0; i < 3 && !status; i++) {
    plVec3 before = centre(w.data);
    status = pl_step(w.data, error);
    plVec3 a = v3_scale(1 / f->dt, v3_sub(centre(w.data), before));
    if (!status) *off = fmax(*off, v3_norm(v3_sub(a, gravity)) / 9.81);
  }
  end(&w);
  return status;
}

// Free fall of every law, however stiff, light or fine: the centre has the acceleration of gravity. Beyond S
// = 1e12 the step is refused, S is named, and the smaller dt that is advised does help.
static void free_fall_of_every_law(void) {
  plRandom r = {11};
  int refused = 0;
  for (int k = 0; k < 300; k++) {
    Fall f = {.material = random_material(&r, LAW[k % NLAW]), .pose = {{0.3, 0.2, 0.5}, {1, 0, 0, 0}}};
    f.h = log_random(&r, 1e-3, 0.05), f.dt = log_random(&r, 1e-4, 0.05), f.n = 1 + pl_random_int(&r, 3);
    if (f.material.kind != PL_MATERIAL_LINEAR) {
      plVec3 p = v3_random(&r, -1, 1);
      f.pose = random_pose(&r, p.x, p.y, p.z);
    }
    double off, S = stiffness(&f), dt = f.dt;
    plError error = {0};
    plStatus status = fall(&f, &off, &error);
    if (status == PL_ERROR_UNSTABLE && S > 0.9e12 && strstr(error.message, "S = ")) {
      refused++;
      f.dt *= sqrt(0.5e12 / S);
      S = stiffness(&f), status = fall(&f, &off, &error);
    }
    bool right = !status && S < 1.2e12 && off < 1e-6;
    CHECK(right);
    if (!right)
      printf("%d: law %d, E %.2g, nu %.4f, density %.2g, h %.2g, n %d, dt %.2g, S %.1e: %s, off by %.1e\n", k,
             (int)f.material.kind, f.material.young, f.material.poisson, f.material.density, f.h, f.n, dt, S,
             status ? error.message : "steps", off);
  }
  CHECK(refused > 0 && refused < 30);
}

static int add_soft(World* w, const char* name, plVec3 size, int n, plPose pose, plVec3 velocity,
                    plMaterial material, double friction) {
  plMesh* mesh = NULL;
  int id = -1;
  CHECK_INT(pl_mesh_box_cells(size, n, n, n, &mesh, &w->error), PL_OK);
  plDeformableDef def = pl_default_deformable_def();
  def.name = name, def.mesh = mesh, def.pose = pose, def.velocity = velocity, def.material = material,
  def.surface.friction = friction;
  CHECK_INT(pl_spec_add_deformable(w->spec, &def, &id, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
  return id;
}

// Without gravity nothing but momentum is left to compare with: a block of every law flies at a wall, or two
// at each other, and they come back.
static void weightless_bodies_bounce(void) {
  plRandom r = {5};
  for (int k = 0; k < CHECK_MEMBERS(28); k++) {
    bool wall = k % 2;
    plMaterial material = random_material(&r, LAW[k / 2 % NLAW]);
    double speed = pl_random(&r, 0.2, 3), side = 0.1, dt = log_random(&r, 1e-3, 0.02);
    material.density = log_random(&r, 50, 5000), material.damping_stiffness = 0.001;
    double young = log_random(&r, 20, 1e5) * material.density * speed * speed, scale = young / material.young;
    material.young = young, material.c1 *= scale, material.c2 *= scale, material.bulk *= scale;
    material.poisson = fmin(material.poisson, 0.45);
    World w = begin((plVec3){0, 0, 0}, dt);
    plPose left = random_pose(&r, -0.2, 0.01, 0.007), right = random_pose(&r, 0.2, 0, 0);
    if (material.kind == PL_MATERIAL_LINEAR) left.q = right.q = (plQuat){1, 0, 0, 0};
    add_soft(&w, "left", v3(side, side, side), 2, left, v3(speed, 0, 0), material, 0.5);
    if (wall)
      add_shape(&w, "wall", PL_SHAPE_BOX, v3(0.02, 0.4, 0.4), v3(0, 0, 0), pl_default_surface());
    else
      add_soft(&w, "right", v3(side, side, side), 2, right, v3(-speed, 0, 0), material, 0.5);
    build(&w);
    int steps = (int)(0.4 / (speed * dt)) + 20, touched = 0;
    for (int i = 0; i < steps && !w.data->report.status; i++) run(&w, 1), touched += w.data->ncontact > 0;
    if (w.data->report.status)
      printf("%d: law %d, E %.2g, nu %.3f, density %.2g, speed %.2g, dt %.2g\n", k, (int)material.kind,
             material.young, material.poisson, material.density, speed, dt);
    CHECK(touched > 0);
    CHECK(centre(w.data).x < 0.5 * speed);
    end(&w);
  }
}

// A light, stiff ball lands on a rough floor, and a rigid one on it: steep cones and a matrix of many scales.
static void stiff_light_balls_land(void) {
  plRandom r = {3};
  for (int k = 0; k < CHECK_MEMBERS(16); k++) {
    plMaterial material = random_material(&r, PL_MATERIAL_LINEAR_COROTATED);
    material.young = log_random(&r, 1e6, 1e9), material.density = log_random(&r, 20, 300);
    World w = begin((plVec3){0, 0, -pl_random(&r, 0.1, 20)}, 0.01);
    double radius = pl_random(&r, 0.04, 0.08);
    plMesh* mesh = NULL;
    CHECK_INT(pl_mesh_sphere(radius, 0.9 * radius, &mesh, &w.error), PL_OK);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "ball", def.mesh = mesh, def.pose = random_pose(&r, 0, 0, 1.05 * radius),
    def.material = material;
    def.velocity = v3(0, 0, -0.3), def.surface.friction = pl_random(&r, 1, 8);
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    plSurface rough = pl_default_surface();
    rough.friction = def.surface.friction;
    add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), rough);
    plShapeDef shape = pl_default_shape_def();
    shape.kind = PL_SHAPE_ELLIPSOID, shape.size = v3(0.045, 0.027, 0.036), shape.surface = rough;
    add_body(&w, "pebble", shape, random_pose(&r, 0.02, -0.01, 2.5 * radius), v3(0, 0, -0.45), 0.16, 3e-5);
    build(&w);
    for (int i = 0; i < 40 && !w.data->report.status; i++) run(&w, 1);
    if (w.data->report.status)
      printf("%d: E %.2g, nu %.4f, density %.2g\n", k, material.young, material.poisson, material.density);
    end(&w);
  }
}

// A heavy ball hangs on the lowest vertices of a light block, which stand on the floor: the impulses of the
// attachments and of the contacts at these vertices are up to 1e8 times their sum, which is all that the
// block's balance knows. A convex problem that is solved to a hundredth of the tolerance, relative to its
// impulses, may leave more than the balance allows; it is solved again more tightly. Every step is taken as a
// whole, but for one of these whose added points the guard finds too soft. (Without that, 18 of 40 members
// took steps in parts.)
static void a_load_that_passes_through_a_light_body(void) {
  plRandom r = {29};
  for (int k = 0; k < CHECK_MEMBERS(40); k++) {
    plMaterial material = random_material(&r, LAW[4 + k % 3]);
    double side = 0.1, density = log_random(&r, 20, 2000), scale = log_random(&r, 1e4, 1e6) / material.young,
           mass = density * side * side * side * log_random(&r, 2e6, 1e8);
    material.density = density, material.young *= scale, material.poisson = fmin(material.poisson, 0.4);
    material.c1 *= scale, material.c2 *= scale, material.bulk *= scale;
    World w = begin((plVec3){0, 0, -9.81}, log_random(&r, 0.006, 0.018));
    pl_spec_options(w.spec)->tolerance = log_random(&r, 1e-6, 1e-2);
    add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), pl_default_surface());
    plShapeDef shape = pl_default_shape_def();
    shape.kind = PL_SHAPE_SPHERE, shape.radius = 0.03;
    plPose above = {{0, 0, 2 * side}, {1, 0, 0, 0}};
    int ball = add_body(&w, "ball", shape, above, v3(0, 0, 0), mass, 4e-4 * mass);
    add_soft(&w, "block", v3(side, side, side), 2, (plPose){{0, 0, 0.5 * side + 1e-4}, {1, 0, 0, 0}},
             v3(0, 0, 0), material, 0.5);
    plAttachDef attach = pl_default_attach_def();
    attach.name = "glue", attach.body = ball, attach.region.kind = PL_REGION_HALF_SPACE;
    attach.region.centre.z = -0.49 * side, attach.region.normal = (plVec3){0, 0, -1};
    CHECK_INT(pl_spec_add_attachment(w.spec, &attach, NULL, &w.error), PL_OK);
    build(&w);
    int parts = 0;
    for (int i = 0; i < 20 && !w.data->report.status; i++) {
      run(&w, 1);
      parts += w.data->report.guard_rounds ? 1 : w.data->report.parts;
    }
    CHECK_INT(parts, 20);
    if (parts != 20)
      printf("%d: law %d, E %.2g, nu %.4f, density %.2g, ball %.2g kg, dt %.2g, tolerance %.1g\n", k,
             (int)material.kind, material.young, material.poisson, density, mass, pl_spec_options(w.spec)->dt,
             pl_spec_options(w.spec)->tolerance);
    end(&w);
  }
}

// The highest vertex' coordinate z in q.
static int model_top(const plModel* model, const plData* data) {
  int top = 2;
  for (int i = 2; i < model->nq; i += 3)
    if (data->q[i] > data->q[top]) top = i;
  return top;
}

// A card of 0.25 m and 3 mm, its lower edge at (x, z), leaning towards +x (side 1) or -x (side -1).
static void add_card(World* w, const char* name, double x, double z, double lean, double side,
                     plMaterial material, int cells) {
  const double high = 0.25, thick = 0.003;
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_box_cells((plVec3){thick, high, high}, 1, cells, cells, &mesh, &w->error), PL_OK);
  plDeformableDef def = pl_default_deformable_def();
  def.name = name, def.mesh = mesh, def.material = material, def.surface.friction = 0.9;
  def.pose.p = v3(x + side * (high / 2 * sin(lean) + thick / 2 * cos(lean) + 1e-5), 0,
                  z + high / 2 * cos(lean) + thick / 2 * sin(lean) + 1e-5);
  def.pose.q = quat_from_axis_angle(v3(0, 1, 0), -side * lean);
  CHECK_INT(pl_spec_add_deformable(w->spec, &def, NULL, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
}

// Stiff, thin cards at rest: a pair that leans on each other, and a house of two storeys, stand for 5 s with
// the default step and tolerance.
static void cards_stand(void) {
  plRandom r = {2};
  for (int k = 0; k < CHECK_MEMBERS(6); k++) {
    bool house = k < 2, fine = k == 1;
    int cells = fine ? 6 : 3;
    World w = begin((plVec3){0, 0, -9.81}, 0.01);
    plMaterial material = pl_default_deformable_def().material;
    material.kind = LAW[1 + k % (NLAW - 1)], material.young = log_random(&r, 1e8, 1e9),
    material.poisson = 0.3;
    material.density = 700;
    if (material.kind == PL_MATERIAL_MOONEY_RIVLIN)
      material.c1 = material.c2 = 0.1 * material.young, material.bulk = 0.8 * material.young;
    double lean = pl_random(&r, 0.25, 0.45), d = 0.25 * sin(lean) + 0.003 * cos(lean) + 1e-4,
           storey = 0.25 * cos(lean) + 0.003 * sin(lean) + 2e-5;
    plSurface rough = pl_default_surface();
    rough.friction = 0.9;
    add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), rough);
    if (house) {
      add_card(&w, "al", -d, 0, lean, -1, material, cells),
          add_card(&w, "ar", -d, 0, lean, 1, material, cells);
      add_card(&w, "bl", d, 0, lean, -1, material, cells), add_card(&w, "br", d, 0, lean, 1, material, cells);
      add_card(&w, "deck", -0.125, storey, M_PI / 2, 1, material, cells);
    }
    double z = house ? storey + 0.00303 : 0;
    add_card(&w, "cl", 0, z, lean, -1, material, cells), add_card(&w, "cr", 0, z, lean, 1, material, cells);
    build(&w);
    double height = w.data->q[model_top(w.model, w.data)];
    run(&w, CHECK_MEMBERS(fine ? 40 : 500));
    CHECK_NEAR(w.data->q[model_top(w.model, w.data)], height, 1.9e-4);
    double fastest = 0;
    for (int i = 0; i < w.model->nv; i++) fastest = fmax(fastest, fabs(w.data->v[i]));
    if (!fine) CHECK_BELOW(fastest, 3.2e-7, 1);  // what the tolerance of the solve leaves
    end(&w);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(free_fall_of_every_law);
  RUN(weightless_bodies_bounce);
  RUN(stiff_light_balls_land);
  RUN(a_load_that_passes_through_a_light_body);
  RUN(cards_stand);
  return CHECK_END;
}
