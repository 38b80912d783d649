// test_stuffing.c: tets inside closed surfaces: volume, angles, boundary on the surface; every kind of bad
// surface is meshed or refused with a message.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "geom/mesh.h"
#include "geom/stuffing.h"
#include "geom/tri_tree.h"
#include "math/mat3.h"
#include "math/pose.h"
#include "pliant/mesh.h"

static const double PI = 3.14159265358979323846;

// ---- surfaces to mesh

// Keeps the boundary of a shape alone.
static plMesh* surface_of(plMesh* mesh) {
  plMesh* surface = pl_mesh_create(mesh->nvert, 0, mesh->ntri, NULL);
  memcpy(surface->vert, mesh->vert, 24 * (size_t)mesh->nvert);
  memcpy(surface->tri, mesh->tri, 12 * (size_t)mesh->ntri);
  pl_mesh_destroy(mesh);
  CHECK_INT(pl_mesh_repair(surface, NULL, 0, NULL), PL_OK);
  return surface;
}

static plMesh* box_surface(plVec3 size) {
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_box_cells(size, 1, 1, 1, &mesh, NULL), PL_OK);
  return surface_of(mesh);
}

static plMesh* sphere_surface(double radius, double edge) {
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_sphere(radius, edge, &mesh, NULL), PL_OK);
  return surface_of(mesh);
}

static plMesh* torus_surface(double edge) {
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_torus(1, 0.4, edge, &mesh, NULL), PL_OK);
  return surface_of(mesh);
}

// A head with two ears, a muzzle and dents: a sphere pushed in and out.
static plMesh* animal_surface(void) {
  plMesh* mesh = sphere_surface(1, 0.12);
  for (int v = 0; v < mesh->nvert; v++) {
    plVec3 x = pl_mesh_vertex(mesh, v);
    double ear = exp(-30 * v3_norm2(v3_sub(x, v3(0, 0.5, 0.866)))) +
                 exp(-30 * v3_norm2(v3_sub(x, v3(0, -0.5, 0.866))));
    double muzzle = exp(-8 * v3_norm2(v3_sub(x, v3(1, 0, 0))));
    double r = 1 + 0.7 * ear + 0.4 * muzzle + 0.06 * sin(6 * x.x) * sin(7 * x.y) * sin(5 * x.z);
    v3_store(mesh->vert + 3 * (size_t)v, v3_scale(r, x));
  }
  return mesh;
}

// Both surfaces in one, the second moved, and turned inside out if asked.
static plMesh* joined(plMesh* a, plMesh* b, plVec3 move, bool turn) {
  plMesh* mesh = pl_mesh_create(a->nvert + b->nvert, 0, a->ntri + b->ntri, NULL);
  memcpy(mesh->vert, a->vert, 24 * (size_t)a->nvert);
  for (int v = 0; v < b->nvert; v++)
    v3_store(mesh->vert + 3 * (size_t)(a->nvert + v), v3_add(pl_mesh_vertex(b, v), move));
  memcpy(mesh->tri, a->tri, 12 * (size_t)a->ntri);
  for (int t = 0; t < b->ntri; t++)
    for (int i = 0; i < 3; i++)
      mesh->tri[3 * (a->ntri + t) + i] = a->nvert + b->tri[3 * t + (turn ? 2 - i : i)];
  pl_mesh_destroy(a);
  pl_mesh_destroy(b);
  return mesh;
}

// ---- what is known about the result

static plMeshReport report_of(const plMesh* mesh) {
  plMeshReport report = {0};
  plError error;
  CHECK_INT(pl_mesh_check(mesh, &report, &error), PL_OK);
  return report;
}

// The smallest and the largest angle between two faces of a tet, in degrees.
static void dihedral_range(const plMesh* mesh, double* least, double* most) {
  *least = 180, *most = 0;
  for (int t = 0; t < mesh->ntet; t++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < i; j++) {
        plVec3 n[2];
        for (int f = 0; f < 2; f++) {
          const int* face = pl_tet_face[f ? i : j];
          const int* v = mesh->tet + 4 * (size_t)t;
          plVec3 x = pl_mesh_vertex(mesh, v[face[0]]);
          n[f] = v3_unit(v3_cross(v3_sub(pl_mesh_vertex(mesh, v[face[1]]), x),
                                  v3_sub(pl_mesh_vertex(mesh, v[face[2]]), x)));
        }
        double angle = 180 / PI * acos(fmin(1, fmax(-1, -v3_dot(n[0], n[1]))));
        *least = fmin(*least, angle);
        *most = fmax(*most, angle);
      }
}

// The largest distance of a boundary vertex from the surface.
static double boundary_distance(const plMesh* mesh, const plMesh* surface) {
  plTriTree* tree = NULL;
  double most = 0;
  CHECK_INT(pl_tri_tree_create(surface->vert, surface->tri, surface->ntri, &tree, NULL), PL_OK);
  for (int i = 0; i < 3 * mesh->ntri; i++)
    most = fmax(most, pl_tri_tree_closest(tree, pl_mesh_vertex(mesh, mesh->tri[i]), INFINITY).t);
  pl_tri_tree_destroy(tree);
  return most;
}

// Sound, angles bounded, volume within the tolerance; frees both.
static void check_filling(plMesh* surface, double edge, double volume, double tolerance, int components) {
  plMesh* mesh = NULL;
  plError error = {0};
  plStatus status = pl_mesh_tetrahedralize(surface, edge, 0, &mesh, &error);
  CHECK_INT(status, PL_OK);
  if (status)
    printf("%s\n", error.message);
  else {
    plMeshReport r = report_of(mesh);
    CHECK_INT(r.inverted + r.flat + r.duplicate + r.unused + r.coincident, 0);
    CHECK_INT(r.boundary_open + r.nonmanifold + r.misoriented, 0);
    CHECK_INT(r.component, components);
    CHECK_NEAR(r.volume / volume, 1, tolerance);
    CHECK_NEAR(r.edge_mean / edge, 1, 0.2);
    CHECK(r.edge_max < 2.2 * edge && r.edge_min > edge / 8);
    CHECK(r.quality_min > 0.35);
    double least, most;
    dihedral_range(mesh, &least, &most);
    CHECK(least >= 8 && most <= 165);
    CHECK_NEAR(boundary_distance(mesh, surface) / edge, 0, 3e-14);
  }
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(surface);
}

static void cube_is_filled(void) {
  check_filling(box_surface(v3(1, 1, 1)), 0.25, 1, 0.02, 1);
  check_filling(box_surface(v3(1, 1, 1)), 0.1, 1, 0.002, 1);
  check_filling(box_surface(v3(1, 0.7, 0.4)), 0.06, 0.28, 0.005, 1);
}

static void animal_is_filled(void) {
  plMesh* animal = animal_surface();
  double volume = report_of(animal).volume;
  check_filling(animal, 0.12, volume, 0.02, 1);
}

static void torus_keeps_its_hole(void) {
  plMesh* torus = torus_surface(0.1);
  double volume = report_of(torus).volume;
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_tetrahedralize(torus, 0.13, 0, &mesh, NULL), PL_OK);
  plMeshReport r = report_of(mesh);
  CHECK_INT(r.boundary_vert - r.boundary_tri / 2, 0);
  pl_mesh_destroy(mesh);
  check_filling(torus, 0.13, volume, 0.03, 1);
}

static void angles_are_bounded_wherever_the_surface_lies(void) {
  plRandom r = {11};
  for (int trial = 0; trial < 6; trial++) {
    plMesh* surface = trial % 3 == 0   ? box_surface(v3(1, 0.8, 0.9))
                      : trial % 3 == 1 ? torus_surface(0.15)
                                       : sphere_surface(0.6, 0.15);
    double w = pl_random(&r, -1, 1), x = pl_random(&r, -1, 1), y = pl_random(&r, -1, 1),
           z = pl_random(&r, -1, 1);
    double n = sqrt(w * w + x * x + y * y + z * z);
    plPose pose = {.p = v3(pl_random(&r, -5, 5), 3, 1), .q = {w / n, x / n, y / n, z / n}};
    pl_mesh_transform(surface, v3(1, pl_random(&r, 0.8, 1.2), 1), pose);
    double volume = report_of(surface).volume;
    check_filling(surface, pl_random(&r, 0.1, 0.16), volume, 0.06, 1);
  }
}

// Trimming cuts off what lies between boundary vertices: second order on a smooth surface.
static void volume_converges(void) {
  double defect[2];
  for (int n = 0; n < 2; n++) {
    plMesh *surface = sphere_surface(1, 0.05), *mesh = NULL;
    double volume = report_of(surface).volume;
    CHECK_INT(pl_mesh_tetrahedralize(surface, 0.3 / (1 << n), 0, &mesh, NULL), PL_OK);
    defect[n] = 1 - report_of(mesh).volume / volume;
    pl_mesh_destroy(mesh);
    pl_mesh_destroy(surface);
  }
  CHECK(defect[1] > 0 && defect[0] / defect[1] > 3);
}

static void cavity_is_kept(void) {
  double v1 = 4 * PI / 3, v2 = v1 * 0.125;
  plMesh* hollow = joined(sphere_surface(1, 0.15), sphere_surface(0.5, 0.1), v3(0.2, 0, 0), true);
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_tetrahedralize(hollow, 0.12, 0, &mesh, NULL), PL_OK);
  plMeshReport r = report_of(mesh);
  CHECK_INT(r.boundary_vert - r.boundary_tri / 2, 4);
  pl_mesh_destroy(mesh);
  check_filling(hollow, 0.12, v1 - v2, 0.03, 1);
}

static void separate_parts_stay_apart(void) {
  check_filling(joined(sphere_surface(1, 0.2), sphere_surface(1, 0.2), v3(2.6, 0, 0), false), 0.2, 8 * PI / 3,
                0.04, 2);
}

// ---- surfaces that are not what they should be

static void overlapping_parts_become_one(void) {
  // Two balls of radius 1 at distance 1: the common lens is 5 pi / 12.
  check_filling(joined(sphere_surface(1, 0.15), sphere_surface(1, 0.15), v3(1, 0, 0), false), 0.12,
                8 * PI / 3 - 5 * PI / 12, 0.03, 1);
  // Nearly the same ball three times over.
  plMesh* many = joined(sphere_surface(1, 0.2), sphere_surface(1, 0.2), v3(1e-5, 0, 0), false);
  check_filling(joined(many, sphere_surface(1, 0.2), v3(0, 1e-5, 0), false), 0.2, 4 * PI / 3, 0.05, 1);
}

static void inside_out_surface_is_turned(void) {
  plMesh* mesh = sphere_surface(1, 0.2);
  for (int t = 0; t < mesh->ntri; t++) {
    int swap = mesh->tri[3 * t];
    mesh->tri[3 * t] = mesh->tri[3 * t + 1];
    mesh->tri[3 * t + 1] = swap;
  }
  check_filling(mesh, 0.2, 4 * PI / 3, 0.05, 1);
}

// A sphere whose lower half is mirrored: it winds +1 times round one half of the figure eight and -1 times
// round the other.
static void crossed_surface_gives_the_half_that_faces_outward(void) {
  plMesh *mesh = sphere_surface(1, 0.1), *filled = NULL;
  double c = 0.013;  // where it crosses: not at vertices
  for (int v = 0; v < mesh->nvert; v++) mesh->vert[3 * v] *= mesh->vert[3 * v + 2] + c;
  CHECK_INT(pl_mesh_tetrahedralize(mesh, 0.06, 0, &filled, NULL), PL_OK);
  plMeshReport r = report_of(filled);
  CHECK_NEAR(r.volume / (PI / 4 + 2 * PI * c / 3), 1, 0.037);
  CHECK_INT(r.inverted + r.flat + r.boundary_open + r.nonmanifold, 0);
  pl_mesh_destroy(filled);
  pl_mesh_destroy(mesh);
}

static void unconnected_triangles_are_joined(void) {
  plMesh *from = sphere_surface(1, 0.2), *mesh = pl_mesh_create(3 * from->ntri, 0, from->ntri, NULL);
  for (int i = 0; i < 3 * from->ntri; i++) {
    mesh->tri[i] = i;
    v3_store(mesh->vert + 3 * i, pl_mesh_vertex(from, from->tri[i]));
  }
  pl_mesh_destroy(from);
  check_filling(mesh, 0.2, 4 * PI / 3, 0.05, 1);
}

static void tets_are_meshed_anew_from_their_boundary(void) {
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_box(v3(1, 1, 1), 0.5, &mesh, NULL), PL_OK);
  check_filling(mesh, 0.15, 1, 0.03, 1);
}

static void small_hole_is_closed_by_the_winding_number(void) {
  plMesh* mesh = sphere_surface(1, 0.2);
  mesh->ntri -= 3;
  plMesh* filled = NULL;
  plError error = {0};
  CHECK_INT(pl_mesh_tetrahedralize(mesh, 0.15, 0, &filled, &error), PL_OK);
  plMeshReport r = report_of(filled);
  CHECK_NEAR(r.volume / (4 * PI / 3), 1, 0.05);
  CHECK_INT(r.inverted + r.flat + r.boundary_open, 0);
  pl_mesh_destroy(filled);
  CHECK_INT(pl_mesh_tetrahedralize(mesh, 0.01, 0, &filled, &error), PL_ERROR_TOO_LARGE);
  CHECK_HAS(error.message, "not closed");
  pl_mesh_destroy(mesh);
}

static void random_triangles_have_an_answer(void) {
  plRandom r = {12};
  for (int trial = 0; trial < 40; trial++) {
    int n = 4 + pl_random_int(&r, 40), nvert = 4 + pl_random_int(&r, 20);
    plMesh *mesh = pl_mesh_create(nvert, 0, n, NULL), *filled = NULL;
    for (int i = 0; i < 3 * nvert; i++) mesh->vert[i] = pl_random(&r, -1, 1);
    for (int i = 0; i < 3 * n; i++) mesh->tri[i] = pl_random_int(&r, nvert);
    plError error = {0};
    plStatus status = pl_mesh_tetrahedralize(mesh, 0.2, 0, &filled, &error);
    CHECK(status == PL_OK || status == PL_ERROR_INPUT);
    if (!status) {
      plMeshReport report = report_of(filled);
      CHECK_INT(report.inverted + report.flat + report.boundary_open + report.nonmanifold, 0);
    } else
      CHECK(error.message[0] != 0);
    pl_mesh_destroy(filled);
    pl_mesh_destroy(mesh);
  }
}

// ---- refusals

static void check_refused(plMesh* surface, double edge, long max_tets, plStatus expected, const char* part) {
  plMesh* mesh = NULL;
  plError error = {0};
  CHECK_INT(pl_mesh_tetrahedralize(surface, edge, max_tets, &mesh, &error), expected);
  CHECK_HAS(error.message, part);
  CHECK(mesh == NULL);
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(surface);
}

static void thin_plate_is_refused_in_a_sentence(void) {
  check_refused(box_surface(v3(1, 1, 0.02)), 0.1, 0, PL_ERROR_INPUT, "thinner");
  check_refused(box_surface(v3(1, 1, 1e-9)), 0.1, 0, PL_ERROR_INPUT, "thinner");
  // Off the lattice's middle plane.
  plMesh* plate = joined(box_surface(v3(1, 1, 0.02)), box_surface(v3(0.3, 0.3, 0.3)), v3(0, 0, 1.03), false);
  check_refused(plate, 0.1, 0, PL_ERROR_INPUT, "would do");
  // The edge that is named does.
  plError error;
  plMesh *thin = box_surface(v3(0.3, 0.3, 0.02)), *mesh = NULL;
  CHECK_INT(pl_mesh_tetrahedralize(thin, 0.08, 0, &mesh, &error), PL_ERROR_INPUT);
  const char* said = strstr(error.message, "an edge of ");
  CHECK(said != NULL);
  if (said) {
    CHECK_INT(pl_mesh_tetrahedralize(thin, atof(said + 11), 0, &mesh, &error), PL_OK);
    CHECK(mesh && mesh->kept >= 0.95 && mesh->kept < 1.05);
  }
  pl_mesh_destroy(mesh), pl_mesh_destroy(thin);
  // Fine enough an edge fills it.
  check_filling(box_surface(v3(0.3, 0.3, 0.02)), 0.01, 0.0018, 0.1, 1);
}

// A thin-walled box, whatever edge the search begins with: an edge that is named does, one that is named as
// too long does not, and where some edge within the limit does, another beginning does not say that there is
// none.
static void the_remedy_does_not_depend_on_the_first_edge(void) {
  enum { LIMIT = 8000, STARTS = 8 };
  plMesh* pan = joined(box_surface(v3(0.1, 0.1, 0.05)), box_surface(v3(0.088, 0.088, 0.038)),
                       v3(0.006, 0.006, 0.006), true);
  int named = 0, none = 0;
  for (int k = 0; k < STARTS; k++) {
    double edge = 0.02 * pow(2, k / (double)STARTS);
    plMesh* mesh = NULL;
    plError error = {0};
    CHECK_INT(pl_mesh_tetrahedralize(pan, edge, LIMIT, &mesh, &error), PL_ERROR_INPUT);
    const char* said = strstr(error.message, "; an edge of ");
    none += strstr(error.message, "no shorter edge") != NULL;
    if (!said) continue;
    double other = atof(said + strlen("; an edge of "));
    bool does = strstr(said, "would do") != NULL;
    plStatus status = pl_mesh_tetrahedralize(pan, other, LIMIT, &mesh, &error);
    named += does;
    if (does) CHECK(status == PL_OK && mesh->kept >= 0.94);
    if (!does) CHECK(status == PL_ERROR_INPUT || mesh->kept < 0.96);
    pl_mesh_destroy(mesh);
  }
  printf("%d of %d name an edge that would do, %d say that there is none\n", named, (int)STARTS, none);
  CHECK_INT(named, STARTS);
  CHECK_INT(none, 0);
  pl_mesh_destroy(pan);
}

static void too_many_tets_are_refused_with_an_estimate(void) {
  check_refused(sphere_surface(1, 0.3), 0.1, 1000, PL_ERROR_TOO_LARGE, "MiB");
  check_refused(sphere_surface(1, 0.3), 1e-4, 0, PL_ERROR_TOO_LARGE, "MiB");
  check_refused(sphere_surface(1, 0.3), 1e-12, 0, PL_ERROR_TOO_LARGE, "would do");
  check_refused(sphere_surface(1, 0.3), 1e-300, 0, PL_ERROR_INPUT, "1e-12");
  check_refused(sphere_surface(1, 0.3), 1e199, 0, PL_ERROR_INPUT, "1e+12");
  // Little volume in a large box: two far cubes.
  plMesh* far = joined(box_surface(v3(1, 1, 1)), box_surface(v3(1, 1, 1)), v3(1e5, 1e5, 1e5), false);
  check_refused(far, 0.1, 0, PL_ERROR_TOO_LARGE, "would do");
}

// Random boxes, spheres and tori, sometimes open, at random limits: the edge that a refusal names is not
// refused for its tetrahedra again. Where it is too long for thin parts, that is what is said.
static void the_edge_that_a_refusal_names_does(void) {
  plRandom random = {1707};
  int fills = 0, trials = 60;
  for (int trial = 0; trial < trials; trial++) {
    double thin = pow(10, pl_random(&random, -2, 0));
    plMesh* surface = trial % 3 == 0   ? box_surface(v3(1, pl_random(&random, 0.3, 3), thin))
                      : trial % 3 == 1 ? sphere_surface(1, 0.3)
                                       : torus_surface(0.4);
    if (trial % 4 == 3) surface->ntri -= 1 + pl_random_int(&random, 2);
    double scale = pow(10, pl_random(&random, -6, 6)), edge = scale * pow(10, pl_random(&random, -5, -2.5));
    for (int k = 0; k < 3 * surface->nvert; k++) surface->vert[k] *= scale;
    int limit = (int)pow(10, pl_random(&random, 2, 4));
    plMesh* mesh = NULL;
    plError error = {0};
    CHECK_INT(pl_mesh_tetrahedralize(surface, edge, limit, &mesh, &error), PL_ERROR_TOO_LARGE);
    const char* said = strstr(error.message, "edge of ");
    CHECK(said != NULL);
    if (said) {
      double named = atof(said + strlen("edge of "));
      plStatus status = pl_mesh_tetrahedralize(surface, named, limit, &mesh, &error);
      if (status == PL_ERROR_TOO_LARGE) printf("trial %d: %s\n", trial, error.message);
      CHECK(status == PL_OK || (status == PL_ERROR_INPUT && (strstr(error.message, "thinner") != NULL)));
      fills += status == PL_OK;
    }
    pl_mesh_destroy(mesh), pl_mesh_destroy(surface);
  }
  CHECK(fills > trials / 3);
}

static void coordinates_beyond_all_lengths_are_refused(void) {
  const double large[] = {1.1e12, 1e30, 1e100, 1e199, 8e307};
  for (int k = 0; k < 5; k++) {
    plMesh* box = box_surface(v3(1, 1, 1));
    for (int i = 0; i < 3 * box->nvert; i++) box->vert[i] *= 2 * large[k];
    check_refused(box, 1, 0, PL_ERROR_INPUT, "at most 1e+12 m");
  }
}

static void bad_arguments_are_refused(void) {
  check_refused(sphere_surface(1, 0.5), 0, 0, PL_ERROR_INPUT, "edge length");
  check_refused(sphere_surface(1, 0.5), -1, 0, PL_ERROR_INPUT, "edge length");
  check_refused(sphere_surface(1, 0.5), NAN, 0, PL_ERROR_INPUT, "edge length");
  check_refused(sphere_surface(1, 0.5), 0.1, -1, PL_ERROR_INPUT, "max_tets");
  check_refused(sphere_surface(1, 0.5), 100, 0, PL_ERROR_INPUT, "fits inside");
  check_refused(pl_mesh_create(0, 0, 0, NULL), 0.1, 0, PL_ERROR_INPUT, "triangle");
  check_refused(pl_mesh_create(10, 0, 0, NULL), 0.1, 0, PL_ERROR_INPUT, "triangle");
  plMesh* bad = sphere_surface(1, 0.5);
  bad->tri[5] = bad->nvert;
  check_refused(bad, 0.1, 0, PL_ERROR_INPUT, "vertex");
  bad = sphere_surface(1, 0.5);
  bad->vert[7] = NAN;
  check_refused(bad, 0.1, 0, PL_ERROR_INPUT, "");
  // All triangles in one plane.
  bad = box_surface(v3(1, 1, 1));
  for (int v = 0; v < bad->nvert; v++) bad->vert[3 * v + 2] = 0;
  check_refused(bad, 0.1, 0, PL_ERROR_INPUT, "");
}

// ---- the rest

static void the_result_is_the_same_every_time(void) {
  plMesh *surface = animal_surface(), *a = NULL, *b = NULL;
  CHECK_INT(pl_mesh_tetrahedralize(surface, 0.2, 0, &a, NULL), PL_OK);
  CHECK_INT(pl_mesh_tetrahedralize(surface, 0.2, 0, &b, NULL), PL_OK);
  CHECK_INT(a->nvert, b->nvert);
  CHECK_INT(a->ntet, b->ntet);
  CHECK(!memcmp(a->vert, b->vert, 24 * (size_t)a->nvert));
  CHECK(!memcmp(a->tet, b->tet, 16 * (size_t)a->ntet));
  pl_mesh_destroy(a);
  pl_mesh_destroy(b);
  pl_mesh_destroy(surface);
}

static void smoothing_never_lowers_the_worst_quality(void) {
  plMesh *surface = animal_surface(), *mesh = NULL;
  plTriTree* tree = NULL;
  plError error;
  CHECK_INT(pl_tri_tree_create(surface->vert, surface->tri, surface->ntri, &tree, &error), PL_OK);
  plSolid solid = {.tree = tree, .closed = true, .volume = report_of(surface).volume};
  plBcc bcc;
  CHECK_INT(pl_bcc_fill(&bcc, &solid, 0.15, 1e6, &error), PL_OK);
  CHECK_INT(pl_bcc_cut(&bcc, &solid, &mesh, &error), PL_OK);
  CHECK_INT(pl_mesh_boundary(mesh, &error), PL_OK);
  plMeshReport before = report_of(mesh);
  CHECK_INT(pl_mesh_smooth(mesh, tree, 3, &error), PL_OK);
  plMeshReport after = report_of(mesh);
  CHECK(after.quality_min >= before.quality_min && after.quality_mean > before.quality_mean);
  CHECK_INT(after.inverted + after.flat, 0);
  CHECK_NEAR(after.volume / before.volume, 1, 0.0056);
  pl_bcc_free(&bcc);
  pl_tri_tree_destroy(tree);
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(surface);
}

// Every point that a leap skipped is on the side that the leap assumed.
static void lattice_agrees_with_the_plain_inside_test(void) {
  plMesh* surface = torus_surface(0.16);
  plTriTree* tree = NULL;
  plError error;
  CHECK_INT(pl_tri_tree_create(surface->vert, surface->tri, surface->ntri, &tree, &error), PL_OK);
  plSolid solid = {.tree = tree, .closed = true, .volume = report_of(surface).volume};
  plBcc bcc;
  CHECK_INT(pl_bcc_fill(&bcc, &solid, 0.2, 1e6, &error), PL_OK);
  int at[3], inside = 0, touching = 0;
  for (at[2] = -bcc.reach[2]; at[2] <= bcc.reach[2]; at[2]++)
    for (at[1] = -bcc.reach[1]; at[1] <= bcc.reach[1]; at[1]++)
      for (at[0] = -bcc.reach[0]; at[0] <= bcc.reach[0]; at[0]++) {
        if ((at[0] ^ at[1]) & 1 || (at[0] ^ at[2]) & 1) continue;
        int p = pl_bcc_find(&bcc, at), found[3];
        bool in = pl_tri_winding(surface->vert, surface->tri, surface->ntri, pl_bcc_place(&bcc, at)) > 0.5;
        bool on = p >= 0 && bcc.sign[p] == 0;
        CHECK(on || in == (p >= 0 && bcc.sign[p] > 0));
        inside += in && !on, touching += on;
        if (p < 0) continue;
        pl_bcc_index(&bcc, p, found);
        CHECK(found[0] == at[0] && found[1] == at[1] && found[2] == at[2]);
      }
  CHECK(inside <= bcc.ninside && bcc.ninside <= inside + touching);
  pl_bcc_free(&bcc);
  pl_tri_tree_destroy(tree);
  pl_mesh_destroy(surface);
}

// ---- parts that touch

// Cells of unit size, those marked in keep (k slowest).
static plMesh* cells(int nx, int ny, int nz, const char* keep) {
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_box_cells(v3(nx, ny, nz), nx, ny, nz, &mesh, NULL), PL_OK);
  int n = 0;
  for (int t = 0; t < mesh->ntet; t++) {
    plVec3 x = {0};
    for (int i = 0; i < 4; i++) x = v3_madd(x, 0.25, pl_mesh_vertex(mesh, mesh->tet[4 * t + i]));
    int cell = (int)(x.x + nx / 2.0) + nx * ((int)(x.y + ny / 2.0) + ny * (int)(x.z + nz / 2.0));
    if (keep[cell] == 'x') memmove(mesh->tet + 4 * n++, mesh->tet + 4 * t, 4 * sizeof(int));
  }
  mesh->ntet = n;
  CHECK_INT(pl_mesh_boundary(mesh, NULL), PL_OK);
  CHECK_INT(pl_mesh_repair(mesh, NULL, 0, NULL), PL_OK);
  return mesh;
}

static void parts_touching_in_an_edge_are_separated(void) {
  plMesh* mesh = cells(2, 2, 1, "x..x");
  CHECK_INT(report_of(mesh).nonmanifold, 1);
  CHECK_INT(pl_mesh_unpinch(mesh, NULL), PL_OK);
  plMeshReport r = report_of(mesh);
  CHECK_INT(r.nonmanifold + r.boundary_open + r.inverted, 0);
  CHECK_INT(r.component, 2);
  CHECK_INT(r.nvert, 16);
  CHECK_NEAR(r.volume, 2, 1e-14);
  pl_mesh_destroy(mesh);
}

static void parts_touching_in_a_vertex_are_separated(void) {
  plMesh* mesh = cells(2, 2, 2, "x......x");
  CHECK_INT(report_of(mesh).component, 1);
  CHECK_INT(pl_mesh_unpinch(mesh, NULL), PL_OK);
  CHECK_INT(report_of(mesh).component, 2);
  CHECK_INT(mesh->nvert, 16);
  pl_mesh_destroy(mesh);
}

// Two columns touch in an edge between full floors: both ends of the edge belong to one group of tets each.
static void edge_between_joined_vertices_is_split(void) {
  plMesh* mesh = cells(2, 2, 3,
                       "xxxx"
                       "x..x"
                       "xxxx");
  CHECK_INT(report_of(mesh).nonmanifold, 1);
  int nvert = mesh->nvert;
  CHECK_INT(pl_mesh_unpinch(mesh, NULL), PL_OK);
  plMeshReport r = report_of(mesh);
  CHECK_INT(r.nonmanifold + r.boundary_open + r.inverted + r.flat + r.coincident, 0);
  CHECK_INT(r.component, 1);
  CHECK_INT(r.nvert, nvert + 2);
  // A wedge of the two columns goes with each middle that moves inward.
  CHECK(r.volume < 10 && r.volume > 9.9);
  // Two posts between two floors are a ring.
  CHECK_INT(r.boundary_vert - r.boundary_tri / 2, 0);
  pl_mesh_destroy(mesh);
}

static void a_mesh_without_pinches_stays_as_it_is(void) {
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_sphere(1, 0.4, &mesh, NULL), PL_OK);
  plMesh* copy = pl_mesh_copy(mesh, NULL);
  CHECK_INT(pl_mesh_unpinch(mesh, NULL), PL_OK);
  CHECK_INT(mesh->nvert, copy->nvert);
  CHECK_INT(mesh->ntet, copy->ntet);
  CHECK(!memcmp(mesh->tet, copy->tet, 16 * (size_t)mesh->ntet) &&
        !memcmp(mesh->vert, copy->vert, 24 * (size_t)mesh->nvert));
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(copy);
}

static void memory_failures_are_reported(void) {
  plMesh* surface = sphere_surface(1, 0.5);
  int failed = 0;
  for (int n = 0; n < 120; n++) {
    plMesh* mesh = NULL;
    plError error = {0};
    pl_alloc_fail_after(n);
    plStatus status = pl_mesh_tetrahedralize(surface, 0.4, 0, &mesh, &error);
    pl_alloc_fail_after(-1);
    CHECK(status == PL_ERROR_MEMORY ? mesh == NULL : status == PL_OK);
    failed += status == PL_ERROR_MEMORY;
    pl_mesh_destroy(mesh);
  }
  CHECK(failed > 20);
  pl_mesh_destroy(surface);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(cube_is_filled);
  RUN(animal_is_filled);
  RUN(torus_keeps_its_hole);
  RUN(angles_are_bounded_wherever_the_surface_lies);
  RUN(volume_converges);
  RUN(cavity_is_kept);
  RUN(separate_parts_stay_apart);
  RUN(overlapping_parts_become_one);
  RUN(inside_out_surface_is_turned);
  RUN(crossed_surface_gives_the_half_that_faces_outward);
  RUN(unconnected_triangles_are_joined);
  RUN(tets_are_meshed_anew_from_their_boundary);
  RUN(small_hole_is_closed_by_the_winding_number);
  RUN(random_triangles_have_an_answer);
  RUN(thin_plate_is_refused_in_a_sentence);
  RUN(the_remedy_does_not_depend_on_the_first_edge);
  RUN(too_many_tets_are_refused_with_an_estimate);
  RUN(the_edge_that_a_refusal_names_does);
  RUN(coordinates_beyond_all_lengths_are_refused);
  RUN(bad_arguments_are_refused);
  RUN(the_result_is_the_same_every_time);
  RUN(smoothing_never_lowers_the_worst_quality);
  RUN(lattice_agrees_with_the_plain_inside_test);
  RUN(parts_touching_in_an_edge_are_separated);
  RUN(parts_touching_in_a_vertex_are_separated);
  RUN(edge_between_joined_vertices_is_split);
  RUN(a_mesh_without_pinches_stays_as_it_is);
  RUN(memory_failures_are_reported);
  return CHECK_END;
}
