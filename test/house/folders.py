"""folders.py: the order of the folders of src/, and what their files include. Used by order.py and tools/draw_folders."""
import os
import re

# A file includes and calls only its own folder and folders to the left.
KERNELS = "base math linalg geom fem sap".split()
PIPELINE = "model input rigid deform contact constraint sensor simulation step output batch view".split()
ORDER = KERNELS + PIPELINE + ["cli"]

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def files(source):
    """Paths below src/ of all C files, sorted."""
    found = []
    for folder in sorted(os.listdir(os.path.join(source, "src"))):
        path = os.path.join(source, "src", folder)
        if os.path.isdir(path):
            found += [folder + "/" + name for name in sorted(os.listdir(path)) if name.endswith((".c", ".h"))]
    return found


def includes(source):
    """{file: [included file]}, as paths below src/; the headers of include/pliant are "pliant/NAME.h"."""
    found = {}
    for file in files(source):
        with open(os.path.join(source, "src", file), encoding="utf-8") as f:
            text = f.read()
        own = file.split("/")[0]
        found[file] = [name if "/" in name else own + "/" + name for name in INCLUDE.findall(text)]
    return found
