# run.sh: pliant run: summary, report, overrides, tables, recordings, restart.
. "$(dirname "$0")/check.sh"

# The report holds exactly the keys of its definition, in order.
expect 0 "$PLIANT" run cantilever --until 0.2 --json r.json
says out "cantilever: 0.2 s simulated in 20 steps of 0.01 s"
sed -n 's/^  "\([a-z_]*\)":.*/\1/p' r.json | tr '\n' ' ' >keys
says keys "name dofs dt steps simulated_s wall_s cpu_s realtime_rate constraints_avg constraints_max newton_iterations_avg newton_iterations_max unconverged_steps coulomb_rounds_avg coulomb_capped_steps energy_gain threads instruction_set compiler state_hash parameter_hash breakdown "
# Under the convex law there are no rounds of friction to report.
expect 0 "$PLIANT" run cantilever --until 0.02 --set options.contact_law=cone --json cone.json
true_that "no rounds under cone" test "$(grep -c coulomb cone.json)" -eq 0
# Nor does the summary speak of friction where nothing touched.
expect 0 "$PLIANT" run arm --until 0.05
true_that "no friction without contact" test "$(grep -c friction out)" -eq 0
expect 0 "$PLIANT" run block --until 1
says out "Coulomb's friction: "
true_that "name" test "$(field r.json name)" = cantilever
true_that "steps" test "$(field r.json steps)" -eq 20
true_that "unconverged" test "$(field r.json unconverged_steps)" -eq 0
true_that "hash has 16 digits" test "$(field r.json state_hash | grep -c '^[0-9a-f]\{16\}$')" -eq 1
true_that "rate is simulated over wall time" awk -v s="$(field r.json simulated_s)" -v w="$(field r.json wall_s)" -v r="$(field r.json realtime_rate)" \
  'BEGIN { exit !(s > 0 && w > 0 && r * w / s > 0.999 && r * w / s < 1.001) }'
true_that "the breakdown sums to 100" awk '/breakdown/ { gsub(/[^0-9. ]/, " "); exit !(NF == 5 && $1+$2+$3+$4+$5 > 99.99 && $1+$2+$3+$4+$5 < 100.01) }' r.json
if command -v python3 >/dev/null; then true_that "the report is JSON" python3 -m json.tool r.json /dev/null; else skip "no python3"; fi

# Energy from nowhere is counted, and said once; the remedy that the sentence names is one.
expect 0 "$PLIANT" run spin --until 0.3 --json g.json --quiet
says err "at t = 0.02 s the energy of 'ball' has grown by more than 1 % of its largest value beyond what was put in; a smaller dt helps"
true_that "once" test "$(grep -c 'has grown' err)" -eq 1
true_that "the sum is positive" awk -v g="$(field g.json energy_gain)" 'BEGIN { exit !(g > 1e-4) }'
expect 0 "$PLIANT" run spin --until 0.3 --set options.dt=0.001 --quiet
true_that "a smaller dt helps" test ! -s err
true_that "damping takes energy away" awk -v g="$(field r.json energy_gain)" 'BEGIN { exit !(g < 0) }'

# Overrides reach the simulation; threads do not change a bit.
expect 0 "$PLIANT" run cantilever --until 0.2 --json a.json --set options.dt=0.02 --quiet
true_that "nothing is printed when quiet" test ! -s out
true_that "dt" test "$(field a.json dt)" = 0.02
true_that "steps" test "$(field a.json steps)" -eq 10
true_that "another step, another state" test "$(field a.json state_hash)" != "$(field r.json state_hash)"
expect 0 "$PLIANT" run cantilever --until 0.2 --json a.json --threads 2 --quiet
true_that "threads" test "$(field a.json threads)" -eq 2
true_that "the same bits with two threads" test "$(field a.json state_hash)" = "$(field r.json state_hash)"
expect 0 "$PLIANT" run cantilever --until 0.2 --json a.json --threads auto --quiet --set options.threads=2
true_that "auto wins over the scene" test "$(field a.json threads)" -eq 0
expect 2 "$PLIANT" run cantilever --threads all; says err "at least 1, or auto, got 'all'"

# Stopping and going on gives the bits of not stopping, in mid-contact too.
for scene in cantilever block; do
  expect 0 "$PLIANT" run $scene --until 0.6 --json whole.json --quiet
  expect 0 "$PLIANT" run $scene --until 0.31 --save half.state --quiet
  expect 0 "$PLIANT" run $scene --load half.state --until 0.6 --json rest.json --quiet
  true_that "$scene restarts with the same bits" test "$(field whole.json state_hash)" = "$(field rest.json state_hash)"
  true_that "the rest has the other steps" test "$(field rest.json steps)" -eq 29
done
true_that "there was contact" test "$(field whole.json constraints_max)" -gt 0
expect 2 "$PLIANT" run cantilever --load half.state; says err "model"

# Options and parameters come with a state and win over the scene; --set wins over both; each is said.
soft=deformables.block.material.young=3e4; hard=deformables.block.material.young=2e5; law=options.contact_law
expect 0 "$PLIANT" run block --until 0.31 --set $soft --set $law=similar --save soft.state --quiet
expect 0 "$PLIANT" run block --until 0.4 --set $soft --set $law=similar --json soft.json --quiet
expect 0 "$PLIANT" run block --load soft.state --until 0.4 --json went.json --quiet; says err "options and parameters are those of 'soft.state'"
true_that "the parameters are those of that run" test "$(field went.json parameter_hash)" = "$(field soft.json parameter_hash)"
true_that "those of the state win over the scene's" test "$(field went.json state_hash)" = "$(field soft.json state_hash)"
expect 0 "$PLIANT" run block --load soft.state --until 0.4 --set $soft --set $law=similar --json went.json --quiet
true_that "the same by --set" test "$(field went.json state_hash)" = "$(field soft.json state_hash)"
expect 0 "$PLIANT" run block --load soft.state --until 0.4 --set $hard --json hard.json --quiet; says err "except for values given by --set"
true_that "other parameters have another hash" test "$(field hard.json parameter_hash)" != "$(field soft.json parameter_hash)"
true_that "--set wins over the state" test "$(field hard.json state_hash)" != "$(field soft.json state_hash)"
expect 0 "$PLIANT" run block --load soft.state --until 0.4 --set $hard --set $law=similar --json law.json --quiet
true_that "what --set does not name stays the state's" test "$(field hard.json state_hash)" = "$(field law.json state_hash)"
# what --set changes is not known in a scene that only --set makes valid
sed 's/young: 5e4/young: -1/' "$SOURCE/scenes/block.yaml" >needs.yaml
expect 2 "$PLIANT" run needs.yaml --load soft.state --until 0.4 --set $hard --quiet; says err "without --set too"

# A recording can be gone on from: at its end, or at any of its frames; the model must be the recorded one.
expect 0 "$PLIANT" run block --until 0.31 --record half.plrec --quiet
expect 0 "$PLIANT" run block --load half.plrec --until 0.6 --json rest.json --quiet
true_that "continues from a recording with the same bits" test "$(field whole.json state_hash)" = "$(field rest.json state_hash)"
expect 0 "$PLIANT" run block --load half.plrec --from 0.2 --until 0.6 --json rest.json --quiet
true_that "continues from the frame at 0.2 s" test "$(field rest.json steps)" -eq 40
true_that "with the same bits" test "$(field whole.json state_hash)" = "$(field rest.json state_hash)"
expect 2 "$PLIANT" run block --load half.plrec --from 9 --quiet; says err "--from 9 lies outside"
expect 2 "$PLIANT" run cantilever --load half.plrec; says err "model"

# Tables and recordings: the start, every frame, the end.
expect 0 "$PLIANT" run block --until 0.1 --csv t.csv --signals time,block.com.z --record r.plrec
true_that "a header and 11 rows" test "$(wc -l <t.csv)" -eq 12
expect 0 "$PLIANT" info r.plrec; says out "frames         11, from 0 s to 0.1 s"; says out "finished       yes"
expect 0 "$PLIANT" run block --until 0.1 --record r.plrec --set recording.rate=40 --quiet
expect 0 "$PLIANT" info r.plrec; says out "frames         5,"
expect 0 "$PLIANT" run block --until 0.1 --record r.plrec --set recording.every=4 --quiet
expect 0 "$PLIANT" info r.plrec; says out "frames         4,"

# What the scene says about recording holds without options.
sed 's/^shapes:/recording: {file: own.plrec, csv: own.csv, signals: [time, block.com]}\nshapes:/' "$SOURCE/scenes/block.yaml" >own.yaml
expect 0 "$PLIANT" run own.yaml --until 0.05
true_that "the scene's files are written" test -s own.plrec -a -s own.csv

# A picture of the end.
if ! instrumented; then
  expect 0 "$PLIANT" run block --until 0.02 --png p.png --colour von_mises --quiet
  true_that "it is a PNG file" test "$(head -c 4 p.png | tail -c 3)" = PNG
fi
expect 2 "$PLIANT" run block --until 0.02 --colour speed; says err "--png"
expect 2 "$PLIANT" run block --until 0.02 --png p.png --colour spede; says err "speed"

# A step that fails ends the run with status 1, and the report says so.
expect 1 "$PLIANT" run cantilever --set options.scheme=symplectic_euler --set options.dt=0.05 --until 5 --json f.json --record f.plrec
true_that "a sentence says why" test -s err
true_that "the report is there" test -s f.json
expect 0 "$PLIANT" info f.plrec; says out "finished       yes"

# Bodies placed in each other are left there, and the summary says so.
cat >twins.yaml <<EOF
pliant: 1
deformables:
  - {name: a, shape: box, size: [0.1, 0.1, 0.1], edge: 0.05}
  - {name: b, shape: box, size: [0.1, 0.1, 0.1], edge: 0.05, pose: {position: [0.004, 0, 0.003]}}
EOF
expect 0 "$PLIANT" run twins.yaml --until 0.05; says out "penetrations too deep for contact"
expect 0 "$PLIANT" run block --until 0.05; true_that "nothing of this where there is none" test "$(grep -c 'too deep' out)" -eq 0

# A body that is crushed into itself is no result to trust, and the summary says so.
cat >crushed.yaml <<EOF
pliant: 1
options: {dt: 0.01}
shapes: [{name: ground, shape: half_space}]
deformables:
  - {name: jelly, shape: box, size: [0.1, 0.1, 0.1], cells: [3, 3, 3], pose: {position: [0, 0, 0.08], rpy: [0.4, 0.2, 0]}, material: {kind: neo_hookean, young: 300}}
EOF
expect 0 "$PLIANT" run crushed.yaml --until 0.5; says out "of the 135 elements of 'jelly' are inside out at the end"
expect 0 "$PLIANT" run crushed.yaml --until 0.5 --set deformables.jelly.material.young=30000
true_that "nothing of this for a firm one" test "$(grep -c 'inside out' out)" -eq 0

end
