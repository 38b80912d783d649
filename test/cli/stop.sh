# stop.sh: Ctrl-C ends a run cleanly; kill -9 leaves a recording that can be read.
. "$(dirname "$0")/check.sh"

# holds FILE BYTES: the file has more bytes than that.
holds() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; }

# The recording of a moment tells how many bytes hold its first ten frames; runs are stopped after that many.
expect 0 "$PLIANT" run cantilever --until 0.09 --record ten.plrec --quiet
ten=$(stat -c %s ten.plrec)

for signal in INT TERM; do
  rm -f a.plrec a.json
  "$PLIANT" run cantilever --until 100000 --record a.plrec --json a.json --save a.state >out 2>err &
  pid=$!
  true_that "frames are written" soon holds a.plrec "$ten"
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
  # on_terminal OPTIONS: runs until there is a file named stop
  on_terminal() {
    rm -f stop
    script -qec "'$PLIANT' run cantilever --until 100000 $1 & pid=\$!; while [ ! -e stop ]; do sleep 0.05; done; kill \$pid; wait \$pid" /dev/null >terminal </dev/null &
  }
  # Quiet: nothing, although it has taken steps for longer than a bar waits (0.1 s).
  on_terminal "--quiet --record c.plrec"
  true_that "frames are written" soon holds c.plrec "$ten"
  sleep 0.4
  touch stop; wait $!
  true_that "nothing when quiet" test "$(grep -c 'real time' terminal)" -eq 0
  : >terminal
  on_terminal ""
  true_that "the bar is seen" soon grep -q 'real time  Newton 1' terminal
  touch stop; wait $!
  says terminal "[....."
fi

rm -f b.plrec
"$PLIANT" run cantilever --until 100000 --record b.plrec >out 2>err &
pid=$!
true_that "frames are written" soon holds b.plrec "$ten"
kill -9 $pid
wait $pid 2>/dev/null
expect 0 "$PLIANT" info b.plrec; says out "finished       no"
true_that "its frames are readable" test "$(sed -n 's/^frames *\([0-9]*\).*/\1/p' out)" -gt 3
# A signal that comes while a large scene is being loaded ends the viewer too.
printf 'pliant: 1\ndeformables: [{name: b, shape: box, size: [1, 1, 1], cells: [60, 60, 60]}]\n' >large.yaml
for signal in INT TERM; do
  timeout -k 15 -s $signal 1 "$PLIANT" view large.yaml --port 0 >out 2>err; status=$?
  true_that "it ends with 124, not $status" test $status -eq 124
  true_that "no page was served before" test ! -s out
done
end
