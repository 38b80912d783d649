// parts.h: the parts of a view: orders from the page, the running simulation, its past, the user's hand,
// recordings.
//
// There are three threads: one steps (live.c: the caller's, or its own), one turns the newest snapshot into
// frames (view.c), and the server's communicates with the pages (web_loop.c). They share the queue of orders
// and the snapshot, which is passed on by exchanging pointers.
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

// False if the text is not a valid order; a message says why.
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
// False if too many are waiting. A newer drag, input or teleoperation of the same client replaces the
// previous one.
bool pl_orders_put(plOrders* orders, const plOrder* order);
// The next order, waiting for it until the given wall time (s) at most.
bool pl_orders_take(plOrders* orders, plOrder* order, double until);

// ---- the past: states from which the simulation can continue (history.c)

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
// Stores the state if it is due; later states are removed. When full, every second state is removed and the
// interval doubles.
void pl_history_keep(plHistory* history, const plData* data);
// Sets the simulation to the stored state at or before the time, the first one if there is none.
plStatus pl_history_restore(const plHistory* history, double time, plData* data, plError* error);

// ---- the user's hand: a damped spring from a point of a body to the mouse (grab.c)

typedef struct plGrab {
  int client, side,
      index;     // who holds what: side as in plContact; a vertex of the deformable, or the shape's body
  plVec3 local;  // the point in a rigid body's frame
  plVec3 point, target, force;
  int n;  // vertices that share the force
  int* vert;
  double* weight;  // their weights, sum 1
  double mass;     // kg, effective mass at the point
} plGrab;

// Grabs a body; false if there is no such body. point is the touched point, in the world.
bool pl_grab_begin(plGrab* grab, const plData* data, int side, int index, plVec3 point);
void pl_grab_end(plGrab* grab, plData* data);
// Moves the hand, at most an arm's length from what it holds.
void pl_grab_drag(plGrab* grab, const plData* data, plVec3 target);
// Writes f_user and f_body for the next step.
void pl_grab_pull(plGrab* grab, plData* data);

// ---- teleoperation: differential inverse kinematics of an end effector, and its hand (teleop.c)

typedef struct plTeleop {
  const plModel* model;
  plData* ghost;  // a simulation at the pose that the actuators are set to
  int effector;   // body, -1: none
  int narm, nhand;
  int *arm, *hand;   // actuators of the arm and of the hand
  double* closed;    // [nhand] input of a closed hand
  bool* moves;       // [nv_rigid] dofs driven by the arm's actuators
  double* rate;      // [nv_rigid] scratch
  double twist[6];   // twist that the user asks for: m/s, rad/s in the world
  double grip_rate;  // 1/s
  double grip;       // 0 open, 1 closed
  bool moving;       // the arm was moved in the last step
  int client;        // who steers
  double heard;      // s, wall time of its last message
} plTeleop;

// Chooses an effector if body is -1. False if memory ran out; effector is -1 if the model has nothing to
// steer.
bool pl_teleop_open(plTeleop* teleop, const plModel* model, int body, plError* error);
void pl_teleop_close(plTeleop* teleop);
// Whether a body can be steered: at least one actuator between it and the world holds a position.
bool pl_teleop_can_steer(const plModel* model, int body);
// Moves the inputs of arm and hand for the next step.
void pl_teleop_move(plTeleop* teleop, plData* data, double dt);
// Sets the commanded pose to that of the inputs, e.g. after a reset.
void pl_teleop_sync(plTeleop* teleop, const plData* data);
plPose pl_teleop_pose(const plTeleop* teleop);

// ---- what is shown at one moment

typedef struct plShown {
  bool playing, recording, behind, failed, replay, grabbed;
  double speed, rate,
      capacity;       // requested; present rate, simulated over wall time; rate that the machine could reach
  double begin, end;  // s, the past or the recording
  int count;          // states of the past, frames of the recording
  int effector, recorded, side;
  double grip;
  plVec3 point, target, force;  // of the hand
  plPose steered;               // commanded pose of the effector
} plShown;

enum { PL_SHOWN_BYTES = 160 };

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

// Makes the first snapshot of the present state; nothing steps yet.
plLive* pl_live_open(const plLiveOptions* options, plError* error);
// Starts a thread that steps in real time; false if it could not be started.
bool pl_live_start(plLive* live);
// Ends that thread; false if its step takes longer than the given seconds.
bool pl_live_stop(plLive* live, double seconds);
// Between two steps of the caller: true if the next one may be taken.
bool pl_live_sync(plLive* live, double seconds);
// Call when nothing steps any more.
void pl_live_close(plLive* live);
// The newest snapshot if there is a new one since the last call, waiting up to the given seconds; else NULL.
const plSnapshot* pl_live_take(plLive* live, double seconds);

// ---- a recording (player.c)

typedef struct plPlayer {
  plReplay* replay;
  bool playing;
  double speed, position;  // s, in the recording
  double clock;            // s, wall time that belongs to position
  int frame;               // shown, -1: none
} plPlayer;

// ---- data that the server's thread and the others share (pages.c)

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
  } wish[PL_WEB_CLIENTS];  // fields that the pages colour by; 0: none
  void* scene;             // the scene message, sent to every new page
  size_t scene_size;
  unsigned sequence;
  bool stop;    // no more frames
  bool repeat;  // a new page, or one that wants other fields: the last frame must be sent again
} plPages;

// Sets the server's callbacks to those of the view, which must be options->user.
void pl_pages_answer(plWebOptions* options);
// A message {"kind":"error","text":"..."}; client -1: all. user: the view.
void pl_pages_tell(void* user, int client, const char* kind, const char* text);
// Registers a file for download.
void pl_pages_made(void* user, const char* path);
// The union of the fields that the pages colour by; *repeat: the last frame must be sent again.
unsigned pl_pages_wanted(plPages* pages, bool* repeat);
// Sends the moment as a frame to all pages.
void pl_pages_offer(plPages* pages, plStream* stream, const plMoment* moment, const plShown* shown);

// Whether frames shall end; ends them.
bool pl_pages_stopped(plPages* pages);
void pl_pages_stop(plPages* pages);
// Shows the recording until pages->stop.
void pl_player_run(plPlayer* player, plPages* pages, plStream* stream);

// ---- the page, made at build time (page.c in the build folder; empty if npm was not available)

extern const plWebFile pl_page_files[];
extern const int pl_page_file_count;
extern const char pl_page_missing[];

#endif
