// yaml.h: YAML text as a small tree with marks, built from libyaml's events.
//
// One tree owns the nodes of any number of files, so that an included file's nodes can be inserted into
// another's. Aliases are copied (each copy can be changed independently), within the limits below, so that no
// small file grows into a large tree. Keys are plain scalars, a repeated key is an error, tags and several
// documents are refused.
#ifndef PL_INPUT_YAML_H
#define PL_INPUT_YAML_H

#include <stdbool.h>

#include "base/memory.h"
#include "pliant/types.h"

enum {
  PL_YAML_MAX_BYTES = 16 << 20,  // of one file
  PL_YAML_MAX_NODES = 400000,    // of a tree, aliases counted each time
  PL_YAML_MAX_DEPTH = 32,
  PL_YAML_MAX_KEYS = 256,     // of one map
  PL_YAML_MAX_ANCHORS = 1000  // of one file
};

typedef enum plYamlKind { PL_YAML_SCALAR, PL_YAML_LIST, PL_YAML_MAP } plYamlKind;

// Where a node was written.
typedef struct plYamlSource {
  const char* name;    // of the file, for errors
  const char* folder;  // where its relative paths start
} plYamlSource;

typedef struct plYaml plYaml;
struct plYaml {
  plYamlKind kind;
  bool quoted;       // a scalar in quotes or as a block
  int line, column;  // 1-based; 0: not from a file
  const plYamlSource* source;
  const char* text;  // of a scalar, else NULL
  const char* key;   // of an entry of a map, else NULL
  int key_line, key_column;
  int nchild;
  plYaml *first, *last, *next, *parent;
};

typedef struct plYamlTree {
  plArena arena;
  int nnode;
} plYamlTree;

void pl_yaml_init(plYamlTree* tree);
void pl_yaml_free(plYamlTree* tree);

// name and folder are copied; NULL if memory runs out.
const plYamlSource* pl_yaml_source(plYamlTree* tree, const char* name, const char* folder);
const char* pl_yaml_text(plYamlTree* tree, const char* text, size_t length);

// The tree of a text. An empty text is an empty scalar.
plStatus pl_yaml_parse(plYamlTree* tree, const plYamlSource* source, const char* text, size_t size,
                       plYaml** root, plError* error);

// The entry of a map, or NULL.
plYaml* pl_yaml_get(const plYaml* map, const char* key);
// The i-th child, or NULL.
plYaml* pl_yaml_at(const plYaml* list, int i);

// The name of a node in overrides, or of its entry `key` (NULL: itself): "deformables.bear.material".
void pl_yaml_path(const plYaml* node, const char* key, char* path, size_t size);

// A node without children, NULL if memory runs out.
plYaml* pl_yaml_new(plYamlTree* tree, plYamlKind kind, const plYamlSource* source);
void pl_yaml_append(plYaml* parent, plYaml* child);
// Replaces the entry old of parent by child, which gets old's key.
void pl_yaml_replace(plYaml* parent, const plYaml* old, plYaml* child);

// ---- scalars, whatever the locale

// A decimal number; "inf", ".inf", "infinite" with a sign count too. False if the text is anything else or
// too large for a double.
bool pl_yaml_number(const plYaml* node, double* value);
bool pl_yaml_int(const plYaml* node, int* value);
bool pl_yaml_bool(const plYaml* node, bool* value);
// A plain scalar without a value: empty, "~", "null".
bool pl_yaml_is_null(const plYaml* node);

#endif
