"""Sweeps: one scene for many values of its parameters, shard by shard; finished shards are kept in a folder.

    from pliant.sweeps import sweep
    result = sweep("block", {"block.material.young": np.geomspace(1e4, 1e6, 20)}, measure="block.com.z", out="young")
    result["block.com.z"], result["block.material.young"], result.status

pliant.ray.sweep is the same on a cluster. Numbers depend neither on threads nor on where a shard was run.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import pliant as pl
from pliant._batch import Batch
from pliant._data import _time
from pliant.distributions import Distribution

Floats = npt.NDArray[np.float64]
OVER = ("end", "min", "max", "mean")
CHUNK = 16  # steps of one call


@dataclass(frozen=True)
class Plan:
    """Everything that decides the numbers of a sweep."""

    spec: bytes  # of the model
    paths: tuple[str, ...]
    values: Floats  # (rows, paths)
    measure: str
    over: str
    until: float
    state: bytes  # of the start; empty: the model's
    shard: int

    def __len__(self) -> int:
        return len(self.values)

    def shards(self) -> int:
        return -(-len(self.values) // self.shard)

    def rows(self, shard: int) -> slice:
        return slice(shard * self.shard, min((shard + 1) * self.shard, len(self.values)))

    def key(self) -> str:
        h = hashlib.sha256(self.spec + self.state + self.values.tobytes())
        h.update(json.dumps([self.paths, self.measure, self.over, self.until, self.shard, pl.version(), pl.compiler(), pl.instruction_set()]).encode())
        return h.hexdigest()


@dataclass(frozen=True)
class Shard:
    """What a shard gives: measures (rows, width), a status for each row, messages of those that failed."""

    measures: Floats
    status: npt.NDArray[np.str_]
    errors: npt.NDArray[np.str_]


class Result:
    """A finished sweep: a row for each simulation."""

    def __init__(self, plan: Plan, names: Sequence[str], units: Sequence[str], shards: Sequence[Shard]) -> None:
        self.paths, self.values = plan.paths, plan.values
        self.names, self.units = tuple(names), tuple(units)
        self.measures: Floats = np.concatenate([s.measures for s in shards])
        self.status = np.concatenate([s.status for s in shards])
        self.errors = np.concatenate([s.errors for s in shards])

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> Floats:
        """A parameter by path, or a measure by name."""
        if name in self.paths:
            return self.values[:, self.paths.index(name)]
        if name in self.names:
            return self.measures[:, self.names.index(name)]
        raise pl.InputError(f"there is no '{name}'; there are {', '.join((*self.paths, *self.names))}")

    def failed(self) -> npt.NDArray[np.intp]:
        """Rows whose simulation failed; their measures are not numbers."""
        return np.flatnonzero(self.status != "ok")

    def save(self, folder: Path) -> None:
        arrays: dict[str, Any] = {"values": self.values, "measures": self.measures, "status": self.status, "errors": self.errors}
        arrays |= {"paths": np.array(self.paths), "names": np.array(self.names), "units": np.array(self.units)}
        _save_whole(folder / "sweep.npz", arrays)
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            return
        columns = {p: self[p] for p in self.paths} | {n: self[n] for n in self.names} | {"status": self.status}
        pyarrow.parquet.write_table(pyarrow.table(columns), folder / "sweep.parquet")


    def save_table(self, folder: Path) -> None:
        """sweep.csv, as `pliant sweep` writes it."""
        part = folder / "sweep.csv.part"
        heads = ["row", *self.paths, *(f"{n} [{u}]" for n, u in zip(self.names, self.units, strict=True)), "status"]
        with open(part, "w") as file:
            file.write(",".join(f'"{h}"' for h in heads) + "\n")
            for i in range(len(self)):
                numbers = ",".join(_digits(x) for x in (*self.values[i], *self.measures[i]))
                file.write(f'{i},{numbers},"{self.status[i]}"\n')
        os.replace(part, folder / "sweep.csv")


def _digits(x: float) -> str:
    """The fewest digits that are read back as the same number, as the command writes them."""
    if np.isnan(x):
        return "nan"
    return next(text for text in (f"{x:.{n}g}" for n in (15, 16, 17)) if float(text) == x)


def axis_of(text: str) -> tuple[str, Floats]:
    """A path and its values: "path=from:to:count", "path=from:to:count:log" or "path=x,y,z"."""
    path, equals, values = text.partition("=")
    form = f"{text}: write path=from:to:count, path=from:to:count:log or path=x,y,z"
    if not path or not equals:
        raise pl.InputError(form)
    try:
        if ":" not in values:
            return path, np.array([float(x) for x in values.split(",")])
        ends = values.split(":")
        low, high, n, log = float(ends[0]), float(ends[1]), int(ends[2]), ends[3:] == ["log"]
        if len(ends) != 3 + log or n < 1 or (n == 1 and low != high) or (log and not (low > 0 and high > 0)):
            raise pl.InputError(form)
    except (ValueError, IndexError) as wrong:
        raise pl.InputError(form) from wrong
    # one by one with the same functions as the command, for the same bits
    a, b = (math.log(low), math.log(high)) if log else (low, high)
    between = [a + (i / (n - 1) if n > 1 else 0) * (b - a) for i in range(n)]
    numbers = np.array([math.exp(x) for x in between] if log else between)
    numbers[0], numbers[-1] = low, high
    return path, numbers


def _save_whole(path: Path, arrays: Mapping[str, Any]) -> None:
    """A crash never leaves half a file."""
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as file:
        np.savez(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def make_plan(
    scene: Any,
    grid: Mapping[str, Sequence[float] | Floats] | None = None,
    *,
    samples: Mapping[str, Distribution] | None = None,
    n: int = 0,
    seed: int = 0,
    measure: str,
    over: str = "end",
    until: float | None = None,
    state: bytes = b"",
    set: Mapping[str, Any] | None = None,
    shard: int = 64,
) -> Plan:
    """Checks everything that can be checked without simulating: paths, values, signals."""
    if (grid is None) == (samples is None):
        raise pl.InputError("a sweep needs either grid (all combinations) or samples with n")
    if over not in OVER:
        raise pl.InputError(f"over must be one of {', '.join(OVER)}, got '{over}'")
    if shard < 1:
        raise pl.InputError("a shard needs at least one row")
    model = scene if isinstance(scene, pl.Model) else pl.load(scene, set=dict(set or {}))
    if grid is not None:
        paths = tuple(grid)
        values = np.array(list(itertools.product(*[np.asarray(v, dtype=np.float64).ravel() for v in grid.values()])), dtype=np.float64)
    else:
        assert samples is not None
        if n < 1:
            raise pl.InputError("samples need their number n")
        paths = tuple(samples)
        # one generator for each row: the first rows of a longer sweep are those of a shorter one
        rows = [np.random.default_rng([seed, i]) for i in range(n)]
        values = np.array([[d.sample(r) for d in samples.values()] for r in rows], dtype=np.float64)
    values = values.reshape(-1, len(paths))
    if not len(values):
        raise pl.InputError("a sweep without values")
    batch = Batch(model, 1, 1)
    batch.watch(measure)
    if state:
        batch.set_state(state)
    parameters = pl.Data(model).parameters
    for k, path in enumerate(paths):
        for x, row in zip(*np.unique(values[:, k], return_index=True), strict=True):
            try:
                parameters[path] = float(x)
            except pl.InputError as error:
                raise pl.InputError(f"row {row}: {error}") from None
    end = _time(until, model.options.duration)
    return Plan(model.spec_bytes, paths, values, measure, over, float(end), state, shard)


class Worker:
    """Runs shards of a plan: a batch that is set again for each."""

    def __init__(self, plan: Plan, threads: int = 0) -> None:
        from pliant import _pliant

        self.plan = plan
        model = _pliant.model_from_bytes(plan.spec)
        self.batch = Batch(model, min(plan.shard, len(plan)), threads)
        self.view = self.batch.watch(plan.measure)

    def columns(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        names = self.view.names if self.plan.over == "end" else tuple(f"{self.plan.over}({n})" for n in self.view.names)
        return names, self.view.units

    def _begin(self, values: Floats) -> npt.NDArray[np.int64]:
        """The rows at the start with their values; how many steps each has to go."""
        batch, rows = self.batch, np.arange(len(values))
        batch.reset_parameters()
        if self.plan.state:
            batch.set_state(self.plan.state)
        else:
            batch.reset()
        for k, path in enumerate(self.plan.paths):
            batch.vary(path, values[:, k], rows)
        dt = batch.parameter("options.dt")[rows]
        steps: npt.NDArray[np.int64] = np.ceil((self.plan.until - batch.time[rows]) / dt - 0.5).astype(np.int64)
        return np.maximum(steps, 0)

    def run(self, shard: int) -> Shard:
        values = self.plan.values[self.plan.rows(shard)]
        batch, over = self.batch, self.plan.over
        left = self._begin(values)
        taken = np.zeros(len(values), dtype=np.int64)
        failed = np.zeros(len(values), dtype=np.bool_)
        sums: Floats = np.zeros((len(values), len(self.view)))
        while True:
            rows = np.flatnonzero((left > 0) & ~failed)
            if not len(rows):
                break
            n = int(min(CHUNK, left[rows].min()))
            if over == "end":
                try:
                    batch.step(n, rows)
                except pl.RowsFailed:
                    pass
            else:
                out = batch.rollout(self.view.index, n=n, rows=rows)
                self._gather(sums, out, rows, taken)
            left[rows] -= n
            taken[rows] += n
            failed[rows] |= batch.status[rows] != 0
        measures = self.view.values[: len(values)].copy() if over == "end" else sums
        if over == "mean":
            measures = measures / np.maximum(taken, 1)[:, None]
        if over != "end" and (taken == 0).any():
            measures[taken == 0] = self.view.values[: len(values)][taken == 0]
        measures[failed] = np.nan
        errors = np.array([batch.error(i) if failed[i] else "" for i in range(len(values))])
        status = np.array([pl.status_name(int(batch.status[i])) if failed[i] else "ok" for i in range(len(values))])
        return Shard(measures, status, errors)

    def _gather(self, sums: Floats, out: Floats, rows: npt.NDArray[np.intp], taken: npt.NDArray[np.int64]) -> None:
        first = (taken[rows] == 0)[:, None]
        for t in range(out.shape[1]):
            x, fresh = out[:, t], first & (t == 0)
            if self.plan.over == "mean":
                sums[rows] += x
            else:
                pick = np.minimum if self.plan.over == "min" else np.maximum
                sums[rows] = np.where(fresh, x, pick(sums[rows], x))


class Folder:
    """The folder of a sweep: its plan, and a file for each shard that is done."""

    def __init__(self, path: str | os.PathLike[str] | None, plan: Plan) -> None:
        self.path, self.plan = None if path is None else Path(path), plan
        self.kept: dict[int, Shard] = {}
        if self.path is None:
            return
        self.path.mkdir(parents=True, exist_ok=True)
        own = self.path / "plan.json"
        if own.exists():
            if json.loads(own.read_text()).get("key") != plan.key():
                raise pl.InputError(f"'{self.path}' holds another sweep; choose another folder")
        elif any(self.path.iterdir()):
            raise pl.InputError(f"'{self.path}' is not empty and holds no sweep; choose another folder")
        else:
            text = {"key": plan.key(), "paths": plan.paths, "measure": plan.measure, "over": plan.over, "until": plan.until, "rows": len(plan)}
            own.write_text(json.dumps(text, indent=1) + "\n")

    def _file(self, shard: int) -> Path:
        assert self.path is not None
        return self.path / f"shard_{shard:06d}.npz"

    def left(self) -> list[int]:
        """Shards that are still to be run."""
        for s in range(self.plan.shards()):
            if self.path is not None and s not in self.kept and self._file(s).exists():
                with np.load(self._file(s)) as file:
                    self.kept[s] = Shard(file["measures"], file["status"], file["errors"])
        return [s for s in range(self.plan.shards()) if s not in self.kept]

    def keep(self, shard: int, result: Shard) -> None:
        self.kept[shard] = result
        if self.path is not None:
            _save_whole(self._file(shard), {"measures": result.measures, "status": result.status, "errors": result.errors})

    def finish(self, names: Sequence[str], units: Sequence[str]) -> Result:
        result = Result(self.plan, names, units, [self.kept[s] for s in range(self.plan.shards())])
        if self.path is not None:
            result.save(self.path)
        return result


class Progress:
    """How many simulations are done, on stderr."""

    def __init__(self, plan: Plan, done: int, shown: bool) -> None:
        self.plan, self.first, self.done, self.shown, self.start = plan, done, done, shown, time.monotonic()

    def add(self) -> None:
        self.done += 1
        if not self.shown:
            return
        left = (time.monotonic() - self.start) / (self.done - self.first) * (self.plan.shards() - self.done)
        rows = min(self.done * self.plan.shard, len(self.plan))
        terminal = sys.stderr.isatty()
        end = ("\r" if self.done == self.plan.shards() else "") + "\033[K" if terminal else "\n"
        sys.stderr.write(("\r" if terminal else "") + f"{rows} of {len(self.plan)} simulations, about {left:.0f} s left" + end)
        sys.stderr.flush()


def run_plan(plan: Plan, out: str | os.PathLike[str] | None, progress: bool, work: Callable[[list[int]], Iterator[tuple[int, Shard]]]) -> Result:
    """Runs what is left of a plan by work, which gives shards in any order."""
    folder = Folder(out, plan)
    left = folder.left()
    bar = Progress(plan, plan.shards() - len(left), progress)
    for shard, result in work(left) if left else ():
        folder.keep(shard, result)
        bar.add()
    return folder.finish(*Worker(plan, 1).columns())


def sweep(
    scene: Any,
    grid: Mapping[str, Sequence[float] | Floats] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    threads: int = 0,
    progress: bool = False,
    **plan: Any,
) -> Result:
    """Simulates a scene once for every combination of grid, or for n draws of samples, on all processors of this machine.

    measure: signals; over: end, min, max or mean; until, set, state, samples, n, seed, shard as in make_plan. out: a folder that keeps
    what is done; the same call continues after a crash.
    """
    made = make_plan(scene, grid, **plan)

    def work(left: list[int]) -> Iterator[tuple[int, Shard]]:
        worker = Worker(made, threads)
        for shard in left:
            yield shard, worker.run(shard)

    return run_plan(made, out, progress, work)
