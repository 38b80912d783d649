"""words.py SOURCE: headers, messages, docs, comments, scripts and the names in NAMED use the field's words, not the private ones of words.txt."""
import glob
import os
import re
import sys

from report import Report

DOCS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "THIRD_PARTY.md", "docs/*.md", "docs/pliant.1"]
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMENTED = ["src/*/*.[ch]", "test/*.h", "test/*/*.[ch]", "bench/*.[ch]", "bench/*/*.[ch]"]
# whole files: Python, shell, scenes and CMake; those of this folder that list the words are left out
SCRIPTS = ["python/pliant/*.py", "python/pliant/*/*.py", "python/tests/*.py", "python/more/*.py", "bench/python", "bench/peers/*", "tools/*", "tools/validation/*.py", "examples/*.py",
           "test/cli/*.sh", "test/house/*.py", "scenes/*.yaml", "CMakeLists.txt", "cmake/*", "*/CMakeLists.txt"]
NAMED = ["include/pliant/*.h", "src/contact/*.[ch]", "src/constraint/*.[ch]"]  # their identifiers are checked too


def read_rules(path):
    words, allowed, files, names = [], [], [], []
    with open(path, encoding="utf-8") as f:
        for line in f:
            kind, _, rest = line.strip().partition(" ")
            if kind == "word":
                pattern, _, better = rest.partition(" => ")
                words.append((re.compile(pattern, re.I), better))
            elif kind == "allow":
                allowed.append(re.compile(rest, re.I))
            elif kind == "allow-file":
                files.append(tuple(rest.split(" ", 1)))
            elif kind == "name":
                pattern, _, better = rest.partition(" => ")
                names.append((re.compile(pattern), better))
    return (words, allowed, files), names


def complaints(text, rules, name="", messages_only=False):
    words, allowed, files = rules
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        said = line
        if messages_only:
            said = " ".join(STRING.findall(line)) if "#include" not in line else ""
            said = " ".join(part for part in said.split() if "/" not in part)  # no paths
        for pattern in allowed:
            said = pattern.sub(" ", said)
        for pattern, better in words:
            match = pattern.search(said)
            if match and (name, better) not in files:
                found.append(f"{name}:{number}: '{match[0]}': the field says {better}")
    return found


def sources(source, patterns):
    for pattern in patterns:
        for path in sorted(path for path in glob.glob(os.path.join(source, pattern)) if os.path.isfile(path)):
            with open(path, encoding="utf-8") as f:
                yield os.path.relpath(path, source), f.read().splitlines()


def code_of(lines):
    """The lines without comments, strings and includes."""
    return "\n".join("" if "#include" in line else STRING.sub("", line).partition("//")[0] for line in lines)


def main():
    source = sys.argv[1]
    report = Report("words")
    rules, names = read_rules(os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.txt"))
    groups = {
        "public headers": (["include/pliant/*.h"], False),
        "docs": (DOCS, False),
        "messages": (["src/*/*.c", "src/*/*.h"], True),
    }
    for group, (patterns, messages_only) in groups.items():
        problems, count = [], 0
        for pattern in patterns:
            for path in sorted(glob.glob(os.path.join(source, pattern))):
                count += 1
                with open(path, encoding="utf-8") as f:
                    problems += complaints(f.read(), rules, os.path.relpath(path, source), messages_only)
        report.check(group, problems if count else ["no file was found"])
    report.check("comments", [c for name, lines in sources(source, COMMENTED)
                              for c in complaints("\n".join(line.partition("//")[2] for line in lines), rules, name)])
    scripts = [(name, lines) for name, lines in sources(source, SCRIPTS) if name != os.path.join("test", "house", "words.py") and not name.endswith((".c", ".h"))]
    report.check("scripts", [c for name, lines in scripts for c in complaints("\n".join(lines), rules, name)] if len(scripts) > 60 else ["they were not found"])
    report.check("names", [c for name, lines in sources(source, NAMED) for c in complaints(code_of(lines), (names, [], []), name)])
    # the check sees what it is there for
    sample = "these are told apart by their place\nbytes are swapped in place\n"
    report.check("sample", [] if len(complaints(sample, rules)) == 2 else ["private words are not found"])
    sample = 'double window; // window\ninclude("window", replace, displaced, place_of, given);\n'
    found = complaints(code_of(sample.splitlines()), (names, [], []))
    report.check("sample of names", [] if len(found) == 2 else ["private names are not found"])
    report.end()


main()
