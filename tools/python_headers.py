"""Reads the public headers: structs with members, shapes and comments, enumerations, functions with comments.

The headers are regular (clang-format keeps them so), which lets a small reader do; what it does not understand is an error, never skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

HEADERS = ["types", "material", "mesh", "shape", "spec", "rigid", "sensor", "parameters", "model", "sap", "data", "dynamics", "ik", "forces", "output", "stream", "view", "batch"]


@dataclass
class Member:
    type: str  # "double", "const int*", "plVec3"
    name: str
    length: str  # of an array member: "6", "PL_STAGE_COUNT"; else ""
    doc: str
    section: str = ""


@dataclass
class Struct:
    name: str
    doc: str
    members: list[Member]


@dataclass
class Enum:
    name: str
    doc: str
    values: list[tuple[str, int, str]]  # constant, number, comment

    def words(self) -> list[tuple[str, int, str]]:
        """The values as Python writes them: lower case, without what all have in front; counts left out."""
        kept = [v for v in self.values if not v[0].endswith("_COUNT")]
        parts = [v[0].split("_") for v in kept]
        n = 0
        while all(len(p) > n + 1 and p[n] == parts[0][n] for p in parts):
            n += 1
        return [("_".join(p[n:]).lower().removeprefix("error_"), number, doc) for p, (_, number, doc) in zip(parts, kept)]


@dataclass
class Function:
    name: str
    result: str
    arguments: str
    doc: str
    header: str


@dataclass
class Headers:
    structs: dict[str, Struct] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)


def comment_of(line: str) -> tuple[str, str]:
    """Code and comment of a line."""
    at = line.find("//")
    return (line, "") if at < 0 else (line[:at], line[at + 2 :].strip())


def declarations(lines: list[str], separator: str) -> list[tuple[str, str, str]]:
    """(code, comment, section) of each declaration in a body; comments behind it and on the lines that continue it belong to it."""
    found: list[tuple[str, str, str]] = []
    code, doc, section, group = "", "", "", ""
    for line in lines:
        text, comment = comment_of(line)
        if not text.strip():
            if comment.startswith("----"):
                section = comment.strip("- ")
            elif comment and not code.strip() and len(text) <= 2:
                # A comment of its own belongs to those below it that have none.
                group = f"{group} {comment}" if found and found[-1][0] == "" else comment
                found.append(("", "", ""))
            elif comment and (code.strip() or (found and len(text) > 2)):
                if code.strip():
                    doc = f"{doc} {comment}"
                else:
                    found[-1] = (found[-1][0], f"{found[-1][1]} {comment}".strip(), found[-1][2])
            elif not comment:
                group = ""
            continue
        code += " " + text.strip()
        doc = f"{doc} {comment}".strip()
        # Several short ones may stand in one line; the last of an enumeration has no separator.
        parts = code.split(separator)
        for part in parts[:-1]:
            found.append((part.strip(), doc or group, section))
        code = parts[-1]
        if len(parts) > 1:
            doc = doc if code.strip() else ""
    if code.strip():
        found.append((code.strip(), doc or group, section))
    return [f for f in found if f[0]]


def members_of(lines: list[str]) -> list[Member]:
    members = []
    for code, doc, section in declarations(lines, ";"):
        if code.startswith("union {"):  # the laws' parameters: read by hand where they are needed
            code = code[len("union {") :].strip()
        if code.startswith("}"):
            continue
        match = re.fullmatch(r"((?:(?:const|struct|unsigned|long)\s+)*\w+(?:\s+const)?(?:\s*\*(?:\s*const)?)*)(?:\s+|(?<=\*))([\w*].*)", code, re.S)
        if not match:
            raise SystemExit(f"a member that is not understood: {code}")
        kind = re.sub(r"\s*\*", "*", match[1].strip())
        for name in match[2].split(","):
            part = re.fullmatch(r"\s*(\**)(\w+)(?:\[(\w+)\])?\s*", name)
            if not part:
                raise SystemExit(f"a member that is not understood: {code}")
            if part[2] == "mark":  # definitions start from their default function, which sets it
                continue
            members.append(Member(kind + part[1], part[2], part[3] or "", doc.strip(), section))
    return members


def values_of(lines: list[str]) -> list[tuple[str, int, str]]:
    values, number = [], 0
    for code, doc, _ in declarations(lines, ","):
        match = re.fullmatch(r"(\w+)(?:\s*=\s*(-?\w+))?", code)
        if not match:
            raise SystemExit(f"an enumeration that is not understood: {code}")
        if match[2]:
            number = int(match[2], 0)
        values.append((match[1], number, doc))
        number += 1
    return values


def read_header(path: Path, out: Headers) -> None:
    lines = path.read_text().splitlines()
    block: list[str] = []  # the comment above
    group = ""  # the comment of the functions above, which those that follow without a gap share
    i = 0
    while i < len(lines):
        line = lines[i]
        stripped = line.strip()
        i += 1
        if not stripped:
            block, group = [], ""
            continue
        if stripped.startswith("//"):
            text = stripped[2:].strip()
            if group:
                group, block = "", []
            block.append("" if text.startswith("----") else text)
            continue
        doc = " ".join(b for b in block if b)
        define = re.match(r"#define (PL_\w+) (-?[\d.eE-]+)\b", line)
        if define:
            out.constants[define[1]] = define[2]
        if stripped.startswith("#") or stripped in ('extern "C" {', "}"):
            continue
        match = re.match(r"(typedef )?(struct|enum)(?: (\w+))? \{(.*)$", line)
        if match:
            body, rest = [], match[4]
            while "}" not in comment_of(rest)[0]:
                body.append(rest)
                rest = lines[i]
                i += 1
                # a union inside a struct ends with a brace of its own
                while comment_of(rest)[0].strip() == "};" and "union {" in "".join(body) and match[1]:
                    rest = lines[i]
                    i += 1
            code, tail = comment_of(rest)
            body.append(code[: code.index("}")] + (f"  // {tail}" if tail and match[2] == "enum" else ""))
            name = match[3] or ""
            after = code[code.index("}") + 1 :].strip(" ;")
            name = name or after
            doc = f"{doc} {tail}".strip() if match[2] == "struct" else doc
            if match[2] == "enum":
                out.enums[name or f"{path.stem}_{i}"] = Enum(name, doc, values_of(body))
            else:
                out.structs[name] = Struct(name, doc, members_of(body))
            block = []
            continue
        code, tail = comment_of(line)
        while ";" not in code:
            more, extra = comment_of(lines[i])
            i += 1
            code, tail = f"{code} {more.strip()}", f"{tail} {extra}".strip()
        while i < len(lines) and re.match(r"\s{8,}//", lines[i]):
            tail = f"{tail} {lines[i].strip()[2:].strip()}"
            i += 1
        match = re.match(r"\s*PL_API (.+?)(\bpl_\w+)\((.*)\)\s*;", code, re.S)
        if match:
            own = f"{doc or group} {tail}".strip()
            out.functions[match[2]] = Function(match[2], match[1].strip(), re.sub(r"\s+", " ", match[3]), own, path.stem)
            group = doc or group
        block = []


def read_headers(root: Path, names: list[str] | None = None) -> Headers:
    out = Headers()
    for name in names or HEADERS:
        read_header(root / "include" / "pliant" / f"{name}.h", out)
    for enum in out.enums.values():
        for constant, number, _ in enum.values:
            out.constants[constant] = str(number)
    return out


if __name__ == "__main__":
    headers = read_headers(Path(__file__).resolve().parent.parent)
    print(len(headers.structs), "structs,", len(headers.enums), "enumerations,", len(headers.functions), "functions")
