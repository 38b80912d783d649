// One test for each pitfall that broke an earlier design of the contact geometry, numbered as in
// docs/contact.md.
#include "base/random.h"
#include "math/pose.h"
#include "model/work.h"
#include "pliant/pliant.h"
#include "world.h"
#include "model/side.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

static plPose turned(plVec3 p, plVec3 r) { return (plPose){p, quat_exp(r)}; }

// 1. Points at the middle of polygons shrink the support: a stiff cube of one cell, shifted by 49 % of its
// width, must stand on another.
static void cube_stands(const double* shifts, int n) {
  for (int k = 0; k < n; k++) {
    World w = begin(down, 0.01);
    int low = add_block(&w, v3(0.1, 0.1, 0.1), 1, 1, 1, pose_at(0, 0, 0.05), 1e8);
    hold_below(&w, low, -0.05);
    double shift = shifts[k];
    int up = add_block(&w, v3(0.1, 0.1, 0.1), 1, 1, 1, pose_at(shift, 0, 0.15), 1e8);
    build(&w);
    run(&w, 100);
    plBodyState s;
    pl_deformable_state(w.data, up, &s);
    if (shift > 0.05)
      CHECK(s.com.z < 0.148);
    else
      CHECK_NEAR(s.com.z, 0.15, 6.9e-6);
    end(&w);
  }
}
static void pitfall_1_a_cube_stands_up_to_half_its_width(void) { cube_stands((double[2]){0.049, 0.051}, 2); }

// 2. The corners of what the two share are crossings of rims: without them the cube tips at 30 %.
static void pitfall_2_a_cube_stands_on_crossings_of_rims(void) {
  cube_stands((double[3]){0.03, 0.04, 0.045}, 3);
}

// 2. again, as geometry: the extreme points of the patch are the corners of the overlap.
static void pitfall_2_rims_cross_at_the_corners_of_the_patch(void) {
  World w = begin(nowhere, 0.01);
  add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, pose_at(0, 0, 0), 1e6);
  add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0.031, 0.017, 0.1 - 1e-6), 1e6);
  build(&w);
  run(&w, 1);
  plVec3 lower = {1, 1, 1}, upper = {-1, -1, -1};
  for (int i = 0; i < w.data->ncontact; i++)
    lower = v3_min(lower, w.data->contact[i].position), upper = v3_max(upper, w.data->contact[i].position);
  CHECK_NEAR(lower.x, -0.019, 2.7e-16);
  CHECK_NEAR(lower.y, -0.033, 4.6e-16);
  CHECK_NEAR(upper.x, 0.05, 7.1e-16);
  CHECK_NEAR(upper.y, 0.05, 7.1e-16);
  // and the weights add up to the overlap
  double area = 0;
  for (int i = 0; i < w.data->ncontact; i++) area += w.data->contact[i].area;
  CHECK_NEAR(area, 0.069 * 0.083, 1.9e-7);
  end(&w);
}

// 3. Polygons do not decide who exists: vertices over edges and corners of the other mesh are never lost,
// however it is tilted.
static void pitfall_3_no_vertex_falls_into_a_crack(void) {
  plRandom r = {3};
  for (int trial = 0; trial < 200; trial++) {
    World w = begin(nowhere, 0.01);
    plVec3 tilt;
    tilt.z = pl_random(&r, -0.05, 0.05);
    tilt.y = pl_random(&r, -1e-3, 1e-3), tilt.x = pl_random(&r, -1e-3, 1e-3);
    add_block(&w, v3(0.3, 0.3, 0.05), 6, 6, 1, pose_at(0, 0, -0.025), 1e6);
    // Bottom vertices above vertices and edges of the plate's grid of 50 mm, up to rounding and the turn.
    add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2,
              turned(v3(trial % 3 * 0.025, trial % 5 * 0.0125, 0.05 + 2e-5), tilt), 1e6);
    build(&w);
    run(&w, 1);
    int found = 0;
    for (int v = 0; v < 27; v++) {
      if (w.model->start_q[w.model->deform_q0[1] + 3 * v + 2] > 0.03) continue;
      bool here = false;
      for (int i = 0; i < w.data->work->npoint && !here; i++) {
        const plContactSide* side = &w.data->work->point[i].b;
        for (int k = 0; k < side->nvert; k++)
          here |= side->vert[k] == w.model->deform_vert0[1] + v && side->weight[k] > 0.9;
      }
      found += here;
    }
    CHECK_INT(found, 9);
    end(&w);
    if (check_errors > 3) return;
  }
}

// 4. Near a matching position a corner must not be left with the sliver in which it happens to lie: whatever
// the shift, every vertex of the face is held by at least half of what the matching meshes give it, and the
// sum is the overlap.
static void pitfall_4_no_corner_is_left_with_a_sliver(void) {
  double matching[64] = {0};
  for (int step = 0; step <= 40; step++) {
    World w = begin(nowhere, 0.01);
    double shift = step * (step % 2 ? -5e-6 : 5e-6);
    add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, pose_at(0, 0, 0), 1e6);
    add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, pose_at(shift, 0.3 * shift, 0.1), 1e6);
    build(&w);
    run(&w, 1);
    // The area that holds each vertex of the upper block, whoever's point it is.
    double held[64] = {0}, whole = 0;
    for (int i = 0; i < w.data->work->npoint; i++) {
      const plContactPoint* p = &w.data->work->point[i];
      whole += p->area;
      for (int k = 0; k < p->b.nvert; k++)
        held[p->b.vert[k] - w.model->deform_vert0[1]] += p->b.weight[k] * p->area;
    }
    CHECK_NEAR(whole, (0.1 - fabs(shift)) * (0.1 - 0.3 * fabs(shift)), 1.4e-16);
    for (int v = 0; v < 64; v++) {
      if (step == 0) matching[v] = held[v];
      CHECK(held[v] >= 0.5 * matching[v]);
    }
    end(&w);
  }
}

// 5. Seen from the side, rims of stacked cubes cross: none of these is a contact.
static void pitfall_5_stacked_rims_do_not_push_sideways(void) {
  for (int k = 0; k < 4; k++) {
    World w = begin(nowhere, 0.01);
    add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, pose_at(0, 0, 0), 1e6);
    add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3,
              turned(v3(0.02 * (k % 2), 0, 0.1 - 1e-5), v3(1e-4 * k, 0, 0.3 * k)), 1e6);
    build(&w);
    run(&w, 1);
    CHECK(w.data->ncontact >= 4);
    for (int i = 0; i < w.data->ncontact; i++) {
      CHECK_BELOW(-w.data->contact[i].gap, 7.8e-5, 1);
      CHECK_BELOW(1 - fabs(w.data->contact[i].normal.z), 1.3e-7, 1);
    }
    end(&w);
  }
}

// 6. A thin plate on a soft block: its far corners are not "deep inside" through the plate.
static void pitfall_6_the_back_of_a_thin_plate_does_not_touch(void) {
  World w = begin(nowhere, 0.01);
  add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, pose_at(0, 0, 0), 1e5);
  add_shape(&w, "plate", PL_SHAPE_BOX, v3(0.05, 0.05, 0.004), v3(0.01, 0, 0.05 + 0.002 - 5e-4),
            pl_default_surface());
  build(&w);
  run(&w, 1);
  CHECK(w.data->ncontact > 0);
  for (int i = 0; i < w.data->ncontact; i++) {
    CHECK_BELOW(-w.data->contact[i].gap, 1.5e-3, 1);
    CHECK_BELOW(1 - w.data->contact[i].normal.z, 1.5e-14, 1);
  }
  end(&w);
  // A plate that leans on the rim of a soft layer of 10 mm: its back and the layer's look at each other, 13
  // mm "deep", which a limit of 20 mm would take for contact.
  w = begin(nowhere, 0.01);
  add_block(&w, v3(0.1, 0.1, 0.01), 4, 4, 1, pose_at(0, 0, 0), 1e5);
  plShapeDef plate = pl_default_shape_def();
  plPose lean = turned(v3(0.05, 0, 0.005), v3(0, 0.4, 0));
  plate.name = "plate", plate.kind = PL_SHAPE_BOX, plate.size = v3(0.1, 0.05, 0.004), plate.pose = lean;
  plate.pose.p = v3_madd(lean.p, 0.002 - 5e-4, quat_rotate(lean.q, v3(0, 0, 1)));
  CHECK_INT(pl_spec_add_shape(w.spec, &plate, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 1);
  CHECK(w.data->ncontact > 0);
  for (int i = 0; i < w.data->ncontact; i++) {
    CHECK_BELOW(-w.data->contact[i].gap, 1.5e-3, 1);
    CHECK_BELOW(1 - w.data->contact[i].normal.z, 0.2, 1);
  }
  end(&w);
}

// Two cubes, edge above edge, the upper one turned about z.
static World edge_on_edge(double turn, double along, double gap, plVec3 gravity) {
  World w = begin(gravity, 0.01);
  double half = 0.1 / sqrt(2);
  int low = add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, turned(v3(0, 0, -half), v3(M_PI / 4, 0, 0)), 1e5);
  plPose up = {{along, 0, half + gap},
               quat_mul(quat_from_axis_angle(v3(0, 0, 1), turn), quat_exp(v3(M_PI / 4, 0, 0)))};
  add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, up, 1e5);
  plFixDef fix = pl_default_fix_def();
  fix.deformable = low, fix.region.kind = PL_REGION_ALL;
  CHECK_INT(pl_spec_add_fix(w.spec, &fix, &w.error), PL_OK);
  build(&w);
  return w;
}

static const double angles[] = {M_PI / 2, M_PI / 6};

// 8. The weight of crossing edges does not jump with the position where they cross: never below one half.
static void pitfall_8_crossing_edges_are_strong_everywhere(void) {
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= 20; i++) {
      World w = edge_on_edge(angles[k], -0.03 + 0.003 * i, -1e-4, nowhere);
      run(&w, 1);
      double strength = 0;
      for (int c = 0; c < w.data->work->npoint; c++)
        if (w.data->work->point[c].gap <= 0) strength = fmax(strength, w.data->work->point[c].share);
      CHECK(strength >= 0.5);
      end(&w);
    }
}

// 7. Crossing edges push along their common perpendicular, not along the mean of facet normals.
static void pitfall_7_crossing_edges_push_apart(void) {
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= 20; i++) {
      World w = edge_on_edge(angles[k], -0.03 + 0.003 * i, -1e-4, nowhere);
      run(&w, 1);
      int touching = 0;
      for (int c = 0; c < w.data->work->npoint; c++) {
        const plContactPoint* p = &w.data->work->point[c];
        CHECK_BELOW(-p->gap, 3e-4, 1);
        if (p->gap > 0) continue;
        CHECK_BELOW(1 - fabs(p->normal.z), 1.5e-14, 1);
        touching++;
      }
      CHECK(touching >= 1);
      end(&w);
    }
  // dropped: hardly any sideways force in the first impact
  for (int k = 0; k < 2; k++) {
    World w = edge_on_edge(angles[k], 0.004, 0.01, down);
    double worst = 0, deepest = 0;
    int hits = 0;
    for (int i = 0; i < 30 && hits < 8; i++) {
      run(&w, 1);
      plContactPair pair;
      pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), pl_side_of_number(w.data->model, 1),
                      &pair);
      if (!(pair.normal_force > 1e-3)) continue;
      hits++;
      worst = fmax(worst, hypot(pair.force.x, pair.force.y) / fabs(pair.force.z));
      deepest = fmin(deepest, pair.gap_min);
    }
    printf("edge on edge, %2.0f degrees: sideways %.3f, deepest %.2f mm\n", angles[k] * 180 / M_PI, worst,
           -1e3 * deepest);
    CHECK(hits > 0);
    CHECK_BELOW(worst, 0.033, 1);
    CHECK_BELOW(-deepest, 2e-4, 1);
    end(&w);
  }
}

// 9. Points are known before they touch: a block that lands at 2 m/s does not dive.
static void pitfall_9_landing_fast_does_not_dive(void) {
  World w = begin(down, 0.01);
  int low = add_block(&w, v3(0.3, 0.3, 0.05), 6, 6, 1, pose_at(0, 0, -0.025), 1e5);
  hold_below(&w, low, -0.025);
  int up = add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, turned(v3(0.004, 0.003, 0.07), v3(0, 0, 0.2)), 1e5);
  build(&w);
  for (int v = 0; v < 64; v++) w.data->v[w.model->deform_v0[up] + 3 * v + 2] = -2;
  double deepest = 0;
  for (int i = 0; i < 20; i++) {
    run(&w, 1);
    plContactPair pair;
    pl_contact_pair(w.data, pl_side_of_number(w.data->model, low), pl_side_of_number(w.data->model, up),
                    &pair);
    deepest = fmin(deepest, pair.gap_min);
  }
  CHECK_BELOW(-deepest, 4e-4, 1);
  end(&w);
}

// 9. again: bodies that fall together do not approach each other, until the ground stops the lowest within a
// step.
static void pitfall_9_a_column_lands_without_diving_into_itself(void) {
  World w = begin(down, 0.01);
  for (int k = 0; k < 4; k++) add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 0, 0.08 + 0.101 * k), 3e5);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  build(&w);
  double deepest = 0;
  for (int i = 0; i < 30; i++) {
    run(&w, 1);
    for (int k = 0; k < w.data->ncontact; k++) deepest = fmin(deepest, w.data->contact[k].gap);
  }
  CHECK_BELOW(-deepest, 1e-4, 1);
  end(&w);
}

// 10. A patch is as stiff however finely it is cut: the same block on the same ground sinks by the same
// amount.
static void pitfall_10_refinement_does_not_change_the_stiffness(void) {
  double sunk[2];
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.01);
    int n = k ? 6 : 2;
    add_block(&w, v3(0.1, 0.1, 0.1), n, n, n, pose_at(0, 0, 0.05), 1e8);
    plSurface soft = pl_default_surface();
    soft.contact_stiffness = 1e7;
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, soft);
    build(&w);
    run(&w, 150);
    double mean = 0, area = 0;
    for (int i = 0; i < w.data->ncontact; i++)
      mean += w.data->contact[i].gap * w.data->contact[i].area, area += w.data->contact[i].area;
    sunk[k] = -mean / area;
    // weight over (stiffness times area)
    CHECK_NEAR(sunk[k], 9.81 / (1e7 * 0.01), 0.002 * 9.81 / 1e5);
    end(&w);
  }
  CHECK_NEAR(sunk[0], sunk[1], 9.3e-7 * sunk[0]);
}

// 11. A mesh whose tetrahedra do not fit together has facets inside, which would touch each other: the check
// says so.
static void pitfall_11_cracked_meshes_are_reported(void) {
  static const int cut[5][4] = {{0, 1, 2, 4}, {1, 3, 2, 7}, {1, 4, 5, 7}, {2, 4, 7, 6}, {1, 2, 4, 7}};
  plMesh* mesh = box_mesh(v3(0.1, 0.1, 0.1), 2, 1, 1);
  plMeshReport report;
  plError error;
  CHECK_INT(pl_mesh_check(mesh, &report, &error), PL_OK);
  CHECK_INT(report.nonmanifold, 0);
  CHECK_INT(report.boundary_open, 0);
  // The second cell gets the diagonals of the first: the two sides of their common face no longer match.
  for (int t = 0; t < 5; t++)
    for (int k = 0; k < 4; k++)
      mesh->tet[4 * (5 + t) + k] =
          1 + (cut[t][k] & 1) + 3 * ((cut[t][k] >> 1 & 1) + 2 * (cut[t][k] >> 2 & 1));
  CHECK_INT(pl_mesh_check(mesh, &report, &error), PL_OK);
  CHECK(report.nonmanifold > 0);
  char text[2000];
  CHECK(pl_mesh_report_text(&report, text, sizeof text) > 0);
  pl_mesh_destroy(mesh);
}

// 12. Where the angle of a ridge passes the limit between flat and sharp, no point appears from nowhere, deep
// inside.
static void pitfall_12_no_point_appears_deep_when_an_edge_becomes_sharp(void) {
  for (int i = 0; i <= 20; i++) {
    World w = begin(nowhere, 0.01);
    double bend = 0.30 + 0.01 * i;  // half the angle between the two sides of the ridge: 0.32 is the limit
    plMesh* mesh = box_mesh(v3(0.2, 0.1, 0.05), 4, 2, 1);
    for (int v = 0; v < mesh->nvert; v++) mesh->vert[3 * v + 2] -= tan(bend) * fabs(mesh->vert[3 * v]);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "ridge", def.mesh = mesh;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    add_shape(&w, "bar", PL_SHAPE_BOX, v3(0.3, 0.02, 0.02), v3(0.003, 0.011, 0.025 + 0.01 - 1e-4),
              pl_default_surface());
    build(&w);
    run(&w, 1);
    int touching = 0;
    for (int k = 0; k < w.data->ncontact; k++) {
      CHECK_BELOW(-w.data->contact[k].gap, 3e-4, 1);
      touching += w.data->contact[k].gap < 0;
    }
    CHECK(touching >= 1);
    end(&w);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(pitfall_1_a_cube_stands_up_to_half_its_width);
  RUN(pitfall_2_a_cube_stands_on_crossings_of_rims);
  RUN(pitfall_2_rims_cross_at_the_corners_of_the_patch);
  RUN(pitfall_3_no_vertex_falls_into_a_crack);
  RUN(pitfall_4_no_corner_is_left_with_a_sliver);
  RUN(pitfall_5_stacked_rims_do_not_push_sideways);
  RUN(pitfall_6_the_back_of_a_thin_plate_does_not_touch);
  RUN(pitfall_7_crossing_edges_push_apart);
  RUN(pitfall_8_crossing_edges_are_strong_everywhere);
  RUN(pitfall_9_landing_fast_does_not_dive);
  RUN(pitfall_9_a_column_lands_without_diving_into_itself);
  RUN(pitfall_10_refinement_does_not_change_the_stiffness);
  RUN(pitfall_11_cracked_meshes_are_reported);
  RUN(pitfall_12_no_point_appears_deep_when_an_edge_becomes_sharp);
  return CHECK_END;
}
