# skips.sh: a test that cannot run says so, is counted, and fails where nothing may be skipped.
. "$(dirname "$0")/check.sh"
cat >try.c <<'END'
#include "check.h"
static void runs(void) { CHECK(1); }
static void cannot(void) { SKIP("no such thing"); }
static void no_instructions(void) { SKIP_CPU("no such instructions"); }
int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  if (argc > 1 && !strcmp(argv[1], "all")) return CHECK_SKIP_ALL("nothing can run");
  RUN(runs), RUN(cannot), RUN(no_instructions);
  return CHECK_END;
}
END
sed -i 's/RUN(runs), RUN(cannot), RUN(no_instructions);/RUN(runs); RUN(cannot); RUN(no_instructions);/' try.c
unset PLIANT_NO_SKIP PLIANT_SETUP_FAILED
if command -v cc >/dev/null; then
  expect 0 cc -std=gnu17 -I"$SOURCE/test" -o try try.c -lm
  expect 0 ./try; says out "try: 1 passed, 0 failed, 2 skipped"
  expect 77 ./try all; says out "try: 0 passed, 0 failed, 1 skipped"
  expect 77 ./try no_instructions
  expect 1 env PLIANT_NO_SKIP=1 ./try; says out "try: 1 passed, 1 failed, 1 skipped"
  expect 1 env PLIANT_NO_SKIP=1 ./try all; says out "try: 0 passed, 1 failed, 0 skipped"
  expect 77 env PLIANT_NO_SKIP=1 ./try no_instructions
  expect 0 env PLIANT_NO_SKIP=1 PLIANT_SETUP_FAILED=chromium ./try; says out "try: 1 passed, 0 failed, 2 skipped"
else
  skip "no C compiler called cc"
fi
says "$SOURCE/.ci/run" "PLIANT_NO_SKIP=1"
end
