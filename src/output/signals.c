// signals.c: names of signals -> columns. "block.com" becomes block.com.x .y .z .norm; "*" stands for every
// deformable body.
#include "output/signals.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { LENGTH = PL_SIGNAL_LENGTH, SEGMENTS = PL_SIGNAL_SEGMENTS };

typedef plSignalKind Kind;
typedef plSignalItem Item;

static const Kind kinds[] = {
    {"", "time", "s", 's', PL_Q_TIME},
    {"", "step", "1", 's', PL_Q_STEP},
    {"", "momentum", "kg m/s", 'v', PL_Q_MOMENTUM},
    {"energy", "kinetic", "J", 's', PL_Q_ENERGY_KINETIC},
    {"energy", "elastic", "J", 's', PL_Q_ENERGY_ELASTIC},
    {"energy", "gravity", "J", 's', PL_Q_ENERGY_GRAVITY},
    {"energy", "total", "J", 's', PL_Q_ENERGY_TOTAL},
    {"report", "status", "1", 's', PL_Q_STATUS},
    {"report", "constraints", "1", 's', PL_Q_CONSTRAINTS},
    {"report", "contacts", "1", 's', PL_Q_CONTACTS},
    {"report", "iterations", "1", 's', PL_Q_ITERATIONS},
    {"report", "line_search", "1", 's', PL_Q_LINE_SEARCH},
    {"report", "residual", "1", 's', PL_Q_RESIDUAL},
    {"report", "free_iterations", "1", 's', PL_Q_FREE_ITERATIONS},
    {"report", "free_residual", "1", 's', PL_Q_FREE_RESIDUAL},
    {"report", "factorizations", "1", 's', PL_Q_FACTORIZATIONS},
    {"report", "skipped", "1", 's', PL_Q_SKIPPED},
    {"report", "deep", "1", 's', PL_Q_DEEP},
    {"report", "merged", "1", 's', PL_Q_MERGED},
    {"report", "wall", "s", 's', PL_Q_WALL},
    {"report", "cone_violation", "N s", 's', PL_Q_CONE_VIOLATION},
    {"report", "complementarity", "1", 's', PL_Q_COMPLEMENTARITY},
    {"report", "slip_angle", "rad", 's', PL_Q_SLIP_ANGLE},
    {"report", "creep", "m/s", 's', PL_Q_CREEP},
    {"report", "R_n_min", "s/kg", 's', PL_Q_R_N_MIN},
    {"report", "R_n_max", "s/kg", 's', PL_Q_R_N_MAX},
    {"report", "R_t_min", "s/kg", 's', PL_Q_R_T_MIN},
    {"report", "R_t_max", "s/kg", 's', PL_Q_R_T_MAX},
    {"report", "stick", "1", 's', PL_Q_STICK},
    {"report", "slide", "1", 's', PL_Q_SLIDE},
    {"report", "open", "1", 's', PL_Q_OPEN},
    {"report", "couplings", "1", 's', PL_Q_COUPLINGS},
    {"report", "coupled_residual", "1", 's', PL_Q_COUPLED_RESIDUAL},
    {"BODY", "mass", "kg", 's', PL_Q_MASS},
    {"BODY", "com", "m", 'v', PL_Q_COM},
    {"BODY", "velocity", "m/s", 'v', PL_Q_VELOCITY},
    {"BODY", "momentum", "kg m/s", 'v', PL_Q_BODY_MOMENTUM},
    {"BODY", "angular_momentum", "kg m^2/s", 'v', PL_Q_ANGULAR_MOMENTUM},
    {"BODY", "kinetic_energy", "J", 's', PL_Q_KINETIC},
    {"BODY", "elastic_energy", "J", 's', PL_Q_ELASTIC},
    {"BODY", "gravity_energy", "J", 's', PL_Q_GRAVITY},
    {"BODY", "energy", "J", 's', PL_Q_TOTAL},
    {"BODY", "volume", "m^3", 's', PL_Q_VOLUME},
    {"BODY", "lower", "m", 'v', PL_Q_LOWER},
    {"BODY", "upper", "m", 'v', PL_Q_UPPER},
    {"BODY", "displacement_max", "m", 's', PL_Q_DISPLACEMENT_MAX},
    {"BODY", "speed_max", "m/s", 's', PL_Q_SPEED_MAX},
    {"BODY", "von_mises_max", "Pa", 's', PL_Q_VON_MISES_MAX},
    {"BODY", "pressure_max", "Pa", 's', PL_Q_PRESSURE_MAX},
    {"BODY", "volume_ratio_min", "1", 's', PL_Q_VOLUME_RATIO_MIN},
    {"BODY", "contact_force", "N", 'v', PL_Q_CONTACT_FORCE},
    {"LINK", "mass", "kg", 's', PL_Q_RIGID_MASS},
    {"LINK", "position", "m", 'v', PL_Q_RIGID_POSITION},
    {"LINK", "com", "m", 'v', PL_Q_RIGID_COM},
    {"LINK", "velocity", "m/s", 'v', PL_Q_RIGID_VELOCITY},
    {"LINK", "angular_velocity", "rad/s", 'v', PL_Q_RIGID_ANGULAR_VELOCITY},
    {"LINK", "momentum", "kg m/s", 'v', PL_Q_RIGID_MOMENTUM},
    {"LINK", "angular_momentum", "kg m^2/s", 'v', PL_Q_RIGID_ANGULAR_MOMENTUM},
    {"LINK", "kinetic_energy", "J", 's', PL_Q_RIGID_KINETIC},
    {"LINK", "gravity_energy", "J", 's', PL_Q_RIGID_GRAVITY},
    {"LINK", "contact_force", "N", 'v', PL_Q_CONTACT_FORCE},
    {"vertex", "position", "m", 'v', PL_Q_VERTEX},
    {"vertex", "displacement", "m", 'v', PL_Q_VERTEX_DISPLACEMENT},
    {"vertex", "velocity", "m/s", 'v', PL_Q_VERTEX_VELOCITY},
    {"tet", "stress", "Pa", 't', PL_Q_TET_STRESS},
    {"tet", "strain", "1", 't', PL_Q_TET_STRAIN},
    {"tet", "von_mises", "Pa", 's', PL_Q_TET_VON_MISES},
    {"tet", "pressure", "Pa", 's', PL_Q_TET_PRESSURE},
    {"contact", "force", "N", 'v', PL_Q_PAIR_FORCE},
    {"contact", "normal_force", "N", 's', PL_Q_PAIR_NORMAL_FORCE},
    {"contact", "count", "1", 's', PL_Q_PAIR_COUNT},
    {"contact", "area", "m^2", 's', PL_Q_PAIR_AREA},
    {"contact", "pressure", "Pa", 's', PL_Q_PAIR_PRESSURE},
    {"contact", "centre", "m", 'v', PL_Q_PAIR_CENTRE},
    {"contact", "moment", "Nm", 'v', PL_Q_PAIR_MOMENT},
    {"contact", "gap_min", "m", 's', PL_Q_PAIR_GAP_MIN},
    {"contact", "slip_max", "m/s", 's', PL_Q_PAIR_SLIP_MAX},
};
enum { NKIND = sizeof kinds / sizeof *kinds };

static const char help[] =
    "  time                      s         simulated time\n"
    "  step                      1         steps taken\n"
    "  energy.kinetic            J         of all bodies; also .elastic .gravity .total\n"
    "  momentum                  kg m/s    of all bodies\n"
    "  BODY.com                  m         centre of mass\n"
    "  BODY.velocity             m/s       of the centre of mass\n"
    "  BODY.momentum             kg m/s    linear momentum\n"
    "  BODY.angular_momentum     kg m^2/s  about the centre of mass\n"
    "  BODY.kinetic_energy       J         also .elastic_energy .gravity_energy .energy (their sum)\n"
    "  BODY.mass                 kg\n"
    "  BODY.volume               m^3       now\n"
    "  BODY.lower  BODY.upper    m         corners of the bounding box\n"
    "  BODY.displacement_max     m         largest displacement of a vertex from the start\n"
    "  BODY.speed_max            m/s       of a vertex\n"
    "  BODY.von_mises_max        Pa        of a tetrahedron; also .pressure_max\n"
    "  BODY.volume_ratio_min     1         smallest det F: 1 at rest, 0 flat, negative inverted\n"
    "  BODY.contact_force        N         sum over its contacts; also SHAPE.contact_force\n"
    "  BODY.vertex(I)            m         position; also .displacement, .velocity (m/s)\n"
    "  BODY.tet(I).stress        Pa        Cauchy: .xx .yy .zz .xy .yz .xz; also .strain, .von_mises, "
    ".pressure\n"
    "  LINK.com                  m         of a rigid body; also .velocity (m/s), .momentum, "
    ".angular_momentum, .mass,\n"
    "                                      .kinetic_energy, .gravity_energy, .contact_force\n"
    "  LINK.position             m         origin of its frame; also .angular_velocity (rad/s)\n"
    "  JOINT.q  JOINT.v          rad, m    position and velocity of a joint; .q(I), .v(I) where it has "
    "several\n"
    "  JOINT.force               N         that the joint transmits to its child, in the joint's axes; also "
    ".moment (Nm)\n"
    "  JOINT.motor               N, Nm     effort of its actuators; also .limit, .friction; (I) where it has "
    "several\n"
    "  actuator(NAME).force      N, Nm     its effort at the joint\n"
    "  constraint(NAME).force    N         on b, where it joins bodies; also .moment (Nm)\n"
    "  constraint(NAME).effort   N, Nm     of a distance, coupler, tendon or motion\n"
    "  attachment(NAME).force    N         on its vertices; also .moment (Nm) about their .centre (m)\n"
    "  contact(A,B).force        N         on B, sum over the contacts of A and B (* for any body)\n"
    "  contact(A,B).normal_force N         sum of the normal parts\n"
    "  contact(A,B).count        1         contact points\n"
    "  contact(A,B).area         m^2       also .pressure (Pa), normal force over area\n"
    "  contact(A,B).centre       m         centre of pressure; also .moment (Nm on B about it)\n"
    "  contact(A,B).gap_min      m         also .slip_max (m/s)\n"
    "  report.iterations         1         Newton iterations of the step; also .constraints .contacts "
    ".line_search\n"
    "                                      .residual .free_iterations .free_residual .factorizations "
    ".skipped .deep .merged .status\n"
    "  report.cone_violation     N s       largest; also .complementarity (1), .slip_angle (rad), .creep "
    "(m/s), .stick\n"
    "                                      .slide .open (points), .R_n_min .R_n_max .R_t_min .R_t_max (s/kg), "
    ".couplings\n"
    "                                      .coupled_residual\n"
    "  report.wall               s         wall time of the step\n"
    "A vector becomes .x .y .z .norm unless one of them is named. BODY may be * for every deformable body.\n";

const char* pl_signals_help(void) { return help; }

// ---- an item in pieces

static plStatus split_item(const char* begin, size_t length, Item* item, plError* error) {
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
  for (char* c = item->copy;; c++) {
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

plStatus pl_signal_unknown(const Item* item, const char* word, const char* what, const char* const* known, int n,
                           plError* error) {
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

static const Kind* find_kind(const char* owner, const char* name) {
  for (int i = 0; i < NKIND; i++)
    if (!strcmp(kinds[i].owner, owner) && !strcmp(kinds[i].name, name)) return &kinds[i];
  return NULL;
}

static plStatus unknown_kind(const Item* item, const char* owner, const char* word, plError* error) {
  const char* names[NKIND];
  int n = 0;
  for (int i = 0; i < NKIND; i++)
    if (!strcmp(kinds[i].owner, owner)) names[n++] = kinds[i].name;
  char what[64];
  snprintf(what, sizeof what, "a signal of a %s",
           !strcmp(owner, "BODY") || !strcmp(owner, "LINK") ? "body" : owner);
  return pl_signal_unknown(item, word, what, names, n, error);
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

// A deformable body or shape by name, counted as in plContact, or a rigid body, counted behind them; -1 if
// there is none.
static int find_side(const plModel* m, const char* name) {
  for (int b = 0; b < m->ndeform; b++)
    if (!strcmp(m->deform_name[b], name)) return b;
  for (int b = 0; b < m->nbody; b++)
    if (!strcmp(m->body_name[b], name)) return m->ndeform + m->ngeom + b;
  for (int g = 0; g < m->ngeom; g++)
    if (!strcmp(m->geom_name[g], name)) return m->ndeform + g;
  return -1;
}

static const char* side_name(const plModel* m, int side) {
  if (side < m->ndeform) return m->deform_name[side];
  return side < m->ndeform + m->ngeom ? m->geom_name[side - m->ndeform]
                                      : m->body_name[side - m->ndeform - m->ngeom];
}

static plStatus unknown_side(const plModel* m, const Item* item, const char* word, bool top, plError* error) {
  static const char* const reserved[] = {"time",   "step",    "momentum", "energy",
                                         "report", "contact", "actuator", "constraint", "attachment"};
  enum { NRESERVED = sizeof reserved / sizeof *reserved };
  int n = 0, all = m->ndeform + m->ngeom + m->nbody + m->njoint + NRESERVED;
  const char** names = PL_NEW(const char*, all);
  if (!names) return pl_fail_out_of_memory(error, (size_t)all * sizeof *names);
  for (int b = 0; b < m->ndeform; b++) names[n++] = m->deform_name[b];
  for (int g = 0; g < m->ngeom; g++) names[n++] = m->geom_name[g];
  for (int b = 0; b < m->nbody; b++) names[n++] = m->body_name[b];
  for (int j = 0; top && j < m->njoint; j++) names[n++] = m->joint_name[j];
  for (int i = 0; top && i < NRESERVED; i++) names[n++] = reserved[i];
  plStatus status =
      pl_signal_unknown(item, word, top ? "a body, shape or joint of the model" : "a body or shape of the model", names,
              n, error);
  pl_free(names);
  return status;
}

// ---- the forms of a signal

static plStatus add_plain(plSignals* s, const Item* item, const Kind* kind, int used, plError* error) {
  const char* suffix = item->nsegment > used ? item->segment[used] : NULL;
  if (item->nsegment > used + 1)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too much follows '%s'", item->text,
                   kind->name);
  char prefix[LENGTH];
  snprintf(prefix, sizeof prefix, "%s%s%s", kind->owner, *kind->owner ? "." : "", kind->name);
  return pl_signal_add(s, item, kind, (plColumn){.body = -1, .other = -1}, prefix, suffix, error);
}

static plStatus add_pair(plSignals* s, const Item* item, char* pair, plError* error) {
  char* comma = strchr(pair, ',');
  if (!comma)
    return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', expected two names: contact(A,B)", item->text);
  *comma = 0;
  int side[2];
  char* name[2] = {pair, comma + 1};
  for (int i = 0; i < 2; i++) {
    while (isspace((unsigned char)*name[i])) name[i]++;
    for (size_t n = strlen(name[i]); n && isspace((unsigned char)name[i][n - 1]); n--) name[i][n - 1] = 0;
    side[i] = !strcmp(name[i], "*") ? -1 : find_side(s->model, name[i]);
    if (side[i] < 0 && strcmp(name[i], "*") != 0) return unknown_side(s->model, item, name[i], false, error);
  }
  if (item->nsegment < 2 || item->nsegment > 3)
    return pl_fail(error, PL_ERROR_INPUT,
                   "'%s' is not a signal: expected something like contact(A,B).force.z", item->text);
  const Kind* kind = find_kind("contact", item->segment[1]);
  if (!kind) return unknown_kind(item, "contact", item->segment[1], error);
  char prefix[2 * LENGTH];
  snprintf(prefix, sizeof prefix, "contact(%s,%s).%s", name[0], name[1], kind->name);
  plColumn column = {.body = side[0], .other = side[1]};
  return pl_signal_add(s, item, kind, column, prefix, item->nsegment > 2 ? item->segment[2] : NULL, error);
}

static plStatus add_part(plSignals* s, const Item* item, int b, const char* word, const char* number,
                         plError* error) {
  const plModel* m = s->model;
  bool vertex = !strcmp(word, "vertex");
  int n = vertex ? m->deform_vert0[b + 1] - m->deform_vert0[b] : m->deform_tet0[b + 1] - m->deform_tet0[b];
  char* end;
  long index = strtol(number, &end, 10);
  if (!*number || *end || index < 0 || index >= n)
    return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', expected a %s of '%s' in 0 .. %d, got '%s'",
                   item->text, vertex ? "vertex" : "tetrahedron", m->deform_name[b], n - 1, number);
  // The position of a vertex needs no name: block.vertex(17).z
  int at = 2;
  const char* name = item->nsegment > 2 ? item->segment[2] : vertex ? "position" : "";
  const Kind* kind = find_kind(word, name);
  if (kind)
    at = 3;
  else if (vertex &&
           (!strcmp(name, "x") || !strcmp(name, "y") || !strcmp(name, "z") || !strcmp(name, "norm")))
    kind = find_kind(word, "position");
  if (!kind) return unknown_kind(item, word, name, error);
  if (item->nsegment > at + 1)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too much follows '%s'", item->text,
                   kind->name);
  char prefix[2 * LENGTH];
  bool plain = kind->quantity == PL_Q_VERTEX;
  snprintf(prefix, sizeof prefix, "%s.%s(%ld)%s%s", m->deform_name[b], word, index, plain ? "" : ".",
           plain ? "" : kind->name);
  plColumn column = {.body = b, .other = -1, .index = (int)index};
  return pl_signal_add(s, item, kind, column, prefix, item->nsegment > at ? item->segment[at] : NULL, error);
}

static plStatus add_body(plSignals* s, const Item* item, int side, plError* error) {
  const plModel* m = s->model;
  if (item->nsegment < 2)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is a body, not a signal: expected something like %s.com.z",
                   item->text, item->text);
  bool deformable = side < m->ndeform;
  // The argument is cut out of a copy: with * the item is used again for the next body.
  char part[LENGTH];
  static const char* const words[] = {"vertex", "tet"};
  for (int i = 0; deformable && i < 2; i++) {
    snprintf(part, sizeof part, "%s", item->segment[1]);
    char* number = pl_signal_argument(part, words[i]);
    if (number) return add_part(s, item, side, words[i], number, error);
  }
  bool rigid = side >= m->ndeform + m->ngeom;
  const char* owner = rigid ? "LINK" : "BODY";
  const Kind* kind = find_kind(owner, item->segment[1]);
  if (!kind) return unknown_kind(item, owner, item->segment[1], error);
  if (!deformable && !rigid && kind->quantity != PL_Q_CONTACT_FORCE)
    return pl_fail(error, PL_ERROR_INPUT,
                   "in the signal '%s', '%s' is a rigid shape: it has contact_force alone", item->text,
                   item->segment[0]);
  if (item->nsegment > 3)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too much follows '%s'", item->text,
                   kind->name);
  char prefix[2 * LENGTH];
  snprintf(prefix, sizeof prefix, "%s.%s", side_name(m, side), kind->name);
  plColumn column = {.body = side, .other = -1};
  return pl_signal_add(s, item, kind, column, prefix, item->nsegment > 2 ? item->segment[2] : NULL, error);
}

// The unit of a joint's i-th position or velocity.
static const char* joint_unit(plJointKind kind, int i, bool velocity) {
  bool length =
      kind == PL_JOINT_PRISMATIC || (kind == PL_JOINT_PLANAR && i < 2) || (kind == PL_JOINT_FREE && i < 3);
  bool quaternion = !velocity && (kind == PL_JOINT_BALL || (kind == PL_JOINT_FREE && i >= 3));
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
        pl_signal_add(s, item, &one, (plColumn){.body = joint, .other = -1, .index = i}, prefix, NULL, error);
    if (status) return status;
  }
  return PL_OK;
}

static plStatus add_item(plSignals* s, Item* item, plError* error) {
  const plModel* m = s->model;
  char* first = item->segment[0];
  const Kind* kind = find_kind("", first);
  if (kind) return add_plain(s, item, kind, 1, error);
  if (!strcmp(first, "energy") || !strcmp(first, "report")) {
    const char* name = item->nsegment > 1 ? item->segment[1] : "";
    kind = find_kind(first, name);
    return kind ? add_plain(s, item, kind, 2, error) : unknown_kind(item, first, name, error);
  }
  char* pair = pl_signal_argument(first, "contact");
  if (pair) return add_pair(s, item, pair, error);
  bool mine = false;
  plStatus status = pl_signal_add_force(s, item, &mine, error);
  if (status || mine) return status;
  if (!strcmp(first, "*")) {
    for (int b = 0; b < m->ndeform && !status; b++) status = add_body(s, item, b, error);
    return status;
  }
  int side = find_side(m, first);
  // A joint may bear its body's name: q, v and forces are the joint's.
  for (int j = 0; j < m->njoint; j++)
    if (!strcmp(m->joint_name[j], first) &&
        (side < 0 || (item->nsegment > 1 && pl_signal_is_joint_force(item->segment[1])) ||
         (item->nsegment == 2 && strchr("qv", item->segment[1][0]) &&
          (!item->segment[1][1] || item->segment[1][1] == '('))))
      return add_joint(s, item, j, error);
  return side < 0 ? unknown_side(m, item, first, true, error) : add_body(s, item, side, error);
}

// ---- life

plStatus pl_signals_create(const plModel* model, const char* list, plSignals** signals, plError* error) {
  *signals = NULL;
  plSignals* s = PL_NEW(plSignals, 1);
  if (!s) return pl_fail_out_of_memory(error, sizeof *s);
  *s = (plSignals){.model = model,
                   .body = PL_NEW(plBodyState, model->ndeform),
                   .known = PL_NEW(bool, model->ndeform),
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
    if (!(status = split_item(begin, (size_t)(c - begin), &item, error))) status = add_item(s, &item, error);
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

int pl_signals_count(const plSignals* s) { return s->ncolumn; }
const char* pl_signals_name(const plSignals* s, int i) { return s->column[i].name; }
const char* pl_signals_unit(const plSignals* s, int i) { return s->column[i].unit; }
