# new.sh: pliant new: every kind runs and does what it says; nothing is overwritten; the command alone shows what to try.
. "$(dirname "$0")/check.sh"

expect 2 "$PLIANT"; says err "pliant new grasp my.yaml"; says err "pliant view teddy"
expect 0 "$PLIANT" new --help; says out "Examples:"
for kind in drop press grasp robot; do
  says out "$kind"
done
last() { tail -n 1 "$1" | cut -d , -f "$2"; }
within() { awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x >= low && x <= high) }'; }

expect 0 "$PLIANT" new drop drop.yaml; says out "pliant run drop.yaml"
true_that "it has comments" grep -q '^# ' drop.yaml
expect 0 "$PLIANT" run drop.yaml --quiet --csv drop.csv --signals ball.com.z
true_that "the ball rests on the ground" within "$(last drop.csv 1)" 0.04 0.052

expect 0 "$PLIANT" new press press.yaml
expect 0 "$PLIANT" run press.yaml --quiet --csv press.csv --signals 'contact(plate,block).force.z, plate.position.z'
true_that "the plate presses" within "$(last press.csv 1 | tr -d -)" 50 500

expect 0 "$PLIANT" new grasp grasp.yaml
expect 0 "$PLIANT" run grasp.yaml --quiet --csv grasp.csv --signals ball.com.z
true_that "the ball is lifted" within "$(last grasp.csv 1)" 0.12 0.15

expect 0 "$PLIANT" new robot robot.yaml
expect 0 "$PLIANT" run robot.yaml --quiet --csv robot.csv --signals 'cushion.elastic_energy, cushion.com.z'
true_that "the arm presses the cushion" within "$(last robot.csv 1)" 0.05 100

# nothing is overwritten, wrong words are named
echo mine >mine.yaml
expect 2 "$PLIANT" new drop mine.yaml; says err "is left as it is"
true_that "the file is as it was" test "$(cat mine.yaml)" = mine
expect 2 "$PLIANT" new dorp x.yaml; says err "did you mean 'drop'?"
expect 2 "$PLIANT" new house x.yaml; says err "drop, press, grasp and robot"
expect 2 "$PLIANT" new drop; says err "usage: pliant new KIND FILE"
expect 2 "$PLIANT" new drop no/such/folder/x.yaml; says err "cannot be written"
end
