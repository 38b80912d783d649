// signals.c: names of signals -> columns. "block.com" becomes block.com.x .y .z .norm; "*" stands for every
// deformable body.
#include "output/signals.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "model/joint_kinds.h"

enum { LENGTH = PL_SIGNAL_LENGTH, SEGMENTS = PL_SIGNAL_SEGMENTS };

typedef plSignalKind Kind;
typedef plSignalItem Item;

// ---- an item in pieces

// The length of the longest name of a body, shape or joint with which the text begins, before a dot.
static size_t name_length(const plModel* m, const char* text) {
  char* const* const lists[] = {m->deform_name, m->body_name, m->shape_name, m->joint_name};
  const int count[] = {m->ndeform, m->nbody, m->nshape, m->njoint};
  size_t longest = 0;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < count[k]; i++) {
      size_t n = strlen(lists[k][i]);
      if (n > longest && !strncmp(text, lists[k][i], n) && text[n] == '.') longest = n;
    }
  return longest;
}

static plStatus split_item(const plModel* m, const char* begin, size_t length, Item* item, plError* error) {
  while (length && isspace((unsigned char)*begin)) begin++, length--;
  while (length && isspace((unsigned char)begin[length - 1])) length--;
  memset(item, 0, sizeof *item);
  if (length >= LENGTH)
    return pl_fail(error, PL_ERROR_INPUT, "a signal's name may have %d characters at most", LENGTH - 1);
  memcpy(item->text, begin, length);
  memcpy(item->copy, begin, length);
  if (!length)
    return pl_fail(error, PL_ERROR_INPUT,
                   "the list of signals has an empty entry; names are separated by commas");
  char* start = item->copy;
  int depth = 0;
  for (char* c = item->copy + name_length(m, item->copy);; c++) {
    if (*c == '(') depth++;
    if (*c == ')') depth--;
    if (*c && (*c != '.' || depth > 0)) continue;
    bool end = !*c;
    *c = 0;
    if (item->nsegment == SEGMENTS || !*start)
      return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: expected something like block.com.z",
                     item->text);
    item->segment[item->nsegment++] = start;
    start = c + 1;
    if (end) return PL_OK;
  }
}

char* pl_signal_argument(char* segment, const char* word) {
  size_t n = strlen(word), length = strlen(segment);
  if (strncmp(segment, word, n) || segment[n] != '(' || segment[length - 1] != ')') return NULL;
  segment[length - 1] = 0;
  return segment + n + 1;
}

// ---- columns

plStatus pl_signal_unknown(const Item* item, const char* word, const char* what, const char* const* known,
                           int n, plError* error) {
  const char* nearest = pl_nearest_word(word, known, n);
  char hint[LENGTH + 32] = "";
  if (nearest)
    snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest);
  else if (n) {
    int at = snprintf(hint, sizeof hint, "; known:");
    for (int i = 0; i < n && at < LENGTH - 40; i++)
      at += snprintf(hint + at, sizeof hint - (size_t)at, " %.40s", known[i]);
  }
  return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', '%s' is not %s%s", item->text, word, what, hint);
}

plStatus pl_signal_add(plSignals* s, const Item* item, const Kind* kind, plColumn column, const char* prefix,
                       const char* suffix, plError* error) {
  static const char* const vector[] = {"x", "y", "z", "norm"};
  static const char* const tensor[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
  const char* const* names = kind->shape == 'v' ? vector : tensor;
  int n = kind->shape == 'v' ? 4 : kind->shape == 't' ? 6 : 0, only = -1;
  for (int i = 0; suffix && i < n; i++)
    if (!strcmp(names[i], suffix)) only = i;
  if (suffix && only < 0 && n == 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "in the signal '%s', '%s' is a single number: nothing may follow it", item->text,
                   kind->name);
  if (suffix && only < 0) return pl_signal_unknown(item, suffix, "a component", names, n, error);
  column.quantity = kind->quantity;
  column.unit = kind->unit;
  for (int i = 0; i < (n ? n : 1); i++) {
    if (only >= 0 && i != only) continue;
    size_t room = strlen(prefix) + 8;
    column.component = i;
    column.name = pl_alloc(room, 1);
    if (!column.name) return pl_fail_out_of_memory(error, room);
    snprintf(column.name, room, n ? "%s.%s" : "%s", prefix, n ? names[i] : "");
    if (PL_PUSH(s->column, s->ncolumn, s->cap, column)) continue;
    pl_free(column.name);
    return pl_fail_out_of_memory(error, 2 * (size_t)s->cap * sizeof column);
  }
  return PL_OK;
}

static plStatus unknown_side(const plModel* m, const Item* item, const char* word, bool top, plError* error) {
  static const char* const reserved[] = {"time",    "step",     "momentum",   "energy",     "report",
                                         "contact", "actuator", "constraint", "attachment", "sensor"};
  enum { NRESERVED = sizeof reserved / sizeof *reserved };
  int n = 0, all = m->ndeform + m->nshape + m->nbody + m->njoint + NRESERVED;
  const char** names = PL_NEW(const char*, all);
  if (!names) return pl_fail_out_of_memory(error, (size_t)all * sizeof *names);
  for (int b = 0; b < m->ndeform; b++) names[n++] = m->deform_name[b];
  for (int g = 0; g < m->nshape; g++) names[n++] = m->shape_name[g];
  for (int b = 0; b < m->nbody; b++) names[n++] = m->body_name[b];
  for (int j = 0; top && j < m->njoint; j++) names[n++] = m->joint_name[j];
  for (int i = 0; top && i < NRESERVED; i++) names[n++] = reserved[i];
  assert(n <= all);
  plStatus status = pl_signal_unknown(
      item, word, top ? "a body, shape or joint of the model" : "a body or shape of the model", names, n,
      error);
  pl_free(names);
  return status;
}

// ---- the forms of a signal

static plStatus add_plain(plSignals* s, const Item* item, const Kind* kind, int used, plError* error) {
  const char* suffix = item->nsegment > used ? item->segment[used] : NULL;
  if (item->nsegment > used + 1)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too many parts follow '%s'", item->text,
                   kind->name);
  char prefix[LENGTH];
  snprintf(prefix, sizeof prefix, "%s%s%s", kind->owner, *kind->owner ? "." : "", kind->name);
  return pl_signal_add(s, item, kind, (plColumn){0}, prefix, suffix, error);
}

static plStatus add_pair(plSignals* s, const Item* item, char* pair, plError* error) {
  char* comma = strchr(pair, ',');
  if (!comma)
    return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', expected two names: contact(A,B)", item->text);
  *comma = 0;
  plSide side[2] = {0};
  char* name[2] = {pair, comma + 1};
  for (int i = 0; i < 2; i++) {
    while (isspace((unsigned char)*name[i])) name[i]++;
    for (size_t n = strlen(name[i]); n && isspace((unsigned char)name[i][n - 1]); n--) name[i][n - 1] = 0;
    if (strcmp(name[i], "*") != 0 && !pl_model_find_side(s->model, name[i], &side[i]))
      return unknown_side(s->model, item, name[i], false, error);
  }
  if (item->nsegment < 2 || item->nsegment > 3)
    return pl_fail(error, PL_ERROR_INPUT,
                   "'%s' is not a signal: expected something like contact(A,B).force.z", item->text);
  const Kind* kind = pl_signal_kind("contact", item->segment[1]);
  if (!kind) return pl_signal_unknown_kind(item, "contact", item->segment[1], error);
  char prefix[2 * LENGTH];
  snprintf(prefix, sizeof prefix, "contact(%s,%s).%s", name[0], name[1], kind->name);
  plColumn column = {.side = side[0], .other = side[1]};
  return pl_signal_add(s, item, kind, column, prefix, item->nsegment > 2 ? item->segment[2] : NULL, error);
}

// The vertex or tetrahedron of body b with a number; vertices count as in the mesh file. -1: there is none.
static int find_part(const plModel* m, int b, bool vertex, long number) {
  int first = m->deform_vert0[b], n = m->deform_vert0[b + 1] - first;
  if (number < 0 || number > INT_MAX) return -1;
  if (vertex) return pl_find_number(m->vert_number + first, n, (int)number);
  return number < m->deform_tet0[b + 1] - m->deform_tet0[b] ? (int)number : -1;
}

static plStatus add_part(plSignals* s, const Item* item, int b, const char* word, const char* number,
                         plError* error) {
  const plModel* m = s->model;
  bool vertex = !strcmp(word, "vertex");
  int last =
      vertex ? m->vert_number[m->deform_vert0[b + 1] - 1] : m->deform_tet0[b + 1] - m->deform_tet0[b] - 1;
  char* end;
  long index = strtol(number, &end, 10);
  bool whole = *number && !*end;
  int part = whole ? find_part(m, b, vertex, index) : -1;
  if (part < 0 && whole && vertex && index >= 0 && index <= last)
    return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', no tetrahedron of '%s' uses vertex %ld",
                   item->text, m->deform_name[b], index);
  if (part < 0)
    return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', expected a %s of '%s' in 0 .. %d, got '%s'",
                   item->text, vertex ? "vertex" : "tetrahedron", m->deform_name[b], last, number);
  // The position of a vertex needs no name: block.vertex(17).z
  int at = 2;
  const char* name = item->nsegment > 2 ? item->segment[2] : vertex ? "position" : "";
  const Kind* kind = pl_signal_kind(word, name);
  if (kind)
    at = 3;
  else if (vertex &&
           (!strcmp(name, "x") || !strcmp(name, "y") || !strcmp(name, "z") || !strcmp(name, "norm")))
    kind = pl_signal_kind(word, "position");
  if (!kind) return pl_signal_unknown_kind(item, word, name, error);
  if (item->nsegment > at + 1)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too many parts follow '%s'", item->text,
                   kind->name);
  char prefix[2 * LENGTH];
  bool plain = kind->quantity == PL_Q_VERTEX;
  snprintf(prefix, sizeof prefix, "%s.%s(%ld)%s%s", m->deform_name[b], word, index, plain ? "" : ".",
           plain ? "" : kind->name);
  plColumn column = {.body = b, .index = part};
  return pl_signal_add(s, item, kind, column, prefix, item->nsegment > at ? item->segment[at] : NULL, error);
}

static plStatus add_body(plSignals* s, const Item* item, plSide side, plError* error) {
  const plModel* m = s->model;
  if (item->nsegment < 2)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is a body, not a signal: expected something like %s.com.z",
                   item->text, item->text);
  bool deformable = side.kind == PL_SIDE_DEFORMABLE;
  // The argument is removed from a copy: with * the item is used again for the next body.
  char part[LENGTH];
  static const char* const words[] = {"vertex", "tet"};
  for (int i = 0; deformable && i < 2; i++) {
    snprintf(part, sizeof part, "%s", item->segment[1]);
    char* number = pl_signal_argument(part, words[i]);
    if (number) return add_part(s, item, side.index, words[i], number, error);
  }
  bool rigid = side.kind == PL_SIDE_BODY;
  const char* owner = rigid ? "LINK" : "BODY";
  const Kind* kind = pl_signal_kind(owner, item->segment[1]);
  if (!kind) return pl_signal_unknown_kind(item, owner, item->segment[1], error);
  if (!deformable && !rigid && kind->quantity != PL_Q_CONTACT_FORCE)
    return pl_fail(error, PL_ERROR_INPUT,
                   "in the signal '%s', '%s' is a rigid shape, not a body: it has only contact_force",
                   item->text, item->segment[0]);
  if (item->nsegment > 3)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too many parts follow '%s'", item->text,
                   kind->name);
  char prefix[2 * LENGTH];
  snprintf(prefix, sizeof prefix, "%s.%s", pl_side_name(m, side), kind->name);
  plColumn column = {.body = side.index, .side = side};
  return pl_signal_add(s, item, kind, column, prefix, item->nsegment > 2 ? item->segment[2] : NULL, error);
}

// The unit of a joint's i-th position or velocity.
static const char* joint_unit(plJointKind kind, int i, bool velocity) {
  bool length = pl_joint_is_length(kind, i),
       quaternion = !velocity && !length && pl_joint_has_quaternion(kind);
  if (quaternion) return "1";
  return length ? (velocity ? "m/s" : "m") : (velocity ? "rad/s" : "rad");
}

// JOINT.q, JOINT.v, with (I) or all of them.
static plStatus add_joint(plSignals* s, const Item* item, int joint, plError* error) {
  const plModel* m = s->model;
  if (item->nsegment > 1 && pl_signal_is_joint_force(item->segment[1]))
    return pl_signal_add_joint_force(s, item, joint, error);
  plJointKind kind = m->joint_kind[joint];
  const char* word = item->nsegment == 2 ? item->segment[1] : "";
  bool velocity = word[0] == 'v';
  int n = velocity ? pl_joint_nv(kind) : pl_joint_nq(kind), only = -1;
  if (word[0] && word[1] == '(') {
    char* end;
    long index = strtol(word + 2, &end, 10);
    if (end == word + 2 || strcmp(end, ")") != 0 || index < 0 || index >= n)
      return pl_fail(error, PL_ERROR_INPUT,
                     "in the signal '%s', expected a number in 0 .. %d in the parentheses", item->text,
                     n - 1);
    only = (int)index;
  }
  if ((word[0] != 'q' && word[0] != 'v') || (word[1] && only < 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "'%s' is not a signal: a joint has %s.q, %s.v, and .force .moment .motor .limit .friction",
                   item->text, item->segment[0], item->segment[0]);
  for (int i = 0; i < n; i++) {
    if (only >= 0 && i != only) continue;
    char prefix[2 * LENGTH];
    int length = snprintf(prefix, sizeof prefix, "%s.%c", m->joint_name[joint], word[0]);
    if (n > 1 && length > 0 && length < (int)sizeof prefix)
      snprintf(prefix + length, sizeof prefix - (size_t)length, "(%d)", i);
    Kind one = {"JOINT", word, joint_unit(kind, i, velocity), 's', velocity ? PL_Q_JOINT_V : PL_Q_JOINT_Q};
    plStatus status =
        pl_signal_add(s, item, &one, (plColumn){.body = joint, .index = i}, prefix, NULL, error);
    if (status) return status;
  }
  return PL_OK;
}

static plStatus add_item(plSignals* s, Item* item, plError* error) {
  const plModel* m = s->model;
  char* first = item->segment[0];
  const Kind* kind = pl_signal_kind("", first);
  if (kind) return add_plain(s, item, kind, 1, error);
  if (!strcmp(first, "energy") || !strcmp(first, "report")) {
    const char* name = item->nsegment > 1 ? item->segment[1] : "";
    kind = pl_signal_kind(first, name);
    return kind ? add_plain(s, item, kind, 2, error) : pl_signal_unknown_kind(item, first, name, error);
  }
  char* pair = pl_signal_argument(first, "contact");
  if (pair) return add_pair(s, item, pair, error);
  bool mine = false;
  plStatus status = pl_signal_add_force(s, item, &mine, error);
  if (!status && !mine) status = pl_signal_add_sensor(s, item, &mine, error);
  if (status || mine) return status;
  if (!strcmp(first, "*")) {
    for (int b = 0; b < m->ndeform && !status; b++)
      status = add_body(s, item, (plSide){PL_SIDE_DEFORMABLE, b}, error);
    return status;
  }
  plSide side;
  bool found = pl_model_find_side(m, first, &side);
  // A joint may have the same name as its body: q, v and forces are the joint's.
  for (int j = 0; j < m->njoint; j++)
    if (!strcmp(m->joint_name[j], first) &&
        (!found || (item->nsegment > 1 && pl_signal_is_joint_force(item->segment[1])) ||
         (item->nsegment == 2 && strchr("qv", item->segment[1][0]) &&
          (!item->segment[1][1] || item->segment[1][1] == '('))))
      return add_joint(s, item, j, error);
  return found ? add_body(s, item, side, error) : unknown_side(m, item, first, true, error);
}

// ---- creation and destruction

plStatus pl_signals_create(const plModel* model, const char* list, plSignals** signals, plError* error) {
  assert(model != NULL && signals != NULL && list != NULL);
  *signals = NULL;
  plSignals* s = PL_NEW(plSignals, 1);
  if (!s) return pl_fail_out_of_memory(error, sizeof *s);
  *s = (plSignals){.model = model,
                   .body = PL_NEW(plBodyState, model->ndeform),
                   .known = PL_NEW(plKnown, model->ndeform),
                   .wrench = PL_NEW(plWrench, model->njoint)};
  plStatus status = s->body && s->known && s->wrench
                        ? PL_OK
                        : pl_fail_out_of_memory(error, (size_t)model->ndeform * sizeof(plBodyState));
  // Commas and newlines separate, but not inside parentheses.
  int depth = 0;
  for (const char *begin = list, *c = list; !status; c++) {
    if (*c == '(') depth++;
    if (*c == ')') depth--;
    if (*c && !((*c == ',' || *c == '\n') && depth <= 0)) continue;
    Item item;
    if (!(status = split_item(model, begin, (size_t)(c - begin), &item, error)))
      status = add_item(s, &item, error);
    begin = c + 1;
    if (!*c) break;
  }
  if (status) return pl_signals_destroy(s), status;
  *signals = s;
  return PL_OK;
}

void pl_signals_destroy(plSignals* s) {
  if (!s) return;
  for (int i = 0; i < s->ncolumn; i++) pl_free(s->column[i].name);
  pl_free(s->column), pl_free(s->body), pl_free(s->known), pl_free(s->wrench);
  pl_free(s);
}

int pl_signals_count(const plSignals* s) {
  assert(s != NULL);
  return s->ncolumn;
}
const char* pl_signals_name(const plSignals* s, int i) {
  assert(s != NULL && i >= 0 && i < s->ncolumn);
  return s->column[i].name;
}
const char* pl_signals_unit(const plSignals* s, int i) {
  assert(s != NULL && i >= 0 && i < s->ncolumn);
  return s->column[i].unit;
}
