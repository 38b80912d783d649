#!/usr/bin/env python3
"""Mesh files against an independent reader and writer: meshio.

    meshio_roundtrip.py MESH_CONVERT FOLDER

Files that meshio writes must be read by us with the same numbers, and the other way round. Without meshio the test is skipped (77).
"""
import os
import subprocess
import sys

try:
    import meshio
    import numpy as np
except ImportError as reason:
    fails = bool(os.environ.get("PLIANT_NO_SKIP")) and not os.environ.get("PLIANT_SETUP_FAILED")
    print(f"skipped: {reason}\nmeshio_roundtrip: 0 passed, {int(fails)} failed, {int(not fails)} skipped")
    sys.exit(1 if fails else 77)

CONVERT, FOLDER = sys.argv[1], sys.argv[2]
passed = failed = 0


def block(n):
    """A block of n cells each way, slightly shaken so that no coordinate is short: points, tets, boundary triangles."""
    rng = np.random.default_rng(7)
    m = n + 1
    k, j, i = np.meshgrid(np.arange(m), np.arange(m), np.arange(m), indexing="ij")
    points = np.stack([i.ravel(), j.ravel(), k.ravel()], axis=1) / n + 0.1 / n * rng.random((m**3, 3))
    paths = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]
    tets = []
    for c in np.ndindex(n, n, n):
        corner = [(c[2] + (b & 1)) + m * ((c[1] + (b >> 1 & 1)) + m * (c[0] + (b >> 2 & 1))) for b in range(8)]
        tets += [[corner[b] for b in path] for path in paths]
    tets = np.array(tets)
    faces = {}
    for tet in tets:
        for face in ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)):
            triangle = tuple(tet[list(face)])
            faces.setdefault(tuple(sorted(triangle)), []).append(triangle)
    return points, tets, np.array([f[0] for f in faces.values() if len(f) == 1])


def dump(path):
    """What our reader finds in a file."""
    done = subprocess.run([CONVERT, "dump", path], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    lines = done.stdout.split("\n")
    nvert, ntet, ntri = map(int, lines[0].split())
    rows = [line.split() for line in lines[1:]]
    points = np.array([list(map(float, row)) for row in rows[:nvert]]).reshape(-1, 3)
    tets = np.array([list(map(int, row)) for row in rows[nvert : nvert + ntet]]).reshape(-1, 4)
    tris = np.array([list(map(int, row)) for row in rows[nvert + ntet : nvert + ntet + ntri]]).reshape(-1, 3)
    return points, tets, tris


def cells(mesh, kind):
    found = [c.data for c in mesh.cells if c.type == kind]
    width = 4 if kind == "tetra" else 3
    return np.concatenate(found) if found else np.zeros((0, width), dtype=int)


def places(points, elements):
    """Elements as places, which do not depend on the numbering of the vertices."""
    return points[elements] if len(elements) else np.zeros((0, 3, 3))


def check(name, condition, detail=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name} {detail}")


def compare(name, ours, theirs, tolerance=0.0):
    for what, a, b in zip(("tets", "triangles"), (places(ours[0], ours[1]), places(ours[0], ours[2])),
                          (places(theirs[0], theirs[1]), places(theirs[0], theirs[2]))):
        check(f"{name}: {what}", a.shape[0] == b.shape[0] and (len(a) == 0 or np.abs(a - b).max() <= tolerance),
              f"{a.shape} {b.shape}")


def from_meshio(name, filename, points, tets, tris, tolerance=0.0, **options):
    """meshio writes, we read."""
    path = os.path.join(FOLDER, filename)
    groups = [(kind, data) for kind, data in (("tetra", tets), ("triangle", tris)) if data is not None]
    try:
        meshio.Mesh(points, groups).write(path, **options)
        read = dump(path)
    except Exception as error:  # noqa: BLE001 - any failure is a failed check
        check(name, False, f"{type(error).__name__}: {error}")
        return
    empty4, empty3 = np.zeros((0, 4), int), np.zeros((0, 3), int)
    compare(name, read, (points, empty4 if tets is None else tets, empty3 if tris is None else tris), tolerance)


def to_meshio(name, source, filename, points, tets, tris, tolerance=0.0):
    """We read source and write filename, meshio reads it."""
    path = os.path.join(FOLDER, filename)
    try:
        done = subprocess.run([CONVERT, source, path], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        mesh = meshio.read(path)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - meshio exits on a file that it cannot read
        check(name, False, f"{type(error).__name__}: {error}")
        return
    compare(name, (mesh.points, cells(mesh, "tetra"), cells(mesh, "triangle")), (points, tets, tris), tolerance)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    points, tets, tris = block(4)
    single = points.astype(np.float32).astype(float)
    none3 = np.zeros((0, 3), int)

    # Volume formats, as meshio writes them.
    both = (points, tets, tris)
    from_meshio("vtk 4.2 ascii", "a.vtk", *both, file_format="vtk42", binary=False)
    from_meshio("vtk 4.2 binary", "b.vtk", *both, file_format="vtk42", binary=True)
    from_meshio("vtk 5.1 ascii", "c.vtk", *both, file_format="vtk51", binary=False)
    from_meshio("vtk 5.1 binary", "d.vtk", *both, file_format="vtk51", binary=True)
    from_meshio("vtu ascii", "a.vtu", *both, tolerance=1e-11, binary=False)
    from_meshio("vtu binary", "b.vtu", *both, binary=True, compression=None)
    from_meshio("vtu zlib", "c.vtu", *both, binary=True, compression="zlib")
    from_meshio("vtu zlib 32 bit", "d.vtu", *both, binary=True, compression="zlib", header_type="UInt32")
    from_meshio("vtu zlib 64 bit", "e.vtu", *both, binary=True, compression="zlib", header_type="UInt64")
    from_meshio("gmsh 2.2 ascii", "a.msh", *both, file_format="gmsh22", binary=False)
    from_meshio("gmsh 2.2 binary", "b.msh", *both, file_format="gmsh22", binary=True)
    # meshio writes one kind of element to version 4.1 unless told about entities.
    for kind, chosen in (("tets", (points, tets, None)), ("triangles", (points, None, tris))):
        from_meshio(f"gmsh 4.1 ascii {kind}", f"c_{kind}.msh", *chosen, file_format="gmsh", binary=False)
        from_meshio(f"gmsh 4.1 binary {kind}", f"d_{kind}.msh", *chosen, file_format="gmsh", binary=True)
    from_meshio("medit", "a.mesh", *both)
    from_meshio("tetgen", "a.node", points, tets, None)

    # Surfaces.
    from_meshio("ply ascii", "a.ply", points, None, tris, binary=False)
    from_meshio("ply binary", "b.ply", points, None, tris, binary=True)
    from_meshio("obj", "a.obj", points, None, tris, tolerance=1e-14)
    from_meshio("stl ascii", "a.stl", single, None, tris, tolerance=1e-6, binary=False)
    from_meshio("stl binary", "b.stl", single, None, tris, binary=True)
    from_meshio("vtk surface", "e.vtk", points, None, tris, file_format="vtk51")

    # Ours, as meshio reads them. (Gmsh and Medit files keep triangles before tetrahedra; the order within a kind is the same.)
    source = os.path.join(FOLDER, "b.vtu")
    for filename in ("ours.vtk", "ours.vtu", "ours.msh", "ours.mesh"):
        to_meshio(f"our {filename}", source, filename, *both)
    to_meshio("our tetgen", source, "ours.node", points, tets, none3)
    # meshio writes triangles in the order of the dictionary of faces: by tet, then by face, as our boundary does.
    none4 = np.zeros((0, 4), int)
    to_meshio("our obj", source, "ours.obj", points, none4, tris)
    to_meshio("our ply", source, "ours.ply", points, none4, tris)
    to_meshio("our stl", source, "ours.stl", single, none4, tris)

    # Through all of ours in turn: the last bit stays.
    chain = source
    for number, extension in enumerate((".vtk", ".msh", ".mesh", ".vtu", ".node")):
        path = os.path.join(FOLDER, f"chain{number}{extension}")
        subprocess.run([CONVERT, chain, path], check=True)
        chain = path
    read = dump(chain)
    check("chain: points", np.array_equal(read[0], points))
    check("chain: tets", np.array_equal(read[1], tets))

    print(f"meshio_roundtrip: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
