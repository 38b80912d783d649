// mesh_gmsh.c: Gmsh .msh files of versions 1, 2.x and 4.1, ASCII and binary of either byte order.
//
// Nodes carry tags, which elements refer to: any numbers, not always in order. Sections other than $Nodes and
// $Elements are skipped.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/mesh_cell.h"
#include "input/mesh_formats.h"

typedef struct Node {
  long long tag;
  int id;
} Node;

typedef struct Gmsh {
  plCursor* c;
  plMeshBuilder* b;
  Node* node;  // sorted by tag once all are read
  int node_n, node_cap;
  int major;
  bool binary;
  plNumber size_type;  // counts and tags of version 4.1
} Gmsh;

// ---- nodes

static plStatus push_tag(Gmsh* g, long long tag, int id) {
  Node node = {tag, id};
  return PL_PUSH(g->node, g->node_n, g->node_cap, node)
             ? PL_OK
             : pl_fail_out_of_memory(g->c->error, 32 * (size_t)g->node_n);
}

static int compare_tags(const void* a, const void* b) {
  long long x = ((const Node*)a)->tag, y = ((const Node*)b)->tag;
  return (x > y) - (x < y);
}

static plStatus sort_nodes(Gmsh* g) {
  bool sorted = true;
  for (int i = 1; i < g->node_n; i++) sorted = sorted && g->node[i - 1].tag < g->node[i].tag;
  if (!sorted) qsort(g->node, (size_t)g->node_n, sizeof(Node), compare_tags);
  for (int i = 1; i < g->node_n; i++)
    if (g->node[i - 1].tag == g->node[i].tag)
      return pl_cursor_fail(g->c, "node %lld is defined twice", g->node[i].tag);
  return PL_OK;
}

// The vertex of a tag, -1 if there is none. Tags without gaps are found at once.
static long long find_node(const Gmsh* g, long long tag) {
  if (g->node_n == 0 || tag < g->node[0].tag || tag > g->node[g->node_n - 1].tag) return -1;
  // the difference of two tags may be larger than a tag
  unsigned long long guess = (unsigned long long)tag - (unsigned long long)g->node[0].tag;
  if (guess < (unsigned long long)g->node_n && g->node[guess].tag == tag) return g->node[guess].id;
  int low = 0, high = g->node_n - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (g->node[middle].tag < tag)
      low = middle + 1;
    else
      high = middle;
  }
  return g->node[low].tag == tag ? g->node[low].id : -1;
}

static plStatus read_nodes_2(Gmsh* g) {
  long long n, tag;
  plStatus status = pl_cursor_text_count(g->c, "the number of nodes", &n);
  if (status) return status;
  if (g->binary) pl_cursor_skip_line(g->c);
  g->c->binary = g->binary;
  for (long long i = 0; !status && i < n; i++) {
    status = pl_cursor_int(g->c, PL_INT32, "the number of a node", &tag);
    if (!status) status = push_tag(g, tag, pl_builder_nvert(g->b));
    if (!status) status = pl_builder_read_vertex(g->b, g->c, PL_FLOAT64);
  }
  return status;
}

// One block of version 4.1: header, tags, coordinates (with parameters if it says so).
static plStatus read_node_block(Gmsh* g) {
  long long dim, entity, parametric, n, tag;
  plStatus status = pl_cursor_int(g->c, PL_INT32, "the dimension of an entity", &dim);
  if (!status) status = pl_cursor_int(g->c, PL_INT32, "the tag of an entity", &entity);
  if (!status) status = pl_cursor_int(g->c, PL_INT32, "0 or 1 for parametric", &parametric);
  if (!status && (dim < 0 || dim > 3))
    status = pl_cursor_fail(g->c, "expected an entity of dimension 0 to 3, found %lld", dim);
  if (!status) status = pl_cursor_count(g->c, g->size_type, "the number of nodes of a block", &n);
  int first = pl_builder_nvert(g->b);
  for (long long i = 0; !status && i < n; i++) {
    status = pl_cursor_int(g->c, g->size_type, "the tag of a node", &tag);
    if (!status) status = push_tag(g, tag, first + (int)i);
  }
  for (long long i = 0; !status && i < n; i++) {
    status = pl_builder_read_vertex(g->b, g->c, PL_FLOAT64);
    if (!status && parametric) status = pl_cursor_skip(g->c, PL_FLOAT64, "a parameter of a node", dim);
  }
  return status;
}

static plStatus read_nodes_4(Gmsh* g) {
  long long nblock, n, low, high;
  if (g->binary) pl_cursor_skip_line(g->c);
  g->c->binary = g->binary;
  plStatus status = pl_cursor_count(g->c, g->size_type, "the number of blocks of nodes", &nblock);
  if (!status) status = pl_cursor_count(g->c, g->size_type, "the number of nodes", &n);
  if (!status) status = pl_cursor_int(g->c, g->size_type, "the smallest tag of a node", &low);
  if (!status) status = pl_cursor_int(g->c, g->size_type, "the largest tag of a node", &high);
  for (long long i = 0; !status && i < nblock; i++) status = read_node_block(g);
  if (!status && pl_builder_nvert(g->b) != n)
    status =
        pl_cursor_fail(g->c, "%lld nodes were announced, but the blocks hold %d", n, pl_builder_nvert(g->b));
  return status;
}

// ---- elements

// The nodes of one element of a known type; its corners come first.
static plStatus read_element(Gmsh* g, plNumber type, long long kind) {
  const plCellKind* cell = pl_gmsh_cell(kind);
  long long id[4], tag;
  int read = cell->corners < 3 ? 0 : cell->corners;
  for (int i = 0; i < read; i++) {
    plStatus status = pl_cursor_int(g->c, type, "a node of an element", &tag);
    if (status) return status;
    id[i] = find_node(g, tag);
    if (id[i] < 0)
      return pl_cursor_fail(g->c, "an element refers to node %lld, which is not in the file", tag);
  }
  plStatus status = pl_cursor_skip(g->c, type, "a node of an element", cell->nodes - read);
  return status ? status : pl_builder_cell(g->b, g->c, cell, id, pl_builder_nvert(g->b));
}

static plStatus fail_unknown_type(const Gmsh* g, long long kind) {
  return pl_cursor_fail(g->c, "element type %lld is not one of Gmsh's known types", kind);
}

// Version 1: number, type, two tags, how many nodes, the nodes.
static plStatus read_elements_1(Gmsh* g) {
  long long n, tag, kind, count;
  plStatus status = pl_cursor_text_count(g->c, "the number of elements", &n);
  for (long long i = 0; !status && i < n; i++) {
    status = pl_cursor_text_int(g->c, "the number of an element", &tag);
    if (!status) status = pl_cursor_text_int(g->c, "the type of an element", &kind);
    if (!status && !pl_gmsh_cell(kind)) status = fail_unknown_type(g, kind);
    if (!status) status = pl_cursor_skip(g->c, PL_INT32, "a tag of an element", 2);
    if (!status) status = pl_cursor_text_count(g->c, "the number of nodes of an element", &count);
    if (!status && count != pl_gmsh_cell(kind)->nodes)
      status = pl_cursor_fail(g->c, "an element of type %lld has %d nodes, found %lld", kind,
                              pl_gmsh_cell(kind)->nodes, count);
    if (!status) status = read_element(g, PL_INT32, kind);
  }
  return status;
}

static plStatus read_elements_2_ascii(Gmsh* g, long long n) {
  long long tag, kind, ntag;
  plStatus status = PL_OK;
  for (long long i = 0; !status && i < n; i++) {
    status = pl_cursor_text_int(g->c, "the number of an element", &tag);
    if (!status) status = pl_cursor_text_int(g->c, "the type of an element", &kind);
    if (!status && !pl_gmsh_cell(kind)) status = fail_unknown_type(g, kind);
    if (!status) status = pl_cursor_text_count(g->c, "the number of tags of an element", &ntag);
    if (!status) status = pl_cursor_skip(g->c, PL_INT32, "a tag of an element", ntag);
    if (!status) status = read_element(g, PL_INT32, kind);
  }
  return status;
}

// Binary: groups of elements of one type, each group with a header of type, how many follow, tags of each.
static plStatus read_elements_2_binary(Gmsh* g, long long n) {
  long long kind, follow, ntag;
  plStatus status = PL_OK;
  for (long long i = 0; !status && i < n;) {
    status = pl_cursor_int(g->c, PL_INT32, "the type of a group of elements", &kind);
    if (!status && !pl_gmsh_cell(kind)) status = fail_unknown_type(g, kind);
    if (!status) status = pl_cursor_count(g->c, PL_INT32, "the size of a group of elements", &follow);
    if (!status && follow < 1) status = pl_cursor_fail(g->c, "a group of elements is empty");
    if (!status) status = pl_cursor_count(g->c, PL_INT32, "the number of tags of each element", &ntag);
    for (long long k = 0; !status && k < follow; k++, i++) {
      status = pl_cursor_skip(g->c, PL_INT32, "the number and the tags of an element", 1 + ntag);
      if (!status) status = read_element(g, PL_INT32, kind);
    }
  }
  return status;
}

static plStatus read_elements_2(Gmsh* g) {
  long long n;
  plStatus status = pl_cursor_text_count(g->c, "the number of elements", &n);
  if (status) return status;
  if (!g->binary) return read_elements_2_ascii(g, n);
  pl_cursor_skip_line(g->c);
  g->c->binary = true;
  return read_elements_2_binary(g, n);
}

static plStatus read_element_block(Gmsh* g) {
  long long dim, entity, kind, n;
  plStatus status = pl_cursor_int(g->c, PL_INT32, "the dimension of an entity", &dim);
  if (!status) status = pl_cursor_int(g->c, PL_INT32, "the tag of an entity", &entity);
  if (!status) status = pl_cursor_int(g->c, PL_INT32, "the type of a block of elements", &kind);
  if (!status && !pl_gmsh_cell(kind)) status = fail_unknown_type(g, kind);
  if (!status) status = pl_cursor_count(g->c, g->size_type, "the number of elements of a block", &n);
  for (long long i = 0; !status && i < n; i++) {
    status = pl_cursor_skip(g->c, g->size_type, "the tag of an element", 1);
    if (!status) status = read_element(g, g->size_type, kind);
  }
  return status;
}

static plStatus read_elements_4(Gmsh* g) {
  long long nblock;
  if (g->binary) pl_cursor_skip_line(g->c);
  g->c->binary = g->binary;
  plStatus status = pl_cursor_count(g->c, g->size_type, "the number of blocks of elements", &nblock);
  if (!status) status = pl_cursor_skip(g->c, g->size_type, "the number and the range of the elements", 3);
  for (long long i = 0; !status && i < nblock; i++) status = read_element_block(g);
  return status;
}

// ---- the file

// After "$MeshFormat": version, 0 or 1 for binary, size of a count; in binary the number 1 to show the byte
// order.
static plStatus read_format(Gmsh* g) {
  double version;
  long long kind, data_size;
  plStatus status = pl_cursor_real(g->c, PL_FLOAT64, "the version of the format", &version);
  if (status) return status;
  bool is_2 = version >= 2 && version<3, is_41 = version> 4.05 && version < 4.2;
  if (!is_2 && !is_41)
    return pl_cursor_fail(
        g->c,
        "version %g of the format is not known; save the mesh as version 1, 2.2 or 4.1 (gmsh -format msh41)",
        version);
  g->major = is_2 ? 2 : 4;
  status = pl_cursor_text_int(g->c, "0 (ASCII) or 1 (binary)", &kind);
  if (!status && kind != 0 && kind != 1)
    status = pl_cursor_fail(g->c, "expected 0 (ASCII) or 1 (binary), found %lld", kind);
  if (!status) status = pl_cursor_text_int(g->c, "the data size, 8", &data_size);
  if (!status && data_size != 8 && !(data_size == 4 && g->major == 4))
    status = pl_cursor_fail(g->c, "expected the data size 8, found %lld", data_size);
  if (status) return status;
  g->binary = kind == 1;
  g->size_type = data_size == 8 ? PL_UINT64 : PL_UINT32;
  if (!g->binary) return PL_OK;
  // The number one in the file's byte order.
  long long one = 0;
  pl_cursor_skip_line(g->c);
  g->c->binary = true;
  status = pl_cursor_int(g->c, PL_INT32, "the number 1 that shows the byte order", &one);
  g->c->swap = one == 1 << 24;
  if (!status && one != 1 && one != 1 << 24)
    status = pl_cursor_fail(g->c, "expected the number 1 that shows the byte order, found %lld", one);
  g->c->binary = false;
  return status;
}

// Skips to the end of section "$Name", after "$EndName", which must exist. read: the whole section was read.
static plStatus end_section(Gmsh* g, const char* word, size_t length, bool read) {
  char end[64];
  if (length < 2 || length > sizeof end - 4) return pl_cursor_fail(g->c, "expected the name of a section");
  memcpy(end, "$End", 4);
  memcpy(end + 4, word + 1, length - 1);
  if (length == 4 && (!memcmp(word, "$NOD", 4) || !memcmp(word, "$ELM", 4))) memcpy(end, "$END", 4);
  const char* next;
  size_t n = 0;
  if (read) {
    if (pl_cursor_word(g->c, &next, &n) && n == length + 3 && !memcmp(next, end, n)) return PL_OK;
    return pl_cursor_fail(g->c, "expected %.*s after the announced entries, found '%.*s'", (int)length + 3,
                          end, n > 40 ? 40 : (int)n, n ? next : "");
  }
  const unsigned char* found = memmem(g->c->p, (size_t)(g->c->end - g->c->p), end, length + 3);
  if (!found) return pl_cursor_fail(g->c, "the file ends where %.*s was expected", (int)length + 3, end);
  g->c->p = found + length + 3;
  return PL_OK;
}

static plStatus read_section(Gmsh* g, const char* word, size_t length) {
  plStatus status = PL_OK;
  // Version 1 has no header and names of its own.
  if (!g->major && pl_word_is(word, length, "$NOD")) g->major = 1;
  bool old = g->major == 1, format = pl_word_is(word, length, "$MeshFormat");
  bool nodes = pl_word_is(word, length, old ? "$NOD" : "$Nodes"),
       elements = pl_word_is(word, length, old ? "$ELM" : "$Elements");
  if ((nodes || elements) && !g->major)
    return pl_cursor_fail(g->c, "expected $MeshFormat before %.*s", (int)length, word);
  if (nodes && g->node_n) return pl_cursor_fail(g->c, "the nodes appear in the file twice");
  if (format) status = read_format(g);
  if (nodes) status = g->major == 4 ? read_nodes_4(g) : read_nodes_2(g);
  if (nodes && !status) status = sort_nodes(g);
  if (elements) status = old ? read_elements_1(g) : g->major == 2 ? read_elements_2(g) : read_elements_4(g);
  g->c->binary = false;
  return status ? status : end_section(g, word, length, nodes || elements || format);
}

plStatus pl_read_gmsh(plCursor* c, plMeshBuilder* b) {
  if (pl_is_mujoco_mesh(c)) return pl_read_mujoco_mesh(c, b);
  Gmsh g = {.c = c, .b = b};
  const char* word;
  size_t length;
  plStatus status = PL_OK;
  while (!status && pl_cursor_word(c, &word, &length)) {
    if (word[0] != '$')
      status = pl_cursor_fail(
          c, "expected a section such as $MeshFormat, $Nodes or $Elements: is this a Gmsh file?");
    else
      status = read_section(&g, word, length);
  }
  if (!status && !g.major) status = pl_cursor_fail(c, "expected $MeshFormat: this is not a Gmsh file");
  pl_free(g.node);
  return status;
}
