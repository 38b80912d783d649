// scene_attachment.c: the sections `attachments` and `constraints` -> plAttachDef, plConstraintDef.
#include <assert.h>
#include <string.h>

#include "input/scene.h"
#include "math/pose.h"
#include "model/side.h"
#include "model/spec.h"
#include "pliant/rigid.h"

// ---- attachments

typedef struct Attachment {
  const char *name, *deformable, *to;
  plSceneRegion region;
  double stiffness, relaxation_time;
  bool exact, off;
} Attachment;

// clang-format off
#define AT(field) offsetof(Attachment, field)
static const plKey attachment_keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true, .meaning = "unique among attachments"},
    {.name = "deformable", .type = PL_KEY_TEXT, .offset = AT(deformable), .required = true, .meaning = "the soft body"},
    {.name = "region", .type = PL_KEY_MAP, .offset = AT(region), .section = &pl_section_region, .required = true,
     .meaning = "which of its vertices; at least one"},
    {.name = "to", .type = PL_KEY_TEXT, .offset = AT(to), .meaning = "the rigid body or other deformable with which they move, or `world`; each vertex follows the tetrahedron of a deformable that is nearest to it at the start"},
    {.name = "stiffness", .type = PL_KEY_NUMBER, .offset = AT(stiffness), .unit = "N/m", .range = {0, INFINITY, true, false},
     .meaning = "of the whole attachment, however many vertices; `infinite`: as stiff as the step allows"},
    {.name = "relaxation_time", .type = PL_KEY_NUMBER, .offset = AT(relaxation_time), .unit = "s", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "dissipation"},
    {.name = "exact", .type = PL_KEY_BOOL, .offset = AT(exact),
     .meaning = "no compliance: the vertices move with the rigid body or the world (not with a deformable; linear materials)"},
    {.name = "off", .type = PL_KEY_BOOL, .offset = AT(off), .meaning = "switched off at the start"},
};
#undef AT
// clang-format on

static void attachment_defaults(void* target) {
  plAttachDef def = pl_default_attach_def();
  Attachment* a = target;
  *a = (Attachment){.to = "world",
                    .stiffness = def.stiffness,
                    .relaxation_time = def.relaxation_time,
                    .exact = def.exact,
                    .off = def.off};
  pl_section_region.defaults(&a->region);
}

const plSection pl_section_attachment = {
    "attachment",       attachment_keys,     sizeof attachment_keys / sizeof *attachment_keys,
    sizeof(Attachment), attachment_defaults, NULL};

int pl_scene_find_deformable(const plScene* scene, const char* name) {
  for (int i = 0; name && i < scene->spec->ndeform; i++)
    if (!strcmp(scene->spec->deform[i].name, name)) return i;
  return -1;
}

plStatus pl_scene_add_attachment(plScene* scene, const plYaml* map) {
  Attachment a;
  plStatus status = pl_section_read(scene, &pl_section_attachment, map, &a);
  if (status) return status;
  plAttachDef def = pl_default_attach_def();
  def.name = a.name;
  def.deformable = pl_scene_find_deformable(scene, a.deformable);
  if (def.deformable < 0)
    return pl_scene_fail(scene, pl_yaml_get(map, "deformable"),
                         "there is no deformable '%.64s' in this scene", a.deformable);
  def.other = pl_scene_find_deformable(scene, a.to);
  if (def.other >= 0 && pl_spec_find_body(scene->spec, a.to) >= 0)
    return pl_scene_fail_key(scene, map, "to",
                             "'%.64s' is both a rigid body and a deformable; give one of them another name",
                             a.to);
  if (def.other < 0) status = pl_scene_find_body(scene, map, "to", a.to, &def.body);
  if (!status) status = pl_scene_region(scene, &a.region, def.deformable, &def.region);
  if (status) return status;
  def.stiffness = a.stiffness;
  def.relaxation_time = a.relaxation_time;
  def.exact = a.exact;
  def.off = a.off;
  return pl_scene_locate(scene, map, pl_spec_add_attachment(scene->spec, &def, NULL, scene->error));
}

// ---- constraints

typedef struct Constraint {
  const char *name, *a, *b;
  int kind;
  plScenePose pose_a, pose_b;
  double length, ratio, offset, lower, upper, stiffness, damping;
  bool off;
  const plYaml *joints, *coefficients, *times, *values;
  int interpolation;
  double amplitude, frequency, phase;
} Constraint;

static const plWord kind_words[] = {{"ball", PL_CONSTRAINT_BALL},
                                    {"weld", PL_CONSTRAINT_WELD},
                                    {"distance", PL_CONSTRAINT_DISTANCE},
                                    {"coupler", PL_CONSTRAINT_COUPLER},
                                    {"tendon", PL_CONSTRAINT_TENDON},
                                    {"motion", PL_CONSTRAINT_MOTION},
                                    {NULL, 0}};

static const plShapeRule kind_rules[] = {
    [PL_CONSTRAINT_BALL] = {"ball", {"a", "b?", "pose_a?", "pose_b?"}},
    [PL_CONSTRAINT_WELD] = {"weld", {"a", "b?", "pose_a?", "pose_b?"}},
    [PL_CONSTRAINT_DISTANCE] = {"distance", {"a", "b?", "pose_a?", "pose_b?", "length", "lower?", "upper?"}},
    [PL_CONSTRAINT_COUPLER] = {"coupler", {"a", "b", "ratio?", "offset?"}},
    [PL_CONSTRAINT_TENDON] = {"tendon", {"joints", "coefficients?", "lower?", "upper?", "offset?"}},
    [PL_CONSTRAINT_MOTION] = {"motion", {"a", "offset?"}}};
static const char* const kind_keys[] = {"a",      "b",      "pose_a",       "pose_b", "length", "ratio",
                                        "offset", "joints", "coefficients", "lower",  "upper",  NULL};

// clang-format off
#define AT(field) offsetof(Constraint, field)
static const plKey constraint_keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true, .meaning = "unique among constraints"},
    {.name = "kind", .type = PL_KEY_WORD, .offset = AT(kind), .words = kind_words, .required = true,
     .meaning = "ball: two points coincide; weld: two frames; distance: of two points, or, with lower or upper, lower <= distance - length <= upper (a rope: upper 0); coupler: q_a = ratio q_b + offset; tendon: lower <= sum of coefficient q + offset <= upper; motion: q_a = offset"},
    {.name = "a", .type = PL_KEY_TEXT, .offset = AT(a), .fallback = "none", .meaning = "a rigid body, or `world`; the coupler's first joint, the joint of a motion"},
    {.name = "b", .type = PL_KEY_TEXT, .offset = AT(b), .meaning = "the other body; the coupler's second joint"},
    {.name = "pose_a", .type = PL_KEY_MAP, .offset = AT(pose_a), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "point or frame in a"},
    {.name = "pose_b", .type = PL_KEY_MAP, .offset = AT(pose_b), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "point or frame in b"},
    {.name = "length", .type = PL_KEY_NUMBER, .offset = AT(length), .unit = "m", .range = PL_RANGE_NOT_NEGATIVE, .fallback = "none",
     .meaning = "distance"},
    {.name = "ratio", .type = PL_KEY_NUMBER, .offset = AT(ratio), .meaning = "of a coupler"},
    {.name = "offset", .type = PL_KEY_NUMBER, .offset = AT(offset), .unit = "m, rad", .meaning = "of a coupler, tendon or motion"},
    {.name = "joints", .type = PL_KEY_TEXTS, .offset = AT(joints), .fallback = "none", .meaning = "of a tendon"},
    {.name = "coefficients", .type = PL_KEY_NUMBERS, .offset = AT(coefficients), .fallback = "1 each", .meaning = "of a tendon, one per joint"},
    {.name = "lower", .type = PL_KEY_NUMBER, .offset = AT(lower), .unit = "m, rad", .range = {-INFINITY, INFINITY, false, true},
     .meaning = "of a tendon or distance, or `-infinite`"},
    {.name = "upper", .type = PL_KEY_NUMBER, .offset = AT(upper), .unit = "m, rad", .range = {-INFINITY, INFINITY, true, false},
     .meaning = "of a tendon or distance, or `infinite`"},
    {.name = "stiffness", .type = PL_KEY_NUMBER, .offset = AT(stiffness), .unit = "N/m, Nm/rad", .range = {0, INFINITY, true, false},
     .meaning = "`infinite`: as stiff as the step allows; of a weld the number is that of each direction (N/m) and of each angle (Nm/rad)"},
    {.name = "damping", .type = PL_KEY_NUMBER, .offset = AT(damping), .unit = "N s/m", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "dissipation"},
    {.name = "off", .type = PL_KEY_BOOL, .offset = AT(off), .meaning = "switched off at the start"},
    {.name = "times", .type = PL_KEY_NUMBERS, .offset = AT(times), .unit = "s", .fallback = "none",
     .meaning = "knots of a table that is added to `length` or `offset`, increasing; before and after it the value is constant"},
    {.name = "values", .type = PL_KEY_NUMBERS, .offset = AT(values), .unit = "m, rad", .fallback = "none", .meaning = "at these times"},
    {.name = "interpolation", .type = PL_KEY_WORD, .offset = AT(interpolation), .words = pl_interpolation_words,
     .meaning = "between knots: straight, or smooth and at rest at both ends"},
    {.name = "amplitude", .type = PL_KEY_NUMBER, .offset = AT(amplitude), .unit = "m, rad",
     .meaning = "of a sine that is added too: amplitude sin(2 pi frequency t + phase)"},
    {.name = "frequency", .type = PL_KEY_NUMBER, .offset = AT(frequency), .unit = "1/s", .meaning = "of the sine"},
    {.name = "phase", .type = PL_KEY_NUMBER, .offset = AT(phase), .unit = "rad", .meaning = "of the sine"},
};
#undef AT
// clang-format on

static void constraint_defaults(void* target) {
  plConstraintDef def = pl_default_constraint_def();
  Constraint* c = target;
  *c = (Constraint){.b = "world",
                    .kind = (int)def.kind,
                    .ratio = def.ratio,
                    .offset = def.offset,
                    .lower = def.lower,
                    .upper = def.upper,
                    .stiffness = def.stiffness,
                    .damping = def.damping,
                    .off = def.off};
  pl_section_pose.defaults(&c->pose_a);
  pl_section_pose.defaults(&c->pose_b);
}

static plStatus constraint_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  const Constraint* c = target;
  int njoint = c->joints && c->joints->kind == PL_YAML_LIST ? c->joints->nchild : 1;
  if (c->coefficients && c->joints && c->coefficients->nchild != njoint)
    return pl_scene_fail_key(scene, map, "coefficients",
                             "a tendon needs one coefficient per joint, got %d for %d",
                             c->coefficients->nchild, njoint);
  int ntime = c->times ? c->times->nchild : 0, nvalue = c->values ? c->values->nchild : 0;
  if (ntime != nvalue)
    return pl_scene_fail_key(scene, map, nvalue ? "values" : "times",
                             "a constraint needs as many 'times' as 'values', got %d and %d", ntime, nvalue);
  return pl_scene_check_shape(scene, map, &kind_rules[c->kind], kind_keys);
}

const plSection pl_section_constraint = {
    "constraint",       constraint_keys,     sizeof constraint_keys / sizeof *constraint_keys,
    sizeof(Constraint), constraint_defaults, constraint_finish};

// The joints of a tendon: one name, or a list.
static plStatus tendon_joints(plScene* scene, const Constraint* c, plConstraintDef* def) {
  bool list = c->joints->kind == PL_YAML_LIST;
  int n = list ? c->joints->nchild : 1;
  int* joint = PL_ARENA_NEW(&scene->tree.arena, int, n);
  double* coefficient = PL_ARENA_NEW(&scene->tree.arena, double, n);
  if (!joint || !coefficient) return pl_fail_out_of_memory(scene->error, (size_t)n * sizeof(double));
  const plYaml *node = list ? c->joints->first : c->joints,
               *number = c->coefficients ? c->coefficients->first : NULL;
  for (int i = 0; i < n; i++) {
    assert(node && node->text && (!c->coefficients || number));  // one coefficient per joint
    plStatus status = pl_scene_find_joint(scene, node, node->text, &joint[i]);
    if (status) return status;
    coefficient[i] = 1;
    if (number) pl_yaml_number(number, &coefficient[i]);
    number = number ? number->next : NULL;
    node = node->next;
  }
  def->njoint = n;
  def->joint = joint;
  def->coefficient = coefficient;
  return PL_OK;
}

plStatus pl_scene_add_constraint(plScene* scene, const plYaml* map) {
  Constraint c;
  plStatus status = pl_section_read(scene, &pl_section_constraint, map, &c);
  if (status) return status;
  plConstraintDef def = pl_default_constraint_def();
  def.name = c.name;
  def.kind = (plConstraintKind)c.kind;
  def.pose_a = c.pose_a.pose;
  def.pose_b = c.pose_b.pose;
  def.length = c.length;
  def.ratio = c.ratio;
  def.offset = c.offset;
  def.lower = c.lower;
  def.upper = c.upper;
  def.stiffness = c.stiffness;
  def.damping = c.damping;
  def.off = c.off;
  def.interpolation = (plInterpolation)c.interpolation;
  def.amplitude = c.amplitude;
  def.frequency = c.frequency;
  def.phase = c.phase;
  status = pl_scene_table(scene, c.times, c.values, &def.ntime, &def.time, &def.value);
  if (status) return status;
  if (def.kind == PL_CONSTRAINT_TENDON) {
    status = tendon_joints(scene, &c, &def);
  } else if (def.kind == PL_CONSTRAINT_MOTION) {
    status = pl_scene_find_joint(scene, pl_yaml_get(map, "a"), c.a, &def.a);
  } else if (def.kind == PL_CONSTRAINT_COUPLER) {
    status = pl_scene_find_joint(scene, pl_yaml_get(map, "a"), c.a, &def.a);
    if (!status) status = pl_scene_find_joint(scene, pl_yaml_get(map, "b"), c.b, &def.b);
  } else {
    status = pl_scene_find_body(scene, map, "a", c.a, &def.a);
    if (!status) status = pl_scene_find_body(scene, map, "b", c.b, &def.b);
  }
  if (status) return status;
  return pl_scene_locate(scene, map, pl_spec_add_constraint(scene->spec, &def, NULL, scene->error));
}

// ---- pairs without contact

typedef struct Exclude {
  const char *a, *b;
} Exclude;

// clang-format off
static const plKey exclude_keys[] = {
    {.name = "a", .type = PL_KEY_TEXT, .offset = offsetof(Exclude, a), .required = true,
     .meaning = "a rigid body, a deformable, `world`, or a group: `arm/*` is all whose names begin with `arm/`"},
    {.name = "b", .type = PL_KEY_TEXT, .offset = offsetof(Exclude, b), .required = true, .meaning = "likewise"},
};
// clang-format on

static void exclude_defaults(void* target) { *(Exclude*)target = (Exclude){0}; }

const plSection pl_section_exclude = {
    "exclude",       exclude_keys,     sizeof exclude_keys / sizeof *exclude_keys,
    sizeof(Exclude), exclude_defaults, NULL};

// Whether a name matches: it is the same, or begins with the text before the '*'.
static bool fits(const char* pattern, const char* name) {
  size_t n = strlen(pattern);
  return n && pattern[n - 1] == '*' ? !strncmp(pattern, name, n - 1) : !strcmp(pattern, name);
}

// Objects that may be excluded, numbered: the deformables, the world, the rigid bodies.
static int excluded_count(const plSpec* spec) { return spec->ndeform + 1 + pl_spec_body_count(spec); }
static plSide excluded_side(const plSpec* spec, int i) {
  return i < spec->ndeform ? (plSide){PL_SIDE_DEFORMABLE, i} : pl_side_of_body(i - spec->ndeform - 1);
}
static const char* excluded_name(const plSpec* spec, int i) {
  plSide side = excluded_side(spec, i);
  if (side.kind == PL_SIDE_WORLD) return "world";
  return side.kind == PL_SIDE_BODY ? pl_spec_body(spec, side.index)->name : spec->deform[side.index].name;
}

static plStatus check_fits(plScene* scene, const plYaml* map, const char* key, const char* pattern) {
  bool any = false;
  for (int i = 0; i < excluded_count(scene->spec) && !any; i++)
    any = fits(pattern, excluded_name(scene->spec, i));
  return any ? PL_OK
             : pl_scene_fail_key(scene, map, key,
                                 "there is no rigid body '%.64s' in this scene, and no deformable", pattern);
}

plStatus pl_scene_add_exclude(plScene* scene, const plYaml* map) {
  Exclude e;
  plStatus status = pl_section_read(scene, &pl_section_exclude, map, &e);
  if (!status) status = check_fits(scene, map, "a", e.a);
  if (!status) status = check_fits(scene, map, "b", e.b);
  const plSpec* spec = scene->spec;
  for (int i = 0, n = excluded_count(spec); i < n && !status; i++) {
    if (!fits(e.a, excluded_name(spec, i))) continue;
    for (int j = 0; j < n && !status; j++)
      if (i != j && fits(e.b, excluded_name(spec, j)))
        status = pl_scene_locate(
            scene, map,
            pl_spec_exclude(scene->spec, excluded_side(spec, i), excluded_side(spec, j), scene->error));
  }
  return status;
}
