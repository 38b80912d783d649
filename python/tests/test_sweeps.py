"""Sweeps: the numbers of single runs, continuing after a crash, wrong input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.distributions import Distribution, LogUniform, Uniform
from pliant.sweeps import Folder, Worker, make_plan, sweep

YOUNG = "block.material.young"


def test_rows_are_single_runs(block: pl.Model) -> None:
    result = sweep(block, {YOUNG: [5e4, 2e5], "options.dt": [0.01, 0.004]}, measure="time, block.com.z", until=0.1, shard=3)
    assert len(result) == 4 and not len(result.failed())
    np.testing.assert_array_equal(result[YOUNG], [5e4, 5e4, 2e5, 2e5])
    for i in range(4):
        data = pl.Data(block)
        data.set_parameter(YOUNG, result[YOUNG][i])
        data.set_parameter("options.dt", result["options.dt"][i])
        while data.time < 0.1 - result["options.dt"][i] / 2:
            data.step()
        assert result["block.com.z"][i] == data.signal("block.com.z") and result["time"][i] == data.time


def test_over(block: pl.Model) -> None:
    least, mean, most = (sweep(block, {YOUNG: [1e5]}, measure="block.com.z", until=0.2, over=o) for o in ("min", "mean", "max"))
    data, seen = pl.Data(block), []
    for _ in range(20):
        data.step()
        seen.append(data.signal("block.com.z"))
    assert least["min(block.com.z)"][0] == min(seen) and most["max(block.com.z)"][0] == max(seen)
    assert mean["mean(block.com.z)"][0] == pytest.approx(np.mean(seen), rel=1e-14)


def test_samples(block: pl.Model) -> None:
    drawn: dict[str, Distribution] = {YOUNG: LogUniform(1e4, 1e6), "ground.surface.friction": Uniform(0, 1)}
    short = make_plan(block, samples=drawn, n=3, seed=4, measure="time")
    long = make_plan(block, samples=drawn, n=5, seed=4, measure="time")
    np.testing.assert_array_equal(short.values, long.values[:3])
    assert (make_plan(block, samples=drawn, n=3, seed=5, measure="time").values != short.values).all()


def test_it_goes_on(block: pl.Model, tmp_path: Path) -> None:
    grid = {YOUNG: np.linspace(5e4, 2e5, 10)}
    whole = sweep(block, grid, measure="block.com.z", until=0.05, shard=3)
    out = tmp_path / "out"
    plan = make_plan(block, grid, measure="block.com.z", until=0.05, shard=3)
    folder, worker = Folder(out, plan), Worker(plan, 1)
    folder.keep(1, worker.run(1))
    folder.keep(3, worker.run(3))
    before = (out / "shard_000001.npz").stat().st_mtime_ns
    result = sweep(block, grid, measure="block.com.z", until=0.05, shard=3, out=out, threads=2)
    np.testing.assert_array_equal(result.measures, whole.measures)
    assert (out / "shard_000001.npz").stat().st_mtime_ns == before
    with np.load(out / "sweep.npz") as file:
        np.testing.assert_array_equal(file["measures"], whole.measures)
        assert file["names"].tolist() == ["block.com.z"]
    with pytest.raises(pl.InputError, match="another sweep"):
        sweep(block, grid, measure="block.com.z", until=0.06, shard=3, out=out)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary").write_text("dear")
    with pytest.raises(pl.InputError, match="not empty"):
        sweep(block, grid, measure="block.com.z", until=0.05, out=tmp_path / "mine")


def test_it_says_how_far_it_is(block: pl.Model, capsys: pytest.CaptureFixture[str]) -> None:
    grid = {YOUNG: np.linspace(5e4, 2e5, 5)}
    sweep(block, grid, measure="time", until=0.02, shard=2)
    assert capsys.readouterr().err == ""
    sweep(block, grid, measure="time", until=0.02, shard=2, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == [f"{n} of 5 simulations" for n in (2, 4, 5)]
    assert all("s left" in line for line in lines)


def test_failures_have_a_row(block: pl.Model) -> None:
    result = sweep(block, {"options.gravity.z": [-9.81, 1e10]}, measure="block.com.z", until=0.05)
    assert result.failed().tolist() == [1] and np.isnan(result["block.com.z"][1]) and result.errors[1]
    assert np.isfinite(result["block.com.z"][0])


def test_wrong_input(block: pl.Model) -> None:
    for keywords, text in [
        ({"grid": {"block.material.yuong": [1]}, "measure": "time"}, "did you mean"),
        ({"grid": {YOUNG: [-1]}, "measure": "time"}, "row 0: .* out of range"),
        ({"grid": {"block.material.density": [900, 1000], YOUNG: [1e5, 2e5, np.nan]}, "measure": "time"}, "row 2: .* must be a number"),
        ({"grid": {YOUNG: [1e5]}, "measure": "block.comm"}, "did you mean"),
        ({"grid": {YOUNG: []}, "measure": "time"}, "without values"),
        ({"measure": "time"}, "either grid"),
        ({"samples": {YOUNG: Uniform(1, 2)}, "measure": "time"}, "number n"),
        ({"grid": {YOUNG: [1e5]}, "measure": "time", "over": "sum"}, "end, min, max, mean"),
    ]:
        with pytest.raises(pl.Error, match=text):
            sweep(block, **keywords)  # type: ignore[arg-type]
