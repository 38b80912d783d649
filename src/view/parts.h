// parts.h: the parts of a view: orders from the page, the running simulation, its past, the hand of the user,
// recordings.
//
// Three threads: one steps (live.c: the caller's, or one of its own), one turns the newest moment into frames
// (view.c), the server's talks to the pages (web_loop.c). They meet in the queue of orders and in the moment
// that is handed over by exchanging pointers.
#ifndef PL_VIEW_PARTS_H
#define PL_VIEW_PARTS_H

#include <pthread.h>

#include "pliant/stream.h"
#include "pliant/view.h"
#include "thread.h"
#include "web.h"

enum { PL_VIEW_PATH = 4096 };

// ---- orders: what a page asks for, one line of text each (orders.c, docs/viewer.md)

typedef enum plOrderKind {
  PL_ORDER_PLAY,
  PL_ORDER_PAUSE,
  PL_ORDER_STEP,
  PL_ORDER_RESET,
  PL_ORDER_SPEED,
  PL_ORDER_SEEK,
  PL_ORDER_GRAB,
  PL_ORDER_DRAG,
  PL_ORDER_DROP,
  PL_ORDER_INPUT,
  PL_ORDER_EFFECTOR,
  PL_ORDER_TELEOP,
  PL_ORDER_RECORD,
  PL_ORDER_SAVE,
  PL_ORDER_FIELDS,
  PL_ORDER_COUNT
} plOrderKind;

typedef struct plOrder {
  plOrderKind kind;
  int client;
  int i[2];
  double x[7];
} plOrder;

// False if the text is no order; a sentence says why.
bool pl_order_read(const char* text, plOrder* order, char* sentence, size_t size);

enum { PL_ORDERS = 256 };
typedef struct plOrders {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  plOrder ring[PL_ORDERS];
  int first, n;
} plOrders;

void pl_orders_open(plOrders* orders);
void pl_orders_close(plOrders* orders);
// False if too many are waiting. A newer drag, input or teleoperation of the same client takes the place of
// the one before it.
bool pl_orders_put(plOrders* orders, const plOrder* order);
// The next one, waiting for it until the given wall time (s) at most.
bool pl_orders_take(plOrders* orders, plOrder* order, double until);

// ---- the past: states from which the simulation can go on (history.c)

typedef struct plPast {
  double time;
  size_t size;
  void* bytes;
} plPast;

typedef struct plHistory {
  plPast* past;  // [n], in the order of time
  int n, cap;
  double interval;  // s between two
} plHistory;

bool pl_history_open(plHistory* history, const plData* data);
void pl_history_close(plHistory* history);
// Keeps the state if it is due; what lies behind it in time is forgotten. When full, every second one goes
// and the interval doubles.
void pl_history_keep(plHistory* history, const plData* data);
// Sets the simulation to the kept state at or before the time, the first one if there is none.
plStatus pl_history_restore(const plHistory* history, double time, plData* data, plError* error);

// ---- the hand of the user: a damped spring from a point of a body to where the mouse is (grab.c)

typedef struct plGrab {
  int client, side,
      index;     // who holds what: side as in plContact; a vertex of the deformable, or the shape's body
  plVec3 local;  // the point in a rigid body's frame
  plVec3 point, target, force;
  int n;  // vertices that share the force
  int* vert;
  double* weight;  // their weights, sum 1
  double mass;     // kg that the point feels like
} plGrab;

// Takes hold; false if there is no such thing. point is where it was touched, in the world.
bool pl_grab_begin(plGrab* grab, const plData* data, int side, int index, plVec3 point);
void pl_grab_end(plGrab* grab, plData* data);
// The hand moves; no farther from what it holds than an arm reaches.
void pl_grab_drag(plGrab* grab, const plData* data, plVec3 target);
// Writes f_user and f_body for the next step.
void pl_grab_pull(plGrab* grab, plData* data);

// ---- teleoperation: differential inverse kinematics of an end effector, and its hand (teleop.c)

typedef struct plTeleop {
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
} plTeleop;

// Finds an effector by itself if body is -1. False if memory ran out; effector is -1 if the model has nothing
// to steer.
bool pl_teleop_open(plTeleop* teleop, const plModel* model, int body, plError* error);
void pl_teleop_close(plTeleop* teleop);
// Whether a body can be steered: at least one actuator between it and the world holds a position.
bool pl_teleop_can_steer(const plModel* model, int body);
// Moves the inputs of arm and hand for the next step.
void pl_teleop_move(plTeleop* teleop, plData* data, double dt);
// Puts the commanded pose where the inputs are, e.g. after a reset.
void pl_teleop_sync(plTeleop* teleop, const plData* data);
plPose pl_teleop_pose(const plTeleop* teleop);

// ---- what is shown at one moment

typedef struct plShown {
  bool playing, recording, behind, failed, replay, grabbed;
  double speed, rate, capacity;  // asked for; simulated per wall time now; what the machine could do
  double begin, end;             // s, the past or the recording
  int count;                     // states of the past, frames of the recording
  int effector, recorded, side;
  double grip;
  plVec3 point, target, force;  // of the hand
  plPose steered;               // where the effector is told to be
} plShown;

enum { PL_SHOWN_BYTES = 160 };
void pl_shown_write(const plShown* shown, unsigned sequence, unsigned char bytes[PL_SHOWN_BYTES]);

// A copy of what the simulation thread has, to be drawn in another thread.
typedef struct plSnapshot {
  double time;
  double *q, *v, *u;
  unsigned char* reading;
  plContact* contact;
  int ncontact, contact_cap;
  plReport report;
  plShown shown;
} plSnapshot;

// ---- a running simulation (live.c)

typedef struct plLive plLive;

typedef struct plLiveOptions {
  plData* data;
  const char* name;
  plOrders* orders;
  bool paused;
  double speed;
  void* user;
  void (*tell)(void* user, int client, const char* kind,
               const char* text);              // a message for the pages; client -1: all
  void (*made)(void* user, const char* path);  // a file that can be downloaded
} plLiveOptions;

// The simulation as it stands is the first snapshot; nothing steps yet.
plLive* pl_live_open(const plLiveOptions* options, plError* error);
// A thread steps by the clock from now on; false if none could be started.
bool pl_live_start(plLive* live);
// Ends that thread; false if its step takes longer than the given seconds.
bool pl_live_stop(plLive* live, double seconds);
// Between two steps of the caller: true if the next one may be taken.
bool pl_live_sync(plLive* live, double seconds);
// Once nothing steps.
void pl_live_close(plLive* live);
// The newest snapshot if there is a new one since the last call, waiting up to the given seconds; NULL
// otherwise.
const plSnapshot* pl_live_take(plLive* live, double seconds);

// ---- a recording (player.c)

typedef struct plPlayer {
  plReplay* replay;
  bool playing;
  double speed, position;  // s, in the recording
  double clock;            // s, wall time at which position was right
  int frame;               // shown, -1: none
} plPlayer;

// ---- what the server's thread and the others share (pages.c)

enum { PL_VIEW_FILES = 64 };
typedef struct plPages {
  plWeb* web;
  plOrders orders;
  pthread_mutex_t lock;
  char made[PL_VIEW_FILES][PL_VIEW_PATH];  // files that can be downloaded
  int nmade;
  struct {
    int client;
    unsigned fields;
  } wish[PL_WEB_CLIENTS];  // what the pages want to colour by; fields 0: none
  void* scene;             // the scene message, sent to every new page
  size_t scene_size;
  unsigned sequence;
  bool stop;    // frames end
  bool repeat;  // a page came or wants other fields: the last moment must be sent again
} plPages;

// Makes the server's callbacks those of the view, which must be options->user.
void pl_pages_answer(plWebOptions* options);
// A message {"kind":"error","text":"..."}; client -1: all. user: the view.
void pl_pages_tell(void* user, int client, const char* kind, const char* text);
// A file that can be downloaded from now on.
void pl_pages_made(void* user, const char* path);
// What the pages want to colour by, all together; *repeat: the last moment must be sent again.
unsigned pl_pages_wanted(plPages* pages, bool* repeat);
// The moment as a frame for all pages.
void pl_pages_offer(plPages* pages, plStream* stream, const plMoment* moment, const plShown* shown);

// Whether frames shall end, and that they shall.
bool pl_pages_stopped(plPages* pages);
void pl_pages_stop(plPages* pages);
// Shows the recording until pages->stop.
void pl_player_run(plPlayer* player, plPages* pages, plStream* stream);

// ---- the page, made at build time (page.c in the build folder; empty where npm was not there)

extern const plWebFile pl_page_files[];
extern const int pl_page_file_count;
extern const char pl_page_missing[];

#endif
