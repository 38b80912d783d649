// check.h: the tests' few macros. A test file lists its tests in main:
//
//   static void addition_is_exact(void) { CHECK(1 + 1 == 2); CHECK_NEAR(0.1 + 0.2, 0.3, 1e-15); }
//   int main(int argc, char** argv) { CHECK_MAIN(argc, argv); RUN(addition_is_exact); return CHECK_END; }
//
// `test_x NAME` runs the tests whose name contains NAME. The last line printed is "x: 3 passed, 0 failed, 0
// skipped"; with PLIANT_TEST_TIMES in the environment each test's processor time is printed too. A test that
// cannot run here calls SKIP("why"); a program in which no test can run returns CHECK_SKIP_ALL("why"). With
// PLIANT_NO_SKIP in the environment a skip is a failure, unless PLIANT_SETUP_FAILED says that something could
// not be installed, or the processor lacks the instructions (SKIP_CPU).
#ifndef PL_TEST_CHECK_H
#define PL_TEST_CHECK_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A program that only reports why it is skipped uses none of these.
#define CHECK_UNUSED __attribute__((unused))
static int check_passed CHECK_UNUSED, check_failed CHECK_UNUSED, check_errors CHECK_UNUSED,
    check_skipped CHECK_UNUSED, check_skip CHECK_UNUSED;
static const char *check_filter CHECK_UNUSED, *check_name CHECK_UNUSED;

// Processor time (s). Time limits use it because it does not depend on how busy the machine is.
static inline double check_clock(void) { return (double)clock() / CLOCKS_PER_SEC; }

// KiB that this program has had in memory, -1 where nobody says. getrusage would count the program that
// started this one, too.
static inline long check_most_resident(void) {
  FILE* file = fopen("/proc/self/status", "r");
  char line[256];
  long most = -1;
  while (file && most < 0 && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %ld", &most);
  if (file) fclose(file);
  return most;
}

static inline void check_note_time(const char* test, double began) {
  if (getenv("PLIANT_TEST_TIMES")) printf("%8.2f s %s\n", check_clock() - began, test);
}

// Sanitizers keep freed memory, reserve terabytes of address space, and slow the program down.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CHECK_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CHECK_SANITIZED 1
#endif
#endif

// Number of random members that a test tries: fewer if each one takes ten times as long.
#ifdef CHECK_SANITIZED
#define CHECK_MEMBERS(all) (((all) + 3) / 4)
#else
#define CHECK_MEMBERS(all) (all)
#endif

#define CHECK_MAIN(argc, argv)                                                     \
  (setvbuf(stdout, NULL, _IOLBF, 0),                                               \
   check_name = strrchr((argv)[0], '/') ? strrchr((argv)[0], '/') + 1 : (argv)[0], \
   check_filter = (argc) > 1 ? (argv)[1] : NULL)

#define RUN(test)                                            \
  do {                                                       \
    if (check_filter && !strstr(#test, check_filter)) break; \
    check_errors = check_skip = 0;                           \
    double check_began = check_clock();                      \
    test();                                                  \
    check_note_time(#test, check_began);                     \
    if (check_errors)                                        \
      check_failed++, printf("FAILED %s\n", #test);          \
    else if (check_skip)                                     \
      check_skipped++, printf("skipped %s\n", #test);        \
    else                                                     \
      check_passed++;                                        \
  } while (0)

// Whether a skip is a failure here.
static inline int check_must_run(void) {
  const char *strict = getenv("PLIANT_NO_SKIP"), *excuse = getenv("PLIANT_SETUP_FAILED");
  return strict && strict[0] && !(excuse && excuse[0]);
}
// The current test cannot run here.
#define SKIP(why)                         \
  do {                                    \
    printf("skipped: %s\n", why);         \
    if (check_must_run()) check_errors++; \
    check_skip = 1;                       \
  } while (0)
// The same if the processor lacks instructions.
#define SKIP_CPU(why) (printf("skipped: %s\n", why), check_skip = 1)
// None of the tests can run here.
#define CHECK_SKIP_ALL(why)                                                                        \
  (printf("skipped: %s\n%s: 0 passed, %d failed, %d skipped\n", why, check_name, check_must_run(), \
          !check_must_run()),                                                                      \
   check_must_run() ? 1 : 77)

// A name that matches no test is a failure too.
#define CHECK_END                                                                                           \
  (printf("%s: %d passed, %d failed, %d skipped\n", check_name, check_passed, check_failed, check_skipped), \
   check_failed    ? 1                                                                                      \
   : check_passed  ? 0                                                                                      \
   : check_skipped ? 77                                                                                     \
                   : 1)

#define CHECK(condition)                                                                               \
  do {                                                                                                 \
    if (!(condition)) check_errors++, printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
  } while (0)

// |a - b| <= tolerance, and both finite
// With PLIANT_THRESHOLDS=FILE in the environment every comparison's largest part of its threshold is added to
// the file: "line off threshold size" (tools/thresholds).
typedef struct CheckBand {
  const char* file;
  int line;
  double part, off, band, size;
} CheckBand;
enum { CHECK_BANDS = 1024 };
static CheckBand check_band[CHECK_BANDS] CHECK_UNUSED;
static int check_nband CHECK_UNUSED;

static inline void check_bands_write(void) {
  FILE* file = fopen(getenv("PLIANT_THRESHOLDS"), "a");
  for (int i = 0; file && i < check_nband; i++)
    fprintf(file, "%s:%d %.6g %.6g %.6g\n", check_band[i].file, check_band[i].line, check_band[i].off,
            check_band[i].band, check_band[i].size);
  if (file) fclose(file);
}

static inline void check_note_band(const char* file, int line, double a, double b, double band,
                                   double terms) {
  static int on = -1;
  if (on < 0) on = getenv("PLIANT_THRESHOLDS") && !atexit(check_bands_write);
  if (!on) return;
  int i = 0;
  while (i < check_nband && check_band[i].line != line) i++;
  if (i == CHECK_BANDS) return;
  if (i == check_nband) check_band[check_nband++] = (CheckBand){file, line, -1, 0, 0, 0};
  double part = fabs(a - b) / band, size = fmax(fmax(fabs(a), fabs(b)), terms);
  if (part > check_band[i].part)
    check_band[i].part = part, check_band[i].off = fabs(a - b), check_band[i].band = band;
  check_band[i].size = fmax(check_band[i].size, size);
}

#define CHECK_NEAR(a, b, tolerance)                                                                         \
  do {                                                                                                      \
    double check_a = (a), check_b = (b), check_t = (tolerance);                                             \
    check_note_band(__FILE__, __LINE__, check_a, check_b, check_t, 0);                                      \
    if (!(fabs(check_a - check_b) <= check_t))                                                              \
      check_errors++, printf("%s:%d: %s = %.17g, expected %.17g, off by %.3g > %.3g\n", __FILE__, __LINE__, \
                             #a, check_a, check_b, fabs(check_a - check_b), check_t);                       \
  } while (0)

// a equals b up to rounding: 64 eps of the largest terms that were added on the way to them
#define CHECK_ROUND(a, b, terms)                                                                            \
  do {                                                                                                      \
    double check_a = (a), check_b = (b), check_s = fabs((double)(terms)),                                   \
           check_t = 64 * DBL_EPSILON * check_s;                                                            \
    check_note_band(__FILE__, __LINE__, check_a, check_b, check_t, check_s);                                \
    if (!(fabs(check_a - check_b) <= check_t))                                                              \
      check_errors++, printf("%s:%d: %s = %.17g, expected %.17g, off by %.3g > %.3g\n", __FILE__, __LINE__, \
                             #a, check_a, check_b, fabs(check_a - check_b), check_t);                       \
  } while (0)

// value <= part * of: an error that is at most so much of the terms it comes from (of = 1: in its own unit)
#define CHECK_BELOW(value, part, of)                                                                  \
  do {                                                                                                \
    double check_a = (value), check_s = fabs((double)(of)), check_t = (part)*check_s;                 \
    check_note_band(__FILE__, __LINE__, fmax(check_a, 0), 0, check_t, check_s);                       \
    if (!(check_a <= check_t))                                                                        \
      check_errors++,                                                                                 \
          printf("%s:%d: %s = %.3g, more than %.3g\n", __FILE__, __LINE__, #value, check_a, check_t); \
  } while (0)

#define CHECK_INT(a, b)                                                                                      \
  do {                                                                                                       \
    long long check_a = (long long)(a), check_b = (long long)(b);                                            \
    if (check_a != check_b)                                                                                  \
      check_errors++, printf("%s:%d: %s = %lld, expected %lld\n", __FILE__, __LINE__, #a, check_a, check_b); \
  } while (0)

#define CHECK_STR(a, b)                                                                       \
  do {                                                                                        \
    const char *check_a = (a), *check_b = (b);                                                \
    if (!check_a || !check_b || strcmp(check_a, check_b))                                     \
      check_errors++, printf("%s:%d: %s = \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #a, \
                             check_a ? check_a : "(null)", check_b ? check_b : "(null)");     \
  } while (0)

// the text contains the part
#define CHECK_HAS(text, part)                                                                      \
  do {                                                                                             \
    const char *check_a = (text), *check_b = (part);                                               \
    if (!strstr(check_a, check_b))                                                                 \
      check_errors++,                                                                              \
          printf("%s:%d: \"%s\" does not contain \"%s\"\n", __FILE__, __LINE__, check_a, check_b); \
  } while (0)

#endif
