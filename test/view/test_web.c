// test_web.c: heads of requests, names of hosts, WebSocket frames: the parts of the server that only read
// bytes.
#include "check.h"
#include "view/web_socket.c"

static int parse(const char* text, plHttpRequest* r) {
  size_t used = 0;
  return pl_http_parse(text, strlen(text), r, &used);
}

static void a_plain_request_is_read(void) {
  plHttpRequest r;
  size_t used;
  const char* text =
      "GET /a/b?x=1 HTTP/1.1\r\nhOsT:  localhost:8080 \r\nAccept-Encoding: deflate, gzip;q=1.0\r\n\r\nrest";
  CHECK_INT(pl_http_parse(text, strlen(text), &r, &used), 0);
  CHECK_INT(used, strlen(text) - 4);
  CHECK_STR(r.path, "/a/b");
  CHECK_STR(r.query, "x=1");
  CHECK_STR(r.host, "localhost:8080");
  CHECK(r.gzip && !r.upgrade && !r.head_only);
}

// Every shorter prefix asks for more, wherever it ends.
static void every_prefix_asks_for_more(void) {
  const char* text = "HEAD / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";
  plHttpRequest r;
  size_t used;
  for (size_t n = 0; n < strlen(text); n++) CHECK_INT(pl_http_parse(text, n, &r, &used), -1);
  CHECK_INT(pl_http_parse(text, strlen(text), &r, &used), 0);
  CHECK(r.head_only);
}

static void wrong_requests_are_refused(void) {
  plHttpRequest r;
  CHECK_INT(parse("GET / HTTP/1.1\r\n\r\n", &r), 400);
  CHECK_INT(parse("GET / HTTP/2.0\r\nHost: a\r\n\r\n", &r), 400);
  CHECK_INT(parse("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", &r), 400);
  CHECK_INT(parse("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", &r), 400);
  CHECK_INT(parse("PUT / HTTP/1.1\r\nHost: a\r\n\r\n", &r), 405);
  CHECK_INT(parse("GETX / HTTP/1.1\r\nHost: a\r\n\r\n", &r), 405);
  CHECK_INT(parse("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", &r), 400);
  CHECK_INT(parse("GET / HTTP/1.1\r\nHost : a\r\n\r\n", &r), 400);
  CHECK_INT(parse("GET / HTTP/1.1\r\nHost\r\n\r\n", &r), 400);
  CHECK_INT(parse("GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n", &r), 400);
  CHECK_INT(parse("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n", &r), 413);
  CHECK_INT(parse("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", &r), 413);
}

static void upgrades_need_all_their_headers(void) {
  static const char* const header[] = {"Upgrade: WebSocket\r\n", "Connection: keep-alive, Upgrade\r\n",
                                       "Sec-WebSocket-Version: 13\r\n",
                                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"};
  for (int without = -1; without < 4; without++) {
    char text[512] = "GET /socket HTTP/1.1\r\nHost: a\r\n";
    for (int i = 0; i < 4; i++)
      if (i != without) strcat(text, header[i]);
    strcat(text, "\r\n");
    plHttpRequest r;
    CHECK_INT(parse(text, &r), 0);
    CHECK_INT(r.upgrade, without < 0);
  }
}

static void hosts(void) {
  static const char* const local[] = {"localhost", "LOCALHOST:1", "127.0.0.1:8080",
                                      "127.1.2.3", "[::1]:80",    "[::1]"};
  for (size_t i = 0; i < 6; i++) CHECK(pl_http_host_allowed(local[i], "127.0.0.1"));
  static const char* const foreign[] = {
      "example.org",   "127.example.org", "localhost.example.org", "10.0.0.1", "[fe80::1]",
      "localhost:",    "localhost:a",     "localhost:123456",      "[::1",     ":80",
      "127.0.0.1:80:1"};
  for (size_t i = 0; i < 11; i++) CHECK(!pl_http_host_allowed(foreign[i], "127.0.0.1"));
  // bound to all: addresses are fine, names of others are not
  CHECK(pl_http_host_allowed("10.0.0.1:8080", "0.0.0.0"));
  CHECK(pl_http_host_allowed("[fe80::1]:8080", "::"));
  CHECK(pl_http_host_allowed("robot.lab:80", "robot.lab"));
  CHECK(!pl_http_host_allowed("example.org", "0.0.0.0"));
}

static void origins(void) {
  CHECK(pl_http_origin_allowed("", "localhost:1"));
  CHECK(pl_http_origin_allowed("http://localhost:1", "localhost:1"));
  CHECK(pl_http_origin_allowed("https://localhost:1", "localhost:1"));
  CHECK(!pl_http_origin_allowed("null", "localhost:1"));
  CHECK(!pl_http_origin_allowed("http://localhost:12", "localhost:1"));
  CHECK(!pl_http_origin_allowed("http://localhost", "localhost:1"));
  CHECK(!pl_http_origin_allowed("ftp://localhost:1", "localhost:1"));
}

// RFC 6455, section 1.3.
static void the_handshake_of_the_standard(void) {
  char accept[29];
  pl_socket_accept("dGhlIHNhbXBsZSBub25jZQ==", accept);
  CHECK_STR(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

// FIPS 180-4's examples, and one that needs two blocks only for its length.
static void digests_of_the_standard(void) {
  static const struct {
    const char *text, *hex;
  } known[] = {{"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
               {"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
               {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"}};
  for (int i = 0; i < 3; i++) {
    unsigned char digest[20];
    char hex[41];
    sha1(known[i].text, digest);
    for (int k = 0; k < 20; k++) snprintf(hex + 2 * k, 3, "%02x", digest[k]);
    CHECK_STR(hex, known[i].hex);
  }
}

// RFC 6455, section 5.7: "Hello", masked.
static void the_frame_of_the_standard(void) {
  unsigned char bytes[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58};
  plSocketFrame f;
  size_t used;
  for (size_t n = 0; n < sizeof bytes; n++) CHECK_INT(pl_socket_parse(bytes, n, &f, &used), PL_SOCKET_MORE);
  CHECK_INT(pl_socket_parse(bytes, sizeof bytes, &f, &used), PL_SOCKET_FRAME);
  CHECK(f.fin && f.opcode == 1 && f.size == 5 && used == sizeof bytes && !memcmp(f.payload, "Hello", 5));
}

static void lengths_have_one_form(void) {
  static const size_t sizes[] = {0, 1, 125, 126, 127, 4096};
  for (size_t k = 0; k < 6; k++) {
    unsigned char bytes[PL_WEB_MESSAGE + 20] = {0}, head[10];
    size_t n = pl_socket_head(head, 2, sizes[k]), used;
    memcpy(bytes, head, n);
    bytes[1] |= 0x80;
    plSocketFrame f;
    CHECK_INT(pl_socket_parse(bytes, n + 4 + sizes[k], &f, &used), PL_SOCKET_FRAME);
    CHECK(f.size == sizes[k] && used == n + 4 + sizes[k]);
  }
  unsigned char head[10];
  CHECK_INT(pl_socket_head(head, 2, 65536), 10);
  CHECK(head[1] == 127 && head[7] == 1 && !head[8] && !head[9]);
}

// Whatever two bytes begin a frame, the answer is a frame, a wish for more, or a code; never more bytes than
// there are.
static void every_beginning_is_answered(void) {
  for (int a = 0; a < 256; a++)
    for (int b = 0; b < 256; b++) {
      unsigned char bytes[32] = {0};
      bytes[0] = (unsigned char)a, bytes[1] = (unsigned char)b;
      plSocketFrame f;
      size_t used = 0;
      int status = pl_socket_parse(bytes, sizeof bytes, &f, &used);
      bool legal = !(a & 0x70) && b >= 128 &&
                   ((a & 15) <= 2 || ((a & 15) >= 8 && (a & 15) <= 10 && a >= 128 && (b & 127) <= 125));
      if (status == PL_SOCKET_FRAME) CHECK(used <= sizeof bytes);
      if (!legal)
        CHECK_INT(status, PL_SOCKET_PROTOCOL);
      else if ((b & 127) < 126)
        CHECK_INT(status, (b & 127) + 6 <= 32 ? PL_SOCKET_FRAME : PL_SOCKET_MORE);
    }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_plain_request_is_read);
  RUN(every_prefix_asks_for_more);
  RUN(wrong_requests_are_refused);
  RUN(upgrades_need_all_their_headers);
  RUN(hosts);
  RUN(origins);
  RUN(the_handshake_of_the_standard);
  RUN(digests_of_the_standard);
  RUN(the_frame_of_the_standard);
  RUN(lengths_have_one_form);
  RUN(every_beginning_is_answered);
  return CHECK_END;
}
