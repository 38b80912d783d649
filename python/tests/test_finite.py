"""Numbers that are not finite: every argument and property that takes a float refuses them with InputError, or infinity has a meaning."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant import distributions, sweeps

Call = Callable[[float], object]
PATH = "block.material.young"


def calls(block: pl.Model, folder: Path) -> dict[str, Call]:
    """One call for each argument; what infinity means is in MEANS."""
    data, batch, box = pl.Data(block), pl.Batch(block, 1), pl.mesh.box((0.1, 0.1, 0.1), edge=0.05)
    arm = pl.Data(pl.load("arm"))
    rows, body, target = pl.Batch(arm.model, 1), arm.body(0), [[0.5, 0, 0.5, 1, 0, 0, 0]]
    picture = np.zeros((8, 8, 3), np.uint8)
    made: dict[str, Call] = {
        "run until": lambda x: data.run(until=x),
        "run rate": lambda x: data.run(until=0.02, rate=x),
        "advance time": lambda x: data.advance(x, accuracy=1e-3),
        "advance accuracy": lambda x: data.advance(1, accuracy=x),
        "time": lambda x: setattr(data, "time", x),
        "q": lambda x: setattr(data, "q", np.full(block.nq, x)),
        "f_user": lambda x: setattr(data, "f_user", np.full(block.nv, x)),
        "force": lambda x: body.add_force([x, 0, 0]),
        "force point": lambda x: body.add_force([1, 0, 0], point=[x, 0, 0]),
        "moment": lambda x: body.add_force(moment=[x, 0, 0]),
        "jacobian": lambda x: body.jacobian([0, x, 0]),
        "ik target": lambda x: arm.ik("arm/ee", target=[x, 0, 0]),
        "ik point": lambda x: arm.ik("arm/ee", target=[0.5, 0, 0.5], point=[x, 0, 0]),
        "parameter": lambda x: data.set_parameter(PATH, x),
        "parameters": lambda x: data.parameters.__setitem__("options.gravity.z", x),
        "vary": lambda x: batch.vary(PATH, [x]),
        "box edge": lambda x: pl.mesh.box((0.1, 0.1, 0.1), edge=x),
        "box size": lambda x: pl.mesh.box((0.1, x, 0.1), edge=0.05),
        "sphere": lambda x: pl.mesh.sphere(x, 0.05),
        "torus": lambda x: pl.mesh.torus(0.1, x, 0.05),
        "tetrahedralize": box.tetrahedralize,
        "transform scale": lambda x: box.transform(x),
        "transform scales": lambda x: box.transform((x, 1, 1)),
        "transform pose": lambda x: box.transform(pose=(x, 0, 0)),
        "gif": lambda x: pl.save_gif(folder / "a.gif", [picture] * 2, seconds=x),
        "picture": lambda x: data.picture(width=32, height=32, zoom=x),
        "slow_down R": lambda x: pl.sap.slow_down(1, x, 1),
        "slow_down v_max": lambda x: pl.sap.slow_down(x, 1, 1),
        "spec mass": lambda x: pl.Spec().add_body(name="a", mass=x),
        "spec pose": lambda x: pl.Spec().add_shape(name="g", kind="half_space", pose=(x, 0, 0)),
        "spec dt": lambda x: pl.Spec(options={"dt": x}).compile(),
        "override": lambda x: pl.load("block", set={"options.dt": x}),
        "uniform": lambda x: distributions.Uniform(0, x),
        "log uniform": lambda x: distributions.LogUniform(1, x),
        "normal": lambda x: distributions.Normal(x, 1),
        "normal std": lambda x: distributions.Normal(0, x),
        "choice": lambda x: distributions.Choice((1, x)),
        "sweep until": lambda x: sweeps.make_plan(block, {PATH: [1e4]}, measure="block.com", until=x),
        "sweep value": lambda x: sweeps.make_plan(block, {PATH: [x]}, measure="block.com"),
    }
    for option in ("dt", "theta", "accuracy", "push_out_speed"):
        made[f"options {option}"] = lambda x, option=option: setattr(data, "options", {option: x})  # type: ignore[misc]
    for name in ("time", "speed", "damping"):
        made[f"ik {name}"] = lambda x, name=name: arm.ik("arm/ee", target=[0.5, 0, 0.5], **{name: x})  # type: ignore[misc]
        made[f"rates {name}"] = lambda x, name=name: rows.ik_rates("arm/ee", target, **{name: x})  # type: ignore[misc]
    return made


# Where +inf has a meaning: no limit.
MEANS = {"options push_out_speed", "ik speed", "rates speed", "slow_down v_max"}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_not_finite_is_refused(block: pl.Model, tmp_path: Path, bad: float) -> None:
    accepted = set()
    for name, call in calls(block, tmp_path).items():
        try:
            call(bad)
            accepted.add(name)
        except pl.InputError:
            pass
    assert accepted == (MEANS if bad == math.inf else set())


@pytest.mark.parametrize("name", ["time", "q", "v", "f_user"])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_was_written_into_live_arrays_is_refused_by_the_step(block: pl.Model, name: str, bad: float) -> None:
    batch = pl.Batch(block, 2)
    getattr(batch, name)[1] = bad
    with pytest.raises(pl.RowsFailed, match="row 1"):
        batch.step()
    assert batch.steps.tolist() == [1, 0]
