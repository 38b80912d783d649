"""Sweeps on a Ray cluster: needs ray (pip install pliant[ray]).

    import pliant.ray
    result = pliant.ray.sweep("block", {"block.material.young": [1e4, 1e5]}, measure="block.com.z", out="young", address="auto")

Actors hold a batch each and run shards; what is done is kept in the folder `out` of the driver. An actor that dies, with its node or
alone, is replaced, and its shard is run again. Numbers are those of pliant.sweeps.sweep, bit for bit, where nodes have the same
instruction set (PLIANT_ISA chooses one).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ray

import pliant as pl
from pliant.sweeps import Floats, Plan, Result, Shard, Worker, axis_of, make_plan, run_plan


class _Actor:
    """A worker on a node; says which instructions it uses, because bits depend on them."""

    def __init__(self, plan: Plan, threads: int) -> None:
        self.worker = Worker(plan, threads)

    def run(self, shard: int) -> tuple[Shard, str]:
        return self.worker.run(shard), pl.instruction_set()


def _work(plan: Plan, left: list[int], actors: int, threads: int, patience: int) -> Iterator[tuple[int, Shard]]:
    kind = ray.remote(_Actor).options(num_cpus=threads, max_restarts=0)
    handle = ray.put(plan)
    queue, tries = list(reversed(left)), dict.fromkeys(left, 0)
    running: dict[Any, tuple[Any, int]] = {}

    def start(actor: Any) -> None:
        if queue:
            shard = queue.pop()
            running[actor.run.remote(shard)] = (actor, shard)

    for _ in range(min(actors, len(left))):
        start(kind.remote(handle, threads))
    while running:
        done, _ = ray.wait(list(running), num_returns=1)
        actor, shard = running.pop(done[0])
        try:
            result, instructions = ray.get(done[0])
        except ray.exceptions.RayActorError as lost:
            tries[shard] += 1
            if tries[shard] >= patience:
                raise pl.Error(f"shard {shard} was lost {patience} times; the last time: {lost}") from lost
            queue.append(shard)
            actor = kind.remote(handle, threads)
        else:
            if instructions != pl.instruction_set():
                raise pl.InputError(
                    f"a node uses the instructions {instructions}, this machine {pl.instruction_set()}: bits differ; set PLIANT_ISA on all of them"
                )
            yield shard, result
        start(actor)
        # An actor without work gives its processor back once nothing refers to it; one that replaces a lost actor may wait for it.
        del actor


def sweep(
    scene: Any,
    grid: Mapping[str, Sequence[float] | Floats] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    address: str | None = None,
    actors: int = 0,
    threads: int = 1,
    patience: int = 3,
    progress: bool = False,
    **plan: Any,
) -> Result:
    """As pliant.sweeps.sweep, on a Ray cluster. actors: how many work at a time, 0: as many as the cluster has CPUs for, each with
    `threads` of them. patience: how often a shard may be lost."""
    made = make_plan(scene, grid, **plan)
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    count = actors or max(int(ray.cluster_resources().get("CPU", 1)) // threads, 1)
    return run_plan(made, out, progress, lambda left: _work(made, left, count, threads, patience))


def main(words: Sequence[str] | None = None) -> int:
    """`python3 -m pliant.ray SCENE --vary PATH=VALUES --measure LIST --out FOLDER`: what `pliant sweep --ray ADDRESS` runs."""
    parser = argparse.ArgumentParser(prog="pliant sweep --ray", description="a sweep on a Ray cluster")
    parser.add_argument("scene")
    parser.add_argument("--vary", action="append", required=True)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--over", default="end")
    parser.add_argument("--until", type=float)
    parser.add_argument("--load")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--search", action="append", default=[])
    parser.add_argument("--ray", required=True, metavar="ADDRESS")
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args(words)
    try:
        grid = dict(axis_of(text) for text in given.vary)
        overrides = dict(text.split("=", 1) for text in given.set)
        model = pl.load(given.scene, set=overrides, search=given.search)
        state = b""
        if given.load:
            data = pl.Data(model)
            data.load_state(given.load)
            state = data.get_state()
        result = sweep(
            model,
            grid,
            measure=given.measure,
            over=given.over,
            until=given.until,
            state=state,
            out=given.out,
            address=given.ray,
            threads=given.threads,
            progress=not given.quiet,
        )
    except (pl.Error, ValueError, ConnectionError) as error:
        print(f"pliant: {error}", file=sys.stderr)
        return 2
    result.save_table(Path(given.out))
    failed = len(result.failed())
    if failed:
        print(f"pliant: {failed} of {len(result)} simulations failed; the table says which", file=sys.stderr)
    if not given.quiet:
        print(f"{len(result)} simulations; written {given.out}/sweep.csv and sweep.npz")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
