#!/usr/bin/env python3
"""glTF files against an independent reader and writer: Assimp.

    gltf_assimp.py MESH_CONVERT FOLDER

What Assimp writes as .gltf and .glb must be read by us with the same triangles; a document with a tree of turned and scaled nodes,
which this script writes, must be read by both alike. (Mirrored nodes turn their triangles round, says the format; Assimp leaves them.)
Ours are turned from y-up to z-up. Without Assimp the test is skipped (77).
"""
import base64, json, math, os, shutil, struct, subprocess, sys

if not shutil.which("assimp"):
    fails = bool(os.environ.get("PLIANT_NO_SKIP")) and not os.environ.get("PLIANT_SETUP_FAILED")
    print(f"skipped: no assimp (Debian: assimp-utils)\ngltf_assimp: 0 passed, {int(fails)} failed, {int(not fails)} skipped")
    sys.exit(1 if fails else 77)

CONVERT, FOLDER = sys.argv[1], sys.argv[2]
passed = failed = 0


def check(name, condition, detail=""):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print("FAILED", name, detail)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stdout[-400:]}{done.stderr[-400:]}")
    return done.stdout


def triangles(path):
    """Corners of every triangle, sorted so that neither order nor numbering matters; the turn of each triangle stays."""
    lines = run(CONVERT, "dump", path).split("\n")
    nvert, ntet, ntri = map(int, lines[0].split())
    x = [tuple(map(float, line.split())) for line in lines[1:1 + nvert]]
    out = []
    for line in lines[1 + nvert + ntet:1 + nvert + ntet + ntri]:
        corner = [x[int(i)] for i in line.split()]
        k = min(range(3), key=lambda i: [round(c, 4) for c in corner[i]])
        out.append(corner[k:] + corner[:k])
    return sorted(out, key=lambda t: [[round(c, 4) for c in p] for p in t])


def z_up(tri):
    turned = [[(x, -z, y) for x, y, z in t] for t in tri]
    out = []
    for corner in turned:
        k = min(range(3), key=lambda i: [round(c, 4) for c in corner[i]])
        out.append(corner[k:] + corner[:k])
    return sorted(out, key=lambda t: [[round(c, 4) for c in p] for p in t])


def compare(name, ours, theirs):
    worst = max((abs(a - b) for t, u in zip(ours, theirs) for p, q in zip(t, u) for a, b in zip(p, q)), default=9)
    check(name, len(ours) == len(theirs) and worst < 2e-5, f"{len(ours)} and {len(theirs)} triangles, off by {worst:.3g}")
    print(f"{name}: {len(ours)} triangles, off by {worst:.2g}")


def egg(n):
    """A closed surface without symmetry, as OBJ."""
    lines = []
    for i in range(1, n):
        for j in range(2 * n):
            a, b = math.pi * i / n, math.pi * j / n
            lines.append(f"v {1.5 * math.sin(a) * math.cos(b) + 0.1 * math.cos(a):.5f} {math.sin(a) * math.sin(b):.5f} {2 * math.cos(a):.5f}")
    lines += ["v 0.1 0 2.1", "v -0.1 0 -2.2"]
    top, bottom = 2 * n * (n - 1) + 1, 2 * n * (n - 1) + 2
    at = lambda i, j: 1 + 2 * n * i + j % (2 * n)
    for j in range(2 * n):
        lines += [f"f {top} {at(0, j)} {at(0, j + 1)}", f"f {bottom} {at(n - 2, j + 1)} {at(n - 2, j)}"]
        for i in range(n - 2):
            lines += [f"f {at(i, j)} {at(i + 1, j)} {at(i + 1, j + 1)}", f"f {at(i, j)} {at(i + 1, j + 1)} {at(i, j + 1)}"]
    return "\n".join(lines) + "\n"


def tree(path):
    """Six nodes, four of them with a mesh of interleaved vertices, strips and fans."""
    corner = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3), (1.5, 1, 1)]
    data = b"".join(struct.pack("<6f", *c, 0, 1, 0) for c in corner)
    lists = [(5123, "H", [0, 2, 1, 0, 1, 3, 0, 3, 2]), (5121, "B", [1, 2, 3, 4]), (5125, "I", [4, 1, 3, 2])]
    accessors, views = [{"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3", "min": [0, 0, 0], "max": [1.5, 2, 3]}], \
        [{"buffer": 0, "byteLength": len(data), "byteStride": 24, "target": 34962}]
    for code, form, ids in lists:
        data += bytes(-len(data) % 4)
        packed = struct.pack(f"<{len(ids)}{form}", *ids)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(packed), "target": 34963})
        accessors.append({"bufferView": len(views) - 1, "componentType": code, "count": len(ids), "type": "SCALAR"})
        data += packed
    half, third = math.sqrt(0.5), math.pi / 3
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 4]}],
        "nodes": [{"children": [1, 2], "translation": [0.5, -1, 2], "rotation": [0, 0, half, half]},
                  {"mesh": 0, "scale": [2, 0.5, 1]},
                  {"children": [3], "rotation": [math.sin(third / 2), 0, 0, math.cos(third / 2)], "mesh": 0},
                  {"mesh": 0, "scale": [1, -1, -1], "translation": [5, 0, 0]},
                  {"children": [5]},
                  {"mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 3, 0, -7, 1, 1, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": i + 1, "mode": mode} for i, mode in enumerate((4, 5, 6))]}],
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": views, "accessors": accessors}
    json.dump(document, open(path, "w"))


def main():
    os.makedirs(FOLDER, exist_ok=True)
    at = lambda name: os.path.join(FOLDER, name)
    open(at("egg.obj"), "w").write(egg(12))
    wanted = z_up(triangles(at("egg.obj")))
    for name in ("egg.gltf", "egg.glb"):
        run("assimp", "export", at("egg.obj"), at(name))
        compare(f"{name} by Assimp", triangles(at(name)), wanted)
    tree(at("tree.gltf"))
    run("assimp", "export", at("tree.gltf"), at("tree.obj"))
    compare("tree.gltf by both", triangles(at("tree.gltf")), z_up(triangles(at("tree.obj"))))
    print(f"gltf_assimp: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
