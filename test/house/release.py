"""release.py SOURCE: one version everywhere; what scripts draw and write of the tree is up to date."""
import os
import re
import subprocess
import sys

from report import Report

source = sys.argv[1]
report = Report("release")


def text(name):
    with open(os.path.join(source, name), encoding="utf-8") as f:
        return f.read()


header = text("include/pliant/types.h")
version = ".".join(re.search(rf"^#define PL_VERSION_{part} ([0-9]+)", header, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH"))
minor = version.rsplit(".", 1)[0]
MENTIONS = [
    ("CHANGELOG.md", r"^## ([0-9.]+)$", version),
    ("CITATION.cff", r"^version: ([0-9.]+)$", version),
    ("docs/pliant.1", r'"pliant ([0-9.]+)"', minor),
]
for name, pattern, wanted in MENTIONS:
    found = re.search(pattern, text(name), re.M)
    report.check(name, [] if found and found[1] == wanted else [f"it must name version {wanted} of pliant/types.h"])
# the Python package reads the version from the header
report.check("pyproject.toml", [] if re.search(r'^dynamic = \["version"\]$', text("pyproject.toml"), re.M) else ["its version must be dynamic"])
regex = re.search(r"^regex = '(.*)'$", text("pyproject.toml"), re.M)
read = re.search(regex[1], header) if regex else None
report.check("version of the package", [] if read and ".".join(read.group("major", "minor", "patch")) == version else ["its expression does not find the version"])
check = subprocess.run([sys.executable, os.path.join(source, "tools", "third_party"), "--check"], capture_output=True, text=True, check=False)
report.check("THIRD_PARTY.md", [] if check.returncode == 0 else [check.stderr.strip()])
# the tour: its picture is that of the includes, its files exist
check = subprocess.run([sys.executable, os.path.join(source, "tools", "draw_folders"), "--check"], capture_output=True, text=True, check=False)
report.check("docs/images/folders.svg", [] if check.returncode == 0 else [check.stderr.strip()])
named = re.findall(r"`((?:src|include)/[\w/]+\.[ch])`", text("docs/tour.md"))
report.check("docs/tour.md", [f"{name} does not exist" for name in named if not os.path.exists(os.path.join(source, name))] if len(named) > 20 else ["it names no files"])
report.end()
