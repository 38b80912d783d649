// web_talk.c: what the server answers to a client's bytes: pages and downloads over HTTP, messages over a
// WebSocket.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "web_parts.h"

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

static void reply(plWeb* web, plClient* c, int status, const char* reason, const char* more, const void* body,
                  size_t size, bool head_only) {
  char head[2048];
  int n = snprintf(head, sizeof head, "HTTP/1.1 %d %s\r\nContent-Length: %zu\r\n%s%s", status, reason, size,
                   more, security);
  pthread_mutex_lock(&web->lock);
  plBlob *first = pl_web_blob_new(0, head, (size_t)n),
         *second = head_only || !size ? NULL : malloc(sizeof *second);
  if (second) *second = (plBlob){.refs = 1, .bytes = body, .size = size};
  pl_web_enqueue(c, first);
  pl_web_enqueue(c, second);
  pl_web_blob_drop(first);
  pl_web_blob_drop(second);
  c->state = DRAIN;
  pthread_mutex_unlock(&web->lock);
}

// A refusal: the sentence must be static.
static void refuse(plWeb* web, plClient* c, int status, const char* reason, const char* sentence) {
  reply(web, c, status, reason, "Content-Type: text/plain; charset=utf-8\r\n", sentence, strlen(sentence),
        false);
}

static bool token_matches(const char* token, const char* query) {
  const char* shown = strstr(query, "token=");
  size_t n = strlen(token);
  if (!shown || strlen(shown + 6) < n) return false;
  // every letter is compared, so that the time taken reveals nothing about the token
  unsigned differ = 0;
  for (size_t i = 0; i < n; i++) differ |= (unsigned)(token[i] ^ shown[6 + i]);
  return !differ;
}

static void open_socket(plWeb* web, plClient* c, const plHttpRequest* r) {
  char accept[29], head[256];
  pl_socket_accept(r->key, accept);
  int n = snprintf(head, sizeof head,
                   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                   "Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                   accept);
  c->socket = true;
  c->may_control = !web->options.token || token_matches(web->options.token, r->query);
  pthread_mutex_lock(&web->lock);
  plBlob* blob = pl_web_blob_new(0, head, (size_t)n);
  pl_web_enqueue(c, blob);
  pl_web_blob_drop(blob);
  c->state = SOCKET;
  pthread_mutex_unlock(&web->lock);
  if (web->options.on_open) web->options.on_open(web->options.user, c->id);
}

static void send_download(plWeb* web, plClient* c, const plHttpRequest* r) {
  char path[4096], more[512];
  struct stat info;
  const char* name = r->path + strlen("/files/");
  bool known =
      web->options.on_download && web->options.on_download(web->options.user, name, path, sizeof path);
  if (web->options.token && !token_matches(web->options.token, r->query)) {
    refuse(web, c, 403, "Forbidden", "this download needs the token in the printed address\n");
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

static void answer(plWeb* web, plClient* c, const plHttpRequest* r) {
  if (!pl_http_host_allowed(r->host, web->options.bind)) {
    refuse(web, c, 403, "Forbidden",
           "this server answers only to its own address; open the one that was printed\n");
    return;
  }
  if (!pl_http_origin_allowed(r->origin, r->host)) {
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
  for (const plWebFile* f = web->options.file; f < web->options.file + web->options.nfile; f++) {
    if (strcmp(f->path, r->path)) continue;
    char more[256];
    if (!r->gzip && !strcmp(r->path, "/")) {  // curl: a sentence instead of the page
      static const char text[] =
          "This is the page of a simulation: open the address in a browser, or ask for it with "
          "`curl --compressed`.\n";
      reply(web, c, 200, "OK", "Content-Type: text/plain; charset=utf-8\r\n", text, sizeof text - 1,
            r->head_only);
      return;
    }
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

void pl_web_read_head(plWeb* web, plClient* c) {
  plHttpRequest r;
  size_t used;
  int status = pl_http_parse((const char*)c->in, c->nin, &r, &used);
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
    refuse(web, c, 400, "Bad Request", "this is not an HTTP request\n");
  }
}

// ---- WebSocket

static void close_socket(plWeb* web, plClient* c, int code) {
  unsigned char payload[2] = {(unsigned char)(code >> 8), (unsigned char)code};
  pthread_mutex_lock(&web->lock);
  plBlob* blob = pl_web_blob_new(8, payload, sizeof payload);
  pl_web_enqueue(c, blob);
  pl_web_blob_drop(blob);
  pl_web_blob_drop(c->latest);
  c->latest = NULL;
  c->state = DRAIN;
  pthread_mutex_unlock(&web->lock);
  c->nin = 0;
}

static void take_message(plWeb* web, plClient* c) {
  assert(c->nmessage < sizeof c->message);
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
static int take_frame(plWeb* web, plClient* c, const plSocketFrame* f) {
  if (f->opcode == 8) return 1000;
  if (f->opcode == 9) {
    pl_web_send_some(web, c->id, 10, f->payload, f->size);
    return 0;
  }
  if (f->opcode == 10) return 0;
  if (f->opcode == 2) return 1003;
  // a first part must be text, and only a first part may be
  if ((f->opcode == 0) != c->in_message) return PL_SOCKET_PROTOCOL;
  if (c->nmessage + f->size > PL_WEB_MESSAGE) return PL_SOCKET_TOO_BIG;
  if (memchr(f->payload, 0, f->size)) return 1007;
  memcpy(c->message + c->nmessage, f->payload, f->size);
  c->nmessage += f->size;
  c->in_message = true;
  if (f->fin) take_message(web, c);
  return 0;
}

void pl_web_read_frames(plWeb* web, plClient* c) {
  while (c->state == SOCKET && c->allowance >= 1) {
    plSocketFrame frame;
    size_t used;
    int status = pl_socket_parse(c->in, c->nin, &frame, &used);
    if (status == PL_SOCKET_MORE) return;
    c->allowance -= 1;
    if (status == PL_SOCKET_FRAME) {
      status = take_frame(web, c, &frame);
      c->nin -= used;
      memmove(c->in, c->in + used, c->nin);
      if (!status) continue;
    }
    close_socket(web, c, status);
  }
}
