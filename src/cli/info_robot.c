// info_robot.c: contents of a robot file: the tree of bodies with their joints, limits and masses, the
// actuators, and the remarks.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "pliant/output.h"
#include "report.h"

// ---- warnings, kept for the end

typedef struct Note {
  plRemarkRank rank;
  int count;
  char* text;
} Note;

typedef struct Notes {
  Note* note;  // [n]
  int n;
} Notes;

static void keep_note(void* user, plRemarkRank rank, int count, const char* text) {
  Notes* notes = user;
  Note* grown = realloc(notes->note, sizeof(Note) * (size_t)(notes->n + 1));
  if (!grown) return;
  notes->note = grown;
  grown[notes->n++] = (Note){rank, count, strdup(text)};
}

static void free_notes(Notes* notes) {
  for (int i = 0; i < notes->n; i++) free(notes->note[i].text);
  free(notes->note);
}

static void print_notes(const Notes* notes) {
  static const char* const heads[] = {"remarks that affect the motion",
                                      "remarks that affect at most the drawing"};
  for (int rank = 0; rank < 2; rank++)
    for (int i = 0, first = 1; i < notes->n; i++) {
      if ((int)notes->note[i].rank != rank) continue;
      if (first) printf("\n%s\n", heads[rank]);
      first = 0;
      say(stdout, "  %s\n", notes->note[i].text ? notes->note[i].text : "");
    }
}

static int write_notes(const char* path, const char* file, const plSpec* spec, const Notes* notes) {
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  if (!out) {
    complain("%s cannot be written: no memory", path);
    return EXIT_FAILED;
  }
  double mass = 0;
  for (int i = 0; i < pl_spec_body_count(spec); i++) mass += pl_spec_body(spec, i)->mass;
  fprintf(out, "{\n  \"file\": ");
  print_json_text(out, file);
  fprintf(out,
          ",\n  \"bodies\": %d, \"joints\": %d, \"actuators\": %d, \"shapes\": %d, \"mass\": %.17g,\n  "
          "\"remarks\": [",
          pl_spec_body_count(spec), pl_spec_joint_count(spec), pl_spec_actuator_count(spec),
          pl_spec_shape_count(spec), mass);
  for (int i = 0; i < notes->n; i++) {
    fprintf(out, "%s\n    {\"kind\": \"%s\", \"count\": %d, \"text\": ", i ? "," : "",
            notes->note[i].rank == PL_REMARK_PHYSICS ? "physics" : "other", notes->note[i].count);
    print_json_text(out, notes->note[i].text ? notes->note[i].text : "");
    fprintf(out, "}");
  }
  fprintf(out, "\n  ]\n}\n");
  plError error;
  int status = !fclose(out) && text ? EXIT_DONE : EXIT_FAILED;
  if (!status && pl_output_json(path, text, size, &error)) status = complain_error(&error);
  free(text);
  return status;
}

// ---- the tree

static const char* short_name(const char* name) {
  const char* slash = strchr(name, '/');
  return slash ? slash + 1 : name;
}

static void print_limits(const plJointDef* joint) {
  const plDofDef* d = &joint->dof[0];
  if (pl_joint_nv(joint->kind) == 1 && joint->kind != PL_JOINT_CONTINUOUS &&
      (isfinite(d->lower) || isfinite(d->upper)))
    printf(", %g to %g", d->lower, d->upper);
  if (joint->kind == PL_JOINT_BALL && isfinite(d->upper)) printf(", up to %g", d->upper);
  if (pl_joint_nv(joint->kind) == 0) return;
  if (isfinite(d->effort)) printf(", effort %g", d->effort);
  if (isfinite(d->speed)) printf(", speed %g", d->speed);
  if (d->damping > 0) printf(", damping %g", d->damping);
  if (d->friction > 0) printf(", friction %g", d->friction);
  if (d->stiffness > 0) printf(", spring %g", d->stiffness);
  double armature = d->armature + d->rotor_inertia * d->gear_ratio * d->gear_ratio;
  if (armature > 0) printf(", armature %g", armature);
  if (joint->locked) printf(", locked");
}

static void print_body(const plSpec* spec, int body, int depth) {
  const plBodyDef* def = pl_spec_body(spec, body);
  printf("%*s%s", 2 * depth, "", short_name(def->name));
  if (def->mass > 0) printf("  %g kg", def->mass);
  int joints = 0;
  for (int j = 0; j < pl_spec_joint_count(spec); j++) {
    const plJointDef* joint = pl_spec_joint(spec, j);
    if (joint->child != body) continue;
    printf("  <- %s (%s", short_name(joint->name), pl_joint_kind_name(joint->kind));
    print_limits(joint);
    printf(")");
    joints++;
  }
  printf("%s\n", joints ? "" : "  <- free");
}

// The body and everything that it carries; an explicit stack, [2 nbody], because files may be nested
// arbitrarily deep.
static void print_tree(const plSpec* spec, int root, int* stack) {
  int *next = stack + pl_spec_body_count(spec), depth = 0;
  stack[0] = root, next[0] = 0;
  print_body(spec, root, 1);
  while (depth >= 0) {
    int child = -1;
    for (int j = next[depth]; j < pl_spec_joint_count(spec) && child < 0; j++) {
      next[depth] = j + 1;
      const plJointDef* joint = pl_spec_joint(spec, j);
      if (joint->parent != stack[depth]) continue;
      // if a body has several joints, the first is shown
      bool first = true;
      for (int k = 0; k < j; k++) first &= pl_spec_joint(spec, k)->child != joint->child;
      if (first) child = joint->child;
    }
    if (child < 0) {
      depth--;
      continue;
    }
    print_body(spec, child, depth + 2);
    depth++;
    assert(depth < pl_spec_body_count(spec));
    stack[depth] = child, next[depth] = 0;
  }
}

static bool hangs_on_a_body(const plSpec* spec, int body) {
  for (int j = 0; j < pl_spec_joint_count(spec); j++)
    if (pl_spec_joint(spec, j)->child == body && pl_spec_joint(spec, j)->parent >= 0) return true;
  return false;
}

static void print_totals(const char* file, const plSpec* spec) {
  double mass = 0;
  int dofs = 0, collide = 0;
  for (int i = 0; i < pl_spec_body_count(spec); i++) {
    mass += pl_spec_body(spec, i)->mass;
    bool has_joint = false;
    for (int j = 0; j < pl_spec_joint_count(spec); j++) has_joint |= pl_spec_joint(spec, j)->child == i;
    if (!has_joint) dofs += 6;
  }
  for (int j = 0; j < pl_spec_joint_count(spec); j++) dofs += pl_joint_nv(pl_spec_joint(spec, j)->kind);
  for (int g = 0; g < pl_spec_shape_count(spec); g++) collide += pl_spec_shape(spec, g)->collide;
  say(stdout, "robot          %s\n", file);
  printf("bodies         %d, %.6g kg in all\n", pl_spec_body_count(spec), mass);
  printf("joints         %d, %d degrees of freedom\n", pl_spec_joint_count(spec), dofs);
  printf("shapes         %d for contact, %d drawn only\n", collide, pl_spec_shape_count(spec) - collide);
}

static void print_drives(const plSpec* spec) {
  if (pl_spec_actuator_count(spec)) printf("\nactuators\n");
  for (int i = 0; i < pl_spec_actuator_count(spec); i++) {
    const plActuatorDef* a = pl_spec_actuator(spec, i);
    printf("  %s  %s on %s", short_name(a->name), pl_actuator_kind_name(a->kind),
           a->njoint      ? "the tendon"
           : a->nsite > 1 ? "a cable through sites"
           : a->nsite     ? "a site"
                          : "");
    for (int k = 0; k < a->njoint; k++)
      printf(" %s%g %s", k ? "+ " : "", a->coefficient[k],
             short_name(pl_spec_joint(spec, a->tendon[k])->name));
    if (!a->njoint && !a->nsite) printf("%s", short_name(pl_spec_joint(spec, a->joint)->name));
    if (a->kp > 0 || a->kd > 0) printf(", kp %g, kd %g", a->kp, a->kd);
    if (a->gear != 1) printf(", gear %g", a->gear);
    if (isfinite(a->force_lower) || isfinite(a->force_upper))
      printf(", force %g to %g", a->force_lower, a->force_upper);
    printf("\n");
  }
  if (pl_spec_constraint_count(spec)) printf("\nconstraints\n");
  for (int i = 0; i < pl_spec_constraint_count(spec); i++)
    printf("  %s  %s\n", short_name(pl_spec_constraint(spec, i)->name),
           pl_constraint_kind_name(pl_spec_constraint(spec, i)->kind));
}

int info_robot(const char* file, const ArgList* search, bool strict, const char* json) {
  Notes notes = {0};
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  plLoadOptions options = {.search = search->item,
                           .nsearch = search->n,
                           .max_mesh_bytes = mesh_limit(),
                           .ignore_missing_meshes = true,
                           .remark = keep_note,
                           .warn_user = &notes,
                           .strict = strict};
  def.file = file;
  bool loaded = spec && !pl_spec_add_robot(spec, &def, &options, &error);
  int nbody = loaded ? pl_spec_body_count(spec) : 0, *stack = malloc(2 * sizeof(int) * ((size_t)nbody + 1));
  int status = spec && stack ? EXIT_DONE : EXIT_FAILED;
  if (spec && !loaded) status = complain_error(&error);
  if (!status) {
    print_totals(file, spec);
    printf("\ntree (joints: kind, limits)\n  world\n");
    for (int i = 0; i < nbody; i++)
      if (!hangs_on_a_body(spec, i)) print_tree(spec, i, stack);
    print_drives(spec);
    print_notes(&notes);
    if (json) status = write_notes(json, file, spec, &notes);
  }
  free(stack), free_notes(&notes), pl_spec_destroy(spec);
  return status;
}
