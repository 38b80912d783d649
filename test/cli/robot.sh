# robot.sh: pliant info on robot files, and a scene with robots.
. "$(dirname "$0")/check.sh"

expect 0 "$PLIANT" info "$SOURCE/scenes/robots/iiwa14.urdf"
says out "bodies         9, 30.61 kg in all"
says out "link_1  5.76 kg  <- joint_1 (revolute, -2.96706 to 2.96706, effort 320"
says out "motor_7  motor on joint_7"
expect 0 "$PLIANT" info "$SOURCE/scenes/robots/allegro_right.urdf"
says out "joints         22, 16 degrees of freedom"
says out "it is welded to the world"

# what is not read is named with its line, once
printf '<robot name="r">\n<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>\n<gazebo/>\n<gazebo/>\n</robot>\n' >r.urdf
expect 0 "$PLIANT" info r.urdf
says out "r.urdf:3: ignored: <gazebo> in <robot>"
true_that "a kind is named once" test "$(grep -c gazebo out)" -eq 1
says out "a  1 kg  <- free"
# remarks on the motion come first, and are errors if that is asked for
printf '<robot name="r">\n<gazebo/>\n<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><sphere radius="0"/></geometry></collision></link>\n</robot>\n' >two.urdf
expect 0 "$PLIANT" info two.urdf --json two.json
true_that "what changes the motion is told first" test "$(grep -n 'has no size' out | cut -d: -f1)" -lt "$(grep -n gazebo out | cut -d: -f1)"
true_that "the report has both kinds" test "$(grep -c '"kind": "physics", "count": 1' two.json)$(grep -c '"kind": "other"' two.json)" = 11
expect 2 "$PLIANT" info two.urdf --strict; says err "has no size"
expect 0 "$PLIANT" info r.urdf --strict
printf '<robot name="r">\n<link name="a">\n</robot>\n' >bad.urdf
expect 2 "$PLIANT" info bad.urdf; says err "bad.urdf:3"
expect 2 "$PLIANT" info nowhere.sdf; says err "nowhere.sdf"

expect 0 "$PLIANT" info "$SOURCE/scenes/arm.yaml"
says out "hand                       22       22       16"
expect 0 "$PLIANT" info "$SOURCE/scenes/arm.yaml" --json arm.json
true_that "the tables of a scene are JSON" python3 -c 'import json; assert [r["bodies"] for r in json.load(open("arm.json"))["robots"] if r["name"] == "hand"] == [22]'
# a file name that is not UTF-8 is escaped in the report
odd=$(printf 'odd\377.urdf'); cp two.urdf "$odd"
expect 0 "$PLIANT" info "$odd" --json odd.json
true_that "the report is JSON in UTF-8" python3 -c 'import json; assert json.load(open("odd.json", encoding="utf-8"))["file"] == "odd\u00ff.urdf"'
# what holds something else is not overwritten
echo 'alias rm=ls' >rc; cp rc rc0
expect 2 "$PLIANT" info two.urdf --json rc; true_that "the file is as it was" cmp rc rc0
expect 2 "$PLIANT" info "$SOURCE/scenes/arm.yaml" --json rc; true_that "the file is as it was" cmp rc rc0
expect 0 "$PLIANT" run "$SOURCE/scenes/arm.yaml" --set options.duration=0.1
expect 2 "$PLIANT" run "$SOURCE/scenes/arm.yaml" --set robots.arm.base=glued; says err "file, weld, free"

# a chain of 400 links is shown to its end
{
  echo '<robot name="r"><link name="l0"><inertial><mass value="1"/></inertial></link>'
  i=0
  while [ $i -lt 400 ]; do
    j=$((i + 1))
    echo "<link name=\"l$j\"><inertial><mass value=\"1\"/></inertial></link><joint name=\"j$j\" type=\"fixed\"><parent link=\"l$i\"/><child link=\"l$j\"/></joint>"
    i=$j
  done
  echo '</robot>'
} >chain.urdf
expect 0 "$PLIANT" info chain.urdf; says out "l400  1 kg  <- j400 (fixed)"

# files of packages are found in the folders that --search names
mkdir -p lib/parts/meshes
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' >lib/parts/meshes/a.obj
printf '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><mesh filename="package://parts/meshes/a.obj"/></geometry></collision></link></robot>' >p.urdf
printf 'pliant: 1\nrobots:\n  - {name: r, file: p.urdf}\n' >p.yaml
expect 0 "$PLIANT" info p.urdf; says out "is not found; the shape is left out"
expect 0 "$PLIANT" info p.urdf --search lib; says out "shapes         1 for contact"
expect 0 "$PLIANT" info p.yaml --search nowhere --search lib; says out "r/a/collision"
expect 0 "$PLIANT" run p.yaml --search lib --until 0.02 --quiet
true_that "no warning" test ! -s err

end
