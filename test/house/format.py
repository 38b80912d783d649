"""format.py SOURCE CLANG_FORMAT: every C file is as .clang-format says, but for files that a script makes.

Skipped where CLANG_FORMAT is empty or another version than Debian 12's.
"""
import os
import subprocess
import sys

from report import Report

FOLDERS = ["include", "src", "test", "bench", "python", "examples"]


def c_files(source):
    for top in FOLDERS:
        for folder, _, names in sorted(os.walk(os.path.join(source, top))):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".c", ".h")))


def is_made(path):
    with open(path, encoding="utf-8") as f:
        return f.readline().startswith("// Made by ")


def complaints(program, source, paths):
    run = subprocess.run([program, "--dry-run", "-Werror", *paths], cwd=source, capture_output=True, text=True, check=False)
    return sorted({line.split(":")[0] for line in run.stderr.splitlines() if "error:" in line})


def main():
    source, program = sys.argv[1:3]
    report = Report("format")
    if not program:
        report.skip("no clang-format; apt-get install clang-format adds it")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if " 14." not in version:
        report.skip(f"{version.strip()}: versions format differently, and the rule is that of 14, Debian 12's")
    paths = [path for path in c_files(source) if not is_made(path)]
    bad = []
    for i in range(0, len(paths), 100):
        bad += complaints(program, source, paths[i:i + 100])
    report.check("clang-format -i repairs it", [os.path.relpath(path, source) for path in bad])
    report.check("files", [] if len(paths) > 300 else [f"only {len(paths)} files were found"])
    report.end()


main()
