// mesh_text.c: the findings of a mesh report as sentences, each with its count and what to do about it.
#include "geom/mesh_text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "geom/mesh.h"

static const double POOR_QUALITY = 0.02;  // an element below this spoils the conditioning of the whole mesh

plSentences pl_sentences(char* text, size_t size) {
  plSentences lines = {text, text ? size : 0, 0, 0};
  if (lines.size) text[0] = '\0';
  return lines;
}

void pl_say(plSentences* lines, const char* format, ...) {
  char sentence[256];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  size_t room = lines->size - lines->used;
  if (room > 1) {
    int wanted = snprintf(lines->text + lines->used, room, "%s%s", lines->count ? "\n" : "", sentence);
    lines->used += (size_t)wanted < room ? (size_t)wanted : room - 1;
  }
  lines->count++;
}

const char* pl_plural(int n, const char* one, const char* many) { return n == 1 ? one : many; }

static void say_faults(plSentences* lines, const plMeshReport* r) {
  if (r->not_finite)
    pl_say(lines, "%d %s a coordinate that is not a finite number; correct the file.", r->not_finite,
           pl_plural(r->not_finite, "vertex has", "vertices have"));
  if (r->inverted)
    pl_say(lines, "%d of %d tetrahedra %s inverted (negative volume); repair reorients %s.", r->inverted,
           r->ntet, pl_plural(r->inverted, "is", "are"), pl_plural(r->inverted, "it", "them"));
  if (r->flat)
    pl_say(lines, "%d %s flat (without volume or area); repair removes %s.", r->flat,
           pl_plural(r->flat, "element is", "elements are"), pl_plural(r->flat, "it", "them"));
  if (r->duplicate)
    pl_say(lines, "%d %s the vertices of another one; repair drops %s.", r->duplicate,
           pl_plural(r->duplicate, "element repeats", "elements repeat"),
           pl_plural(r->duplicate, "it", "them"));
  if (r->unused)
    pl_say(lines, "%d %s used by no element; repair drops %s.", r->unused,
           pl_plural(r->unused, "vertex is", "vertices are"), pl_plural(r->unused, "it", "them"));
  if (r->coincident)
    pl_say(lines, "%d %s at exactly the same position as another one; %s.", r->coincident,
           pl_plural(r->coincident, "vertex lies", "vertices lie"),
           r->ntet ? "elements that meet there are not joined: merge them in the program that made the mesh "
                     "if this is not intended"
                   : "repair merges them");
}

static void say_boundary(plSentences* lines, const plMeshReport* r) {
  if (r->boundary_open)
    pl_say(lines,
           "The surface has %d open %s (a hole), so that it encloses no volume; close it before meshing.",
           r->boundary_open, pl_plural(r->boundary_open, "edge", "edges"));
  if (r->nonmanifold)
    pl_say(lines,
           "%d boundary %s more than two facets (parts touch along a line or a wall is doubled); separate "
           "the parts there.",
           r->nonmanifold, pl_plural(r->nonmanifold, "edge has", "edges have"));
  if (r->misoriented && r->misoriented == 1 && r->volume < 0)
    pl_say(lines, "The surface is inside out (its triangles face inward); repair turns them.");
  else if (r->misoriented)
    pl_say(lines, "At %d %s the two triangles disagree about which side is outside; repair turns them.",
           r->misoriented, pl_plural(r->misoriented, "edge", "edges"));
}

int pl_mesh_report_text(const plMeshReport* r, char* text, size_t size) {
  assert(r != NULL);
  assert(text != NULL || size == 0);
  plSentences lines = pl_sentences(text, size);
  if (!r->ntet && !r->ntri) pl_say(&lines, "The mesh has no tetrahedron and no triangle.");
  say_faults(&lines, r);
  say_boundary(&lines, r);
  if (r->component > 1)
    pl_say(&lines, "The mesh falls into %d parts that are not connected; check that this is intended.",
           r->component);
  plVec3 extent = v3_sub(r->upper, r->lower);
  if (r->looks_like_mm)
    pl_say(&lines, "The mesh is %.4g m long: it looks like millimetres; scale it by 0.001 if it is.",
           fmax(extent.x, fmax(extent.y, extent.z)));
  if (r->ntet && !r->flat && r->quality_min < POOR_QUALITY)
    pl_say(&lines,
           "The worst tetrahedron has quality %.2g (1 is regular, 0 is flat); remesh if the solver needs "
           "many iterations.",
           r->quality_min);
  return lines.count;
}
