// web_loop.c: the server's thread: one poll loop over the port and all clients (guarantees: web.h).
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/timer.h"
#include "thread.h"
#include "web_parts.h"

enum { FLIGHT = 2, READ_CHUNK = 65536 };
static const double HEAD_SECONDS = 10, STUCK_SECONDS = 30, PING_SECONDS = 20, SILENT_SECONDS = 60;
static const double RATE = 500, BURST = 1000;  // messages of one client per second, and at once
static const double ACCEPT_RATE = 100;         // new connections per second

// ---- blobs; the lock is held

plBlob* pl_web_blob_new(int opcode, const void* bytes, size_t size) {
  unsigned char head[10];
  size_t n = opcode ? pl_socket_head(head, opcode, size) : 0;
  plBlob* blob = malloc(sizeof *blob + n + size);
  if (!blob) return NULL;
  *blob = (plBlob){.refs = 1, .bytes = blob->own, .size = n + size};
  memcpy(blob->own, head, n);
  if (size) memcpy(blob->own + n, bytes, size);
  return blob;
}

void pl_web_blob_drop(plBlob* blob) {
  if (blob && --blob->refs == 0) free(blob);
}

void pl_web_enqueue(plClient* c, plBlob* blob) {
  if (!blob) return;
  if (c->nqueue == PL_WEB_QUEUE) {
    c->flooded = true;
    return;
  }
  blob->refs++;
  c->queue[c->nqueue++] = blob;
}

// ---- calls from other threads

static void wake(plWeb* web) {
  ssize_t n = write(web->wake[1], "", 1);
  (void)n;  // a full pipe wakes the thread too
}

void pl_web_send_some(plWeb* web, int client, int opcode, const void* bytes, size_t size) {
  pthread_mutex_lock(&web->lock);
  plBlob* blob = pl_web_blob_new(opcode, bytes, size);
  for (plClient* c = web->client; c < web->client + PL_WEB_CLIENTS; c++)
    if (c->state == SOCKET && (client < 0 || c->id == client)) pl_web_enqueue(c, blob);
  pl_web_blob_drop(blob);
  pthread_mutex_unlock(&web->lock);
  wake(web);
}

void pl_web_send(plWeb* web, int client, bool binary, const void* bytes, size_t size) {
  pl_web_send_some(web, client, binary ? 2 : 1, bytes, size);
}

void pl_web_offer(plWeb* web, const void* bytes, size_t size) {
  pthread_mutex_lock(&web->lock);
  plBlob* blob = pl_web_blob_new(2, bytes, size);
  for (plClient* c = web->client; blob && c < web->client + PL_WEB_CLIENTS; c++) {
    if (c->state != SOCKET) continue;
    pl_web_blob_drop(c->latest);
    c->latest = blob;
    blob->refs++;
  }
  pl_web_blob_drop(blob);
  pthread_mutex_unlock(&web->lock);
  wake(web);
}

static int count(plWeb* web, bool hungry) {
  int n = 0;
  pthread_mutex_lock(&web->lock);
  for (const plClient* c = web->client; c < web->client + PL_WEB_CLIENTS; c++)
    n += c->state == SOCKET && (!hungry || (!c->latest && c->flight < FLIGHT));
  pthread_mutex_unlock(&web->lock);
  return n;
}

int pl_web_hungry(plWeb* web) { return count(web, true); }
int pl_web_clients(plWeb* web) { return count(web, false); }
int pl_web_port(const plWeb* web) { return web->port; }

// ---- clients

static void drop_client(plWeb* web, plClient* c) {
  close(c->fd);
  if (c->file >= 0) close(c->file);
  pthread_mutex_lock(&web->lock);
  for (int i = 0; i < c->nqueue; i++) pl_web_blob_drop(c->queue[i]);
  pl_web_blob_drop(c->current);
  pl_web_blob_drop(c->latest);
  c->current = c->latest = NULL;
  c->nqueue = c->flight = 0;
  c->state = FREE;
  pthread_mutex_unlock(&web->lock);
  if (c->socket && web->options.on_close) web->options.on_close(web->options.user, c->id);
}

static void accept_client(plWeb* web, double now) {
  int fd = accept4(web->listen, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return;
  web->accepts -= 1;
  for (plClient* c = web->client; c < web->client + PL_WEB_CLIENTS; c++) {
    if (c->state != FREE) continue;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    pthread_mutex_lock(&web->lock);
    memset(c, 0, sizeof *c);
    c->state = HTTP;
    c->fd = fd, c->file = -1, c->id = web->next_id++;
    c->born = c->heard = c->moved = c->refilled = now;
    c->allowance = BURST;
    pthread_mutex_unlock(&web->lock);
    return;
  }
  close(fd);
}

// ---- bytes in and out; false if the client is gone

static bool receive(plWeb* web, plClient* c, double now) {
  ssize_t n = recv(c->fd, c->in + c->nin, sizeof c->in - c->nin, 0);
  if (n == 0) return false;
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  c->heard = now;
  c->pinged = false;
  // data after a refusal is not read
  if (c->state == DRAIN) return true;
  c->nin += (size_t)n;
  if (c->state == HTTP) pl_web_read_head(web, c);
  if (c->state == SOCKET) pl_web_read_frames(web, c);
  return true;
}

// The next data to send: messages in order, then the newest frame, then the next part of a download.
static bool next_blob(plWeb* web, plClient* c) {
  unsigned char* part = NULL;
  pthread_mutex_lock(&web->lock);
  pl_web_blob_drop(c->current);
  c->current = NULL;
  c->sent = 0;
  if (c->nqueue) {
    c->current = c->queue[0];
    memmove(c->queue, c->queue + 1, (size_t)--c->nqueue * sizeof *c->queue);
  } else if (c->latest && c->flight < FLIGHT) {
    c->current = c->latest;
    c->latest = NULL;
    c->flight++;
  } else if (c->file >= 0 && (part = malloc(READ_CHUNK))) {
    ssize_t n = read(c->file, part, READ_CHUNK);
    if (n > 0) c->current = pl_web_blob_new(0, part, (size_t)n);
  }
  pthread_mutex_unlock(&web->lock);
  free(part);
  return c->current;
}

static bool transmit(plWeb* web, plClient* c, double now) {
  for (int round = 0; round < 64; round++) {
    if (!c->current && !next_blob(web, c)) return c->state != DRAIN;
    ssize_t n = send(c->fd, c->current->bytes + c->sent, c->current->size - c->sent, MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    c->moved = now;
    c->sent += (size_t)n;
    if (c->sent == c->current->size && !next_blob(web, c)) return c->state != DRAIN;
  }
  return true;
}

static bool has_output(plWeb* web, const plClient* c, bool* flooded) {
  pthread_mutex_lock(&web->lock);
  bool has =
      c->current || c->nqueue || (c->latest && c->flight < FLIGHT) || c->file >= 0 || c->state == DRAIN;
  *flooded = c->flooded;
  pthread_mutex_unlock(&web->lock);
  return has;
}

// Whether the client has run out of time.
static bool expired(plWeb* web, plClient* c, double now, bool output) {
  if (c->state == HTTP) return now - c->born > HEAD_SECONDS;
  if (output && now - c->moved > STUCK_SECONDS) return true;
  if (!output) c->moved = now;
  if (c->state == SOCKET && !c->pinged && now - c->heard > PING_SECONDS) {
    c->pinged = true;
    pl_web_send_some(web, c->id, 9, NULL, 0);
  }
  return c->state == SOCKET && now - c->heard > SILENT_SECONDS;
}

// ---- the loop

static void refill(double* allowance, double* last, double now, double rate, double most) {
  *allowance += rate * (now - *last);
  if (*allowance > most) *allowance = most;
  *last = now;
}

// Which events to wait for; returns how many entries were filled. slot[i] is the client of entry i + 2.
static int prepare(plWeb* web, struct pollfd* poll, plClient** slot, double now, int* timeout) {
  int n = 2;
  *timeout = 1000;
  refill(&web->accepts, &web->accepts_refilled, now, ACCEPT_RATE, ACCEPT_RATE);
  poll[0] = (struct pollfd){.fd = web->wake[0], .events = POLLIN};
  poll[1] = (struct pollfd){.fd = web->accepts >= 1 ? web->listen : -1, .events = POLLIN};
  if (web->accepts < 1) *timeout = 20;
  for (plClient* c = web->client; c < web->client + PL_WEB_CLIENTS; c++) {
    if (c->state == FREE) continue;
    refill(&c->allowance, &c->refilled, now, RATE, BURST);
    if (c->state == SOCKET && c->nin) pl_web_read_frames(web, c);
    bool flooded, output = has_output(web, c, &flooded);
    if (flooded || expired(web, c, now, output)) {
      drop_client(web, c);
      continue;
    }
    short events = output ? POLLOUT : 0;
    if (c->allowance >= 1 && c->nin < sizeof c->in)
      events |= POLLIN;
    else
      *timeout = 20;
    assert(n - 2 < PL_WEB_CLIENTS);
    slot[n - 2] = c;
    poll[n++] = (struct pollfd){.fd = c->fd, .events = events};
  }
  return n;
}

static void* serve(void* user) {
  plWeb* web = user;
  struct pollfd poll_fd[PL_WEB_CLIENTS + 2];
  plClient* slot[PL_WEB_CLIENTS];
  // The simulation has priority: on Linux the nice value belongs to a thread.
  setpriority(PRIO_PROCESS, 0, 5);
  for (;;) {
    int timeout;
    pthread_mutex_lock(&web->lock);
    bool stop = web->stop;
    pthread_mutex_unlock(&web->lock);
    if (stop) break;
    int n = prepare(web, poll_fd, slot, pl_now(), &timeout);
    if (poll(poll_fd, (nfds_t)n, timeout) < 0 && errno != EINTR) break;
    double now = pl_now();
    char rest[256];
    while (read(web->wake[0], rest, sizeof rest) > 0) {
    }
    for (int i = 2; i < n; i++) {
      plClient* c = slot[i - 2];
      bool alive = !(poll_fd[i].revents & (POLLERR | POLLNVAL));
      if (alive && poll_fd[i].revents & (POLLIN | POLLHUP)) alive = receive(web, c, now);
      if (alive && poll_fd[i].revents & POLLOUT) alive = transmit(web, c, now);
      if (!alive) drop_client(web, c);
    }
    if (poll_fd[1].revents & POLLIN) accept_client(web, now);
  }
  for (plClient* c = web->client; c < web->client + PL_WEB_CLIENTS; c++)
    if (c->state != FREE) drop_client(web, c);
  return NULL;
}

// ---- open and close

static int open_port(const plWebOptions* o, int* port, char* sentence, size_t size) {
  char text[16];
  snprintf(text, sizeof text, "%d", o->port);
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE},
                  *list = NULL;
  int wrong = getaddrinfo(o->bind, text, &hints, &list);
  if (wrong) {
    snprintf(sentence, size, "the address '%s' is not known (%s); give one of this machine", o->bind,
             gai_strerror(wrong));
    return -1;
  }
  int fd = socket(list->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
  if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  bool good = fd >= 0 && !bind(fd, list->ai_addr, list->ai_addrlen) && !listen(fd, 16);
  if (!good && errno == EADDRINUSE)
    snprintf(sentence, size, "port %d is in use; choose another, or 0 for any free port", o->port);
  else if (!good)
    snprintf(sentence, size, "port %d of %s cannot be opened: %s", o->port, o->bind, strerror(errno));
  freeaddrinfo(list);
  struct sockaddr_storage bound;
  socklen_t length = sizeof bound;
  if (good && !getsockname(fd, (struct sockaddr*)&bound, &length))
    *port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6*)&bound)->sin6_port
                                              : ((struct sockaddr_in*)&bound)->sin_port);
  if (good) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

plWeb* pl_web_open(const plWebOptions* options, char* sentence, size_t size) {
  plWeb* web = calloc(1, sizeof *web);
  snprintf(sentence, size, "memory ran out");
  if (!web) return NULL;
  web->options = *options;
  web->next_id = 1;
  web->accepts_refilled = pl_now();
  web->accepts = ACCEPT_RATE;
  pthread_mutex_init(&web->lock, NULL);
  web->listen = open_port(options, &web->port, sentence, size);
  if (web->listen >= 0 && !pipe2(web->wake, O_NONBLOCK | O_CLOEXEC)) return web;
  if (web->listen >= 0) close(web->listen);
  pthread_mutex_destroy(&web->lock);
  free(web);
  return NULL;
}

bool pl_web_start(plWeb* web) { return web->started = pl_view_thread(&web->thread, serve, web); }

void pl_web_forget(plWeb* web) {
  if (!web) return;
  for (plClient* c = web->client; c < web->client + PL_WEB_CLIENTS; c++) {
    if (c->state == FREE) continue;
    close(c->fd);
    if (c->file >= 0) close(c->file);
  }
  close(web->listen), close(web->wake[0]), close(web->wake[1]);
}

void pl_web_close(plWeb* web) {
  if (!web) return;
  pthread_mutex_lock(&web->lock);
  web->stop = true;
  pthread_mutex_unlock(&web->lock);
  wake(web);
  if (web->started) pthread_join(web->thread, NULL);
  close(web->listen), close(web->wake[0]), close(web->wake[1]);
  pthread_mutex_destroy(&web->lock);
  free(web);
}
