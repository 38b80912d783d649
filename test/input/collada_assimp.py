#!/usr/bin/env python3
"""COLLADA files against an independent reader and writer: Assimp.

    collada_assimp.py MESH_CONVERT FOLDER

What Assimp writes as .dae must be read by us with the same triangles; a document with a tree of turned, scaled and moved nodes, with
every kind of polygon that we read and a unit, which this script writes, must be read by both alike. Assimp follows <up_axis> and turns
a z-up file to y-up, (x, y, z) -> (x, z, -y), which is undone here: ours stand as they are written. Without Assimp it is skipped (77).
"""
import importlib.util, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("gltf_assimp", os.path.join(HERE, "gltf_assimp.py"))
common = importlib.util.module_from_spec(spec)
spec.loader.exec_module(common)
FOLDER = sys.argv[2]

SOURCE = """<source id="p{0}"><float_array id="f{0}" count="{2}">{1}</float_array><technique_common><accessor source="#f{0}" count="{3}"
 stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v{0}"><input semantic="POSITION" source="#p{0}"/></vertices>"""
INPUT = '<input semantic="VERTEX" source="#v{0}" offset="0"/>'
KINDS = ['<triangles count="2">{}<p>0 1 2 0 2 3</p></triangles>', '<polylist count="2">{}<vcount>4 3</vcount><p>0 1 2 3 1 4 2</p></polylist>',
         '<polygons count="2">{}<p>0 1 4</p><p>2 3 4</p></polygons>', '<tristrips count="1">{}<p>0 1 2 3 4</p></tristrips>',
         '<trifans count="1">{}<p>4 0 1 2 3</p></trifans>']
NODE = '<node id="n{0}">{1}<instance_geometry url="#g{0}"/>{2}</node>'
MOVES = ["<translate>1 2 3</translate><rotate>0 0 1 30</rotate>", "<rotate>0.6 0.8 0 50</rotate><scale>2 0.5 1.5</scale>",
         "<matrix>0 -1 0 4 1 0 0 5 0 0 2 6 0 0 0 1</matrix>", "<scale>3 3 3</scale><translate>-1 0.5 0</translate>", ""]


def tree(path, up, metre):
    corner = [(0, 0, 0), (1, 0, 0.1), (1.2, 1, 0), (0.1, 1.3, 0.2), (0.5, 0.4, 1.7)]
    text = " ".join(str(c) for p in corner for c in p)
    geometries = "".join(f'<geometry id="g{k}"><mesh>{SOURCE.format(k, text, 15, 5)}{kind.format(INPUT.format(k))}</mesh></geometry>'
                         for k, kind in enumerate(KINDS))
    nodes = ""
    for k in reversed(range(5)):
        nodes = NODE.format(k, MOVES[k], nodes)
    open(path, "w").write(f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="u" meter="{metre}"/><up_axis>{up}</up_axis></asset>
<library_geometries>{geometries}</library_geometries><library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    at = lambda name: os.path.join(FOLDER, name)
    open(at("egg.obj"), "w").write(common.egg(12))
    common.run("assimp", "export", at("egg.obj"), at("egg.dae"))
    common.compare("egg.dae by Assimp", common.triangles(at("egg.dae")), common.triangles(at("egg.obj")))
    for up in ("Y_UP", "Z_UP"):
        for metre in (1, 0.1):
            name = f"tree_{up}_{metre}"
            tree(at(name + ".dae"), up, metre)
            common.run("assimp", "export", at(name + ".dae"), at(name + ".obj"))
            theirs = common.triangles(at(name + ".obj"))
            common.compare(f"{name} by both", common.triangles(at(name + ".dae")), common.z_up(theirs) if up == "Z_UP" else theirs)
    print(f"collada_assimp: {common.passed} passed, {common.failed} failed")
    return 1 if common.failed else 0


sys.exit(main())
