"""Distributions of numbers: for parameters, goals and samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pliant._pliant import InputError


def _check(good: bool, made: object, rule: str) -> None:
    if not good:
        raise InputError(f"{made}: {rule}")


@dataclass(frozen=True)
class Uniform:
    """From low to high."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _check(math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high, self, "low and high must be finite, low <= high")

    def sample(self, rng: np.random.Generator) -> float:
        return float(rng.uniform(self.low, self.high))


@dataclass(frozen=True)
class LogUniform:
    """The logarithm is uniform."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _check(math.isfinite(self.high) and 0 < self.low <= self.high, self, "low and high must be finite, 0 < low <= high")

    def sample(self, rng: np.random.Generator) -> float:
        return float(np.exp(rng.uniform(np.log(self.low), np.log(self.high))))


@dataclass(frozen=True)
class Normal:
    """Mean and standard deviation."""

    mean: float
    std: float

    def __post_init__(self) -> None:
        _check(math.isfinite(self.mean) and math.isfinite(self.std) and self.std >= 0, self, "mean and std must be finite, std >= 0")

    def sample(self, rng: np.random.Generator) -> float:
        return float(rng.normal(self.mean, self.std))


@dataclass(frozen=True)
class Choice:
    """One of these."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        _check(len(self.values) > 0 and all(math.isfinite(v) for v in self.values), self, "values must be finite, one or more")

    def sample(self, rng: np.random.Generator) -> float:
        return float(self.values[rng.integers(len(self.values))])


class Distribution(Protocol):
    """Anything that draws a number from a generator."""

    def sample(self, rng: np.random.Generator) -> float: ...
