# check.sh: the few words of the command's tests. A test is run as: sh NAME.sh PLIANT SOURCE WORK
PLIANT=$1 SOURCE=$2 WORK=$3
LC_ALL=C
export LC_ALL
passed=0 failed=0 skipped=0
rm -rf "$WORK" && mkdir -p "$WORK" && cd "$WORK" || exit 1

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; sed 's/^/    | /' out err 2>/dev/null | head -20; }

# expect STATUS COMMAND...: runs it with its output in the files out and err
expect() {
  wanted=$1; shift
  "$@" >out 2>err </dev/null; got=$?
  if [ "$got" -eq "$wanted" ]; then good; else bad "exit status $got instead of $wanted: $*"; fi
}
# says FILE TEXT: the file contains the text
says() { if grep -qF -e "$2" "$1"; then good; else bad "'$1' does not say: $2"; fi; }
# true_that WHAT COMMAND...
true_that() { what=$1; shift; if "$@"; then good; else bad "$what"; fi; }
# soon COMMAND...: waits until it succeeds. However slow the machine is, the wait ends by itself; a minute passes only if all is lost.
soon() { tries=0; until "$@"; do tries=$((tries + 1)); [ $tries -lt 1200 ] || return 1; sleep 0.05; done; }
# field FILE KEY: a value of the JSON report
field() { sed -n "s/^ *\"$2\": *\"\{0,1\}\([^\",}]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1"; }

# instrumented: the program was built with the address sanitizer and takes its time
instrumented() { grep -q __asan_init "$PLIANT"; }

# skip WHY: something that cannot be tried here; a failure where nothing may be skipped
skip() {
  if [ -n "${PLIANT_NO_SKIP:-}" ] && [ -z "${PLIANT_SETUP_FAILED:-}" ]; then bad "skipped: $1"; else skipped=$((skipped + 1)); echo "skipped: $1"; fi
}

end() { echo "cli/$(basename "$0" .sh): $passed passed, $failed failed, $skipped skipped"; [ "$failed" -eq 0 ]; exit; }
