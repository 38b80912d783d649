"""What the tests share: small models, the source tree, the command that was built beside the module."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import pliant as pl

ROOT = Path(__file__).resolve().parent.parent.parent


def command() -> Path:
    """The command built by the same compiler; a test that needs it is skipped where there is none."""
    path = Path(os.environ.get("PLIANT_COMMAND", ROOT / "build" / "pliant"))
    if not path.exists():
        pytest.skip(f"the command is not built: {path}")
    return path


def block_model(**options: float) -> pl.Model:
    """A small soft block above the ground."""
    spec = pl.Spec(options={"dt": 0.01, **options})
    spec.add_deformable(name="block", mesh=pl.mesh.box_cells((0.1, 0.1, 0.1), 2, 2, 2), pose=(0, 0, 0.06), young=1e5, friction=0.5)
    spec.add_shape(name="ground", kind="half_space")
    return spec.compile()


def point_model() -> pl.Model:
    """One rigid body above the ground: the smallest that moves."""
    spec = pl.Spec()
    spec.add_body(name="ball", mass=1, inertia=(0.004, 0.004, 0.004, 0, 0, 0), pose=(0, 0, 0.2))
    spec.add_shape(name="ball_shape", body="ball", kind="sphere", radius=0.1)
    spec.add_shape(name="ground", kind="half_space")
    return spec.compile()


def pendulum_model(links: int = 2) -> pl.Model:
    """Links of 1 m and 1 kg that hang on each other by revolute joints about y."""
    spec = pl.Spec(options={"dt": 0.001})
    parent: int | str = "world"
    for i in range(links):
        spec.add_body(name=f"link{i}", mass=1, com=(0, 0, -0.5), inertia=(0.09, 0.09, 0.01, 0, 0, 0))
        pose = (0, 0, 0) if i == 0 else (0, 0, -1)
        spec.add_joint(name=f"joint{i}", kind="revolute", parent=parent, child=f"link{i}", axis=(0, 1, 0), pose=pose, position=[0.3 + 0.2 * i])
        spec.add_actuator(name=f"motor{i}", joint=f"joint{i}")
        parent = f"link{i}"
    return spec.compile()
