// draw.h: what the parts of the drawing share.
#ifndef TORTURE_DRAW_H
#define TORTURE_DRAW_H

#include "torture.h"

enum { MAX_THING = 12 };

// A body that is already in the scene.
typedef struct Thing {
  char name[16];
  bool soft, turned;
  double x, y, z;  // m, where its frame stands
  double size;     // m, half of its largest extent
} Thing;

typedef struct Draw {
  plRandom r;
  Scene* scene;
  Text robots, bodies, deformables, shapes, attachments, constraints, exclude;
  // what holds for the whole scene
  int scheme;          // of GROUP_SCHEME
  double g, dt;        // m/s^2, s
  double dt_explicit;  // s, what the softest estimate of a stability limit allows
  int steps;
  double speed;    // m/s, of what is thrown
  double unit;     // m, how large things are
  double density;  // kg/m^3, about which densities are drawn
  bool beyond, rest, ground, alone;
  bool world;    // something hangs on the world
  bool toward;   // bodies fly at a common point
  int vertices;  // that are left to soft bodies
  double top;    // m, above which nothing is yet
  Thing thing[MAX_THING];
  int nthing, nrigid, nsoft, nshape, njoint, nconstraint, nattach, nrobot;
  char hinge[MAX_THING][16];  // joints of one degree of freedom that are free to be coupled
  int nhinge;
} Draw;

// ---- chance (draw.c)

bool chance(Draw* d, double p);
double uniform(Draw* d, double a, double b);
double spread(Draw* d, double a, double b);  // the logarithm is uniform
// One of n, by equal chance.
int pick(Draw* d, int n);
// Scene kinds.
void mark(Draw* d, Group group, int kind);
// One kind of a group, by equal chance among the first n; marked.
int pick_kind(Draw* d, Group group, int n);
const char* kind_name(Group group, int kind);

// {position: ..., rpy: ...}
void add_pose(Draw* d, Text* t, double x, double y, double z, bool turned);
// , surface: {...}: k such that a body of this density, size and speed sinks in by a tenth at most
void add_surface(Draw* d, Text* t, double density, double size, bool rigid);
void add_table(Draw* d, Text* t, double start, double size);
// , velocity: [...], angular_velocity: [...]
void add_velocity(Draw* d, Text* t, double size, double x, double y);

// Where the next thing goes: above all others, or around the middle.
void place(Draw* d, double half_height, double half_width, double* x, double* y, double* z);
Thing* add_thing(Draw* d, const char* name, bool soft, double x, double y, double z, double size);

// A joint of a link of this half length must not turn by more than 0.2 rad in a step.
void limit_turn(Draw* d, double length, double height);

// ---- parts of a scene

void draw_ground(Draw* d);
void draw_rigid(Draw* d);      // a free rigid body
void draw_mechanism(Draw* d);  // bodies on joints
void draw_soft(Draw* d);       // a soft body, with what holds and loads it
void draw_robot(Draw* d);
void draw_constraint(Draw* d);  // between things, or joints

#endif
