// Vertices of one deformable attached to another: pieces glued together behave like one, until they are
// released.
#include "base/random.h"
#include "model/work.h"
#include "world.h"

static const plVec3 down = {0, 0, -9.81}, still = {0, 0, 0};
static const double length = 1, side = 0.1, young = 1e6;

typedef struct Piece {
  const char* name;
  double x0, x1;
  int nx, n;
  plElement element;
} Piece;

static int add_piece(World* w, Piece p) {
  plMesh* mesh = box_mesh((plVec3){p.x1 - p.x0, side, side}, p.nx, p.n, p.n);
  plDeformableDef def = pl_default_deformable_def();
  def.name = p.name, def.mesh = mesh, def.pose.p.x = 0.5 * (p.x0 + p.x1);
  def.material.kind = PL_MATERIAL_LINEAR, def.material.young = young, def.material.poisson = 0.3,
  def.material.element = p.element;
  def.material.damping_mass = 6;  // comes to rest soon
  int id;
  CHECK_INT(pl_spec_add_deformable(w->spec, &def, &id, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
  return id;
}

// The vertices of a piece at its end x = +-size/2, in its own frame.
static plRegion end_region(double size, int sign) {
  plRegion r = pl_default_region();
  r.kind = PL_REGION_HALF_SPACE, r.centre.x = sign * 0.4999 * size, r.normal = (plVec3){-sign, 0, 0};
  return r;
}

static void clamp(World* w, int body, double size) {
  plFixDef fix = pl_default_fix_def();
  fix.deformable = body, fix.region = end_region(size, -1);
  CHECK_INT(pl_spec_add_fix(w->spec, &fix, &w->error), PL_OK);
}

static void pull(World* w, int body, double size, plVec3 force) {
  plLoadDef load = pl_default_load_def();
  load.deformable = body, load.region = end_region(size, 1), load.kind = PL_LOAD_TRACTION;
  load.vector = (plVec3){force.x / (side * side), force.y / (side * side), force.z / (side * side)};
  CHECK_INT(pl_spec_add_load(w->spec, &load, &w->error), PL_OK);
}

static void glue(World* w, int body, double size, int other) {
  plAttachDef def = pl_default_attach_def();
  def.name = "glue", def.deformable = body, def.other = other, def.region = end_region(size, -1);
  CHECK_INT(pl_spec_add_attachment(w->spec, &def, NULL, &w->error), PL_OK);
}

// Mean displacement of the loaded end of the last body.
static plVec3 tip(const World* w) {
  const plModel* m = w->model;
  int b = m->ndeform - 1, n = 0;
  plVec3 sum = {0, 0, 0};
  double most = -1e9;
  for (int i = m->deform_vert0[b]; i < m->deform_vert0[b + 1]; i++) most = fmax(most, m->vert_rest[3 * i]);
  for (int i = 0; i < m->deform_vert0[b + 1] - m->deform_vert0[b]; i++) {
    if (m->vert_rest[3 * (m->deform_vert0[b] + i)] < most - 1e-9) continue;
    const double *q = w->data->q + m->deform_q0[b] + 3 * i, *start = m->start_q + m->deform_q0[b] + 3 * i;
    sum.x += q[0] - start[0], sum.y += q[1] - start[1], sum.z += q[2] - start[2], n++;
  }
  return (plVec3){sum.x / n, sum.y / n, sum.z / n};
}

// A clamped bar of one piece (cut 0) or of two that meet at x = cut, pulled and pushed sideways; where its
// tip comes to rest.
static plVec3 bar(double cut, int nx, int n, int nx2, int n2, plElement element) {
  World w = begin(still, 0.04);
  double first = cut > 0 ? cut : length;
  int a = add_piece(&w, (Piece){"first", 0, first, nx, n, element}), b = a;
  clamp(&w, a, first);
  if (cut > 0)
    b = add_piece(&w, (Piece){"second", cut, length, nx2, n2, element}), glue(&w, b, length - cut, a);
  pull(&w, b, length - first + (cut > 0 ? 0 : length), (plVec3){1, 0, -0.01});
  build(&w);
  run(&w, 120);
  CHECK(cut == 0 || w.data->report.constraints == (n2 + 1) * (n2 + 1) || element == PL_ELEMENT_TET10);
  CHECK_INT(w.data->ncontact, 0);  // glued faces do not touch each other
  plVec3 t = tip(&w);
  end(&w);
  return t;
}

// Cut where the mesh has a layer of vertices, the glue ties vertex to vertex: the same bar.
static void two_halves_with_matching_meshes_are_one_bar(void) {
  plVec3 one = bar(0, 16, 2, 0, 0, PL_ELEMENT_TET4), two = bar(0.5, 8, 2, 8, 2, PL_ELEMENT_TET4);
  printf("  one piece: tip %.6e %.6e m; two: %.6e %.6e m\n", one.x, one.z, two.x, two.z);
  CHECK_NEAR(two.x / one.x, 1, 6e-3);  // the glue yields by 2 dt^2 R F = 3.2e-7 m
  CHECK_NEAR(two.z / one.z, 1, 6e-3);
}

// Meshes that do not match, quadratic tetrahedra: F L / (E A) along, Timoshenko's 4.0312e-4 m sideways. First
// the finer side is attached to the coarser one, as it should be; the other way round the finer face gives
// between the vertices that hold on to it.
static void two_halves_with_other_meshes_are_one_bar(void) {
  plVec3 t = bar(0.5, 5, 1, 6, 2, PL_ELEMENT_TET10), u = bar(0.42, 5, 2, 5, 1, PL_ELEMENT_TET10);
  printf("  tip %.6e %.6e and %.6e %.6e m; F L / E A = 1e-4, Timoshenko -4.0312e-4\n", t.x, t.z, u.x, u.z);
  CHECK_NEAR(t.x, 1e-4, 1.5e-6);
  CHECK_NEAR(u.x, 1e-4, 0.07e-4);
  CHECK_NEAR(t.z, -4.0312e-4, 0.04 * 4.0312e-4);
  CHECK_NEAR(u.z, -4.0312e-4, 0.04 * 4.0312e-4);
}

// Two cubes, the upper one held: the lower one hangs in the glue.
static World hanging(int cells, int upper_cells, plElement element) {
  World w = begin(down, 0.01);
  for (int k = 0; k < 2; k++) {
    int n = k ? cells : upper_cells;
    plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, n, n, n);
    plDeformableDef def = pl_default_deformable_def();
    def.name = k ? "lower" : "upper", def.mesh = mesh, def.pose.p.z = k ? 0.05 : 0.15,
    def.material.damping_stiffness = 0.05;
    def.material.element = element;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
  }
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.z = 0.0499,
  fix.region.normal = (plVec3){0, 0, -1};
  CHECK_INT(pl_spec_add_fix(w.spec, &fix, &w.error), PL_OK);
  plAttachDef def = pl_default_attach_def();
  def.name = "glue", def.deformable = 1, def.other = 0, def.region = fix.region;
  CHECK_INT(pl_spec_add_attachment(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  return w;
}

// Where the holder's point of vertex i of an attachment is.
static double held_z(const World* w, const plAttachment* a, int i) {
  double z = a->anchor[3 * i + 2];
  for (int k = 0; k < 4; k++)
    z += a->weight[4 * i + k] * w->data->q[w->model->deform_q0[a->other] + 3 * a->target[4 * i + k] + 2];
  return z;
}

// The glue yields by 2 dt^2 R m g, R = beta^2/(4 pi^2) (1/m + 1/m_o), whatever the meshes: near-rigid, mean
// over the shares by mass.
static void the_compliance_does_not_depend_on_the_meshes(void) {
  static const struct {
    int cells, upper;
    plElement element;
  } cases[] = {
      {3, 3, PL_ELEMENT_TET4}, {5, 3, PL_ELEMENT_TET4}, {3, 5, PL_ELEMENT_TET4}, {2, 2, PL_ELEMENT_TET10}};
  double book = 2 * 1e-4 * 0.1 * 0.1 / (4 * M_PI * M_PI) * 2 * 9.81;
  for (int k = 0; k < 4; k++) {
    World w = hanging(cases[k].cells, cases[k].upper, cases[k].element);
    run(&w, 120);
    const plAttachment* a = &w.data->attach[0];
    double mean = 0, mass = 0;
    for (int i = 0; i < a->nvert; i++) {
      double m = w.model->par->deform_material[1].density *
                 w.model->work->mass[1][w.model->work->pattern[1]->col0[a->vert[i]]];
      mean += m * (held_z(&w, a, i) - w.data->q[w.model->deform_q0[1] + 3 * a->vert[i] + 2]), mass += m;
    }
    printf("  %d cells on %d%s: opens by %.4e m, %.4e expected\n", cases[k].cells, cases[k].upper,
           k == 3 ? ", quadratic" : "", mean / mass, book);
    CHECK_NEAR(mean / mass, book, 1.8e-6 * book);
    end(&w);
  }
}

// Released, the lower block falls; attached again it is caught where it is. Saving and loading in between
// gives the same bits.
static void glue_is_released_and_made_at_run_time(void) {
  World w = hanging(3, 3, PL_ELEMENT_TET4);
  run(&w, 50);
  plBodyState a, b;
  CHECK_INT(pl_attachment_set(w.data, 0, false, &w.error), PL_OK);
  pl_deformable_state(w.data, 1, &a);
  run(&w, 10);
  pl_deformable_state(w.data, 1, &b);
  CHECK_NEAR((b.momentum.z - a.momentum.z) / b.mass, -9.81 * 0.1, 1.3e-14);
  int top[16], id = -1, n = 0;
  for (int i = 0; i < 64; i++)
    if (w.model->vert_rest[3 * (w.model->deform_vert0[1] + i) + 2] > 0.049) top[n++] = i;
  CHECK_INT(pl_attach_deformable(w.data, 1, top, n, 0, &id, &w.error), PL_OK);
  CHECK_INT(id, 1);
  CHECK_INT(pl_state_save(w.data, "test_glue.state", &w.error), PL_OK);
  run(&w, 100);
  plData* again = pl_data_create(w.model, &w.error);
  CHECK_INT(pl_state_load(again, "test_glue.state", &w.error), PL_OK);
  CHECK_INT(again->nattach, 2);
  CHECK_INT(again->attach[1].other, 0);
  for (int i = 0; i < 100; i++) CHECK_INT(pl_step(again, &w.error), PL_OK);
  CHECK(pl_state_hash(again) == pl_state_hash(w.data));
  // It hangs below the gap through which it fell.
  pl_deformable_state(w.data, 1, &a);
  run(&w, 50);
  pl_deformable_state(w.data, 1, &b);
  CHECK_NEAR(b.com.z, a.com.z, 2.9e-8);
  CHECK(b.upper.z < 0.1 - 0.5 * 9.81 * 0.1 * 0.1 * 0.8);
  remove("test_glue.state");
  pl_data_destroy(again);
  // Nonsense is refused and changes nothing.
  CHECK_INT(pl_attach_deformable(w.data, 1, top, n, 1, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_INT(pl_attach_deformable(w.data, 1, top, n, 7, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_INT(pl_attach_deformable(w.data, 1, top, 0, 0, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_INT(w.data->nattach, 2);
  end(&w);
}

// A state with changed or missing bytes is loaded completely or not at all, as the hash shows.
static void damaged_states_do_no_harm(void) {
  World w = hanging(2, 2, PL_ELEMENT_TET4);
  run(&w, 3);
  size_t size = pl_state_size(w.data), tail = size / 3;
  unsigned char *good = malloc(size), *bad = malloc(size);
  CHECK_INT(pl_state_get(w.data, good, size, &w.error), PL_OK);
  uint64_t hash = pl_state_hash(w.data);
  plRandom r = {5};
  int refused = 0;
  for (int i = 0; i < 2000; i++) {
    memcpy(bad, good, size);
    size_t n = i % 4 ? size : size - (size_t)pl_random_int(&r, (int)tail);
    // the discrete part is at the end
    for (int k = 0; k < 1 + i % 3; k++) {
      unsigned char byte = (unsigned char)pl_random_int(&r, 256);
      bad[size - 1 - (size_t)pl_random_int(&r, (int)tail)] = byte;
    }
    plStatus status = pl_state_set(w.data, bad, n, &w.error);
    refused += status != PL_OK;
    if (status)
      CHECK(pl_state_hash(w.data) == hash);
    else
      CHECK_INT(pl_state_set(w.data, good, size, &w.error), PL_OK);
  }
  CHECK(refused > 500 && pl_state_hash(w.data) == hash);
  run(&w, 3);
  free(good), free(bad);
  end(&w);
}

// Two glued cubes with a gap between them spin freely: momentum and angular momentum stay.
static void glue_keeps_momentum(void) {
  World w = begin(still, 0.005);
  pl_spec_options(w.spec)->tolerance = 1e-12;
  for (int k = 0; k < 2; k++) {
    plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, k ? 2 : 3, 2, 2);
    plDeformableDef def = pl_default_deformable_def();
    def.name = k ? "right" : "left", def.mesh = mesh, def.pose.p.x = k ? 0.053 : -0.053,
    def.material.young = 1e6;
    def.velocity = (plVec3){0.2, k ? 0.3 : -0.3, 0}, def.angular_velocity.z = 6;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
  }
  plAttachDef def = pl_default_attach_def();
  def.name = "glue", def.deformable = 1, def.other = 0, def.region.kind = PL_REGION_HALF_SPACE;
  def.region.centre.x = -0.0499, def.region.normal = (plVec3){1, 0, 0};
  CHECK_INT(pl_spec_add_attachment(w.spec, &def, NULL, &w.error), PL_OK);
  build(&w);
  double p[2][3], L[2];
  for (int k = 0; k < 2; k++) {
    plBodyState s[2];
    double moment = 0;
    for (int b = 0; b < 2; b++) {
      pl_deformable_state(w.data, b, &s[b]);
      moment += s[b].angular_momentum.z + s[b].com.x * s[b].momentum.y - s[b].com.y * s[b].momentum.x;
    }
    p[k][0] = s[0].momentum.x + s[1].momentum.x, p[k][1] = s[0].momentum.y + s[1].momentum.y, L[k] = moment;
    if (!k) run(&w, 60);
  }
  CHECK_NEAR(p[1][0], p[0][0], 2.7e-14);
  CHECK_NEAR(p[1][1], p[0][1], 2.5e-14);
  // backward Euler takes part of the spin of an elastic body; the glue itself, whose two forces meet in one
  // point, none
  printf("  angular momentum %.9f -> %.9f\n", L[0], L[1]);
  CHECK_NEAR(L[1], L[0], 1.9e-5 * L[0]);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(two_halves_with_matching_meshes_are_one_bar);
  RUN(two_halves_with_other_meshes_are_one_bar);
  RUN(the_compliance_does_not_depend_on_the_meshes);
  RUN(glue_is_released_and_made_at_run_time);
  RUN(damaged_states_do_no_harm);
  RUN(glue_keeps_momentum);
  return CHECK_END;
}
