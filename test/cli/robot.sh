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
printf '<robot name="r">\n<link name="a">\n</robot>\n' >bad.urdf
expect 2 "$PLIANT" info bad.urdf; says err "bad.urdf:3"
expect 2 "$PLIANT" info nowhere.sdf; says err "nowhere.sdf"

expect 0 "$PLIANT" info "$SOURCE/scenes/arm.yaml"
says out "hand                       22       22       16"
expect 0 "$PLIANT" run "$SOURCE/scenes/arm.yaml" --set options.duration=0.1
expect 2 "$PLIANT" run "$SOURCE/scenes/arm.yaml" --set robots.arm.base=glued; says err "file, weld, free"

end
