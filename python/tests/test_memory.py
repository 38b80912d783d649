"""Nothing leaks; a million random operations do no harm (the suite runs a slice: PLIANT_OPERATIONS=1000000 runs all)."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import random
import resource
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from models import block_model, point_model

import pliant as pl


def resident() -> int:
    """Bytes of memory in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


# The address sanitizer keeps what was freed for a while.
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")


def growth(work: Callable[[], object], rounds: int) -> int:
    for _ in range(rounds // 4 + 1):
        work()
    gc.collect()
    before = resident()
    for _ in range(rounds):
        work()
    gc.collect()
    return 0 if SANITIZED else resident() - before


def everything(model: pl.Model) -> None:
    data = pl.Data(model)
    data.step(2)
    data.state = data.state
    q = data.q
    _ = copy.copy(data), data.contacts, data.impulses, data.report, data.parameters.array, data.signal("time"), q[1:]
    _ = pl.Signals(model, "time"), model.options, model.names("shape")
    try:
        data.step(-1)
    except pl.InputError:
        pass


def test_simulations_do_not_leak() -> None:
    model = block_model()
    assert growth(lambda: everything(model), 60) < 2_000_000


def test_pictures_do_not_leak(block: pl.Model) -> None:
    data = pl.Data(block)
    assert growth(lambda: data.picture(width=320, samples=1), 8) < 2_000_000


def test_models_specs_and_meshes_do_not_leak() -> None:
    def work() -> None:
        model = pickle.loads(pickle.dumps(block_model()))
        _ = model.vert_rest, model.deform_name, model.options
        spec = pl.Spec.from_bytes(model.spec_bytes)
        _ = spec.deformables(), spec.shapes(), copy.copy(spec)
        try:
            spec.add_deformable(name="a", mesh=pl.mesh.box((1, 1, 1), 0.5), young="x")  # type: ignore[arg-type]
        except pl.InputError:
            pass

    assert growth(work, 60) < 2_000_000


def test_failed_loads_do_not_leak() -> None:
    def work() -> None:
        for bad in ["pliant: 1\nboxes: 3\n", "pliant: 1\ninclude: nowhere.yaml\n"]:
            with pytest.raises(pl.Error):
                pl.load(bad)

    assert growth(work, 100) < 2_000_000


class Machine:
    """Objects of all kinds, and operations on them in any order."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.model = point_model()
        self.data = [pl.Data(self.model)]
        self.states = [self.data[0].state]
        self.views: list[Any] = []

    def pick(self) -> pl.Data:
        return self.random.choice(self.data)

    def put(self, data: pl.Data) -> None:
        if len(self.data) < 20:
            self.data.append(data)
        else:
            self.data[self.random.randrange(20)] = data

    def make(self) -> None:
        kind = self.random.randrange(3)
        if kind == 0:
            self.put(pl.Data(self.model))
        elif kind == 1:
            self.put(self.pick().copy())
        else:
            self.put(pickle.loads(pickle.dumps(self.pick())))

    def operate(self) -> None:
        data, kind = self.pick(), self.random.randrange(14)
        if kind == 0:
            data.step(self.random.randrange(3))
        elif kind == 1:
            self.states = [*self.states[-3:], data.state]
        elif kind == 2:
            data.state = self.random.choice(self.states)
        elif kind == 3:
            self.views = [*self.views[-20:], data.q, data.v[1:], data.contacts]
        elif kind == 4 and self.views:
            view = self.random.choice(self.views)
            assert view.dtype.names or np.isfinite(view).all()
        elif kind == 5:
            data.reset()
        elif kind == 6:
            data.parameters["ball.mass"] = self.random.uniform(0.5, 2)
        elif kind == 7:
            _ = data.report, data.poses(), data.jacobian("ball")
        elif kind == 8:
            _ = data.signal(self.random.choice(["time", "ball.position.z", "contact(ground,ball).force"]))
        elif kind == 9:
            data.v = np.clip(data.v + self.random.uniform(-0.1, 0.1), -3, 3)
        elif kind == 10:
            try:
                data.parameters[self.random.choice(["nothing", "ball.mass"])] = -1
            except pl.InputError:
                pass
        elif kind == 11:
            data.copy_from(self.pick())
        elif kind == 12:
            data.set_switch("shape", "ground", self.random.random() < 0.9)
            if data["ball"].position[2] < -5:
                data.reset()
        else:
            _ = data["ball"].pose, data.hash


def test_random_operations() -> None:
    count = int(os.environ.get("PLIANT_OPERATIONS", "30000"))
    machine = Machine(7)
    before = 0
    for i in range(count):
        if i % 100 == 0:
            machine.make()
        else:
            machine.operate()
        if i == count // 4:
            gc.collect()
            before = resident()
    machine.views.clear()
    gc.collect()
    assert SANITIZED or resident() - before < 4_000_000
