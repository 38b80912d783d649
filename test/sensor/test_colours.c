// test_colours.c: colour cameras against an independent picture: rays cast at every triangle, the lighting of
// docs/sensors.md, shadows by rays to the light, sRGB as standardised.
#include "cast.h"

// IEC 61966-2-1
static double to_light(double x) { return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4); }
static double to_byte(double x) {
  x = x < 0 ? 0 : x > 1 ? 1 : x;
  return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055);
}

typedef struct Scene {
  const World* w;
  Triangle* list;
  int n;
} Scene;

// The first thing on a ray from o, farther than least: its distance, side and normal towards o. *border: how
// near it passes an edge of anything, in shares of the triangle.
static double first(const Scene* s, plVec3 o, plVec3 d, double least, int* side, plVec3* normal,
                    double* border) {
  double nearest = INFINITY;
  const plModel* m = s->w->model;
  *side = -1, *border = 1;
  for (int i = 0; i < s->n; i++) {
    double edge, t = meet(&s->list[i], o, d, &edge);
    *border = fmin(*border, edge);
    if (!(t >= least && t < nearest)) continue;
    const plVec3* p = s->list[i].p;
    nearest = t, *side = s->list[i].side, *normal = v3_unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
  }
  for (int g = 0; g < m->nshape; g++) {
    plVec3 up = quat_rotate(m->shape_pose[g].q, v3(0, 0, 1));
    double slope = v3_dot(d, up), t = slope < 0 ? v3_dot(v3_sub(m->shape_pose[g].p, o), up) / slope : -1;
    if (m->shape_kind[g] != PL_SHAPE_HALF_SPACE || !(t >= least && t < nearest)) continue;
    nearest = t, *side = m->ndeform + g, *normal = up;
  }
  if (*side >= 0 && v3_dot(*normal, d) > 0) *normal = v3_neg(*normal);
  return nearest;
}

// Whether something stands between x and the light; -1 near the border of a shadow: where the rays from
// pixels around it do not agree.
static int in_shadow(const Scene* s, plVec3 x, plVec3 n, plVec3 light, double apart) {
  plVec3 u = v3_unit(v3_cross(n, v3(0.6, 0.64, 0.48))), v = v3_cross(n, u), normal;
  int found = 0, side;
  double border;
  for (int k = 0; k < 5; k++) {
    plVec3 o = v3_madd(v3_madd(v3_madd(x, 1e-6, n), k < 4 ? (k & 1 ? apart : -apart) : 0, u),
                       k < 4 ? (k & 2 ? apart : -apart) : 0, v);
    found += isfinite(first(s, o, light, 1e-9, &side, &normal, &border));
  }
  return found == 0 ? 0 : found == 5 ? 1 : -1;
}

static plVec3 colour_of(const plModel* m, int side) {
  plVec3 c = side < m->ndeform ? pl_look_colour(side) : m->shape_colour[side - m->ndeform];
  return v3(to_light(c.x), to_light(c.y), to_light(c.z));
}

typedef struct Colours {
  double worst;  // of a byte
  int compared, skipped, lit, dark, sky;
} Colours;

static Colours compare(const World* w, const plSensorDef* def, plPose pose, int id) {
  Colours v = {0};
  Scene s = {.w = w};
  s.list = list_triangles(w->data, -1, &s.n);
  const unsigned char* picture = pl_sensor_values(w->data, id);
  double focal = 0.8 * def->width;
  plVec3 light = v3_unit(v3(0.45, -0.35, 0.82));
  for (int i = 0; i < def->width * def->height; i++) {
    plVec3 ray = quat_rotate(pose.q, v3((i % def->width + 0.5 - def->width / 2.0) / focal,
                                        (i / def->width + 0.5 - def->height / 2.0) / focal, 1)),
           n = {0, 0, 0}, c = {0.62, 0.70, 0.82};
    int side, shadow = 0;
    double border, t = first(&s, pose.p, ray, def->near, &side, &n, &border);
    if (t > def->far) side = -1;
    if (side >= 0) {
      double sun = fmax(0, v3_dot(n, light)), sky = 0.30 + 0.15 * n.z;
      // a map of the light has pixels of about a millimetre in this scene
      if (def->shadows && sun > 0) shadow = in_shadow(&s, v3_madd(pose.p, t, ray), n, light, 4e-3);
      if (shadow > 0) sun = 0;
      plVec3 own = colour_of(w->model, side);
      c = v3(own.x * (0.80 * sun + sky), own.y * (0.78 * sun + sky), own.z * (0.74 * sun + 1.05 * sky));
    }
    if (border < 1e-9 || shadow < 0) {
      v.skipped++;
      continue;
    }
    v.compared++, v.sky += side<0, v.dark += shadow> 0, v.lit += side >= 0 && !shadow;
    double e[3] = {to_byte(c.x), to_byte(c.y), to_byte(c.z)};
    for (int k = 0; k < 3; k++) {
      double off = fabs(picture[3 * i + k] - e[k]);
      if (off > 1) printf("pixel %d channel %d: %d, cast %.2f\n", i, k, picture[3 * i + k], e[k]);
      v.worst = fmax(v.worst, off);
    }
  }
  free(s.list);
  return v;
}

static void cast_colours(void) {
  World w = begin((plVec3){0, 0, -9.81}, 0.005);
  plShapeDef ground = pl_default_shape_def(), box = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE, ground.colour = (plVec3){0.2, 0.8, 0.3};
  CHECK_INT(pl_spec_add_shape(w.spec, &ground, NULL, &w.error), PL_OK);
  add_block(&w, (plVec3){0.1, 0.1, 0.1}, 2, 2, 2, pose_at(0, -0.1, 0.06), 2e4);
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.08, 0.06, 0.05}, box.colour = (plVec3){0.9, 0.1, 0.6};
  add_body(&w, "box", box, (plPose){{0.02, 0.03, 0.13}, {0.9, 0.1, 0.3, 0.2}}, (plVec3){0, 0, 0}, 1, 1e-3);
  plPose pose = look_at(v3(-0.35, -0.2, 0.35), v3(0, 0, 0.09));
  plSensorDef def = camera("plain", PL_SENSOR_RGB, "world", pose);
  def.far = 0.8;
  add(&w, &def);
  def.name = "shadows", def.shadows = true;
  add(&w, &def);
  build(&w);
  for (int k = 0; k < 2; k++) {
    run(&w, 10 * k);
    for (int id = 0; id < 2; id++) {
      def.shadows = id;
      Colours v = compare(&w, &def, pose, id);
      printf("%s: %.2f of a byte off at %d pixels, %d lit, %d dark, %d sky, %d at edges\n",
             id ? "shadows" : "plain", v.worst, v.compared, v.lit, v.dark, v.sky, v.skipped);
      // half a byte of rounding, and a table of 4096 tones
      CHECK(v.worst <= 1);
      CHECK(v.lit > 5000 && v.sky > 1000 && (v.dark > 500) == def.shadows);
      CHECK(v.skipped < 160 * 120 / 8);
    }
  }
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(cast_colours);
  return CHECK_END;
}
