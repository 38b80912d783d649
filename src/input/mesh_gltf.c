// mesh_gltf.c: glTF 2.0, as JSON (.gltf) and binary (.glb): the triangles of a scene, every mesh positioned
// by its nodes.
//
// glTF is y-up, everything else here is z-up: the scene is turned by +90 degrees about x, (x, y, z) -> (x,
// -z, y), as Drake does. Vertices at exactly the same position are merged, since the format repeats them
// where normals or textures differ. Each primitive is a part with the colour of its material. Points and
// lines, textures, skins, morph targets and animations are left out; an extension that the file requires and
// that changes the geometry is refused by name.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "input/mesh_formats.h"
#include "input/mesh_gltf.h"
#include "math/pose.h"
#include "math/srgb.h"

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

// x -> A x + p
typedef struct Affine {
  plMat3 A;
  plVec3 p;
} Affine;

// ---- nodes

static plStatus node_matrix(const plGltf* g, const plJson* node, Affine* x) {
  double m[16];
  plStatus status = pl_gltf_numbers(g, node, "matrix", 16, m);
  if (status) return status;
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
    return pl_json_fail(g->c, pl_json_get(node, "matrix"), "the last row of a matrix must be 0 0 0 1");
  *x = (Affine){{{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}}, v3(m[12], m[13], m[14])};
  return PL_OK;
}

// A node in its parent: a matrix, or scale, then rotation (x y z w), then translation.
static plStatus node_place(const plGltf* g, const plJson* node, Affine* x) {
  if (pl_json_get(node, "matrix")) return node_matrix(g, node, x);
  double t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  plStatus status = pl_gltf_numbers(g, node, "translation", 3, t);
  if (!status) status = pl_gltf_numbers(g, node, "rotation", 4, r);
  if (!status) status = pl_gltf_numbers(g, node, "scale", 3, s);
  plQuat q = {r[3], r[0], r[1], r[2]};
  double norm = quat_norm(q);
  if (!status && !(fabs(norm - 1) < 0.01))
    status = pl_json_fail(g->c, pl_json_get(node, "rotation"),
                          "a rotation must be a quaternion x y z w of length 1, this has %g", norm);
  *x = (Affine){m3_mul(quat_matrix(quat_unit(q)), m3_diag(s[0], s[1], s[2])), v3_load(t)};
  return status;
}

// ---- primitives

// Every vertex that a triangle uses, once: id[i] is the index of the primitive's vertex i in the builder, -1:
// not added yet.
typedef struct Primitive {
  plGltf* g;
  plMeshBuilder* b;
  const plJson* at;
  Affine x;
  bool flipped;   // the node mirrors it
  double* index;  // NULL: vertices in order
  long long n;    // corners
  int* id;        // [g->nposition]
} Primitive;

static plStatus corner(Primitive* p, long long i, long long* id) {
  plGltf* g = p->g;
  double vertex = p->index ? p->index[i] : (double)i;
  if (!(vertex >= 0 && vertex < (double)g->nposition))
    return pl_json_fail(
        g->c, p->at, "a triangle refers to vertex number %.0f (counted from 0), but its primitive has %lld",
        vertex, g->nposition);
  long long v = (long long)vertex;
  if (p->id[v] < 0) {
    double x[3];
    v3_store(x, v3_add(p->x.p, m3_mulv(p->x.A, v3_load(g->position + 3 * v))));
    p->id[v] = pl_builder_nvert(p->b);
    plStatus status = pl_builder_vertex(p->b, g->c, x);
    if (status) return status;
  }
  *id = p->id[v];
  return PL_OK;
}

static plStatus add_triangle(Primitive* p, long long i, long long j, long long k) {
  long long id[3];
  plStatus status = corner(p, i, &id[0]);
  if (!status) status = corner(p, p->flipped ? k : j, &id[1]);
  if (!status) status = corner(p, p->flipped ? j : k, &id[2]);
  return status ? status : pl_builder_tri(p->b, p->g->c, id, pl_builder_nvert(p->b));
}

static plStatus add_triangles(Primitive* p, long long mode) {
  plStatus status = PL_OK;
  if (mode == TRIANGLES)
    for (long long i = 0; !status && i + 2 < p->n; i += 3) status = add_triangle(p, i, i + 1, i + 2);
  // every second triangle of a strip is turned
  if (mode == STRIP)
    for (long long i = 0; !status && i + 2 < p->n; i++)
      status = add_triangle(p, i, i + 1 + i % 2, i + 2 - i % 2);
  if (mode == FAN)
    for (long long i = 1; !status && i + 1 < p->n; i++) status = add_triangle(p, 0, i, i + 1);
  return status;
}

// The colour of a material: its factor (linear light), if no texture lies on it.
static plStatus add_part(plGltf* g, const plJson* primitive, plMeshBuilder* b) {
  plMeshPart part = {.tri0 = b->tri_n / 3};
  int material;
  double factor[4] = {1, 1, 1, 1};
  plStatus status = pl_gltf_index(g, primitive, "material", &g->materials, &material);
  const plJson* pbr = material < 0 ? NULL : pl_json_get(g->materials.item[material], "pbrMetallicRoughness");
  if (!status) status = pl_gltf_numbers(g, pbr, "baseColorFactor", 4, factor);
  if (status) return status;
  part.coloured = pl_json_get(pbr, "baseColorFactor") && !pl_json_get(pbr, "baseColorTexture");
  for (int i = 0; i < 3; i++) part.colour[i] = linear_to_srgb(fmin(fmax(factor[i], 0), 1));
  return PL_PUSH(b->part, b->part_n, b->part_cap, part) ? PL_OK
                                                        : pl_fail_out_of_memory(g->c->error, sizeof part);
}

// Positions are kept until others are needed: primitives of one mesh often share them.
static plStatus take_positions(plGltf* g, int accessor) {
  if (accessor == g->position_accessor && g->position) return PL_OK;
  pl_free(g->position);
  g->position_accessor = accessor;
  return pl_gltf_accessor(g, accessor, 3, &g->position, &g->nposition);
}

static plStatus take_primitive(plGltf* g, const plJson* at, Affine x, plMeshBuilder* b) {
  long long mode = TRIANGLES;
  int position, indices;
  plStatus status = pl_gltf_whole(g, at, "mode", &mode);
  if (!status) status = pl_gltf_index(g, pl_json_get(at, "attributes"), "POSITION", &g->accessors, &position);
  if (!status) status = pl_gltf_index(g, at, "indices", &g->accessors, &indices);
  if (!status && mode > FAN)
    status = pl_json_fail(g->c, at, "the mode of a primitive must be 0 .. 6, found %lld", mode);
  if (status) return status;
  g->c->token = at->at;
  if (mode < TRIANGLES || position < 0) return b->skipped++, PL_OK;
  status = take_positions(g, position);
  Primitive p = {.g = g, .b = b, .at = at, .x = x, .flipped = m3_det(x.A) < 0, .n = g->nposition};
  if (!status && indices >= 0) status = pl_gltf_accessor(g, indices, 1, &p.index, &p.n);
  if (!status) status = pl_gltf_charge(g, at, 0.125 * (double)g->nposition + 3 * (double)p.n);
  if (!status && mode == TRIANGLES && p.n % 3)
    status = pl_json_fail(g->c, at, "a primitive of triangles has %lld corners, which is not a multiple of 3",
                          p.n);
  if (!status) status = add_part(g, at, b);
  if (!status && !(p.id = PL_NEW(int, g->nposition)))
    status = pl_fail_out_of_memory(g->c->error, 4 * (size_t)g->nposition);
  if (!status) {
    memset(p.id, -1, sizeof(int) * (size_t)g->nposition);
    status = add_triangles(&p, mode);
  }
  pl_free(p.id);
  pl_free(p.index);
  return status;
}

static plStatus take_mesh(plGltf* g, const plJson* mesh, Affine x, plMeshBuilder* b) {
  const plJson* list = pl_json_get(mesh, "primitives");
  plStatus status = PL_OK;
  for (const plJson* p = list ? list->first : NULL; p && !status; p = p->next)
    status = take_primitive(g, p, x, b);
  return status;
}

// ---- the scene

typedef struct Walk {
  plGltf* g;
  Affine* place;    // [nodes.n]
  bool* seen;       // [nodes.n]
  int *stack, top;  // nodes to be drawn
} Walk;

// Adds the nodes of a list to those to be drawn, positioned in parent.
static plStatus push_nodes(Walk* w, const plJson* owner, const char* key, Affine parent) {
  plGltf* g = w->g;
  const plJson* list = pl_json_get(owner, key);
  if (list && list->kind != PL_JSON_LIST) return pl_json_fail(g->c, list, "'%s' must be a list", key);
  for (const plJson* child = list ? list->first : NULL; child; child = child->next) {
    int i = child->kind == PL_JSON_NUMBER && child->number >= 0 && child->number < g->nodes.n
                ? (int)child->number
                : -1;
    if (i < 0 || child->number != i)
      return pl_json_fail(g->c, child, "'%s' must name nodes by their numbers, 0 .. %d", key, g->nodes.n - 1);
    if (w->seen[i]) return pl_json_fail(g->c, child, "node %d appears twice in the tree of nodes", i);
    Affine local;
    plStatus status = node_place(g, g->nodes.item[i], &local);
    if (status) return status;
    w->seen[i] = true;
    assert(w->top < g->nodes.n);
    w->place[i] = (Affine){m3_mul(parent.A, local.A), v3_add(parent.p, m3_mulv(parent.A, local.p))};
    w->stack[w->top++] = i;
  }
  return PL_OK;
}

// The first nodes: those of the scene or, in a file without scenes, those that are nobody's children.
static plStatus push_roots(Walk* w, Affine up) {
  plGltf* g = w->g;
  plGltfList scenes;
  int scene;
  plStatus status = pl_gltf_list(g, "scenes", &scenes);
  if (!status) status = pl_gltf_index(g, g->root, "scene", &scenes, &scene);
  if (!status && scenes.n) status = push_nodes(w, scenes.item[scene < 0 ? 0 : scene], "nodes", up);
  bool none = !status && !scenes.n;
  pl_free(scenes.item);
  if (!none) return status;
  for (int i = 0; i < g->nodes.n; i++) {
    const plJson* children = pl_json_get(g->nodes.item[i], "children");
    for (const plJson* child = children ? children->first : NULL; child; child = child->next)
      if (child->number >= 0 && child->number < g->nodes.n) w->seen[(int)child->number] = true;
  }
  for (int i = 0; !status && i < g->nodes.n; i++) {
    if (w->seen[i]) continue;
    status = node_place(g, g->nodes.item[i], &w->place[i]);
    w->place[i] = (Affine){m3_mul(up.A, w->place[i].A), m3_mulv(up.A, w->place[i].p)};
    assert(w->top < g->nodes.n);
    w->stack[w->top++] = i;
  }
  memset(w->seen, 0, (size_t)g->nodes.n);
  for (int i = 0; i < w->top; i++) w->seen[w->stack[i]] = true;
  return status;
}

static plStatus draw_scene(plGltf* g, plMeshBuilder* b) {
  const Affine up = {{{1, 0, 0, 0, 0, 1, 0, -1, 0}}, {0, 0, 0}};
  Walk w = {.g = g,
            .place = PL_NEW(Affine, g->nodes.n),
            .seen = PL_NEW(bool, g->nodes.n),
            .stack = PL_NEW(int, g->nodes.n)};
  bool room = w.place && w.seen && w.stack;
  plStatus status =
      room ? push_roots(&w, up) : pl_fail_out_of_memory(g->c->error, sizeof(Affine) * (size_t)g->nodes.n);
  while (!status && w.top > 0) {
    int i = w.stack[--w.top], mesh;
    status = pl_gltf_index(g, g->nodes.item[i], "mesh", &g->meshes, &mesh);
    if (!status && mesh >= 0) status = take_mesh(g, g->meshes.item[mesh], w.place[i], b);
    if (!status) status = push_nodes(&w, g->nodes.item[i], "children", w.place[i]);
  }
  pl_free(w.place);
  pl_free(w.seen);
  pl_free(w.stack);
  return status;
}

// ---- the document

// Extensions that a file may require and that do not change the positions of its triangles.
static bool is_harmless(const plJson* name) {
  static const char* const prefix[] = {"KHR_materials_", "KHR_texture_",          "EXT_texture_",
                                       "KHR_lights_",    "KHR_mesh_quantization", "KHR_xmp"};
  for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
    if (name->length >= strlen(prefix[i]) && !memcmp(name->text, prefix[i], strlen(prefix[i]))) return true;
  return false;
}

static plStatus check_head(const plGltf* g) {
  const plJson *asset = pl_json_get(g->root, "asset"), *version = pl_json_get(asset, "version"),
               *required = pl_json_get(g->root, "extensionsRequired");
  if (!version || version->kind != PL_JSON_TEXT || version->length < 2 || memcmp(version->text, "2.", 2))
    return pl_json_fail(g->c, version, "expected a glTF document with \"asset\": {\"version\": \"2.0\"}");
  for (const plJson* name = required ? required->first : NULL; name; name = name->next)
    if (name->kind != PL_JSON_TEXT || !is_harmless(name))
      return pl_json_fail(g->c, name,
                          "the file requires the extension '%.*s', which is not read; save it without",
                          name->length < 80 ? (int)name->length : 80, name->text ? name->text : "");
  return PL_OK;
}

static plStatus read_document(plGltf* g, plMeshBuilder* b) {
  plStatus status = pl_json_parse(g->c, &g->json);
  g->root = g->json.node;
  if (!status) status = check_head(g);
  if (!status) status = pl_gltf_list(g, "nodes", &g->nodes);
  if (!status) status = pl_gltf_list(g, "meshes", &g->meshes);
  if (!status) status = pl_gltf_list(g, "materials", &g->materials);
  if (!status) status = pl_gltf_list(g, "accessors", &g->accessors);
  if (!status) status = pl_gltf_list(g, "bufferViews", &g->views);
  if (!status) status = pl_gltf_list(g, "buffers", &g->buffers);
  if (!status && !(g->buffer = PL_NEW(plBytes, g->buffers.n)))
    status = pl_fail_out_of_memory(g->c->error, sizeof(plBytes) * (size_t)g->buffers.n);
  if (!status) status = draw_scene(g, b);
  if (!status) status = pl_builder_weld(b, g->c);
  pl_gltf_free(g);
  return status;
}

plStatus pl_read_gltf(plCursor* c, plMeshBuilder* b) {
  plGltf g = {.c = c};
  return read_document(&g, b);
}

// ---- GLB: "glTF", version, length; then chunks: length, kind, bytes

static const long long MAGIC = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BINARY_CHUNK = 0x004e4942;

static plStatus take_chunk(plCursor* c, long long kind, const char* what, plCursor* chunk) {
  long long length, found;
  plStatus status = pl_cursor_int(c, PL_UINT32, "the length of a chunk", &length);
  if (!status) status = pl_cursor_int(c, PL_UINT32, "the kind of a chunk", &found);
  if (status) return status;
  if (found != kind && kind == JSON_CHUNK) return pl_cursor_fail(c, "expected a chunk of %s", what);
  if (length > c->end - c->p)
    return pl_cursor_fail(c, "a chunk of %s has %lld bytes, but %lld are left: the file is cut short", what,
                          length, (long long)(c->end - c->p));
  *chunk = pl_cursor(c->name, c->p, (size_t)length, c->error);
  chunk->part = what, chunk->on_disk = c->on_disk;
  c->p += length;
  // chunks of other kinds are skipped
  if (found != kind) *chunk = (plCursor){0};
  return PL_OK;
}

plStatus pl_read_glb(plCursor* c, plMeshBuilder* b) {
  long long magic, version, length;
  c->binary = true;
  c->swap = !pl_machine_is_little_endian();
  plStatus status = pl_cursor_int(c, PL_UINT32, "\"glTF\"", &magic);
  if (!status) status = pl_cursor_int(c, PL_UINT32, "the version", &version);
  if (!status) status = pl_cursor_int(c, PL_UINT32, "the length", &length);
  if (status) return status;
  if (magic != MAGIC || version != 2) return pl_cursor_fail(c, "this is not a binary glTF file of version 2");
  if (length > c->end - c->begin)
    return pl_cursor_fail(c, "the file says that it has %lld bytes, but it has %lld: it is cut short", length,
                          (long long)(c->end - c->begin));
  plCursor text, bytes;
  plGltf g = {.c = &text};
  status = take_chunk(c, JSON_CHUNK, "JSON", &text);
  if (!status && c->end - c->p >= 8) {
    status = take_chunk(c, BINARY_CHUNK, "binary data", &bytes);
    g.chunk_bytes = (plBytes){status ? NULL : (unsigned char*)bytes.begin,
                              status ? 0 : (size_t)(bytes.end - bytes.begin)};
  }
  return status ? status : read_document(&g, b);
}
