// gltf_seeds.h: small glTF and GLB files for mesh_seeds.h: the surface seed, y-up.
//
// All share one buffer, which holds the vertices as floats (16 bytes apart), the triangles as u16, u8 and
// u32, the vertices 1, 2 and 3 with their numbers for a sparse accessor, and the vertices as normalized i16
// (8 bytes apart).
#ifndef PL_TEST_INPUT_GLTF_SEEDS_H
#define PL_TEST_INPUT_GLTF_SEEDS_H

enum {
  GLTF_FLOAT = 0,
  GLTF_U16 = 64,
  GLTF_U8 = 88,
  GLTF_U32 = 100,
  GLTF_ID = 148,
  GLTF_SPARSE = 152,
  GLTF_I16 = 188,
  GLTF_SIZE = 220
};

// Vertex v of the seed in glTF's axes: (x, -z, y) must be the vertex.
static void gltf_vertex(const double* v, double out[3]) { out[0] = v[0], out[1] = v[2], out[2] = -v[1]; }

static void gltf_buffer(Seed* s) {
  double x[3];
  for (int v = 0; v < 4; v++) {
    gltf_vertex(seed_vert + 3 * v, x);
    for (int i = 0; i < 3; i++) seed_float(s, (float)x[i], false);
    seed_float(s, 77, false);
  }
  seed_ids(s, seed_tri, 12, 2, false);
  seed_ids(s, seed_tri, 12, 1, false);
  seed_ids(s, seed_tri, 12, 4, false);
  seed_ids(s, (int[4]){1, 2, 3, 0}, 4, 1, false);
  for (int v = 1; v < 4; v++) {
    gltf_vertex(seed_vert + 3 * v, x);
    for (int i = 0; i < 3; i++) seed_float(s, (float)x[i], false);
  }
  for (int v = 0; v < 4; v++) {
    gltf_vertex(seed_vert + 3 * v, x);
    for (int i = 0; i < 3; i++) seed_int(s, (unsigned long long)(int)(32767 * x[i]), 2, false);
    seed_int(s, 0, 2, false);
  }
  if (s->size != GLTF_SIZE) abort();
}

static const char gltf_views[] =
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64,\"byteStride\":16},{\"buffer\":0,\"byteOffset\":64,"
    "\"byteLength\":84},"
    "{\"buffer\":0,\"byteOffset\":148,\"byteLength\":3},{\"buffer\":0,\"byteOffset\":152,\"byteLength\":36},"
    "{\"buffer\":0,\"byteOffset\":188,\"byteLength\":32,\"byteStride\":8}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"},"
    "{\"bufferView\":1,\"byteOffset\":24,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},"
    "{\"bufferView\":1,\"byteOffset\":27,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},"
    "{\"bufferView\":1,\"byteOffset\":60,\"componentType\":5125,\"count\":6,\"type\":\"SCALAR\"},"
    "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{\"count\":3,\"indices\":{"
    "\"bufferView\":2,"
    "\"componentType\":5121},\"values\":{\"bufferView\":3}}},"
    "{\"bufferView\":4,\"componentType\":5122,\"normalized\":true,\"count\":4,\"type\":\"VEC3\"}]}";

// head: everything before the buffers
static void gltf_json(Seed* s, const char* head, bool in_text) {
  char line[64];
  Seed data = {0};
  gltf_buffer(&data);
  seed_text(s, head);
  snprintf(line, sizeof line, ",\"buffers\":[{\"byteLength\":%d", GLTF_SIZE);
  seed_text(s, line);
  if (in_text) {
    seed_text(s, ",\"uri\":\"data:application\\/octet-stream;base64,");
    seed_base64(s, data.bytes, data.size);
    seed_text(s, "\"");
  }
  seed_text(s, "}],\n");
  seed_text(s, gltf_views);
  free(data.bytes);
}

static Seed seed_of_gltf(const char* name, const char* head) {
  Seed s = {.name = name, .surface = true};
  gltf_json(&s, head, true);
  return s;
}

static Seed seed_of_glb(const char* name, const char* head) {
  Seed s = {.name = name, .surface = true}, json = {0}, data = {0};
  gltf_json(&json, head, false);
  while (json.size % 4) seed_text(&json, " ");
  gltf_buffer(&data);
  seed_text(&s, "glTF");
  seed_int(&s, 2, 4, false);
  seed_int(&s, 12 + 8 + json.size + 8 + data.size, 4, false);
  seed_int(&s, json.size, 4, false);
  seed_text(&s, "JSON");
  seed_bytes(&s, json.bytes, json.size);
  seed_int(&s, data.size, 4, false);
  seed_bytes(&s, "BIN", 4);
  seed_bytes(&s, data.bytes, data.size);
  free(json.bytes);
  free(data.bytes);
  return s;
}

// A tree of nodes that puts the mesh where it was: 2 (0.5 x + (-0.5, 0, 0)) + (1, 0, 0).
static const char gltf_tree[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[1]}],\n\"nodes\":[{\"mesh\":0,"
    "\"matrix\":[0.5,0,0,0,0,0.5,0,0,"
    "0,0,0.5,0,-0.5,0,0,1]},{\"children\":[0],\"translation\":[1,0,0],\"scale\":[2,2,2],\"rotation\":[0,0,0,"
    "1]}],\n\"meshes\":[{"
    "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]";
// A strip, a fan and triangles, a line that is skipped, and a colour; no scene.
static const char gltf_strips[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"materials\":[{\"pbrMetallicRoughness\":{"
    "\"baseColorFactor\":[1,0.5,0,1]}}"
    "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":5,\"material\":0}"
    ",{\"attributes\":{\"POSITION\":0},"
    "\"indices\":3,\"mode\":6},{\"attributes\":{\"POSITION\":0},\"mode\":1},{\"attributes\":{\"POSITION\":0},"
    "\"indices\":4,\"mode\":4}]}]";
static const char gltf_sparse[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{"
    "\"primitives\":[{\"attributes\":"
    "{\"POSITION\":5},\"indices\":1}]}]";
static const char gltf_short[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"scenes\":[{"
    "\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":6},\"indices\":1}]}]";

#endif
