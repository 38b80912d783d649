"""The examples do what they say; the notebook runs."""

from __future__ import annotations

import csv
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from models import ROOT

sys.path.insert(0, str(ROOT / "examples"))
import energy_budget  # noqa: E402
import first_drop  # noqa: E402
import grasp_bear  # noqa: E402
import identify_stiffness  # noqa: E402
import measure_hertz  # noqa: E402
import steer_arm  # noqa: E402


def is_picture(path: Path) -> bool:
    return path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and path.stat().st_size > 5000


def test_first_drop(tmp_path: Path) -> None:
    assert first_drop.main(str(tmp_path / "a.png")) == pytest.approx(1, rel=1e-4)
    assert is_picture(tmp_path / "a.png")


def test_grasp_bear(tmp_path: Path) -> None:
    squeeze, height = grasp_bear.main(str(tmp_path / "a.png"))
    assert squeeze > 0.5  # friction 1 on two sides carries the weight
    assert height > 0.12
    assert is_picture(tmp_path / "a.png")


def test_steer_arm(tmp_path: Path) -> None:
    assert steer_arm.main(str(tmp_path / "a.png")) < 2e-3
    assert is_picture(tmp_path / "a.png")


def test_measure_hertz(tmp_path: Path) -> None:
    assert measure_hertz.main(str(tmp_path / "a.png")) == pytest.approx(1, abs=0.06)
    assert is_picture(tmp_path / "a.png")


def test_identify_stiffness(tmp_path: Path) -> None:
    assert identify_stiffness.main(str(tmp_path / "a.png")) == pytest.approx(1, rel=1e-4)
    assert is_picture(tmp_path / "a.png")


def test_energy_budget(tmp_path: Path) -> None:
    """Nothing is gained: damping, contact and the scheme take energy away."""
    assert 0 <= energy_budget.main(str(tmp_path / "a.png")) < 1
    assert is_picture(tmp_path / "a.png")


def test_train_lift_says_what_it_needs(tmp_path: Path) -> None:
    if importlib.util.find_spec("torch"):
        pytest.skip("torch is installed: tools/test learn trains")
    done = subprocess.run([sys.executable, ROOT / "examples" / "train_lift.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "needs torch" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_curve_of_train_lift_reaches_what_the_page_says() -> None:
    with open(ROOT / "examples" / "train_lift.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    judged = [(float(r["actions"]), float(r["evaluated"])) for r in rows if r["evaluated"] != "nan"]
    assert judged[-1][0] < 3e6 and judged[-1][1] >= 0.8


def test_the_notebook_runs(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "examples" / "tour.ipynb", as_version=4)
    assert any("assert" in cell.source for cell in notebook.cells)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    assert any("image/png" in o.get("data", {}) for o in shown)
