// mesh_tetgen.c: TetGen's pair of files: points (.node) and tetrahedra (.ele), counted from 0 or from 1.
#include "input/mesh_formats.h"

// .node: "points dimension attributes marker", then "number x y z attributes marker" each. *base: the first
// number.
static plStatus read_nodes(plCursor* c, plMeshBuilder* b, long long* base) {
  long long n, dimension, attributes, marker, number;
  plStatus status = pl_cursor_text_count(c, "the number of points", &n);
  if (!status) status = pl_cursor_text_int(c, "the dimension, 3", &dimension);
  if (!status && dimension != 3)
    status = pl_cursor_fail(c, "expected points of dimension 3, found %lld", dimension);
  if (!status) status = pl_cursor_text_count(c, "the number of attributes", &attributes);
  if (!status) status = pl_cursor_text_int(c, "0 or 1 for a boundary marker", &marker);
  if (!status && marker != 0 && marker != 1)
    status = pl_cursor_fail(c, "expected 0 or 1 for a boundary marker, found %lld", marker);
  *base = 0;
  for (long long i = 0; !status && i < n; i++) {
    status = pl_cursor_text_int(c, "the number of a point", &number);
    if (!status && i == 0) *base = number;
    if (!status && (*base < 0 || *base > 1 || number != *base + i))
      status = pl_cursor_fail(
          c, "expected point number %lld, found %lld: points are counted from 0 or 1 without gaps",
          (i ? *base : 0) + i, number);
    if (!status) status = pl_builder_read_vertex(b, c, PL_FLOAT64);
    if (!status)
      status = pl_cursor_skip(c, PL_FLOAT64, "the attributes and the marker of a point", attributes + marker);
  }
  return status;
}

// .ele: "tetrahedra nodes attributes", then "number node node node node attributes" each.
static plStatus read_elements(plCursor* c, plMeshBuilder* b, long long base) {
  long long n, nodes, attributes, number, id[4];
  plStatus status = pl_cursor_text_count(c, "the number of tetrahedra", &n);
  if (!status) status = pl_cursor_text_int(c, "the number of nodes of a tetrahedron", &nodes);
  if (!status && nodes != 4 && nodes != 10)
    status = pl_cursor_fail(c, "expected tetrahedra of 4 or 10 nodes, found %lld", nodes);
  if (!status) status = pl_cursor_text_count(c, "the number of attributes", &attributes);
  for (long long e = 0; !status && e < n; e++) {
    status = pl_cursor_text_int(c, "the number of a tetrahedron", &number);
    for (int i = 0; !status && i < 4; i++) {
      status = pl_cursor_text_int(c, "a node of a tetrahedron", &id[i]);
      if (!status) id[i] -= base;
    }
    if (!status) status = pl_cursor_skip(c, PL_INT32, "a node of a tetrahedron", nodes - 4);
    if (!status) status = pl_builder_tet(b, c, id, pl_builder_nvert(b));
    if (!status) b->by_corners += nodes != 4;
    if (!status) status = pl_cursor_skip(c, PL_FLOAT64, "an attribute of a tetrahedron", attributes);
  }
  return status;
}

plStatus pl_read_tetgen(plCursor* node, plCursor* ele, plMeshBuilder* b) {
  long long base;
  node->comment = ele->comment = '#';
  plStatus status = read_nodes(node, b, &base);
  if (!status) status = pl_cursor_end(node, "points");
  if (!status) status = read_elements(ele, b, base);
  return status ? status : pl_cursor_end(ele, "tetrahedra");
}
