# files.sh: what a stranger's scene may write, what is never overwritten, pipes, links, full disks, odd names.
. "$(dirname "$0")/check.sh"

# scene FILE CSV NAME: a body of that name, falling, with that recording and table
scene() {
  printf 'pliant: 1\noptions: {duration: 0.02}\nrecording: {file: "%s", csv: "%s", signals: [time]}\n' "$1" "$2"
  printf 'deformables:\n  - {name: "%s", shape: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}\n' "${3:-b}"
}
kept() { true_that "$1 is as it was" test "$(cat "$1")" = "$2"; }

# A scene's outputs stay below the working folder: no absolute path, no way up, no link out of it.
mkdir -p work outside && cd work || exit 1
echo 'echo hello' >../outside/profile
ln -s ../outside link && ln -s ../outside/profile table.csv && ln -s ../outside/new fresh.plrec
for bad in /tmp/pliant_never.plrec ../outside/x.plrec a/../../outside/x.plrec 'x;y.plrec' 'a b.plrec'; do
  scene "$bad" t.csv >s.yaml; expect 2 "$PLIANT" run s.yaml --quiet; says err "below the working folder"
done
true_that "nothing was made" test ! -e /tmp/pliant_never.plrec -a ! -e ../outside/x.plrec
scene link/x.plrec t.csv >s.yaml; expect 2 "$PLIANT" run s.yaml --quiet; says err "below the working folder"
scene r.plrec table.csv >s.yaml; expect 2 "$PLIANT" run s.yaml --quiet; says err "below the working folder"
scene fresh.plrec t.csv >s.yaml; expect 2 "$PLIANT" run s.yaml --quiet; says err "below the working folder"
kept ../outside/profile 'echo hello'
true_that "no file outside" test ! -e ../outside/new -a ! -e ../outside/x.plrec
mkdir sub && ln -s sub inside
scene inside/r.plrec sub/t.csv >s.yaml; expect 0 "$PLIANT" run s.yaml --quiet
true_that "below is fine" test -s sub/r.plrec -a -s sub/t.csv
expect 0 "$PLIANT" run s.yaml --quiet --record ../outside/r.plrec --csv ../outside/t.csv --signals time
true_that "the command line may name any folder" test -s ../outside/r.plrec -a -s ../outside/t.csv

# Nothing is overwritten that holds something else; what is of the kind, or empty, is.
echo 'alias ls=rm' >notes
for word in "--record" "--csv" "--json" "--png" "--save"; do
  expect 2 "$PLIANT" run s.yaml --quiet $word notes --signals time; says err "not overwritten"; kept notes 'alias ls=rm'
done
scene notes t.csv >n.yaml; expect 2 "$PLIANT" run n.yaml --quiet; says err "not overwritten"; kept notes 'alias ls=rm'
scene r.plrec notes >n.yaml; expect 2 "$PLIANT" run n.yaml --quiet; says err "not overwritten"; kept notes 'alias ls=rm'
expect 0 "$PLIANT" run s.yaml --quiet --record o.plrec --csv o.csv --signals time --json o.json --save o.state
expect 0 "$PLIANT" export o.plrec --png o.png --size 64x48
picture="--png o.png"; ! instrumented || picture=
expect 0 "$PLIANT" run s.yaml --quiet --record o.plrec --csv o.csv --signals time --json o.json $picture --save o.state
: >empty; expect 0 "$PLIANT" run s.yaml --quiet --json empty; says empty '"steps": 2'
printf 'time [s],x\n1,2\n' >old.csv; expect 0 "$PLIANT" run s.yaml --quiet --csv old.csv --signals time; says old.csv '"time [s]"'

# All outputs are checked before one of them is emptied: where a run is refused, what it would replace is as it was.
for flag in "--csv notes --signals time" "--csv o.csv --signals nobody.com.z" "--csv no/such/folder.csv --signals time" "--json notes" "--json no/such/folder.json" \
  "--png notes" "--save notes" "--save ." "--load notes" "--load empty" "--set options.nothing=1" "--set options.dt=-1" "--record notes" "--record no/such/folder.plrec"; do
  expect 0 "$PLIANT" run s.yaml --quiet --record o.plrec --csv o.csv --signals time
  cp o.plrec o.plrec0; cp o.csv o.csv0
  expect 2 "$PLIANT" run s.yaml --quiet --record o.plrec --csv o.csv --signals time $flag
  true_that "both are as they were after $flag" test "$(cmp o.plrec o.plrec0 && cmp o.csv o.csv0)" = ""
done

# No two outputs are one file: it is refused before the run, not after it.
for flags in "--csv one --signals time --json one" "--record one --save one" "--json one --save one"; do
  expect 2 "$PLIANT" run s.yaml --quiet $flags; says err "two outputs"; true_that "nothing was begun: $flags" test ! -e one
  rm -f one
done
: >two; ln two three; expect 2 "$PLIANT" run s.yaml --quiet --json two --save three; says err "two outputs"; true_that "empty as before" test ! -s two
scene both both >n.yaml; expect 2 "$PLIANT" run n.yaml --quiet; says err "two outputs"; true_that "nothing was begun" test ! -e both
expect 2 "$PLIANT" export o.plrec --csv one --signals time --points one; says err "two outputs"; true_that "nothing was begun" test ! -e one
expect 0 "$PLIANT" run s.yaml --quiet --csv /dev/null --signals time --json /dev/null

# The same of meshes and exports: what this program wrote, in whatever format, it may write again.
printf '# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n' >tet.vtk
kinds="obj stl ply vtk vtu msh mesh node"; ! instrumented || kinds="obj vtu node"
for text in 'alias ls=rm' '# notes\n# of mine\nv = 3\n' '#!/bin/sh\nv\n' 'solid plans\nfor the year\n' '12 apples\n' '<?xml version="1.0"?>\n<svg/>\n'; do
  printf "$text" >precious; cp precious precious0
  for ending in $kinds; do
    cp precious m.$ending; expect 2 "$PLIANT" mesh tet.vtk m.$ending; says err "not overwritten"
    true_that "m.$ending is as it was" cmp precious0 m.$ending
  done
done
rm -f m.*
for ending in obj stl ply vtk vtu msh mesh node; do
  for n in 1 2; do expect 0 "$PLIANT" mesh tet.vtk m.$ending; done
done
for flag in --obj --ply --csv --points --png --gif; do
  more=; case $flag in --csv) more='--signals time' ;; --gif) more='--every 2' ;; esac
  echo 'alias ls=rm' >notes; expect 2 "$PLIANT" export o.plrec $flag notes $more; says err "not overwritten"; kept notes 'alias ls=rm'
  for n in 1 2; do expect 0 "$PLIANT" export o.plrec $flag x$flag $more --size 64x48; done
done
# It is refused before anything is drawn: pictures this large would take minutes.
for flag in --png --gif; do expect 2 timeout 20 "$PLIANT" export o.plrec $flag notes --size 8000x8000; says err "not overwritten"; done
mkdir -p series; echo 'alias ls=rm' >series/series.pvd
expect 2 "$PLIANT" export o.plrec --vtu series; says err "not overwritten"; kept series/series.pvd 'alias ls=rm'
rm series/series.pvd; for n in 1 2; do expect 0 "$PLIANT" export o.plrec --vtu series; done

# Names are letters, digits and _ - . /; control characters are never shown.
for bad in '$(touch hacked)' '`id`' 'a b' 'a;b' 'a\"b' 'Ä'; do
  scene r.plrec t.csv "$bad" >s2.yaml; expect 2 "$PLIANT" run s2.yaml --quiet; says err "letters, digits and _ - . /"
done
printf 'pliant: 1\ndeformables:\n  - {name: "a\\e[2Jb", shape: box}\n' >s2.yaml
expect 2 "$PLIANT" run s2.yaml; true_that "no escape is shown" test "$(tr -d '\n -~' <err | wc -c)" -eq 0
# Nor are those in the names of files, whichever command prints them.
# A name with a line end stays in its line, in scenes and in robot files.
printf 'pliant: 1\ndeformables: [{name: "a\\nforged", shape: box, size: [1, 1, 1], cells: [1, 1, 1]}]\n' >s3.yaml
expect 2 "$PLIANT" run s3.yaml; true_that "an error is one line" test "$(wc -l <err)" -eq 1
printf '<robot name="r"><link name="a&#10;forged&#9;b"/></robot>' >s3.urdf
expect 0 "$PLIANT" info s3.urdf; true_that "no line is forged" test "$(cat out err | grep -c '^forged')" -eq 0
# A scene's own outputs are plain files: a pipe would hold the program until someone reads it.
mkfifo pipe.csv pipe.plrec
scene r5.plrec pipe.csv >s5.yaml; expect 2 timeout 20 "$PLIANT" run s5.yaml; says err "this is a pipe"
scene pipe.plrec t5.csv >s5.yaml; expect 2 timeout 20 "$PLIANT" run s5.yaml; says err "this is a pipe"
escape=$(printf 'x\033[2J\302\2332K\342\200\256y\342\201\246z\342\200\250')
plain() { expect 0 "$PLIANT" "$@"; true_that "no escape is shown by $1" test "$(cat out err | tr -d '\n -~' | wc -c)" -eq 0; }
scene r.plrec t.csv >"$escape.yaml"; plain info "$escape.yaml"
plain run "$escape.yaml" --record "$escape.plrec"; plain info "$escape.plrec"; plain export "$escape.plrec"
plain mesh tet.vtk "$escape.vtu"; plain info "$escape.vtu"; plain new drop "$escape.new.yaml"
scene r.plrec t.csv body-1.left/upper_2 >s2.yaml; expect 0 "$PLIANT" run s2.yaml --quiet --csv d.csv --signals body-1.left/upper_2.com.z
says d.csv '"body-1.left/upper_2.com.z [m]"'
expect 0 "$PLIANT" run s2.yaml --quiet --set deformables.body-1.left/upper_2.material.young=2e5

# A file whose name is not UTF-8: the report is UTF-8 all the same.
odd=$(printf 'odd\377.yaml'); scene r.plrec t.csv >"$odd"
expect 0 "$PLIANT" run "$odd" --quiet --json odd.json; says odd.json '"name": "odd\u00ff"'

# Continuing in the recording that was loaded; another model, or an earlier frame, is refused and changes nothing.
scene r.plrec t.csv >s.yaml
expect 0 "$PLIANT" run s.yaml --quiet --until 0.05 --record whole.plrec --json whole.json
# is_whole FILE: it has all frames and is finished, and its end is that of a run without a stop
is_whole() {
  expect 0 "$PLIANT" info "$1"; says out "frames         6, from 0 s to 0.05 s"; says out "finished       yes"
  expect 0 "$PLIANT" run s.yaml --quiet --load "$1" --until 0.05 --json end.json
  true_that "$1 ends with the same bits" test "$(field end.json state_hash)" = "$(field whole.json state_hash)"
}
expect 0 "$PLIANT" run s.yaml --quiet --until 0.02 --record x.plrec
expect 0 "$PLIANT" run s.yaml --quiet --until 0.05 --load x.plrec --record x.plrec; is_whole x.plrec
# Frames that --set changed keep what they were made with.
expect 0 "$PLIANT" run s.yaml --quiet --until 0.02 --record z.plrec
expect 0 "$PLIANT" run s.yaml --quiet --until 0.05 --load z.plrec --record z.plrec --set options.dt=0.005 --save z.state
for end in z.plrec z.state; do
  expect 0 "$PLIANT" run s.yaml --quiet --load $end --until 0.1 --json $end.json; true_that "$end: 10 steps of 0.005 s" test "$(field $end.json steps)" -eq 10
done
true_that "a recording and a state of the end give the same bits" test "$(field z.plrec.json state_hash)" = "$(field z.state.json state_hash)"
expect 0 "$PLIANT" run s.yaml --quiet --load z.plrec --from 0.02 --until 0.04 --json z.json; true_that "2 steps of 0.01 s" test "$(field z.json steps)" -eq 2
head -c $(($(wc -c <whole.plrec) - 1000)) whole.plrec >cut.plrec
expect 0 "$PLIANT" run s.yaml --quiet --until 0.05 --load cut.plrec --record cut.plrec; is_whole cut.plrec
cp whole.plrec y.plrec; expect 2 "$PLIANT" run s.yaml --quiet --load y.plrec --from 0.02 --record y.plrec --until 0.1
says err "record into another file"; true_that "untouched" cmp whole.plrec y.plrec
sed 's/^pliant: 1/&\nshapes: [{name: wall, shape: half_space, pose: {position: [0, 0, -9]}}]/' s.yaml >other.yaml
expect 2 "$PLIANT" run other.yaml --quiet --load y.plrec --record y.plrec; true_that "untouched" cmp whole.plrec y.plrec

# --save goes through links and never replaces a device or a pipe.
: >real.state; ln -s real.state link.state; ln -s made.state dangling.state
expect 0 "$PLIANT" run s.yaml --quiet --save link.state; true_that "the link stays" test -L link.state -a -s real.state
expect 0 "$PLIANT" run s.yaml --quiet --save dangling.state; true_that "the link stays" test -L dangling.state -a -s made.state
expect 0 "$PLIANT" run s.yaml --quiet --save /dev/null; true_that "the device stays" test -c /dev/null
# It is written beside the old state first: what a crash left there is replaced, what is somebody's is not.
echo precious >real.state.part; expect 2 "$PLIANT" run s.yaml --quiet --save real.state; says err "not overwritten"; kept real.state.part precious
rm real.state.part; mkfifo real.state.part; expect 2 timeout 20 "$PLIANT" run s.yaml --quiet --save real.state; says err "in the way"; rm real.state.part
cp real.state before.state; head -c 100 real.state >real.state.part; expect 0 "$PLIANT" run s.yaml --quiet --save real.state
true_that "the state is whole and alone" test ! -e real.state.part -a "$(cmp real.state before.state)" = ""
mkfifo pipe; (cat pipe >piped) & expect 0 "$PLIANT" run s.yaml --quiet --save pipe; wait
true_that "a pipe gets the state and stays" test -p pipe; true_that "the same bytes" cmp piped real.state
expect 0 "$PLIANT" run s.yaml --quiet --csv /dev/stdout --signals time; says out '"time [s]"'

# An edge that is not a length is refused, not taken as if none were given.
for bad in 0 -1 -0; do expect 2 "$PLIANT" mesh tet.vtk edge.vtu --edge $bad; says err "must be positive"; done

# Pipes, devices and folders are no inputs, and nobody waits for them.
for bad in pipe /dev/zero .; do
  expect 2 timeout 20 "$PLIANT" run "$bad"; says err "is read from a plain file"; expect 2 timeout 20 "$PLIANT" run s.yaml --load "$bad"
done
mkfifo mesh.obj; expect 2 timeout 20 "$PLIANT" info mesh.obj; says err "pipe"
printf 'pliant: 1\ndeformables: [{name: m, mesh: mesh.obj, edge: 0.1}]\n' >m.yaml; expect 2 timeout 20 "$PLIANT" run m.yaml; says err "'mesh.obj' is a pipe"
mkfifo room.yaml hose.urdf; mkdir folder.obj
printf 'pliant: 1\ndeformables: [{name: m, mesh: folder.obj, edge: 0.1}]\n' >m.yaml; expect 2 "$PLIANT" run m.yaml; says err "'folder.obj' is a folder"
printf 'pliant: 1\ndeformables: [{name: m, mesh: /dev/zero, edge: 0.1}]\n' >m.yaml; expect 2 timeout 20 "$PLIANT" run m.yaml; says err "'/dev/zero' is a device"
printf 'pliant: 1\ninclude: room.yaml\n' >m.yaml; expect 2 timeout 20 "$PLIANT" run m.yaml; says err "'room.yaml' is a pipe"
printf 'pliant: 1\nrobots: [{name: r, file: hose.urdf}]\n' >m.yaml; expect 2 timeout 20 "$PLIANT" run m.yaml; says err "'hose.urdf' is a pipe"
expect 2 timeout 20 "$PLIANT" info hose.urdf; says err "a pipe"
printf '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="mesh.obj"/></geometry></collision></link></robot>' >piped.urdf
printf 'pliant: 1\nrobots: [{name: r, file: piped.urdf}]\n' >m.yaml; expect 2 timeout 20 "$PLIANT" run m.yaml; says err "this is a pipe"
mkfifo data.bin; printf '{"asset":{"version":"2.0"},"buffers":[{"uri":"data.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}' >m.gltf
expect 2 timeout 20 "$PLIANT" info m.gltf; says err "this is a pipe"

# Lengths beyond reason, and edges that would need more tetrahedra than anybody has: refused at once, with an edge that would do.
printf 'v 0 0 0\nv 1e199 0 0\nv 0 1e199 0\nv 0 0 1e199\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' >huge.obj; sed 's/1e199/1/g' huge.obj >one.obj
expect 2 timeout 20 "$PLIANT" mesh huge.obj huge.vtu --edge 1e198; says err "at most 1e+30"
expect 2 timeout 20 "$PLIANT" mesh one.obj huge.vtu --scale 1e25 --edge 1e24; says err "at most 1e+12 m"
expect 2 timeout 20 "$PLIANT" mesh one.obj huge.vtu --edge 1e199; says err "from 1e-12 to 1e+12"
expect 2 timeout 20 "$PLIANT" mesh one.obj huge.vtu --edge 1e-12 --max-tets 5000; says err "would do"
edge=$(sed -n 's/.*an edge of \([^ ]*\) m would do.*/\1/p' err); expect 0 "$PLIANT" mesh one.obj one.vtu --edge "$edge" --max-tets 5000
expect 2 timeout 20 "$PLIANT" run s.yaml --set options.dt=1e-300; says err "steps of dt"

# A full disk: what could not be printed or written is no success; tables end with a whole line, recordings do not say finished.
if [ -w /dev/full ]; then
  "$PLIANT" info s.yaml >/dev/full 2>err; true_that "printing to a full disk fails" test $? -ne 0
  "$PLIANT" --help >/dev/full 2>err; true_that "help too" test $? -ne 0
  expect 2 "$PLIANT" run s.yaml --quiet --csv /dev/full --signals time
  expect 2 "$PLIANT" run s.yaml --quiet --json /dev/full
  expect 2 "$PLIANT" run s.yaml --quiet --record /dev/full; says err "No space left on device"
fi
# Files of at most 64 blocks of 512 bytes, without the signal that would kill the program: a disk that is full after so much.
(ulimit -f 64; trap '' XFSZ; "$PLIANT" run s.yaml --quiet --until 5 --csv full.csv --signals 'time,b.com,b.momentum' --set recording.every=1 >out 2>err; echo $? >rc)
true_that "a table that could not be written is a failure" test "$(cat rc)" -ne 0
true_that "it ends with a whole line" test "$(tail -c 1 full.csv | od -An -tx1 | tr -d ' ')" = 0a
(ulimit -f 64; trap '' XFSZ; "$PLIANT" run s.yaml --quiet --until 5 --record full.plrec >out 2>err; echo $? >rc)
true_that "nor a recording" test "$(cat rc)" -ne 0
expect 0 "$PLIANT" info full.plrec; says out "finished       no"

# Mesh files: a limit that is an option, endings in capitals, pointers of Git LFS.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >TRI.OBJ
expect 0 "$PLIANT" info TRI.OBJ; says out "1"
expect 2 "$PLIANT" info TRI.OBJ --mesh-limit 1e-5; says err "limit"
for ending in VTK VTU MSH MESH NODE ELE OBJ STL PLY; do
  expect 0 "$PLIANT" mesh tet.vtk CAPITALS.$ending; expect 0 "$PLIANT" info CAPITALS.$ending; says out "CAPITALS.$ending"
done
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' >lfs.stl
expect 2 "$PLIANT" info lfs.stl; says err "Git LFS pointer, not the mesh"
cp lfs.stl lfs.urdf; expect 2 "$PLIANT" info lfs.urdf; says err "Git LFS pointer, not the robot"
cp lfs.stl lfs.yaml; expect 2 "$PLIANT" run lfs.yaml; says err "Git LFS pointer, not the scene"

# Starts that are not meant: under a floor, inside each other, in millimetres; a robot instead of a scene.
body() { printf '  - {name: %s, shape: box, size: [%s, %s, %s], cells: [2, 2, 2], pose: {position: [0, 0, %s]}}\n' "$1" "$2" "$2" "$2" "$3"; }
start() { printf 'pliant: 1\noptions: {duration: 0}\nshapes: [{name: ground, shape: half_space}]\ndeformables:\n'; cat; }
body low 0.1 0 | start >low.yaml
body good 0.1 0.0502 | start >good.yaml
{ body one 0.1 0.2; body two 0.1 0.24; } | start >both.yaml
body long 100 60 | start >long.yaml
body tiny 0.00005 0.001 | start >tiny.yaml
for command in run info; do
  expect 0 "$PLIANT" $command low.yaml; says err "'low' starts 0.05 m below 'ground'"
  expect 0 "$PLIANT" $command good.yaml; true_that "nothing to remark" test ! -s err
  expect 0 "$PLIANT" $command both.yaml; says err "'one' and 'two' start inside each other"
  expect 0 "$PLIANT" $command long.yaml; says err "'long' is 173 m large"; says err "millimetres"
  expect 0 "$PLIANT" $command tiny.yaml; says err "'tiny' is 8.66e-05 m large"
done
cp "$SOURCE/scenes/robots/iiwa14.urdf" arm.urdf; expect 2 "$PLIANT" run arm.urdf; says err "is a robot, not a scene"; says err "file: arm.urdf"

# A collision mesh that cannot be read is an error, unless the scene or the command says that it may be left out; info lists it.
printf '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><mesh filename="nowhere.stl"/></geometry></collision></link></robot>' >r.urdf
printf 'pliant: 1\noptions: {duration: 0}\nrobots: [{name: r, file: r.urdf, base: free}]\n' >r.yaml
expect 2 "$PLIANT" run r.yaml; says err "missing_meshes"; says err "r.urdf:1"
expect 0 "$PLIANT" run r.yaml --set missing_meshes=ignore; says err "left out"
(cat r.yaml; echo 'missing_meshes: ignore') >r2.yaml; expect 0 "$PLIANT" run r2.yaml; says err "left out"
expect 0 "$PLIANT" info r.yaml; says err "nowhere.stl"; expect 0 "$PLIANT" info r.urdf; says out "nowhere.stl"
echo rubbish >nowhere.stl; expect 2 "$PLIANT" run r.yaml; says err "nowhere.stl"

# An instruction set that nobody knows is an error; the report says which one made the bits, and which compiler.
for wrong in avx1024 AVX2 'plain ' 2; do
  expect 2 env PLIANT_ISA="$wrong" "$PLIANT" run s.yaml --quiet; says err "PLIANT_ISA"
  expect 2 env PLIANT_ISA="$wrong" "$PLIANT" mesh tet.vtk isa.vtu; says err "PLIANT_ISA"
  expect 2 env PLIANT_ISA="$wrong" "$PLIANT" info tet.vtk; says err "PLIANT_ISA"
done
true_that "no mesh was written" test ! -e isa.vtu
expect 0 env PLIANT_ISA=plain "$PLIANT" run s.yaml --quiet --json isa.json
true_that "instruction set" test "$(field isa.json instruction_set)" = plain; says isa.json '"compiler": "'
end
