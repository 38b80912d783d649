// web_parts.h: the server's insides, shared by its loop (web_loop.c) and by what it says to a client
// (web_talk.c).
#ifndef PL_CLI_WEB_PARTS_H
#define PL_CLI_WEB_PARTS_H

#include <pthread.h>

#include "web.h"

enum { WEB_QUEUE = 32 };  // messages that may wait for a client

// Bytes on their way to one or more clients.
typedef struct Blob {
  int refs;
  const unsigned char* bytes;
  size_t size;
  unsigned char own[];
} Blob;

typedef enum State { FREE, HTTP, SOCKET, DRAIN } State;  // DRAIN: closed once everything is sent

typedef struct Client {
  State state;
  int fd, id, file;  // file: a download, -1: none
  bool may_control;
  double born, heard, moved;  // s: accepted, last bytes from it, last bytes to it
  double allowance, refilled;
  unsigned char in[WEB_HEAD], message[WEB_MESSAGE + 1];
  size_t nin, nmessage;
  bool in_message, pinged, socket;
  Blob* current;  // being sent by the server's thread
  size_t sent;
  // shared with other threads
  Blob *queue[WEB_QUEUE], *latest;
  int nqueue, flight;  // frames sent and not acknowledged
  bool flooded;
} Client;

struct Web {
  WebOptions options;
  int listen, wake[2], port, next_id;
  double accepts, accepts_refilled;
  pthread_t thread;
  pthread_mutex_t lock;
  bool started, stop;
  Client client[WEB_CLIENTS];
};

// Bytes to send, in a WebSocket frame unless opcode is 0. The lock is held in these three.
Blob* web_blob_new(int opcode, const void* bytes, size_t size);
void web_blob_drop(Blob* blob);
// Takes a reference of its own. A client whose queue is full is marked and closed later.
void web_enqueue(Client* client, Blob* blob);

// A message to one client, or to all (-1).
void web_send_some(Web* web, int client, int opcode, const void* bytes, size_t size);

// ---- what a client has sent (web_talk.c): the request at first, then WebSocket frames

void web_read_head(Web* web, Client* client);
void web_read_frames(Web* web, Client* client);

#endif
