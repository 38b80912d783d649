// test_scenes.c: the scenes of docs/sensors.md show what the page says.
#include "math/vec3.h"
#include "pliant/pliant.h"
#include "world.h"

static World load(const char* name) {
  World w = {0};
  char path[500];
  snprintf(path, sizeof path, "%s/scenes/%s.yaml", PLIANT_SOURCEDIR, name);
  CHECK_INT(pl_spec_load(path, NULL, &w.spec, &w.error), PL_OK);
  if (!w.spec) printf("%s\n", w.error.message);
  if (w.spec) build(&w);
  return w;
}

// The markers turn with the sphere, the pad pushes back, and the rim of the contact slips before its middle.
static void gel_twists(void) {
  World w = load("gel_touch");
  if (!w.data) return;
  static double dots[19 * 19 * 6], skin[24 * 24 * 6];
  double wrist[6], curl = 0, rim = 0, middle = 0, normal = 0;
  int nrim = 0, nmiddle = 0;
  run(&w, 36);  // pressed at 0.3 s, then turned a little
  CHECK_INT(pl_sensor_read(w.data, pl_sensor_find(w.model, "skin"), skin), PL_OK);
  for (int k = 0; k < 24 * 24; k++) {
    double x = (k % 24 + 0.5) / 24 - 0.5, y = ((double)(k / 24) + 0.5) / 24 - 0.5, r = 24 * hypot(x, y);
    normal += skin[6 * k];
    if (skin[6 * k + 5] == 0) continue;
    if (r < 2.5) middle += skin[6 * k + 3], nmiddle++;
    if (r > 5) rim += skin[6 * k + 3], nrim++;
  }
  plSide gel = {PL_SIDE_ANY, 0}, any = {PL_SIDE_ANY, 0};
  CHECK(pl_model_find_side(w.model, "gel", &gel));
  plContactPair pair;
  pl_contact_pair(w.data, any, gel, &pair);
  CHECK_ROUND(normal, -pair.force.z, normal);
  CHECK(nrim > 0 && nmiddle > 0);
  printf("slip %.3g mm/s at the rim, %.3g in the middle; %.3g N\n", 1e3 * rim / nrim, 1e3 * middle / nmiddle,
         normal);
  CHECK(rim / nrim > 3 * middle / nmiddle);
  run(&w, 44);
  CHECK_INT(pl_sensor_read(w.data, pl_sensor_find(w.model, "dots"), dots), PL_OK);
  CHECK_INT(pl_sensor_read(w.data, pl_sensor_find(w.model, "wrist"), wrist), PL_OK);
  for (int k = 0; k < 19 * 19; k++) {
    double x = (k % 19 + 0.5) / 19 - 0.5, y = ((double)(k / 19) + 0.5) / 19 - 0.5;
    if (hypot(x, y) < 0.25) curl += x * dots[6 * k + 1] - y * dots[6 * k];
  }
  CHECK(curl > 0);
  CHECK(wrist[5] > 1e-3);  // the motor turns the tip against the pad
  end(&w);
}

// Every bubble is dented: its camera sees the membrane come nearer, its taxels carry what the thing pushes
// with.
static void bubbles_touch(void) {
  static const char* const thing[] = {"edge", "ball", "corner"};
  World w = load("bubble_touch");
  if (!w.data) return;
  static float before[3][96 * 96];
  static double skin[18 * 18 * 6], dots[15 * 15 * 6];
  char name[24];
  run(&w, 12);
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "inside%d", k + 1);
    memcpy(before[k], pl_sensor_values(w.data, pl_sensor_find(w.model, name)), sizeof before[k]);
  }
  run(&w, 48);
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "inside%d", k + 1);
    const float* depth = pl_sensor_values(w.data, pl_sensor_find(w.model, name));
    double nearer = (double)before[k][48 * 96 + 48] - (double)depth[48 * 96 + 48];
    snprintf(name, sizeof name, "skin%d", k + 1);
    CHECK_INT(pl_sensor_read(w.data, pl_sensor_find(w.model, name), skin), PL_OK);
    snprintf(name, sizeof name, "dots%d", k + 1);
    CHECK_INT(pl_sensor_read(w.data, pl_sensor_find(w.model, name), dots), PL_OK);
    double normal = 0, lowest = 0;
    for (int i = 0; i < 18 * 18; i++) normal += skin[6 * i];
    for (int i = 0; i < 15 * 15; i++) lowest = fmin(lowest, dots[6 * i + 2]);
    printf("%s: dented by %.1f mm seen from inside, markers by %.1f mm, %.2f N\n", thing[k], 1e3 * nearer,
           -1e3 * lowest, normal);
    CHECK(nearer > 5e-3);
    CHECK_BELOW(nearer, 2e-2, 1);
    CHECK(lowest < -5e-3 && normal > 0.3);
    plSide a = {PL_SIDE_ANY, 0}, b = a;
    plContactPair pair;
    snprintf(name, sizeof name, "bubble%d", k + 1);
    CHECK(pl_model_find_side(w.model, thing[k], &a) && pl_model_find_side(w.model, name, &b));
    pl_contact_pair(w.data, a, b, &pair);
    // the edge reaches beyond its grid
    if (k) CHECK_ROUND(normal, -pair.force.z, normal);
  }
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(gel_twists);
  RUN(bubbles_touch);
  return CHECK_END;
}
