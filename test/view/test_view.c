// test_view.c: a view through the public header: the caller steps, a thread of the view steps, a step that
// does not end, a recording, bad options, a child of fork.
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/timer.h"
#include "pliant/view.h"
#include "world.h"

static World falling(void) {
  World w = begin((plVec3){0, 0, -10}, 0.01);
  add_block(&w, (plVec3){0.1, 0.1, 0.1}, 1, 1, 1, pose_at(0, 0, 1), 1e5);
  build(&w);
  return w;
}

static plView* open_view(World* w, plViewOptions options) {
  plView* view = NULL;
  CHECK_INT(pl_view_open(w->data, &options, &view, &w->error), PL_OK);
  CHECK(view != NULL);
  return view;
}

static int port_of(const plView* view) {
  int port = 0;
  sscanf(pl_view_address(view), "http://127.0.0.1:%d/", &port);
  return port;
}

// The status of an answer to GET path, 0 if nobody answers.
static int get(int port, const char* path) {
  char text[512];
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM, 0), status = 0;
  if (!connect(fd, (struct sockaddr*)&to, sizeof to)) {
    int n = snprintf(text, sizeof text,
                     "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept-Encoding: gzip\r\n\r\n", path, port);
    ssize_t sent = send(fd, text, (size_t)n, MSG_NOSIGNAL), got = sent == n ? recv(fd, text, 64, 0) : 0;
    text[got > 0 ? got : 0] = 0;
    sscanf(text, "HTTP/1.1 %d", &status);
  }
  close(fd);
  return status;
}

// The caller's steps are those of a run without a view, bit by bit, and the page is there meanwhile.
static void the_callers_steps_are_shown(void) {
  World w = falling(), plain = falling();
  plViewOptions options = pl_default_view_options();
  options.speed = 0;
  plView* view = open_view(&w, options);
  CHECK_INT(get(port_of(view), "/"), 200);
  CHECK_INT(get(port_of(view), "/nothing"), 404);
  for (int i = 0; i < 20; i++) {
    run(&w, 1), run(&plain, 1);
    CHECK(pl_view_sync(view, 10));
  }
  CHECK(pl_state_hash(w.data) == pl_state_hash(plain.data));
  CHECK_INT(pl_view_pages(view), 0);
  int port = port_of(view);
  pl_view_close(view);
  CHECK_INT(get(port, "/"), 0);
  end(&w), end(&plain);
}

// Twice as fast as the clock: 0.2 s of simulated time take 0.1 s or more.
static void the_clock_holds_the_caller_back(void) {
  World w = falling();
  plViewOptions options = pl_default_view_options();
  options.speed = 2;
  double begin = pl_now();  // the view's clock starts when it opens
  plView* view = open_view(&w, options);
  for (int i = 0; i < 20; i++) {
    run(&w, 1);
    while (!pl_view_sync(view, 0.01)) continue;
  }
  CHECK(pl_now() - begin > 0.095);
  pl_view_close(view);
  end(&w);
}

static void a_paused_view_holds_the_caller(void) {
  World w = falling();
  plViewOptions options = pl_default_view_options();
  options.paused = true;
  plView* view = open_view(&w, options);
  double begin = pl_now();
  CHECK(!pl_view_sync(view, 0.05));
  CHECK(pl_now() - begin >= 0.05);
  pl_view_close(view);
  end(&w);
}

static void a_thread_of_the_view_steps(void) {
  World w = falling();
  plViewOptions options = pl_default_view_options();
  options.speed = 0;
  plView* view = open_view(&w, options);
  for (int round = 0; round < 2; round++) {
    CHECK_INT(pl_view_start(view, &w.error), PL_OK);
    CHECK(pl_view_sync(view, 0));  // nothing to do for the caller
    usleep(50000);
    CHECK(pl_view_stop(view, 60));
    double time = w.data->time;
    CHECK(time > 0);
    usleep(20000);
    CHECK(w.data->time == time);
    run(&w, 1);  // the caller's again
  }
  pl_view_close(view);
  end(&w);
}

// ---- a step that does not end

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static plStatus stuck(plData* data, void* user) {
  (void)data, (void)user;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return PL_OK;
}

static void a_stuck_step_does_not_hold_the_end(void) {
  World w = falling();
  plView* view = open_view(&w, pl_default_view_options());
  pl_data_set_control(w.data, stuck, NULL);
  pthread_mutex_lock(&gate);
  CHECK_INT(pl_view_start(view, &w.error), PL_OK);
  usleep(20000);
  double begin = pl_now();
  CHECK(!pl_view_stop(view, 0.1));
  CHECK(pl_now() - begin >= 0.09 && pl_now() - begin < 5);
  CHECK_INT(get(port_of(view), "/"), 200);  // the pages are served nevertheless
  pthread_mutex_unlock(&gate);
  CHECK(pl_view_stop(view, 60));
  pl_view_close(view);
  end(&w);
}

// ---- recordings and bad options

static void a_recording_is_shown(void) {
  World w = falling();
  plView* view = NULL;
  plRecording* recording;
  const char* path = PLIANT_BINARYDIR "/test/view.plrec";
  CHECK_INT(pl_recording_open(path, w.model, &recording, &w.error), PL_OK);
  for (int i = 0; i < 5; i++) {
    run(&w, 1);
    CHECK_INT(pl_recording_write(recording, w.data, &w.error), PL_OK);
  }
  CHECK_INT(pl_recording_close(recording, &w.error), PL_OK);
  CHECK_INT(pl_view_open_recording(path, NULL, &view, &w.error), PL_OK);
  CHECK_STR(pl_view_note(view), "");
  CHECK_INT(get(port_of(view), "/app.js"), 200);
  CHECK(pl_view_sync(view, 0) && pl_view_stop(view, 0));
  pl_view_close(view);
  CHECK_INT(pl_view_open_recording("/nowhere.plrec", NULL, &view, &w.error), PL_ERROR_IO);
  CHECK(view == NULL);
  end(&w);
}

static void bad_options_are_refused(void) {
  World w = falling();
  plView *view, *other = open_view(&w, pl_default_view_options());
  plViewOptions options = pl_default_view_options();
  options.port = 70000;
  CHECK_INT(pl_view_open(w.data, &options, &view, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "port");
  options = pl_default_view_options(), options.speed = NAN;
  CHECK_INT(pl_view_open(w.data, &options, &view, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "speed");
  options = pl_default_view_options(), options.bind = "no.such.host.invalid";
  CHECK_INT(pl_view_open(w.data, &options, &view, &w.error), PL_ERROR_INPUT);
  options = pl_default_view_options(), options.port = port_of(other);
  CHECK_INT(pl_view_open(w.data, &options, &view, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "is in use");
  CHECK(view == NULL);
  pl_view_close(other);
  pl_view_close(NULL);
  end(&w);
}

static void a_child_of_fork_can_close_it(void) {
  World w = falling();
  plView* view = open_view(&w, pl_default_view_options());
  pid_t child = fork();
  if (!child) {
    alarm(20);
    pl_view_close(view);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_INT(status, 0);
  CHECK_INT(get(port_of(view), "/"), 200);
  pl_view_close(view);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  World w = falling();
  plView* view;
  plStatus status = pl_view_open(w.data, NULL, &view, &w.error);
  if (!status) pl_view_close(view);
  end(&w);
  if (status && strstr(w.error.message, "without the viewer's page")) return CHECK_SKIP_ALL(w.error.message);
  RUN(the_callers_steps_are_shown);
  RUN(the_clock_holds_the_caller_back);
  RUN(a_paused_view_holds_the_caller);
  RUN(a_thread_of_the_view_steps);
  RUN(a_stuck_step_does_not_hold_the_end);
  RUN(a_recording_is_shown);
  RUN(bad_options_are_refused);
  RUN(a_child_of_fork_can_close_it);
  return CHECK_END;
}
