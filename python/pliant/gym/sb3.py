"""VectorEnv as a VecEnv of stable-baselines3 (2.x), which is installed separately.

    from stable_baselines3 import PPO
    from pliant.gym import tasks
    from pliant.gym.sb3 import VecEnv
    PPO("MlpPolicy", VecEnv(tasks["lift"], 64)).learn(1_000_000)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv as Base

from pliant.gym._env import VectorEnv
from pliant.gym._task import Task


class VecEnv(Base):  # type: ignore[misc, unused-ignore]  # not typed where it is not installed
    """Rows of a batch; an episode that ends is reset in the same step, its last observation is infos[i]["terminal_observation"]."""

    def __init__(self, task: Task, num_envs: int, **options: Any) -> None:
        self.vector = VectorEnv(task, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.render_mode = self.vector.render_mode
        super().__init__(num_envs, self.vector.single_observation_space, self.vector.single_action_space)
        self._actions: Any = None

    def reset(self) -> Any:
        seed = None if self._seeds[0] is None else self._seeds
        observation, _ = self.vector.reset(seed=seed)
        self._reset_seeds()
        return observation

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        observation, reward, terminated, truncated, infos = self.vector.step(self._actions)
        done = terminated | truncated
        rows: list[dict[str, Any]] = []
        for i in range(self.num_envs):
            own = infos["final_info"] if done[i] else infos
            row: dict[str, Any] = {"is_success": bool(own["success"][i]), "failed": bool(own["failed"][i])}
            row["TimeLimit.truncated"] = bool(truncated[i])
            if done[i]:
                row["terminal_observation"] = infos["final_obs"][i]
            rows.append(row)
        return observation, reward.astype(np.float32), done, rows

    def close(self) -> None:
        self.vector.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.vector, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.vector, attr_name, value)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **keywords: Any) -> list[Any]:
        return [getattr(self.vector, method_name)(*arguments, **keywords) for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        return list(self.vector.render() or ())
