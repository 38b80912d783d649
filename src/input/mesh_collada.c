// mesh_collada.c: COLLADA 1.4 and 1.5 (.dae): the triangles of the scene, every geometry positioned by its
// nodes.
//
// Lengths are multiplied by the file's <unit>. Its <up_axis> is ignored: coordinates are used as written, as
// in RViz and Gazebo, for which such files are made. Triangles, polylist, polygons (without holes), strips
// and fans are read; each is a part with the diffuse colour of its material. Vertices at exactly the same
// position are merged, because the format repeats them where normals differ. Skins, splines, lines and points
// are left out.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/mesh_formats.h"
#include "input/xml.h"
#include "math/pose.h"

enum { MAX_DEPTH = 60, MAX_VISITS = 100000 };

// x -> A x + p
typedef struct Affine {
  plMat3 A;
  plVec3 p;
} Affine;

// The positions of one <source>, read once.
typedef struct Source Source;
struct Source {
  const plXml* at;
  double* x;  // [3 n]
  int n;
  Source* next;
};

typedef struct Collada {
  plXmlTree tree;
  plXml* root;
  plCursor* c;
  plMeshBuilder* b;
  Source* source;
  int visits;
} Collada;

// ---- finding

// The element of that name and id anywhere below a node.
static const plXml* find_id(const plXml* node, const char* name, const char* id, int depth) {
  for (const plXml* child = node->child; child && depth < PL_XML_MAX_DEPTH; child = child->next) {
    const char* own = strcmp(child->name, name) ? NULL : pl_xml_attr(child, "id");
    if (own && !strcmp(own, id)) return child;
    const plXml* inner = find_id(child, name, id, depth + 1);
    if (inner) return inner;
  }
  return NULL;
}

// The element to which an attribute "#id" refers, below a node.
static const plXml* follow(const plXml* below, const plXml* from, const char* attr, const char* name) {
  const char* url = pl_xml_attr(from, attr);
  return url && url[0] == '#' ? find_id(below, name, url + 1, 0) : NULL;
}

// The element to which an attribute refers, in the file's libraries.
static const plXml* follow_library(const Collada* d, const plXml* from, const char* attr, const char* library,
                                   const char* name) {
  for (const plXml* l = pl_xml_child(d->root, library); l; l = pl_xml_next(l)) {
    const plXml* found = follow(l, from, attr, name);
    if (found) return found;
  }
  return NULL;
}

// ---- numbers

// All numbers of an element's text.
static plStatus read_list(Collada* d, const plXml* node, double** x, int* n) {
  size_t most = strlen(node->text) / 2 + 1;
  *n = 0;
  *x = PL_ARENA_NEW(&d->tree.arena, double, most);
  if (!*x || most > 1 << 30) return pl_fail_out_of_memory(d->c->error, 8 * most);
  return pl_xml_numbers(node, node->text, "the list", *x, 0, (int)most, n, d->c->error);
}

static int int_attr(const plXml* node, const char* name, int fallback) {
  const char* text = pl_xml_attr(node, name);
  long value = text ? strtol(text, NULL, 10) : fallback;
  return value < 0 || value > 1000000000 ? -1 : (int)value;
}

// Positions of a <source>: its floats by the accessor's offset and stride.
static plStatus read_source(Collada* d, const plXml* at, const Source** found) {
  for (const Source* s = d->source; s; s = s->next)
    if (s->at == at) {
      *found = s;
      return PL_OK;
    }
  const plXml *list = pl_xml_child(at, "float_array"), *common = pl_xml_child(at, "technique_common"),
              *accessor = common ? pl_xml_child(common, "accessor") : NULL;
  if (!list) return pl_xml_fail(at, d->c->error, "the <source> of positions needs a <float_array>");
  double* x;
  int n, stride = accessor ? int_attr(accessor, "stride", 1) : 3,
         offset = accessor ? int_attr(accessor, "offset", 0) : 0;
  plStatus status = read_list(d, list, &x, &n);
  if (status) return status;
  int count = accessor ? int_attr(accessor, "count", 0) : n / 3;
  if (stride < 3 || offset < 0 || count < 0 || (count > 0 && offset + (double)stride * (count - 1) + 3 > n))
    return pl_xml_fail(
        at, d->c->error,
        "the accessor of positions needs %d triples with stride %d from number %d, but there are %d numbers",
        count, stride, offset, n);
  assert(count == 0 || offset + stride * (count - 1) + 3 <= n);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) x[3 * i + k] = x[offset + stride * i + k];
  Source* s = PL_ARENA_NEW(&d->tree.arena, Source, 1);
  if (!s) return pl_fail_out_of_memory(d->c->error, sizeof *s);
  *s = (Source){at, x, count, d->source};
  d->source = s;
  *found = s;
  return PL_OK;
}

// ---- polygons

// Corners of one kind of polygons: every stride-th number of <p>, from offset on, is a vertex.
typedef struct Polygons {
  Collada* d;
  const plXml* at;
  const Source* source;
  int base;  // of the source's vertices in the builder
  int offset, stride;
  bool flipped;
} Polygons;

static plStatus corner(const Polygons* g, const double* index, int i, int n, long long* id) {
  double v = (long long)i * g->stride + g->offset < n ? index[i * g->stride + g->offset] : -1;
  if (!(v >= 0 && v < g->source->n))
    return pl_xml_fail(g->at, g->d->c->error,
                       "a polygon refers to vertex %.0f (counted from 0), but there are %d", v, g->source->n);
  *id = g->base + (long long)v;
  return PL_OK;
}

static plStatus triangle(const Polygons* g, const double* index, int n, int i, int j, int k) {
  long long id[3];
  plStatus status = corner(g, index, i, n, &id[0]);
  if (!status) status = corner(g, index, g->flipped ? k : j, n, &id[1]);
  if (!status) status = corner(g, index, g->flipped ? j : k, n, &id[2]);
  return status ? status : pl_builder_tri(g->d->b, g->d->c, id, pl_builder_nvert(g->d->b));
}

// Polygons that are not whole, or that <vcount> does not count.
static plStatus fail_left_over(const Polygons* g, const plXml* p, int n) {
  return pl_xml_fail(p, g->d->c->error, "the %d numbers of <p> are not those of whole <%s> with %d inputs", n,
                     g->at->name, g->stride);
}

// One <p> of a kind that has one for each polygon, strip or fan.
static plStatus one_list(const Polygons* g, const plXml* p) {
  double* index;
  int n;
  plStatus status = read_list(g->d, p, &index, &n);
  int corners = n / g->stride;
  bool strip = !strcmp(g->at->name, "tristrips");
  if (!status && n % g->stride) return fail_left_over(g, p, n);
  for (int i = 0; i + 2 < corners && !status; i++)
    status = strip ? triangle(g, index, n, i, i + 1 + i % 2, i + 2 - i % 2)
                   : triangle(g, index, n, 0, i + 1, i + 2);
  return status;
}

// <triangles> and <polylist>: one <p>, cut by threes or by <vcount>
static plStatus one_cut(const Polygons* g, const plXml* p) {
  double *index, *size = NULL;
  int n, nsize = 0;
  const plXml* vcount = strcmp(g->at->name, "polylist") ? NULL : pl_xml_child(g->at, "vcount");
  plStatus status = read_list(g->d, p, &index, &n);
  if (!status && vcount) status = read_list(g->d, vcount, &size, &nsize);
  int corners = n / g->stride, first = 0;
  if (!status && (n % g->stride || (!vcount && corners % 3))) return fail_left_over(g, p, n);
  if (!vcount)
    for (int i = 0; i + 2 < corners && !status; i += 3) status = triangle(g, index, n, i, i + 1, i + 2);
  for (int s = 0; s < nsize && !status; s++) {
    if (!(size[s] >= 0 && size[s] <= corners - first))
      return pl_xml_fail(vcount, g->d->c->error, "<vcount> asks for more corners than the %d in <p>",
                         corners);
    for (int i = 1; i + 1 < (int)size[s] && !status; i++)
      status = triangle(g, index, n, first, first + i, first + i + 1);
    first += (int)size[s];
  }
  return !status && vcount && first < corners ? fail_left_over(g, p, n) : status;
}

// ---- materials

static bool colour_of(const plXml* effect, double* colour) {
  static const char* const shadings[] = {"phong", "lambert", "blinn", "constant"};
  const plXml *profile = effect ? pl_xml_child(effect, "profile_COMMON") : NULL,
              *technique = profile ? pl_xml_child(profile, "technique") : NULL;
  for (size_t i = 0; technique && i < 4; i++) {
    const plXml* shading = pl_xml_child(technique, shadings[i]);
    const plXml *diffuse = shading ? pl_xml_child(shading, "diffuse") : NULL,
                *color = diffuse ? pl_xml_child(diffuse, "color") : NULL;
    plError unused;
    double x[4];
    if (!color || pl_xml_numbers(color, color->text, "the colour", x, 3, 4, NULL, &unused)) continue;
    for (int k = 0; k < 3; k++) colour[k] = fmin(fmax(x[k], 0), 1);
    return true;
  }
  return false;
}

// The part of one kind of polygons: its symbol is bound to a material where the geometry is used.
static plStatus add_part(Collada* d, const plXml* polygons, const plXml* instance) {
  plMeshPart part = {.tri0 = d->b->tri_n / 3};
  const char* symbol = pl_xml_attr(polygons, "material");
  const plXml *bind = instance ? pl_xml_child(instance, "bind_material") : NULL,
              *common = bind ? pl_xml_child(bind, "technique_common") : NULL;
  for (const plXml* m = common ? pl_xml_child(common, "instance_material") : NULL; m && symbol;
       m = pl_xml_next(m)) {
    const char* own = pl_xml_attr(m, "symbol");
    if (!own || strcmp(own, symbol)) continue;
    const plXml* material = follow_library(d, m, "target", "library_materials", "material");
    const plXml* use = material ? pl_xml_child(material, "instance_effect") : NULL;
    const plXml* effect = use ? follow_library(d, use, "url", "library_effects", "effect") : NULL;
    part.coloured = colour_of(effect, part.colour);
  }
  return PL_PUSH(d->b->part, d->b->part_n, d->b->part_cap, part)
             ? PL_OK
             : pl_fail_out_of_memory(d->c->error, sizeof part);
}

// ---- geometry

// The <source> of POSITION of the VERTEX input, and the offset of its indices.
static plStatus find_positions(Polygons* g, const plXml* mesh) {
  const plXml *vertices = NULL, *source = NULL;
  g->stride = 1;
  for (const plXml* in = pl_xml_child(g->at, "input"); in; in = pl_xml_next(in)) {
    const char* semantic = pl_xml_attr(in, "semantic");
    int offset = int_attr(in, "offset", 0);
    if (offset < 0 || offset > 1000)
      return pl_xml_fail(in, g->d->c->error, "the offset of an <input> is out of range");
    if (offset >= g->stride) g->stride = offset + 1;
    if (semantic && !strcmp(semantic, "VERTEX"))
      vertices = follow(mesh, in, "source", "vertices"), g->offset = offset;
  }
  for (const plXml* in = vertices ? pl_xml_child(vertices, "input") : NULL; in; in = pl_xml_next(in)) {
    const char* semantic = pl_xml_attr(in, "semantic");
    if (semantic && !strcmp(semantic, "POSITION")) source = follow(mesh, in, "source", "source");
  }
  if (!source)
    return pl_xml_fail(g->at, g->d->c->error, "<%s> has no VERTEX input with positions", g->at->name);
  return read_source(g->d, source, &g->source);
}

static plStatus add_polygons(Collada* d, const plXml* mesh, const plXml* at, const plXml* instance,
                             Affine place) {
  bool cut = !strcmp(at->name, "triangles") || !strcmp(at->name, "polylist"),
       lists =
           !strcmp(at->name, "polygons") || !strcmp(at->name, "tristrips") || !strcmp(at->name, "trifans");
  if (!cut && !lists) {
    if (!strcmp(at->name, "lines") || !strcmp(at->name, "linestrips")) d->b->skipped++;
    return PL_OK;
  }
  Polygons g = {.d = d, .at = at, .base = pl_builder_nvert(d->b), .flipped = m3_det(place.A) < 0};
  plStatus status = find_positions(&g, mesh);
  if (!status) status = add_part(d, at, instance);
  for (int i = 0; !status && i < g.source->n; i++) {
    double x[3];
    v3_store(x, v3_add(place.p, m3_mulv(place.A, v3_load(g.source->x + 3 * (size_t)i))));
    status = pl_builder_vertex(d->b, d->c, x);
  }
  for (const plXml* p = pl_xml_child(at, "p"); p && !status; p = pl_xml_next(p))
    status = cut ? one_cut(&g, p) : one_list(&g, p);
  return status;
}

static plStatus add_geometry(Collada* d, const plXml* geometry, const plXml* instance, Affine place) {
  const plXml* mesh = pl_xml_child(geometry, "mesh");
  plStatus status = PL_OK;
  for (const plXml* at = mesh ? mesh->child : NULL; at && !status; at = at->next)
    status = add_polygons(d, mesh, at, instance, place);
  return status;
}

// ---- nodes

static Affine multiply(Affine a, Affine b) {
  return (Affine){m3_mul(a.A, b.A), v3_add(a.p, m3_mulv(a.A, b.p))};
}

// One transform of a node; other elements leave *x the identity.
static plStatus read_transform(Collada* d, const plXml* at, Affine* x) {
  static const struct {
    const char* name;
    int n;
  } kinds[] = {{"matrix", 16}, {"translate", 3}, {"rotate", 4}, {"scale", 3}};
  double m[16];
  *x = (Affine){m3_diag(1, 1, 1), {0, 0, 0}};
  for (int k = 0; k < 4; k++) {
    if (strcmp(at->name, kinds[k].name)) continue;
    plStatus status =
        pl_xml_numbers(at, at->text, "the transform", m, kinds[k].n, kinds[k].n, NULL, d->c->error);
    if (status) return status;
    if (k == 0)
      *x = (Affine){{{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}}, v3(m[3], m[7], m[11])};
    if (k == 1) x->p = v3_load(m);
    if (k == 2 && v3_norm(v3_load(m)) > 0)
      x->A = quat_matrix(quat_from_axis_angle(v3_load(m), m[3] * 3.14159265358979323846 / 180));
    if (k == 3) x->A = m3_diag(m[0], m[1], m[2]);
  }
  return PL_OK;
}

static plStatus add_node(Collada* d, const plXml* node, Affine place, int depth) {
  if (depth > MAX_DEPTH || ++d->visits > MAX_VISITS)
    return pl_xml_fail(node, d->c->error,
                       "the nodes are nested too deeply, or too many; does one hold itself?");
  plStatus status = PL_OK;
  // transforms come before the objects that they move
  for (const plXml* at = node->child; at && !status; at = at->next) {
    Affine x;
    status = read_transform(d, at, &x);
    place = multiply(place, x);
  }
  for (const plXml* at = node->child; at && !status; at = at->next) {
    const plXml* found = NULL;
    if (!strcmp(at->name, "node")) status = add_node(d, at, place, depth + 1);
    if (!strcmp(at->name, "instance_geometry") &&
        (found = follow_library(d, at, "url", "library_geometries", "geometry")))
      status = ++d->visits > MAX_VISITS ? pl_xml_fail(at, d->c->error, "there are too many nodes")
                                        : add_geometry(d, found, at, place);
    if (!strcmp(at->name, "instance_node") && (found = follow(d->root, at, "url", "node")))
      status = add_node(d, found, place, depth + 1);
    if (!strcmp(at->name, "instance_controller")) d->b->skipped++;
  }
  return status;
}

static plStatus read_unit(Collada* d, double* metre) {
  const plXml *asset = pl_xml_child(d->root, "asset"), *unit = asset ? pl_xml_child(asset, "unit") : NULL;
  *metre = 1;
  plStatus status = unit ? pl_xml_number_attr(unit, "meter", metre, d->c->error) : PL_OK;
  if (!status && !(*metre > 0 && isfinite(*metre)))
    status = pl_xml_fail(unit, d->c->error, "the <unit> must be a positive number of metres, got %g", *metre);
  return status;
}

static plStatus add_scene(Collada* d) {
  double metre;
  const plXml *scene = pl_xml_child(d->root, "scene"),
              *use = scene ? pl_xml_child(scene, "instance_visual_scene") : NULL,
              *library = pl_xml_child(d->root, "library_visual_scenes"),
              *shown = use && library ? follow(library, use, "url", "visual_scene") : NULL;
  plStatus status = read_unit(d, &metre);
  Affine place = {m3_diag(metre, metre, metre), {0, 0, 0}};
  if (!shown && library) shown = pl_xml_child(library, "visual_scene");
  if (!status && shown) return add_node(d, shown, place, 0);
  // without a scene, everything in the file
  const plXml* all = pl_xml_child(d->root, "library_geometries");
  for (const plXml* g = all ? pl_xml_child(all, "geometry") : NULL; g && !status; g = pl_xml_next(g))
    status = add_geometry(d, g, NULL, place);
  return status;
}

plStatus pl_read_collada(plCursor* c, plMeshBuilder* b) {
  Collada d = {.c = c, .b = b};
  pl_xml_init(&d.tree);
  d.tree.max_bytes = (size_t)1 << 30;
  plStatus status =
      pl_xml_parse(&d.tree, c->name, (const char*)c->begin, (size_t)(c->end - c->begin), &d.root, c->error);
  if (!status && strcmp(d.root->name, "COLLADA"))
    status = pl_xml_fail(d.root, c->error, "the root element is <%.60s>; a .dae file begins with <COLLADA>",
                         d.root->name);
  if (!status) status = add_scene(&d);
  if (!status) status = pl_builder_weld(b, c);
  pl_xml_free(&d.tree);
  return status;
}
