// mjcf_actuator.c: actuators of an MJCF file, and the fixed tendons that carry them. Their dampratio is in
// mjcf_damping.c.
//
// f = gain u + bias0 + bias1 l + bias2 ldot, l = gear q. In MuJoCo all kinds of actuators are one element,
// <general>: a <position> in a default class sets the gain and the bias of every actuator of that class. The
// law is therefore found by going from the outermost class to the element itself.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/spec.h"

double pl_mjcf_ref(const plMjcf* m, int joint) {
  assert(joint >= m->joint0);
  return joint - m->joint0 < m->nref ? m->ref[joint - m->joint0] : 0;
}

// ---- fixed tendons: sum coef q

const plXml* pl_mjcf_find_tendon(const plMjcf* m, const char* kind, const char* name) {
  for (const plXml* list = pl_xml_child(m->root, "tendon"); list; list = pl_xml_next(list))
    for (const plXml* t = pl_xml_child(list, kind); t; t = pl_xml_next(t)) {
      const char* own = pl_xml_attr(t, "name");
      if (own && !strcmp(own, name)) return t;
    }
  return NULL;
}

// ---- attributes

static bool is_actuator(const plXml* node) {
  static const char* const kinds[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                      "damper",  "cylinder", "muscle",   "adhesion", "plugin"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(node->name, kinds[i])) return true;
  return false;
}

// An attribute of the actuator, or of the nearest class around it, whatever the kind of that class's element.
static const char* attr_of(const plMjcf* m, const plXml* node, const char* name) {
  const char *value = pl_xml_attr(node, name), *class_name = pl_xml_attr(node, "class");
  if (value && value[0]) return value;
  value = NULL;
  for (const plXml* d = pl_mjcf_class(pl_mjcf_scope(m, node), class_name);
       d && !strcmp(d->name, "default") && !value; d = d->parent)
    for (const plXml* e = d->child; e; e = e->next) {
      const char* found = is_actuator(e) ? pl_xml_attr(e, name) : NULL;
      if (found && found[0]) value = found;
    }
  return value;
}

static plStatus numbers_of(plMjcf* m, const plXml* node, const char* name, double* value, int least, int n,
                           int* count) {
  const char* text = attr_of(m, node, name);
  *count = 0;
  return text ? pl_xml_numbers(node, text, name, value, least, n, count, m->robot->error) : PL_OK;
}

static plStatus flag_of(plMjcf* m, const plXml* node, const char* name, bool automatic, bool* value) {
  const char* text = attr_of(m, node, name);
  *value = automatic;
  if (!text || !strcmp(text, "auto")) return PL_OK;
  return pl_xml_bool(node, text, value, m->robot->error);
}

// ---- the law

typedef struct Law {
  double gain, bias[3], damp_ratio;
  bool affine;       // the bias counts
  bool known;        // no other kind of gain or bias
  bool filtered;     // the input passes a filter
  const char* what;  // the kind that is not known
} Law;

static plStatus own_numbers(plMjcf* m, const plXml* e, const char* name, double* x, int n, int* count) {
  const char* text = pl_xml_attr(e, name);
  *count = 0;
  return text && text[0] ? pl_xml_numbers(e, text, name, x, 1, n, count, m->robot->error) : PL_OK;
}

static plStatus apply_general(plMjcf* m, const plXml* e, Law* law) {
  double x[10];
  int n;
  const char *gain = pl_xml_attr(e, "gaintype"), *bias = pl_xml_attr(e, "biastype"),
             *dyn = pl_xml_attr(e, "dyntype");
  plStatus status = own_numbers(m, e, "gainprm", x, 10, &n);
  if (!status && n) law->gain = x[0];
  if (!status) status = own_numbers(m, e, "biasprm", x, 10, &n);
  for (int k = 0; k < 3 && k < n && !status; k++) law->bias[k] = x[k];
  if (bias) law->affine = !strcmp(bias, "affine");
  if ((gain && strcmp(gain, "fixed")) || (bias && strcmp(bias, "none") && strcmp(bias, "affine")))
    law->known = false, law->what = gain ? gain : bias;
  if (dyn) law->filtered = !strncmp(dyn, "filter", 6);
  if (dyn && strcmp(dyn, "none") && !law->filtered) law->known = false, law->what = dyn;
  return status;
}

// The effect of an element (of a class or the actuator itself) on the law.
static plStatus apply(plMjcf* m, const plXml* e, Law* law) {
  double kp = law->gain, kv = 0, ratio = 0, filter = 0;
  int n = 0, nkv = 0, nratio = 0;
  plStatus status = PL_OK;
  if (!strcmp(e->name, "general")) return apply_general(m, e, law);
  if (!strcmp(e->name, "motor")) {
    *law = (Law){.gain = 1, .known = true};
  } else if (!strcmp(e->name, "position")) {
    status = own_numbers(m, e, "kp", &kp, 1, &n);
    if (!status) status = own_numbers(m, e, "kv", &kv, 1, &nkv);
    if (!status) status = own_numbers(m, e, "dampratio", &ratio, 1, &nratio);
    if (!status) status = own_numbers(m, e, "timeconst", &filter, 1, &n);
    *law = (Law){.gain = kp,
                 .bias = {0, -kp, nkv ? -kv : law->bias[2]},
                 .affine = true,
                 .known = true,
                 .damp_ratio = nratio ? ratio
                               : nkv  ? 0
                                      : law->damp_ratio,
                 .filtered = filter > 0};
  } else if (!strcmp(e->name, "velocity")) {
    kv = law->gain;
    status = own_numbers(m, e, "kv", &kv, 1, &n);
    *law = (Law){.gain = kv, .bias = {0, 0, -kv}, .affine = true, .known = true};
  } else {
    law->known = false, law->what = e->name;
  }
  return status;
}

static plStatus apply_classes(plMjcf* m, const plXml* d, Law* law) {
  if (!d || strcmp(d->name, "default")) return PL_OK;
  plStatus status = apply_classes(m, pl_mjcf_outer(d), law);
  for (const plXml* e = d->child; e && !status; e = e->next)
    if (is_actuator(e)) status = apply(m, e, law);
  return status;
}

// The law as one of our kinds: a servo becomes a position actuator, whatever the element's name.
static void set_law(const Law* law, plActuatorDef* def) {
  double gain = law->gain, b0 = law->affine ? law->bias[0] : 0, b1 = law->affine ? law->bias[1] : 0,
         b2 = law->affine ? law->bias[2] : 0;
  if (gain > 0 && b0 == 0 && b1 == -gain && b2 <= 0)
    def->kind = PL_ACTUATOR_POSITION, def->kp = gain, def->kd = 0 - b2;
  else if (gain > 0 && b0 == 0 && b1 == 0 && b2 == -gain)
    def->kind = PL_ACTUATOR_VELOCITY, def->kd = gain;
  else if (gain == 1 && b0 == 0 && b1 == 0 && b2 == 0)
    def->kind = PL_ACTUATOR_MOTOR;
  else
    def->kind = PL_ACTUATOR_AFFINE, def->gain = gain, def->bias[0] = b0, def->bias[1] = b1, def->bias[2] = b2;
}

// inheritrange: the input's limits are the joint's, stretched about their middle; in MuJoCo's coordinate.
static void inherit_range(const plDofDef* dof, double ref, double factor, plActuatorDef* def) {
  if (!(factor > 0) || def->kind != PL_ACTUATOR_POSITION || !isfinite(dof->lower) || !isfinite(dof->upper))
    return;
  double middle = 0.5 * (dof->lower + dof->upper) + ref, half = 0.5 * factor * (dof->upper - dof->lower);
  def->lower = middle - half, def->upper = middle + half;
}

// Whether any joint moves a body.
static bool is_movable(const plSpec* spec, int body) {
  for (int k = 0; k <= spec->nbody && body >= 0; k++) {
    int up = -1;
    for (int j = 0; j < spec->njoint; j++) {
      if (spec->joint[j].child != body) continue;
      if (spec->joint[j].kind != PL_JOINT_FIXED) return true;
      up = spec->joint[j].parent;
    }
    body = up;
  }
  return false;
}

// A force and moment at a site, or a cable through sites (into joint, which has room for them).
static plStatus read_sites(plMjcf* m, const plXml* node, const char* cable, plActuatorDef* def, int* site,
                           const char** name) {
  _Static_assert((int)PL_MJCF_CABLE_SITES <= (int)PL_MJCF_TENDON_JOINTS, "sites go where joints do");
  const char* own = attr_of(m, node, "site");
  const plXml* spatial = cable ? pl_mjcf_find_tendon(m, "spatial", cable) : NULL;
  plStatus status = PL_OK;
  bool known = true;
  int n;
  def->site = site;
  if (spatial) {
    status = pl_mjcf_cable(m, spatial, site, &def->nsite, &known);
    if (!known) def->nsite = 0;
  } else if (own && !attr_of(m, node, "refsite")) {
    status = numbers_of(m, node, "gear", def->wrench, 1, 6, &n);
    if (!status && !n) def->wrench[0] = 1;
    if (!status) status = pl_mjcf_find_site(m, node, "site", site);
    def->nsite = 1;
  }
  bool moves = false;
  for (int k = 0; k < def->nsite && !status; k++)
    moves |= is_movable(m->robot->spec, m->robot->spec->site[site[k]].body);
  *name = moves ? (spatial ? cable : own) : NULL;
  return status;
}

static plStatus read_target(plMjcf* m, const plXml* node, plActuatorDef* def, int* joint, double* coefficient,
                            double* ref, const char** name) {
  plRobot* robot = m->robot;
  const char *own = attr_of(m, node, "joint"), *tendon = attr_of(m, node, "tendon");
  if (!own) own = pl_xml_attr(node, "jointinparent");
  *name = NULL;
  if (own) {
    def->joint = pl_mjcf_joint(m, own);
    if (def->joint < 0)
      return pl_xml_fail(node, robot->error, "the actuator drives joint '%s', which does not exist", own);
    *ref = pl_mjcf_ref(m, def->joint);
    if (pl_joint_nv(robot->spec->joint[def->joint].kind) == 1) *name = own;
    return PL_OK;
  }
  const plXml* fixed = tendon ? pl_mjcf_find_tendon(m, "fixed", tendon) : NULL;
  if (!fixed) return read_sites(m, node, tendon, def, joint, name);
  def->tendon = joint, def->coefficient = coefficient;
  *name = tendon;
  plStatus status = pl_mjcf_tendon(m, fixed, joint, coefficient, &def->njoint, ref);
  if (!status && !def->njoint)
    status = pl_xml_fail(fixed, robot->error, "the tendon '%s' runs over no joint", tendon);
  if (!status) def->joint = joint[0];
  return status;
}

// Whether actuators of a joint above a body are limited.
static bool has_limit_above(const plSpec* spec, int body) {
  for (int k = 0; k <= spec->nbody && body >= 0; k++) {
    int up = -1;
    for (int j = 0; j < spec->njoint && up < 0; j++)
      if (spec->joint[j].child == body) up = j;
    if (up >= 0 && isfinite(spec->joint[up].dof[0].effort)) return true;
    body = up < 0 ? -1 : spec->joint[up].parent;
  }
  return false;
}

// A joint's actuatorfrcrange limits the sum of its actuators, in which tendons and sites with gains do not
// count.
static void check_limits(const plMjcf* m, const plXml* node, const plActuatorDef* def) {
  const plSpec* spec = m->robot->spec;
  bool gains = def->kind == PL_ACTUATOR_AFFINE ? def->bias[1] != 0 || def->bias[2] != 0
                                               : def->kind != PL_ACTUATOR_MOTOR,
       limited = false;
  for (int k = 0; k < def->njoint && def->njoint > 1; k++)
    limited |= def->coefficient[k] != 0 && isfinite(spec->joint[def->tendon[k]].dof[0].effort);
  for (int k = 0; k < def->nsite; k++) limited |= has_limit_above(spec, spec->site[def->site[k]].body);
  if (gains && limited)
    pl_robot_warn(m->robot, node,
                  def->nsite ? "the force of <%s> with kp or kv on sites does not count in the "
                               "actuatorfrcrange of joints"
                             : "the force of <%s> with kp or kv on a tendon is kept within the "
                               "actuatorfrcrange of each of its joints, but is not part of their sums",
                  node->name);
}

static plStatus add_actuator(plMjcf* m, const plXml* node) {
  plRobot* robot = m->robot;
  plActuatorDef def = pl_default_actuator_def();
  bool ctrl_limited, force_limited;
  double gear[6] = {1}, ctrl[2], force[2], inherit = 0, coefficient[PL_MJCF_TENDON_JOINTS], ref = 0;
  int nctrl, nforce, ngear, joints[PL_MJCF_TENDON_JOINTS];
  const char* target;
  Law law = {.gain = 1, .known = true};
  plStatus status = apply_classes(m, pl_mjcf_class(pl_mjcf_scope(m, node), pl_xml_attr(node, "class")), &law);
  if (!status) status = apply(m, node, &law);
  if (!status) status = read_target(m, node, &def, joints, coefficient, &ref, &target);
  if (status) return status;
  set_law(&law, &def);
  if (!law.known || !target) {
    pl_robot_warn(robot, node,
                  "ignored: <%s>; actuators on joints of one degree of freedom, fixed tendons, sites and "
                  "tendons through sites are read "
                  "(motor, position, velocity, general with fixed gain and affine bias)",
                  node->name);
    pl_xml_use_all(node);
    return PL_OK;
  }
  if (def.kind == PL_ACTUATOR_AFFINE && (def.bias[1] > 0 || def.bias[2] > 0)) {
    pl_robot_warn(robot, node,
                  "ignored: <%s>: its force grows with position or velocity (biasprm %g %g %g), which is "
                  "unstable",
                  node->name, def.bias[0], def.bias[1], def.bias[2]);
    pl_xml_use_all(node);
    return PL_OK;
  }
  status = numbers_of(m, node, "gear", gear, 1, 6, &ngear);
  if (!status) status = numbers_of(m, node, "ctrlrange", ctrl, 2, 2, &nctrl);
  if (!status) status = numbers_of(m, node, "forcerange", force, 2, 2, &nforce);
  if (!status) status = numbers_of(m, node, "inheritrange", &inherit, 1, 1, &ngear);
  if (!status)
    status = flag_of(m, node, "ctrllimited", pl_mjcf_scope(m, node)->autolimits && nctrl > 0, &ctrl_limited);
  if (!status)
    status =
        flag_of(m, node, "forcelimited", pl_mjcf_scope(m, node)->autolimits && nforce > 0, &force_limited);
  if (status) return status;
  def.gear = def.nsite == 1 ? 1 : gear[0];
  if (law.damp_ratio > 0 && def.kind == PL_ACTUATOR_POSITION) {
    double inertia;
    status = pl_mjcf_felt_inertia(m, &def, &inertia);
    if (status) return status;
    def.kd = 2 * law.damp_ratio * sqrt(def.kp * inertia);
  }
  if (law.filtered) pl_robot_warn(robot, node, "the filter of the input of <%s> is left out", node->name);
  if (nctrl && ctrl_limited) def.lower = ctrl[0], def.upper = ctrl[1];
  if (!nctrl && !def.njoint && !def.nsite)
    inherit_range(&robot->spec->joint[def.joint].dof[0], ref, inherit, &def);
  if (nforce && force_limited)
    def.force_lower = fmin(def.gear * force[0], def.gear * force[1]),
    def.force_upper = fmax(def.gear * force[0], def.gear * force[1]);
  check_limits(m, node, &def);
  // MuJoCo's coordinate is ours plus ref: the difference goes into the constant
  if (ref != 0 && def.kind == PL_ACTUATOR_POSITION) {
    def.kind = PL_ACTUATOR_AFFINE, def.gain = def.kp;
    def.bias[0] = -def.kp * def.gear * ref, def.bias[1] = -def.kp, def.bias[2] = -def.kd;
  } else if (def.kind == PL_ACTUATOR_AFFINE) {
    def.bias[0] += def.bias[1] * def.gear * ref;
  }
  const char* name = pl_xml_attr(node, "name");
  def.name = name && name[0] ? pl_robot_full_name(robot, name)
                             : pl_robot_free_name(robot, target, pl_spec_find_actuator);
  status = def.name ? pl_spec_add_actuator(robot->spec, &def, NULL, robot->error)
                    : pl_fail_out_of_memory(robot->error, 256);
  return pl_robot_place(m->robot, node, status);
}

plStatus pl_mjcf_actuators(plMjcf* m) {
  plStatus status = PL_OK;
  for (const plXml* list = pl_xml_child(m->root, "actuator"); list && !status; list = pl_xml_next(list))
    for (const plXml* node = list->child; node && !status; node = node->next) {
      ((plXml*)node)->used = true;
      int before = m->robot->spec->nactuator;
      status = add_actuator(m, node);
      int id = m->robot->spec->nactuator > before ? before : -1;
      if (!status && !PL_PUSH(m->actuator, m->nactuator, m->actuator_cap, id))
        status = pl_fail_out_of_memory(m->robot->error, sizeof id);
    }
  return status;
}
