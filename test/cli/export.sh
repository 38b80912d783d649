# export.sh: pliant export: every kind of file, frames by time and number, an interrupted recording, wrong words.
. "$(dirname "$0")/check.sh"

expect 0 "$PLIANT" run block --until 0.3 --record b.plrec --quiet
expect 0 "$PLIANT" export b.plrec
says out "31 frames, from 0 s to 0.3 s"
says out "body   block"
says out "shape  ground"
expect 0 "$PLIANT" export b.plrec --list
true_that "every frame is listed" test "$(wc -l <out)" -eq 31

# Tables: the header carries units; the same numbers as during the run.
expect 0 "$PLIANT" export b.plrec --csv after.csv --signals 'time, block.com, contact(ground,block).force.z'
true_that "a line per frame and the header" test "$(wc -l <after.csv)" -eq 32
says after.csv '"time [s]","block.com.x [m]","block.com.y [m]","block.com.z [m]","block.com.norm [m]","contact(ground,block).force.z [N]"'
expect 0 "$PLIANT" run block --until 0.3 --csv live.csv --signals 'time, block.com, contact(ground,block).force.z' --quiet
true_that "live and replayed tables agree" cmp -s live.csv after.csv
expect 2 "$PLIANT" export b.plrec --csv x.csv --signals block.comm
says err "did you mean 'com'"
expect 2 "$PLIANT" export b.plrec --csv x.csv
says err "go together"

# Contact points: one line each; the block's weight is their sum.
expect 0 "$PLIANT" export b.plrec --points points.csv
says points.csv '"pressure [Pa]","shear_x [Pa]"'
true_that "the points of the last frame carry the block" awk -F, '$1 > 0.2999 {f += $14} END {exit !(f < -1 || f > 1)}' points.csv

# VTU series.
expect 0 "$PLIANT" export b.plrec --vtu frames --every 10
true_that "the collection" test "$(grep -c DataSet frames/frames.pvd)" -eq 8
true_that "the files" test -s frames/block_0003.vtu -a -s frames/contacts_0003.vtu

# One frame: the last, by time, by number.
expect 0 "$PLIANT" export b.plrec --obj a.obj --ply a.ply
says out "frame 30, t = 0.3 s"
true_that "a surface" test "$(grep -c '^f ' a.obj)" -gt 10
expect 0 "$PLIANT" export b.plrec --obj a.obj --time 0.104
says out "frame 10, t = 0.1 s"
expect 0 "$PLIANT" export b.plrec --obj a.obj --frame 0
says out "frame 0, t = 0 s"
for wrong in 31 -1 -2 1.5; do
  expect 2 "$PLIANT" export b.plrec --obj a.obj --frame $wrong
  says err "0 .. 30"
done
expect 2 "$PLIANT" export b.plrec --obj a.obj --time 9
says err "from 0 s to 0.3 s"

# Pictures.
expect 0 "$PLIANT" export b.plrec --png p.png --size 160x100 --colour von_mises --view 20,30 --contacts --clock --zoom 1.2
true_that "a PNG file" test "$(head -c 4 p.png | tail -c 3)" = PNG
expect 0 "$PLIANT" export b.plrec --png 'shot%03d.png' --every 15 --size 64x48 --colour speed
says out "3 pictures"
true_that "all pictures" test -s shot000.png -a -s shot001.png -a -s shot002.png
expect 2 "$PLIANT" export b.plrec --png 'shot%s.png'
says err "takes one %d"
expect 2 "$PLIANT" export b.plrec --png p.png --colour vonmises
says err "did you mean 'von_mises'"
expect 0 "$PLIANT" export b.plrec --gif p.gif --size 64x48 --every 10
says out "4 pictures, 0.1 s each"
for many in 31 1000 2147483647; do
  expect 0 "$PLIANT" export b.plrec --gif one.gif --size 64x48 --every $many; says out "1 pictures"
  expect 0 "$PLIANT" export b.plrec --csv one.csv --signals time --every $many; true_that "one line" test "$(wc -l <one.csv)" -eq 2
done
true_that "a GIF file" test "$(head -c 6 p.gif)" = GIF89a
expect 2 "$PLIANT" export b.plrec --gif p.gif --size 64x48
says err "take every N-th frame"
for wrong in "--size 10" "--size 1x1" "--view 10" "--view 0,95" "--range 3,1" "--zoom 0"; do
  expect 2 "$PLIANT" export b.plrec --png p.png $wrong
done

# A recording that was cut off says so and gives what it has.
head -c "$(($(wc -c <b.plrec) - 1000))" b.plrec >cut.plrec
expect 0 "$PLIANT" export cut.plrec --obj a.obj
says err "cut off"
says err "30 frames are whole, up to t = 0.29 s"
says out "frame 29"
head -c 500 b.plrec >stump.plrec
expect 2 "$PLIANT" export stump.plrec
says err "ends inside its model"
expect 2 "$PLIANT" export "$SOURCE/README.md"
expect 2 "$PLIANT" export nowhere.plrec

# Help teaches the signals.
expect 0 "$PLIANT" export --help
says out "contact(A,B).force"
says out "pliant export run.plrec --vtu folder"
expect 2 "$PLIANT" export

end
