// web.c: the server's thread: one poll loop over the port and all clients (web.h says what it promises).
#include "web.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"

enum { QUEUE = 32, FLIGHT = 2, READ_CHUNK = 65536 };
static const double HEAD_SECONDS = 10, STUCK_SECONDS = 30, PING_SECONDS = 20, SILENT_SECONDS = 60;
static const double RATE = 500, BURST = 1000;  // messages of one client per second, and at once
static const double ACCEPT_RATE = 100;         // new connections per second

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
  Blob *queue[QUEUE], *latest;
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

// ---- blobs; the lock is held

static Blob* blob_new(int opcode, const void* bytes, size_t size) {
  unsigned char head[10];
  size_t n = opcode ? socket_head(head, opcode, size) : 0;
  Blob* blob = malloc(sizeof *blob + n + size);
  if (!blob) return NULL;
  *blob = (Blob){.refs = 1, .bytes = blob->own, .size = n + size};
  memcpy(blob->own, head, n);
  if (size) memcpy(blob->own + n, bytes, size);
  return blob;
}

static void blob_drop(Blob* blob) {
  if (blob && --blob->refs == 0) free(blob);
}

static void enqueue(Client* c, Blob* blob) {
  if (!blob) return;
  if (c->nqueue == QUEUE) {
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

static void send_some(Web* web, int client, int opcode, const void* bytes, size_t size) {
  pthread_mutex_lock(&web->lock);
  Blob* blob = blob_new(opcode, bytes, size);
  for (Client* c = web->client; c < web->client + WEB_CLIENTS; c++)
    if (c->state == SOCKET && (client < 0 || c->id == client)) enqueue(c, blob);
  blob_drop(blob);
  pthread_mutex_unlock(&web->lock);
  wake(web);
}

void web_send(Web* web, int client, bool binary, const void* bytes, size_t size) {
  send_some(web, client, binary ? 2 : 1, bytes, size);
}

void web_offer(Web* web, const void* bytes, size_t size) {
  pthread_mutex_lock(&web->lock);
  Blob* blob = blob_new(2, bytes, size);
  for (Client* c = web->client; blob && c < web->client + WEB_CLIENTS; c++) {
    if (c->state != SOCKET) continue;
    blob_drop(c->latest);
    c->latest = blob;
    blob->refs++;
  }
  blob_drop(blob);
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
  for (int i = 0; i < c->nqueue; i++) blob_drop(c->queue[i]);
  blob_drop(c->current);
  blob_drop(c->latest);
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

// ---- HTTP

static const char security[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; "
    "img-src 'self' data: blob:; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors "
    "'none'\r\n"
    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\nCache-Control: "
    "no-store\r\n"
    "Connection: close\r\n\r\n";

static void reply(Web* web, Client* c, int status, const char* reason, const char* more, const void* body,
                  size_t size, bool head_only) {
  char head[2048];
  int n = snprintf(head, sizeof head, "HTTP/1.1 %d %s\r\nContent-Length: %zu\r\n%s%s", status, reason, size,
                   more, security);
  pthread_mutex_lock(&web->lock);
  Blob *first = blob_new(0, head, (size_t)n), *second = head_only || !size ? NULL : malloc(sizeof *second);
  if (second) *second = (Blob){.refs = 1, .bytes = body, .size = size};
  enqueue(c, first);
  enqueue(c, second);
  blob_drop(first);
  blob_drop(second);
  c->state = DRAIN;
  pthread_mutex_unlock(&web->lock);
}

// A refusal: the sentence must be static.
static void refuse(Web* web, Client* c, int status, const char* reason, const char* sentence) {
  reply(web, c, status, reason, "Content-Type: text/plain; charset=utf-8\r\n", sentence, strlen(sentence),
        false);
}

static bool token_matches(const char* token, const char* query) {
  const char* shown = strstr(query, "token=");
  size_t n = strlen(token);
  if (!shown || strlen(shown + 6) < n) return false;
  // every letter is compared, so that time tells nothing
  unsigned differ = 0;
  for (size_t i = 0; i < n; i++) differ |= (unsigned)(token[i] ^ shown[6 + i]);
  return !differ;
}

static void open_socket(Web* web, Client* c, const HttpRequest* r) {
  char accept[29], head[256];
  socket_accept(r->key, accept);
  int n = snprintf(head, sizeof head,
                   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                   "Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                   accept);
  c->socket = true;
  c->may_control = !web->options.token || token_matches(web->options.token, r->query);
  pthread_mutex_lock(&web->lock);
  Blob* blob = blob_new(0, head, (size_t)n);
  enqueue(c, blob);
  blob_drop(blob);
  c->state = SOCKET;
  pthread_mutex_unlock(&web->lock);
  if (web->options.on_open) web->options.on_open(web->options.user, c->id);
}

static void send_download(Web* web, Client* c, const HttpRequest* r) {
  char path[4096], more[512];
  struct stat info;
  const char* name = r->path + strlen("/files/");
  bool known =
      web->options.on_download && web->options.on_download(web->options.user, name, path, sizeof path);
  if (web->options.token && !token_matches(web->options.token, r->query)) {
    refuse(web, c, 403, "Forbidden", "this download needs the token that pliant view printed\n");
    return;
  }
  int fd = known ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0 || fstat(fd, &info) || !S_ISREG(info.st_mode)) {
    if (fd >= 0) close(fd);
    refuse(web, c, 404, "Not Found", "there is no such file\n");
    return;
  }
  snprintf(
      more, sizeof more,
      "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=\"%.200s\"\r\n",
      name);
  reply(web, c, 200, "OK", more, NULL, (size_t)info.st_size, true);
  c->file = r->head_only ? -1 : fd;
  if (r->head_only) close(fd);
}

static void answer(Web* web, Client* c, const HttpRequest* r) {
  if (!http_host_allowed(r->host, web->options.bind)) {
    refuse(web, c, 403, "Forbidden",
           "this server answers only to its own address; open the one that pliant view printed\n");
    return;
  }
  if (!http_origin_allowed(r->origin, r->host)) {
    refuse(web, c, 403, "Forbidden", "requests from other pages are refused\n");
    return;
  }
  if (!strcmp(r->path, "/socket")) {
    if (r->upgrade && !r->head_only)
      open_socket(web, c, r);
    else
      refuse(web, c, 400, "Bad Request", "this address is for WebSockets of version 13\n");
    return;
  }
  if (!strncmp(r->path, "/files/", 7)) {
    send_download(web, c, r);
    return;
  }
  for (const WebFile* f = web->options.file; f < web->options.file + web->options.nfile; f++) {
    if (strcmp(f->path, r->path)) continue;
    char more[256];
    if (!r->gzip) {
      refuse(web, c, 406, "Not Acceptable", "the page is sent compressed: Accept-Encoding must have gzip\n");
      return;
    }
    snprintf(more, sizeof more, "Content-Type: %s\r\nContent-Encoding: gzip\r\n", f->type);
    reply(web, c, 200, "OK", more, f->bytes, f->size, r->head_only);
    return;
  }
  refuse(web, c, 404, "Not Found", "there is no such page\n");
}

static void read_head(Web* web, Client* c) {
  HttpRequest r;
  size_t used;
  int status = http_parse((const char*)c->in, c->nin, &r, &used);
  if (status < 0) return;
  if (!status) {
    c->nin -= used;
    memmove(c->in, c->in + used, c->nin);
    answer(web, c, &r);
  } else if (status == 405) {
    refuse(web, c, 405, "Method Not Allowed", "only GET and HEAD are answered\n");
  } else if (status == 431 || status == 414 || status == 413) {
    refuse(web, c, status, "Too Large", "the request is too large\n");
  } else {
    refuse(web, c, 400, "Bad Request", "this is no HTTP request\n");
  }
}

// ---- WebSocket

static void close_socket(Web* web, Client* c, int code) {
  unsigned char payload[2] = {(unsigned char)(code >> 8), (unsigned char)code};
  pthread_mutex_lock(&web->lock);
  Blob* blob = blob_new(8, payload, sizeof payload);
  enqueue(c, blob);
  blob_drop(blob);
  blob_drop(c->latest);
  c->latest = NULL;
  c->state = DRAIN;
  pthread_mutex_unlock(&web->lock);
  c->nin = 0;
}

static void take_message(Web* web, Client* c) {
  c->message[c->nmessage] = 0;
  c->in_message = false;
  if (!strcmp((char*)c->message, "ack")) {
    pthread_mutex_lock(&web->lock);
    if (c->flight > 0) c->flight--;
    pthread_mutex_unlock(&web->lock);
  } else if (web->options.on_text) {
    web->options.on_text(web->options.user, c->id, c->may_control, (char*)c->message);
  }
  c->nmessage = 0;
}

// Returns the code with which to close, or 0.
static int take_frame(Web* web, Client* c, const SocketFrame* f) {
  if (f->opcode == 8) return 1000;
  if (f->opcode == 9) {
    send_some(web, c->id, 10, f->payload, f->size);
    return 0;
  }
  if (f->opcode == 10) return 0;
  if (f->opcode == 2) return 1003;
  // a first part must be text, and only a first part may be
  if ((f->opcode == 0) != c->in_message) return SOCKET_PROTOCOL;
  if (c->nmessage + f->size > WEB_MESSAGE) return SOCKET_TOO_BIG;
  if (memchr(f->payload, 0, f->size)) return 1007;
  memcpy(c->message + c->nmessage, f->payload, f->size);
  c->nmessage += f->size;
  c->in_message = true;
  if (f->fin) take_message(web, c);
  return 0;
}

static void read_frames(Web* web, Client* c) {
  while (c->state == SOCKET && c->allowance >= 1) {
    SocketFrame frame;
    size_t used;
    int status = socket_parse(c->in, c->nin, &frame, &used);
    if (status == SOCKET_MORE) return;
    c->allowance -= 1;
    if (status == SOCKET_FRAME) {
      status = take_frame(web, c, &frame);
      c->nin -= used;
      memmove(c->in, c->in + used, c->nin);
      if (!status) continue;
    }
    close_socket(web, c, status);
  }
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
  if (c->state == HTTP) read_head(web, c);
  if (c->state == SOCKET) read_frames(web, c);
  return true;
}

// The next thing to send: messages in order, then the newest frame, then the next part of a download.
static bool next_blob(Web* web, Client* c) {
  unsigned char* part = NULL;
  pthread_mutex_lock(&web->lock);
  blob_drop(c->current);
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
    if (n > 0) c->current = blob_new(0, part, (size_t)n);
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
    send_some(web, c->id, 9, NULL, 0);
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
    if (c->state == SOCKET && c->nin) read_frames(web, c);
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
