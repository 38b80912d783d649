// xml.c: builds a tree from expat's events.
#include "input/xml.h"

#include <assert.h>
#include <expat.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

// ---- building

typedef struct Builder {
  plXmlTree* tree;
  XML_Parser parser;
  const char* file;
  plXml *root, *open;
  int depth;
  char* text;  // character data of the open elements, one after another
  int ntext, text_cap;
  int* mark;  // [depth] beginning of each
  int nmark, mark_cap;
  const char* refuse;  // why reading the document was stopped
  bool memory;
} Builder;

void pl_xml_init(plXmlTree* tree) {
  pl_arena_init(&tree->arena);
  tree->nitem = 0;
  tree->max_bytes = PL_XML_MAX_BYTES;
}
void pl_xml_free(plXmlTree* tree) { pl_arena_free(&tree->arena); }

const char* pl_xml_keep(plXmlTree* tree, const char* text, size_t length) {
  char* copy = pl_arena_alloc(&tree->arena, length + 1, 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static void stop(Builder* b, const char* refuse) {
  b->refuse = refuse;
  b->memory = !refuse;
  XML_StopParser(b->parser, XML_FALSE);
}

static bool add_attributes(Builder* b, plXml* node, const char** attrs) {
  plXmlAttr** at = &node->attr;
  for (; attrs[0]; attrs += 2, b->tree->nitem++) {
    plXmlAttr* a = PL_ARENA_NEW(&b->tree->arena, plXmlAttr, 1);
    if (!a) return false;
    *a = (plXmlAttr){.name = pl_xml_keep(b->tree, attrs[0], strlen(attrs[0])),
                     .value = pl_xml_keep(b->tree, attrs[1], strlen(attrs[1]))};
    if (!a->name || !a->value) return false;
    *at = a;
    at = &a->next;
  }
  return true;
}

static void start_element(void* user, const char* name, const char** attrs) {
  Builder* b = user;
  if (b->refuse || b->memory) return;
  if (++b->depth > PL_XML_MAX_DEPTH) {
    stop(b, "elements are nested too deeply");
    return;
  }
  if (++b->tree->nitem > PL_XML_MAX_ITEMS) {
    stop(b, "it has more than a million elements and attributes");
    return;
  }
  plXml* node = PL_ARENA_NEW(&b->tree->arena, plXml, 1);
  if (!node) {
    stop(b, NULL);
    return;
  }
  *node = (plXml){.name = pl_xml_keep(b->tree, name, strlen(name)),
                  .text = "",
                  .file = b->file,
                  .parent = b->open,
                  .line = (int)XML_GetCurrentLineNumber(b->parser)};
  if (!node->name || !add_attributes(b, node, attrs) || !PL_PUSH(b->mark, b->nmark, b->mark_cap, b->ntext)) {
    stop(b, NULL);
    return;
  }
  if (!b->open)
    b->root = node;
  else if (b->open->last)
    b->open->last->next = node;
  else
    b->open->child = node;
  if (b->open) b->open->last = node;
  b->open = node;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void end_element(void* user, const char* name) {
  (void)name;
  Builder* b = user;
  if (b->refuse || b->memory || !b->open) return;
  assert(b->nmark > 0);
  int begin = b->mark[--b->nmark], first = begin, last = b->ntext;
  while (first < last && blank(b->text[first])) first++;
  while (first < last && blank(b->text[last - 1])) last--;
  if (last > first && !(b->open->text = pl_xml_keep(b->tree, b->text + first, (size_t)(last - first))))
    stop(b, NULL);
  b->ntext = begin;
  b->open = b->open->parent;
  b->depth--;
}

static void characters(void* user, const char* text, int length) {
  Builder* b = user;
  if (b->refuse || b->memory) return;
  for (int i = 0; i < length; i++)
    if (!PL_PUSH(b->text, b->ntext, b->text_cap, text[i])) {
      stop(b, NULL);
      return;
    }
}

static void entity_declared(void* user, const XML_Char* name, int is_parameter, const XML_Char* value,
                            int length, const XML_Char* base, const XML_Char* system,
                            const XML_Char* public_id, const XML_Char* notation) {
  (void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public_id,
      (void)notation;
  stop(user, "it declares entities, which are not read; write their text instead");
}

// Some files have empty lines before their declaration, or zeros at the end: everything before the
// declaration becomes empty lines.
static enum XML_Status parse_text(XML_Parser parser, const char* text, size_t size) {
  size_t first = 0;
  bool wide = size > 1 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2));  // UTF-16
  while (!wide && size && (blank(text[size - 1]) || !text[size - 1])) size--;
  while (first < size && blank(text[first])) first++;
  bool late = first && size - first > 5 && !memcmp(text + first, "<?xml", 5);
  size_t rest = first;
  while (late && rest < size && text[rest] != '>') rest++;
  if (!late || rest == size) return XML_Parse(parser, text, (int)size, XML_TRUE);
  rest++;
  for (size_t i = 0; i < rest; i++)
    if (text[i] == '\n' && XML_Parse(parser, "\n", 1, XML_FALSE) != XML_STATUS_OK) return XML_STATUS_ERROR;
  return XML_Parse(parser, text + rest, (int)(size - rest), XML_TRUE);
}

plStatus pl_xml_parse(plXmlTree* tree, const char* file, const char* text, size_t size, plXml** root,
                      plError* error) {
  *root = NULL;
  if (size > tree->max_bytes)
    return pl_fail_at(error, PL_ERROR_TOO_LARGE, file, 0, 0, "the file has %zu bytes, at most %zu are read",
                      size, tree->max_bytes);
  Builder b = {.tree = tree, .parser = XML_ParserCreate(NULL), .file = pl_xml_keep(tree, file, strlen(file))};
  plStatus status = PL_OK;
  if (!b.parser || !b.file) {
    if (b.parser) XML_ParserFree(b.parser);
    return pl_fail_out_of_memory(error, size);
  }
  XML_SetUserData(b.parser, &b);
  XML_SetElementHandler(b.parser, start_element, end_element);
  XML_SetCharacterDataHandler(b.parser, characters);
  XML_SetEntityDeclHandler(b.parser, entity_declared);
  if (parse_text(b.parser, text, size) != XML_STATUS_OK || b.refuse || b.memory) {
    int line = (int)XML_GetCurrentLineNumber(b.parser),
        column = (int)XML_GetCurrentColumnNumber(b.parser) + 1;
    if (b.memory || XML_GetErrorCode(b.parser) == XML_ERROR_NO_MEMORY)
      status = pl_fail_out_of_memory(error, size);
    else if (b.refuse)
      status = pl_fail_at(error, PL_ERROR_INPUT, file, line, column, "the file is not read: %s", b.refuse);
    else if (XML_GetErrorCode(b.parser) == XML_ERROR_NO_ELEMENTS)
      status = pl_fail_at(error, PL_ERROR_INPUT, file, line, column,
                          "this is not valid XML: the file ends before its elements are closed");
    else
      status = pl_fail_at(error, PL_ERROR_INPUT, file, line, column, "this is not valid XML: %s",
                          XML_ErrorString(XML_GetErrorCode(b.parser)));
  }
  XML_ParserFree(b.parser);
  pl_free(b.text);
  pl_free(b.mark);
  if (!status) *root = b.root, b.root->used = true;
  return status;
}

// ---- queries

static plXml* first_named(plXml* node, const char* name) {
  for (; node; node = node->next)
    if (!strcmp(node->name, name)) {
      node->used = true;
      return node;
    }
  return NULL;
}

plXml* pl_xml_child(const plXml* node, const char* name) { return first_named(node->child, name); }
plXml* pl_xml_next(const plXml* node) { return first_named(node->next, node->name); }

const char* pl_xml_attr(const plXml* node, const char* name) {
  for (plXmlAttr* a = node->attr; a; a = a->next)
    if (!strcmp(a->name, name)) {
      a->used = true;
      return a->value;
    }
  return NULL;
}

const char* pl_xml_child_text(const plXml* node, const char* name) {
  const plXml* child = pl_xml_child(node, name);
  return child ? child->text : NULL;
}

void pl_xml_use_all(const plXml* node) {
  ((plXml*)node)->used = true;
  for (plXmlAttr* a = node->attr; a; a = a->next) a->used = true;
  for (const plXml* c = node->child; c; c = c->next) pl_xml_use_all(c);
}

plStatus pl_xml_fail(const plXml* node, plError* error, const char* format, ...) {
  char message[768];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return pl_fail_at(error, PL_ERROR_INPUT, node->file, node->line, 0, "%s", message);
}

// ---- numbers

// strtod with a point, whatever the program's locale
static locale_t plain_locale;
static pthread_once_t plain_once = PTHREAD_ONCE_INIT;
static void make_locale(void) { plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

plStatus pl_xml_numbers(const plXml* node, const char* text, const char* what, double* value, int least,
                        int n, int* count, plError* error) {
  pthread_once(&plain_once, make_locale);
  int found = 0;
  const char* p = text;
  for (;;) {
    while (blank(*p)) p++;
    if (!*p) break;
    char* end;
    double x = plain_locale ? strtod_l(p, &end, plain_locale) : strtod(p, &end);
    if (end == p || (*end && !blank(*end)) || isnan(x))
      return pl_xml_fail(node, error, "%s of <%s> must be numbers separated by blanks, got '%.60s'", what,
                         node->name, text);
    if (found == n)
      return pl_xml_fail(node, error, "%s of <%s> must have %d numbers, got more: '%.60s'", what, node->name,
                         n, text);
    value[found++] = x;
    p = end;
  }
  if (found < least)
    return pl_xml_fail(node, error, "%s of <%s> must have %s%d number%s, got %d: '%.60s'", what, node->name,
                       least < n ? "at least " : "", least, least == 1 ? "" : "s", found, text);
  if (count) *count = found;
  return PL_OK;
}

plStatus pl_xml_number_attr(const plXml* node, const char* name, double* value, plError* error) {
  const char* text = pl_xml_attr(node, name);
  return text ? pl_xml_numbers(node, text, name, value, 1, 1, NULL, error) : PL_OK;
}

plStatus pl_xml_vec3_attr(const plXml* node, const char* name, plVec3* value, plError* error) {
  const char* text = pl_xml_attr(node, name);
  double x[3];
  if (!text) return PL_OK;
  plStatus status = pl_xml_numbers(node, text, name, x, 3, 3, NULL, error);
  if (!status) *value = (plVec3){x[0], x[1], x[2]};
  return status;
}

plStatus pl_xml_bool(const plXml* node, const char* text, bool* value, plError* error) {
  if (!strcmp(text, "true") || !strcmp(text, "1"))
    *value = true;
  else if (!strcmp(text, "false") || !strcmp(text, "0"))
    *value = false;
  else
    return pl_xml_fail(node, error, "<%s> must be true or false, got '%.40s'", node->name, text);
  return PL_OK;
}

// ---- unused nodes

typedef struct Kinds {
  const plXml** node;
  const plXmlAttr** attr;
  int n, node_cap, attr_cap;
  bool failed;  // memory ran out
} Kinds;

static bool same_kind(const plXml* a, const plXmlAttr* aa, const plXml* b, const plXmlAttr* ba) {
  if (!aa != !ba || strcmp(a->name, b->name)) return false;
  if (aa) return !strcmp(aa->name, ba->name);
  const char *pa = a->parent ? a->parent->name : "", *pb = b->parent ? b->parent->name : "";
  return !strcmp(pa, pb);
}

static void tell(Kinds* kinds, const plXml* node, const plXmlAttr* attr, plXmlFound* found, void* user) {
  for (int i = 0; i < kinds->n; i++)
    if (same_kind(kinds->node[i], kinds->attr[i], node, attr)) return;
  int n = kinds->n;
  kinds->failed = kinds->failed || !PL_PUSH(kinds->node, n, kinds->node_cap, node) ||
                  !PL_PUSH(kinds->attr, kinds->n, kinds->attr_cap, attr);
  if (!kinds->failed) found(user, node, attr);
}

static void visit(Kinds* kinds, const plXml* node, plXmlFound* found, void* user) {
  if (kinds->n > 200 || kinds->failed) return;
  if (!node->used) {
    tell(kinds, node, NULL, found, user);
    return;
  }
  for (const plXmlAttr* a = node->attr; a; a = a->next)
    if (!a->used && strncmp(a->name, "xmlns", 5)) tell(kinds, node, a, found, user);
  for (const plXml* c = node->child; c; c = c->next) visit(kinds, c, found, user);
}

bool pl_xml_unused(const plXml* root, plXmlFound* found, void* user) {
  Kinds kinds = {0};
  visit(&kinds, root, found, user);
  pl_free(kinds.node);
  pl_free(kinds.attr);
  return !kinds.failed;
}
