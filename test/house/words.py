"""words.py SOURCE: headers, messages, docs and the comments of src/ use the field's words, not the private ones of words.txt."""
import glob
import os
import re
import sys

from report import Report

DOCS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "THIRD_PARTY.md", "docs/*.md", "docs/pliant.1"]
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def read_rules(path):
    words, allowed, files = [], [], []
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
    return words, allowed, files


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


def main():
    source = sys.argv[1]
    report = Report("words")
    rules = read_rules(os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.txt"))
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
    problems = []
    for path in sorted(glob.glob(os.path.join(source, "src", "*", "*.[ch]"))):
        with open(path, encoding="utf-8") as f:
            text = "\n".join(line.partition("//")[2] for line in f.read().splitlines())
        problems += complaints(text, rules, os.path.relpath(path, source))
    report.check("comments", problems)
    # the check sees what it is there for
    sample = "these are told apart by their place\nbytes are swapped in place\n"
    report.check("sample", [] if len(complaints(sample, rules)) == 2 else ["private words are not found"])
    report.end()


main()
