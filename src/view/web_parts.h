// web_parts.h: the server's insides, shared by its loop (web_loop.c) and by what it says to a client
// (web_talk.c).
#ifndef PL_VIEW_WEB_PARTS_H
#define PL_VIEW_WEB_PARTS_H

#include <pthread.h>

#include "web.h"

enum { PL_WEB_QUEUE = 32 };  // messages that may wait for a client

// Bytes on their way to one or more clients.
typedef struct plBlob {
  int refs;
  const unsigned char* bytes;
  size_t size;
  unsigned char own[];
} plBlob;

typedef enum State { FREE, HTTP, SOCKET, DRAIN } State;  // DRAIN: closed once everything is sent

typedef struct plClient {
  State state;
  int fd, id, file;  // file: a download, -1: none
  bool may_control;
  double born, heard, moved;  // s: accepted, last bytes from it, last bytes to it
  double allowance, refilled;
  unsigned char in[PL_WEB_HEAD], message[PL_WEB_MESSAGE + 1];
  size_t nin, nmessage;
  bool in_message, pinged, socket;
  plBlob* current;  // being sent by the server's thread
  size_t sent;
  // shared with other threads
  plBlob *queue[PL_WEB_QUEUE], *latest;
  int nqueue, flight;  // frames sent and not acknowledged
  bool flooded;
} plClient;

struct plWeb {
  plWebOptions options;
  int listen, wake[2], port, next_id;
  double accepts, accepts_refilled;
  pthread_t thread;
  pthread_mutex_t lock;
  bool started, stop;
  plClient client[PL_WEB_CLIENTS];
};

// Bytes to send, in a WebSocket frame unless opcode is 0. The lock is held in these three.
plBlob* pl_web_blob_new(int opcode, const void* bytes, size_t size);
void pl_web_blob_drop(plBlob* blob);
// Takes a reference of its own. A client whose queue is full is marked and closed later.
void pl_web_enqueue(plClient* client, plBlob* blob);

// A message to one client, or to all (-1).
void pl_web_send_some(plWeb* web, int client, int opcode, const void* bytes, size_t size);

// ---- what a client has sent (web_talk.c): the request at first, then WebSocket frames

void pl_web_read_head(plWeb* web, plClient* client);
void pl_web_read_frames(plWeb* web, plClient* client);

#endif
