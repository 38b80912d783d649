"""Models that several tests share."""

from __future__ import annotations

import pytest
from models import block_model, pendulum_model, point_model

import pliant as pl


@pytest.fixture(scope="session")
def block() -> pl.Model:
    return block_model()


@pytest.fixture(scope="session")
def point() -> pl.Model:
    return point_model()


@pytest.fixture(scope="session")
def pendulum() -> pl.Model:
    return pendulum_model()
