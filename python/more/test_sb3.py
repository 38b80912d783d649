"""The adapter against stable-baselines3's own VecEnv class (tools/test more). The rest of that package needs torch and is not imported."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pliant.gym import VectorEnv, tasks


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Any:
    found = importlib.util.find_spec("stable_baselines3")
    assert found is not None and found.origin is not None
    root = Path(found.origin).parent
    # the packages as folders alone: what they import in their __init__ is left out
    for name in ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"):
        package = types.ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        monkeypatch.setitem(sys.modules, name, package)
    base = importlib.import_module("stable_baselines3.common.vec_env.base_vec_env")
    setattr(sys.modules["stable_baselines3.common.vec_env"], "VecEnv", base.VecEnv)
    yield importlib.import_module("pliant.gym.sb3")
    for name in [n for n in sys.modules if n.startswith("stable_baselines3") or n == "pliant.gym.sb3"]:
        del sys.modules[name]


def test_it_is_the_vector_environment(adapter: Any) -> None:
    task = dataclasses.replace(tasks["squeeze"], length=4)
    env = adapter.VecEnv(task, 3)
    env.seed(7)
    plain = VectorEnv(task, 3, autoreset_mode="SameStep")
    np.testing.assert_array_equal(env.reset(), plain.reset(seed=7)[0])
    ends = 0
    for t in range(9):
        action = np.random.default_rng(t).uniform(-1, 1, (3, 2))
        observation, reward, done, infos = env.step(action)
        want, gain, terminated, truncated, info = plain.step(action)
        np.testing.assert_array_equal(observation, want)
        np.testing.assert_array_equal(reward, gain.astype(np.float32))
        np.testing.assert_array_equal(done, terminated | truncated)
        for i in range(3):
            assert ("terminal_observation" in infos[i]) == bool(done[i])
            if done[i]:
                ends += 1
                np.testing.assert_array_equal(infos[i]["terminal_observation"], info["final_obs"][i])
                assert infos[i]["TimeLimit.truncated"]
    assert ends == 6
    assert env.get_attr("num_envs") == [3, 3, 3] and env.env_is_wrapped(object) == [False] * 3
    env.close()
