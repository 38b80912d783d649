// draw.h: declarations shared by the files that draw a scene.
#ifndef TORTURE_DRAW_H
#define TORTURE_DRAW_H

#include "torture.h"

enum { MAX_THING = 12 };

// A body that is already in the scene.
typedef struct Thing {
  char name[16];
  bool soft, turned;
  double x, y, z;  // m, origin of its frame
  double size;     // m, half of its largest extent
} Thing;

typedef struct Draw {
  plRandom r;
  Scene* scene;
  Text robots, bodies, deformables, shapes, attachments, constraints, exclude;
  // properties of the whole scene
  int scheme;          // a kind of GROUP_SCHEME
  double g, dt;        // m/s^2, s
  double dt_explicit;  // s, largest step that the stability limits of all bodies allow, roughly
  int steps;
  double speed;    // m/s, of thrown bodies
  double unit;     // m, typical size of bodies
  double density;  // kg/m^3, centre of the range of densities
  bool beyond, rest, ground, alone;
  bool world;    // some body is attached to the world
  bool toward;   // bodies are thrown at a common point
  int vertices;  // vertices that soft bodies may still use
  double top;    // m, height above which the scene is still empty
  Thing thing[MAX_THING];
  int nthing, nrigid, nsoft, nshape, njoint, nconstraint, nattach, nrobot;
  char hinge[MAX_THING][16];  // joints of one degree of freedom that may be coupled
  int nhinge;
} Draw;

// ---- random numbers (draw.c)

bool chance(Draw* d, double p);
double uniform(Draw* d, double a, double b);
double spread(Draw* d, double a, double b);  // with a uniform logarithm
// One of n with equal probability.
int pick(Draw* d, int n);
// Three numbers; the last one is drawn first.
void uniform3(Draw* d, double a, double b, double out[3]);
// Scene kinds.
void mark(Draw* d, Group group, int kind);
// One of the first n kinds of a group with equal probability; the kind is marked as used.
int pick_kind(Draw* d, Group group, int n);
const char* kind_name(Group group, int kind);

// {position: ..., rpy: ...}
void add_pose(Draw* d, Text* t, double x, double y, double z, bool turned);
// , surface: {...}, with a stiffness at which a body of this density, size and speed sinks in by at most a
// tenth
void add_surface(Draw* d, Text* t, double density, double size, bool rigid);
void add_table(Draw* d, Text* t, double start, double size);
// , velocity: [...], angular_velocity: [...]
void add_velocity(Draw* d, Text* t, double size, double x, double y);

// Position of the next body: above all others, or around the middle.
void place(Draw* d, double half_height, double half_width, double* x, double* y, double* z);
Thing* add_thing(Draw* d, const char* name, bool soft, double x, double y, double z, double size);

// A joint of a link of this half length must not turn by more than 0.2 rad in a step.
void limit_turn(Draw* d, double length, double height);

// ---- parts of a scene

void draw_ground(Draw* d);
void draw_rigid(Draw* d);      // a free rigid body
void draw_mechanism(Draw* d);  // bodies on joints
void draw_soft(Draw* d);       // a soft body with its attachments and loads
void draw_robot(Draw* d);
void draw_constraint(Draw* d);  // between bodies, or between joints

#endif
