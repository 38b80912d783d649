// names.c: the named objects of a model, and the sides of contacts among them.
#include <assert.h>
#include <string.h>

#include "model/side.h"
#include "pliant/model.h"

static const char* const kind_name[PL_KIND_COUNT] = {
    "deformable", "body", "joint", "actuator", "shape", "attachment", "constraint", "sensor", "site"};

const char* pl_kind_name(plKind kind) {
  assert(kind >= 0 && kind < PL_KIND_COUNT);
  return kind_name[kind];
}

int pl_model_count(const plModel* m, plKind kind) {
  assert(m != NULL && kind >= 0 && kind < PL_KIND_COUNT);
  const int count[PL_KIND_COUNT] = {m->ndeform, m->nbody,       m->njoint,  m->nact, m->nshape,
                                    m->nattach, m->nconstraint, m->nsensor, m->nsite};
  return count[kind];
}

const char* pl_model_name(const plModel* m, plKind kind, int index) {
  assert(index >= 0 && index < pl_model_count(m, kind));
  if (kind == PL_KIND_CONSTRAINT) return m->constraint[index].name;
  if (kind == PL_KIND_SENSOR) return m->sensor[index].name;
  if (kind == PL_KIND_SITE) return m->site_name[index];
  char** const names[PL_KIND_CONSTRAINT] = {m->deform_name, m->body_name,  m->joint_name,
                                            m->act_name,    m->shape_name, m->attach_name};
  return names[kind][index];
}

int pl_model_find(const plModel* m, plKind kind, const char* name) {
  assert(m != NULL && name != NULL);
  for (int i = 0; i < pl_model_count(m, kind); i++)
    if (!strcmp(pl_model_name(m, kind, i), name)) return i;
  return -1;
}

int pl_model_find_body(const plModel* m, const char* name) { return pl_model_find(m, PL_KIND_BODY, name); }
int pl_model_find_joint(const plModel* m, const char* name) { return pl_model_find(m, PL_KIND_JOINT, name); }
int pl_model_find_actuator(const plModel* m, const char* name) {
  return pl_model_find(m, PL_KIND_ACTUATOR, name);
}
int pl_model_find_deformable(const plModel* m, const char* name) {
  return pl_model_find(m, PL_KIND_DEFORMABLE, name);
}
int pl_model_find_shape(const plModel* m, const char* name) { return pl_model_find(m, PL_KIND_SHAPE, name); }
int pl_model_find_attachment(const plModel* m, const char* name) {
  return pl_model_find(m, PL_KIND_ATTACHMENT, name);
}
int pl_model_find_constraint(const plModel* m, const char* name) {
  return pl_model_find(m, PL_KIND_CONSTRAINT, name);
}
int pl_model_find_site(const plModel* m, const char* name) { return pl_model_find(m, PL_KIND_SITE, name); }

// ---- sides

bool pl_model_find_side(const plModel* m, const char* name, plSide* side) {
  static const plKind kind[] = {PL_KIND_DEFORMABLE, PL_KIND_BODY, PL_KIND_SHAPE};
  static const plSideKind found[] = {PL_SIDE_DEFORMABLE, PL_SIDE_BODY, PL_SIDE_SHAPE};
  assert(side != NULL);
  for (int i = 0; i < 3; i++) {
    int index = pl_model_find(m, kind[i], name);
    if (index < 0) continue;
    *side = (plSide){found[i], index};
    return true;
  }
  if (strcmp(name, "world") != 0) return false;
  *side = (plSide){PL_SIDE_WORLD, 0};
  return true;
}

const char* pl_side_name(const plModel* m, plSide side) {
  assert(m != NULL);
  switch (side.kind) {
    case PL_SIDE_DEFORMABLE:
      return pl_model_name(m, PL_KIND_DEFORMABLE, side.index);
    case PL_SIDE_BODY:
      return pl_model_name(m, PL_KIND_BODY, side.index);
    case PL_SIDE_SHAPE:
      return pl_model_name(m, PL_KIND_SHAPE, side.index);
    case PL_SIDE_WORLD:
      return "world";
    default:
      return "any";
  }
}

bool pl_side_equal(plSide a, plSide b) { return a.kind == b.kind && a.index == b.index; }

bool pl_side_covers(const plModel* m, plSide side, plSide of) {
  assert(m != NULL);
  if (side.kind == PL_SIDE_ANY || pl_side_equal(side, of)) return true;
  if (of.kind != PL_SIDE_SHAPE) return false;
  int body = m->shape_body[of.index];
  return side.kind == PL_SIDE_WORLD ? body < 0 : side.kind == PL_SIDE_BODY && body == side.index;
}

int pl_side_number(const plModel* m, plSide side) {
  assert(side.kind == PL_SIDE_DEFORMABLE || side.kind == PL_SIDE_SHAPE);
  return side.kind == PL_SIDE_SHAPE ? m->ndeform + side.index : side.index;
}

plSide pl_side_of_number(const plModel* m, int number) {
  assert(number >= 0 && number < m->ndeform + m->nshape);
  return number < m->ndeform ? (plSide){PL_SIDE_DEFORMABLE, number}
                             : (plSide){PL_SIDE_SHAPE, number - m->ndeform};
}
