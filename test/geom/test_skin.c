// test_skin.c: which side of a surface a position lies on, from the facets around its closest point, against
// winding numbers.
#include "base/random.h"
#include "check.h"
#include "geom/mesh.h"
#include "geom/skin.h"
#include "math/pose.h"
#include "pliant/mesh.h"

static plVec3 random_vector(plRandom* r) {
  double x = pl_random(r, -1, 1), y = pl_random(r, -1, 1), z = pl_random(r, -1, 1);
  return v3(x, y, z);
}

// A random body, with concave parts or sharp edges, turned and dented.
static plMesh* random_body(plRandom* r) {
  plMesh* mesh = NULL;
  plError error;
  double a = pl_random(r, 0.3, 1), b = pl_random(r, 0.3, 1), edge = pl_random(r, 0.2, 0.5);
  int kind = (int)pl_random(r, 0, 4);
  plStatus status = kind == 0   ? pl_mesh_torus(1, 0.4 * a, edge, &mesh, &error)
                    : kind == 1 ? pl_mesh_half_ellipsoid(v3(a, b, 1), edge, &mesh, &error)
                    : kind == 2 ? pl_mesh_box(v3(a, b, 1), edge, &mesh, &error)
                                : pl_mesh_cylinder(a, b, edge, &mesh, &error);
  CHECK_INT(status, PL_OK);
  plVec3 axis = v3_unit(random_vector(r)), wave = v3_scale(3, random_vector(r));
  plPose pose = {.q = quat_exp(v3_scale(pl_random(r, 0, 3), axis))};
  pl_mesh_transform(mesh, v3(1, 1, 1), pose);
  for (int v = 0; v < mesh->nvert; v++) {
    plVec3 x = pl_mesh_vertex(mesh, v);
    v3_store(mesh->vert + 3 * v, v3_madd(x, 0.08 * sin(v3_dot(wave, x)), axis));
  }
  return mesh;
}

static void what_is_above_its_closest_facets_is_outside(void) {
  plRandom r = {1};
  int outside = 0, above = 0, corners = 0;
  for (int member = 0; member < CHECK_MEMBERS(60); member++) {
    plMesh* mesh = random_body(&r);
    plSkin* skin = NULL;
    plError error;
    CHECK_INT(pl_skin_create(mesh->nvert, mesh->tri, mesh->ntri, &skin, &error), PL_OK);
    for (int i = 0; i < 3 * mesh->nvert; i++) skin->x[i] = mesh->vert[i];
    CHECK_INT(pl_skin_tree(skin, &error), PL_OK);
    pl_skin_update(skin);
    for (int trial = 0; trial < 200; trial++) {
      // beside a vertex of the surface
      int v = (int)pl_random(&r, 0, mesh->nvert);
      if (skin->vert_tri[v] < 0) continue;
      double size = pl_random(&r, 0, 0.3);
      plVec3 p = v3_madd(skin_x(skin, v), size, random_vector(&r));
      plTriHit hit = pl_tri_tree_closest(skin->tree, p, INFINITY);
      bool is = pl_skin_is_above(skin, hit.tri, hit.point, p, 1e-6),
           out = pl_tri_winding(skin->x, skin->tri, skin->ntri, p) < 0.5;
      CHECK(out || !is);
      outside += out, above += is && out;
      double w[3];
      pl_skin_barycentric(skin, hit.tri, hit.point, w);
      corners += is && (w[0] < 1e-6) + (w[1] < 1e-6) + (w[2] < 1e-6) == 2;
    }
    pl_skin_destroy(skin);
    pl_mesh_destroy(mesh);
  }
  // nearly all are recognised by their facets alone, at corners too
  CHECK(above > 0.95 * outside);
  CHECK(corners > 0.01 * outside);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_is_above_its_closest_facets_is_outside);
  return CHECK_END;
}
