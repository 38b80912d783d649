// Laws that hold in any frame: damping takes no energy from a rotation, and a linear body at rest at its own
// pose has no strain.
#include "check.h"

#include "deform/deform.h"
#include "math/random_vec3.h"
#include "scenes.h"

static const plVec3 zero = {0, 0, 0};

static int pick(plRandom* r, int n) { return pl_random_int(r, n); }

static double pick_log(plRandom* r, double low, double high) {
  return low * pow(high / low, pl_random(r, 0, 1));
}

static plQuat random_turn(plRandom* r) {
  double angle = pl_random(r, 0, 3);
  return quat_from_axis_angle(v3_random(r, -1, 1), angle);
}

// A box of 2 x 1 x 1 cells, free.
static plData* make_box(plOptions o, plMaterial m, plVec3 spin, plQuat turn, const plModel** model) {
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh((plVec3){0.2, 0.1, 0.05}, 2, 1, 1);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "box", def.mesh = mesh, def.material = m;
  def.angular_velocity = spin, def.pose.q = turn, def.pose.p = v3(3, -2, 1);
  *pl_spec_options(spec) = o;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  *model = pl_model_create(spec, &error);
  plData* data = *model ? pl_data_create(*model, &error) : NULL;
  if (!data) printf("%s\n", error.message);
  pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  return data;
}

static plMaterial random_material(int kind, plRandom* r) {
  plMaterial m = pl_default_material();
  m.kind = (plMaterialKind)kind, m.element = (plElement)pick(r, 3), m.volumetric = (plVolumetric)pick(r, 2);
  m.mass = (plMass)pick(r, 2);
  m.young = pick_log(r, 1e5, 1e7), m.poisson = pl_random(r, 0, 0.45);
  if (kind == PL_MATERIAL_MOONEY_RIVLIN) m.c1 = m.young / 6, m.c2 = m.young / 12, m.bulk = m.young;
  return m;
}

// Midpoint, 10 rad/s: L is kept to 0.1 % whatever the damping, which never adds energy. A body that
// tumbles has a rate of strain, with which the middle of the step differs from where it is measured at second
// order.
static void damping_brakes_no_rotation(void) {
  plRandom r = {31};
  for (int k = 0; k < 30; k++) {
    plMaterial m =
        random_material(PL_MATERIAL_COROTATED + k % (PL_MATERIAL_COUNT - PL_MATERIAL_COROTATED), &r);
    m.damping_stiffness = (double[]){0, 0.001, 0.01}[pick(&r, 3)];
    plOptions o = pl_default_options();
    o.gravity = zero, o.theta = o.theta_vq = 0.5, o.dt = pick_log(&r, 0.002, 0.01);
    bool tumbles = k % 3 == 0;
    plQuat turn = random_turn(&r);
    plVec3 spin = quat_rotate(tumbles ? random_turn(&r) : turn, v3(0, 0, 10));
    const plModel* model;
    plData* data = make_box(o, m, spin, turn, &model);
    plBodyState before, after;
    pl_deformable_state(data, 0, &before);
    int steps = (int)(1 / o.dt);
    for (int i = 0; i < steps; i++) {
      plError error;
      plStatus status = pl_step(data, &error);
      CHECK_INT(status, PL_OK);
      if (status) printf("%d: %s\n", k, error.message);
      plEnergyBudget budget;
      if (i % 10 == 0 && !pl_energy_budget(data, 0, &budget))
        CHECK_BELOW(-budget.damping_loss, 1e-14, before.kinetic_energy);
    }
    pl_deformable_state(data, 0, &after);
    double lost =
        v3_norm(v3_sub(after.angular_momentum, before.angular_momentum)) / v3_norm(before.angular_momentum);
    if (!(lost <= (tumbles ? 2.9e-4 : 9.7e-5)))
      printf("kind %d element %d damping %g dt %g: L changed by %.2e\n", m.kind, m.element,
             m.damping_stiffness, o.dt, lost);
    CHECK_BELOW(lost, tumbles ? 2.9e-4 : 9.7e-5, 1);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

// A cantilever, held at x = -L/2, that swings in its first mode; omega: that of a beam.
static const plVec3 beam = {0.4, 0.06, 0.03};

static double beam_omega(const plMaterial* m) {
  double root = 1.8751040687119611;  // cos(x) cosh(x) = -1
  return root * root / (beam.x * beam.x) * beam.z * sqrt(m->young / (12 * m->density));
}

// Its deflection and slope at s = 0 (held) to 1 (free), up to a factor.
static double beam_shape(double s, double* slope) {
  double k = 1.8751040687119611, c = (cosh(k) + cos(k)) / (sinh(k) + sin(k)), x = k * s;
  *slope = k * (sinh(x) + sin(x) - c * (cosh(x) - cos(x)));
  return cosh(x) - cos(x) - c * (sinh(x) - sin(x));
}

static plData* make_cantilever(plMaterial m, double dt, double amplitude, const plModel** model, int* tip) {
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh(beam, 6, 1, 1);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "beam", def.mesh = mesh, def.material = m;
  plOptions* o = pl_spec_options(spec);
  o->gravity = zero, o->theta = o->theta_vq = 0.5, o->dt = dt;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.x = -0.5 * beam.x,
  fix.region.normal = v3(1, 0, 0);
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  *model = pl_model_create(spec, &error);
  plData* data = *model ? pl_data_create(*model, &error) : NULL;
  if (!data) printf("%s\n", error.message);
  pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  *tip = 0;
  for (int i = 0; data && i < (*model)->nvert; i++) {
    const double* x = (*model)->vert_rest + 3 * (size_t)i;
    double slope, up = amplitude * beam_shape(x[0] / beam.x + 0.5, &slope);
    data->q[3 * i + 2] += up, data->q[3 * i] -= x[2] * amplitude * slope / beam.x;
    if (x[0] > (*model)->vert_rest[3 * *tip]) *tip = i;
  }
  return data;
}

// Largest displacements of an oscillation, from its samples.
typedef struct Peak {
  double time, height;  // steps, m
} Peak;

static int find_peaks(const double* u, int n, Peak* peak) {
  int found = 0;
  for (int i = 1; i + 1 < n; i++) {
    if (!(u[i] > u[i - 1] && u[i] >= u[i + 1])) continue;
    // of the parabola through three samples
    double slope = 0.5 * (u[i + 1] - u[i - 1]), bend = u[i + 1] - 2 * u[i] + u[i - 1];
    peak[found++] = (Peak){i - slope / bend, u[i] - 0.5 * slope * slope / bend};
  }
  return found;
}

// Stiffness-proportional damping of the first mode, by the logarithmic decrement: zeta = omega damping / 2,
// for every law. The midpoint scheme adds none of its own. The first period is left out: in it the higher
// modes decay, which the shape of a beam excites a little.
static void damping_ratio_of_a_cantilever(void) {
  enum { PER_PERIOD = 60, PERIODS = 4, N = PER_PERIOD * PERIODS };
  plRandom r = {33};
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++) {
    plMaterial m = random_material(kind, &r);
    m.element = PL_ELEMENT_TET10, m.volumetric = PL_VOLUMETRIC_ELEMENT, m.density = pick_log(&r, 500, 2000);
    if (kind == PL_MATERIAL_MOONEY_RIVLIN) m.young = 9 * m.bulk * 3 * m.c1 / (3 * m.bulk + 3 * m.c1);
    double omega = beam_omega(&m), wanted = pl_random(&r, 0.01, 0.04), u[N];
    m.damping_stiffness = 2 * wanted / omega;
    const plModel* model;
    int tip;
    plData* data = make_cantilever(m, 2 * M_PI / omega / PER_PERIOD, 1e-4 * beam.x, &model, &tip);
    for (int i = 0; i < N; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      u[i] = data->q[3 * tip + 2] - model->start_q[3 * tip + 2];
    }
    Peak peak[N];
    int n = find_peaks(u, N, peak) - 1;
    CHECK(n >= 2 && n < PERIODS);
    double decrement = log(peak[1].height / peak[n].height) / (n - 1),
           zeta = decrement / sqrt(4 * M_PI * M_PI + decrement * decrement),
           period = (peak[n].time - peak[1].time) / (n - 1) * data->par->options.dt,
           own = 2 * M_PI / (period * sqrt(1 - zeta * zeta)), form = 0.5 * own * m.damping_stiffness;
    printf("  kind %d: %d peaks, omega %.4g of a beam's, zeta %.5f, %.5f of the closed form\n", kind, n,
           own / omega, zeta, zeta / form);
    CHECK_NEAR(zeta, form, 0.0026 * form);
    CHECK_NEAR(own, omega, 0.1 * omega);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

// A turned pose is no strain for any law; and a linear body feels a load along its world axes wherever it is
// turned.
static void a_turned_body_is_at_rest(void) {
  plRandom r = {32};
  for (int k = 0; k < 42; k++) {
    plOptions o = pl_default_options();
    o.gravity = zero;
    plMaterial m = random_material(k % PL_MATERIAL_COUNT, &r);
    const plModel* model;
    plData* data = make_box(o, m, zero, random_turn(&r), &model);
    plBodyState state;
    for (int i = 0; i < 3; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      pl_deformable_state(data, 0, &state);
      CHECK_BELOW(state.elastic_energy, 1e-17, m.young);
      CHECK_BELOW(state.kinetic_energy, 1e-17, m.young);
      CHECK_NEAR(state.volume, 1e-3, 2.7e-17);
    }
    plElementState e;
    pl_element_state(data, 0, &e);
    CHECK_BELOW(e.von_mises, 6e-14, m.young);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(damping_brakes_no_rotation);
  RUN(damping_ratio_of_a_cantilever);
  RUN(a_turned_body_is_at_rest);
  return CHECK_END;
}
