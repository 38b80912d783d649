// mesh_ply.c: PLY, ASCII and binary of either byte order: the x, y, z of its vertices and the polygons of its
// faces, as fans.
#include <string.h>

#include "input/mesh_formats.h"

enum { MAX_ELEMENTS = 32, MAX_PROPERTIES = 256 };

typedef enum Role { OTHER, X, Y, Z, CORNERS } Role;

typedef struct Property {
  plNumber type, count_type;  // count_type: PL_NUMBER_NONE for a single number, else a list
  Role role;
} Property;

typedef struct Element {
  bool vertex, face;
  long long n;
  int first, nproperty;
} Element;

typedef struct Ply {
  plCursor* c;
  plMeshBuilder* b;
  Element element[MAX_ELEMENTS];
  Property property[MAX_PROPERTIES];
  int nelement, nproperty;
  bool binary, swap;
  long long nvert;
} Ply;

// ---- header

static plNumber number_type(const char* word, size_t length) {
  static const struct {
    const char* name;
    plNumber type;
  } types[] = {{"char", PL_INT8},       {"uchar", PL_UINT8},    {"short", PL_INT16},   {"ushort", PL_UINT16},
               {"int", PL_INT32},       {"uint", PL_UINT32},    {"float", PL_FLOAT32}, {"double", PL_FLOAT64},
               {"int8", PL_INT8},       {"uint8", PL_UINT8},    {"int16", PL_INT16},   {"uint16", PL_UINT16},
               {"int32", PL_INT32},     {"uint32", PL_UINT32},  {"int64", PL_INT64},   {"uint64", PL_UINT64},
               {"float32", PL_FLOAT32}, {"float64", PL_FLOAT64}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (pl_word_is(word, length, types[i].name)) return types[i].type;
  return PL_NUMBER_NONE;
}

static plStatus read_type(Ply* ply, plNumber* type) {
  const char* word;
  size_t length;
  *type = pl_cursor_word_in_line(ply->c, &word, &length) ? number_type(word, length) : PL_NUMBER_NONE;
  return *type ? PL_OK : pl_cursor_fail(ply->c, "expected a type such as float, double, uchar or int");
}

static plStatus read_format(Ply* ply) {
  const char* word;
  size_t length;
  bool any = pl_cursor_word_in_line(ply->c, &word, &length),
       little = any && pl_word_is(word, length, "binary_little_endian");
  bool big = any && pl_word_is(word, length, "binary_big_endian");
  if (!little && !big && !(any && pl_word_is(word, length, "ascii")))
    return pl_cursor_fail(ply->c, "expected format ascii, binary_little_endian or binary_big_endian");
  ply->binary = little || big;
  ply->swap = ply->binary && little != pl_machine_is_little_endian();
  return PL_OK;
}

static plStatus read_element(Ply* ply) {
  const char* word;
  size_t length;
  if (ply->nelement == MAX_ELEMENTS)
    return pl_cursor_fail(ply->c, "more than %d kinds of elements", MAX_ELEMENTS);
  if (!pl_cursor_word_in_line(ply->c, &word, &length))
    return pl_cursor_fail(ply->c, "expected the name of an element");
  Element* element = &ply->element[ply->nelement++];
  *element = (Element){.first = ply->nproperty};
  element->vertex = pl_word_is(word, length, "vertex");
  element->face = pl_word_is(word, length, "face");
  plStatus status = pl_cursor_text_count(ply->c, "the number of elements", &element->n);
  if (element->vertex) ply->nvert = element->n;
  return status;
}

static plStatus read_property(Ply* ply) {
  const char* word;
  size_t length;
  if (!ply->nelement) return pl_cursor_fail(ply->c, "expected an element before its properties");
  if (ply->nproperty == MAX_PROPERTIES)
    return pl_cursor_fail(ply->c, "more than %d properties", MAX_PROPERTIES);
  Element* element = &ply->element[ply->nelement - 1];
  Property property = {0};
  plCursor ahead = *ply->c;
  plStatus status = PL_OK;
  if (pl_cursor_word_in_line(&ahead, &word, &length) && pl_word_is(word, length, "list")) {
    *ply->c = ahead;
    status = read_type(ply, &property.count_type);
    if (!status && pl_number_is_real(property.count_type))
      status = pl_cursor_fail(ply->c, "the length of a list cannot have a fraction");
  }
  if (!status) status = read_type(ply, &property.type);
  if (status) return status;
  if (!pl_cursor_word_in_line(ply->c, &word, &length))
    return pl_cursor_fail(ply->c, "expected the name of a property");
  // The properties that are used.
  bool single = !property.count_type;
  if (element->vertex && single && length == 1 && word[0] >= 'x' && word[0] <= 'z')
    property.role = (Role)(X + (word[0] - 'x'));
  if (element->face && !single &&
      (pl_word_is(word, length, "vertex_indices") || pl_word_is(word, length, "vertex_index")))
    property.role = CORNERS;
  ply->property[ply->nproperty++] = property;
  element->nproperty++;
  return PL_OK;
}

static plStatus read_header(Ply* ply) {
  const char* word;
  size_t length;
  plCursor* c = ply->c;
  bool have_format = false;
  plStatus status = PL_OK;
  if (!pl_cursor_word(c, &word, &length) || !pl_word_is(word, length, "ply"))
    return pl_cursor_fail(c, "expected 'ply' at the start: this is not a PLY file");
  for (pl_cursor_skip_line(c); !status; pl_cursor_skip_line(c)) {
    if (!pl_cursor_word(c, &word, &length))
      return pl_cursor_fail(c, "the file ends where 'end_header' was expected");
    if (pl_word_is(word, length, "end_header")) break;
    if (pl_word_is(word, length, "format"))
      status = read_format(ply), have_format = true;
    else if (pl_word_is(word, length, "element"))
      status = read_element(ply);
    else if (pl_word_is(word, length, "property"))
      status = read_property(ply);
    else if (!pl_word_is(word, length, "comment") && !pl_word_is(word, length, "obj_info"))
      status = pl_cursor_fail(c, "expected format, comment, element, property or end_header");
  }
  if (!status && !have_format) status = pl_cursor_fail(c, "expected a line 'format ...' before 'end_header'");
  pl_cursor_skip_line(c);
  return status;
}

// ---- body

static plStatus read_one(Ply* ply, const Element* element, double x[3]) {
  plStatus status = PL_OK;
  for (int i = element->first; !status && i < element->first + element->nproperty; i++) {
    const Property* property = &ply->property[i];
    long long n = 1;
    if (property->count_type)
      status = pl_cursor_count(ply->c, property->count_type, "the length of a list", &n);
    if (status) return status;
    if (property->role == CORNERS && n < 3)
      status = pl_cursor_fail(ply->c, "a face has %lld corners, expected at least 3", n);
    else if (property->role == CORNERS)
      status = pl_builder_read_polygon(ply->b, ply->c, property->type, n, 0, ply->nvert);
    else if (property->role == OTHER)
      status = pl_cursor_skip(ply->c, property->type, "a property", n);
    else
      status = pl_cursor_real(ply->c, property->type, "a coordinate of a vertex", &x[property->role - X]);
  }
  return status;
}

static plStatus read_elements(Ply* ply, const Element* element) {
  bool have[CORNERS + 1] = {false};
  for (int i = element->first; i < element->first + element->nproperty; i++)
    have[ply->property[i].role] = true;
  if (element->vertex && !(have[X] && have[Y] && have[Z]))
    return pl_cursor_fail(ply->c, "expected the properties x, y and z of the vertices");
  if (element->face && !have[CORNERS])
    return pl_cursor_fail(ply->c, "expected the list vertex_indices among the properties of the faces");
  // Elements without properties take no space in the file, however many there are.
  plStatus status = PL_OK;
  for (long long k = 0; !status && element->nproperty && k < element->n; k++) {
    double x[3] = {0, 0, 0};
    status = read_one(ply, element, x);
    if (!status && element->vertex) status = pl_builder_vertex(ply->b, ply->c, x);
  }
  return status;
}

plStatus pl_read_ply(plCursor* c, plMeshBuilder* b) {
  Ply ply = {.c = c, .b = b};
  plStatus status = read_header(&ply);
  c->binary = ply.binary && !status;
  c->swap = ply.swap;
  for (int i = 0; !status && i < ply.nelement; i++) status = read_elements(&ply, &ply.element[i]);
  return status ? status : pl_cursor_end(c, "elements");
}
