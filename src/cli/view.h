// view.h: the parts of `pliant view`: orders from the page, the running simulation, its past, the hand of the
// user, replays.
//
// Three threads: the simulation steps (view_live.c), the program's own thread turns its newest moment into
// frames (view.c), the server's thread talks to the pages (web_loop.c). They meet in the queue of orders and
// in the moment that is handed over by exchanging pointers.
#ifndef PL_CLI_VIEW_H
#define PL_CLI_VIEW_H

#include <pthread.h>

#include "cli.h"
#include "pliant/stream.h"
#include "web.h"

// ---- orders: what a page asks for, one line of text each (view_orders.c, docs/viewer.md)

typedef enum OrderKind {
  ORDER_PLAY,
  ORDER_PAUSE,
  ORDER_STEP,
  ORDER_RESET,
  ORDER_SPEED,
  ORDER_SEEK,
  ORDER_GRAB,
  ORDER_DRAG,
  ORDER_DROP,
  ORDER_INPUT,
  ORDER_EFFECTOR,
  ORDER_TELEOP,
  ORDER_RECORD,
  ORDER_SAVE,
  ORDER_FIELDS,
  ORDER_COUNT
} OrderKind;

typedef struct Order {
  OrderKind kind;
  int client;
  int i[2];
  double x[7];
} Order;

// False if the text is no order; a sentence says why.
bool order_read(const char* text, Order* order, char* sentence, size_t size);

enum { ORDERS = 256 };
typedef struct Orders {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  Order ring[ORDERS];
  int first, n;
} Orders;

void orders_open(Orders* orders);
void orders_close(Orders* orders);
// False if too many are waiting. A newer drag, input or teleoperation of the same client takes the place of
// the one before it.
bool orders_put(Orders* orders, const Order* order);
// The next one, waiting for it until the given wall time (s) at most.
bool orders_take(Orders* orders, Order* order, double until);

// ---- the past: states from which the simulation can go on (view_history.c)

typedef struct Past {
  double time;
  size_t size;
  void* bytes;
} Past;

typedef struct History {
  Past* past;  // [n], in the order of time
  int n, cap;
  double interval;  // s between two
} History;

bool history_open(History* history, const plData* data);
void history_close(History* history);
// Keeps the state if it is due; what lies behind it in time is forgotten. When full, every second one goes
// and the interval doubles.
void history_keep(History* history, const plData* data);
// Sets the simulation to the kept state at or before the time, the first one if there is none.
plStatus history_restore(const History* history, double time, plData* data, plError* error);

// ---- the hand of the user: a damped spring from a point of a body to where the mouse is (view_grab.c)

typedef struct Grab {
  int client, side,
      index;     // who holds what: side as in plContact; a vertex of the deformable, or the shape's body
  plVec3 local;  // the point in a rigid body's frame
  plVec3 point, target, force;
  int n;  // vertices that share the force
  int* vert;
  double* weight;  // their weights, sum 1
  double mass;     // kg that the point feels like
} Grab;

// Takes hold; false if there is no such thing. point is where it was touched, in the world.
bool grab_begin(Grab* grab, const plData* data, int side, int index, plVec3 point);
void grab_end(Grab* grab, plData* data);
// The hand moves; no farther from what it holds than an arm reaches.
void grab_drag(Grab* grab, const plData* data, plVec3 target);
// Writes f_user and f_body for the next step.
void grab_pull(Grab* grab, plData* data);

// ---- teleoperation: differential inverse kinematics of an end effector, and its hand (view_teleop.c)

typedef struct Teleop {
  const plModel* model;
  plData* ghost;  // stands where the actuators are told to be
  int effector;   // body, -1: none
  int narm, nhand;
  int *arm, *hand;   // actuators of the arm and of the hand
  double* closed;    // [nhand] input of a closed hand
  bool* moves;       // [nv_rigid] what the arm's actuators drive
  double* rate;      // [nv_rigid] scratch
  double twist[6];   // what the user asks for: m/s, rad/s in the world
  double grip_rate;  // 1/s
  double grip;       // 0 open, 1 closed
  bool moving;       // the arm was moved in the last step
  int client;        // who steers
  double heard;      // s, wall time of its last word
} Teleop;

// Finds an effector by itself if body is -1. False if memory ran out; effector is -1 if the model has nothing
// to steer.
bool teleop_open(Teleop* teleop, const plModel* model, int body, plError* error);
void teleop_close(Teleop* teleop);
// Whether a body can be steered: at least one actuator between it and the world holds a position.
bool teleop_can_steer(const plModel* model, int body);
// Moves the inputs of arm and hand for the next step.
void teleop_move(Teleop* teleop, plData* data, double dt);
// Puts the commanded pose where the inputs are, e.g. after a reset.
void teleop_sync(Teleop* teleop, const plData* data);
plPose teleop_pose(const Teleop* teleop);

// ---- what is shown at one moment

typedef struct Shown {
  bool playing, recording, behind, failed, replay, grabbed;
  double speed, rate, capacity;  // asked for; simulated per wall time now; what the machine could do
  double begin, end;             // s, the past or the recording
  int count;                     // states of the past, frames of the recording
  int effector, recorded, side;
  double grip;
  plVec3 point, target, force;  // of the hand
  plPose steered;               // where the effector is told to be
} Shown;

enum { SHOWN_BYTES = 160 };
void shown_write(const Shown* shown, unsigned sequence, unsigned char bytes[SHOWN_BYTES]);

// A copy of what the simulation thread has, to be drawn in another thread.
typedef struct Snapshot {
  double time;
  double *q, *v, *u;
  plContact* contact;
  int ncontact, contact_cap;
  plReport report;
  Shown shown;
} Snapshot;

// ---- a running simulation (view_live.c)

typedef struct Live Live;

typedef struct LiveOptions {
  plData* data;
  const char* name;
  Orders* orders;
  bool paused;
  double speed;
  void* user;
  void (*tell)(void* user, int client, const char* kind,
               const char* text);              // a message for the pages; client -1: all
  void (*made)(void* user, const char* path);  // a file that can be downloaded
} LiveOptions;

Live* live_open(const LiveOptions* options, plError* error);
void live_close(Live* live);
// The newest snapshot if there is a new one since the last call, waiting up to the given seconds; NULL
// otherwise.
const Snapshot* live_take(Live* live, double seconds);

// ---- what the server's thread and the others share (view_pages.c)

enum { VIEW_FILES = 64 };
typedef struct View {
  Web* web;
  Orders orders;
  pthread_mutex_t lock;
  char made[VIEW_FILES][PATH_SIZE];  // files that can be downloaded
  int nmade;
  struct {
    int client;
    unsigned fields;
  } wish[WEB_CLIENTS];  // what the pages want to colour by; fields 0: none
  void* scene;          // the scene message, sent to every new page
  size_t scene_size;
  unsigned sequence;
  bool repeat;  // a page came or wants other fields: the last moment must be sent again
} View;

// Makes the server's callbacks those of the view, which must be options->user.
void view_answer(WebOptions* options);
// A message {"kind":"error","text":"..."}; client -1: all. user: the view.
void view_tell(void* user, int client, const char* kind, const char* text);
// A file that can be downloaded from now on.
void view_made(void* user, const char* path);
// What the pages want to colour by, all together; *repeat: the last moment must be sent again.
unsigned view_wanted(View* view, bool* repeat);
// The moment as a frame for all pages.
void view_offer(View* view, plStream* stream, const plMoment* moment, const Shown* shown);

// ---- the page, made at build time (page.c in the build folder; empty where npm was not there)

extern const WebFile page_files[];
extern const int page_file_count;
extern const char page_missing[];

#endif
