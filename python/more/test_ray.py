"""Sweeps on a Ray cluster of two local nodes, one of which is killed (tools/test more)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster

import pliant as pl
import pliant.ray
from pliant.sweeps import Folder, Shard, sweep

YOUNG = "block.material.young"


def model() -> pl.Model:
    spec = pl.Spec(options={"dt": 0.01})
    spec.add_deformable(name="block", mesh=pl.mesh.box_cells((0.1, 0.1, 0.1), 2, 2, 2), pose=(0, 0, 0.06), young=1e5, friction=0.5)
    spec.add_shape(name="ground", kind="half_space")
    return spec.compile()


@pytest.fixture
def cluster() -> Any:
    os.environ["PYTHONPATH"] = os.pathsep.join([p for p in sys.path if p])
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield made
    ray.shutdown()
    made.shutdown()


def test_the_same_bits_though_a_node_dies(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = model()
    grid = {YOUNG: np.linspace(5e4, 2e5, 80)}
    alone = sweep(block, grid, measure="block.com, time", until=15.0, shard=2)
    doomed = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    kept: list[int] = []
    lost: list[int] = []
    killed: list[int] = []
    keep, get = Folder.keep, ray.get

    def keep_and_kill(self: Folder, shard: int, result: Shard) -> None:
        keep(self, shard, result)
        kept.append(shard)
        # both nodes are at work: one of them is lost, with the shard that it has in hand
        if not killed and ray.available_resources().get("CPU", 0) == 0:
            killed.append(shard)
            cluster.remove_node(doomed, allow_graceful=False)

    def get_and_count(*arguments: Any, **keywords: Any) -> Any:
        try:
            return get(*arguments, **keywords)
        except ray.exceptions.RayActorError:
            lost.append(len(kept))
            raise

    monkeypatch.setattr(Folder, "keep", keep_and_kill)
    monkeypatch.setattr(ray, "get", get_and_count)
    result = pliant.ray.sweep(block, grid, measure="block.com, time", until=15.0, shard=2, out=tmp_path / "out")
    assert sorted(kept) == list(range(40)) and lost
    np.testing.assert_array_equal(result.measures, alone.measures)
    with np.load(tmp_path / "out" / "sweep.npz") as file:
        np.testing.assert_array_equal(file["measures"], alone.measures)


def test_the_command_gives_the_same_table(cluster: Any, tmp_path: Path) -> None:
    root = Path(__file__).resolve().parent.parent.parent
    command = os.environ.get("PLIANT_COMMAND", str(root / "build" / "pliant"))
    words = ["sweep", "block", "--vary", "block.material.young=2e4:2e5:3:log", "--vary", "options.gravity.z=-9.81,1e10"]
    words += ["--measure", "time, block.com", "--until", "0.2", "--quiet"]
    environment = os.environ | {"PLIANT_PYTHON": sys.executable}
    local = subprocess.run([command, *words, "--out", tmp_path / "local"], env=environment, cwd=root)
    on_ray = subprocess.run([command, *words, "--out", tmp_path / "ray", "--ray", cluster.address], env=environment, cwd=root)
    assert local.returncode == on_ray.returncode == 1  # the rows with 1e10 fail
    assert (tmp_path / "local" / "sweep.csv").read_text() == (tmp_path / "ray" / "sweep.csv").read_text()
    wrong = subprocess.run([command, *words, "--out", tmp_path / "bad", "--set", "options.dt=x", "--ray", cluster.address], env=environment, cwd=root)
    assert wrong.returncode == 2 and not (tmp_path / "bad").exists()
