// fuzz_web.c: the server reads no byte beyond those that a client sends as a header, a frame or a command.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef NDEBUG
#error "the asserts below and those of the library are what is tested"
#endif

#include "view/orders.c"
#include "view/web_http.c"
#include "view/web_socket.c"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  plHttpRequest request;
  plSocketFrame frame;
  plOrder order;
  char sentence[128];
  size_t used = 0;
  if (pl_http_parse((const char*)bytes, size, &request, &used) == 0) {
    assert(used <= size && request.path[0] == '/');
    pl_http_host_allowed(request.host, "127.0.0.1");
    pl_http_origin_allowed(request.origin, request.host);
  }
  unsigned char* copy = malloc(size + 1);
  if (!copy) return 0;
  memcpy(copy, bytes, size);
  copy[size] = 0;
  if (!memchr(copy, 0, size)) pl_order_read((const char*)copy, &order, sentence, sizeof sentence);
  for (size_t at = 0; at < size && pl_socket_parse(copy + at, size - at, &frame, &used) == PL_SOCKET_FRAME;
       at += used)
    assert(used <= size - at && frame.payload + frame.size <= copy + size);
  free(copy);
  return 0;
}
