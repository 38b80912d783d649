"""tour.py SOURCE: the files of docs/tour.md exist, and its table "Where do I add" is what the tree needs.

For each row a sample of its kind is looked for in include/ and src/: a file that mentions it must be in the row. Readers of robot files and
the command may use kinds as they like.
"""
import os
import re
import sys

from report import Report

# row -> a name that only such a thing has
SAMPLES = {
    "a hyperelastic law": ["PL_MATERIAL_SAINT_VENANT_KIRCHHOFF", "pl_law_stvk"],
    "an element": ["PL_ELEMENT_TET4_SMOOTHED"],
    "a joint": ["PL_JOINT_UNIVERSAL", "PL_JOINT_SCREW"],
    "a sensor": ["PL_SENSOR_GYRO", "PL_SENSOR_ORIENTATION"],
    "an option": ["contact_points", "gap_closing", "PL_OPTION_COUNT = [0-9]+"],
    "a reader of meshes": ["pl_read_ply"],
    "a subcommand": ["new_main"],
    "a law of the convex solver": ["pl_sap_cone_calc"],
    "a shape": ["PL_SHAPE_CAPSULE", "PL_SHAPE_CYLINDER", "PL_SHAPE_ELLIPSOID"],
}
MOST = 3
USERS = re.compile(r"src/(rigid|deform|contact|constraint|sap|step)/")  # the code that uses an option
FREE = re.compile(r"src/input/(urdf|sdf|mjcf|robot)\w*\.c$")
NAME = re.compile(r"`((?:src|include)/[\w/]+\.[ch])`")


def rows(text):
    """{what: (files that must change, files that may)}"""
    table = text[text.index("## Where do I add"):]
    found = {}
    for what, files in re.findall(r"^\| (an? [^|]+) \| (.*) \|$", table, re.M):
        optional = " ".join(re.findall(r"\(optional[^)]*\)", files))
        found[what] = (set(NAME.findall(files.replace(optional, "") if optional else files)), set(NAME.findall(optional)))
    return found


def mentions(source, word):
    found = set()
    for top in ("include", "src"):
        for folder, _, names in os.walk(os.path.join(source, top)):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith((".c", ".h")):
                    with open(path, encoding="utf-8") as f:
                        if re.search(rf"\b{word}\b", f.read()):
                            found.add(os.path.relpath(path, source))
    return found


def missing_files(source, text):
    named = set(NAME.findall(text)) | set(re.findall(r"`((?:test|tools)/[a-z_/]+(?:\.py)?)`", text))
    for stage in re.findall(r"^\| [\w ]+ \| [^|]* \| (`[^|]+) \| [^|]* \| [^|]* \|$", text, re.M):
        named |= {"src/" + name for name in re.findall(r"`([\w/]+\.c)`", stage)}
    return [f"{name} is not in the tree" for name in sorted(named) if not os.path.exists(os.path.join(source, name))]


def ordered(source):
    """Comparisons by < and > with a kind of the table: a new kind at the end of its list would be on one side of them."""
    word = re.compile(r"[<>]=? *(PL_(?:SENSOR|JOINT|SHAPE|MATERIAL|ELEMENT)_[A-Z0-9_]+)|(PL_(?:SENSOR|JOINT|SHAPE|MATERIAL|ELEMENT)_[A-Z0-9_]+) *[<>]")
    kinds = set()
    for name in ("sensor", "rigid", "shape", "material"):
        with open(os.path.join(source, "include", "pliant", name + ".h"), encoding="utf-8") as f:
            for body in re.findall(r"typedef enum pl(?:SensorKind|JointKind|ShapeKind|MaterialKind|Element) \{(.*?)\}", f.read(), re.S):
                kinds |= set(re.findall(r"PL_[A-Z0-9_]+", re.sub(r"//.*", "", body)))
    problems = [] if len(kinds) > 40 else [f"only {len(kinds)} kinds were found"]
    for folder, _, names in os.walk(os.path.join(source, "src")):
        for name in (n for n in sorted(names) if n.endswith((".c", ".h"))):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                for number, line in enumerate(f, 1):
                    for pair in word.findall(line.partition("//")[0]):
                        kind = pair[0] or pair[1]
                        if kind in kinds and not kind.endswith("_COUNT"):
                            problems.append(f"{os.path.relpath(os.path.join(folder, name), source)}:{number} compares with {kind} by its number")
    return problems


def main():
    source = sys.argv[1]
    report = Report("tour")
    with open(os.path.join(source, "docs", "tour.md"), encoding="utf-8") as f:
        text = f.read()
    table = rows(text)
    report.check("files", missing_files(source, text))
    report.check("order of kinds", ordered(source))
    report.check("rows", [f"docs/tour.md has no row '{what}'" for what in SAMPLES if what not in table])
    for what, (must, may) in table.items():
        problems = [] if len(must) <= MOST else [f"{len(must)} files, at most {MOST}"]
        own = {name for name in must if re.search(r"own file beside `" + re.escape(name), text)}
        for word in SAMPLES.get(what, []):
            found = {name for name in mentions(source, word) if not FREE.match(name) and not (what == "an option" and USERS.match(name))}
            stray = found - must - may
            beside = sorted(name for name in stray if name.endswith(".c") and os.path.dirname(name) in {os.path.dirname(o) for o in own})
            stray -= set(beside[:1])  # the sample's own file, which is another one than the row's example
            problems += [f"{word} is mentioned in {name}, which the row '{what}' does not list" for name in sorted(stray)]
            if not found:
                problems.append(f"{word} is not in the tree")
        report.check(what, problems)
    report.end()


main()
