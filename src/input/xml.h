// xml.h: XML text as a small tree with line numbers, built from expat's events.
//
// Nodes and attributes remember whether a reader used them; unused ones are reported to the user
// (pl_xml_unused). A document's own entities are refused, so that no small file grows into a large tree.
#ifndef PL_INPUT_XML_H
#define PL_INPUT_XML_H

#include <stdbool.h>

#include "base/memory.h"
#include "pliant/types.h"

enum {
  PL_XML_MAX_BYTES = 16 << 20,  // of one file
  PL_XML_MAX_DEPTH = 200,
  PL_XML_MAX_ITEMS = 1000000  // elements and attributes of a tree
};

typedef struct plXmlAttr plXmlAttr;
struct plXmlAttr {
  const char *name, *value;
  bool used;
  plXmlAttr* next;
};

typedef struct plXml plXml;
struct plXml {
  const char* name;
  const char* text;  // all character data of the element itself, trimmed; never NULL
  const char* file;  // where it was written
  int line;          // 1-based
  bool used;
  const void* scope;  // for its reader's own use, NULL at first
  plXmlAttr* attr;    // in the order of the file
  plXml *parent, *child, *last, *next;
};

// Nodes of any number of files (an included file's nodes can be inserted into another's).
typedef struct plXmlTree {
  plArena arena;
  int nitem;
  size_t max_bytes;  // of one file; PL_XML_MAX_BYTES unless the reader changes it
} plXmlTree;

void pl_xml_init(plXmlTree* tree);
void pl_xml_free(plXmlTree* tree);
// A copy of a text that lives as long as the tree; NULL if memory runs out.
const char* pl_xml_keep(plXmlTree* tree, const char* text, size_t length);

// The root element of a text; file is copied and appears in errors.
plStatus pl_xml_parse(plXmlTree* tree, const char* file, const char* text, size_t size, plXml** root,
                      plError* error);

// The first child of that name, and the next sibling of the same name as a node; both mark what they return
// as used. NULL: none.
plXml* pl_xml_child(const plXml* node, const char* name);
plXml* pl_xml_next(const plXml* node);
// An attribute's value, or NULL; marks it as used.
const char* pl_xml_attr(const plXml* node, const char* name);
// Marks a node and everything in it.
void pl_xml_use_all(const plXml* node);
// The trimmed text of a child, or NULL.
const char* pl_xml_child_text(const plXml* node, const char* name);

// An error at a node: file and line are the node's.
plStatus pl_xml_fail(const plXml* node, plError* error, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Reads exactly n numbers separated by blanks (or between least and n of them if least < n; *count is their
// number). what appears in the error, e.g. "the origin".
plStatus pl_xml_numbers(const plXml* node, const char* text, const char* what, double* value, int least,
                        int n, int* count, plError* error);
// One number from an attribute; *value does not change if there is none.
plStatus pl_xml_number_attr(const plXml* node, const char* name, double* value, plError* error);
plStatus pl_xml_vec3_attr(const plXml* node, const char* name, plVec3* value, plError* error);
// "true", "1" / "false", "0"
plStatus pl_xml_bool(const plXml* node, const char* text, bool* value, plError* error);

// Calls found(user, node, attr) for each kind of element (attr NULL) or attribute that was not used, once per
// kind and in the order of the file; nothing below an unused element is visited. Kinds differ in the
// names of parent, element and attribute. False if memory runs out.
typedef void plXmlFound(void* user, const plXml* node, const plXmlAttr* attr);
bool pl_xml_unused(const plXml* root, plXmlFound* found, void* user);

#endif
