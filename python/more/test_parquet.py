"""The table of a sweep as Parquet, where pyarrow is installed (tools/test more)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet

import pliant as pl
from pliant.sweeps import sweep

YOUNG = "block.material.young"


def test_the_table_holds_what_the_arrays_hold(tmp_path: Path) -> None:
    spec = pl.Spec(options={"dt": 0.01})
    spec.add_deformable(name="block", mesh=pl.mesh.box_cells((0.1, 0.1, 0.1), 2, 2, 2), pose=(0, 0, 0.06), young=1e5, friction=0.5)
    spec.add_shape(name="ground", kind="half_space")
    # a row that fails is in the table too
    grid = {YOUNG: [5e4, 2e5], "options.gravity.z": [-9.81, 1e10]}
    result = sweep(spec.compile(), grid, measure="time, block.com", until=0.1, shard=2, out=tmp_path / "out")
    table = pyarrow.parquet.read_table(tmp_path / "out" / "sweep.parquet")
    assert table.column_names == [*result.paths, *result.names, "status"] and table.num_rows == len(result) == 4
    for name in (*result.paths, *result.names):
        np.testing.assert_array_equal(table[name].to_numpy(), result[name])
    assert table["status"].to_pylist() == list(result.status)
    assert 0 < len(result.failed()) < 4
