"""Tasks with a scripted policy that solves each, and the scores that are documented (docs/gym.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant._batch import Batch
from pliant._load import _scene_folder
from pliant.gym._env import VectorEnv
from pliant.gym._task import Bools, Choice, Floats, Frame, Hand, Increments, Inputs, LogUniform, Rows, Task, Uniform

Policy = Callable[[VectorEnv, Floats], Floats]

# ---- lift: a Panda lifts a soft beam off a table (the scene of Isaac Lab's Isaac-Lift-Soft-Franka)

_ARM = tuple(f"panda/joint{i}" for i in range(1, 8))
_FINGERS = ("panda/finger1", "panda/finger2")
_TIP = 0.1034  # m from the hand's origin to the point between the fingertips
# Above the beam, pointing down.
_ABOVE = (0.0, 0.0525, 0.0, -2.3784, 0.0, 2.4309, 0.785)


def _lift_start(batch: Batch, rows: Rows, random: Sequence[np.random.Generator]) -> None:
    model = batch.model
    q = np.asarray(model.dof_q)
    index = np.array([int(q[int(np.asarray(model.joint_v0)[model.find("joint", j)])]) for j in _ARM])
    shift = np.array([[r.uniform(-0.05, 0.05), r.uniform(-0.1, 0.1)] for r in random])
    batch.q[np.ix_(rows, index)] = _ABOVE
    batch.u[rows, :7] = _ABOVE
    first = int(np.asarray(model.deform_q0)[0])
    count = int(np.asarray(model.deform_vert0)[1])
    for k, i in enumerate(rows):
        vertices = batch.q[i, first : first + 3 * count].reshape(-1, 3)
        vertices[:, :2] += shift[k]


def _lift_height(f: Frame) -> Floats:
    return f["beam.com.z"]


def _lift_reward(f: Frame) -> Floats:
    tip = f["panda/hand.position"] - np.array([0.0, 0.0, _TIP])
    distance = np.linalg.norm(tip - f["beam.com"], axis=1)
    lifted = np.clip((_lift_height(f) - 0.02) / 0.1, 0, 1)
    return np.asarray(0.1 * (1 - np.tanh(10 * distance)) + lifted + f.success)


def _lifted(f: Frame) -> Bools:
    return np.asarray(_lift_height(f) > 0.12)


lift = Task(
    name="lift",
    scene="lift",
    observation=", ".join(f"{j}.q" for j in (*_ARM, *_FINGERS))
    + ", panda/hand.position.x, panda/hand.position.y, panda/hand.position.z, beam.com.x, beam.com.y, beam.com.z",
    actions=(
        Hand("panda/hand", _ARM, _ARM, step=0.02, lower=(0.3, -0.3, 0.125), upper=(0.7, 0.3, 0.5)),
        Inputs(_FINGERS, 0.0, 0.04, shared=True),
    ),
    reward=_lift_reward,
    success=_lifted,
    length=90,
    randomize={"beam.material.young": LogUniform(1e5, 4e5), "beam.surface.friction": Uniform(0.8, 1.2)},
    start=_lift_start,
)


def lift_policy(env: VectorEnv, observation: Floats) -> Floats:
    """Over the beam, down, close, up."""
    hand, beam = observation[:, 9:12], observation[:, 12:15]
    offset = beam - hand
    near = np.linalg.norm(offset[:, :2], axis=1) < 0.01
    low = hand[:, 2] < 0.14
    width = observation[:, 7] + observation[:, 8]
    held = low & near & (width < 0.0415) | (beam[:, 2] > 0.03)
    action = np.ones((len(observation), 4))
    action[:, :2] = np.clip(offset[:, :2] / 0.04, -1, 1)
    goal = np.where(held, 0.4, np.where(near, 0.13, 0.25))
    action[:, 2] = np.clip((goal - hand[:, 2]) / 0.04, -1, 1)
    action[:, 3] = np.where(low & near | held, -1, 1)
    action[held, :2] = 0
    return action


# ---- squeeze: two fingers press a soft block with a given force

squeeze_scene: dict[str, Any] = {
    "pliant": 1,
    "options": {"dt": 0.01, "duration": 2},
    "bodies": [
        {
            "name": side,
            "mass": 0.1,
            "gravity": 0,
            "inertia": [1e-4, 1e-4, 1e-4],
            "joint": {
                "name": side,
                "kind": "prismatic",
                "axis": [-sign, 0, 0],
                "pose": {"position": [sign * 0.045, 0, 0.03]},
                "lower": -0.02,
                "upper": 0.03,
                "actuator": {"kind": "position", "kp": 2000, "kd": 60},
            },
        }
        for side, sign in (("left", -1), ("right", 1))
    ],
    "deformables": [
        {
            "name": "block",
            "shape": "box",
            "size": [0.06, 0.06, 0.06],
            "cells": [3, 3, 3],
            "pose": {"position": [0, 0, 0.03]},
            "material": {"young": 4e4, "poisson": 0.4, "density": 500},
        }
    ],
    "shapes": [
        {"name": "table", "shape": "half_space"},
        {"name": "left_pad", "body": "left", "shape": "box", "size": [0.01, 0.04, 0.04]},
        {"name": "right_pad", "body": "right", "shape": "box", "size": [0.01, 0.04, 0.04]},
    ],
}


def _squeeze_error(f: Frame) -> Floats:
    force = 0.5 * (f["contact(left_pad,block).normal_force"] + f["contact(right_pad,block).normal_force"])
    return np.asarray((force - f.goal[:, 0]) / f.goal[:, 0])


squeeze = Task(
    name="squeeze",
    scene=squeeze_scene,
    observation="left.q, right.q, contact(left_pad,block).normal_force, contact(right_pad,block).normal_force",
    actions=(Increments(("left", "right"), 0.002, -0.01, 0.03),),
    reward=lambda f: -np.minimum(np.abs(_squeeze_error(f)), 1.0),
    success=lambda f: np.abs(_squeeze_error(f)) < 0.1,
    steps=2,
    length=60,
    goal=(Uniform(2, 10),),
    randomize={"block.material.young": LogUniform(2e4, 8e4)},
)


def squeeze_policy(env: VectorEnv, observation: Floats) -> Floats:
    """Each finger closes until its force is the desired one; the gain is that of a soft spring."""
    force, goal = observation[:, 2:4], observation[:, 4:5]
    return np.asarray(np.clip((goal - force) * 0.15, -1, 1))


# ---- push: a finger pushes a soft block over a table to a goal

push_scene: dict[str, Any] = {
    "pliant": 1,
    "options": {"dt": 0.01, "duration": 4},
    "bodies": [
        {
            "name": "slide",
            "mass": 0.3,
            "gravity": 0,
            "inertia": [1e-3, 1e-3, 1e-3],
            "joint": {
                "name": "x",
                "kind": "prismatic",
                "axis": [1, 0, 0],
                "pose": {"position": [0, 0, 0.03]},
                "lower": -0.4,
                "upper": 0.4,
                "actuator": {"kind": "position", "kp": 600, "kd": 40, "input": -0.12},
            },
        },
        {
            "name": "finger",
            "mass": 0.2,
            "gravity": 0,
            "inertia": [1e-3, 1e-3, 1e-3],
            "joint": {
                "name": "y",
                "kind": "prismatic",
                "parent": "slide",
                "axis": [0, 1, 0],
                "lower": -0.4,
                "upper": 0.4,
                "actuator": {"kind": "position", "kp": 600, "kd": 40},
            },
        },
    ],
    "deformables": [
        {
            "name": "block",
            "shape": "box",
            "size": [0.06, 0.06, 0.06],
            "cells": [3, 3, 3],
            "pose": {"position": [0, 0, 0.03]},
            "material": {"young": 5e4, "poisson": 0.4, "density": 300},
            "surface": {"friction": 0.3},
        }
    ],
    "shapes": [
        {"name": "table", "shape": "half_space", "surface": {"friction": 0.3}},
        {"name": "tip", "body": "finger", "shape": "capsule", "radius": 0.012, "length": 0.03, "surface": {"friction": 0.3}},
    ],
}


def _push_start(batch: Batch, rows: Rows, random: Sequence[np.random.Generator]) -> None:
    batch.q[rows, 0] = -0.12
    batch.q[rows, 1] = [r.uniform(-0.05, 0.05) for r in random]
    batch.u[rows, :2] = batch.q[rows, :2]


def _push_distance(f: Frame) -> Floats:
    return np.asarray(np.linalg.norm(f["block.com"][:, :2] - f.goal, axis=1))


push = Task(
    name="push",
    scene=push_scene,
    observation="x.q, y.q, block.com.x, block.com.y",
    actions=(Increments(("x", "y"), 0.01, -0.4, 0.4),),
    reward=lambda f: np.asarray(1 - np.tanh(10 * _push_distance(f))) + f.success,
    success=lambda f: _push_distance(f) < 0.015,
    steps=2,
    length=120,
    goal=(Uniform(0.08, 0.16), Uniform(-0.06, 0.06)),
    randomize={"block.material.density": Uniform(200, 400), "table.surface.friction": Choice((0.2, 0.3, 0.4))},
    start=_push_start,
)


def push_policy(env: VectorEnv, observation: Floats) -> Floats:
    """Behind the block, as seen from the goal, around it where it is in the way; then slowly towards the goal."""
    tip, block, goal = observation[:, :2], observation[:, 2:4], observation[:, 4:6]
    way = goal - block
    length = np.linalg.norm(way, axis=1, keepdims=True)
    ahead = way / np.maximum(length, 1e-6)
    side = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    off = np.sum((tip - block) * side, axis=1, keepdims=True)
    behind = np.sum((block - tip) * ahead, axis=1, keepdims=True)
    turn = np.where(off >= 0, 1.0, -1.0)
    aligned = (np.abs(off) < 0.008) & (behind > 0.02)
    around = np.where(np.abs(off) < 0.06, tip + 0.02 * turn * side, tip - 0.02 * ahead)
    back = block - 0.075 * ahead
    target = np.where(behind > 0.05, back, around)
    pushing = tip + np.minimum(0.004, 0.06 * length) * ahead - 0.5 * off * side
    target = np.where(aligned, pushing, target)
    target = np.where(length < 0.01, tip, target)
    return np.asarray(np.clip((target - tip) / 0.01, -1, 1))


# ---- bear: a gripper with two soft bubbles picks up a soft bear (the scene of the paper)


def _bear_scene() -> str:
    """scenes/teddy.yaml without the tables that move its gripper."""
    text = (Path(_scene_folder()) / "teddy.yaml").read_text()
    text = re.sub(r"^ *(times|values): \[.*\]\n", "", text, flags=re.M)
    text = re.sub(r", times: \[[^]]*\], values: \[[^]]*\]", ", input: 0.002", text)
    return text.replace("kind: pd", "kind: position")


bear = Task(
    name="bear",
    scene=_bear_scene,
    observation="gripper.q, left_finger.q, bear.com.x, bear.com.y, bear.com.z, bear.lower.z, contact(left_bubble,bear).normal_force",
    actions=(Increments(("gripper",), 0.01, 0.0, 0.15), Increments(("left_finger",), 0.004, 0.002, 0.045)),
    reward=lambda f: np.clip(f["bear.lower.z"] / 0.05, 0, 1) + f.success,
    success=lambda f: f["bear.lower.z"] > 0.05,
    steps=2,
    length=60,
    randomize={"bear.material.young": LogUniform(8e3, 1.25e4), "bear.surface.friction": Uniform(0.8, 1.2)},
)


def bear_policy(env: VectorEnv, observation: Floats) -> Floats:
    """Close, then lift."""
    closed = observation[:, 1] > 0.036
    action = np.zeros((len(observation), 2))
    action[:, 0] = np.where(closed, np.clip((0.12 - observation[:, 0]) / 0.01, -1, 1), 0)
    action[:, 1] = np.clip((0.041 - observation[:, 1]) / 0.004, -1, 1)
    return action


tasks: dict[str, Task] = {t.name: t for t in (lift, squeeze, push, bear)}
policies: dict[str, Policy] = {"lift": lift_policy, "squeeze": squeeze_policy, "push": push_policy, "bear": bear_policy}


def score(env: VectorEnv, policy: Policy | None, seed: int = 0) -> tuple[float, float]:
    """Mean return and share of successful episodes, one episode in each row; policy None: random actions."""
    observation, _ = env.reset(seed=seed)
    random = np.random.default_rng(seed)
    total = np.zeros(env.num_envs)
    success = np.zeros(env.num_envs, dtype=np.bool_)
    for _ in range(env.task.length):
        action = random.uniform(-1, 1, env.action_space.shape) if policy is None else policy(env, observation)
        observation, reward, terminated, truncated, infos = env.step(action)
        total += reward
        success = infos["success"]
        if (terminated | truncated).any():
            break
    return float(total.mean()), float(success.mean())
