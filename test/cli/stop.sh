# stop.sh: Ctrl-C ends a run cleanly; kill -9 leaves a recording that can be read.
. "$(dirname "$0")/check.sh"

# Waits until the file has some bytes.
wait_for() { for i in $(seq 200); do [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ] && return 0; sleep 0.05; done; return 1; }

for signal in INT TERM; do
  rm -f a.plrec a.json
  "$PLIANT" run cantilever --until 100000 --record a.plrec --json a.json --save a.state >out 2>err &
  pid=$!
  true_that "frames are written" wait_for a.plrec 200000
  kill -$signal $pid
  wait $pid; status=$?
  true_that "exit status 1 after $signal, not $status" test $status -eq 1
  says err "interrupted at t = "
  says out "cantilever:"
  true_that "the report is written" test -s a.json
  expect 0 "$PLIANT" info a.plrec; says out "finished       yes"
  # The saved state goes on.
  expect 0 "$PLIANT" run cantilever --load a.state --until 0 --quiet
done

# On a terminal a bar shows how far it is; elsewhere there is none.
if script -qec true /dev/null >/dev/null 2>&1; then
  script -qec "'$PLIANT' run cantilever --until 100000 --quiet & pid=\$!; sleep 0.4; kill \$pid; wait \$pid" /dev/null >terminal </dev/null
  true_that "nothing when quiet" test "$(grep -c 'real time' terminal)" -eq 0
  # The run goes on until the bar has been seen (or ten seconds have passed), however slow the machine is.
  rm -f stop
  script -qec "'$PLIANT' run cantilever --until 100000 & pid=\$!; while [ ! -e stop ]; do sleep 0.05; done; kill \$pid; wait \$pid" /dev/null >terminal </dev/null &
  for i in $(seq 100); do grep -q 'real time  Newton 1' terminal && break; sleep 0.1; done
  touch stop
  wait $!
  says terminal "[....."; says terminal "real time  Newton 1"
fi

# The recording of a moment tells how many bytes hold its first ten frames; the run is killed after that many.
expect 0 "$PLIANT" run cantilever --until 0.09 --record ten.plrec --quiet
rm -f b.plrec
"$PLIANT" run cantilever --until 100000 --record b.plrec >out 2>err &
pid=$!
true_that "frames are written" wait_for b.plrec "$(stat -c %s ten.plrec)"
kill -9 $pid
wait $pid 2>/dev/null
expect 0 "$PLIANT" info b.plrec; says out "finished       no"
true_that "its frames are readable" test "$(sed -n 's/^frames *\([0-9]*\).*/\1/p' out)" -gt 3
end
