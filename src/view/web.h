// web.h: a small HTTP/1.1 and WebSocket (RFC 6455) server for one page: GET of files held in memory,
// downloads, one socket.
//
// One thread polls all clients; no call below ever waits for a client. A frame is sent to a client only when
// it has acknowledged earlier ones; in between newer frames replace older ones. Data from a client is limited
// in size and rate; a client that violates the protocol is disconnected. Requests with a foreign Host or
// Origin are refused.
#ifndef PL_VIEW_WEB_H
#define PL_VIEW_WEB_H

#include <stdbool.h>
#include <stddef.h>

enum { PL_WEB_CLIENTS = 32, PL_WEB_HEAD = 8192, PL_WEB_MESSAGE = 4096, PL_WEB_TOKEN = 33 };

// A file of the page, compressed by gzip.
typedef struct plWebFile {
  const char* path;  // "/app.js"
  const char* type;
  const unsigned char* bytes;
  size_t size;
} plWebFile;

typedef struct plWebOptions {
  const char* bind;       // address or host name
  int port;               // 0: any
  const char* token;      // token that a client needs to control; NULL: every client may
  const plWebFile* file;  // [nfile]
  int nfile;
  void* user;  // passed to the callbacks, which run in the server's thread and must return soon
  void (*on_open)(void* user, int client);
  void (*on_text)(void* user, int client, bool may_control, const char* text);
  void (*on_close)(void* user, int client);
  bool (*on_download)(void* user, const char* name, char* path, size_t size);  // the file behind /files/NAME
} plWebOptions;

typedef struct plWeb plWeb;

// Opens the port; NULL and a message if that is not possible.
plWeb* pl_web_open(const plWebOptions* options, char* sentence, size_t size);
// Starts answering; false if no thread could be started.
bool pl_web_start(plWeb* web);
void pl_web_close(plWeb* web);
// In a child of fork, which has no server's thread: closes what it inherited.
void pl_web_forget(plWeb* web);
int pl_web_port(const plWeb* web);
// A message; the order of messages is kept; client -1: all. A client with too many unsent messages is
// disconnected.
void pl_web_send(plWeb* web, int client, bool binary, const void* bytes, size_t size);
// The newest frame for all clients. A client acknowledges each by the text "ack"; at most two are
// unacknowledged.
void pl_web_offer(plWeb* web, const void* bytes, size_t size);
// The number of clients to which a frame could be sent now.
int pl_web_hungry(plWeb* web);
int pl_web_clients(plWeb* web);

// ---- parts that only read bytes (web_http.c, web_socket.c)

typedef struct plHttpRequest {
  bool head_only;  // HEAD
  char path[256];  // without the query
  char query[256];
  char host[256];
  char origin[256];
  char key[64];  // Sec-WebSocket-Key
  bool gzip;     // Accept-Encoding has it
  bool upgrade;  // asks for a WebSocket of version 13
} plHttpRequest;

// 0 and *used if a complete head was read; -1 if more is needed; else the HTTP status of the refusal.
int pl_http_parse(const char* bytes, size_t size, plHttpRequest* request, size_t* used);
// Whether the request names this server: a loopback name or, if it is bound to another address, that address,
// `bound`, or the machine's own name.
bool pl_http_host_allowed(const char* host, const char* bound);
// Whether it comes from this server's page, or from no page at all.
bool pl_http_origin_allowed(const char* origin, const char* host);

typedef struct plSocketFrame {
  bool fin;
  int opcode;
  unsigned char* payload;  // unmasked in place
  size_t size;
} plSocketFrame;

enum { PL_SOCKET_MORE = 0, PL_SOCKET_FRAME = 1, PL_SOCKET_PROTOCOL = 1002, PL_SOCKET_TOO_BIG = 1009 };
// PL_SOCKET_FRAME with *used bytes read, PL_SOCKET_MORE, or the code with which to close. Payloads above
// PL_WEB_MESSAGE are refused by their header.
int pl_socket_parse(unsigned char* bytes, size_t size, plSocketFrame* frame, size_t* used);
// The header of a message to a client; returns its length.
size_t pl_socket_head(unsigned char head[10], int opcode, size_t size);
// Sec-WebSocket-Accept for a key: 28 characters.
void pl_socket_accept(const char* key, char accept[29]);

#endif
