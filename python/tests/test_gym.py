"""Environments: gymnasium's checks, the three modes of autoreset, seeds, scripted policies, wrong actions."""

from __future__ import annotations

import copy
import dataclasses
import time
from typing import Any

import numpy as np
import pytest

import pliant as pl

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from pliant.gym import Env, Inputs, Task, Uniform, VectorEnv, policies, score, tasks  # noqa: E402

# The part of the scripted policy's return above the random one's, as measured with 8 rows (bear: 2) and seed 0, less a margin; parts that succeed.
SCORES = {"lift": (80.0, 1.0), "squeeze": (35.0, 1.0), "push": (80.0, 0.85), "bear": (60.0, 1.0)}


@pytest.mark.filterwarnings("ignore:.*")
@pytest.mark.parametrize("name", tasks)
def test_gymnasium_accepts_the_environment(name: str) -> None:
    check_env(Env(tasks[name], render_mode="rgb_array"), skip_render_check=name != "squeeze")


def test_scripted_policies_beat_random_ones() -> None:
    """In at most 20 s of processor time, all four together."""
    start = time.process_time()
    for name in tasks:
        env = VectorEnv(tasks[name], 2 if name == "bear" else 8)
        random, none = score(env, None)
        scripted, solved = score(env, policies[name])
        margin, part = SCORES[name]
        assert scripted - random > margin, name
        assert solved >= part and none < 0.3, name
    assert time.process_time() - start < 20


def run(env: VectorEnv, count: int, seed: int = 5) -> list[tuple[Any, ...]]:
    observation, _ = env.reset(seed=seed)
    actions = np.random.default_rng(1).uniform(-1, 1, (count, *(env.action_space.shape or ())))
    out: list[tuple[Any, ...]] = [(observation,)]
    for action in actions:
        observation, reward, terminated, truncated, infos = env.step(action)
        out.append((observation.copy(), reward, terminated, truncated, infos.get("final_obs")))
    return out


def test_rows_do_not_depend_on_each_other() -> None:
    """Row i with seed s is a single environment with seed s + i, whatever the threads and the other rows do."""
    task = dataclasses.replace(tasks["squeeze"], length=6)
    many = run(VectorEnv(task, 3, threads=2), 15)
    for i in range(3):
        env = Env(task)
        observation, _ = env.reset(seed=5 + i)
        np.testing.assert_array_equal(observation, many[0][0][i])
        actions = np.random.default_rng(1).uniform(-1, 1, (15, 3, 2))
        over = False
        for t in range(15):
            if over:  # NEXT_STEP: the action is not taken
                observation, _ = env.reset()
                reward, over = 0.0, False
            else:
                observation, reward, terminated, truncated, _ = env.step(actions[t, i])
                over = terminated or truncated
            np.testing.assert_array_equal(observation, many[t + 1][0][i])
            assert reward == many[t + 1][1][i] and over == bool(many[t + 1][2][i] or many[t + 1][3][i])


def same_infos(infos: dict[str, Any], want: dict[str, Any], count: int) -> None:
    """What gymnasium's own environment says of the rows that its masks name; nothing of other rows."""
    for key in {k.removeprefix("_") for k in (*infos, *want)}:
        said, wanted = (np.asarray(d.get("_" + key, np.zeros(count, dtype=np.bool_))) for d in (infos, want))
        np.testing.assert_array_equal(said, wanted, err_msg=key)
        if not said.any():
            continue
        if isinstance(want[key], dict):
            same_infos(infos[key], want[key], count)
        for i in np.flatnonzero(said) if not isinstance(want[key], dict) else ():
            np.testing.assert_array_equal(infos[key][i], want[key][i], err_msg=key)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("name", ["lift", "squeeze", "push"])
def test_it_is_gymnasiums_vector_of_single_environments(name: str, mode: AutoresetMode) -> None:
    """All that SyncVectorEnv gives in each mode: observations, rewards, ends, infos and their masks, though rows end at different times."""
    task, count = dataclasses.replace(tasks[name], length=3, ends_with_success=True), 3
    ours = VectorEnv(task, count, autoreset_mode=mode, threads=2)
    sync = gymnasium.vector.SyncVectorEnv([lambda: Env(task, model=ours.batch.model)] * count, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == sync.metadata["autoreset_mode"] and ours.num_envs == sync.num_envs
    assert ours.action_space == sync.action_space and ours.observation_space == sync.observation_space
    seeds: list[int | None] = [11, 5, 7]
    for seed in (3, seeds):
        np.testing.assert_array_equal(ours.reset(seed=seed)[0], sync.reset(seed=seed)[0])
        random, ends = np.random.default_rng(2), 0
        for t in range(8):
            action = random.uniform(-1, 1, ours.action_space.shape)
            mine, right = ours.step(action), sync.step(action)
            for a, b in zip(mine[:4], right[:4], strict=True):
                np.testing.assert_array_equal(a, b)
            same_infos(mine[4], right[4], count)
            over = mine[2] | mine[3]
            ends += int(over.sum())
            # one row is begun again in the middle of its episode; in DISABLED also those that are over
            mask = np.array([False, t == 1, False]) | (over if mode == AutoresetMode.DISABLED else False)
            if mask.any():
                observation, _ = ours.reset(options={"reset_mask": mask})
                np.testing.assert_array_equal(observation, sync.reset(options={"reset_mask": mask})[0])
        assert ends >= 5


def test_same_step_resets_at_once() -> None:
    task = dataclasses.replace(tasks["squeeze"], length=4)
    rows = run(VectorEnv(task, 2, autoreset_mode=AutoresetMode.SAME_STEP), 9)
    next_step = run(VectorEnv(task, 2), 4)
    for t in range(1, 4):
        np.testing.assert_array_equal(rows[t][0], next_step[t][0])
    assert rows[4][3].all() and rows[8][3].all() and not rows[5][3].any()
    for i in range(2):
        np.testing.assert_array_equal(rows[4][4][i], next_step[4][0][i])
    # the new episode has another goal; its first observation comes with the end of the old one
    assert (rows[4][0][:, 4] != rows[3][0][:, 4]).all() and (rows[5][0][:, 4] == rows[4][0][:, 4]).all()


def test_disabled_waits_for_the_user() -> None:
    task = dataclasses.replace(tasks["squeeze"], length=3)
    env = VectorEnv(task, 3, autoreset_mode="Disabled")
    zero = np.zeros((3, 2))
    with pytest.raises(pl.InputError, match="reset the environment"):
        env.step(zero)
    env.reset(seed=0)
    env.step(zero)
    env.reset(options={"reset_mask": np.array([False, True, False])})
    env.step(zero)
    *_, truncated, _ = env.step(zero)
    assert truncated.tolist() == [True, False, True]
    with pytest.raises(pl.InputError, match="row 0 is over"):
        env.step(zero)
    env.reset(options={"reset_mask": truncated})
    *_, truncated, _ = env.step(zero)
    assert truncated.tolist() == [False, True, False]
    for wrong in (np.zeros(3, dtype=bool), np.ones(2, dtype=bool), np.ones(3)):
        with pytest.raises(pl.InputError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})


def test_wrong_actions_name_the_row() -> None:
    env = VectorEnv(tasks["squeeze"], 3)
    env.reset(seed=0)
    before = [env.batch.data(i).get_hash() for i in range(3)]
    action = np.zeros((3, 2))
    action[2, 1] = np.nan
    with pytest.raises(pl.InputError, match="the action of row 2 is not finite"):
        env.step(action)
    with pytest.raises(pl.InputError, match="shape"):
        env.step(np.zeros((2, 2)))
    with pytest.raises(pl.InputError, match="must be numbers of the shape"):
        env.step("left")
    with pytest.raises(pl.InputError, match="must be numbers of the shape"):
        env.step([[0, 0], [0], [0, 0]])
    with pytest.raises(pl.InputError, match="seeds"):
        env.reset(seed=[1, 2])
    with pytest.raises(pl.InputError, match="the seed of row 1 must be a whole number, not negative, got -4"):
        env.reset(seed=[1, -4, 2])
    with pytest.raises(pl.InputError, match="the seed of row 0"):
        env.reset(seed=-1)
    with pytest.raises(pl.InputError, match="render mode"):
        VectorEnv(tasks["squeeze"], 1, render_mode="ascii")
    assert [env.batch.data(i).get_hash() for i in range(3)] == before


def test_a_failed_row_is_truncated() -> None:
    env = VectorEnv(tasks["push"], 3)
    env.reset(seed=0)
    env.batch.f_user[1, 0] = 1e20
    _, reward, terminated, truncated, infos = env.step(np.zeros((3, 2)))
    assert truncated.tolist() == [False, True, False] and infos["failed"].tolist() == [False, True, False]
    assert np.isfinite(reward).all() and not terminated.any()
    observation, _, _, truncated, _ = env.step(np.zeros((3, 2)))
    assert np.isfinite(observation).all() and not truncated.any()


def test_parameters_are_drawn_for_each_episode() -> None:
    task = dataclasses.replace(tasks["squeeze"], randomize={"block.material.young": Uniform(3e4, 5e4)})
    env = VectorEnv(task, 4)
    env.reset(seed=0)
    first = env.batch.parameter("block.material.young")
    assert len(set(first)) == 4 and (first >= 3e4).all() and (first <= 5e4).all()
    env.reset(seed=0)
    np.testing.assert_array_equal(env.batch.parameter("block.material.young"), first)
    env.reset()
    assert (env.batch.parameter("block.material.young") != first).all()
    plain = VectorEnv(task, 1, randomize=False)
    plain.reset(seed=0)
    assert plain.batch.parameter("block.material.young")[0] == 4e4
    with pytest.raises(pl.InputError, match="did you mean"):
        VectorEnv(dataclasses.replace(task, randomize={"block.material.yuong": Uniform(1, 2)}), 1).reset()


def test_a_parameter_that_makes_no_sense_names_its_row() -> None:
    """Episodes and parameters stay as they were."""
    draws = {"block.material.density": Uniform(900, 1100), "block.material.young": Uniform(4e4, 5e4)}
    env = VectorEnv(dataclasses.replace(tasks["squeeze"], randomize=draws), 3)
    env.reset(seed=0)
    env.step(np.zeros((3, 2)))
    before = [(env.batch.data(i).get_hash(), env.batch.data(i).get_parameter_hash()) for i in range(3)]
    draws["block.material.young"] = Uniform(-2, -1)
    with pytest.raises(pl.InputError, match="row 2"):
        env.reset(options={"reset_mask": np.array([False, False, True])})
    assert [(env.batch.data(i).get_hash(), env.batch.data(i).get_parameter_hash()) for i in range(3)] == before


@pytest.mark.filterwarnings("ignore:.*")
def test_sensors_are_observations() -> None:
    """Taxels with noise and delay, and a camera: each has a fixed size; rows have the numbers of single environments."""
    sensors = [
        {"name": "skin", "kind": "taxels", "on": "left_pad", "region": {"shape": "all"}, "delay": 0.02, "noise": 0.01, "seed": 4},
        {"name": "eye", "kind": "depth", "on": "world", "pose": {"position": [0, 0, 2], "rpy": [np.pi, 0, 0]}, "width": 6, "height": 5},
    ]
    plain = tasks["squeeze"]
    observation = plain.observation + ", sensor(skin), sensor(eye)"
    task = dataclasses.replace(plain, scene={**plain.scene, "sensors": sensors}, observation=observation, length=5)
    env = VectorEnv(task, 2)
    skin = int(np.prod(env.batch.model.sensors()[0]["shape"]))
    wide, narrow = env.single_observation_space.shape, VectorEnv(plain, 1).single_observation_space.shape
    assert wide is not None and narrow is not None and wide[0] == narrow[0] + skin + 30
    check_env(Env(task), skip_render_check=True)
    many = run(env, 4)
    single = Env(task)
    single.reset(seed=6)
    for t in range(4):
        alone = single.step(np.random.default_rng(1).uniform(-1, 1, (4, 2, 2))[t, 1])[0]
        np.testing.assert_array_equal(alone, many[t + 1][0][1])


def test_people_watch_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    env = Env(tasks["squeeze"], render_mode="human")
    env.reset(seed=1)
    assert env.vector.viewer is not None
    address = capsys.readouterr().out.strip()
    assert address == env.vector.viewer.address
    env.step(env.action_space.sample())
    assert env.render() is None
    assert env.vector.viewer.data.time == env.vector.batch.time[0] > 0
    env.close()
    assert env.vector.viewer is None


def test_pictures() -> None:
    env = VectorEnv(tasks["squeeze"], 2, render_mode="rgb_array")
    env.reset(seed=0)
    pictures = env.render()
    assert pictures is not None and len(pictures) == 2 and pictures[0].shape[2] == 3 and pictures[0].dtype == np.uint8


@pytest.mark.parametrize("name", ["squeeze", "lift"])
def test_copies_of_environments_continue(name: str) -> None:
    """A deep copy in the middle of an episode, as planners make it, continues with the same numbers, by itself."""
    env = VectorEnv(tasks[name], 2)
    env.reset(seed=3)
    actions = np.random.default_rng(2).uniform(-1, 1, (9, *(env.action_space.shape or ())))
    for action in actions[:3]:
        env.step(action)
    other = copy.deepcopy(env)
    for action in actions[3:6]:
        other.step(action)
    third = copy.deepcopy(env)
    for action in actions[3:]:
        one, two = env.step(action), third.step(action)
        for a, b in zip(one[:4], two[:4], strict=True):
            np.testing.assert_array_equal(a, b)
    assert env.batch.time[0] > other.batch.time[0]
    np.testing.assert_array_equal(other.reset(seed=1)[0], env.reset(seed=1)[0])


def test_noise_of_sensors_differs_between_rows_and_episodes() -> None:
    """It follows from the seed of the row, and the first observation is that of the state which start made."""

    def start(batch: pl.Batch, rows: Any, generators: Any) -> None:
        batch.q[rows, 0] = 10

    task = Task(
        name="noise",
        scene={
            "options": {"gravity": [0, 0, 0]},
            "bodies": [{"name": "c", "mass": 1, "inertia": [1, 1, 1], "joint": {"kind": "prismatic", "actuator": {"kind": "motor"}}}],
            "sensors": [{"name": "p", "kind": "joint_position", "on": "c", "noise": 1}],
        },
        observation="sensor(p)",
        actions=(Inputs(("c",), 0, 1e-9),),
        success=lambda f: np.zeros(len(f.action), np.bool_),
        reward=lambda f: np.zeros(len(f.action)),
        length=3,
        start=start,
    )
    env = VectorEnv(task, 3)
    first = env.reset(seed=4)[0]
    seen = [first] + [env.step(np.zeros((3, 1)))[0] for _ in range(11)]
    numbers = np.array(seen)
    assert (abs(numbers - 10) < 6).all()
    assert len(np.unique(numbers)) == numbers.size
    alone = Env(task)
    np.testing.assert_array_equal(alone.reset(seed=5)[0], first[1])
    for k in range(3):
        np.testing.assert_array_equal(alone.step(np.zeros(1))[0], seen[1 + k][1])
