// signals.h: the table of signals, shared by the parser (signals.c, signals_kinds.c, signals_force.c) and the
// evaluation (signals_eval.c).
#ifndef PL_OUTPUT_SIGNALS_H
#define PL_OUTPUT_SIGNALS_H

#include "pliant/output.h"

typedef enum plQuantity {
  // of the whole model
  PL_Q_TIME,
  PL_Q_STEP,
  PL_Q_ENERGY_KINETIC,
  PL_Q_ENERGY_ELASTIC,
  PL_Q_ENERGY_GRAVITY,
  PL_Q_ENERGY_TOTAL,
  PL_Q_MOMENTUM,
  // of the report
  PL_Q_STATUS,
  PL_Q_CONSTRAINTS,
  PL_Q_CONTACTS,
  PL_Q_ITERATIONS,
  PL_Q_LINE_SEARCH,
  PL_Q_RESIDUAL,
  PL_Q_FREE_ITERATIONS,
  PL_Q_FREE_RESIDUAL,
  PL_Q_FACTORIZATIONS,
  PL_Q_SKIPPED,
  PL_Q_DEEP,
  PL_Q_MERGED,
  PL_Q_WALL,
  PL_Q_CONE_VIOLATION,
  PL_Q_COMPLEMENTARITY,
  PL_Q_SLIP_ANGLE,
  PL_Q_CREEP,
  PL_Q_R_N_MIN,
  PL_Q_R_N_MAX,
  PL_Q_R_T_MIN,
  PL_Q_R_T_MAX,
  PL_Q_STICK,
  PL_Q_SLIDE,
  PL_Q_OPEN,
  PL_Q_COUPLINGS,
  PL_Q_COUPLED_RESIDUAL,
  // of a deformable body
  PL_Q_MASS,
  PL_Q_COM,
  PL_Q_VELOCITY,
  PL_Q_BODY_MOMENTUM,
  PL_Q_ANGULAR_MOMENTUM,
  PL_Q_KINETIC,
  PL_Q_ELASTIC,
  PL_Q_GRAVITY,
  PL_Q_TOTAL,
  PL_Q_VOLUME,
  PL_Q_LOWER,
  PL_Q_UPPER,
  PL_Q_DISPLACEMENT_MAX,
  PL_Q_SPEED_MAX,
  PL_Q_VON_MISES_MAX,
  PL_Q_PRESSURE_MAX,
  PL_Q_VOLUME_RATIO_MIN,
  // of a body or shape
  PL_Q_CONTACT_FORCE,
  // of a rigid body
  PL_Q_RIGID_MASS,
  PL_Q_RIGID_POSITION,
  PL_Q_RIGID_COM,
  PL_Q_RIGID_VELOCITY,
  PL_Q_RIGID_ANGULAR_VELOCITY,
  PL_Q_RIGID_MOMENTUM,
  PL_Q_RIGID_ANGULAR_MOMENTUM,
  PL_Q_RIGID_KINETIC,
  PL_Q_RIGID_GRAVITY,
  // of a joint
  PL_Q_JOINT_Q,
  PL_Q_JOINT_V,
  // forces (signals_force.c)
  PL_Q_JOINT_FORCE,
  PL_Q_JOINT_MOMENT,
  PL_Q_JOINT_MOTOR,
  PL_Q_JOINT_LIMIT,
  PL_Q_JOINT_FRICTION,
  PL_Q_ACTUATOR_FORCE,
  PL_Q_CONSTRAINT_FORCE,
  PL_Q_CONSTRAINT_MOMENT,
  PL_Q_CONSTRAINT_EFFORT,
  PL_Q_ATTACHMENT_FORCE,
  PL_Q_ATTACHMENT_MOMENT,
  PL_Q_ATTACHMENT_CENTRE,
  // of a vertex or tetrahedron of a body
  PL_Q_VERTEX,
  PL_Q_VERTEX_DISPLACEMENT,
  PL_Q_VERTEX_VELOCITY,
  PL_Q_TET_STRESS,
  PL_Q_TET_STRAIN,
  PL_Q_TET_VON_MISES,
  PL_Q_TET_PRESSURE,
  // of the contacts between two sides
  PL_Q_PAIR_FORCE,
  PL_Q_PAIR_NORMAL_FORCE,
  PL_Q_PAIR_COUNT,
  PL_Q_PAIR_AREA,
  PL_Q_PAIR_PRESSURE,
  PL_Q_PAIR_CENTRE,
  PL_Q_PAIR_MOMENT,
  PL_Q_PAIR_GAP_MIN,
  PL_Q_PAIR_SLIP_MAX,
  // of a sensor (signals_sensor.c)
  PL_Q_SENSOR,
  PL_Q_COUNT
} plQuantity;

// One column of the table.
typedef struct plColumn {
  plQuantity quantity;
  int body;            // deformable, rigid body, joint, actuator, constraint, attachment or sensor
  plSide side, other;  // whose contacts
  int index;   // vertex or tetrahedron within the body; index in the joint's q or v; row of a sensor, -1: the
               // sum of its column
  int column;  // of a sensor
  int component;  // of a vector 0 1 2, 3: its norm; of a tensor 0 .. 5; 0 for a number
  const char* unit;
  char* name;
} plColumn;

typedef enum plKnown { PL_KNOWN_NOTHING, PL_KNOWN_MOTION, PL_KNOWN_ALL } plKnown;

struct plSignals {
  const plModel* model;
  plColumn* column;
  int ncolumn, cap;
  plBodyState* body;  // [ndeform] of the present row
  plKnown* known;     // [ndeform] which parts of body are filled in
  plWrench* wrench;   // [njoint] of the present row
  bool wrench_known;
};

// ---- shared by the parts of the parser

enum { PL_SIGNAL_LENGTH = 256, PL_SIGNAL_SEGMENTS = 5 };

// The name of a signal after its owner, its unit, and whether it is a number ('s'), a vector ('v') or a
// symmetric tensor ('t').
typedef struct plSignalKind {
  const char *owner, *name, *unit;
  char shape;
  plQuantity quantity;
} plSignalKind;

// "block.vertex(17).velocity.z" -> block | vertex(17) | velocity | z
typedef struct plSignalItem {
  char text[PL_SIGNAL_LENGTH];  // as the user wrote it
  char copy[PL_SIGNAL_LENGTH];
  char* segment[PL_SIGNAL_SEGMENTS];
  int nsegment;
} plSignalItem;

// The kind of a name, NULL if there is none (signals_kinds.c); and the error for an unknown one.
const plSignalKind* pl_signal_kind(const char* owner, const char* name);
plStatus pl_signal_unknown_kind(const plSignalItem* item, const char* owner, const char* word,
                                plError* error);
// "vertex(17)" with word "vertex" -> "17", cut out in place; NULL if the segment is something else.
char* pl_signal_argument(char* segment, const char* word);
// Adds the components of a signal: prefix is the full name up to here; suffix (may be NULL) names one of
// them.
plStatus pl_signal_add(plSignals* s, const plSignalItem* item, const plSignalKind* kind, plColumn column,
                       const char* prefix, const char* suffix, plError* error);
// The error for an unknown word.
plStatus pl_signal_unknown(const plSignalItem* item, const char* word, const char* what,
                           const char* const* known, int n, plError* error);

// Forces of actuators, constraints and attachments, "constraint(NAME).force"; false in *mine if the item is
// something else.
plStatus pl_signal_add_force(plSignals* s, plSignalItem* item, bool* mine, plError* error);
// Whether the word is a force of a joint; adds it.
bool pl_signal_is_joint_force(const char* word);
plStatus pl_signal_add_joint_force(plSignals* s, const plSignalItem* item, int joint, plError* error);
// Readings of sensors, "sensor(NAME).COLUMN" (signals_sensor.c).
plStatus pl_signal_add_sensor(plSignals* s, plSignalItem* item, bool* mine, plError* error);
double pl_signal_eval_sensor(const plData* data, const plColumn* column);
// Up to four numbers of a force signal.
plStatus pl_signal_eval_force(plSignals* s, const plData* data, const plColumn* column, double* x);

#endif
