"""Distributions of numbers: for parameters, goals and samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Uniform:
    """From low to high."""

    low: float
    high: float

    def sample(self, rng: np.random.Generator) -> float:
        return float(rng.uniform(self.low, self.high))


@dataclass(frozen=True)
class LogUniform:
    """The logarithm is uniform."""

    low: float
    high: float

    def sample(self, rng: np.random.Generator) -> float:
        return float(np.exp(rng.uniform(np.log(self.low), np.log(self.high))))


@dataclass(frozen=True)
class Normal:
    """Mean and standard deviation."""

    mean: float
    std: float

    def sample(self, rng: np.random.Generator) -> float:
        return float(rng.normal(self.mean, self.std))


@dataclass(frozen=True)
class Choice:
    """One of these."""

    values: tuple[float, ...]

    def sample(self, rng: np.random.Generator) -> float:
        return float(self.values[rng.integers(len(self.values))])


class Distribution(Protocol):
    """Anything that draws a number from a generator."""

    def sample(self, rng: np.random.Generator) -> float: ...
