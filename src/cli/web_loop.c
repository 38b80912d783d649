// web_loop.c: the server's thread: one poll loop over the port and all clients (web.h says what it promises).
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

#include "progress.h"
#include "web_parts.h"

enum { FLIGHT = 2, READ_CHUNK = 65536 };
static const double HEAD_SECONDS = 10, STUCK_SECONDS = 30, PING_SECONDS = 20, SILENT_SECONDS = 60;
static const double RATE = 500, BURST = 1000;  // messages of one client per second, and at once
static const double ACCEPT_RATE = 100;         // new connections per second

// ---- blobs; the lock is held

Blob* web_blob_new(int opcode, const void* bytes, size_t size) {
  unsigned char head[10];
  size_t n = opcode ? socket_head(head, opcode, size) : 0;
  Blob* blob = malloc(sizeof *blob + n + size);
  if (!blob) return NULL;
  *blob = (Blob){.refs = 1, .bytes = blob->own, .size = n + size};
  memcpy(blob->own, head, n);
  if (size) memcpy(blob->own + n, bytes, size);
  return blob;
}

void web_blob_drop(Blob* blob) {
  if (blob && --blob->refs == 0) free(blob);
}

void web_enqueue(Client* c, Blob* blob) {
  if (!blob) return;
  if (c->nqueue == WEB_QUEUE) {
    c->flooded = true;
    return;
  }
  blob->refs++;
  c->queue[c->nqueue++] = blob;
}

// ---- calls from other threads

static void wake(Web* web) {
  ssize_t n = write(web->wake[1], "", 1);
  (void)n;  // a full pipe wakes as well
}

void web_send_some(Web* web, int client, int opcode, const void* bytes, size_t size) {
  pthread_mutex_lock(&web->lock);
  Blob* blob = web_blob_new(opcode, bytes, size);
  for (Client* c = web->client; c < web->client + WEB_CLIENTS; c++)
    if (c->state == SOCKET && (client < 0 || c->id == client)) web_enqueue(c, blob);
  web_blob_drop(blob);
  pthread_mutex_unlock(&web->lock);
  wake(web);
}

void web_send(Web* web, int client, bool binary, const void* bytes, size_t size) {
  web_send_some(web, client, binary ? 2 : 1, bytes, size);
}

void web_offer(Web* web, const void* bytes, size_t size) {
  pthread_mutex_lock(&web->lock);
  Blob* blob = web_blob_new(2, bytes, size);
  for (Client* c = web->client; blob && c < web->client + WEB_CLIENTS; c++) {
    if (c->state != SOCKET) continue;
    web_blob_drop(c->latest);
    c->latest = blob;
    blob->refs++;
  }
  web_blob_drop(blob);
  pthread_mutex_unlock(&web->lock);
  wake(web);
}

static int count(Web* web, bool hungry) {
  int n = 0;
  pthread_mutex_lock(&web->lock);
  for (const Client* c = web->client; c < web->client + WEB_CLIENTS; c++)
    n += c->state == SOCKET && (!hungry || (!c->latest && c->flight < FLIGHT));
  pthread_mutex_unlock(&web->lock);
  return n;
}

int web_hungry(Web* web) { return count(web, true); }
int web_clients(Web* web) { return count(web, false); }
int web_port(const Web* web) { return web->port; }

// ---- clients

static void drop_client(Web* web, Client* c) {
  close(c->fd);
  if (c->file >= 0) close(c->file);
  pthread_mutex_lock(&web->lock);
  for (int i = 0; i < c->nqueue; i++) web_blob_drop(c->queue[i]);
  web_blob_drop(c->current);
  web_blob_drop(c->latest);
  c->current = c->latest = NULL;
  c->nqueue = c->flight = 0;
  c->state = FREE;
  pthread_mutex_unlock(&web->lock);
  if (c->socket && web->options.on_close) web->options.on_close(web->options.user, c->id);
}

static void accept_client(Web* web, double now) {
  int fd = accept4(web->listen, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return;
  web->accepts -= 1;
  for (Client* c = web->client; c < web->client + WEB_CLIENTS; c++) {
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

static bool receive(Web* web, Client* c, double now) {
  ssize_t n = recv(c->fd, c->in + c->nin, sizeof c->in - c->nin, 0);
  if (n == 0) return false;
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  c->heard = now;
  c->pinged = false;
  // what comes after a refusal is not read
  if (c->state == DRAIN) return true;
  c->nin += (size_t)n;
  if (c->state == HTTP) web_read_head(web, c);
  if (c->state == SOCKET) web_read_frames(web, c);
  return true;
}

// The next thing to send: messages in order, then the newest frame, then the next part of a download.
static bool next_blob(Web* web, Client* c) {
  unsigned char* part = NULL;
  pthread_mutex_lock(&web->lock);
  web_blob_drop(c->current);
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
    if (n > 0) c->current = web_blob_new(0, part, (size_t)n);
  }
  pthread_mutex_unlock(&web->lock);
  free(part);
  return c->current;
}

static bool transmit(Web* web, Client* c, double now) {
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

static bool has_output(Web* web, const Client* c, bool* flooded) {
  pthread_mutex_lock(&web->lock);
  bool has =
      c->current || c->nqueue || (c->latest && c->flight < FLIGHT) || c->file >= 0 || c->state == DRAIN;
  *flooded = c->flooded;
  pthread_mutex_unlock(&web->lock);
  return has;
}

// Whether the client has run out of time.
static bool expired(Web* web, Client* c, double now, bool output) {
  if (c->state == HTTP) return now - c->born > HEAD_SECONDS;
  if (output && now - c->moved > STUCK_SECONDS) return true;
  if (!output) c->moved = now;
  if (c->state == SOCKET && !c->pinged && now - c->heard > PING_SECONDS) {
    c->pinged = true;
    web_send_some(web, c->id, 9, NULL, 0);
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
static int prepare(Web* web, struct pollfd* poll, Client** slot, double now, int* timeout) {
  int n = 2;
  *timeout = 1000;
  refill(&web->accepts, &web->accepts_refilled, now, ACCEPT_RATE, ACCEPT_RATE);
  poll[0] = (struct pollfd){.fd = web->wake[0], .events = POLLIN};
  poll[1] = (struct pollfd){.fd = web->accepts >= 1 ? web->listen : -1, .events = POLLIN};
  if (web->accepts < 1) *timeout = 20;
  for (Client* c = web->client; c < web->client + WEB_CLIENTS; c++) {
    if (c->state == FREE) continue;
    refill(&c->allowance, &c->refilled, now, RATE, BURST);
    if (c->state == SOCKET && c->nin) web_read_frames(web, c);
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
    slot[n - 2] = c;
    poll[n++] = (struct pollfd){.fd = c->fd, .events = events};
  }
  return n;
}

static void* serve(void* user) {
  Web* web = user;
  struct pollfd poll_fd[WEB_CLIENTS + 2];
  Client* slot[WEB_CLIENTS];
  // The simulation comes first: on Linux the nice value belongs to a thread.
  setpriority(PRIO_PROCESS, 0, 5);
  for (;;) {
    int timeout;
    pthread_mutex_lock(&web->lock);
    bool stop = web->stop;
    pthread_mutex_unlock(&web->lock);
    if (stop) break;
    int n = prepare(web, poll_fd, slot, wall_clock(), &timeout);
    if (poll(poll_fd, (nfds_t)n, timeout) < 0 && errno != EINTR) break;
    double now = wall_clock();
    char rest[256];
    while (read(web->wake[0], rest, sizeof rest) > 0) {
    }
    for (int i = 2; i < n; i++) {
      Client* c = slot[i - 2];
      bool alive = !(poll_fd[i].revents & (POLLERR | POLLNVAL));
      if (alive && poll_fd[i].revents & (POLLIN | POLLHUP)) alive = receive(web, c, now);
      if (alive && poll_fd[i].revents & POLLOUT) alive = transmit(web, c, now);
      if (!alive) drop_client(web, c);
    }
    if (poll_fd[1].revents & POLLIN) accept_client(web, now);
  }
  for (Client* c = web->client; c < web->client + WEB_CLIENTS; c++)
    if (c->state != FREE) drop_client(web, c);
  return NULL;
}

// ---- open and close

static int open_port(const WebOptions* o, int* port, char* sentence, size_t size) {
  char text[16];
  snprintf(text, sizeof text, "%d", o->port);
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE},
                  *list = NULL;
  int wrong = getaddrinfo(o->bind, text, &hints, &list);
  if (wrong) {
    snprintf(sentence, size, "the address '%s' is not known (%s); give one of this machine to --bind",
             o->bind, gai_strerror(wrong));
    return -1;
  }
  int fd = socket(list->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
  if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  bool good = fd >= 0 && !bind(fd, list->ai_addr, list->ai_addrlen) && !listen(fd, 16);
  if (!good && errno == EADDRINUSE)
    snprintf(sentence, size, "port %d is in use already; choose another with --port", o->port);
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

Web* web_open(const WebOptions* options, char* sentence, size_t size) {
  Web* web = calloc(1, sizeof *web);
  snprintf(sentence, size, "memory ran out");
  if (!web) return NULL;
  web->options = *options;
  web->next_id = 1;
  web->accepts_refilled = wall_clock();
  web->accepts = ACCEPT_RATE;
  pthread_mutex_init(&web->lock, NULL);
  web->listen = open_port(options, &web->port, sentence, size);
  if (web->listen >= 0 && !pipe2(web->wake, O_NONBLOCK | O_CLOEXEC)) return web;
  if (web->listen >= 0) close(web->listen);
  pthread_mutex_destroy(&web->lock);
  free(web);
  return NULL;
}

bool web_start(Web* web) { return web->started = !pthread_create(&web->thread, NULL, serve, web); }

void web_close(Web* web) {
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
