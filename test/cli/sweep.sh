# sweep.sh: pliant sweep: the numbers of single runs, whatever the threads; continuing after a crash; wrong words.
. "$(dirname "$0")/check.sh"

signals='time, block.com.z, contact(ground,block).normal_force'
young='block.material.young=2e4:8e4:3'
sweep() { expect 0 "$PLIANT" sweep block --vary "$young" --vary ground.surface.friction=0.2,0.7 --measure "$signals" --until 0.2 "$@"; }
sweep --out one --threads 1
says out "6 simulations on 1 threads; written one/sweep.csv"
sweep --out two --threads 3 --quiet
true_that "the same bits on other threads" cmp -s one/sweep.csv two/sweep.csv
true_that "quiet" test ! -s out -a ! -s err
says one/sweep.csv '"row","block.material.young","ground.surface.friction","time [s]","block.com.z [m]","contact(ground,block).normal_force [N]","status"'
true_that "a line per combination" test "$(wc -l <one/sweep.csv)" -eq 7

# A line is what a run of the scene with these values gives.
expect 0 "$PLIANT" run block --set deformables.block.material.young=5e4 --set shapes.ground.surface.friction=0.7 --until 0.2 \
  --csv run.csv --signals "$signals" --quiet
true_that "row 3 is that run" test "$(sed -n 's/^3,50000,0.7,\(.*\),"ok"$/\1/p' one/sweep.csv)" = "$(tail -1 run.csv)"

# Over all steps, and from a saved state.
expect 0 "$PLIANT" sweep block --vary "$young" --measure block.com.z --over min --until 0.2 --out min --quiet
says min/sweep.csv 'min(block.com.z) [m]'
expect 0 "$PLIANT" sweep block --vary "$young" --measure block.com.z --over max --until 0.2 --out max --quiet
expect 0 "$PLIANT" sweep block --vary "$young" --measure block.com.z --over mean --until 0.2 --out mean --quiet
true_that "min <= mean <= max" awk -F, 'FNR > 1 {v[FILENAME, FNR] = $3} END {for (i = 2; i <= 4; i++) if (!(v["min/sweep.csv", i] < v["mean/sweep.csv", i] && v["mean/sweep.csv", i] < v["max/sweep.csv", i])) exit 1}' min/sweep.csv mean/sweep.csv max/sweep.csv
expect 0 "$PLIANT" run block --until 0.1 --save half.state --quiet
expect 0 "$PLIANT" sweep block --vary block.material.density=1000 --load half.state --measure block.com.z --until 0.2 --out loaded --quiet
expect 0 "$PLIANT" run block --load half.state --until 0.2 --csv run.csv --signals block.com.z --quiet
true_that "it continues from the state" test "$(sed -n 's/^0,1000,\(.*\),"ok"$/\1/p' loaded/sweep.csv)" = "$(tail -1 run.csv)"
# Steps of different size end at the same time.
expect 0 "$PLIANT" sweep block --vary options.dt=0.01,0.004 --measure time --until 0.2 --out dt --quiet
true_that "both end" awk -F, 'FNR > 1 && ($3 < 0.1999 || $3 > 0.2001) {exit 1}' dt/sweep.csv

# A crash in the middle: the same command goes on, and the table is the same.
many='block.material.young=2e4:8e4:200'
expect 0 "$PLIANT" sweep block --vary "$many" --measure block.com.z --until 0.05 --out whole --quiet
"$PLIANT" sweep block --vary "$many" --measure block.com.z --until 0.05 --out cut >out 2>err &
victim=$!
soon test -s cut/shard_000000.csv
kill -9 $victim 2>/dev/null; wait $victim 2>/dev/null
rm -f cut/shard_000002.csv cut/shard_000003.csv cut/sweep.csv
expect 0 "$PLIANT" sweep block --vary "$many" --measure block.com.z --until 0.05 --out cut
says err "continuing with simulation"
true_that "the table is the same" cmp -s whole/sweep.csv cut/sweep.csv
touch -d '2001-01-01' cut/shard_000001.csv
rm cut/shard_000003.csv cut/sweep.csv
expect 0 "$PLIANT" sweep block --vary "$many" --measure block.com.z --until 0.05 --out cut --quiet
true_that "what is done is not done again" test cut/shard_000001.csv -ot cut/shard_000003.csv
true_that "and the table is the same" cmp -s whole/sweep.csv cut/sweep.csv

# A simulation that fails has a line; the others are done.
expect 1 "$PLIANT" sweep block --vary options.gravity.z=-9.81,1e10 --measure block.com.z --until 0.2 --out fails
says err "row 1 failed"
says err "1 of 2 simulations failed"
says fails/sweep.csv '1,10000000000,nan,"'
true_that "row 0 is done" grep -q '^0,.*,"ok"$' fails/sweep.csv
expect 1 "$PLIANT" sweep block --vary options.gravity.z=-9.81,1e10 --measure block.com.z --until 0.2 --out fails
says err "1 of 2 simulations failed"

# Wrong words: a sentence, and no folder.
expect 2 "$PLIANT" sweep block --vary block.material.yuong=1:2:3 --measure block.com.z --out bad; says err "did you mean 'block.material.young'"
expect 2 "$PLIANT" sweep block --vary block.material.young=-1:1:3 --measure block.com.z --out bad; says err "out of range"
expect 2 "$PLIANT" sweep block --vary "$young" --measure block.comm --out bad; says err "did you mean 'com'"
for wrong in block.material.young block.material.young=1:2 block.material.young=1:2:0 block.material.young=1:2:3:lin block.material.young=a,b \
  block.material.young=-1:2:3:log block.material.young=1:2:1 =1,2; do
  expect 2 "$PLIANT" sweep block --vary "$wrong" --measure block.com.z --out bad; says err "--vary"
done
expect 2 "$PLIANT" sweep block --vary "$young" --vary "$young" --measure block.com.z --out bad; says err "twice"
expect 2 "$PLIANT" sweep block --vary block.material.young=1:2:10000 --vary block.material.density=1:2:10000 --measure block.com.z --out bad
says err "combinations"
expect 2 "$PLIANT" sweep block --measure block.com.z --out bad; says err "--vary"
expect 2 "$PLIANT" sweep block --vary "$young" --out bad; says err "--measure"
expect 2 "$PLIANT" sweep block --vary "$young" --measure block.com.z; says err "--out"
expect 2 "$PLIANT" sweep block --vary "$young" --measure block.com.z --over sum --out bad; says err "end, min, max or mean"
true_that "no folder was made" test ! -e bad
expect 2 "$PLIANT" sweep block --vary "$young" --measure block.com.z --until 0.2 --out one; says err "another sweep"
mkdir full && echo "mine" >full/diary
expect 2 "$PLIANT" sweep block --vary "$young" --measure block.com.z --out full; says err "not empty"
true_that "nothing was added" test "$(ls full)" = diary
expect 2 "$PLIANT" sweep block --vary "$young" --measure block.com.z --out full/diary; says err "full/diary"
# A cluster is Python's part.
PLIANT_PYTHON=./no-python expect 2 "$PLIANT" sweep block --vary "$young" --measure block.com.z --out ray --ray auto
says err "'./no-python' could not be started"
expect 2 "$PLIANT" sweep block --vary "$young" --measure block.com.z --out ray --ray auto --mesh-limit 5; says err "--mesh-limit"
true_that "no folder for it" test ! -e ray
end
