"""examples/train_lift.py learns: two minutes on two processors. Needs torch; `tools/test learn` runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
pytest.importorskip("torch")
import train_lift  # noqa: E402


def test_the_return_rises_and_a_stop_changes_nothing(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path), "--set", "rows=64", "horizon=24", "--every", "1000"]
    train_lift.main([*words, "--actions", "15360"])
    first = np.genfromtxt(tmp_path / "curve.csv", delimiter=",", names=True)
    train_lift.main([*words, "--actions", "30720"])
    both = np.genfromtxt(tmp_path / "curve.csv", delimiter=",", names=True)
    # the second call goes on where the first one stopped
    assert len(both) == 2 * len(first) == 20
    assert np.array_equal(both["actions"][: len(first)], first["actions"])
    assert np.all(np.diff(both["actions"]) == 64 * 24)
    # the reward of an action: at first that of a hand that stays where it is, at last at least three times that
    assert np.mean(both["reward"][-3:]) > 3 * np.mean(both["reward"][:2])


def test_a_seed_gives_the_same_curve(tmp_path: Path) -> None:
    curves = []
    for name in ("a", "b"):
        words = ["--out", str(tmp_path / name), "--set", "rows=16", "horizon=8", "--actions", "256", "--threads", "1" if name == "a" else "2"]
        train_lift.main(words)
        curves.append(np.genfromtxt(tmp_path / name / "curve.csv", delimiter=",", names=True)["reward"])
    assert np.array_equal(curves[0], curves[1])
