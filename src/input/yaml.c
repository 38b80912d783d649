// yaml.c: builds a tree with marks from libyaml's events (yaml.h). Every limit is checked before memory is
// allocated.
#include "input/yaml.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/error.h"

// An anchor; open while its node is still being read (an alias to it would contain itself).
typedef struct Anchor {
  const char* name;
  plYaml* node;
  bool open;
} Anchor;

// A collection that is being read.
typedef struct Frame {
  plYaml* node;
  int anchor;       // to be closed at its end, -1: none
  const char* key;  // of a map: read, its value still to come
  int key_line, key_column;
} Frame;

typedef struct Builder {
  plYamlTree* tree;
  const plYamlSource* source;
  plError* error;
  plYaml* root;
  Frame stack[PL_YAML_MAX_DEPTH];
  int depth;
  Anchor* anchor;  // [nanchor]
  int nanchor, capanchor;
} Builder;

// ---- nodes

void pl_yaml_init(plYamlTree* tree) {
  pl_arena_init(&tree->arena);
  tree->nnode = 0;
}

void pl_yaml_free(plYamlTree* tree) { pl_arena_free(&tree->arena); }

const char* pl_yaml_text(plYamlTree* tree, const char* text, size_t length) {
  char* copy = PL_ARENA_NEW(&tree->arena, char, length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

const plYamlSource* pl_yaml_source(plYamlTree* tree, const char* name, const char* folder) {
  plYamlSource* source = PL_ARENA_NEW(&tree->arena, plYamlSource, 1);
  if (!source) return NULL;
  source->name = pl_yaml_text(tree, name, strlen(name));
  source->folder = pl_yaml_text(tree, folder, strlen(folder));
  return source->name && source->folder ? source : NULL;
}

plYaml* pl_yaml_new(plYamlTree* tree, plYamlKind kind, const plYamlSource* source) {
  plYaml* node = PL_ARENA_NEW(&tree->arena, plYaml, 1);
  if (!node) return NULL;
  *node = (plYaml){.kind = kind, .source = source};
  tree->nnode++;
  return node;
}

void pl_yaml_append(plYaml* parent, plYaml* child) {
  if (parent->last)
    parent->last->next = child;
  else
    parent->first = child;
  parent->last = child;
  child->next = NULL;
  child->parent = parent;
  parent->nchild++;
}

void pl_yaml_replace(plYaml* parent, const plYaml* old, plYaml* child) {
  child->key = old->key;
  child->key_line = old->key_line;
  child->key_column = old->key_column;
  child->next = old->next;
  child->parent = parent;
  plYaml** link = &parent->first;
  while (*link != old) link = &(*link)->next;
  *link = child;
  if (parent->last == old) parent->last = child;
}

// Adds ".step", or "step" at the beginning.
static void add_step(char* path, size_t size, const char* step) {
  size_t n = strlen(path);
  snprintf(path + n, size - n, "%s%s", n ? "." : "", step);
}

void pl_yaml_path(const plYaml* node, const char* key, char* path, size_t size) {
  if (node->parent) {
    const plYaml* name = pl_yaml_get(node, "name");
    char index[16];
    int i = 0;
    for (const plYaml* c = node->parent->first; c && c != node; c = c->next) i++;
    snprintf(index, sizeof index, "%d", i);
    pl_yaml_path(node->parent, NULL, path, size);
    add_step(path, size, node->key ? node->key : name && name->text ? name->text : index);
  } else {
    path[0] = 0;
  }
  if (key) add_step(path, size, key);
}

plYaml* pl_yaml_get(const plYaml* map, const char* key) {
  if (!map || map->kind != PL_YAML_MAP) return NULL;
  for (plYaml* child = map->first; child; child = child->next)
    if (!strcmp(child->key, key)) return child;
  return NULL;
}

plYaml* pl_yaml_at(const plYaml* list, int i) {
  plYaml* child = list->first;
  while (child && i-- > 0) child = child->next;
  return child;
}

// ---- events to nodes

static plStatus fail_mark(const Builder* b, plStatus status, yaml_mark_t mark, const char* message) {
  return pl_fail_at(b->error, status, b->source->name, (int)mark.line + 1, (int)mark.column + 1, "%s",
                    message);
}

// Refuses to grow beyond the limit on nodes.
static plStatus check_room(const Builder* b, yaml_mark_t mark, int extra) {
  if (b->tree->nnode + extra <= PL_YAML_MAX_NODES) return PL_OK;
  return pl_fail_at(
      b->error, PL_ERROR_TOO_LARGE, b->source->name, (int)mark.line + 1, (int)mark.column + 1,
      "the scene holds more than %d values (aliases count each time); put large tables into a mesh file",
      PL_YAML_MAX_NODES);
}

// Adds a finished scalar or a new collection to the node that is being read.
static plStatus attach(Builder* b, plYaml* node, yaml_mark_t mark) {
  if (!b->depth) {
    b->root = node;
    return PL_OK;
  }
  Frame* frame = &b->stack[b->depth - 1];
  if (frame->node->kind == PL_YAML_MAP) {
    if (frame->node->nchild >= PL_YAML_MAX_KEYS)
      return fail_mark(b, PL_ERROR_TOO_LARGE, mark, "this map has more than 256 keys; use a list instead");
    node->key = frame->key;
    node->key_line = frame->key_line;
    node->key_column = frame->key_column;
    frame->key = NULL;
  }
  pl_yaml_append(frame->node, node);
  return PL_OK;
}

// The scalar is the next key of the map on top of the stack.
static plStatus take_key(Builder* b, const yaml_event_t* event) {
  Frame* frame = &b->stack[b->depth - 1];
  const char* text = (const char*)event->data.scalar.value;
  const plYaml* before = pl_yaml_get(frame->node, text);
  if (before)
    return pl_fail_at(b->error, PL_ERROR_INPUT, b->source->name, (int)event->start_mark.line + 1,
                      (int)event->start_mark.column + 1,
                      "the key '%.64s' is given twice (first in line %d); remove one of them", text,
                      before->key_line);
  frame->key = pl_yaml_text(b->tree, text, event->data.scalar.length);
  if (!frame->key) return pl_fail_out_of_memory(b->error, event->data.scalar.length);
  frame->key_line = (int)event->start_mark.line + 1;
  frame->key_column = (int)event->start_mark.column + 1;
  return PL_OK;
}

static bool expects_key(const Builder* b) {
  return b->depth && b->stack[b->depth - 1].node->kind == PL_YAML_MAP && !b->stack[b->depth - 1].key;
}

// Remembers an anchor; *index gets its index, or -1 if there is no name.
static plStatus add_anchor(Builder* b, const yaml_char_t* name, plYaml* node, bool open, yaml_mark_t mark,
                           int* index) {
  *index = -1;
  if (!name) return PL_OK;
  if (b->nanchor >= PL_YAML_MAX_ANCHORS)
    return fail_mark(b, PL_ERROR_TOO_LARGE, mark, "more than 1000 anchors in one file");
  Anchor anchor = {pl_yaml_text(b->tree, (const char*)name, strlen((const char*)name)), node, open};
  if (!anchor.name || !PL_PUSH(b->anchor, b->nanchor, b->capanchor, anchor))
    return pl_fail_out_of_memory(b->error, sizeof anchor);
  *index = b->nanchor - 1;
  return PL_OK;
}

static plYaml* new_node(Builder* b, plYamlKind kind, yaml_mark_t mark) {
  plYaml* node = pl_yaml_new(b->tree, kind, b->source);
  if (node) node->line = (int)mark.line + 1, node->column = (int)mark.column + 1;
  return node;
}

static plStatus take_scalar(Builder* b, const yaml_event_t* event) {
  size_t length = event->data.scalar.length;
  const char* text = (const char*)event->data.scalar.value;
  if (event->data.scalar.tag)
    return fail_mark(b, PL_ERROR_INPUT, event->start_mark, "tags (!...) are not supported; remove it");
  if (memchr(text, 0, length))
    return fail_mark(b, PL_ERROR_INPUT, event->start_mark, "zero bytes are not supported; remove it");
  if (expects_key(b)) {
    if (event->data.scalar.anchor)
      return fail_mark(b, PL_ERROR_INPUT, event->start_mark, "an anchor on a key has no use; remove it");
    return take_key(b, event);
  }
  plStatus status = check_room(b, event->start_mark, 1);
  if (status) return status;
  plYaml* node = new_node(b, PL_YAML_SCALAR, event->start_mark);
  if (!node || !(node->text = pl_yaml_text(b->tree, text, length)))
    return pl_fail_out_of_memory(b->error, length);
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  int anchor;
  status = add_anchor(b, event->data.scalar.anchor, node, false, event->start_mark, &anchor);
  return status ? status : attach(b, node, event->start_mark);
}

static plStatus open_collection(Builder* b, plYamlKind kind, const yaml_char_t* name, const yaml_char_t* tag,
                                yaml_mark_t mark) {
  if (tag) return fail_mark(b, PL_ERROR_INPUT, mark, "tags (!...) are not supported; remove it");
  if (expects_key(b)) return fail_mark(b, PL_ERROR_INPUT, mark, "a key must be a word, not a list or a map");
  if (b->depth >= PL_YAML_MAX_DEPTH)
    return fail_mark(b, PL_ERROR_TOO_LARGE, mark, "more than 32 levels of lists and maps");
  plStatus status = check_room(b, mark, 1);
  if (status) return status;
  plYaml* node = new_node(b, kind, mark);
  if (!node) return pl_fail_out_of_memory(b->error, sizeof *node);
  int anchor;
  status = add_anchor(b, name, node, true, mark, &anchor);
  if (!status) status = attach(b, node, mark);
  if (!status) b->stack[b->depth++] = (Frame){.node = node, .anchor = anchor};
  return status;
}

static void close_collection(Builder* b) {
  assert(b->depth > 0);
  Frame* frame = &b->stack[--b->depth];
  if (frame->anchor >= 0) b->anchor[frame->anchor].open = false;
}

// Nodes of a subtree and its depth, never deeper than PL_YAML_MAX_DEPTH.
static int count_nodes(const plYaml* node, int* depth) {
  int count = 1, deepest = 0;
  for (const plYaml* child = node->first; child; child = child->next) {
    int below;
    count += count_nodes(child, &below);
    if (below > deepest) deepest = below;
  }
  *depth = deepest + (node->kind != PL_YAML_SCALAR);
  return count;
}

static plYaml* copy_node(plYamlTree* tree, const plYaml* node) {
  plYaml* copy = pl_yaml_new(tree, node->kind, node->source);
  if (!copy) return NULL;
  copy->quoted = node->quoted;
  copy->line = node->line, copy->column = node->column;
  copy->text = node->text;
  for (const plYaml* child = node->first; child; child = child->next) {
    plYaml* below = copy_node(tree, child);
    if (!below) return NULL;
    below->key = child->key, below->key_line = child->key_line, below->key_column = child->key_column;
    pl_yaml_append(copy, below);
  }
  return copy;
}

// An alias becomes a copy of the node that it names.
static plStatus take_alias(Builder* b, const yaml_event_t* event) {
  yaml_mark_t mark = event->start_mark;
  const char* name = (const char*)event->data.alias.anchor;
  if (expects_key(b)) return fail_mark(b, PL_ERROR_INPUT, mark, "a key must be a word, not an alias");
  int i = b->nanchor - 1;
  while (i >= 0 && strcmp(b->anchor[i].name, name)) i--;
  if (i < 0)
    return pl_fail_at(b->error, PL_ERROR_INPUT, b->source->name, (int)mark.line + 1, (int)mark.column + 1,
                      "the alias *%.64s names no anchor above; write &%.64s before the value that is meant",
                      name, name);
  if (b->anchor[i].open)
    return fail_mark(b, PL_ERROR_INPUT, mark, "this alias is inside the value that it names");
  int depth, count = count_nodes(b->anchor[i].node, &depth);
  if (b->depth + depth > PL_YAML_MAX_DEPTH)
    return fail_mark(b, PL_ERROR_TOO_LARGE, mark, "more than 32 levels of lists and maps");
  plStatus status = check_room(b, mark, count);
  if (status) return status;
  plYaml* copy = copy_node(b->tree, b->anchor[i].node);
  return copy ? attach(b, copy, mark) : pl_fail_out_of_memory(b->error, (size_t)count * sizeof *copy);
}

static plStatus take_event(Builder* b, const yaml_event_t* event) {
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
      if (b->root)
        return fail_mark(b, PL_ERROR_INPUT, event->start_mark,
                         "one document per file is expected; remove this one");
      return PL_OK;
    case YAML_SCALAR_EVENT:
      return take_scalar(b, event);
    case YAML_ALIAS_EVENT:
      return take_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
      return open_collection(b, PL_YAML_LIST, event->data.sequence_start.anchor,
                             event->data.sequence_start.tag, event->start_mark);
    case YAML_MAPPING_START_EVENT:
      return open_collection(b, PL_YAML_MAP, event->data.mapping_start.anchor, event->data.mapping_start.tag,
                             event->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      close_collection(b);
      return PL_OK;
    default:
      return PL_OK;
  }
}

// ---- errors of libyaml

// What to do about libyaml's messages, each recognised by a part of it.
static const struct {
  const char *problem, *remedy;
} remedies[] = {
    {"unexpected end of stream", "close the quote"},
    {"expected ',' or ']'", "close the list with ] and separate its entries by commas"},
    {"expected ',' or '}'", "close the map with } and separate its entries by commas"},
    {"could not find expected ':'", "write `key: value`, with a space after the colon"},
    {"mapping values are not allowed",
     "indent all keys of a map equally, and put a text that contains a colon in quotes"},
    {"did not find expected key", "indent all keys of a map equally, and close quotes, [ and {"},
    {"did not find expected '-'", "indent all entries of a list equally and begin each with `- `"},
    {"block sequence entries", "begin a list on a line of its own"},
    {"expected node content", "remove the comma without a value"},
    {"unknown escape character", "use single quotes, in which \\ has no special meaning"},
    {"cannot start any token", "put the text in quotes"},
    {"expected alphabetic or numeric", "put a text that begins with * or & in quotes"},
    {"expected hexdecimal number", "use single quotes, in which \\ has no special meaning"},
    {"UTF-8", "save the file as text in UTF-8"},
    {"control characters", "save the file as text in UTF-8"},
    {"expected <document start>", "begin all keys of the scene at the first character of their lines"},
};

// Whether a line (counted from 1) has a tab among the blanks at its beginning.
static bool begins_with_tab(const char* text, size_t size, int line) {
  size_t i = 0;
  for (int n = 1; n < line && i < size; i++) n += text[i] == '\n';
  while (i < size && text[i] == ' ') i++;
  return i < size && text[i] == '\t';
}

static const char* remedy_of(const char* problem, const char* text, size_t size, int line) {
  if (begins_with_tab(text, size, line)) return "indent with spaces, not tabs";
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
    if (strstr(problem, remedies[i].problem)) return remedies[i].remedy;
  return NULL;
}

// An error from libyaml's message; encoding errors have an offset instead of a mark.
static plStatus fail_libyaml(const Builder* b, const yaml_parser_t* parser, const char* text, size_t size) {
  if (parser->error == YAML_MEMORY_ERROR) return pl_fail_out_of_memory(b->error, size);
  int line = (int)parser->problem_mark.line + 1, column = (int)parser->problem_mark.column + 1;
  if (parser->error == YAML_READER_ERROR) {
    line = column = 1;
    for (size_t i = 0; i < parser->problem_offset && i < size; i++) {
      if (text[i] == '\n')
        line++, column = 1;
      else
        column++;
    }
  }
  const char *problem = parser->problem ? parser->problem : "unknown problem", *context = parser->context,
             *remedy = remedy_of(problem, text, size, line);
  // where the list, the map or the quote begins that the problem is in
  int begin = (int)parser->context_mark.line + 1;
  char since[48] = "";
  if (context && parser->error != YAML_READER_ERROR && begin < line)
    snprintf(since, sizeof since, " that begins in line %d", begin);
  return pl_fail_at(b->error, PL_ERROR_INPUT, b->source->name, line, column,
                    "this is not valid YAML: %s%s%s%s%s%s", problem, context ? " " : "",
                    context ? context : "", since, remedy ? "; " : "", remedy ? remedy : "");
}

plStatus pl_yaml_parse(plYamlTree* tree, const plYamlSource* source, const char* text, size_t size,
                       plYaml** root, plError* error) {
  *root = NULL;
  if (size > PL_YAML_MAX_BYTES)
    return pl_fail_at(error, PL_ERROR_TOO_LARGE, source->name, 0, 0,
                      "the file has %.1f MB; at most %d MB are read", (double)size / 1e6,
                      PL_YAML_MAX_BYTES >> 20);
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) return pl_fail_out_of_memory(error, sizeof parser);
  yaml_parser_set_input_string(&parser, (const unsigned char*)text, size);
  Builder b = {.tree = tree, .source = source, .error = error};
  plStatus status = PL_OK;
  for (bool end = false; !end && !status;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      status = fail_libyaml(&b, &parser, text, size);
      break;
    }
    end = event.type == YAML_STREAM_END_EVENT;
    status = take_event(&b, &event);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  pl_free(b.anchor);
  if (status) return status;

  // An empty file is an empty scalar.
  if (!b.root) {
    b.root = pl_yaml_new(tree, PL_YAML_SCALAR, source);
    if (!b.root) return pl_fail_out_of_memory(error, sizeof *b.root);
    b.root->text = "";
    b.root->line = b.root->column = 1;
  }
  *root = b.root;
  return PL_OK;
}
