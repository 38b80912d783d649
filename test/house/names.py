"""names.py SOURCE: comments and docs name only what is there: files of the tree, tests, and identifiers of the library."""
import glob
import os
import re
import sys

from report import Report

CODE = ["include/pliant/*.h", "src/*/*.[ch]", "test/*.h", "test/*/*.[ch]", "bench/*.[ch]", "bench/*/*.[ch]"]
DOCS = ["README.md", "CONTRIBUTING.md", "docs/*.md"]
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"//([^\n]*)")
FILE = re.compile(r"(?<![\w/.*])((?:[a-z0-9_]+/)*[a-z][a-z0-9_]+\.[ch])\b(?!\()")
IDENTIFIER = re.compile(r"(?<![\w/])((?:pl|PL)_\w+|pl[A-Z]\w+)\b(?![*.])")
OTHERS = {"stdio.h", "k_sin.c", "k_cos.c", "mujoco/mujoco.h"}  # files of the C library, of fdlibm and of MuJoCo
MADE = {"page.c"}  # written by the build
EXAMPLES = {"x.c", "test_x.c", "hello.c", "x_avx2.c", "x_avx512.c", "plThing", "pl_thing_verb", "PL_THING"}


def read(source, patterns):
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(source, pattern))):
            with open(path, encoding="utf-8") as f:
                yield os.path.relpath(path, source), f.read()


class Tree:
    def __init__(self, files, texts):
        self.files, self.names = files, {os.path.basename(file) for file in files}
        self.words = {word for text in texts for word in re.findall(r"\w+", COMMENT.sub("", text))}
        self.tests = {os.path.dirname(f)[5:] + "/" + os.path.basename(f)[5:-2] for f in files if re.match(r"test/\w+/test_\w+\.c$", f)}
        self.folders = {f.split("/")[1] for f in files if f.startswith("src/")}

    def has_file(self, name):
        return name in self.names | OTHERS | MADE | EXAMPLES or "/" in name and any(file == name or file.endswith("/" + name) for file in self.files)

    def has_word(self, word):
        """PL_SWEEP_DEEPs: several of PL_SWEEP_DEEP; pl_batch_: all that begin so."""
        return word in self.words | EXAMPLES or word.rstrip("s") in self.words or word.endswith("_") and any(w.startswith(word) for w in self.words)


def complaints(path, text, tree):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if path.endswith(".md"):
            said = line
            found += [f"{path}:{number}: there is no test {name}" for name in re.findall(r"`([a-z]+/[a-z0-9_]+)`", line)
                      if name.split("/")[0] in tree.folders and name not in tree.tests and not any(f.startswith("src/" + name) for f in tree.files)]
        else:
            said = "".join(COMMENT.findall(STRING.sub('""', line)))
        found += [f"{path}:{number}: there is no file {name}" for name in FILE.findall(said) if not tree.has_file(name)]
        found += [f"{path}:{number}: there is no {name}" for name in IDENTIFIER.findall(said) if not tree.has_word(name)]
    return found


def main():
    source = sys.argv[1]
    report = Report("names")
    code = list(read(source, CODE))
    files = {os.path.relpath(os.path.join(folder, name), source) for top in ("include", "src", "test", "bench", "python", "examples")
             for folder, _, names in os.walk(os.path.join(source, top)) for name in names}
    tree = Tree(files, [text for _, text in code] + [text for _, text in read(source, ["python/src/*.[ch]"])])
    report.check("comments", [problem for path, text in code for problem in complaints(path, text, tree)])
    report.check("docs", [problem for path, text in read(source, DOCS) for problem in complaints(path, text, tree)])
    sample = complaints("a.c", "int x;  // as pl_was_renamed of gone.c does, step/step.c too\n", tree)
    sample += complaints("a.md", "`step/gone` and `step/parts` show it.\n", tree)
    report.check("sample", [] if len(sample) == 3 else sample)
    report.end()


if __name__ == "__main__":
    main()
