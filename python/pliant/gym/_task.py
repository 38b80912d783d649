"""What a task is: a scene, what is observed, how actions become inputs, what counts, what varies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

import pliant as pl
from pliant._batch import Batch, View
from pliant.distributions import Choice, Distribution, LogUniform, Normal, Uniform

__all__ = ["Choice", "Distribution", "LogUniform", "Normal", "Uniform"]  # also found here

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


# ---- actions


class Action(Protocol):
    """A part of the action: numbers in [-1, 1] that become inputs of actuators."""

    def size(self, model: pl.Model) -> int: ...
    def begin(self, batch: Batch, rows: Rows, state: dict[str, Any]) -> None: ...
    def apply(self, batch: Batch, action: Floats, rows: Rows, state: dict[str, Any]) -> None: ...


def _inputs_of(model: pl.Model, names: Sequence[str]) -> Rows:
    first = np.asarray(model.act_u0)
    return np.array([int(first[model.find("actuator", name)]) for name in names], dtype=np.intp)


@dataclass(frozen=True)
class Inputs:
    """Inputs of actuators between low and high; shared: one number for all of them."""

    actuators: tuple[str, ...]
    low: float
    high: float
    shared: bool = False

    def size(self, model: pl.Model) -> int:
        return 1 if self.shared else len(self.actuators)

    def begin(self, batch: Batch, rows: Rows, state: dict[str, Any]) -> None:
        state.setdefault("index", _inputs_of(batch.model, self.actuators))

    def apply(self, batch: Batch, action: Floats, rows: Rows, state: dict[str, Any]) -> None:
        value = self.low + 0.5 * (action + 1) * (self.high - self.low)
        batch.u[np.ix_(rows, state["index"])] = value


@dataclass(frozen=True)
class Increments:
    """Inputs of position actuators that grow by at most `step` an action, within low and high."""

    actuators: tuple[str, ...]
    step: float
    low: float
    high: float

    def size(self, model: pl.Model) -> int:
        return len(self.actuators)

    def begin(self, batch: Batch, rows: Rows, state: dict[str, Any]) -> None:
        state.setdefault("index", _inputs_of(batch.model, self.actuators))

    def apply(self, batch: Batch, action: Floats, rows: Rows, state: dict[str, Any]) -> None:
        where = np.ix_(rows, state["index"])
        batch.u[where] = np.clip(batch.u[where] + self.step * action, self.low, self.high)


@dataclass(frozen=True)
class Hand:
    """Displacement of a body by inverse kinematics: three numbers, at most `step` metres each an action.

    The target moves from the previous target; it keeps the orientation, stays within `reach` of the body and inside the box.
    """

    body: str
    actuators: tuple[str, ...]  # position actuators on joints of the same order
    joints: tuple[str, ...]
    step: float = 0.02
    time: float = 1 / 30
    reach: float = 0.02
    orientation: tuple[float, float, float, float] = (0.0, 1.0, 0.0, 0.0)
    lower: tuple[float, float, float] = (-np.inf, -np.inf, -np.inf)
    upper: tuple[float, float, float] = (np.inf, np.inf, np.inf)
    speed: float = 2.0
    lead: float = 0.1  # s: positions are asked for where the joints would be after so long

    def size(self, model: pl.Model) -> int:
        return 3

    def begin(self, batch: Batch, rows: Rows, state: dict[str, Any]) -> None:
        model = batch.model
        if "index" not in state:
            state["index"] = _inputs_of(model, self.actuators)
            state["dof"] = np.array([int(np.asarray(model.joint_v0)[model.find("joint", j)]) for j in self.joints], dtype=np.intp)
            state["q"] = np.asarray(model.dof_q)[state["dof"]]
            state["view"] = batch.watch(f"{self.body}.position")
            state["target"] = np.zeros((batch.rows, 7))
            state["target"][:, 3:] = self.orientation
        state["target"][rows, :3] = state["view"].values[rows, :3]

    def apply(self, batch: Batch, action: Floats, rows: Rows, state: dict[str, Any]) -> None:
        target, at = state["target"], state["view"].values[rows, :3]
        wanted = target[rows, :3] + self.step * action
        wanted = np.clip(wanted, at - self.reach, at + self.reach)
        target[rows, :3] = np.clip(wanted, self.lower, self.upper)
        rates = batch.ik_rates(self.body, target[rows], time=self.time, speed=self.speed, joints=self.joints, rows=rows)
        batch.u[np.ix_(rows, state["index"])] = batch.q[np.ix_(rows, state["q"])] + self.lead * rates[:, state["dof"]]


# ---- tasks


@dataclass
class Frame:
    """Arguments of reward and termination: signals of all rows, the last action, goals."""

    view: View
    action: Floats
    goal: Floats
    batch: Batch
    success: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    def __getitem__(self, name: str) -> Floats:
        """A signal of the task by name, for all rows."""
        return self.view[name]


@dataclass(frozen=True)
class Task:
    """A task for reinforcement learning. Functions are vectorised: they take a Frame and give one number for each row."""

    name: str
    scene: Any  # as pliant.load takes it, or a function that gives such a thing
    observation: str  # signals, separated by commas
    actions: tuple[Action, ...]
    reward: Callable[[Frame], Floats]
    success: Callable[[Frame], Bools]  # in info["success"]; ends the episode only if ends_with_success
    steps: int = 4  # of an action
    length: int = 75  # actions of an episode
    ends_with_success: bool = False
    signals: str = ""  # more, for reward and success
    goal: tuple[Distribution, ...] = ()  # drawn at each reset, part of the observation
    randomize: Mapping[str, Distribution] = field(default_factory=dict)  # parameters by path
    start: Callable[[Batch, Rows, Sequence[np.random.Generator]], None] | None = None  # changes rows at the start
    overrides: Mapping[str, Any] = field(default_factory=dict)  # of the scene

    def load(self) -> pl.Model:
        """The model of the task's scene."""
        return pl.load(self.scene() if callable(self.scene) else self.scene, set=dict(self.overrides))
