// cholesky.c: our factorization beside a plain one, CHOLMOD and MUMPS, interleaved on the same matrices.
//
//   cholesky [--quick] [--json FILE] [--shared DIR] [--mesh NAME] [--threads N]
//
// Rows: mesh, vertices, schur, threads, ours_ms, plain_ms, cholmod_ms, mumps_ms, solve_ms and more; null
// where a peer is absent. With schur, all times end with A_hat in hand: CHOLMOD factors everything and then
// forms L_pp L_pp'. The program starts itself once for each number of threads, since the peers take theirs
// from the environment. The peers get METIS' order (cholesky_order.h), as their users do. With schur, CHOLMOD
// must keep the participating vertices last and so does not put its tree into postorder, which costs it up to
// a third; the time it would take if someone did that for it is printed too.
//
// The bound is the time that our operations would take at the core's FMA peak, with nothing else to do: no
// code that does these operations can be faster, and CHOLMOD's time over it is the highest ratio there can
// be. solve8_ms is one of 8 solves done together.
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/timer.h"
#include "cholesky_case.h"
#include "cholesky_dense.h"
#include "cholesky_fill.h"
#include "cholesky_parts.h"
#include "isa.h"
#include "linalg/chol.h"
#include "linalg/chol_parts.h"
#include "linalg/order_parts.h"
#include "linalg/plain.h"
#include "peers.h"

typedef struct Options {
  bool quick;
  const char *json, *shared, *mesh;
  int threads;     // 0: one, then two
  int child;       // threads of this run, 0 in the parent
  bool calibrate;  // print CHOLMOD's time and leave
} Options;

static FILE* json_out;  // rows of a child
static void json_number(const char* name, double value) {
  if (value > 0 && value < 1e300)
    fprintf(json_out, ", \"%s\": %.6g", name, value);
  else
    fprintf(json_out, ", \"%s\": null", name);
}

// Seconds: of the processor for one thread (other programs do not count), of the clock for more.
static bool processor_time;
static double now(void) {
  if (!processor_time) return pl_now();
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void keep_best(double* best, double t) {
  if (t < *best) *best = t;
}

// ---- one comparison

typedef struct Times {
  double ours, rest, solve, solve8, symbolic, plain, cholmod, cholmod_solve, cholmod_post, mumps, mumps_solve;
} Times;

typedef struct Solvers {
  plChol* chol;
  plPlain* plain;
  void *cholmod, *cholmod_post, *mumps;  // cholmod_post: its order in postorder
} Solvers;

typedef struct Vectors {
  double *A_hat, *A_peer, *b, *x, *x_peer, *several;
} Vectors;

static double difference(const double* a, const double* b, size_t n) {
  double worst = 0, size = 0;
  for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i])), size = fmax(size, fabs(a[i]));
  return worst / size;
}

// The lower triangle of ours against either triangle of a peer's
static double schur_difference(const double* ours, const double* peer, int m) {
  double low = 0, high = 0, size = 0;
  for (int j = 0; j < m; j++)
    for (int i = j; i < m; i++) {
      double a = ours[i + (long)j * m];
      size = fmax(size, fabs(a));
      low = fmax(low, fabs(a - peer[i + (long)j * m])), high = fmax(high, fabs(a - peer[j + (long)i * m]));
    }
  return fmin(low, high) / size;
}

enum { SOLVES = 3 };  // in each round, ours and the peers'

static void time_peer(const Peer* peer, void* solver, double* A_hat, const double* b, double* x,
                      double* factor, double* solve) {
  double t = now();
  peer->factor(solver, A_hat);
  keep_best(factor, now() - t);
  for (int k = 0; k < SOLVES; k++) {
    t = now();
    if (!peer->solve(solver, b, x)) keep_best(solve, now() - t);
  }
}

static void* create_peer(const Peer* peer, const Case* c, int np, const int* order) {
  int n = 3 * c->A->n, *scalar = PL_NEW(int, n);
  for (int k = 0; k < n; k++) scalar[k] = 3 * order[k / 3] + k % 3;
  void* solver = peer ? peer->create(&(PeerMatrix){n, 3 * np, c->col0, c->row, c->value, scalar}) : NULL;
  pl_free(scalar);
  return solver;
}

static bool create_solvers(const Case* c, int np, int nthread, const Peers* peers, Solvers* s,
                           double* symbolic) {
  int n = c->A->n, *order = PL_NEW(int, n), *post = PL_NEW(int, n);
  char* marked = PL_NEW(char, n);
  if (pl_chol_create(c->A, PL_ORDER_DISSECTION, c->mesh->vert, &s->chol, NULL)) return false;
  for (int k = 0; k < 3; k++) {
    pl_chol_partition(s->chol, c->part, np == 0 ? 1 : 0, NULL);
    double t = now();
    pl_chol_partition(s->chol, c->part, np, NULL);
    keep_best(symbolic, now() - t);
  }
  for (int k = 0; k < np; k++) marked[c->part[k]] = 1;
  const int* ours = s->chol->symbolic.order;
  bool metis = metis_order(&s->chol->graph, marked, order, post);
  s->cholmod = create_peer(peers->cholmod, c, np, metis ? order : ours);
  s->cholmod_post = create_peer(peers->cholmod, c, np, metis ? post : ours);
  s->mumps = create_peer(peers->mumps, c, np, metis ? order : ours);
  if (n <= 3000 && nthread == 1) (void)pl_plain_create(c->A, ours, np, &s->plain, NULL);
  pl_free(order), pl_free(post), pl_free(marked);
  return true;
}

static void destroy_solvers(const Peers* peers, Solvers* s) {
  if (s->cholmod) peers->cholmod->destroy(s->cholmod);
  if (s->cholmod_post) peers->cholmod->destroy(s->cholmod_post);
  if (s->mumps) peers->mumps->destroy(s->mumps);
  pl_plain_destroy(s->plain), pl_chol_destroy(s->chol);
}

static void time_ours(const Case* c, const Solvers* s, int np, plPool* pool, const Vectors* v, Times* best) {
  size_t size = 3 * (size_t)c->A->n;
  double t = now();
  pl_chol_factor(s->chol, c->A, pool);
  if (np) pl_chol_schur(s->chol, v->A_hat, 3 * np);
  keep_best(&best->ours, now() - t);
  t = now();
  pl_chol_factor_rest(s->chol, pool);
  keep_best(&best->rest, now() - t);
  for (int k = 0; k < SOLVES; k++) {
    memcpy(v->x, v->b, size * sizeof(double));
    t = now();
    pl_chol_solve(s->chol, v->x, 1, pool);
    keep_best(&best->solve, now() - t);
  }
  for (size_t k = 0; k < 8; k++) memcpy(v->several + size * k, v->b, size * sizeof(double));
  t = now();
  pl_chol_solve(s->chol, v->several, 8, pool);
  keep_best(&best->solve8, (now() - t) / 8);
}

// One round: everyone once; the plain code, which takes longer than all others together, in the first ones
// alone. off: how far the peers are from us.
static void time_round(const Case* c, const Solvers* s, int np, plPool* pool, const Peers* peers,
                       const Vectors* v, bool first, Times* best, double off[2]) {
  size_t size = 3 * (size_t)c->A->n;
  double* A_peer = np ? v->A_peer : NULL;
  time_ours(c, s, np, pool, v, best);
  if (s->cholmod_post) {
    double t = now();
    peers->cholmod->factor(s->cholmod_post, A_peer);
    keep_best(&best->cholmod_post, now() - t);
  }
  if (s->cholmod) {
    time_peer(peers->cholmod, s->cholmod, A_peer, v->b, v->x_peer, &best->cholmod, &best->cholmod_solve);
    off[0] = np ? schur_difference(v->A_hat, A_peer, 3 * np) : difference(v->x, v->x_peer, size);
  }
  if (s->mumps) {
    time_peer(peers->mumps, s->mumps, A_peer, v->b, v->x_peer, &best->mumps, &best->mumps_solve);
    off[1] = np ? schur_difference(v->A_hat, A_peer, 3 * np) : difference(v->x, v->x_peer, size);
  }
  if (s->plain && first) {
    double t = now();
    pl_plain_factor(s->plain, c->A, pl_isa());
    if (np) pl_plain_schur(s->plain, v->A_peer, 3 * np);
    keep_best(&best->plain, now() - t);
  }
}

static void print_times(const Case* c, const Solvers* s, bool schur, int nthread, double flops, double bound,
                        const Times* best) {
  printf("%-14s %6d %-5s %d thread%s  ours %9.3f ms (%4.1f GF/s)", c->name, c->A->n, schur ? "schur" : "full",
         nthread, nthread > 1 ? "s" : " ", best->ours * 1e3, flops / best->ours * 1e-9);
  if (s->plain) printf("  plain %8.2f (%.1fx)", best->plain * 1e3, best->plain / best->ours);
  if (s->cholmod)
    printf("  CHOLMOD %8.2f (%.2fx; in postorder %.2f, %.2fx)", best->cholmod * 1e3,
           best->cholmod / best->ours, best->cholmod_post * 1e3, best->cholmod_post / best->ours);
  if (s->mumps) printf("  MUMPS %8.2f (%.2fx)", best->mumps * 1e3, best->mumps / best->ours);
  printf("\n%30s bound %.3f ms (we reach %.0f %%", "", bound * 1e3, 100 * bound / best->ours);
  if (s->cholmod)
    printf("; no code can exceed %.2fx CHOLMOD", fmin(best->cholmod, best->cholmod_post) / bound);
  printf(")\n%30s symbolic %.3f ms  L_pp %.3f ms  solve %.3f ms", "", best->symbolic * 1e3, best->rest * 1e3,
         best->solve * 1e3);
  if (s->cholmod)
    printf(" (CHOLMOD %.3f, %.2fx)", best->cholmod_solve * 1e3, best->cholmod_solve / best->solve);
  printf(", one of 8 %.3f ms", best->solve8 * 1e3);
}

// How our time is spent, as far as it can be determined without a profiler.
static void print_parts(const plChol* chol, double peak, double ours) {
  double flops = tile_flops(&chol->symbolic), tiles = flops / peak * 1e-9, expand = time_expand(chol, now);
  printf(
      "%30s of this: tiles do %.1f Mflop, %.3f ms at the peak; extend-add alone %.3f ms; all else %.3f ms\n",
      "", flops * 1e-6, tiles * 1e3, expand * 1e3, (ours - tiles - expand) * 1e3);
}

static void write_times(const Case* c, bool schur, int nthread, double flops, double bound,
                        const Times* best) {
  fprintf(json_out, "{\"mesh\": \"%s\", \"vertices\": %d, \"schur\": %s, \"threads\": %d", c->name, c->A->n,
          schur ? "true" : "false", nthread);
  json_number("ours_ms", best->ours * 1e3), json_number("plain_ms", best->plain * 1e3),
      json_number("cholmod_ms", best->cholmod * 1e3);
  json_number("mumps_ms", best->mumps * 1e3), json_number("solve_ms", best->solve * 1e3);
  json_number("cholmod_solve_ms", best->cholmod_solve * 1e3),
      json_number("mumps_solve_ms", best->mumps_solve * 1e3);
  json_number("cholmod_postorder_ms", best->cholmod_post * 1e3);
  json_number("symbolic_ms", best->symbolic * 1e3), json_number("rest_ms", best->rest * 1e3),
      json_number("mflop", flops * 1e-6);
  json_number("solve8_ms", best->solve8 * 1e3), json_number("bound_ms", bound * 1e3);
  fprintf(json_out, "}\n");
}

static void compare(const Case* c, bool schur, int nthread, double peak, plPool* pool, const Peers* peers,
                    double seconds) {
  size_t n = (size_t)c->A->n, np = schur ? (size_t)c->np : 0, m = 3 * np;
  Times best = {1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300};
  Solvers s = {0};
  if (!create_solvers(c, (int)np, nthread, peers, &s, &best.symbolic)) return;
  Vectors v = {PL_NEW(double, m* m),  PL_NEW(double, m* m),  PL_NEW(double, 3 * n),
               PL_NEW(double, 3 * n), PL_NEW(double, 3 * n), PL_NEW(double, 24 * n)};
  for (size_t i = 0; i < 3 * n; i++) v.b[i] = sin((double)i);
  double start = now(), off[2] = {-1, -1};
  int round = 0, least = n > 20000 ? 1 : 2;
  for (; round < least || (round < 200 && now() - start < seconds); round++)
    time_round(c, &s, (int)np, pool, peers, &v, round < 5, &best, off);
  double dense = (double)m, flops = s.chol->symbolic.flops - dense * dense * dense / 3,
         bound = flops / (peak * nthread) * 1e-9;
  print_times(c, &s, schur, nthread, flops, bound, &best);
  printf("  differences %.1e %.1e  rounds %d\n", off[0], off[1], round);
  if (nthread == 1) print_parts(s.chol, peak, best.ours);
  write_times(c, schur, nthread, flops, bound, &best);
  fflush(stdout);
  destroy_solvers(peers, &s);
  pl_free(v.A_hat), pl_free(v.A_peer), pl_free(v.b), pl_free(v.x), pl_free(v.x_peer), pl_free(v.several);
}

// ---- child

// Seconds CHOLMOD takes on one small matrix: decides which OpenBLAS kernels it gets.
static int calibrate(void) {
  Peers peers = peers_load();
  Case c;
  processor_time = true;
  if (!peers.cholmod || !make_case(NULL, NULL, 1, &c)) return 1;
  plChol* chol = NULL;
  if (pl_chol_create(c.A, PL_ORDER_DISSECTION, c.mesh->vert, &chol, NULL)) return 1;
  void* solver = create_peer(peers.cholmod, &c, 0, chol->symbolic.order);
  double best = 1e300;
  for (int k = 0; k < 8; k++) {
    double t = now();
    peers.cholmod->factor(solver, NULL);
    keep_best(&best, now() - t);
  }
  fprintf(json_out, "%.9g\n", best);
  peers.cholmod->destroy(solver), pl_chol_destroy(chol), case_free(&c);
  return 0;
}

static int child_main(const Options* options) {
  Peers peers = peers_load();
  plPool* pool = pl_pool_create(options->child);
  double peak = fma_peak(pl_isa());
  processor_time = options->child == 1;
  printf("-- %d thread%s (%s time), %s; CHOLMOD %s, MUMPS %s, OpenBLAS kernels: %s\n", options->child,
         options->child > 1 ? "s" : "", processor_time ? "processor" : "wall", pl_isa_name(pl_isa()),
         peers.cholmod ? "found" : "absent", peers.mumps ? "found" : "absent",
         *peers.blas ? peers.blas : "none");
  if (options->child == 1 && !options->mesh) dense_rates(pl_isa(), peak, json_out);
  for (int which = 0; which < (options->quick ? MESH_SMALL : MESHES); which++) {
    Case c;
    if (!make_case(options->shared, options->mesh, which, &c)) continue;
    for (int schur = 0; schur < 2; schur++) {
      if (options->child == 1 && (!options->quick || c.A->n < 3000)) print_fill(&c, schur, now);
      compare(&c, schur, options->child, peak, pool, &peers, options->quick ? 0.8 : 3);
    }
    case_free(&c);
  }
  pl_pool_destroy(pool);
  return 0;
}

// ---- the parent

// Runs this program again with the environment set; what it writes to descriptor 3 goes to text. Returns its
// exit status.
static int run_child(char** argv, int argc, const char* mode, int nthread, const char* coretype, char** text,
                     size_t* length) {
  int ends[2], status = 1;
  char number[16], **arguments = calloc((size_t)argc + 4, sizeof(char*));
  if (!arguments || pipe(ends)) return 1;
  snprintf(number, sizeof number, "%d", nthread);
  for (int k = 0; k < argc; k++) arguments[k] = argv[k];
  arguments[argc] = (char*)(size_t)mode, arguments[argc + 1] = number;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    peers_environment(nthread, coretype);
    close(ends[0]);
    if (dup2(ends[1], 3) < 0) _exit(1);
    if (ends[1] != 3) close(ends[1]);
    execv("/proc/self/exe", arguments);
    _exit(1);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    char* grown = realloc(*text, *length + (size_t)got + 1);
    if (!grown) break;
    memcpy(grown + *length, buffer, (size_t)got);
    *text = grown, *length += (size_t)got, grown[*length] = 0;
  }
  close(ends[0]);
  if (pid < 0 || waitpid(pid, &status, 0) != pid) status = 1;
  free(arguments);
  return status;
}

static int parent_main(const Options* options, char** argv, int argc) {
  FILE* file = options->json ? fopen(options->json, "w") : NULL;
  if (options->json && !file) return fprintf(stderr, "cholesky: cannot write %s\n", options->json), 2;
  // the kernels that suit CHOLMOD best, unless the user has chosen
  static const char* const cores[] = {"Haswell", "SkylakeX"};
  const char* coretype = getenv("OPENBLAS_CORETYPE");
  double fastest = 1e300;
  for (int k = 0; k < (pl_isa_machine() == PL_ISA_AVX512 ? 2 : 1) && !getenv("OPENBLAS_CORETYPE"); k++) {
    char* text = NULL;
    size_t length = 0;
    if (!run_child(argv, argc, "--calibrate", 1, cores[k], &text, &length) && text && atof(text) > 0 &&
        atof(text) < fastest)
      fastest = atof(text), coretype = cores[k];
    free(text);
  }
  char* rows = NULL;
  size_t length = 0;
  int status = 0;
  for (int nthread = options->threads ? options->threads : 1;
       nthread <= (options->threads ? options->threads : 2); nthread++)
    status |= run_child(argv, argc, "--child", nthread, coretype, &rows, &length);
  if (file) {
    fprintf(file, "[\n");
    for (char *line = rows, *end; line && *line; line = end + 1) {
      end = strchr(line, '\n');
      fprintf(file, "%.*s%s\n", (int)(end - line), line, end[1] ? "," : "");
    }
    fprintf(file, "]\n");
    if (fclose(file)) return 1;
  }
  free(rows);
  return status != 0;
}

// Whether some mesh has a name with this part in it.
static bool known_mesh(const char* part, bool quick) {
  int n = quick ? MESH_SMALL : MESHES;
  for (int which = 0; which < n; which++)
    if (mesh_wanted(part, which)) return true;
  fprintf(stderr, "cholesky: no mesh of this run is named '%s'; there are: ", part);
  for (int which = 0; which < n; which++)
    fprintf(stderr, "%s%s", mesh_names[which], which + 1 < n ? ", " : "\n");
  return false;
}

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  Options options = {0};
  for (int k = 1; k < argc; k++) {
    bool more = k + 1 < argc;
    if (!strcmp(argv[k], "--quick"))
      options.quick = true;
    else if (!strcmp(argv[k], "--json") && more)
      options.json = argv[++k];
    else if (!strcmp(argv[k], "--shared") && more)
      options.shared = argv[++k];
    else if (!strcmp(argv[k], "--mesh") && more)
      options.mesh = argv[++k];
    else if (!strcmp(argv[k], "--threads") && more && atoi(argv[k + 1]) > 0)
      options.threads = atoi(argv[++k]);
    else if (!strcmp(argv[k], "--child") && more)
      options.child = atoi(argv[++k]);
    else if (!strcmp(argv[k], "--calibrate") && more)
      options.calibrate = true, k++;
    else {
      fprintf(stderr, "usage: cholesky [--quick] [--json FILE] [--shared DIR] [--mesh NAME] [--threads N]\n");
      return 2;
    }
  }
  if (!known_mesh(options.mesh, options.quick)) return 2;
  if (!options.child && !options.calibrate) return parent_main(&options, argv, argc);
  json_out = fdopen(3, "w");
  if (!json_out) return 1;
  int status = options.calibrate ? calibrate() : child_main(&options);
  return fclose(json_out) || status;
}
