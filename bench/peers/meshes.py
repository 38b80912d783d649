"""Tetrahedral meshes of the scenes beside peers, as legacy VTK files that Pliant and Drake read.

    bench/peers/meshes.py FOLDER     writes all of them into FOLDER
"""
import math, os, sys
from itertools import permutations, product


def determinant(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]))


def volume(points, tet):
    """Signed volume of one tetrahedron."""
    p = [points[i] for i in tet]
    return determinant(*[[p[k][c] - p[0][c] for c in range(3)] for k in (1, 2, 3)]) / 6


def oriented(points, tets):
    """Every tetrahedron with positive volume."""
    return [list(t) if volume(points, t) > 0 else [t[0], t[2], t[1], t[3]] for t in tets]


def box(size, cells):
    """A box around the origin, cut into cells. Each cell is six tetrahedra around its diagonal (Kuhn)."""
    grid = list(product(*[range(n + 1) for n in cells]))
    index = {g: i for i, g in enumerate(grid)}
    points = [[size[c] * (g[c] / cells[c] - 0.5) for c in range(3)] for g in grid]
    tets = []
    for corner in product(*[range(n) for n in cells]):
        for path in permutations(range(3)):  # from one end of the diagonal to the other along three edges
            at, tet = list(corner), [index[corner]]
            for axis in path:
                at[axis] += 1
                tet.append(index[tuple(at)])
            tets.append(tet)
    return points, oriented(points, tets)


def split(tet, points):
    """Eight halves of a tetrahedron with whole-number corners: four at the corners, four of the octahedron between, around its shortest diagonal."""
    mid = {}
    for i in range(4):
        for j in range(i):
            mid[i, j] = mid[j, i] = tuple((a + b) // 2 for a, b in zip(tet[i], tet[j]))
    parts = [[tet[i]] + [mid[i, j] for j in range(4) if j != i] for i in range(4)]
    pairs = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]  # opposite corners of the octahedron
    a, b = min(pairs, key=lambda p: round(math.dist(points(mid[p[0]]), points(mid[p[1]])), 12))
    ring = [mid[i, j] for i, j in ((a[0], b[0]), (a[0], b[1]), (a[1], b[1]), (a[1], b[0]))]
    return parts + [[mid[a], mid[b], ring[k], ring[(k + 1) % 4]] for k in range(4)]


def ball(radius, level):
    """An octahedron of eight tetrahedra, split `level` times, its layers pushed out to spheres: 25, 129, 833, 6017 vertices."""
    n = 2**level

    def position(p):
        length, layer = math.hypot(*p), sum(map(abs, p))
        return [radius * layer / n * x / length for x in p] if length else [0.0, 0.0, 0.0]

    tets = [[(0, 0, 0), (a * n, 0, 0), (0, b * n, 0), (0, 0, c * n)] for a, b, c in product((1, -1), repeat=3)]
    for _ in range(level):
        tets = [part for tet in tets for part in split(tet, position)]
    lattice = sorted({p for tet in tets for p in tet})
    index = {p: i for i, p in enumerate(lattice)}
    points = [position(p) for p in lattice]
    return points, oriented(points, [[index[p] for p in tet] for tet in tets])


def torus(ring, tube, around, corners):
    """A torus about z: sections of a centre and `corners` vertices, wedges between them cut into three tetrahedra each."""
    points = []
    for i in range(around):
        a = 2 * math.pi * i / around
        for k in range(corners + 1):
            b, r = 2 * math.pi * k / corners, tube if k < corners else 0.0  # the last vertex is the centre
            out = ring + r * math.cos(b)
            points.append([out * math.cos(a), out * math.sin(a), r * math.sin(b)])
    tets = []
    for i, k in product(range(around), range(corners)):
        here, there = i * (corners + 1), (i + 1) % around * (corners + 1)
        # Neighbours agree on the diagonals of the quadrilaterals between them because the path goes by the number within the section.
        section = sorted((corners, k, (k + 1) % corners))
        for cut in range(3):
            tets.append([here + s for s in section[: cut + 1]] + [there + s for s in section[cut:]])
    return points, oriented(points, tets)


def write(path, mesh):
    points, tets = mesh
    with open(path, "w") as f:
        f.write(f"# vtk DataFile Version 3.0\n{os.path.basename(path)}\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {len(points)} double\n")
        f.writelines("%.17g %.17g %.17g\n" % tuple(p) for p in points)
        f.write(f"CELLS {len(tets)} {5 * len(tets)}\n")
        f.writelines("4 %d %d %d %d\n" % tuple(t) for t in tets)
        f.write(f"CELL_TYPES {len(tets)}\n" + "10\n" * len(tets))


def read(path):
    """Points and tetrahedra of a file that `write` or Drake wrote."""
    words = iter(open(path).read().split())
    for word in words:
        if word == "POINTS":
            break
    n = int(next(words))
    next(words)
    points = [[float(next(words)) for _ in range(3)] for _ in range(n)]
    for word in words:
        if word == "CELLS":
            break
    n = int(next(words))
    next(words)
    tets = []
    for _ in range(n):
        if next(words) != "4":
            raise ValueError(f"{path}: a cell is not a tetrahedron")
        tets.append([int(next(words)) for _ in range(4)])
    return points, tets


def raised(mesh, z):
    return [[p[0], p[1], p[2] + z] for p in mesh[0]], mesh[1]


MESHES = {  # file name without .vtk: how it is made
    "ball129_ball": lambda: raised(ball(0.1, 2), 0.12),
    "ball833_ball": lambda: raised(ball(0.1, 3), 0.12),
    "ball6017_ball": lambda: raised(ball(0.1, 4), 0.12),
    "softpair_ball": lambda: ([[p[0] + 0.01, p[1] + 0.02, p[2] + 0.17] for p in ball(0.06, 2)[0]], ball(0.06, 2)[1]),
    "softpair_block": lambda: raised(box((0.2, 0.2, 0.1), (4, 4, 2)), 0.0505),
    "stack_block0": lambda: raised(box((0.1, 0.1, 0.1), (3, 3, 3)), 0.0505),
    "grasp_torus": lambda: raised(torus(0.045, 0.018, 20, 6), 0.0185),
    "fingers_ball": lambda: ball(0.04, 2),
    "hand_ball": lambda: ([[p[0] + 0.31, p[1], p[2] + 0.972] for p in ball(0.05, 2)[0]], ball(0.05, 2)[1]),
}


def write_all(folder):
    os.makedirs(folder, exist_ok=True)
    for name, make in MESHES.items():
        path = os.path.join(folder, name + ".vtk")
        if not os.path.exists(path):
            write(path + ".part", make())
            os.replace(path + ".part", path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write_all(sys.argv[1])
