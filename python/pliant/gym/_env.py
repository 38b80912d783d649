"""Gymnasium environments over a batch: VectorEnv, and Env for one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import pliant as pl
from pliant._batch import Batch
from pliant.gym._task import Bools, Floats, Frame, Rows, Task

SENSOR_SEEDS = 1 << 30
_Base = gymnasium.vector.VectorEnv[Floats, Floats, Any]


class VectorEnv(_Base):
    """num_envs episodes of a task at once, on all processors.

    Row i draws its starts, goals and parameters from a generator of its own, seeded by seed + i: what happens in a row depends neither
    on the other rows nor on the number of threads. A row whose step fails is truncated, with info["failed"]; its reward is that of the
    state before.
    """

    def __init__(
        self,
        task: Task,
        num_envs: int,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: str | None = None,
        model: pl.Model | None = None,
        randomize: bool = True,
    ) -> None:
        self.task = task
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array", "human"], "render_fps": 30, "autoreset_mode": self.autoreset_mode}
        if render_mode not in (None, "rgb_array", "human"):
            raise pl.InputError(f"there is no render mode '{render_mode}'; there are 'rgb_array' and 'human'")
        self.render_mode = render_mode
        self.viewer: pl.Viewer | None = None
        self.randomize = randomize
        self.batch = Batch(model if model is not None else task.load(), num_envs, threads)
        # the observation comes first
        self._view = self.batch.watch(", ".join(s for s in (task.observation, task.signals) if s))
        self._width = len(pl.Signals(self.batch.model, task.observation))
        self._sizes = [a.size(self.batch.model) for a in task.actions]
        self._states: list[dict[str, Any]] = [{} for _ in task.actions]
        width = self._width + len(task.goal)
        self.single_observation_space = Box(-np.inf, np.inf, (width,), np.float64)
        self.single_action_space = Box(-1.0, 1.0, (sum(self._sizes),), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._random = [np.random.default_rng() for _ in range(num_envs)]
        self._goal: Floats = np.zeros((num_envs, len(task.goal)))
        self._action: Floats = np.zeros((num_envs, sum(self._sizes)))
        self._length = np.zeros(num_envs, dtype=np.int64)
        self._done: Bools = np.zeros(num_envs, dtype=np.bool_)
        self._begun = False

    # ---- episodes

    def _observe(self) -> Floats:
        return np.concatenate([self._view.values[:, : self._width], self._goal], axis=1)

    def _frame(self) -> Frame:
        return Frame(self._view, self._action, self._goal, self.batch)

    def _start(self, rows: Rows) -> None:
        """New episodes in these rows. Every row draws from its own generator, in the same order."""
        if len(rows) == 0:
            return
        task, batch = self.task, self.batch
        if self.randomize:
            drawn = {path: [d.sample(self._random[i]) for i in rows] for path, d in task.randomize.items()}
            before = {path: batch.parameter(path)[rows] for path in drawn}
            try:
                for path, values in drawn.items():
                    batch.vary(path, values, rows)
            except pl.Error:
                for path, old in before.items():
                    batch.vary(path, old, rows)
                raise
        batch.reset(rows)
        for k, distribution in enumerate(task.goal):
            self._goal[rows, k] = [distribution.sample(self._random[i]) for i in rows]
        if task.start is not None:
            task.start(batch, rows, [self._random[i] for i in rows])
        if batch.model.nsensor:  # readings of the state that start made, with noise of their own
            batch.restart_sensors([int(self._random[i].integers(SENSOR_SEEDS)) for i in rows], rows)
        batch.look(rows)
        for action, state in zip(task.actions, self._states, strict=True):
            action.begin(batch, rows, state)
        self._action[rows] = 0
        self._length[rows] = 0
        self._done[rows] = False

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """One for each row: seed + i, or as given."""
        if seed is None:
            return [None] * self.num_envs
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise pl.InputError(f"{len(seeds)} seeds were given for {self.num_envs} rows")
        for i, number in enumerate(seeds):
            if number is not None and (not isinstance(number, (int, np.integer)) or number < 0):
                raise pl.InputError(f"the seed of row {i} must be a whole number, not negative, got {number!r}")
        return [None if number is None else int(number) for number in seeds]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """New episodes in all rows, or in those of options["reset_mask"]."""
        mask = np.ones(self.num_envs, dtype=np.bool_)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                raise pl.InputError(f"options['reset_mask'] must be {self.num_envs} booleans, at least one of them True")
        for i, number in enumerate(self._seeds(seed)):
            if number is not None and mask[i]:
                self._random[i] = np.random.default_rng(number)
        self._start(np.flatnonzero(mask))
        self._begun = True
        self._show()
        return self._observe(), {}

    def _check(self, actions: Any) -> Floats:
        try:
            checked = np.asarray(actions, dtype=np.float64)
        except (TypeError, ValueError):
            raise pl.InputError(f"actions must be numbers of the shape {(self.num_envs, sum(self._sizes))}, got {actions!r:.200}") from None
        if checked.shape != (self.num_envs, sum(self._sizes)):
            raise pl.InputError(f"actions must have the shape {(self.num_envs, sum(self._sizes))}, got {checked.shape}")
        bad = np.flatnonzero(~np.isfinite(checked).all(axis=1))
        if len(bad):
            raise pl.InputError(f"the action of row {bad[0]} is not finite: {checked[bad[0]]}")
        return np.clip(checked, -1, 1)

    def _advance(self, rows: Rows, actions: Floats) -> None:
        self._action[rows] = actions[rows]
        first = 0
        for action, size, state in zip(self.task.actions, self._sizes, self._states, strict=True):
            action.apply(self.batch, actions[rows, first : first + size], rows, state)
            first += size
        try:
            self.batch.step(self.task.steps, rows)
        except pl.RowsFailed:
            pass  # status says which
        self._length[rows] += 1

    def step(self, actions: Any) -> tuple[Floats, Floats, Bools, Bools, dict[str, Any]]:
        """One action in every row."""
        actions = self._check(actions)
        if not self._begun:
            raise pl.InputError("reset the environment before its first step")
        fresh = np.zeros(self.num_envs, dtype=np.bool_)
        if self._done.any():
            if self.autoreset_mode == AutoresetMode.DISABLED:
                raise pl.InputError(f"the episode of row {np.flatnonzero(self._done)[0]} is over: reset it (options['reset_mask'])")
            fresh = self._done.copy()
            self._start(np.flatnonzero(fresh))
        moving = np.flatnonzero(~fresh)
        self._advance(moving, actions)

        frame = self._frame()
        success = np.asarray(self.task.success(frame), dtype=np.bool_)
        frame.success = success
        failed = (self.batch.status != 0) & ~fresh
        reward = np.where(fresh, 0.0, np.asarray(self.task.reward(frame), dtype=np.float64))
        terminated = success & ~fresh if self.task.ends_with_success else np.zeros(self.num_envs, dtype=np.bool_)
        truncated = ((self._length >= self.task.length) | failed) & ~terminated & ~fresh
        self._done = terminated | truncated
        observation = self._observe()
        infos: dict[str, Any] = {"success": success & ~fresh, "_success": ~fresh, "failed": failed, "_failed": ~fresh}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._done.any():
            done = self._done.copy()
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(done):
                final[i] = observation[i].copy()
            infos |= {"final_obs": final, "_final_obs": done, "_final_info": done}
            infos["final_info"] = {"success": success & done, "_success": done, "failed": failed & done, "_failed": done}
            # what is left at the top belongs to rows that go on
            infos |= {"success": success & ~done, "_success": ~done, "failed": failed & ~done, "_failed": ~done}
            self._start(np.flatnonzero(done))
            observation = self._observe()
        self._show()
        return observation, reward, terminated, truncated, infos

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every row; "human": the first row on the viewer's page, as every step and reset shows it."""
        if self.render_mode != "rgb_array":
            self._show()
            return None
        data = pl.Data(self.batch.model)
        pictures = []
        for i in range(self.num_envs):
            self.batch.get(i, data)
            pictures.append(np.asarray(data.picture(width=320)))
        return tuple(pictures)

    def _show(self) -> None:
        """The first row on the page, at the pace of its own clock; the page's address is printed once."""
        if self.render_mode != "human":
            return
        if self.viewer is None:
            self._shown = pl.Data(self.batch.model)
            self.batch.get(0, self._shown)
            self.viewer = pl.view(self._shown, name=self.task.name)
            return
        self.batch.get(0, self._shown)
        self.viewer.sync()

    def close_extras(self, **kwargs: Any) -> None:
        if self.viewer is not None:
            self.viewer.close()
            self.viewer = None


class Env(gymnasium.Env[Floats, Floats]):
    """One episode of a task at a time."""

    metadata = {"render_modes": ["rgb_array", "human"], "render_fps": 30}

    def __init__(self, task: Task, *, render_mode: str | None = None, model: pl.Model | None = None, randomize: bool = True) -> None:
        self.vector = VectorEnv(
            task, 1, autoreset_mode=AutoresetMode.DISABLED, threads=1, render_mode=render_mode, model=model, randomize=randomize
        )
        self.render_mode = render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        super().reset(seed=seed)
        observation, _ = self.vector.reset(seed=seed)
        return observation[0], {}

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, infos = self.vector.step(np.asarray(action)[None])
        info = {"success": bool(infos["success"][0]), "failed": bool(infos["failed"][0])}
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> Any:
        pictures = self.vector.render()
        return None if pictures is None else pictures[0]

    def close(self) -> None:
        self.vector.close()
