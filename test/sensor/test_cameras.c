// test_cameras.c: depth and segmentation against ray casting that intersects every ray with every triangle.
#include "cast.h"

typedef struct Verdict {
  double worst;
  int wrong_side, skipped, hits, pixels;
} Verdict;

// The pictures of two cameras with the same intrinsics, against the cast rays.
static Verdict cast(const World* w, const plSensorDef* def, plPose pose, int depth_id, int seg_id,
                    int hidden) {
  Verdict v = {0};
  int n;
  Triangle* list = list_triangles(w->data, hidden, &n);
  const float* depth = pl_sensor_values(w->data, depth_id);
  const int* seg = pl_sensor_values(w->data, seg_id);
  double fx = def->focal[0] > 0 ? def->focal[0] : 0.8 * def->width,
         fy = def->focal[1] > 0 ? def->focal[1] : fx;
  double cx = def->centre[0] >= 0 ? def->centre[0] : def->width / 2.0,
         cy = def->centre[1] >= 0 ? def->centre[1] : def->height / 2.0;
  const plModel* m = w->model;
  for (int y = 0; y < def->height; y++)
    for (int x = 0; x < def->width; x++) {
      plVec3 local = v3((x + 0.5 - cx) / fx, (y + 0.5 - cy) / fy, 1), d = quat_rotate(pose.q, local);
      double nearest = INFINITY, edge = 1;
      int side = -1;
      for (int i = 0; i < n; i++) {
        double border, t = meet(&list[i], pose.p, d, &border);
        // an edge anywhere on the ray could decide what is seen
        if (border < 1e-9) edge = border;
        if (t >= def->near && t < nearest) nearest = t, side = list[i].side;
      }
      for (int g = 0; g < m->nshape; g++) {
        if (m->shape_kind[g] != PL_SHAPE_HALF_SPACE) continue;
        double slope = v3_dot(d, quat_rotate(m->shape_pose[g].q, v3(0, 0, 1)));
        double t = slope < 0 ? v3_dot(v3_sub(m->shape_pose[g].p, pose.p),
                                      quat_rotate(m->shape_pose[g].q, v3(0, 0, 1))) /
                                   slope
                             : -1;
        if (t >= def->near && t < nearest) nearest = t, side = m->ndeform + g;
      }
      if (nearest > def->far) nearest = def->far, side = -1;
      v.pixels++, v.hits += side >= 0;
      if (edge < 1e-9) {
        v.skipped++;
        continue;
      }
      int i = y * def->width + x;
      double expected = nearest * (def->range && side >= 0 ? v3_norm(local) : 1);
      double off = fabs((double)depth[i] - expected) / expected;
      if (off > 1e-6)
        printf("pixel %d %d: %.9g, cast %.9g (side %d, cast %d)\n", x, y, (double)depth[i], expected, seg[i],
               side);
      v.worst = fmax(v.worst, off), v.wrong_side += seg[i] != side;
    }
  free(list);
  return v;
}

static World crowd(void) {
  World w = begin((plVec3){0, 0, -9.81}, 0.005);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, pl_default_surface());
  plMesh* mesh;
  CHECK_INT(pl_mesh_sphere(0.05, 0.02, &mesh, &w.error), PL_OK);
  plDeformableDef ball = pl_default_deformable_def();
  ball.name = "ball", ball.mesh = mesh, ball.pose.p = (plVec3){0, 0, 0.12}, ball.material.young = 2e4;
  CHECK_INT(pl_spec_add_deformable(w.spec, &ball, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.08, 0.06, 0.05};
  add_body(&w, "box", box, (plPose){{0.02, 0.01, 0.03}, {0.9, 0.1, 0.3, 0.2}}, (plVec3){0, 0, 0}, 1, 1e-3);
  plShapeDef rod = pl_default_shape_def();
  rod.kind = PL_SHAPE_CYLINDER, rod.radius = 0.02, rod.length = 0.15;
  add_body(&w, "rod", rod, (plPose){{-0.1, 0.05, 0.1}, {0.7, 0.2, 0.6, 0.1}}, (plVec3){0, 0, 0}, 1, 1e-3);
  return w;
}

static void cast_moving(void) {
  World w = crowd();
  plPose pose = look_at(v3(0.35, -0.3, 0.25), v3(0, 0, 0.05));
  plSensorDef def = camera("depth", PL_SENSOR_DEPTH, "world", pose);
  add(&w, &def);
  def.name = "seg", def.kind = PL_SENSOR_SEGMENTATION;
  add(&w, &def);
  // odd intrinsics, along the ray, on a body that moves
  plSensorDef odd =
      camera("range", PL_SENSOR_DEPTH, "rod", look_at(v3(0.02, 0.01, 0.2), v3(0.15, 0.05, -0.1)));
  odd.width = 97, odd.height = 71, odd.focal[0] = 60, odd.focal[1] = 75, odd.centre[0] = 40.3,
  odd.centre[1] = 20.9;
  odd.range = true, odd.near = 0.03, odd.far = 0.6;
  add(&w, &odd);
  odd.name = "odd_seg", odd.kind = PL_SENSOR_SEGMENTATION, odd.range = false;
  add(&w, &odd);
  odd.range = true;
  build(&w);
  for (int k = 0; k < 3; k++) {
    run(&w, 12);
    Verdict v = cast(&w, &def, pose, 0, 1, -1);
    printf("depth off by %.1e, %d of %d pixels at edges, %d see something\n", v.worst, v.skipped, v.pixels,
           v.hits);
    CHECK_BELOW(v.worst, 1.8e-7, 1);
    CHECK_INT(v.wrong_side, 0);
    CHECK(v.skipped < 50 && v.hits > v.pixels / 2);
    plPose body[2];
    pl_rigid_poses(w.data, body);
    v = cast(&w, &odd, pose_mul(body[1], odd.pose), 2, 3, -1);
    printf("range off by %.1e, %d of %d pixels at edges, %d see something\n", v.worst, v.skipped, v.pixels,
           v.hits);
    CHECK_BELOW(v.worst, 1.8e-7, 1);
    CHECK_INT(v.wrong_side, 0);
    CHECK(v.hits > 100 && v.hits < v.pixels);
  }
  end(&w);
}

// Triangles that reach behind the camera are cut at the near plane.
static void cast_through_near(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  add_shape(&w, "wall", PL_SHAPE_BOX, (plVec3){10, 10, 0.1}, (plVec3){0, 0, -0.06}, pl_default_surface());
  add_shape(&w, "roof", PL_SHAPE_BOX, (plVec3){20, 3, 0.1}, (plVec3){0, 0, 0.5}, pl_default_surface());
  add_block(&w, (plVec3){0.1, 0.1, 0.1}, 2, 2, 2, pose_at(1, 0.2, 0.1), 1e5);
  plPose pose = look_at(v3(0, 0, 0.05), v3(1, 0.3, 0.04));
  plSensorDef def = camera("depth", PL_SENSOR_DEPTH, "world", pose);
  def.near = 0.05, def.width = 80, def.height = 60;
  add(&w, &def);
  def.name = "seg", def.kind = PL_SENSOR_SEGMENTATION;
  add(&w, &def);
  build(&w);
  Verdict v = cast(&w, &def, pose, 0, 1, -1);
  printf("near plane: off by %.1e, %d at edges, %d of %d see something\n", v.worst, v.skipped, v.hits,
         v.pixels);
  CHECK_BELOW(v.worst, 1.7e-7, 1);
  CHECK_INT(v.wrong_side, 0);
  CHECK(v.hits > v.pixels * 3 / 4);
  end(&w);
}

// A hollow cube around the camera: its inner walls from inside, or what is behind it when it is hidden.
static void inside_a_bubble(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  plMesh *full = box_mesh((plVec3){0.5, 0.5, 0.5}, 5, 5, 5), *mesh;
  int n = 0;
  for (int t = 0; t < full->ntet; t++) {
    double c[3] = {0, 0, 0};
    for (int k = 0; k < 12; k++) c[k % 3] += full->vert[3 * full->tet[4 * t + k / 3] + k % 3] / 4;
    if (fmax(fabs(c[0]), fmax(fabs(c[1]), fabs(c[2]))) < 0.05) continue;
    memmove(full->tet + 4 * n++, full->tet + 4 * t, 4 * sizeof(int));
  }
  mesh = pl_mesh_create(full->nvert, n, 0, &w.error);
  memcpy(mesh->vert, full->vert, 3 * (size_t)full->nvert * sizeof(double));
  memcpy(mesh->tet, full->tet, 4 * (size_t)n * sizeof(int));
  plDeformableDef bubble = pl_default_deformable_def();
  bubble.name = "bubble", bubble.mesh = mesh;
  CHECK_INT(pl_spec_add_deformable(w.spec, &bubble, NULL, &w.error), PL_OK);
  add_shape(&w, "thing", PL_SHAPE_BOX, (plVec3){0.2, 0.2, 0.2}, (plVec3){0.6, 0, 0}, pl_default_surface());
  plPose pose = look_at(v3(0.01, 0.02, 0.01), v3(1, 0, 0));
  plSensorDef def = camera("in", PL_SENSOR_DEPTH, "world", pose);
  def.width = 40, def.height = 30;
  add(&w, &def);
  def.name = "through", def.hide = "bubble";
  add(&w, &def);
  def.name = "seg", def.kind = PL_SENSOR_SEGMENTATION;
  add(&w, &def);
  def.name = "in_seg", def.hide = NULL;
  add(&w, &def);
  build(&w);
  const float *in = pl_sensor_values(w.data, 0), *through = pl_sensor_values(w.data, 1);
  const int* seg = pl_sensor_values(w.data, 2);
  int middle = 15 * 40 + 20;
  CHECK_NEAR((double)in[middle], 0.04, 8.7e-5);  // the wall, seen a little aslant
  CHECK(through[middle] > 0.45 && through[middle] < 0.55);
  CHECK_INT(seg[middle], 1);
  CHECK_INT(seg[0], -1);
  CHECK_NEAR((double)through[0], 10, 0);
  Verdict v = cast(&w, &def, pose, 0, 3, -1);
  CHECK_BELOW(v.worst, 1.5e-7, 1);
  CHECK(v.wrong_side == 0);
  v = cast(&w, &def, pose, 1, 2, 0);
  CHECK_BELOW(v.worst, 9.1e-8, 1);
  CHECK(v.wrong_side == 0);
  pl_mesh_destroy(full), pl_mesh_destroy(mesh);
  end(&w);
}

// Colours are those of the shapes; under the box it is darker with shadows.
static void colours_and_shadows(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE, ground.colour = (plVec3){0.2, 0.8, 0.2};
  CHECK_INT(pl_spec_add_shape(w.spec, &ground, NULL, &w.error), PL_OK);
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.2, 0.2, 0.05}, box.colour = (plVec3){0.9, 0.1, 0.1};
  add_body(&w, "box", box, pose_at(0, 0, 0.3), (plVec3){0, 0, 0}, 1, 1e-2);
  plPose pose = look_at(v3(0.8, 0.01, 0.45), v3(0, 0, 0.1));
  plSensorDef def = camera("plain", PL_SENSOR_RGB, "world", pose);
  add(&w, &def);
  def.name = "dark", def.shadows = true;
  add(&w, &def);
  def.name = "noisy", def.noise[0] = 5, def.nnoise = 1;
  add(&w, &def);
  def.name = "seg", def.kind = PL_SENSOR_SEGMENTATION, def.nnoise = 0, def.shadows = false;
  add(&w, &def);
  build(&w);
  const unsigned char *plain = pl_sensor_values(w.data, 0), *dark = pl_sensor_values(w.data, 1),
                      *noisy = pl_sensor_values(w.data, 2);
  const int* seg = pl_sensor_values(w.data, 3);
  int darker = 0, brighter = 0, red = 0, green = 0, differ = 0;
  for (int i = 0; i < 160 * 120; i++) {
    darker += dark[3 * i + 1] + 20 < plain[3 * i + 1], brighter += dark[3 * i + 1] > plain[3 * i + 1];
    red += seg[i] == 1 && plain[3 * i] > plain[3 * i + 1],
        green += seg[i] == 0 && plain[3 * i + 1] > plain[3 * i];
    differ += noisy[3 * i] != dark[3 * i];
  }
  int nred = 0, ngreen = 0;
  for (int i = 0; i < 160 * 120; i++) nred += seg[i] == 1, ngreen += seg[i] == 0;
  CHECK(darker > 200);
  CHECK_INT(brighter, 0);
  CHECK(nred > 150 && ngreen > 5000);
  CHECK_INT(red, nred);
  CHECK_INT(green, ngreen);
  CHECK(differ > 15000);
  end(&w);
}

static void refuse(plVec3 at, const char* name, const char* hide) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, pl_default_surface());
  add_shape(&w, "wall", PL_SHAPE_BOX, (plVec3){1, 1, 1}, (plVec3){3, 0, 1}, pl_default_surface());
  add_block(&w, (plVec3){1, 1, 1}, 2, 2, 2, pose_at(0, 3, 1), 1e5);
  plSensorDef def = camera("eye", PL_SENSOR_DEPTH, "world", (plPose){at, {1, 0, 0, 0}});
  def.hide = hide;
  add(&w, &def);
  const plModel* model = pl_model_create(w.spec, &w.error);
  if (hide) {
    CHECK(model != NULL);
  } else {
    char sentence[80];
    snprintf(sentence, sizeof sentence, "the camera is inside '%s'", name);
    CHECK(model == NULL);
    CHECK_HAS(w.error.message, sentence);
    CHECK_HAS(w.error.message, "sensor 'eye' (depth)");
  }
  pl_model_destroy(model), pl_spec_destroy(w.spec);
}

static void cameras_in_walls(void) {
  refuse(v3(0, 0, -0.1), "ground", NULL), refuse(v3(3.2, 0.1, 1.3), "wall", NULL);
  refuse(v3(0.1, 3.2, 1.1), "block0", NULL);
  refuse(v3(3.2, 0.1, 1.3), NULL, "wall"), refuse(v3(0.1, 3.2, 1.1), NULL, "block0");
  World w = begin((plVec3){0, 0, 0}, 0.01);
  plSensorDef def = camera("eye", PL_SENSOR_DEPTH, "world", pose_at(0, 0, 0));
  def.near = 2, def.far = 1;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "needs 0 < near < far");
  def.near = 0.1, def.width = 5000;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "1 to 4096 pixels");
  def.width = 10, def.hide = "nobody";
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "'hide' names");
  pl_spec_destroy(w.spec);
}

// A sheet of panes is a PNG of the size that its panes need; a scene without any says so.
static void sheet(void) {
  World w = crowd();
  plSensorDef def = camera("depth", PL_SENSOR_DEPTH, "world", look_at(v3(0.35, -0.3, 0.25), v3(0, 0, 0.05)));
  add(&w, &def);
  plSensorDef taxels = pl_default_sensor_def();
  taxels.name = "pad", taxels.kind = PL_SENSOR_TAXELS, taxels.on = "ground";
  taxels.size[0] = taxels.size[1] = 0.3, taxels.cells[0] = taxels.cells[1] = 12;
  add(&w, &taxels);
  build(&w);
  run(&w, 60);
  const char* path = "test_sensor_sheet.png";
  CHECK_INT(pl_sensor_sheet(w.data, path, &w.error), PL_OK);
  unsigned char head[24] = {0};
  FILE* file = fopen(path, "rb");
  CHECK(file && fread(head, 1, sizeof head, file) == sizeof head);
  if (file) fclose(file);
  CHECK_INT(head[18] * 256 + head[19], 2 * 336 + 16);
  CHECK_INT(head[22] * 256 + head[23], 376 + 16);
  remove(path);
  end(&w);
  w = begin((plVec3){0, 0, 0}, 0.01);
  add_block(&w, (plVec3){0.1, 0.1, 0.1}, 1, 1, 1, pose_at(0, 0, 0), 1e5);
  build(&w);
  CHECK_INT(pl_sensor_sheet(w.data, path, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "no camera, no grid of taxels");
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(cast_moving);
  RUN(cast_through_near);
  RUN(inside_a_bubble);
  RUN(colours_and_shadows);
  RUN(cameras_in_walls);
  RUN(sheet);
  return CHECK_END;
}
