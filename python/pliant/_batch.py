"""Batch and View: many simulations of one model, and their signals as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pliant import _pliant
from pliant._data import Data
from pliant._pliant import InputError

Floats = npt.NDArray[np.float64]


class View:
    """Signals of all rows of a batch: values (rows, width) is filled after each step, reset and set. Live.

    A view that is copied or pickled belongs to the copy of its batch. Forces of the last step are not in a state: they are 0 there
    until the next step.
    """

    def __init__(self, batch: Batch, number: int) -> None:
        self.batch = batch
        self.number = number
        _, self.index, self.values, self.names, self.units = batch.watched[number]

    def __copy__(self) -> View:
        return View(self.batch, self.number)

    def __reduce__(self) -> tuple[Any, ...]:
        return View, (self.batch, self.number)

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
        self.watched.append((signals, *self.add_view(signals)))
        return View(self, len(self.watched) - 1)

    @property
    def watched(self) -> list[tuple[str, int, Floats, tuple[str, ...], tuple[str, ...]]]:
        """What watch was called with, and the number, values, names and units of each view."""
        made: list[tuple[str, int, Floats, tuple[str, ...], tuple[str, ...]]] = self.__dict__.setdefault("_watched", [])
        return made

    def data(self, row: int) -> Data:
        """A simulation of its own with the state of a row: for pictures, recordings, results."""
        data = Data(self.model)
        self.get(row, data)
        return data

    def failed(self) -> npt.NDArray[np.intp]:
        """Rows whose last step or setting failed."""
        return np.flatnonzero(self.status)

    def __reduce__(self) -> tuple[Any, ...]:
        states = [self.get_state(i) for i in range(self.rows)]
        return _restore, (type(self), self.model, self.threads, states, [one[0] for one in self.watched])

    def __repr__(self) -> str:
        return f"<Batch: {self.rows} rows on {self.threads} threads>"


def _restore(kind: type[Batch], model: _pliant.Model, threads: int, states: list[bytes], watched: Sequence[str] = ()) -> Batch:
    batch = kind(model, len(states), threads)
    for signals in watched:
        batch.watch(signals)
    for i, state in enumerate(states):
        batch.set_state(state, [i])
    return batch
