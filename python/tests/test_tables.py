"""One table for two languages: what is generated is up to date, every public function is reachable, everything has a docstring and a stub."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from models import ROOT

import pliant as pl
from pliant import _pliant

sys.path.insert(0, str(ROOT / "tools"))
from python_headers import HEADERS, read_headers  # noqa: E402

# Functions of the headers that Python does not call, and why.
NOT_CALLED = {
    "pl_data_set_control": "users write the loop themselves",
    "pl_sensor_size": "the arrays have it as their shape",
    "pl_colour_name": "colours are words",
    "pl_colour_by_name": "colours are words",
    "pl_shape_name": "kinds are words",
    "pl_load_name": "kinds are words",
    "pl_material_name": "kinds are words",
    "pl_material_find": "kinds are words",
    "pl_joint_kind_name": "kinds are words",
    "pl_actuator_kind_name": "kinds are words",
    "pl_constraint_kind_name": "kinds are words",
    "pl_actuator_nu": "len(data.actuator(name).u)",
    "pl_model_find_body": "pl_model_find is called for every kind",
    "pl_model_find_joint": "pl_model_find is called for every kind",
    "pl_model_find_actuator": "pl_model_find is called for every kind",
    "pl_model_find_deformable": "pl_model_find is called for every kind",
    "pl_model_find_shape": "pl_model_find is called for every kind",
    "pl_model_find_attachment": "pl_model_find is called for every kind",
    "pl_model_find_site": "pl_model_find is called for every kind",
    "pl_model_find_constraint": "pl_model_find is called for every kind",
    "pl_output_check_below": "for scenes that a command runs, which may name files",
    "pl_output_check_kind": "the writers call it",
    "pl_output_json": "Python writes JSON",
    "pl_output_make_plain": "for terminals: the command",
    "pl_output_utf8": "for terminals: the command",
    "pl_nearest_word": "Python has difflib",
}
# The view calls them.
NOT_CALLED_OF = ("pl_stream_",)


def sources() -> str:
    return "".join(p.read_text() for p in (ROOT / "python" / "src").glob("*.c"))


def test_what_is_generated_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "python_tables"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_public_function_is_reachable() -> None:
    headers = {p.stem for p in (ROOT / "include" / "pliant").glob("*.h")}
    assert headers - set(HEADERS) <= {"pliant", "batch"}
    functions = read_headers(ROOT).functions
    assert len(functions) > 200
    called = set(re.findall(r"\bpl_\w+", sources()))
    missing = [f for f in functions if f not in called and f not in NOT_CALLED and not f.startswith(NOT_CALLED_OF)]
    assert missing == []
    assert [f for f in NOT_CALLED if f not in functions] == []


def test_every_status_has_its_class() -> None:
    statuses = [v for v in read_headers(ROOT).enums["plStatus"].values if v[0].startswith("PL_ERROR")]
    classes = [c for c in vars(pl).values() if inspect.isclass(c) and issubclass(c, pl.Error) and c is not pl.Error]
    assert len(classes) == len(statuses)


def test_every_member_of_a_definition_is_in_a_specs_bytes() -> None:
    """spec_bytes.c names every member of every definition: one that is added there, too."""
    text = (ROOT / "src" / "model" / "spec_bytes.c").read_text()
    headers = read_headers(ROOT)
    for name in [s for s in headers.structs if s.endswith("Def") and s not in ("plRobotDef", "plIkDef")] + ["plMaterial", "plSurface", "plRegion", "plOptions"]:
        for member in headers.structs[name].members:
            assert re.search(rf"->{member.name}\b|\.{member.name}\b|\"{member.name}\"", text) or name == "plOptions", f"{name}.{member.name}"


def documented(module: ModuleType) -> list[str]:
    missing = []
    for name, thing in vars(module).items():
        if name.startswith("_") or inspect.ismodule(thing) or not (inspect.isclass(thing) or callable(thing)):
            continue
        if not inspect.getdoc(thing):
            missing.append(name)
        for part, member in vars(thing).items() if inspect.isclass(thing) else ():
            if not part.startswith("_") and not isinstance(member, (str, int)) and member is not None and not inspect.getdoc(member):
                missing.append(f"{name}.{part}")
    return missing


@pytest.mark.parametrize("module", [pl, pl.mesh, pl.sap, _pliant])
def test_everything_has_a_docstring(module: ModuleType) -> None:
    assert documented(module) == []


def test_signatures_are_known_to_help() -> None:
    assert str(inspect.signature(_pliant.Data.step)) == "(self, n=1, /)"
    assert str(inspect.signature(pl.mesh.box)) == "(size, edge)"
    text = pl.Data.__doc__ or ""
    assert "live" in text


def test_mypy_is_strict_about_package_examples_and_tests(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_match_the_module(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "pliant._pliant"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_versions_agree() -> None:
    # the header is the one source; pyproject.toml reads it there
    header = (ROOT / "include" / "pliant" / "types.h").read_text()
    numbers = [re.search(rf"#define PL_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH")]
    assert pl.version() == ".".join(n[1] for n in numbers if n)
    project = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in project and "include/pliant/types.h" in project
