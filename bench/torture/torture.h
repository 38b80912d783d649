// torture.h: random scenes, judged by laws of mechanics (docs/validation.md lists them; main.c describes the
// options).
//
// A scene is only its YAML text. The judge reads everything else from the model or from a comment in the
// text, so a scene that was shrunk or edited by hand is judged in the same way.
#ifndef TORTURE_H
#define TORTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "pliant/pliant.h"

// ---- text

typedef struct Text {
  char* s;  // ends with 0
  size_t n, room;
} Text;

void text_add(Text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void text_free(Text* text);

// ---- features of scenes: each must occur in at least 2 % of the scenes

typedef enum Group {
  GROUP_SCHEME,
  GROUP_CONTACT_LAW,
  GROUP_LAW,
  GROUP_ELEMENT,
  GROUP_SOFT_SHAPE,
  GROUP_SOFT,
  GROUP_LOAD,
  GROUP_SHAPE,
  GROUP_BODY,
  GROUP_JOINT,
  GROUP_ACTUATOR,
  GROUP_CONSTRAINT,
  GROUP_ATTACHMENT,
  GROUP_ROBOT,
  GROUP_OPTION,
  GROUP_SITUATION,
  GROUP_COUNT
} Group;

typedef struct GroupNames {
  const char* title;
  const char* name[20];  // ends with NULL
} GroupNames;
extern const GroupNames group_names[GROUP_COUNT];

// ---- a drawn scene

enum { MAX_VERTEX = 300 };

typedef struct Scene {
  Text text;
  uint32_t kinds[GROUP_COUNT];  // bit i: the group's kind i occurs
} Scene;

// Scene k of a seed. Every call gives the same text.
void draw_scene(uint64_t seed, int k, Scene* scene);
void scene_free(Scene* scene);

// Comments in the text that change which laws are checked.
#define MARK_BEYOND "# beyond the documented ranges: may be refused"
#define MARK_REST "# starts at rest: stays there"

// ---- outcomes

typedef enum Outcome {
  OUTCOME_OK,
  OUTCOME_RULED_OUT,    // beyond the ranges, and refused as documented
  OUTCOME_REFUSED,      // refused, though inside the ranges
  OUTCOME_STATUS,       // a step ended with a status
  OUTCOME_PASSAGE,      // a step failed because something would have passed through a body
  OUTCOME_NOT_KEPT,     // a step ended with a status but changed the state
  OUTCOME_UNCONVERGED,  // a step reported convergence, but its residuals are too large
  OUTCOME_FINITE,       // a number is not finite
  OUTCOME_ENERGY,       // more energy than the initial energy plus the work done
  OUTCOME_GAIN,         // a gain that energy_gain does not report
  OUTCOME_MOMENTUM,     // linear momentum of a scene without external forces
  OUTCOME_ANGULAR,      // angular momentum, where the docs say that it is conserved
  OUTCOME_REST,         // a body at rest moved
  OUTCOME_PASSED,       // something went through another body
  OUTCOME_OVERLAP,      // something overlaps by more than half a cell
  OUTCOME_THREADS,      // other bits with two threads
  OUTCOME_RESTART,      // other bits from a saved state
  OUTCOME_SLOW,
  OUTCOME_CRASH,
  OUTCOME_LARGE,  // more vertices than MAX_VERTEX: an error in the drawing code
  OUTCOME_COUNT
} Outcome;
extern const char* const outcome_name[OUTCOME_COUNT];
static inline bool is_failure(Outcome o) { return o > OUTCOME_RULED_OUT; }

typedef struct Verdict {
  Outcome outcome;
  int step;        // step in which it was seen
  char why[200];   // with numbers
  bool contact;    // some contact carried a force
  bool warned;     // energy_gain beyond 1 % of a body's energy, as pliant run warns
  bool capped;     // rounds of friction that did not converge
  double seconds;  // processor time of all runs
  int nvert;
} Verdict;

// Runs a scene and judges it. folder: where its mesh and robot files are.
void judge_scene(const char* text, const char* folder, Verdict* verdict);

// ---- overlaps, measured by code that is independent of the contact stage

typedef struct Overlaps Overlaps;
Overlaps* overlaps_create(const plData* data);
void overlaps_destroy(Overlaps* o);
// Such an initial state stores energy.
bool overlaps_at_start(const Overlaps* o);
// Called after every part of a step: looks for passages.
void overlaps_part(Overlaps* o, const plData* data);
// Called after every step: judges the passages and, if deep is set, the overlaps. energy (J): the largest so
// far.
void overlaps_step(Overlaps* o, const plData* data, bool deep, double energy, Verdict* verdict);

// Reduces the scene to the fewest entries, keys and digits that still fail in the same way; takes at most
// limit_s seconds.
void shrink_scene(const char* text, const char* folder, const Verdict* verdict, double limit_s, Text* small);

#endif
