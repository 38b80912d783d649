"""order.py SOURCE OBJECTS: no file of src/ includes or calls a folder to the right of its own (folders.py).

OBJECTS is the folder with the library's object files, src/FOLDER/NAME.c.o.
"""
import os
import re
import subprocess
import sys

from folders import KERNELS, ORDER, PIPELINE, files, includes
from report import Report


def later(a, b):
    return ORDER.index(b) > ORDER.index(a)


def unknown_folders(names):
    found = {name.split("/")[0] for name in names}
    return [f"src/{name} has no position in ORDER of test/house/folders.py" for name in sorted(found - set(ORDER))]


def wrong_includes(graph):
    problems = []
    for file, names in graph.items():
        folder = file.split("/")[0]
        for name in names:
            other = name.split("/")[0]
            if other == "pliant" or other == folder:
                continue
            if folder == "cli":
                problems.append(f"{file} includes {name}: the command uses the public headers alone")
            elif other not in ORDER or later(folder, other):
                problems.append(f"{file} includes {name}")
    return problems


def not_in_pliant_h(names, text):
    """Public headers that pliant.h, which promises everything, does not include."""
    included = set(re.findall(r'^#include "pliant/(\w+\.h)"', text, re.M)) | {"pliant.h"}
    return [f"pliant/pliant.h does not include pliant/{name}" for name in sorted(set(names) - included)]


def cycles(graph):
    """Headers that include themselves, through others or not."""
    problems, done = [], set()

    def visit(file, path):
        if file in path:
            problems.append(" -> ".join(path[path.index(file):] + [file]))
        elif file not in done:
            done.add(file)
            for name in graph.get(file, []):
                visit(name, path + [file])

    for file in sorted(graph):
        visit(file, [])
    return problems


def symbols(objects, names):
    """({symbol: file that defines it}, {file: symbols it needs})"""
    defined, needed = {}, {}
    for name in names:
        path = os.path.join(objects, "src", name + ".o")
        if not name.endswith(".c") or not os.path.exists(path):
            continue  # the command, or a kernel for another processor
        lines = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines()
        for line in lines:
            kind, symbol = line.split()[-2:]
            if kind == "U":
                needed.setdefault(name, []).append(symbol)
            elif kind in "TDBRVWC":
                defined[symbol] = name
    return defined, needed


def wrong_calls(defined, needed):
    problems = []
    for file, names in sorted(needed.items()):
        for symbol in names:
            to = defined.get(symbol)
            if to and later(file.split("/")[0], to.split("/")[0]):
                problems.append(f"{file} calls {symbol} of {to}")
    return problems


def wrong_functions(needed):
    """Functions of the C library whose last bits differ between x86-64 and aarch64 (glibc 2.36, a million arguments each: hypot, cbrt), in files
    that decide the motion. v2_norm of math/vec3.h and pow give the same bits on both."""
    return [f"{file} calls {symbol}: its last bits depend on the processor" for file, names in sorted(needed.items()) for symbol in names
            if symbol in ("hypot", "cbrt") and file.split("/")[0] != "output"]


# Functions of the library that only tests and benchmarks call, and why they are in src/.
FOR_TESTS = {
    "pl_alloc_count": "allocations of a thread",
    "pl_alloc_fail_after": "fault injection",
    "pl_lanes_deform": "the stages of the batched element work, one by one",
    "pl_lanes_whole": "the same",
    "pl_light_reaches": "plain version of pl_lights_reach",
    "pl_plain_": "plain versions",
    "pl_scene_key_row": "the tables of docs/scene.md",
    "pl_shape_half_space": "its traits; listed in geom/shape.h",
}


def alone(defined, needed, public, text_of, tests):
    """Functions that no other file of the library calls: those of one file are static, those of tests belong to the tests."""
    used = {symbol for names in needed.values() for symbol in names}
    problems = []
    for symbol, file in sorted(defined.items()):
        if symbol in used or symbol in public or symbol.startswith(tuple(FOR_TESTS)):
            continue
        inside = len(re.findall(rf"\b{symbol}\b", text_of(file))) > 1
        if inside and symbol not in tests:
            problems.append(f"{file}: {symbol} is called in this file alone: make it static")
        elif not inside:
            problems.append(f"{file}: {symbol} is called by " + ("tests alone: move it there" if symbol in tests else "nobody"))
    return problems


def words_below(source, folders):
    """Every identifier in the C files below these folders."""
    found = set()
    for folder in folders:
        for path, _, names in os.walk(os.path.join(source, folder)):
            for name in names:
                if name.endswith((".c", ".h")):
                    with open(os.path.join(path, name), encoding="utf-8") as f:
                        found.update(re.findall(r"\bpl_\w+", f.read()))
    return found


def main():
    source, objects = sys.argv[1:3]
    report = Report("order")
    graph = includes(source)
    report.check("folders", unknown_folders(graph))
    report.check("includes", wrong_includes(graph))
    headers = os.path.join(source, "include", "pliant")
    with open(os.path.join(headers, "pliant.h"), encoding="utf-8") as f:
        report.check("public headers", not_in_pliant_h(os.listdir(headers), f.read()))
    report.check("sample of a public header", [] if len(not_in_pliant_h(["a.h", "b.h"], '#include "pliant/a.h"\n')) == 1 else ["a header that is left out is not found"])
    report.check("include cycles", cycles({f: g for f, g in graph.items() if f.endswith(".h")}))
    defined, needed = symbols(objects, files(source))
    report.check("object files", [] if len(needed) > 100 else [f"only {len(needed)} object files in {objects}"])
    report.check("calls", wrong_calls(defined, needed))
    report.check("functions", wrong_functions(needed))

    def text_of(file):
        with open(os.path.join(source, "src", file), encoding="utf-8") as f:
            return f.read()

    public, tests = words_below(source, ["include"]), words_below(source, ["test", "bench"])
    report.check("functions of one file", alone(defined, needed, public, text_of, tests))
    with open(os.path.join(source, "CONTRIBUTING.md"), encoding="utf-8") as f:
        said = re.search(r"^    base .*$", f.read(), re.M)
    order = "    " + " ".join(KERNELS) + " | " + " ".join(PIPELINE) + " cli"
    report.check("CONTRIBUTING.md", [] if said and said[0] == order else ["it must have this line:" + order])
    # the checks see what they are there for
    sample = {"model/a.c": ["step/step.h"], "cli/b.c": ["model/work.h"], "step/c.c": ["model/work.h", "pliant/data.h"]}
    report.check("sample of includes", [] if len(wrong_includes(sample)) == 2 else ["wrong includes are not found"])
    calls = wrong_calls({"f": "step/c.c", "g": "base/d.c"}, {"model/a.c": ["f", "g"]})
    report.check("sample of calls", [] if len(calls) == 1 else ["wrong calls are not found"])
    report.check("sample of functions", [] if len(wrong_functions({"sap/a.c": ["hypot"], "output/b.c": ["hypot"]})) == 1 else ["hypot is not found"])
    single = alone({"pl_f": "a.c", "pl_g": "a.c", "pl_h": "a.c"}, {"b.c": ["pl_h"]}, set(), lambda _: "pl_f pl_f pl_g pl_h", {"pl_g"})
    report.check("sample of functions of one file", [] if len(single) == 2 else ["functions of one file are not found"])
    report.check("sample of cycles", [] if cycles({"a.h": ["b.h"], "b.h": ["a.h"]}) else ["a cycle is not found"])
    report.end()


main()
