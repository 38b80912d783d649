"""Gymnasium environments over batches: needs gymnasium (pip install pliant[gym]).

    from pliant.gym import VectorEnv, tasks
    env = VectorEnv(tasks["lift"], 64)
    observation, info = env.reset(seed=0)

docs/gym.md has a tour.
"""

from pliant.gym._env import Env, VectorEnv
from pliant.gym._task import Action, Choice, Distribution, Frame, Hand, Increments, Inputs, LogUniform, Normal, Task, Uniform
from pliant.gym.tasks import policies, score, tasks

__all__ = [
    "Action", "Choice", "Distribution", "Env", "Frame", "Hand", "Increments", "Inputs", "LogUniform", "Normal", "Task", "Uniform",
    "VectorEnv", "policies", "score", "tasks",
]  # fmt: skip
