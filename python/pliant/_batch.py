"""Batch and View: many simulations of one model, and their signals as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pliant import _pliant
from pliant._data import Data
from pliant._pliant import InputError

Floats = npt.NDArray[np.float64]


class View:
    """Signals of all rows of a batch: values (rows, width) is filled after each step, reset and set. Live."""

    def __init__(self, index: int, values: Floats, names: tuple[str, ...], units: tuple[str, ...]) -> None:
        self.index = index
        self.values = values
        self.names = names
        self.units = units

    def __getitem__(self, name: str) -> Floats:
        """The column of that name, or the three of a vector: view['block.com.z'] (rows,), view['block.com'] (rows, 3)."""
        if name in self.names:
            return self.values[:, self.names.index(name)]
        if f"{name}.x" in self.names:
            first = self.names.index(f"{name}.x")
            return self.values[:, first : first + 3]
        raise InputError(f"this view has no signal '{name}'; it has {', '.join(self.names)}")

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<View: {', '.join(self.names)}>"


class Batch(_pliant.Batch):
    """Many simulations of one model, stepped by all processors.

        batch = pl.Batch(model, 1024)
        view = batch.watch("block.com, contact(hand,block).force")
        batch.u[:] = policy(view.values)
        batch.step(4)                       # 4 steps of every row

    q, v, u, f_user and time are the rows' state: live arrays, to be read and written between calls. Every row has the bits of a
    simulation that runs alone. docs/scale.md has more.
    """

    def watch(self, signals: str) -> View:
        """A list of signals (docs/scene.md) as a View, whose values are filled after each step, reset and set."""
        return View(*self.add_view(signals))

    def data(self, row: int) -> Data:
        """A simulation of its own with the state of a row: for pictures, recordings, results."""
        data = Data(self.model)
        self.get(row, data)
        return data

    def failed(self) -> npt.NDArray[np.intp]:
        """Rows whose last step or setting failed."""
        return np.flatnonzero(self.status)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.model, self.threads, [self.get_state(i) for i in range(self.rows)])

    def __repr__(self) -> str:
        return f"<Batch: {self.rows} rows on {self.threads} threads>"


def _restore(kind: type[Batch], model: _pliant.Model, threads: int, states: list[bytes]) -> Batch:
    batch = kind(model, len(states), threads)
    for i, state in enumerate(states):
        batch.set_state(state, [i])
    return batch
