// colour_map.c: two colour maps, drawn in OKLab so that equal steps look equal: lightness rises evenly in the
// sequential one.
#include "output/colour_map.h"

#include <math.h>

#include "math/vec3.h"

// Lightness, chroma, hue (degrees) of OKLab.
typedef struct Lch {
  double l, c, h;
} Lch;

static const Lch sequential[] = {
    {0.34, 0.150, 278}, {0.49, 0.150, 258}, {0.645, 0.115, 208}, {0.795, 0.155, 152}, {0.95, 0.175, 106}};
static const Lch cold[] = {{0.42, 0.15, 258}, {0.68, 0.115, 245}, {0.96, 0.01, 245}};
static const Lch warm[] = {{0.96, 0.01, 40}, {0.70, 0.13, 40}, {0.46, 0.175, 25}};

// OKLab to linear sRGB (Ottosson 2020).
static plVec3 linear(Lch k) {
  double h = k.h * 3.14159265358979323846 / 180, a = k.c * cos(h), b = k.c * sin(h);
  double l = k.l + 0.3963377774 * a + 0.2158037573 * b, m = k.l - 0.1055613458 * a - 0.0638541728 * b;
  double s = k.l - 0.0894841775 * a - 1.2914855480 * b;
  l = l * l * l, m = m * m * m, s = s * s * s;
  plVec3 rgb = {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
  return v3_min(v3_max(rgb, v3(0, 0, 0)), v3(1, 1, 1));
}

static plVec3 along(const Lch* key, int n, double x) {
  double at = fmin(fmax(x, 0), 1) * (n - 1);
  int i = at < n - 1 ? (int)at : n - 2;
  double f = at - i;
  Lch k = {key[i].l + f * (key[i + 1].l - key[i].l), key[i].c + f * (key[i + 1].c - key[i].c),
           key[i].h + f * (key[i + 1].h - key[i].h)};
  return linear(k);
}

plVec3 pl_colour_map(double x, bool diverging) {
  if (isnan(x)) return v3(0.4, 0.4, 0.4);
  if (!diverging) return along(sequential, sizeof sequential / sizeof *sequential, x);
  return x < 0.5 ? along(cold, 3, 2 * x) : along(warm, 3, 2 * x - 1);
}
