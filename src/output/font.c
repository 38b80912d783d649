// font.c: a stroke font. A glyph is its advance, then strokes: "L x y x y ..." a polyline, "A cx cy rx ry
// from to" an arc in degrees, counter-clockwise. Units: capitals are 10 high, small letters 7, stems go down
// to -3.
#include "output/font.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const glyphs[96] = {
    /* space */ "4",
    /* ! */ "3 L 1.5 10 1.5 3.4 L 1.5 0.2 1.5 0",
    /* " */ "5 L 1.5 10 1.5 7 L 3.5 10 3.5 7",
    /* # */ "8 L 3 10 2 0 L 6 10 5 0 L 1 6.7 7.2 6.7 L 0.8 3.3 7 3.3",
    /* $ */ "7 A 3.5 7.2 2.5 2.3 30 270 A 3.5 2.5 2.5 2.4 -150 90 L 3.5 11 3.5 -1",
    /* % */ "10 L 8 10 2 0 A 2.5 7.8 1.7 2.2 0 360 A 7.5 2.2 1.7 2.2 0 360",
    /* & */
    "8.5 L 8 0 2.2 6.4 A 3.6 8 1.8 2 -140 140 L 2.2 6.6 1.5 4.5 A 3.4 2.6 2.4 2.6 130 320 L 5.3 1 7.3 4.6",
    /* ' */ "3 L 1.5 10 1.5 7",
    /* ( */ "4 A 5.2 4 4 7.4 125 235",
    /* ) */ "4 A -1.2 4 4 7.4 -55 55",
    /* * */ "6 L 3 9.5 3 5 L 1 8.4 5 6.1 L 1 6.1 5 8.4",
    /* + */ "8 L 4 7.5 4 1.5 L 1 4.5 7 4.5",
    /* , */ "3 L 1.7 0.6 1 -2",
    /* - */ "5 L 1 4.3 4.2 4.3",
    /* . */ "3 L 1.5 0.2 1.5 0",
    /* / */ "5 L 0.6 -1 4.4 10.5",
    /* 0 */ "7.4 A 3.7 5 2.7 5 0 360",
    /* 1 */ "7.4 L 1.7 8 4.2 10 4.2 0",
    /* 2 */ "7.4 A 3.7 7.2 2.6 2.8 -25 175 L 6.05 6 1.1 0 6.5 0",
    /* 3 */ "7.4 L 1.2 10 6 10 3.4 6.2 A 3.4 3.1 2.8 3.1 -140 90",
    /* 4 */ "7.4 L 5.2 0 5.2 10 0.8 3 7 3",
    /* 5 */ "7.4 L 6 10 2 10 1.5 5.4 A 3.5 3.2 2.8 3.2 -140 130",
    /* 6 */ "7.4 A 3.7 3.2 2.6 3.2 0 360 L 1.2 4.2 4.7 10",
    /* 7 */ "7.4 L 1 10 6.4 10 2.8 0",
    /* 8 */ "7.4 A 3.7 7.6 2.2 2.4 0 360 A 3.7 2.6 2.7 2.6 0 360",
    /* 9 */ "7.4 A 3.7 6.8 2.6 3.2 0 360 L 6.2 5.8 2.7 0",
    /* : */ "3 L 1.5 0.2 1.5 0 L 1.5 5.2 1.5 5",
    /* ; */ "3 L 1.7 0.6 1 -2 L 1.5 5.2 1.5 5",
    /* < */ "8 L 7 7.5 1.5 4.5 7 1.5",
    /* = */ "8 L 1 6 7 6 L 1 3 7 3",
    /* > */ "8 L 1 7.5 6.5 4.5 1 1.5",
    /* ? */ "6.5 A 3.2 7.4 2.3 2.6 -60 170 L 4.3 5.1 3.2 4.2 3.2 3 L 3.2 0.2 3.2 0",
    /* @ */ "11 A 5.5 4 4.7 5 -60 300 A 5.5 4 2 2.4 0 360 L 7.5 6.4 7.5 2.4",
    /* A */ "8 L 0.6 0 4 10 7.4 0 L 1.8 3.4 6.2 3.4",
    /* B */
    ("7.8 L 1.2 0 1.2 10 4 10 A 4 7.6 2.3 2.4 -90 90 L 4 5.2 1.2 5.2 L 4 5.2 4.4 5.2 A 4.4 2.6 2.6 2.6 -90 "
     "90 "
     "L 4.4 0 1.2 0"),
    /* C */ "8.4 A 4.9 5 4 5 45 315",
    /* D */ "8.6 L 1.2 0 1.2 10 3.4 10 A 3.4 5 4.3 5 -90 90 L 3.4 0 1.2 0",
    /* E */ "7 L 6.2 10 1.2 10 1.2 0 6.2 0 L 1.2 5.2 5.5 5.2",
    /* F */ "6.8 L 6.2 10 1.2 10 1.2 0 L 1.2 5.2 5.4 5.2",
    /* G */ "8.8 A 4.9 5 4 5 45 360 L 8.9 5 5.4 5",
    /* H */ "8.4 L 1.2 0 1.2 10 L 7.2 0 7.2 10 L 1.2 5.2 7.2 5.2",
    /* I */ "3.2 L 1.6 0 1.6 10",
    /* J */ "6 L 4.7 10 4.7 2.4 A 2.6 2.4 2.1 2.4 -180 0",
    /* K */ "7.6 L 1.2 0 1.2 10 L 6.8 10 1.2 4 L 3.2 6.1 7.2 0",
    /* L */ "6.4 L 1.2 10 1.2 0 6 0",
    /* M */ "9.6 L 1.2 0 1.2 10 4.8 3.4 8.4 10 8.4 0",
    /* N */ "8.4 L 1.2 0 1.2 10 7.2 0 7.2 10",
    /* O */ "9 A 4.5 5 3.7 5 0 360",
    /* P */ "7.4 L 1.2 0 1.2 10 4 10 A 4 7.3 2.6 2.7 -90 90 L 4 4.6 1.2 4.6",
    /* Q */ "9 A 4.5 5 3.7 5 0 360 L 5.4 2.4 8.2 -1",
    /* R */ "7.8 L 1.2 0 1.2 10 4 10 A 4 7.4 2.5 2.6 -90 90 L 4 4.8 1.2 4.8 L 4.2 4.8 7 0",
    /* S */ "7.4 A 3.7 7.5 2.5 2.5 25 270 A 3.7 2.5 2.8 2.5 -155 90",
    /* T */ "7.4 L 0.6 10 6.8 10 L 3.7 10 3.7 0",
    /* U */ "8.2 L 1.2 10 1.2 3 A 4.1 3 2.9 3 -180 0 L 7 3 7 10",
    /* V */ "7.8 L 0.6 10 3.9 0 7.2 10",
    /* W */ "11 L 0.6 10 3 0 5.5 8.4 8 0 10.4 10",
    /* X */ "7.6 L 0.8 10 6.8 0 L 6.8 10 0.8 0",
    /* Y */ "7.6 L 0.6 10 3.8 4.8 7 10 L 3.8 4.8 3.8 0",
    /* Z */ "7.4 L 0.9 10 6.5 10 0.9 0 6.7 0",
    /* [ */ "4 L 3.4 11 1.4 11 1.4 -2 3.4 -2",
    /* \ */ "5 L 0.6 10.5 4.4 -1",
    /* ] */ "4 L 0.6 11 2.6 11 2.6 -2 0.6 -2",
    /* ^ */ "6 L 1.2 6.6 3 10 4.8 6.6",
    /* _ */ "7 L 0.4 -1.4 6.6 -1.4",
    /* ` */ "4 L 1 10.5 2.6 8.6",
    /* a */ "7.2 A 3.5 3.5 2.6 3.5 0 360 L 6.1 7 6.1 0",
    /* b */ "7.2 L 1.1 10.5 1.1 0 A 3.7 3.5 2.6 3.5 0 360",
    /* c */ "6.4 A 3.7 3.5 2.7 3.5 48 312",
    /* d */ "7.2 L 6.1 10.5 6.1 0 A 3.5 3.5 2.6 3.5 0 360",
    /* e */ "7 L 0.9 3.7 6.1 3.7 A 3.5 3.5 2.6 3.5 0 315",
    /* f */ "4.4 L 2 0 2 8.4 A 3.9 8.4 1.9 2.1 80 180 L 0.5 6.8 4 6.8",
    /* g */ "7.2 A 3.5 3.5 2.6 3.5 0 360 L 6.1 7 6.1 -0.6 A 3.5 -0.6 2.6 2.6 -150 0",
    /* h */ "7 L 1.1 10.5 1.1 0 A 3.5 4.3 2.4 2.7 0 180 L 5.9 4.3 5.9 0",
    /* i */ "2.8 L 1.4 7 1.4 0 L 1.4 9.8 1.4 9.7",
    /* j */ "2.8 L 1.4 7 1.4 -1 A -0.4 -1 1.8 2 -80 0 L 1.4 9.8 1.4 9.7",
    /* k */ "6.4 L 1.1 10.5 1.1 0 L 5.6 7 1.1 2.6 L 2.8 4.2 6 0",
    /* l */ "2.8 L 1.4 10.5 1.4 0",
    /* m */
    "10.4 L 1.1 7 1.1 0 A 3.2 4.5 2.1 2.5 0 180 L 5.3 4.5 5.3 0 A 7.4 4.5 2.1 2.5 0 180 L 9.5 4.5 9.5 0",
    /* n */ "7 L 1.1 7 1.1 0 A 3.5 4.3 2.4 2.7 0 180 L 5.9 4.3 5.9 0",
    /* o */ "7.2 A 3.6 3.5 2.7 3.5 0 360",
    /* p */ "7.2 L 1.1 7 1.1 -3.2 A 3.7 3.5 2.6 3.5 0 360",
    /* q */ "7.2 L 6.1 7 6.1 -3.2 A 3.5 3.5 2.6 3.5 0 360",
    /* r */ "4.6 L 1.1 7 1.1 0 A 3.7 4 2.6 3 75 180",
    /* s */ "6 A 3 5.2 1.9 1.8 25 270 A 3 1.7 2.2 1.7 -155 90",
    /* t */ "4.4 L 2 9.4 2 2 A 3.8 2 1.8 2 -180 -80 L 0.5 6.8 4 6.8",
    /* u */ "7 L 1.1 7 1.1 2.7 A 3.5 2.7 2.4 2.7 -180 0 L 5.9 7 5.9 0",
    /* v */ "6.2 L 0.5 7 3.1 0 5.7 7",
    /* w */ "9 L 0.5 7 2.5 0 4.5 6 6.5 0 8.5 7",
    /* x */ "6.2 L 0.7 7 5.5 0 L 5.5 7 0.7 0",
    /* y */ "6.2 L 0.5 7 3.2 0 L 5.7 7 2.6 -1.6 1.6 -3 0.6 -3",
    /* z */ "6 L 0.8 7 5.2 7 0.8 0 5.3 0",
    /* { */ "4 L 3.4 11 2.2 10 2.2 6 1 4.5 2.2 3 2.2 -1 3.4 -2",
    /* | */ "3 L 1.5 11 1.5 -2",
    /* } */ "4 L 0.6 11 1.8 10 1.8 6 3 4.5 1.8 3 1.8 -1 0.6 -2",
    /* ~ */ "8 A 2.6 4 1.6 1.4 0 170 A 5.6 4.2 1.5 1.5 -180 -10",
    /* micro */ "7 L 1.1 7 1.1 -3.2 L 1.1 7 1.1 2.7 A 3.5 2.7 2.4 2.7 -180 0 L 5.9 7 5.9 0"};

// ---- lines

static double distance(double px, double py, double x0, double y0, double x1, double y1) {
  double dx = x1 - x0, dy = y1 - y0, n = dx * dx + dy * dy;
  double t = n > 0 ? ((px - x0) * dx + (py - y0) * dy) / n : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return hypot(px - x0 - t * dx, py - y0 - t * dy);
}

static void blend(plImage* image, int x, int y, plVec3 colour, double alpha) {
  assert(x >= 0 && x < image->width && y >= 0 && y < image->height);
  float* p = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
  p[0] += (float)(alpha * (colour.x - p[0])), p[1] += (float)(alpha * (colour.y - p[1])),
      p[2] += (float)(alpha * (colour.z - p[2]));
}

void pl_image_line(plImage* image, double x0, double y0, double x1, double y1, double thickness,
                   plVec3 colour, double alpha) {
  double r = thickness / 2 + 1;
  int left = (int)fmax(floor(fmin(x0, x1) - r), 0), right = (int)fmin(ceil(fmax(x0, x1) + r), image->width);
  int top = (int)fmax(floor(fmin(y0, y1) - r), 0), bottom = (int)fmin(ceil(fmax(y0, y1) + r), image->height);
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++) {
      double cover = thickness / 2 + 0.5 - distance(x + 0.5, y + 0.5, x0, y0, x1, y1);
      if (cover > 0) blend(image, x, y, colour, alpha * fmin(cover, 1));
    }
}

// ---- glyphs

enum { SEGMENTS = 160 };
typedef struct Strokes {
  double segment[SEGMENTS][4];
  int n;
  double advance;
} Strokes;

static void add_segment(Strokes* s, double x0, double y0, double x1, double y1) {
  assert(s->n < SEGMENTS);
  double* to = s->segment[s->n++];
  to[0] = x0, to[1] = y0, to[2] = x1, to[3] = y1;
}

static void add_arc(Strokes* s, const double a[6]) {
  enum { PIECES = 20 };
  const double degree = 3.14159265358979323846 / 180;
  for (int i = 0; i < PIECES; i++) {
    double t0 = degree * (a[4] + (a[5] - a[4]) * i / PIECES),
           t1 = degree * (a[4] + (a[5] - a[4]) * (i + 1) / PIECES);
    add_segment(s, a[0] + a[2] * cos(t0), a[1] + a[3] * sin(t0), a[0] + a[2] * cos(t1),
                a[1] + a[3] * sin(t1));
  }
}

static void parse_glyph(const char* text, Strokes* s) {
  char* end;
  s->n = 0;
  s->advance = strtod(text, &end);
  char kind = 0;
  double a[6];
  int n = 0;
  for (text = end;;) {
    while (*text == ' ') text++;
    if (!*text) return;
    if (*text == 'L' || *text == 'A') {
      kind = *text++;
      n = 0;
      continue;
    }
    assert(n < 6);
    a[n++] = strtod(text, &end);
    text = end;
    if (kind == 'A' && n == 6) add_arc(s, a);
    if (kind == 'L' && n == 4) {
      add_segment(s, a[0], a[1], a[2], a[3]);
      a[0] = a[2], a[1] = a[3], n = 2;
    }
  }
}

// The next character as an index into glyphs; characters that the font lacks become a question mark.
static int next_glyph(const char** text) {
  unsigned char c = (unsigned char)*(*text)++;
  if (c == 0xc2 && (unsigned char)**text == 0xb5) return (*text)++, 95;
  if (c >= 0x80)
    while (((unsigned char)**text & 0xc0) == 0x80) (*text)++;
  return c >= 32 && c < 127 ? c - 32 : '?' - 32;
}

// All strokes of one glyph together, so that crossings are not darker.
static void draw_glyph(plImage* image, const Strokes* s, double x, double y, double scale, plVec3 colour) {
  double r = fmax(0.62 * scale, 0.55);
  int left = (int)fmax(floor(x - 2 * scale - r - 1), 0),
      right = (int)fmin(ceil(x + (s->advance + 2) * scale + r + 1), image->width);
  int top = (int)fmax(floor(y - 11.5 * scale - r - 1), 0),
      bottom = (int)fmin(ceil(y + 4 * scale + r + 1), image->height);
  for (int py = top; py < bottom; py++)
    for (int px = left; px < right; px++) {
      double nearest = INFINITY;
      for (int i = 0; i < s->n; i++) {
        const double* g = s->segment[i];
        nearest = fmin(nearest, distance(px + 0.5, py + 0.5, x + scale * g[0], y - scale * g[1],
                                         x + scale * g[2], y - scale * g[3]));
      }
      double cover = r + 0.5 - nearest;
      if (cover > 0) blend(image, px, py, colour, fmin(cover, 1));
    }
}

double pl_image_text(plImage* image, double x, double y, double size, const char* text, plVec3 colour) {
  double scale = size / 10, start = x;
  while (*text) {
    Strokes s;
    parse_glyph(glyphs[next_glyph(&text)], &s);
    if (image) draw_glyph(image, &s, x, y, scale, colour);
    x += scale * (s.advance + 0.75);
  }
  return x - start;
}

double pl_text_width(double size, const char* text) {
  return pl_image_text(NULL, 0, 0, size, text, (plVec3){0, 0, 0});
}
