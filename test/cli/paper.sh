# paper.sh: pliant bench and the scenes it runs; what the benchmarks and the scripts around them say to wrong words.
. "$(dirname "$0")/check.sh"
BENCH=$(dirname "$PLIANT")/bench

# One row a scene, with the keys of its definition; threads and repetitions change no bit.
expect 0 "$PLIANT" bench --scene arch_mu02 --json one.json --quiet
says out "unconverged"; says out "arch_mu02         225   675   0.04     7.26"
sed -n 's/^      "\([a-z_]*\)":.*/\1/p' one.json | tr '\n' ' ' >keys
says keys "name dofs dt steps simulated_s wall_s cpu_s realtime_rate constraints_avg constraints_max newton_iterations_avg newton_iterations_max unconverged_steps energy_gain threads instruction_set compiler state_hash parameter_hash whole breakdown "
true_that "name" test "$(field one.json name)" = arch_mu02
true_that "unconverged" test "$(field one.json unconverged_steps)" -eq 0
true_that "it ends when a stone has moved 1 m" test "$(field one.json steps)" -lt 100
says out "  to its end"; says one.json '"whole": {"steps": 100, "simulated_s": 4,'
expect 0 "$PLIANT" bench --scene arch_mu02 --threads 2 --repeat 2 --json two.json --quiet
true_that "threads" test "$(field two.json threads)" -eq 2
true_that "the same bits with two threads" test "$(field two.json state_hash)" = "$(field one.json state_hash)"

# A long scene in windows, from saved states. Where a state is not what it should be, the scene is run up to it.
expect 0 "$PLIANT" bench --scene arch_mu10 --json kept.json
true_that "every state is found" test "$(grep -c 'no state' err)" -eq 0
mkdir states; cp "$SOURCE"/scenes/states/arch_mu10-* states; echo nonsense >states/arch_mu10-10.window
expect 0 "$PLIANT" bench --scene arch_mu10 --states states --json again.json; says err "no state for the window at 10 %"
true_that "the last window ends the same" test "$(field again.json state_hash)" = "$(field kept.json state_hash)"
true_that "five windows of 60 steps" test "$(field kept.json steps)" -eq 300
true_that "unconverged" test "$(field kept.json unconverged_steps)" -eq 0

# What cannot be written is said before the work.
expect 2 "$PLIANT" bench --scene arch_mu02 --json no/such/folder.json; says err "'no/such/folder.json' cannot be written"
true_that "nothing was run" test ! -s out
expect 2 "$PLIANT" bench --scene arch_mu02 --json .; says err "Is a directory"
expect 2 "$PLIANT" bench --full --scene arch_mu10 --states no/such/folder; says err "states cannot be written into 'no/such/folder'"
expect 2 "$PLIANT" run block --save no/such/folder.state; says err "'no/such/folder.state' cannot be written"
expect 2 "$PLIANT" run block --png no/such/folder.png; says err "'no/such/folder.png' cannot be written"
expect 0 "$PLIANT" run block --until 0.02 --json new.json --quiet
true_that "a report where there was none" test -s new.json
expect 2 "$PLIANT" bench --scene nothing; says err "arch_mu02, arch_mu10, cylinder_press, teddy, allegro"

# The bear stays between the bubbles while it is lifted and shaken, the ball in the hand.
expect 0 "$PLIANT" run teddy --until 5 --quiet --csv bear.csv --signals time,bear.com.z,gripper.q
true_that "the bear is lifted and slips by less than 5 mm" awk -F, '
  NR > 1 && $2 > top { top = $2 }
  NR > 1 && !before && $1 > 2.54 { before = $2 - $3 }
  NR > 1 && $1 < 4.76 { after = $2 - $3 }
  END { d = after - before; exit !(top > 0.17 && d < 0.005 && d > -0.005) }' bear.csv
expect 0 "$PLIANT" run allegro --quiet --csv ball.csv --signals time,ball.com.x,ball.com.y,ball.com.z,hand/palm_link.com.x,hand/palm_link.com.y,hand/palm_link.com.z
true_that "the ball stays in the hand" awk -F, '
  NR > 1 && $1 > 2.4 { d = sqrt(($2 - $5)^2 + ($3 - $6)^2 + ($4 - $7)^2); if (!n++ || d < low) low = d; if (d > high) high = d }
  END { exit !(n > 300 && high - low < 0.03) }' ball.csv

# Benchmarks: a name that none has is a mistake, not an empty success.
if [ -x "$BENCH/cholesky" ]; then
  expect 2 "$BENCH/cholesky" --mesh nothing; says err "cube512"
  expect 2 "$BENCH/cholesky" --threads 0; says err "usage"
  expect 2 "$BENCH/cholesky" --json no/such/folder.json; says err "cannot write"
  for name in contact study solids; do expect 2 "$BENCH/validate_$name" --only nothing; says err "there is no case 'nothing'"; done
fi
if command -v python3 >/dev/null; then
  compare=$SOURCE/bench/peers/compare
  rigid=$BENCH/rigid
  [ -x "$rigid" ] || rigid=$PLIANT
  echo nonsense >rows.json
  expect 2 python3 "$compare" --pliant "$PLIANT" --rigid "$rigid" --data nowhere; says err "there is no folder nowhere"
  expect 2 python3 "$compare" --pliant "$PLIANT" --rigid "$rigid" --rounds 0; says err "at least 1"
  expect 2 python3 "$compare" --pliant nowhere --rigid "$rigid"; says err "there is no program"
  expect 2 python3 "$compare" --pliant "$PLIANT" --rigid "$rigid" --json no/such/folder.json; says err "no/such/folder.json"
  expect 2 python3 "$compare" --pliant "$PLIANT" --rigid "$rigid" --scene block --json rows.json; says err "does not hold rows"
  # Pliant alone needs no peer: the block's motion and weight are checked, and rows without their files say which they are.
  expect 0 python3 "$compare" --pliant "$PLIANT" --rigid "$rigid" --scene block --scene hand --ours-only --rounds 1 --work peers --json block_row.json
  says err "left out; --data DIR must hold drake_models/iiwa_description"
  says out "| block | 192 |"
  true_that "the block's row is in the report" grep -q '"cone": true' block_row.json
  expect 2 python3 "$SOURCE/tools/validate" --pliant nowhere --only arch --keep kept; says err "there is no program"
  expect 2 python3 "$SOURCE/tools/validate" --pliant "$PLIANT" --data nowhere --only arch --keep kept; says err "there is no folder nowhere"
fi
end
