"""nulls.py SOURCE LIBRARY WORK: NULL for a pointer of a public function is an assert that names it.

Every function of include/pliant is called once for each of its pointers, with NULL for this one and a small scene or zeroed memory for
the others. The call must end in an assert that names the parameter as the header or the definition does. Those that may be NULL are
listed here; the headers say what NULL means.
"""
import glob
import os
import re
import subprocess
import sys

from report import Report

# Functions that free or close NULL.
ENDS = re.compile(r"_(destroy|close|discard)$")
# Errors, callbacks and their argument may be NULL everywhere.
ANYWHERE = {"error", "warn", "control", "user"}
MAY_BE_NULL = {
    "pl_advance": {"report"},
    "pl_attach": {"id"},
    "pl_attach_deformable": {"id"},
    "pl_attachment_force": {"centre"},
    "pl_batch_restart_sensors": {"seed"},
    "pl_batch_rollout": {"u", "out"},
    "pl_batch_set_stop": {"stop"},
    "pl_constraint_force": {"wrench", "effort"},
    "pl_joint_wrenches": {"frame"},
    "pl_mesh_repair": {"log"},
    "pl_rigid_inverse_dynamics": {"vdot"},
    "pl_sap_law": {"cost", "gamma", "G"},
    "pl_sap_solve": {"options", "v_guess", "solution", "report", "workspace"},
    "pl_sap_solve_coulomb": {"options", "coulomb", "v_guess", "solution", "report", "workspace"},
    "pl_spec_find_actuator": {"name"},
    "pl_spec_find_body": {"name"},
    "pl_spec_find_deformable": {"name"},
    "pl_spec_find_joint": {"name"},
    "pl_spec_load": {"options"},
    "pl_spec_parse": {"folder", "options"},
    "pl_spec_parse_robot": {"folder", "options"},
    "pl_spec_add_robot": {"options"},
    "pl_spec_set_joint_start": {"position", "velocity"},
    "pl_view_open": {"options"},
    "pl_view_open_recording": {"options"},
}

HEAD = r"""
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pliant/batch.h"
#include "pliant/pliant.h"
#include "pliant/stream.h"
#include "pliant/view.h"

static double memory[1 << 14];
static plSpec* spec;
static const plModel* model;
static plData* data;
static plBatch* batch;
static plMesh* mesh;

static int begin(void) {
  static const char text[] =
      "pliant: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, parent: a}}]\n"
      "shapes: [{name: s, shape: sphere, radius: 0.1, body: a}]\n"
      "deformables: [{name: d, shape: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1], pose: {position: [0, 0, 5]}}]\n"
      "sensors: [{name: t, kind: position, on: a}]\n";
  plError error = {0};
  if (pl_spec_parse("nulls.yaml", "", text, sizeof text - 1, NULL, &spec, &error) || !(model = pl_model_create(spec, &error)) ||
      !(data = pl_data_create(model, &error)) || pl_mesh_box((plVec3){1, 1, 1}, 1, &mesh, &error) || pl_step(data, &error))
    return puts(error.message), 1;
  return 0;
}

// Prints how a call ended: the text of the assert, or the signal or exit status.
static void tell(const char* name, void (*call)(void)) {
  int ends[2], status = 0;
  char text[2048];
  size_t used = 0;
  if (pipe(ends)) return;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2), close(ends[0]), alarm(60);
    call();
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t n; used < sizeof text - 1 && (n = read(ends[0], text + used, sizeof text - 1 - used)) > 0;) used += (size_t)n;
  text[used] = 0, close(ends[0]);
  waitpid(child, &status, 0);
  for (char* c = text; *c; c++)
    if (*c == '\n') *c = ' ';
  const char* assertion = strstr(text, "ssertion");
  if (WIFSIGNALED(status) && assertion)
    printf("%s: %s\n", name, assertion);
  else if (WIFSIGNALED(status))
    printf("%s: signal %d\n", name, WTERMSIG(status));
  else
    printf("%s: it returned\n", name);
}
"""

OBJECTS = {f"pl{name.capitalize()}*": f"(void*){name}" for name in ("spec", "model", "data", "batch", "mesh")}


def definitions(source):
    """The parameters of each function as its definition names them."""
    found = {}
    for path in glob.glob(os.path.join(source, "src", "*", "*.c")):
        with open(path, encoding="utf-8") as file:
            for name, arguments in re.findall(r"^\w[^\n;{}=]*?\b(pl_\w+)\(([^;{}]*?)\)\s*\{", file.read(), re.M):
                found[name] = [(re.findall(r"\w+", a.split("[")[0]) or [""])[-1] for a in arguments.split(",")]
    return found


def functions(source):
    """Yields the name and the parameters of each public function."""
    for header in sorted(glob.glob(os.path.join(source, "include", "pliant", "*.h"))):
        with open(header, encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        for name, arguments in re.findall(r"PL_API\s[^;{]*?(\w+)\(([^;]*)\)\s*;", text):
            parameters = [" ".join(a.split()) for a in arguments.split(",")]
            yield name, [] if parameters == ["void"] else parameters


def parameter(text):
    """Name, kind (pointer, number, structure or callback) and type of a parameter."""
    name = re.search(r"(\w+)(\[\d*\])?$", text).group(1)
    kind = text[: text.rindex(name)].strip()
    if "*" in kind or text.endswith("]"):
        return name, "callback" if kind.split()[0] in ("plWarn", "plControl") else "pointer", kind
    return name, "number" if not re.match(r"pl[A-Z]", kind) else "structure", kind


def value(name, kind, type_name):
    if kind == "pointer":
        return OBJECTS.get(type_name.replace("const ", ""), "(void*)memory")
    return "NULL" if kind == "callback" else f"({type_name}){{0}}" if kind == "structure" else "1"


def may_be_null(function, name):
    return name in ANYWHERE or name in MAY_BE_NULL.get(function, ()) or bool(ENDS.search(function)) or (function.startswith("pl_spec_add_") and name == "id") or (function.startswith("pl_batch_") and name == "row")


def cases(source):
    """(function, parameter, its names, call) for each pointer that must not be NULL."""
    own = definitions(source)
    for function, texts in functions(source):
        parameters = [parameter(text) for text in texts]
        for k, (name, kind, _) in enumerate(parameters):
            if kind == "pointer" and not may_be_null(function, name):
                names = {name, own[function][k]} if len(own.get(function, ())) == len(parameters) else {name}
                yield function, name, names, f"{function}({', '.join('NULL' if i == k else value(*p) for i, p in enumerate(parameters))})"


def main():
    source, library, work = sys.argv[1:]
    report = Report("nulls")
    os.makedirs(work, exist_ok=True)
    program, listed = os.path.join(work, "nulls"), list(cases(source))
    with open(program + ".c", "w", encoding="utf-8") as file:
        file.write(HEAD)
        for k, (_, _, _, call) in enumerate(listed):
            file.write(f"static void call_{k}(void) {{ (void){call}; }}\n")
        file.write("int main(void) {\n  if (begin()) return 1;\n  batch = pl_batch_create(model, 2, 1, NULL);\n")
        for k, (function, name, _, _) in enumerate(listed):
            file.write(f'  tell("{function} {name}", call_{k});\n')
        file.write("  return 0;\n}\n")
    build = ["cc", "-std=gnu17", "-w", "-I", os.path.join(source, "include"), program + ".c", library, "-lyaml", "-lexpat", "-lz", "-lpthread", "-lm"]
    done = subprocess.run(build + ["-o", program], capture_output=True, text=True, check=False)
    report.check("the calls compile", done.stderr.splitlines()[:5] if done.returncode else [])
    if not done.returncode:
        ends = dict(line.split(": ", 1) for line in subprocess.run([program], capture_output=True, text=True, check=False, cwd=work).stdout.splitlines())
        report.check("each call was made", [f"{f} {n}" for f, n, _, _ in listed if f"{f} {n}" not in ends])
        unnamed = [(f, n) for f, n, names, _ in listed if not re.search(rf"ssertion.*\b({'|'.join(names)}) != NULL", ends.get(f"{f} {n}", ""))]
        report.check("NULL is an assert that names it", [f"{f}, {n}: {ends.get(f'{f} {n}')}" for f, n in unnamed])
    names = {function: {parameter(text)[0] for text in texts} for function, texts in functions(source)}
    report.check("what may be NULL exists", [f"{f} {n}" for f, ns in MAY_BE_NULL.items() for n in ns if n not in names.get(f, ())])
    report.end()


main()
