# mesh.sh: pliant info and pliant mesh on meshes.
. "$(dirname "$0")/check.sh"

# A closed surface: a tetrahedron of edge lengths about 1 with one face turned the wrong way.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n' >t.obj
expect 0 "$PLIANT" info t.obj
says out "vertices       4"
says out "boundary       4 triangles"
expect 0 "$PLIANT" mesh t.obj t.stl; says out "volume         0.166666"
expect 0 "$PLIANT" mesh t.obj t.vtk --edge 0.2
says out "tetrahedra"
says out "quality"
says out "####"
expect 0 "$PLIANT" info t.vtk; says out "findings       none"
before=$(sed -n 's/^volume *\([^ ]*\).*/\1/p' out)
expect 0 "$PLIANT" info t.vtk --scale 10
true_that "ten times the size, a thousand times the volume" awk -v a="$before" -v b="$(sed -n 's/^volume *\([^ ]*\).*/\1/p' out)" \
  'BEGIN { exit !(b / a > 999.99 && b / a < 1000.01) }'
for format in vtu msh mesh; do
  expect 0 "$PLIANT" mesh t.vtk t2.$format
  expect 0 "$PLIANT" info t2.$format; says out "findings       none"
done
expect 0 "$PLIANT" mesh t.vtk skin.ply
expect 0 "$PLIANT" mesh t.vtk coarse.vtk --edge 0.15
expect 2 "$PLIANT" mesh t.obj t.vtk --edge 1e-5; says err "tetrahedra"
expect 2 "$PLIANT" mesh t.obj t.vtk --edge 0.01 --max-tets 100; says err "t.obj"
expect 2 "$PLIANT" mesh t.obj t.nonsense
expect 2 "$PLIANT" mesh t.obj t.vtk --edge -1
expect 2 "$PLIANT" mesh t.obj

# A filling that leaves out much of what is enclosed says so; one that leaves out too much is refused, with an edge that would do.
expect 0 "$PLIANT" mesh t.obj some.vtk --edge 0.25; says err "fill only 85 % of the enclosed volume"
printf 'pliant: 1\noptions: {duration: 0}\ndeformables: [{name: t, mesh: t.obj, edge: 0.25}]\n' >some.yaml
expect 0 "$PLIANT" run some.yaml; says err "some.yaml:3"; says err "fill only 85 % of the enclosed volume"
expect 2 "$PLIANT" mesh t.obj few.vtk --edge 0.35; says err "would fill 74.2 % of the enclosed volume"
edge=$(sed 's/.*an edge of \([0-9.]*\) m would do.*/\1/' err); true_that "nothing is written" test ! -e few.vtk
expect 0 "$PLIANT" mesh t.obj few.vtk --edge "$edge"; true_that "the edge that was named does" test ! -s err

# A scene made of that surface: it is filled, and simulated.
printf 'pliant: 1\noptions: {duration: 0.02}\ndeformables:\n  - {name: t, mesh: t.obj, edge: 0.02, scale: 0.1}\n' >t.yaml
expect 0 "$PLIANT" run t.yaml; says out "2 steps"
printf 'pliant: 1\ndeformables:\n  - {name: t, mesh: t.obj}\n' >t.yaml
expect 2 "$PLIANT" run t.yaml; says err "t.yaml:3:15: t.obj is a surface without tetrahedra"
# The scene's folder comes before the working folder.
mkdir sub && mv t.obj sub/ && printf 'pliant: 1\noptions: {duration: 0.01}\ndeformables:\n  - {name: t, mesh: t.obj, edge: 0.2}\n' >sub/t.yaml
expect 0 "$PLIANT" run sub/t.yaml --quiet
end
