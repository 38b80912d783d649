// web_http.c: parses the heads of HTTP requests and checks that they come from our own page.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "web.h"

// Copies [from, to) without blanks at the ends; false if it does not fit.
static bool copy_trimmed(char* out, size_t size, const char* from, const char* to) {
  while (from < to && (*from == ' ' || *from == '\t')) from++;
  while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
  size_t n = (size_t)(to - from);
  if (n >= size) return false;
  memcpy(out, from, n);
  out[n] = 0;
  return true;
}

// Whether a list like "keep-alive, Upgrade" has the word.
static bool has_word(const char* from, const char* to, const char* word) {
  size_t n = strlen(word);
  for (const char* c = from; c + n <= to; c++)
    if (!strncasecmp(c, word, n) && (c + n == to || strchr(" \t,;", c[n])) &&
        (c == from || strchr(" \t,", c[-1])))
      return true;
  return false;
}

static bool is_named(const char* line, const char* colon, const char* name) {
  return (size_t)(colon - line) == strlen(name) && !strncasecmp(line, name, strlen(name));
}

// "GET /path?query HTTP/1.1"
static int read_request_line(const char* line, const char* end, plHttpRequest* r) {
  const char* space = memchr(line, ' ', (size_t)(end - line));
  const char* second = space ? memchr(space + 1, ' ', (size_t)(end - space - 1)) : NULL;
  if (!second || end - second != 9 || strncmp(second, " HTTP/1.", 8) || !isdigit((unsigned char)second[8]))
    return 400;
  if (space[1] != '/') return 400;
  r->head_only = space - line == 4 && !strncmp(line, "HEAD", 4);
  if (!r->head_only && !(space - line == 3 && !strncmp(line, "GET", 3))) return 405;
  const char* mark = memchr(space, '?', (size_t)(second - space));
  if (mark && !copy_trimmed(r->query, sizeof r->query, mark + 1, second)) return 414;
  return copy_trimmed(r->path, sizeof r->path, space + 1, mark ? mark : second) ? 0 : 414;
}

typedef struct Seen {
  bool upgrade, connection, version;
} Seen;

static int read_header(const char* line, const char* end, plHttpRequest* r, Seen* seen) {
  const char* colon = memchr(line, ':', (size_t)(end - line));
  if (!colon || colon == line || *line == ' ' || *line == '\t' || colon[-1] == ' ') return 400;
  const char* value = colon + 1;
  if (is_named(line, colon, "host")) {
    // two Host headers are an attack
    if (r->host[0] || !copy_trimmed(r->host, sizeof r->host, value, end) || !r->host[0]) return 400;
  } else if (is_named(line, colon, "origin")) {
    if (r->origin[0] || !copy_trimmed(r->origin, sizeof r->origin, value, end) || !r->origin[0]) return 400;
  } else if (is_named(line, colon, "sec-websocket-key")) {
    if (!copy_trimmed(r->key, sizeof r->key, value, end)) return 400;
  } else if (is_named(line, colon, "sec-websocket-version")) {
    seen->version = has_word(value, end, "13");
  } else if (is_named(line, colon, "upgrade")) {
    seen->upgrade = has_word(value, end, "websocket");
  } else if (is_named(line, colon, "connection")) {
    seen->connection = has_word(value, end, "upgrade");
  } else if (is_named(line, colon, "accept-encoding")) {
    r->gzip = has_word(value, end, "gzip");
  } else if (is_named(line, colon, "content-length") || is_named(line, colon, "transfer-encoding")) {
    // requests with a body are refused
    if (end - value > 2 || !memchr(value, '0', (size_t)(end - value))) return 413;
  }
  return 0;
}

int pl_http_parse(const char* bytes, size_t size, plHttpRequest* r, size_t* used) {
  memset(r, 0, sizeof *r);
  const char* end = size >= 4 ? memmem(bytes, size, "\r\n\r\n", 4) : NULL;
  size_t head = end ? (size_t)(end - bytes) : size;
  for (size_t i = 0; i < head; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c >= 0x7f || (c < 0x20 && c != '\r' && c != '\n' && c != '\t')) return 400;
  }
  if (!end) return size >= PL_WEB_HEAD ? 431 : -1;

  Seen seen = {0};
  bool first = true;
  for (const char *line = bytes, *next; line < end + 2; line = next + 2, first = false) {
    next = memmem(line, (size_t)(end + 2 - line), "\r\n", 2);
    int status = memchr(line, '\n', (size_t)(next - line)) ? 400
                 : first                                   ? read_request_line(line, next, r)
                                                           : read_header(line, next, r, &seen);
    if (status) return status;
  }
  if (!r->host[0]) return 400;
  // 16 bytes in base 64
  r->upgrade = seen.upgrade && seen.connection && seen.version && strlen(r->key) == 24;
  *used = head + 4;
  return 0;
}

// ---- origin of a request

// The part of "name:port" or "[v6]:port" before the port; false if it is malformed.
static bool host_name(const char* host, char* name, size_t size) {
  const char* end = host[0] == '[' ? strchr(host, ']') : strchr(host, ':');
  if (host[0] == '[' && !end) return false;
  if (end && *end == ']') end++;
  size_t n = end ? (size_t)(end - host) : strlen(host);
  if (n == 0 || n >= size) return false;
  memcpy(name, host, n);
  name[n] = 0;
  if (!end || !*end) return true;
  if (*end++ != ':' || !*end || strlen(end) > 5) return false;
  return strspn(end, "0123456789") == strlen(end);
}

// A number with dots, or anything in brackets: not a name that someone else could resolve to this machine.
static bool is_address(const char* name) {
  if (name[0] == '[') return strspn(name + 1, "0123456789abcdefABCDEF:.%]") == strlen(name + 1);
  return strspn(name, "0123456789.") == strlen(name);
}

static bool is_loopback(const char* name) {
  if (!strcasecmp(name, "localhost") || !strcmp(name, "[::1]") || !strcmp(name, "::1")) return true;
  return !strncmp(name, "127.", 4) && is_address(name);
}

bool pl_http_host_allowed(const char* host, const char* bound) {
  char name[256], own[256] = "";
  if (!host_name(host, name, sizeof name)) return false;
  if (is_loopback(name)) return true;
  if (is_loopback(bound)) return false;
  if (is_address(name) || !strcasecmp(name, bound)) return true;
  return !gethostname(own, sizeof own - 1) && own[0] && !strcasecmp(name, own);
}

bool pl_http_origin_allowed(const char* origin, const char* host) {
  if (!origin[0]) return true;
  if (!strncmp(origin, "http://", 7))
    origin += 7;
  else if (!strncmp(origin, "https://", 8))
    origin += 8;
  else
    return false;
  return !strcasecmp(origin, host);
}
