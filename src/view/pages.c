// pages.c: communication with the pages: orders, messages, downloads, frames.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "pliant/output.h"
#include "parts.h"

// {"kind":"error","text":"..."}
void pl_pages_tell(void* user, int client, const char* kind, const char* text) {
  plPages* pages = user;
  char message[2048];
  int n = snprintf(message, sizeof message, "{\"kind\":\"%s\",\"text\":\"", kind);
  for (const char* c = text; *c && n < (int)sizeof message - 16;) {
    unsigned char byte = (unsigned char)*c;
    int length = pl_output_utf8(c);
    if (!length || byte < 0x20 || byte == 127 || byte == '"' || byte == '\\')
      n += snprintf(message + n, 8, "\\u%04x", byte), length = 1;
    else
      memcpy(message + n, c, (size_t)length), n += length;
    c += length;
  }
  n += snprintf(message + n, 4, "\"}");
  if (pages->web) pl_web_send(pages->web, client, false, message, (size_t)n);
}

void pl_pages_made(void* user, const char* path) {
  plPages* pages = user;
  pthread_mutex_lock(&pages->lock);
  if (pages->nmade == PL_VIEW_FILES)
    memmove(pages->made, pages->made + 1, sizeof pages->made[0] * (size_t)--pages->nmade);
  assert(pages->nmade < PL_VIEW_FILES);
  snprintf(pages->made[pages->nmade++], PL_VIEW_PATH, "%s", path);
  pthread_mutex_unlock(&pages->lock);
}

static bool on_download(void* user, const char* name, char* path, size_t size) {
  plPages* pages = user;
  bool found = false;
  pthread_mutex_lock(&pages->lock);
  for (int i = 0; i < pages->nmade && !found; i++) {
    const char* slash = strrchr(pages->made[i], '/');
    found = !strcmp(slash ? slash + 1 : pages->made[i], name);
    if (found) snprintf(path, size, "%s", pages->made[i]);
  }
  pthread_mutex_unlock(&pages->lock);
  return found;
}

static void set_fields(plPages* pages, int client, unsigned fields) {
  int at = -1;
  pthread_mutex_lock(&pages->lock);
  for (int i = 0; i < PL_WEB_CLIENTS; i++)
    if (pages->wish[i].client == client || (at < 0 && !pages->wish[i].fields)) at = i;
  if (at >= 0) pages->wish[at].client = client, pages->wish[at].fields = fields;
  pages->repeat = true;
  pthread_mutex_unlock(&pages->lock);
}

static void on_open(void* user, int client) {
  plPages* pages = user;
  pl_web_send(pages->web, client, true, pages->scene, pages->scene_size);
  set_fields(pages, client, 0);
}

static void on_close(void* user, int client) {
  plPages* pages = user;
  // everything that this page held or steered stops
  pl_orders_put(&pages->orders, &(plOrder){.kind = PL_ORDER_DROP, .client = client});
  pl_orders_put(&pages->orders, &(plOrder){.kind = PL_ORDER_TELEOP, .client = client});
  set_fields(pages, client, 0);
}

static void on_text(void* user, int client, bool may_control, const char* text) {
  plPages* pages = user;
  plOrder order;
  char sentence[256];
  if (!pl_order_read(text, &order, sentence, sizeof sentence)) {
    pl_pages_tell(pages, client, "refused", sentence);
    return;
  }
  order.client = client;
  if (order.kind == PL_ORDER_FIELDS)
    set_fields(pages, client, (unsigned)order.i[0] & ((1u << PL_COLOUR_COUNT) - 1));
  else if (!may_control)
    pl_pages_tell(pages, client, "refused",
                  "this page may only watch: open the address with the token to control");
  else if (!pl_orders_put(&pages->orders, &order))
    pl_pages_tell(pages, client, "refused", "too many orders at once");
}

void pl_pages_answer(plWebOptions* options) {
  options->on_open = on_open, options->on_text = on_text, options->on_close = on_close,
  options->on_download = on_download;
}

unsigned pl_pages_wanted(plPages* pages, bool* repeat) {
  unsigned fields = 0;
  pthread_mutex_lock(&pages->lock);
  for (int i = 0; i < PL_WEB_CLIENTS; i++) fields |= pages->wish[i].fields;
  *repeat = pages->repeat;
  pages->repeat = false;
  pthread_mutex_unlock(&pages->lock);
  return fields;
}

bool pl_pages_stopped(plPages* pages) {
  pthread_mutex_lock(&pages->lock);
  bool stop = pages->stop;
  pthread_mutex_unlock(&pages->lock);
  return stop;
}

void pl_pages_stop(plPages* pages) {
  pthread_mutex_lock(&pages->lock);
  pages->stop = true;
  pthread_mutex_unlock(&pages->lock);
}

// ---- frames

static void put32(unsigned char** at, uint32_t x) { memcpy(*at, &x, 4), *at += 4; }
static void put_float(unsigned char** at, double x) { memcpy(*at, &(float){(float)x}, 4), *at += 4; }
static void put_double(unsigned char** at, double x) { memcpy(*at, &x, 8), *at += 8; }
static void put_vec(unsigned char** at, plVec3 v) {
  put_float(at, v.x), put_float(at, v.y), put_float(at, v.z);
}

static void write_shown(const plShown* s, unsigned sequence, unsigned char bytes[PL_SHOWN_BYTES]) {
  unsigned char* at = bytes;
  memset(bytes, 0, PL_SHOWN_BYTES);
  memcpy(at, "PLVW", 4), at += 4;
  put32(&at, sequence);
  put32(&at, (uint32_t)(s->playing | s->replay << 1 | s->recording << 2 | s->grabbed << 3 | s->behind << 4 |
                        s->failed << 5));
  put32(&at, (uint32_t)s->count);
  put_double(&at, s->begin), put_double(&at, s->end);
  put_float(&at, s->speed), put_float(&at, s->rate), put_float(&at, s->capacity), put_float(&at, s->grip);
  put32(&at, (uint32_t)s->effector), put32(&at, (uint32_t)s->recorded), put32(&at, (uint32_t)s->side);
  put_vec(&at, s->point), put_vec(&at, s->target), put_vec(&at, s->force), put_vec(&at, s->steered.p);
  put_float(&at, s->steered.q.w), put_float(&at, s->steered.q.x), put_float(&at, s->steered.q.y),
      put_float(&at, s->steered.q.z);
  assert(at - bytes <= PL_SHOWN_BYTES);
}

void pl_pages_offer(plPages* pages, plStream* stream, const plMoment* moment, const plShown* shown) {
  plError error;
  void* bytes;
  size_t size;
  if (pl_stream_frame(stream, moment, PL_SHOWN_BYTES, &bytes, &size, &error)) {
    pl_pages_tell(pages, -1, "error", error.message);
    return;
  }
  write_shown(shown, ++pages->sequence, bytes);
  pl_web_offer(pages->web, bytes, size);
}
