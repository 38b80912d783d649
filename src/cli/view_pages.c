// view_pages.c: what the pages ask for and are sent: orders, messages, downloads, frames.
#include <string.h>

#include "pliant/output.h"
#include "view.h"

// {"kind":"error","text":"..."}
void view_tell(void* user, int client, const char* kind, const char* text) {
  View* view = user;
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
  if (view->web) web_send(view->web, client, false, message, (size_t)n);
}

void view_made(void* user, const char* path) {
  View* view = user;
  pthread_mutex_lock(&view->lock);
  if (view->nmade == VIEW_FILES)
    memmove(view->made, view->made + 1, sizeof view->made[0] * (size_t)--view->nmade);
  snprintf(view->made[view->nmade++], PATH_SIZE, "%s", path);
  pthread_mutex_unlock(&view->lock);
}

static bool on_download(void* user, const char* name, char* path, size_t size) {
  View* view = user;
  bool found = false;
  pthread_mutex_lock(&view->lock);
  for (int i = 0; i < view->nmade && !found; i++) {
    const char* slash = strrchr(view->made[i], '/');
    found = !strcmp(slash ? slash + 1 : view->made[i], name);
    if (found) snprintf(path, size, "%s", view->made[i]);
  }
  pthread_mutex_unlock(&view->lock);
  return found;
}

static void set_fields(View* view, int client, unsigned fields) {
  int at = -1;
  pthread_mutex_lock(&view->lock);
  for (int i = 0; i < WEB_CLIENTS; i++)
    if (view->wish[i].client == client || (at < 0 && !view->wish[i].fields)) at = i;
  if (at >= 0) view->wish[at].client = client, view->wish[at].fields = fields;
  view->repeat = true;
  pthread_mutex_unlock(&view->lock);
}

static void on_open(void* user, int client) {
  View* view = user;
  web_send(view->web, client, true, view->scene, view->scene_size);
  set_fields(view, client, 0);
}

static void on_close(void* user, int client) {
  View* view = user;
  // whatever this page held or steered stops
  orders_put(&view->orders, &(Order){.kind = ORDER_DROP, .client = client});
  orders_put(&view->orders, &(Order){.kind = ORDER_TELEOP, .client = client});
  set_fields(view, client, 0);
}

static void on_text(void* user, int client, bool may_control, const char* text) {
  View* view = user;
  Order order;
  char sentence[256];
  if (!order_read(text, &order, sentence, sizeof sentence)) {
    view_tell(view, client, "refused", sentence);
    return;
  }
  order.client = client;
  if (order.kind == ORDER_FIELDS)
    set_fields(view, client, (unsigned)order.i[0] & ((1u << PL_COLOUR_COUNT) - 2));
  else if (!may_control)
    view_tell(view, client, "refused",
              "this page may only watch: open the address with the token to control");
  else if (!orders_put(&view->orders, &order))
    view_tell(view, client, "refused", "too many orders at once");
}

void view_answer(WebOptions* options) {
  options->on_open = on_open, options->on_text = on_text, options->on_close = on_close,
  options->on_download = on_download;
}

unsigned view_wanted(View* view, bool* repeat) {
  unsigned fields = 0;
  pthread_mutex_lock(&view->lock);
  for (int i = 0; i < WEB_CLIENTS; i++) fields |= view->wish[i].fields;
  *repeat = view->repeat;
  view->repeat = false;
  pthread_mutex_unlock(&view->lock);
  return fields;
}

// ---- frames

static void put32(unsigned char** at, uint32_t x) { memcpy(*at, &x, 4), *at += 4; }
static void put_float(unsigned char** at, double x) { memcpy(*at, &(float){(float)x}, 4), *at += 4; }
static void put_double(unsigned char** at, double x) { memcpy(*at, &x, 8), *at += 8; }
static void put_vec(unsigned char** at, plVec3 v) {
  put_float(at, v.x), put_float(at, v.y), put_float(at, v.z);
}

void shown_write(const Shown* s, unsigned sequence, unsigned char bytes[SHOWN_BYTES]) {
  unsigned char* at = bytes;
  memset(bytes, 0, SHOWN_BYTES);
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
}

void view_offer(View* view, plStream* stream, const plMoment* moment, const Shown* shown) {
  plError error;
  void* bytes;
  size_t size;
  if (pl_stream_frame(stream, moment, SHOWN_BYTES, &bytes, &size, &error)) {
    view_tell(view, -1, "error", error.message);
    return;
  }
  shown_write(shown, ++view->sequence, bytes);
  web_offer(view->web, bytes, size);
}
