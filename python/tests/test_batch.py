"""Batches: the bits of simulations that run alone, live arrays, views, parameters, failures."""

from __future__ import annotations

import copy
import pickle
import signal
from collections.abc import Callable

import numpy as np
import pytest

import pliant as pl


def run_alone(model: pl.Model, velocity: float, young: float, steps: int) -> pl.Data:
    data = pl.Data(model)
    data.v[0] = velocity
    data.set_parameter("block.material.young", young)
    data.step(steps)
    return data


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_rows_have_the_bits_of_simulations(block: pl.Model, threads: int) -> None:
    batch = pl.Batch(block, 5, threads)
    assert (batch.rows, batch.threads) == (5, threads)
    young = 5e4 * (1 + np.arange(5))
    batch.v[:, 0] = 0.1 * np.arange(5)
    batch.vary("block.material.young", young)
    np.testing.assert_array_equal(batch.parameter("block.material.young"), young)
    batch.step(3, rows=[4, 0])
    batch.step(3, rows=[1, 2, 3])
    batch.step(2)
    for i in range(5):
        alone = run_alone(block, 0.1 * i, young[i], 5)
        np.testing.assert_array_equal(batch.q[i], alone.q)
        assert batch.data(i).get_hash() == alone.get_hash()
        assert batch.data(i).get_parameter_hash() == alone.get_parameter_hash()


def test_arrays_are_live_and_outlive_the_batch(block: pl.Model) -> None:
    batch = pl.Batch(block, 3)
    assert batch.q is batch.q and batch.q.shape == (3, len(pl.Data(block).q))
    q, time = batch.q, batch.time
    batch.step(2)
    np.testing.assert_allclose(time, 0.02)
    del batch
    assert np.isfinite(q).all()
    with pytest.raises(ValueError):
        pl.Batch(block, 3).status[0] = 1


def test_views(block: pl.Model) -> None:
    batch = pl.Batch(block, 3)
    view = batch.watch("block.com, contact(ground,block).force.z, time")
    assert view.names[:3] == ("block.com.x", "block.com.y", "block.com.z") and view.units[-1] == "s"
    assert view["block.com"].shape == (3, 3) and len(view) == 6
    batch.step(20, rows=[1])
    data = batch.data(1)
    np.testing.assert_array_equal(view["block.com"][1], data.signal("block.com"))
    np.testing.assert_allclose(view["time"], [0, 0.2, 0])
    with pytest.raises(pl.InputError, match="no signal 'block.con'"):
        view["block.con"]
    with pytest.raises(pl.InputError, match="did you mean"):
        batch.watch("block.comm")


def test_setting_rows(block: pl.Model) -> None:
    batch = pl.Batch(block, 4)
    batch.step(5, rows=2)
    state = batch.get_state(2)
    batch.copy_row(2, rows=[0])
    batch.set_state(state, rows=[1])
    assert {batch.data(i).get_hash() for i in (0, 1, 2)} == {batch.data(2).get_hash()}
    data = pl.Data(block)
    data.step(5)
    assert data.get_hash() == batch.data(2).get_hash()
    batch.set(data, rows=[3])
    assert batch.data(3).get_hash() == data.get_hash()
    batch.reset([0, 3])
    assert batch.data(0).get_hash() == pl.Data(block).get_hash()
    batch.vary("block.material.young", [3e5], rows=[0])
    batch.reset_parameters([0])
    assert batch.parameter("block.material.young")[0] == 1e5
    again = pickle.loads(pickle.dumps(batch))
    assert [again.data(i).get_hash() for i in range(4)] == [batch.data(i).get_hash() for i in range(4)]
    assert copy.copy(batch.data(1)).get_hash() == batch.data(1).get_hash()


def test_a_rollout_is_its_steps(pendulum: pl.Model) -> None:
    one, two = pl.Batch(pendulum, 3), pl.Batch(pendulum, 3)
    view, other = one.watch("joint0.q, joint1.q"), two.watch("joint0.q, joint1.q")
    u = np.random.default_rng(0).normal(size=(3, 7, 2))
    out = one.rollout(view.index, u, nstep=2)
    assert out.shape == (3, 7, 2)
    for t in range(7):
        two.u[:] = u[:, t]
        two.step(2)
        np.testing.assert_array_equal(out[:, t], other.values)
    u[1, 3, 0] = np.nan
    out = one.rollout(view.index, u)
    assert np.isnan(out[1, 3:]).all() and np.isfinite(out[1, :3]).all() and np.isfinite(out[[0, 2]]).all()
    assert one.failed().tolist() == [1] and "motor0" in one.error(1)
    with pytest.raises(pl.InputError, match="must be an array"):
        one.rollout(view.index, u[:2])


def test_a_failed_row_leaves_the_others(pendulum: pl.Model) -> None:
    batch = pl.Batch(pendulum, 3)
    batch.u[1, 1] = np.nan
    with pytest.raises(pl.RowsFailed, match="row 1: u of actuator 'motor1' is nan") as caught:
        batch.step(4)
    assert getattr(caught.value, "rows") == [1]
    assert batch.steps.tolist() == [4, 0, 4] and batch.failed().tolist() == [1]
    np.testing.assert_array_equal(batch.q[0], batch.q[2])
    batch.u[1, 1] = 0
    batch.step(4, rows=[1])
    np.testing.assert_array_equal(batch.q[0], batch.q[1])


def test_wrong_targets_name_the_row(pendulum: pl.Model) -> None:
    batch = pl.Batch(pendulum, 3)
    target = np.tile([0.0, 0, 0, 1, 0, 0, 0], (2, 1))
    target[1, 2] = np.nan
    with pytest.raises(pl.InputError, match="row 2: the target of body .* is not finite"):
        batch.ik_rates(0, target, rows=[0, 2])


def test_wrong_input_changes_nothing(block: pl.Model) -> None:
    batch = pl.Batch(block, 3)
    before = [batch.data(i).get_hash() for i in range(3)]
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: batch.step(rows=[0, 3]), "there is no row 3"),
        (lambda: batch.step(rows=[1, 1]), "twice"),
        (lambda: batch.step(0), "at least 1"),
        (lambda: batch.step(rows=[0.5]), "whole numbers"),
        (lambda: batch.vary("block.material.yuong", [1, 2, 3]), "did you mean"),
        (lambda: batch.vary("block.material.young", [1e5, -1, 1e5]), "row 1"),
        (lambda: batch.vary("block.material.young", [1e5, np.nan], rows=[0, 2]), "row 2: block.material.young = nan"),
        (lambda: batch.vary("block.material.young", [1e5]), "must have 3 numbers"),
        (lambda: batch.step(rows=np.array([True, False])), "a mask of rows must have 3 entries, got 2"),
        (lambda: batch.step(rows=[True, False, False]), "whole numbers, got an array of bool"),
        (lambda: batch.copy_row(7), "there is no row 7"),
        (lambda: batch.set_state(b"nothing"), "are not a state"),
        (lambda: batch.parameter("nothing"), "no parameter"),
        (lambda: batch.parameter("block.material.yuong"), "did you mean 'block.material.young'"),
        (lambda: pl.Batch(block, 0), "at least one row"),
    ]
    for call, text in wrong:
        with pytest.raises(pl.Error, match=text):
            call()
    assert [batch.data(i).get_hash() for i in range(3)] == before


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", ["step", "rollout"])
def test_a_signal_ends_a_long_call_between_steps(block: pl.Model, threads: int, call: str) -> None:
    batch = pl.Batch(block, 3, threads)
    view = batch.watch("time")

    def stop(*_: object) -> None:
        with pytest.raises(RuntimeError):
            batch.step()  # it is in use
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            batch.step(10**8) if call == "step" else batch.rollout(view.index, n=10**6)
    finally:
        signal.signal(signal.SIGALRM, before)
    taken = batch.steps.copy()
    assert taken.max() > 0 and not batch.status.any()
    assert np.allclose(batch.time, taken * block.options.dt)
    batch.step(2)
    for i in range(3):
        data = pl.Data(block)
        data.step(int(taken[i]) + 2)
        assert batch.data(i).hash == data.hash


def test_a_state_of_another_model_is_refused() -> None:
    def model(name: str, mass: float) -> pl.Model:
        return pl.load({"bodies": [{"name": name, "mass": mass, "inertia": [1, 2, 2], "joint": {"kind": "free"}}]})

    a, heavier, other = model("a", 1), model("a", 3), model("b", 3)
    data, batch = pl.Data(other), pl.Batch(other, 2)
    before, hash = data.state, data.hash
    state = pl.Data(a).state
    assert len(state) == len(before)
    made, (kind, _, _) = pl.Data(a).__reduce__()
    calls: list[Callable[[], object]] = [
        lambda: setattr(data, "state", state),
        lambda: batch.set_state(state),
        lambda: batch.set_state(state, [1]),
        lambda: made(kind, other, state),
    ]
    for call in calls:
        with pytest.raises(pl.Mismatch, match="another model"):
            call()
    assert data.state == before and batch.data(1).hash == hash and batch.parameter("b.mass").tolist() == [3, 3]
    # parameters belong to the state
    data = pl.Data(heavier)
    data.state = state
    assert data.parameters["a.mass"] == 1


def test_arrays_as_numpy_has_them(pendulum: pl.Model) -> None:
    """A scalar for all rows, a mask of rows, inputs that are not contiguous or of another type: the bits of the plain way."""
    rng = np.random.default_rng(3)
    path = next(p for p in pendulum.parameter_paths() if p.endswith(".mass"))
    for _ in range(5):
        one, two = pl.Batch(pendulum, 4), pl.Batch(pendulum, 4)
        mask = rng.random(4) < 0.5
        rows = np.flatnonzero(mask)
        one.vary(path, 2.5)
        two.vary(path, np.full(4, 2.5))
        one.vary(path, np.float64(1.5), rows=mask)
        two.vary(path, np.full(len(rows), 1.5), rows=rows)
        u = rng.integers(-1, 2, (3, 4, pendulum.nu)).astype(np.float32)
        across = u.transpose(1, 0, 2)
        plain = np.array(across, dtype=np.float64, order="C")
        assert np.array_equal(one.rollout(one.watch("time").index, across), two.rollout(two.watch("time").index, plain))
        one.step(rows=mask)
        two.step(rows=rows)
        assert np.array_equal(one.steps[rows], np.ones(len(rows)))
        assert [one.get_state(i) for i in range(4)] == [two.get_state(i) for i in range(4)]
        assert one.parameter(path).tolist() == np.where(mask, 1.5, 2.5).tolist()


def duplicates(pair: tuple[pl.Batch, pl.View]) -> list[tuple[pl.Batch, pl.View]]:
    """Copies of a batch together with one of its views, and of the view alone with the batch that it knows."""
    view = copy.deepcopy(pair[1])
    return [copy.deepcopy(pair), pickle.loads(pickle.dumps(pair)), (view.batch, view)]


def test_views_of_copies_are_live(block: pl.Model) -> None:
    """A view that is copied or pickled with its batch shows the rows of the copy, after each of its steps."""
    batch = pl.Batch(block, 3, 1)
    views = [batch.watch(text) for text in ("block.com.z", "time, block.velocity", "contact(block,ground).force")]
    batch.v[:, 2] -= [0, 1, 2]
    batch.vary("block.material.young", [1e4, 5e4, 1e5])
    batch.step(4)
    for view in views:
        for other, copied in duplicates((batch, view)):
            if "force" not in view.names[0]:  # belongs to the last step, which is not in a state
                np.testing.assert_array_equal(copied.values, view.values)
            assert copied.names == view.names and copied.batch is other
            other.step(3)
            for i in range(3):
                alone = copy.copy(batch.data(i))
                alone.step(3)
                assert other.data(i).hash == alone.hash
                np.testing.assert_array_equal(copied.values[i], pl.Signals(block, ", ".join(copied.names)).eval(alone))
    copied = copy.copy(views[1])
    batch.step()
    np.testing.assert_array_equal(copied.values, views[1].values)


def noisy_model() -> pl.Model:
    """A slider with sensors that have noise, a rate and a delay."""
    return pl.load(
        {
            "options": {"dt": 0.01, "gravity": [0, 0, 0]},
            "bodies": [{"name": "slider", "mass": 1, "inertia": [1, 1, 1], "joint": {"kind": "prismatic", "axis": [1, 0, 0]}}],
            "sensors": [
                {"name": "plain", "kind": "joint_position", "on": "slider", "noise": 1},
                {"name": "late", "kind": "joint_velocity", "on": "slider", "noise": 0.5, "rate": 50, "delay": 0.07, "seed": 4},
                {"name": "imu", "kind": "imu", "on": "slider", "noise": 0.1, "delay": 0.03},
            ],
        }
    )


def test_sensors_restart_with_noise_of_their_own() -> None:
    """Rows and simulations that restart with the same seed have the same readings, others have independent noise."""
    model = noisy_model()
    seeds = [0, 1, 2, 7, 7, (1 << 30) - 1]
    batch = pl.Batch(model, len(seeds), 2)
    view = batch.watch("sensor(plain), sensor(late), sensor(imu)")
    signals = pl.Signals(model, "sensor(plain), sensor(late), sensor(imu)")
    batch.step(3)
    batch.reset()
    batch.q[:, 0] = 5
    batch.restart_sensors(seeds)
    assert (abs(view.values[:, 0] - 5) < 6).all()  # the present state
    alone = [pl.Data(model) for _ in seeds]
    for data, seed in zip(alone, seeds, strict=True):
        data.step(2)
        data.reset()
        data.q[0] = 5
        data.restart_sensors(seed)
    seen = []
    for k in range(400):
        for i, data in enumerate(alone):
            np.testing.assert_array_equal(signals.eval(data), view.values[i])
            data.step()
            if k % 97 == 13:
                alone[i] = pl.Data(model)
                alone[i].state = data.state
        seen.append(view.values.copy())
        batch.step()
    noise = np.array(seen)[1:, :, 0] - 5
    np.testing.assert_array_equal(noise[:, 3], noise[:, 4])
    different = noise[:, [0, 1, 2, 3, 5]]
    assert abs(np.corrcoef(different.T) - np.eye(5)).max() < 0.2  # 4 standard deviations of 399 pairs
    assert abs(different.std(axis=0) - 1).max() < 0.15
    fresh = pl.Data(model)
    fresh.restart_sensors()
    other = pl.Data(model)
    assert fresh.hash == other.hash
    for wrong in ([1], [0] * 5 + [-1], [0] * 5 + [1 << 30]):
        with pytest.raises(pl.InputError):
            batch.restart_sensors(wrong)
    with pytest.raises(pl.InputError):
        fresh.restart_sensors(-1)
