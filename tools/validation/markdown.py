"""The same results as tables in docs/, between the marks <!-- paper: begin --> and <!-- paper: end --> of a page."""
import os, sys


def put(path, lines):
    begin, end = "<!-- paper: begin -->", "<!-- paper: end -->"
    with open(path) as f:
        page = f.read()
    if begin not in page or end not in page:
        sys.exit(f"{path} has no marks for the tables: {begin} ... {end}")
    page = page[:page.index(begin) + len(begin)] + "\n" + "\n".join(lines) + "\n" + page[page.index(end):]
    with open(path, "w") as f:
        f.write(page)


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def write(folder, bench, checks):
    """performance.md: the paper's table and the breakdown; validation.md: every check with the command that prints it."""
    parts = [name for name, _ in bench.breakdown[0][1]]
    put(os.path.join(folder, "performance.md"),
        table(bench.HEAD, bench.lines) + ["", "Where the time goes, in percent:", ""] +
        table(["scene", *parts], [[name, *(f"{percent:.0f}" for _, percent in shares)] for name, shares in bench.breakdown]))
    put(os.path.join(folder, "validation.md"),
        table(["check", "measured", "threshold", "holds", "command"],
              [[what, measured, threshold, "yes" if holds else "no", f"`{command}`"] for what, measured, threshold, holds, command in checks]))
