"""The very same simulation: the state's hash equals that of the command, for every shipped scene."""

from __future__ import annotations

import json
import subprocess
import time
import warnings
from pathlib import Path

import pytest
from models import command

import pliant as pl


@pytest.mark.parametrize("name", pl.scenes())
def test_the_hash_is_the_commands(name: str, tmp_path: Path) -> None:
    """After min(1000 steps, the scene's end, 3 s of computing)."""
    program = command()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = pl.Data(pl.load(name))
    end = data.model.options.duration
    steps, begin = 0, time.monotonic()
    while steps < 1000 and data.time < end - 0.5 * data.options.dt and time.monotonic() - begin < 3:
        data.step()
        steps += 1
    report = tmp_path / "report.json"
    subprocess.run([program, "run", name, "--until", repr(data.time), "--json", report, "--quiet"], check=True, capture_output=True, cwd=tmp_path)
    told = json.loads(report.read_text())
    assert told["steps"] == steps
    assert told["state_hash"] == f"{data.hash:016x}"


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_bits_do_not_depend_on_threads(threads: int) -> None:
    data = pl.Data(pl.load("teddy", set={"options.threads": threads}))
    data.step(10)
    alone = pl.Data(pl.load("teddy"))
    alone.step(10)
    assert data.hash == alone.hash
