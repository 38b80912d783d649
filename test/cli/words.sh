# words.sh: help, version, wrong words, wrong scenes: exit status and sentence.
. "$(dirname "$0")/check.sh"

expect 0 "$PLIANT" --help; says out "usage: pliant COMMAND"
expect 0 "$PLIANT" --version; says out "pliant "
expect 2 "$PLIANT"; says err "usage"
expect 2 "$PLIANT" rum; says err "did you mean 'run'?"
for command in new run view bench info mesh export; do
  expect 0 "$PLIANT" $command --help; says out "Examples:"; says out "pliant $command"
done
expect 2 "$PLIANT" bench --scene teddi; says err "did you mean 'teddy'?"
expect 2 "$PLIANT" run; says err "usage: pliant run SCENE"
expect 2 "$PLIANT" run a b; says err "unexpected argument"
expect 2 "$PLIANT" run block --recrod x; says err "did you mean '--record'?"
expect 2 "$PLIANT" run block --time 1; says err "--help\` lists them"
expect 2 "$PLIANT" run block --until; says err "--until needs a value"
expect 2 "$PLIANT" run block --until soon; says err "takes a number"
expect 2 "$PLIANT" run block --until -1; says err "0 s or later"
expect 2 "$PLIANT" run block --threads 0; says err "at least 1"
expect 2 "$PLIANT" run block --csv a.csv; says err "--csv needs --signals"
expect 2 "$PLIANT" run block --quiet=1; says err "takes no value"
expect 2 "$PLIANT" run nowhere; says err "there is no scene 'nowhere'"
expect 2 "$PLIANT" run blok; says err "did you mean 'block'?"
expect 2 "$PLIANT" run no/where.yaml; says err "there is no file"
expect 2 "$PLIANT" run "$SOURCE/scenes"; says err "is a folder"

# Wrong scenes name file, line and column.
printf 'pliant: 1\noptions:\n  dtt: 0.1\n' >wrong.yaml
expect 2 "$PLIANT" run wrong.yaml; says err "wrong.yaml:3:3: unknown key 'dtt' in options; did you mean 'dt'?"
printf 'pliant: 1\ndeformables:\n  - {name: a, mesh: none.vtk}\n' >wrong.yaml
expect 2 "$PLIANT" run wrong.yaml; says err "wrong.yaml:3:21: the mesh file 'none.vtk' does not exist"
expect 2 "$PLIANT" info wrong.yaml
expect 2 "$PLIANT" run block --set options.dt; says err "--set takes KEY=VALUE"
expect 2 "$PLIANT" run block --set options.dtt=1; says err "override options.dtt=1: there is no key 'dtt' in options; did you mean 'dt'?"
expect 2 "$PLIANT" run block --set options.gravity.2=-1; says err "give all of it"
expect 2 "$PLIANT" run block --set options.dt=fast; says err "must be a number"
expect 2 "$PLIANT" run block --set deformables.ball.scale=2; says err "no entry 'ball'; it has 1: block"

printf 'pliant: 1\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], pose: {rpy: [0, 90, 0]}}\n' >degrees.yaml
expect 0 "$PLIANT" run degrees.yaml --until 0; says err "degrees.yaml:3:56: an angle of 90 rad"
: >a.plrec
expect 2 "$PLIANT" run a.plrec; says err "is a recording, not a scene"

# A region without vertices is found when the scene is compiled.
expect 2 "$PLIANT" run block --set 'deformables.block.fixed=[{region: {shape: sphere, radius: 0.001, centre: [9, 9, 9]}}]'; says err "block.yaml"

# Files that cannot be read or written.
expect 2 "$PLIANT" run block --until 0 --load nothing.state
echo rubbish >rubbish.state
expect 2 "$PLIANT" run block --until 0 --load rubbish.state
expect 2 "$PLIANT" run block --until 0 --record no/such/folder/a.plrec
expect 2 "$PLIANT" run block --until 0 --json no/such/folder/a.json
expect 2 "$PLIANT" run block --csv a.csv --signals nothing.com.z
expect 2 "$PLIANT" info nothing.vtk
expect 2 "$PLIANT" mesh nothing.vtk out.vtk

expect 0 "$PLIANT" info --scenes; says out "cantilever"; says out "block"
end
