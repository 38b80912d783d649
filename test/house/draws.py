"""draws.py SOURCE: no expression draws two random numbers in an order that C leaves open (function arguments, initializers, operands)."""
import glob
import os
import re
import sys

from report import Report

CHECKED = ["src/*/*.[ch]", "test/*.h", "test/*/*.[ch]", "bench/*.[ch]", "bench/*/*.[ch]"]
INCLUDED = ["src", "test", "bench"]  # folders in which the compiler finds headers
COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
TOKEN = re.compile(r"\w+(?:\.\w+)?|->|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\+\+|--|\S")
ASSIGNMENT = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
SEQUENCED = {"?", ":", "&&", "||"}  # the left operand is evaluated first
CLOSING = {"(": ")", "[": "]", "{": "}"}
CONTROL = {"if", "for", "while", "switch"}
NO_CALL = CONTROL | {"return", "sizeof", "else", "do", "case"}
PROGRAM = "bench/torture/"  # several files that share functions
INCLUDE = re.compile(r'#include "([^"]+)"')
RANDOM = re.compile(r"random|Random|\bDraw\b|\b6364136223846793005|\brand\(")  # a file without these does not draw
STRUCT = re.compile(r"typedef struct \w*\s*\{([^}]*)\} (\w+);")
STATE = re.compile(r"\bplRandom \w+;|\buint64_t state;")  # members of structures that are the state of a generator
GENERATOR = re.compile(r"\b6364136223846793005|\brand\b\s*\(")  # a generator of its own, and that of the C library
REMEDY = "draw each number in a statement or a declarator of its own"


class Group:
    """A bracket with all that it holds: items are tokens (text, line) and groups."""

    def __init__(self, kind, line):
        self.kind, self.line, self.items = kind, line, []


def blank(match):
    text = match[0]
    return '""' if text[0] in "\"'" else "\n" * text.count("\n")


def parse(text):
    """The groups of a file without comments, strings and directives."""
    text = COMMENT.sub(blank, text)
    top, line, end = Group("{", 1), 1, 0
    stack = [top]
    for match in TOKEN.finditer(text):
        line += text.count("\n", end, match.start())
        end = match.start()
        token = match[0]
        if token in CLOSING:
            group = Group(token, line)
            stack[-1].items.append(group)
            stack.append(group)
        elif token in ")]}":
            if len(stack) > 1:
                stack.pop()
        else:
            stack[-1].items.append((token, line))
    return top


def word(items, i):
    """The token at i, or an empty text."""
    return items[i][0] if 0 <= i < len(items) and not isinstance(items[i], Group) else ""


def is_name(text):
    return bool(re.match(r"[A-Za-z_]", text))


def split(items, separators):
    parts = [[]]
    for i, item in enumerate(items):
        if word(items, i) in separators:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def is_block(items, i):
    """Whether the brace at i holds statements, not the values of an initializer."""
    before = items[i - 1] if i else None
    if isinstance(before, Group):
        return before.kind == "{" or (before.kind == "(" and is_name(word(items, i - 2)) and word(items, i - 2) not in ("return", "sizeof"))
    return before is None or before[0] in (";", "else", "do", ":") or is_name(before[0])


def text_of(items):
    return " ".join("( " + text_of(item.items) + " )" if isinstance(item, Group) else item[0] for item in items)


def functions(top):
    """name, parameters and body of each function of a file."""
    for i, item in enumerate(top.items):
        if isinstance(item, Group) and item.kind == "{" and i >= 2 and isinstance(top.items[i - 1], Group) and is_name(word(top.items, i - 2)):
            yield word(top.items, i - 2), text_of(top.items[i - 1].items), text_of(item.items)


class Sources:
    """All files, and for each of them the functions that draw from a state which the caller shares."""

    def __init__(self, source):
        self.texts, self.tops = {}, {}
        for pattern in CHECKED:
            for path in sorted(glob.glob(os.path.join(source, pattern))):
                with open(path, encoding="utf-8") as f:
                    self.texts[os.path.relpath(path, source)] = f.read()

    def top(self, name):
        if name not in self.tops:
            self.tops[name] = parse(self.texts[name])
        return self.tops[name]

    def unit(self, name):
        """The file with all headers that it includes; the files of one program belong together."""
        queue, unit = [name], []
        if name.startswith(PROGRAM):
            queue += [other for other in self.texts if other.startswith(PROGRAM)]
        while queue:
            file = queue.pop()
            if file in unit or file not in self.texts:
                continue
            unit.append(file)
            for header in INCLUDE.findall(self.texts[file]):
                queue += [os.path.normpath(os.path.join(folder, header)) for folder in [os.path.dirname(file), *INCLUDED]]
        return unit

    def drawing(self, name):
        """Names of the functions of a file and its headers that draw."""
        unit = [file for file in self.unit(name) if RANDOM.search(self.texts[file])]
        return drawing([f for file in unit for f in functions(self.top(file))], [self.texts[file] for file in unit]) if unit else set()


def drawing(everything, texts):
    """everything: name, parameters and body of each function. Those that draw from a state of the caller or of the file."""
    states = {"plRandom"} | {name for text in texts for body, name in STRUCT.findall(text) if STATE.search(body)}
    shared = re.compile(r"\b(" + "|".join(sorted(states)) + r") \*")
    draws = {name for name, _, body in everything if name == "pl_random_bits" or GENERATOR.search(body)}
    static = {name for name, parameters, body in everything if GENERATOR.search(body) and not shared.search(parameters)}
    calls = {name: set(re.findall(r"\b(\w+) \(", body)) - {name} for name, _, body in everything}
    known = -1
    while known < len(draws) + len(static):
        known = len(draws) + len(static)
        static |= {name for name in calls if calls[name] & static}
        draws |= static | {name for name, parameters, _ in everything if calls[name] & draws and shared.search(parameters)}
    return draws


def draws_in(items, draws):
    return any(draws_in(item.items, draws) if isinstance(item, Group) else item[0] in draws and i + 1 < len(items) and isinstance(items[i + 1], Group)
               for i, item in enumerate(items))


def atoms(items, draws):
    """Number of operands that draw: a call with its arguments is one."""
    count, i = 0, 0
    while i < len(items):
        called = word(items, i) in draws and isinstance(items[i + 1] if i + 1 < len(items) else None, Group)
        if called or (isinstance(items[i], Group) and draws_in(items[i].items, draws)):
            count += 1
        i += 2 if called else 1
    return count


def check_expression(items, draws, line, found):
    """items: an expression without commas of its own."""
    sides = split(items, ASSIGNMENT)
    if sum(draws_in(side, draws) for side in sides) > 1:
        found.append((line, "both sides of an assignment draw"))
    for side in sides:
        for part in split(side, SEQUENCED):
            if atoms(part, draws) > 1:
                found.append((line, "two operands draw"))
    for i, item in enumerate(items):
        if not isinstance(item, Group):
            continue
        parts = split(item.items, {","})
        call = item.kind == "{" or (item.kind == "(" and is_name(word(items, i - 1)) and word(items, i - 1) not in NO_CALL)
        if call and sum(draws_in(part, draws) for part in parts) > 1:
            found.append((item.line, "two values of an initializer draw" if item.kind == "{" else f"two arguments of {word(items, i - 1)} draw"))
        for part in parts:
            check_expression(part, draws, item.line, found)


def check_block(items, draws, found):
    """items: declarations and statements."""
    statement = []
    for i, item in enumerate(items):
        block = isinstance(item, Group) and item.kind == "{" and is_block(items, i)
        if block or word(items, i) == ";":
            check_statement(statement, draws, found)
            statement = []
            if block:
                check_block(item.items, draws, found)
        else:
            statement.append(item)
    check_statement(statement, draws, found)


def check_statement(items, draws, found):
    # the head of a loop or a condition is an expression of its own
    while word(items, 0) in CONTROL | {"else", "do"}:
        if word(items, 0) in CONTROL and len(items) > 1:
            check_block(items[1].items, draws, found)
            items = items[2:]
        else:
            items = items[1:]
    for part in split(items, {","}):  # declarators, or expressions joined by commas
        line = next((item.line if isinstance(item, Group) else item[1] for item in part), 0)
        check_expression(part, draws, line, found)


def complaints(sources, name):
    found = []
    draws = sources.drawing(name)
    if draws:
        check_block(sources.top(name).items, draws, found)
    return [f"{name}:{line}: {what}: {REMEDY}" for line, what in sorted(set(found))]


# What the check is there for: each function that is called wrong has one problem, the others have none.
SAMPLE = """
typedef struct Draw { int n; plRandom r; } Draw;
uint64_t pl_random_bits(plRandom* r) { return r->state++; }
double pl_random(plRandom* r, double a, double b) { return a + (b - a) * (double)pl_random_bits(r); }
static double spread(Draw* d, double a) { return a * pl_random(&d->r, 0, 1); }
static double own(int k) { plRandom r = {(uint64_t)k}; return pl_random(&r, 0, 1); }
static void wrong1(Draw* d) { text_add("%g, %g", spread(d, 1), fmin(2, spread(d, 3))); }
static plVec3 wrong2(plRandom* r) { return (plVec3){pl_random(r, 0, 1), pl_random(r, 0, 1), 0}; }
static double wrong3(plRandom* r) { double x = 1, y = pl_random(r, 0, 1) - x * pl_random(r, 0, 1); return y; }
static void wrong4(plRandom* r, double* x) { for (int i = 0; i < 3; i++) x[(int)pl_random(r, 0, 9)] += pl_random(r, 0, 1); }
static double right1(plRandom* r) { double x = pl_random(r, 0, 1), y = pl_random(r, 0, pl_random(r, 1, 2)); return x + y; }
static double right2(Draw* d) { return spread(d, 1) < 0.5 ? spread(d, 2) : spread(d, 3) > 1 && spread(d, 4) > 1; }
static double right3(double* v, plRandom* r) { return v[0] = pl_random(r, 0, 1), v[1] = pl_random(r, 0, 1), own(1) + own(2); }
"""


def main():
    report = Report("draws")
    sources = Sources(sys.argv[1])
    for folder in ["src", "test", "bench"]:
        names = [name for name in sources.texts if name.startswith(folder + "/")]
        report.check(folder, [c for name in names for c in complaints(sources, name)] if names else ["no file was found"])
    sources.texts["sample.c"] = SAMPLE
    wrong = [number for number, line in enumerate(SAMPLE.splitlines(), 1) if "wrong" in line]
    found = [int(c.split(":")[1]) for c in complaints(sources, "sample.c")]
    report.check("sample", [] if found == wrong else [f"lines {found} are found, {wrong} are wrong"])
    report.end()


main()
