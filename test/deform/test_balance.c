// The momentum balance of a deformable body: m against differences of the potential, A against differences of
// m, for every law, element, scheme and damping; the solves that follow from it.
#include "check.h"

#include "base/random.h"
#include "deform/deform.h"
#include "scenes.h"

typedef struct Scene {
  const plModel* model;
  plData* data;
} Scene;

static plMaterial material(int kind, plElement element, plVolumetric volumetric) {
  plMaterial m = pl_default_material();
  m.kind = (plMaterialKind)kind, m.element = element, m.volumetric = volumetric;
  m.young = 1e5, m.poisson = 0.45, m.damping_mass = 0.7, m.damping_stiffness = 0.02;
  if (kind == PL_MATERIAL_MOONEY_RIVLIN) m.c1 = 1.2e4, m.c2 = 0.5e4, m.bulk = 4e5;
  return m;
}

// A beam of cells x 2 x 2 cells, held at its left end.
static Scene make_scene(plMaterial m, plOptions options, int cells) {
  plError error;
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh((plVec3){0.3, 0.1, 0.1}, cells, 2, 2);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "beam", def.mesh = mesh, def.material = m, def.self_contact = false;
  *pl_spec_options(spec) = options;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.x = -0.15, fix.region.normal = (plVec3){1, 0, 0};
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  Scene s = {.model = pl_model_create(spec, &error)};
  if (!s.model) printf("%s\n", error.message);
  s.data = pl_data_create(s.model, &error);
  CHECK_INT(pl_data_prepare(s.data, &error), PL_OK);
  pl_mesh_destroy(mesh);
  pl_spec_destroy(spec);
  return s;
}

static void free_scene(Scene* s) {
  pl_data_destroy(s->data);
  pl_model_destroy(s->model);
}

// Shakes the state and makes everything ready for pl_deform_linearize.
static void shake(Scene* s, double size, plRandom* r) {
  for (int i = 0; i < s->model->nq; i++)
    if (!s->model->vert_fixed[i / 3])
      s->data->q[i] += pl_random(r, -size, size), s->data->v[i] = pl_random(r, -1, 1);
  pl_arena_reset(&s->data->work->step);
  CHECK_INT(pl_deform_kinematics(s->model, s->data), PL_OK);
  CHECK_INT(pl_deform_momentum(s->model, s->data), PL_OK);
}

static void residual_and_tangent_are_derivatives(void) {
  plRandom r = {1};
  const double scheme[4][2] = {{1, 1}, {0.5, 0.5}, {1, 0.5}, {0.7, 0.9}};
  int k = 0;
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
    for (int element = 0; element < 3; element++, k++) {
      plOptions o = pl_default_options();
      o.theta = scheme[k % 4][0], o.theta_vq = scheme[k % 4][1];
      Scene s = make_scene(
          material(kind, (plElement)element, k % 2 ? PL_VOLUMETRIC_PATCH : PL_VOLUMETRIC_ELEMENT), o, 3);
      shake(&s, 0.003, &r);
      int n = s.model->nv;
      double *v = PL_NEW(double, n), *w = PL_NEW(double, n), *d = PL_NEW(double, n), *Ad = PL_NEW(double, n),
             *m[3], h = 1e-4, phi[2];
      for (int j = 0; j < 3; j++) m[j] = PL_NEW(double, n);
      memcpy(v, s.data->work->v_guess, (size_t)n * sizeof(double));
      for (int i = 0; i < n; i++) {
        d[i] = s.model->vert_fixed[i / 3] ? 0 : pl_random(&r, -1, 1);
        if (d[i] != 0) v[i] += pl_random(&r, -0.2, 0.2);
      }
      // m'd = dPhi(v + h d)/dh;  A d = dm(v + h d)/dh
      CHECK_INT(pl_deform_linearize(s.model, s.data, 0, v, PL_TANGENT_EXACT, m[2], NULL), PL_OK);
      pl_bsym_multiply(&s.data->work->A[0], d, Ad);
      double slope = 0, size = 0, worst = 0;
      for (int i = 0; i < n; i++) slope += m[2][i] * d[i];
      for (int j = 0; j < 2; j++) {
        for (int i = 0; i < n; i++) w[i] = v[i] + (j ? h : -h) * d[i];
        CHECK_INT(pl_deform_potential(s.model, s.data, 0, w, &phi[j], NULL), PL_OK);
        CHECK_INT(pl_deform_linearize(s.model, s.data, 0, w, PL_NO_TANGENT, m[j], NULL), PL_OK);
      }
      CHECK_NEAR((phi[1] - phi[0]) / (2 * h) / slope, 1, 6.7e-8);
      for (int i = 0; i < n; i++) {
        if (s.model->vert_fixed[i / 3]) continue;
        size = fmax(size, fabs(Ad[i]));
        worst = fmax(worst, fabs(Ad[i] - (m[1][i] - m[0][i]) / (2 * h)));
      }
      CHECK_BELOW(worst, 1.1e-8, size);
      for (int j = 0; j < 3; j++) pl_free(m[j]);
      pl_free(v), pl_free(w), pl_free(d), pl_free(Ad);
      free_scene(&s);
    }
}

// Every law on every element swings under gravity; the residual is met at each step, the linear laws take one
// factorization.
static void every_material_swings(void) {
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
    for (int element = 0; element < 3; element++)
      for (int patch = 0; patch < 2; patch++) {
        plOptions o = pl_default_options();
        Scene s = make_scene(material(kind, (plElement)element, (plVolumetric)patch), o,
                             element == PL_ELEMENT_TET10 ? 3 : 6);
        plError error;
        int worst = 0;
        for (int i = 0; i < 10; i++) {
          CHECK_INT(pl_step(s.data, &error), PL_OK);
          if (s.data->report.status)
            printf("kind %d element %d patch %d: %s\n", kind, element, patch, error.message);
          if (s.data->report.status) break;
          CHECK_BELOW(s.data->report.free_residual, pl_law_is_linear((plMaterialKind)kind) ? 1e-12 : 1e-8, 1);
          worst = s.data->report.factorizations > worst ? s.data->report.factorizations : worst;
        }
        if (pl_law_is_linear((plMaterialKind)kind))
          CHECK_INT(worst, 1);
        else
          CHECK(worst <= 8);
        plBodyState state;
        CHECK_INT(pl_deformable_state(s.data, 0, &state), PL_OK);
        CHECK(state.com.z < -1e-3 && state.com.z > -0.1);
        CHECK_NEAR(state.mass, 3, 4.2e-14);
        free_scene(&s);
      }
}

// A body turned inside out by its start comes back: Newton falls back to the projected tangent.
static void inverted_start_recovers(void) {
  plOptions o = pl_default_options();
  o.gravity = (plVec3){0, 0, 0};
  plRandom r = {3};
  plError error;
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++) {
    if (pl_law_is_linear((plMaterialKind)kind) || kind == PL_MATERIAL_SAINT_VENANT_KIRCHHOFF) continue;
    Scene s = make_scene(material(kind, PL_ELEMENT_TET4, PL_VOLUMETRIC_ELEMENT), o, 6);
    for (int i = 0; i < s.model->nq; i++)
      if (!s.model->vert_fixed[i / 3]) s.data->q[i] += pl_random(&r, -0.04, 0.04);
    for (int i = 0; i < 200; i++) {
      plStatus status = pl_step(s.data, &error);
      CHECK_INT(status, PL_OK);
      if (status) printf("kind %d step %d: %s\n", kind, i, error.message);
      if (status) break;
    }
    double far = 0;
    for (int i = 0; i < s.model->nq; i++) far = fmax(far, fabs(s.data->q[i] - s.model->start_q[i]));
    CHECK_BELOW(far, 1e-3, 1);
    free_scene(&s);
  }
}

// Corotated bodies that start inside out, stretched several times and pulled on steadily: where the energy
// would be least at a jump of an element's rotation, there is a balance of forces all the same.
static void bodies_that_are_torn_inside_out_have_a_balance(void) {
  plRandom r = {7};
  plError error;
  for (int k = 0; k < CHECK_MEMBERS(9); k++) {
    plOptions o = pl_default_options();
    o.dt = exp(pl_random(&r, log(1e-3), log(0.02)));
    o.gravity = (plVec3){exp(pl_random(&r, log(100), log(1000))), 0, 0};
    plMaterial m = material(PL_MATERIAL_COROTATED, (plElement)(k % 3), (plVolumetric)(k / 3 % 2));
    m.young = exp(pl_random(&r, log(1e4), log(1e6))), m.poisson = pl_random(&r, 0.3, 0.48);
    m.damping_mass = 0, m.damping_stiffness = k % 4 ? 0.001 : 0;
    Scene s = make_scene(m, o, 3);
    double stretch = pl_random(&r, 3, 6), noise = pl_random(&r, 0, 0.05);
    for (int i = 0; i < s.model->nq; i++)
      if (!s.model->vert_fixed[i / 3])
        s.data->q[i] = s.data->q[i] * (i % 3 == 0   ? stretch
                                       : i % 3 == 1 ? -1
                                                    : 1) +
                       pl_random(&r, -noise, noise);
    for (int i = 0; i < 8; i++) {
      plStatus status = pl_step(s.data, &error);
      CHECK_INT(status, PL_OK);
      if (status) printf("member %d step %d: %s\n", k, i, error.message);
      if (status) break;
    }
    free_scene(&s);
  }
}

// A solve that cannot be finished is a status, and the state stays as it was.
static void unfinished_newton_is_a_status(void) {
  plOptions o = pl_default_options();
  o.max_iterations = 1, o.dt = 0.2;  // too long even in 64 parts
  Scene s = make_scene(material(PL_MATERIAL_NEO_HOOKEAN, PL_ELEMENT_TET4, PL_VOLUMETRIC_ELEMENT), o, 6);
  plError error;
  uint64_t before = pl_state_hash(s.data);
  CHECK_INT(pl_step(s.data, &error), PL_ERROR_NOT_CONVERGED);
  CHECK_HAS(error.message, "beam");
  CHECK_HAS(error.message, "residual");
  CHECK(pl_state_hash(s.data) == before);
  free_scene(&s);
}

static void steady_nonlinear_step_allocates_nothing(void) {
  Scene s = make_scene(material(PL_MATERIAL_COROTATED, PL_ELEMENT_TET4, PL_VOLUMETRIC_PATCH),
                       pl_default_options(), 6);
  plError error;
  for (int i = 0; i < 5; i++) CHECK_INT(pl_step(s.data, &error), PL_OK);
  long before = pl_alloc_count();
  for (int i = 0; i < 5; i++) CHECK_INT(pl_step(s.data, &error), PL_OK);
  CHECK_INT(pl_alloc_count() - before, 0);
  free_scene(&s);
}

// every allocation of a model and its data fails once; nothing is left behind and nothing is touched
static void memory_faults_are_statuses(void) {
  plError error;
  for (int element = 0; element < 3; element++) {
    plSpec* spec = pl_spec_create();
    plMesh* mesh = box_mesh((plVec3){0.3, 0.1, 0.1}, 2, 1, 1);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "beam", def.mesh = mesh;
    def.material = material(PL_MATERIAL_NEO_HOOKEAN, (plElement)element, PL_VOLUMETRIC_PATCH);
    CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
    plLoadDef load = pl_default_load_def();
    load.vector.z = 1;
    CHECK_INT(pl_spec_add_load(spec, &load, &error), PL_OK);
    bool done = false;
    for (long n = 0; n < 5000 && !done; n++) {
      pl_alloc_fail_after(n);
      const plModel* model = pl_model_create(spec, &error);
      plData* data = model ? pl_data_create(model, &error) : NULL;
      done = data && !pl_data_prepare(data, &error);
      pl_alloc_fail_after(-1);
      if (!done) CHECK_INT(error.status, PL_ERROR_MEMORY);
      // the step that could not get its memory can be taken later
      if (data && !done) CHECK_INT(pl_step(data, &error), PL_OK);
      pl_data_destroy(data), pl_model_destroy(model);
    }
    CHECK(done);
    pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  }
}

static void threads_do_not_change_a_bit(void) {
  uint64_t hash[3];
  for (int t = 0; t < 3; t++) {
    plOptions o = pl_default_options();
    o.threads = 1 << t;
    Scene s =
        make_scene(material(PL_MATERIAL_NEO_HOOKEAN, PL_ELEMENT_TET4_SMOOTHED, PL_VOLUMETRIC_PATCH), o, 6);
    for (int i = 0; i < 5; i++) CHECK_INT(pl_step(s.data, NULL), PL_OK);
    hash[t] = pl_state_hash(s.data);
    free_scene(&s);
  }
  CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(residual_and_tangent_are_derivatives);
  RUN(every_material_swings);
  RUN(inverted_start_recovers);
  RUN(bodies_that_are_torn_inside_out_have_a_balance);
  RUN(unfinished_newton_is_a_status);
  RUN(steady_nonlinear_step_allocates_nothing);
  RUN(memory_faults_are_statuses);
  RUN(threads_do_not_change_a_bit);
  return CHECK_END;
}
