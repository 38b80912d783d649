// mesh_gltf.h: a glTF document while it is read: its lists, and the numbers of its accessors.
#ifndef PL_INPUT_MESH_GLTF_H
#define PL_INPUT_MESH_GLTF_H

#include "input/json.h"
#include "input/mesh_builder.h"
#include "input/mesh_file.h"

// One of the document's lists, entries by number.
typedef struct plGltfList {
  const char* name;
  const plJson** item;
  int n;
} plGltfList;

typedef struct plGltf {
  plCursor* c;  // over the JSON text
  plJsonTree json;
  const plJson* root;
  plGltfList nodes, meshes, materials, accessors, views, buffers;
  plBytes* buffer;      // [buffers.n], read when first used
  plBytes chunk_bytes;  // the second chunk of a GLB file, not owned
  double read_bytes;    // of all buffers so far
  double work;          // numbers taken so far
  // the positions that were read last
  int position_accessor;
  double* position;
  long long nposition;
} plGltf;

// The list of this name; absent: empty.
plStatus pl_gltf_list(plGltf* g, const char* name, plGltfList* list);
// An entry of map that is the number of an item of list; *index is -1 if there is none.
plStatus pl_gltf_index(const plGltf* g, const plJson* map, const char* key, const plGltfList* list,
                       int* index);
// A whole number in map; if it is absent, *value does not change.
plStatus pl_gltf_whole(const plGltf* g, const plJson* map, const char* key, long long* value);
// n numbers of a list; if it is absent, they do not change.
plStatus pl_gltf_numbers(const plGltf* g, const plJson* map, const char* key, int n, double* number);

// All numbers of an accessor of count entries, width numbers each (1: SCALAR, 3: VEC3); the caller frees
// them.
plStatus pl_gltf_accessor(plGltf* g, int index, int width, double** number, long long* count);
// Counts n more numbers; fails if the result would be very much larger than the file.
plStatus pl_gltf_charge(plGltf* g, const plJson* at, double n);
void pl_gltf_free(plGltf* g);

#endif
