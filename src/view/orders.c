// orders.c: orders from the page: one line of words and numbers each, checked, and kept in a short queue.
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parts.h"

// Arguments of an order: i whole numbers, then x numbers.
static const struct {
  const char* word;
  int ni, nx;
} words[PL_ORDER_COUNT] = {
    [PL_ORDER_PLAY] = {"play", 0, 0},         [PL_ORDER_PAUSE] = {"pause", 0, 0},
    [PL_ORDER_STEP] = {"step", 1, 0},         [PL_ORDER_RESET] = {"reset", 0, 0},
    [PL_ORDER_SPEED] = {"speed", 0, 1},       [PL_ORDER_SEEK] = {"seek", 0, 1},
    [PL_ORDER_GRAB] = {"grab", 2, 3},         [PL_ORDER_DRAG] = {"drag", 0, 3},
    [PL_ORDER_DROP] = {"drop", 0, 0},         [PL_ORDER_INPUT] = {"input", 1, 1},
    [PL_ORDER_EFFECTOR] = {"effector", 1, 0}, [PL_ORDER_TELEOP] = {"teleop", 0, 7},
    [PL_ORDER_RECORD] = {"record", 1, 0},     [PL_ORDER_SAVE] = {"save", 0, 0},
    [PL_ORDER_FIELDS] = {"fields", 1, 0},
};

// The next number, after one blank; false if there is none.
static bool read_number(const char** text, double* x) {
  char* end;
  if (**text != ' ' || (*text)[1] == ' ') return false;
  *x = strtod(*text + 1, &end);
  if (end == *text + 1 || !isfinite(*x) || fabs(*x) > 1e9) return false;
  *text = end;
  return true;
}

bool pl_order_read(const char* text, plOrder* order, char* sentence, size_t size) {
  size_t n = strcspn(text, " ");
  const char* rest = text + n;
  *order = (plOrder){.client = -1};
  int kind = 0;
  while (kind < PL_ORDER_COUNT && (strlen(words[kind].word) != n || strncmp(words[kind].word, text, n)))
    kind++;
  if (kind == PL_ORDER_COUNT) {
    snprintf(sentence, size, "there is no such order");
    return false;
  }
  assert(words[kind].ni <= (int)(sizeof order->i / sizeof *order->i) &&
         words[kind].nx <= (int)(sizeof order->x / sizeof *order->x));
  order->kind = (plOrderKind)kind;
  bool good = true;
  for (int k = 0; good && k < words[kind].ni; k++) {
    double x = 0;
    good = read_number(&rest, &x) && x == floor(x);
    order->i[k] = good ? (int)x : 0;
  }
  for (int k = 0; good && k < words[kind].nx; k++) good = read_number(&rest, &order->x[k]);
  if (good && !*rest) return true;
  snprintf(sentence, size, "'%s' takes %d whole numbers and %d numbers, each after one blank",
           words[kind].word, words[kind].ni, words[kind].nx);
  return false;
}

// ---- the queue

void pl_orders_open(plOrders* orders) {
  memset(orders, 0, sizeof *orders);
  pl_view_condition(&orders->lock, &orders->arrived);
}

void pl_orders_close(plOrders* orders) {
  pthread_cond_destroy(&orders->arrived);
  pthread_mutex_destroy(&orders->lock);
}

// Orders of which only the newest counts.
static bool replaces(const plOrder* a, const plOrder* b) {
  if (a->kind != b->kind || a->client != b->client) return false;
  return a->kind == PL_ORDER_DRAG || a->kind == PL_ORDER_TELEOP || a->kind == PL_ORDER_SEEK ||
         a->kind == PL_ORDER_SPEED || (a->kind == PL_ORDER_INPUT && a->i[0] == b->i[0]);
}

// The last entries are reserved for the end of a page: what it held must be released.
static int room(const plOrder* order) {
  return order->kind == PL_ORDER_DROP || order->kind == PL_ORDER_TELEOP || order->kind == PL_ORDER_PAUSE
             ? PL_ORDERS
             : PL_ORDERS - 2 * PL_WEB_CLIENTS - 8;
}

bool pl_orders_put(plOrders* orders, const plOrder* order) {
  pthread_mutex_lock(&orders->lock);
  plOrder* last = orders->n ? &orders->ring[(orders->first + orders->n - 1) % PL_ORDERS] : NULL;
  bool fits = true;
  if (last && replaces(last, order))
    *last = *order;
  else if (orders->n < room(order))
    orders->ring[(orders->first + orders->n++) % PL_ORDERS] = *order;
  else
    fits = false;
  pthread_cond_signal(&orders->arrived);
  pthread_mutex_unlock(&orders->lock);
  return fits;
}

bool pl_orders_take(plOrders* orders, plOrder* order, double until) {
  struct timespec end = {(time_t)until, (long)((until - floor(until)) * 1e9)};
  pthread_mutex_lock(&orders->lock);
  while (!orders->n && !pthread_cond_timedwait(&orders->arrived, &orders->lock, &end)) {
  }
  bool any = orders->n;
  if (any) {
    *order = orders->ring[orders->first];
    orders->first = (orders->first + 1) % PL_ORDERS;
    orders->n--;
  }
  pthread_mutex_unlock(&orders->lock);
  return any;
}
