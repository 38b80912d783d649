// legend.c: a colour scale with round numbers and their unit; the clock; the grid's width.
#include "output/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/colour_map.h"

static const plVec3 INK = {0.030, 0.045, 0.070}, FAINT = {0.16, 0.20, 0.26};

double pl_legend_unit(plColour colour, double largest, char unit[16]) {
  static const char* const prefix[] = {"n", "\xc2\xb5", "m", "", "k", "M", "G"};
  static const char* const base[PL_COLOUR_COUNT] = {"", "m", "m/s", "", "Pa", "Pa"};
  if (!*base[colour]) {
    // A dimensionless number: per cent if small.
    bool percent = largest < 1;
    strcpy(unit, percent ? "%" : "");
    return percent ? 100 : 1;
  }
  int power = largest > 0 && isfinite(largest) ? (int)floor(log10(largest * 1.0000001) / 3) : 0;
  power = power < -3 ? -3 : power > 3 ? 3 : power;
  if (colour != PL_COLOUR_VON_MISES && colour != PL_COLOUR_PRESSURE && power > 0) power = 0;
  snprintf(unit, 16, "%s%s", prefix[power + 3], base[colour]);
  return pow(1000, -power);
}

static const char* title(plColour colour) {
  static const char* const names[PL_COLOUR_COUNT] = {
      "", "displacement", "speed", "largest strain", "von Mises stress", "pressure"};
  return names[colour];
}

// A step of 1, 2 or 5 times a power of ten that gives four to eight steps.
static double tick_step(double span) {
  double power = pow(10, floor(log10(span / 4))), f = span / 4 / power;
  return power * (f >= 5 ? 5 : f >= 2 ? 2 : 1);
}

static void draw_bar(plImage* image, const plPictureOptions* o) {
  double s = image->height / 800.0, width = 20 * s, height = 330 * s, left = image->width - 150 * s,
         top = image->height / 2.0 - height / 2 + 22 * s;
  double lower = o->range[0], upper = o->range[1];
  if (!(upper > lower)) upper = lower + 1e-12;
  bool diverging = o->colour == PL_COLOUR_PRESSURE && lower < 0 && upper > 0;
  char unit[16], text[96];
  double factor = pl_legend_unit(o->colour, fmax(fabs(lower), fabs(upper)), unit);
  // The bar, a row of pixels at a time, with round ends.
  for (int y = (int)top; y < (int)(top + height); y++) {
    double x = 1 - (y - top) / height;
    pl_image_line(image, left + 1, y + 0.5, left + width - 1, y + 0.5, 1.6, pl_colour_map(x, diverging), 1);
  }
  // Numbers.
  lower *= factor, upper *= factor;
  double step = tick_step(upper - lower), size = 12.5 * s;
  for (double tick = ceil(lower / step - 1e-9) * step; tick <= upper + 1e-9 * step; tick += step) {
    double y = top + height * (1 - (tick - lower) / (upper - lower));
    double shown = fabs(tick) < 1e-9 * step ? 0 : tick;
    pl_image_line(image, left + width + 3 * s, y, left + width + 9 * s, y, 1.3 * s, INK, 0.8);
    snprintf(text, sizeof text, "%.6g", shown);
    pl_image_text(image, left + width + 15 * s, y + 0.5 * size, size, text, INK);
  }
  // Its title, above, ending at the picture's margin.
  snprintf(text, sizeof text, "%s%s%s%s", title(o->colour), *unit ? " [" : "", unit, *unit ? "]" : "");
  double wide = pl_text_width(size, text), x = fmin(left, image->width - wide - 26 * s);
  pl_image_text(image, x, top - 24 * s, size, text, INK);
}

void pl_legend_draw(plImage* image, const plPictureOptions* o, double time, double grid) {
  double s = image->height / 800.0;
  char text[64];
  if (o->legend && o->colour != PL_COLOUR_BODY) draw_bar(image, o);
  if (o->clock) {
    snprintf(text, sizeof text, "t = %.3f s", time);
    pl_image_text(image, 30 * s, 44 * s, 14 * s, text, INK);
  }
  if (grid > 0) {
    char unit[16];
    double factor = pl_legend_unit(PL_COLOUR_DISPLACEMENT, grid, unit);
    snprintf(text, sizeof text, "grid %.3g %s", grid * factor, unit);
    pl_image_text(image, 30 * s, image->height - 28 * s, 10.5 * s, text, FAINT);
  }
}
