// Pictures: the PNG file, rasteriser, shadows, camera, colours, legend; whole pictures over thread counts and
// odd input.
#include "check.h"

#include <zlib.h>

#include "math/random_vec3.h"
#include "math/srgb.h"
#include "math/vec3.h"
#include "output/camera.h"
#include "output/colour_map.h"
#include "output/legend.h"
#include "output/light.h"
#include "output/png.h"
#include "sensor/raster.h"
#include "sample.h"

// ---- a PNG reader of our own: 8-bit RGB, any filter

typedef struct Picture {
  int width, height;
  unsigned char* rgb;
} Picture;

static unsigned get32(const unsigned char* p) {
  return (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
}

static void unfilter(int filter, unsigned char* row, const unsigned char* up, int n) {
  for (int i = 0; i < n; i++) {
    int a = i >= 3 ? row[i - 3] : 0, b = up ? up[i] : 0, c = up && i >= 3 ? up[i - 3] : 0, p = a + b - c,
        guess = 0;
    int pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    if (filter == 1) guess = a;
    if (filter == 2) guess = b;
    if (filter == 3) guess = (a + b) / 2;
    if (filter == 4) guess = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    row[i] = (unsigned char)(row[i] + guess);
  }
}

static Picture load_png(const char* path) {
  Picture picture = {0};
  unsigned char* bytes = malloc(1 << 24);
  FILE* file = fopen(path, "rb");
  size_t size = file ? fread(bytes, 1, 1 << 24, file) : 0;
  if (file) fclose(file);
  CHECK(size > 60 && !memcmp(bytes, "\x89PNG\r\n\x1a\n", 8));
  unsigned char* packed = malloc(size + 1);
  size_t npacked = 0;
  for (size_t at = 8; at + 12 <= size;) {
    unsigned length = get32(bytes + at);
    CHECK(at + 12 + length <= size);
    CHECK(get32(bytes + at + 8 + length) == crc32(0, bytes + at + 4, length + 4));
    if (!memcmp(bytes + at + 4, "IHDR", 4)) {
      picture.width = (int)get32(bytes + at + 8), picture.height = (int)get32(bytes + at + 12);
      CHECK(bytes[at + 16] == 8 && bytes[at + 17] == 2);
    }
    if (!memcmp(bytes + at + 4, "IDAT", 4))
      memcpy(packed + npacked, bytes + at + 8, length), npacked += length;
    at += 12 + length;
  }
  int row = 3 * picture.width;
  uLongf nraw = (uLongf)(row + 1) * (uLongf)picture.height;
  unsigned char* raw = malloc(nraw + 1);
  CHECK(uncompress(raw, &nraw, packed, (uLong)npacked) == Z_OK &&
        nraw == (uLongf)(row + 1) * (uLongf)picture.height);
  picture.rgb = malloc((size_t)row * (size_t)picture.height);
  for (int y = 0; y < picture.height; y++) {
    memcpy(picture.rgb + y * row, raw + y * (row + 1) + 1, (size_t)row);
    unfilter(raw[y * (row + 1)], picture.rgb + y * row, y ? picture.rgb + (y - 1) * row : NULL, row);
  }
  free(bytes), free(packed), free(raw);
  return picture;
}

static void a_png_reads_back(void) {
  plError error;
  plRandom random = {5};
  enum { W = 37, H = 23 };
  unsigned char rgb[3 * W * H];
  for (int i = 0; i < 3 * W * H; i++) rgb[i] = (unsigned char)(i % 7 ? pl_random_bits(&random) : (uint64_t)i);
  CHECK_INT(pl_png_save(sample_path("random.png"), W, H, rgb, &error), PL_OK);
  Picture p = load_png(sample_path("random.png"));
  CHECK_INT(p.width, W);
  CHECK_INT(p.height, H);
  CHECK(!memcmp(p.rgb, rgb, sizeof rgb));
  free(p.rgb);
  CHECK_INT(pl_png_save("/nowhere/x.png", W, H, rgb, &error), PL_ERROR_IO);
}

// ---- rasteriser

// Each pixel centre against each triangle, one by one.
static void the_rasteriser_agrees_with_brute_force(void) {
  enum { W = 40, H = 30, N = 30 };
  static float depth[W * H];
  static int id[W * H];
  plVec3 triangle[N][3];
  plRandom random = {11};
  for (int i = 0; i < W * H; i++) depth[i] = 0, id[i] = -1;
  plRaster top = {W, 0, H / 2, depth, id}, bottom = {W, H / 2, H, depth, id};
  for (int t = 0; t < N; t++) {
    for (int k = 0; k < 3; k++) {
      double z = pl_random(&random, 0.1, 1), y = pl_random(&random, -10, H + 10);
      triangle[t][k] = v3(pl_random(&random, -10, W + 10), y, z);
    }
    pl_raster_triangle(&top, triangle[t], t);
    pl_raster_triangle(&bottom, triangle[t], t);
  }
  int covered = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int nearest = -1;
      double best = 0;
      for (int t = 0; t < N; t++) {
        plVec3 a = triangle[t][0], b = triangle[t][1], c = triangle[t][2];
        double px = x + 0.5, py = y + 0.5, area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        double u = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) / area,
               v = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
        double z = a.z + u * (b.z - a.z) + v * (c.z - a.z);
        if (u >= 0 && v >= 0 && u + v <= 1 && z > best) best = z, nearest = t;
      }
      CHECK_INT(id[y * W + x], nearest);
      covered += nearest >= 0;
      if (nearest >= 0) CHECK_NEAR(depth[y * W + x], best, 8.9e-8);
    }
  CHECK(covered > W * H / 2);
}

static double round_down(double x) { return floor(x); }

static void odd_triangles_draw_nothing(void) {
  float depth[64] = {0};
  plRaster raster = {8, 0, 8, depth, NULL};
  const plVec3 flat[3] = {{1, 1, 1}, {4, 4, 1}, {7, 7, 1}}, nan[3] = {{1, 1, 1}, {NAN, 4, 1}, {7, 1, 1}},
               far[3] = {{1e30, 1, 1}, {1e31, 4, 1}, {1e30, 9, 1}};
  pl_raster_triangle(&raster, flat, 0), pl_raster_triangle(&raster, nan, 0),
      pl_raster_triangle(&raster, far, 0);
  for (int i = 0; i < 64; i++) CHECK_NEAR(depth[i], 0, 0);
}

// What the slots say about random triangles, many of them on the centres of pixels, is what the numbers say.
static void slots_draw_the_same(void) {
  enum { W = 23, H = 17, DOWN = 4 };
  plRandom random = {5};
  float a[W * H], b[W * H];
  int missed = 0, drawn = 0;
  for (int round = 0; round < 20000; round++) {
    plVec3 p[3];
    uint32_t slot[3];
    double wide = round % 3 ? 1.5 : 30;
    double top = pl_random(&random, -3, H + 3), left = pl_random(&random, -3, W + 3);
    plVec3 at = v3(left, top, 1);
    for (int k = 0; k < 3; k++) {
      double z = pl_random(&random, 0, 1), y = pl_random(&random, 0, wide), x = pl_random(&random, 0, wide);
      p[k] = v3_add(at, v3(x, y, z));
      if (round % 2) p[k].x = 0.5 * round_down(2 * p[k].x), p[k].y = 0.5 * round_down(2 * p[k].y);
      slot[k] = pl_raster_place(p[k].x, p[k].y + DOWN, (W > H + DOWN ? W : H + DOWN) + 1);
    }
    memset(a, 0, sizeof a), memset(b, 0, sizeof b);
    plRaster plain = {W, 0, H, a, NULL}, fast = {W, 0, H, b, NULL};
    pl_raster_triangle(&plain, p, 0);
    bool misses = pl_raster_misses(slot[0], slot[1], slot[2]);
    if (!misses) pl_raster_slotted(&fast, p, slot, DOWN, 0);
    missed += misses, drawn += a[0] > 0 || memcmp(a, a + 1, sizeof a - sizeof *a) != 0;
    CHECK(memcmp(a, b, sizeof a) == 0);
  }
  CHECK(missed > 1000 && drawn > 1000);
}

// ---- shadows

static void a_roof_keeps_the_light_off(void) {
  double vert[] = {-1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
  int tri[] = {0, 1, 2, 0, 2, 3};
  plDrawing d = {.nvert = 4, .ntri = 2, .vert = vert, .tri = tri, .lower = {-1, -1, 0}, .upper = {1, 1, 1}};
  plLights lights;
  CHECK(pl_lights_create(&lights, 40, 1, v3(0, 0, 1)));
  pl_lights_draw(&lights, &d, NULL);
  plVec3 up = v3(0, 0, 1), sum = {0};
  int blocked = 0;
  for (int i = 0; i < lights.n; i++) {
    const plLight* l = &lights.light[i];
    sum = v3_madd(sum, l->direction.z, l->intensity);
    // From (0, 0, 0) the light is blocked where its ray passes the roof, one above.
    plVec3 at = v3_scale(1 / l->direction.z, l->direction);
    double edge = fmax(fabs(at.x), fabs(at.y));
    double reached = pl_light_reaches(l, v3(0, 0, 0), up);
    blocked += edge < 0.95;
    if (edge < 0.95) CHECK_NEAR(reached, 0, 0);
    if (edge > 1.05) CHECK_NEAR(reached, 1, 0);
    // On top of the roof, and far away, all light arrives.
    CHECK_NEAR(pl_light_reaches(l, v3(0.2, 0.1, 1), up), 1, 0);
    CHECK_NEAR(pl_light_reaches(l, v3(1000, 0, 0), up), 1, 0);
  }
  CHECK(blocked > 10);
  // A floor under the open sky is lit by about one.
  CHECK(sum.y > 0.9 && sum.y < 1.3);
  pl_lights_destroy(&lights);
}

// All lights at once give what each gives alone, on random faces near a roof and a wall.
static void lights_together_are_lights_alone(void) {
  double vert[] = {-1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1, 1, -1, 0, 1, 1, 0};
  int tri[] = {0, 1, 2, 0, 2, 3, 4, 5, 1, 5, 2, 1};
  plDrawing d = {.nvert = 6, .ntri = 4, .vert = vert, .tri = tri, .lower = {-1, -1, 0}, .upper = {1, 1, 1}};
  plLights lights;
  plRandom random = {9};
  float share[PL_LIGHTS_MOST];
  int partly = 0, differ = 0, all = 0;
  CHECK(pl_lights_create(&lights, 5, 9, v3_unit(v3(1, 1, 2))));
  CHECK(pl_lights_draw(&lights, &d, NULL));
  for (int round = 0; round < 4000; round++) {
    plVec3 x, sum = {0};
    x.z = pl_random(&random, 0, 1.5), x.y = pl_random(&random, -3, 3), x.x = pl_random(&random, -3, 3);
    plVec3 n = v3_unit(v3_random(&random, -1, 1));
    int first = round % 9 * 5, end = round % 2 ? lights.n : first + 5;
    plVec3 light = pl_lights_reach(&lights, first, end, x, n, share);
    for (int i = first; i < end; i++) {
      const plLight* l = &lights.light[i];
      double lit = pl_light_reaches(l, x, n), cosine = fmax(v3_dot(n, l->direction), 0);
      sum = v3_madd(sum, share[i - first], l->intensity);
      // a border between lit and dark may fall on another side of a rounded number
      differ += fabs(share[i - first] - cosine * lit) > 2e-3, all++;
      partly += lit > 0 && lit < 1;
    }
    CHECK_NEAR(v3_norm(v3_sub(light, sum)), 0, 2.5e-6);
  }
  CHECK(partly > 100 && differ < all / 2000);
  pl_lights_destroy(&lights);
}

// ---- camera

// In another order than v3_random.
static plVec3 random_vec(plRandom* random, double lower, double upper) {
  double x = pl_random(random, lower, upper), y = pl_random(random, lower, upper);
  return v3(x, y, pl_random(random, lower, upper));
}

static void the_camera_sees_everything_and_no_more(void) {
  plRandom random = {23};
  int filled = 0;
  for (int round = 0; round < 50; round++) {
    double point[60];
    plVec3 size = random_vec(&random, 0.01, 2);
    for (int i = 0; i < 20; i++) {
      plVec3 p = random_vec(&random, -1, 1);
      v3_store(point + 3 * i, v3(p.x * size.x, p.y * size.y, p.z * size.z));
    }
    plMargin m = {0.1, 0.2, 0.15, 0.1};
    double azimuth = pl_random(&random, -180, 180), elevation = pl_random(&random, -60, 60);
    plCamera c = pl_camera_fit(640, 400, azimuth, elevation, 1, m, point, 20);
    CHECK_ROUND(v3_dot(c.right, c.up), 0, 1);
    CHECK_ROUND(v3_dot(v3_cross(c.right, c.up), c.forward), -1, 1);
    double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
    plVec3 lower = v3_load(point), upper = lower;
    for (int i = 0; i < 20; i++) {
      plVec3 s = pl_camera_screen(&c, pl_camera_local(&c, v3_load(point + 3 * i)));
      lower = v3_min(lower, v3_load(point + 3 * i)), upper = v3_max(upper, v3_load(point + 3 * i));
      x0 = fmin(x0, s.x), x1 = fmax(x1, s.x), y0 = fmin(y0, s.y), y1 = fmax(y1, s.y);
      // The ray through that pixel meets the point again.
      plVec3 back = v3_madd(c.eye, 1 / s.z, pl_camera_ray(&c, s.x, s.y));
      CHECK_ROUND(v3_norm(v3_sub(back, v3_load(point + 3 * i))), 0, 1);
    }
    CHECK(x0 > 63 && x1 < 513 && y0 > 59 && y1 < 361);
    // The picture is full, or the camera as near as it may come to something long that points at it.
    bool full = x1 - x0 > 0.97 * 448 || y1 - y0 > 0.97 * 300;
    double distance = v3_dot(c.forward, v3_sub(v3_scale(0.5, v3_add(lower, upper)), c.eye)),
           radius = 0.5 * v3_norm(v3_sub(upper, lower));
    if (!full) CHECK_BELOW(fabs(distance - 1.3 * radius), 1e-9, radius);
    filled += full;
  }
  CHECK(filled > 45);
}

// ---- colours and text

static double luminance(plVec3 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

static void colours_grow_brighter_evenly(void) {
  // CIE lightness of the luminance: steps of one sign, none more than twice the mean.
  double first = 116 * cbrt(luminance(pl_colour_map(0, false))) - 16,
         last = 116 * cbrt(luminance(pl_colour_map(1, false))) - 16;
  double before = first, mean = (last - first) / 32;
  CHECK(last - first > 50);
  for (int i = 1; i <= 32; i++) {
    double now = 116 * cbrt(luminance(pl_colour_map(i / 32.0, false))) - 16;
    CHECK(now - before > 0.3 * mean && now - before < 2 * mean);
    before = now;
  }
  // Ends hold outside the range; NaN is grey.
  CHECK_NEAR(pl_colour_map(-3, false).x, pl_colour_map(0, false).x, 0);
  CHECK_NEAR(pl_colour_map(9, false).y, pl_colour_map(1, false).y, 0);
  plVec3 none = pl_colour_map(NAN, false), middle = pl_colour_map(0.5, true);
  CHECK(none.x == none.y && none.y == none.z);
  CHECK(luminance(middle) > 0.8 && pl_colour_map(0, true).z > 2 * pl_colour_map(0, true).x &&
        pl_colour_map(1, true).x > 2 * pl_colour_map(1, true).z);
  for (int i = 0; i <= 20; i++) CHECK_ROUND(linear_to_srgb(srgb_to_linear(i / 20.0)), i / 20.0, 1);
}

static void units_have_the_right_prefix(void) {
  char unit[16];
  CHECK_ROUND(pl_legend_unit(PL_COLOUR_VON_MISES, 12345, unit), 1e-3, 0.001);
  CHECK_STR(unit, "kPa");
  CHECK_NEAR(pl_legend_unit(PL_COLOUR_VON_MISES, 999, unit), 1, 0);
  CHECK_STR(unit, "Pa");
  CHECK_ROUND(pl_legend_unit(PL_COLOUR_PRESSURE, 3e6, unit), 1e-6, 1e-6);
  CHECK_STR(unit, "MPa");
  CHECK_NEAR(pl_legend_unit(PL_COLOUR_DISPLACEMENT, 0.02, unit), 1e3, 1.4e-11);
  CHECK_STR(unit, "mm");
  CHECK_NEAR(pl_legend_unit(PL_COLOUR_DISPLACEMENT, 5000, unit), 1, 0);
  CHECK_STR(unit, "m");
  CHECK_NEAR(pl_legend_unit(PL_COLOUR_DISPLACEMENT, 2e-6, unit), 1e6, 1.4e-8);
  CHECK_STR(unit, "\xc2\xb5m");
  CHECK_NEAR(pl_legend_unit(PL_COLOUR_STRAIN, 0.05, unit), 100, 0);
  CHECK_STR(unit, "%");
  pl_legend_unit(PL_COLOUR_SPEED, 0, unit);
  CHECK_STR(unit, "m/s");
}

static void text_has_ink_where_it_should(void) {
  enum { W = 60, H = 30 };
  static float rgb[3 * W * H];
  plImage image = {W, H, rgb};
  for (int c = 33; c < 127; c++) {
    char text[2] = {(char)c, 0};
    for (int i = 0; i < 3 * W * H; i++) rgb[i] = 1;
    double width = pl_image_text(&image, 20, 20, 12, text, v3(0, 0, 0));
    CHECK_NEAR(width, pl_text_width(12, text), 2e-13);
    double ink = 0, outside = 0;
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        double dark = 1 - rgb[3 * (y * W + x)];
        ink += dark;
        if (x < 17 || x > 23 + width || y < 4 || y > 26) outside += dark;
      }
    CHECK(ink > 1 && ink < 90);
    CHECK(outside < 0.5);
  }
  // Beyond the image nothing happens.
  pl_image_text(&image, -500, 20, 12, "left", v3(0, 0, 0));
  pl_image_text(&image, 20, 1e5, 12, "below \xc2\xb5 \xe2\x82\xac", v3(0, 0, 0));
}

// ---- whole pictures

static plPictureOptions small(void) {
  plPictureOptions o = pl_default_picture_options();
  o.width = 160, o.height = 100, o.samples = 1;
  return o;
}

static const unsigned char* pixel(const Picture* p, int x, int y) { return p->rgb + 3 * (y * p->width + x); }

static const plModel* block_on_ground(plData** data) {
  plError error;
  plSpec* spec = block_spec(0.05, pl_default_options());
  sample_shape(spec, "ground", PL_SHAPE_HALF_SPACE, 0);
  const plModel* model = pl_model_create(spec, &error);
  *data = pl_data_create(model, &error);
  pl_spec_destroy(spec);
  return model;
}

static void a_block_stands_in_the_middle_with_its_shadow(void) {
  plError error;
  plData* data;
  const plModel* model = block_on_ground(&data);
  plPictureOptions o = small();
  o.edges = false;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("block.png"), &error), PL_OK);
  Picture p = load_png(sample_path("block.png"));
  CHECK_INT(p.width, 160);
  // The body is red in the middle, the sky bluish grey at the top.
  const unsigned char *middle = pixel(&p, 80, 50), *sky = pixel(&p, 80, 2);
  CHECK(middle[0] > middle[1] + 40 && middle[0] > middle[2] + 40);
  CHECK(sky[2] >= sky[0] && sky[0] > 200);
  // Somewhere on the ground (bluish, as the body is not) the shadow is clearly darker than the ground in
  // front.
  int darkest = 255;
  for (int y = 50; y < 100; y++)
    for (int x = 0; x < 160; x++) {
      const unsigned char* c = pixel(&p, x, y);
      if (c[2] >= c[0] && c[0] < darkest) darkest = c[0];
    }
  CHECK(darkest < pixel(&p, 150, 95)[0] - 40);
  free(p.rgb);
  pl_data_destroy(data), pl_model_destroy(model);
}

static void the_picture_does_not_depend_on_threads(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 5; i++) pl_step(data, &error);
  plContact* own;
  int nown;
  lend_contacts(data, &own, &nown);
  Picture p[3];
  for (int i = 0; i < 3; i++) {
    plPictureOptions o = small();
    o.threads = 1 + 2 * i, o.samples = 2, o.colour = PL_COLOUR_VON_MISES, o.contacts = true, o.clock = true;
    CHECK_INT(pl_picture_draw(data, &o, sample_path("threads.png"), &error), PL_OK);
    p[i] = load_png(sample_path("threads.png"));
    unsigned char rgb[160 * 100 * 3];
    CHECK_INT(pl_picture_pixels(data, &o, rgb, &error), PL_OK);
    CHECK(!memcmp(p[i].rgb, rgb, sizeof rgb));
  }
  CHECK(!memcmp(p[0].rgb, p[1].rgb, 160 * 100 * 3));
  CHECK(!memcmp(p[0].rgb, p[2].rgb, 160 * 100 * 3));
  for (int i = 0; i < 3; i++) free(p[i].rgb);
  return_contacts(data, own, nown);
  pl_data_destroy(data), pl_model_destroy(model);
}

static void every_colour_and_view_draws(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 5; i++) pl_step(data, &error);
  for (int c = 0; c < PL_COLOUR_COUNT; c++) {
    plPictureOptions o = small();
    o.width = 64, o.height = 48, o.colour = (plColour)c, o.azimuth = 70 * c, o.elevation = 30 * c - 75,
    o.zoom = c == 2 ? 20 : 1;
    CHECK_INT(pl_picture_draw(data, &o, sample_path("colour.png"), &error), PL_OK);
    plColour back;
    CHECK_INT(pl_colour_by_name(pl_colour_name((plColour)c), &back, &error), PL_OK);
    CHECK_INT(back, c);
  }
  plColour back;
  CHECK_INT(pl_colour_by_name("von_mise", &back, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "did you mean 'von_mises'");
  pl_data_destroy(data), pl_model_destroy(model);
}

// Pixels between two points on a line of sight's cross section: twice as many with zoom 2 where perspective
// is weak.
static void zoom_comes_nearer(void) {
  const double point[] = {-1, 0, 0, 1, 0, 0};
  double width[2];
  for (int k = 0; k < 2; k++) {
    plCamera c = pl_camera_fit(640, 640, -90, 0, k + 1, (plMargin){0, 0, 0, 0}, point, 2);
    width[k] = pl_camera_screen(&c, pl_camera_local(&c, v3(1, 0, 0))).x -
               pl_camera_screen(&c, pl_camera_local(&c, v3(-1, 0, 0))).x;
  }
  CHECK_NEAR(fabs(width[0]), 640, 9e-12);
  CHECK_NEAR(fabs(width[1]), 1280, 1.8e-11);
}

static void include_holds_all_frames(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  plData* data = pl_data_create(model, &error);
  plPictureOptions o = small();
  o.colour = PL_COLOUR_DISPLACEMENT;
  CHECK_INT(pl_picture_include(data, &o, &error), PL_OK);
  CHECK_NEAR(o.range[0], 0, 0);
  CHECK_NEAR(o.range[1], 0, 0);
  double top = o.upper.z, bottom = o.lower.z;
  for (int i = 0; i < 10; i++) pl_step(data, &error);
  CHECK_INT(pl_picture_include(data, &o, &error), PL_OK);
  CHECK_ROUND(o.range[1], 9.81 * 0.01 * 0.01 * 55, 0.06);
  CHECK(o.upper.z >= top && o.lower.z <= bottom);
  pl_data_destroy(data), pl_model_destroy(model);
}

static void odd_numbers_do_no_harm(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  plData* data = pl_data_create(model, &error);
  plPictureOptions o = small();
  o.colour = PL_COLOUR_SPEED;
  for (int i = 0; i < model->nq; i += 7) data->q[i] = i % 2 ? NAN : 1e300;
  for (int i = 0; i < model->nv; i += 5) data->v[i] = INFINITY;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("odd.png"), &error), PL_OK);
  // All vertices at one position.
  for (int i = 0; i < model->nq; i++) data->q[i] = 0;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("odd.png"), &error), PL_OK);
  for (int i = 0; i < model->nq; i++) data->q[i] = NAN;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("odd.png"), &error), PL_OK);
  pl_data_destroy(data), pl_model_destroy(model);
}

// Any value anywhere in the state, in every colour: a picture, and no pixel from a number that is none.
static void random_odd_numbers_do_no_harm(void) {
  static const double odd[] = {0, -0.0, 1e-320, 1e-300, 1e-30, 1e10, 1e38, 1e39, 1e154, 1e308, INFINITY, NAN};
  enum { ODD = sizeof odd / sizeof *odd };
  plError error;
  plRandom random = {71};
  const plModel* model = sample_model(1e6);
  plData* data = pl_data_create(model, &error);
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    plPictureOptions o = small();
    o.width = 64, o.height = 48, o.colour = (plColour)(k % PL_COLOUR_COUNT), o.contacts = k % 2;
    pl_data_reset(data);
    double share = pow(10, pl_random(&random, -2.5, 0));
    for (int part = 0; part < 2; part++)
      for (int i = 0; i < (part ? model->nv : model->nq); i++) {
        double draw = pl_random(&random, 0, 1), which = pl_random(&random, 0, ODD - 1e-9),
               sign = pl_random(&random, -1, 1);
        if (draw < share) (part ? data->v : data->q)[i] = copysign(odd[(int)which], sign);
      }
    CHECK_INT(pl_picture_draw(data, &o, sample_path("odd.png"), &error), PL_OK);
    Picture p = load_png(sample_path("odd.png"));
    CHECK(p.width == 64 && p.height == 48);
    free(p.rgb);
  }
  pl_data_destroy(data), pl_model_destroy(model);
}

static void wrong_options_are_refused(void) {
  plError error;
  plData* data;
  const plModel* model = block_on_ground(&data);
  plPictureOptions o = small();
  o.width = 0;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("no.png"), &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "16 to 16384");
  o = small(), o.elevation = 90;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("no.png"), &error), PL_ERROR_INPUT);
  o = small(), o.zoom = NAN;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("no.png"), &error), PL_ERROR_INPUT);
  o = small(), o.samples = 9;
  CHECK_INT(pl_picture_draw(data, &o, sample_path("no.png"), &error), PL_ERROR_INPUT);
  o = small();
  CHECK_INT(pl_picture_draw(data, &o, "/nowhere/no.png", &error), PL_ERROR_IO);
  pl_data_destroy(data), pl_model_destroy(model);
}

static void running_out_of_memory_is_a_status(void) {
  plError error;
  plData* data;
  const plModel* model = block_on_ground(&data);
  plPictureOptions o = small();
  o.width = 32, o.height = 24, o.colour = PL_COLOUR_VON_MISES;
  plStatus status = PL_ERROR_MEMORY;
  int n = 0;
  for (; status && n < 400; n++) {
    pl_alloc_fail_after(n);
    status = pl_picture_draw(data, &o, sample_path("memory.png"), &error);
    pl_alloc_fail_after(-1);
    if (status) CHECK_INT(status, PL_ERROR_MEMORY);
  }
  CHECK(n > 20 && n < 400);
  pl_data_destroy(data), pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_png_reads_back);
  RUN(the_rasteriser_agrees_with_brute_force);
  RUN(odd_triangles_draw_nothing);
  RUN(a_roof_keeps_the_light_off);
  RUN(the_camera_sees_everything_and_no_more);
  RUN(colours_grow_brighter_evenly);
  RUN(units_have_the_right_prefix);
  RUN(text_has_ink_where_it_should);
  RUN(a_block_stands_in_the_middle_with_its_shadow);
  RUN(the_picture_does_not_depend_on_threads);
  RUN(every_colour_and_view_draws);
  RUN(zoom_comes_nearer);
  RUN(include_holds_all_frames);
  RUN(slots_draw_the_same);
  RUN(lights_together_are_lights_alone);
  RUN(odd_numbers_do_no_harm);
  RUN(random_odd_numbers_do_no_harm);
  RUN(wrong_options_are_refused);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_END;
}
