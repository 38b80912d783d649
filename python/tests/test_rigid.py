"""Robots: Jacobian, mass matrix, dynamics, inverse kinematics, forces, against finite differences and closed forms."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import pliant as pl


def positions(data: pl.Data, q: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    data.q = q
    pose = data["link1"]
    tip: npt.NDArray[np.float64] = pose.position + pose.rotation @ np.array([0, 0, -1.0])
    return tip


def test_jacobian_is_the_derivative(pendulum: pl.Model) -> None:
    data = pl.Data(pendulum)
    q = data.q.copy()
    J = data["link1"].jacobian((0, 0, -1))
    assert J.shape == (6, 2)
    for k in range(2):
        step = np.zeros(2)
        step[k] = 1e-6
        slope = (positions(data, q + step) - positions(data, q - step)) / 2e-6
        assert J[3:, k] == pytest.approx(slope, abs=1e-8)
    assert J[:3, 0].tolist() == [0, 1, 0]


def test_mass_matrix_of_a_double_pendulum(pendulum: pl.Model) -> None:
    """Two rods of mass 1, length 1, moment 0.09 about y at their middles."""
    data = pl.Data(pendulum)
    c = np.cos(data.q[1])
    inner = 0.09 + 0.25
    expected = np.array([[2 * inner + 1 + c, inner + 0.5 * c], [inner + 0.5 * c, inner]])
    assert data.mass_matrix() == pytest.approx(expected)
    a = np.array([0.3, -0.7])
    assert data.inverse_dynamics(a) == pytest.approx(data.mass_matrix() @ a + data.bias())
    assert data.forward_dynamics(data.inverse_dynamics(a)) == pytest.approx(a)
    data.v = [0, 0]
    assert data.bias() == pytest.approx(data.gravity_forces())
    with pytest.raises(pl.InputError):
        data.inverse_dynamics([1, 2, 3])


def test_gravity_forces_hold_still(pendulum: pl.Model) -> None:
    data = pl.Data(pendulum)
    data.u = data.gravity_forces()
    data.step(100)
    assert abs(data.v).max() < 1e-9
    wrench = data.joint("joint0").wrench
    assert np.linalg.norm(wrench[:3]) == pytest.approx(2 * 9.81)
    assert data.motor_force("joint0") == pytest.approx(data.u[0])


def test_inverse_kinematics_reaches_its_target(pendulum: pl.Model) -> None:
    data = pl.Data(pendulum)
    target = positions(data, np.array([0.5, 0.6]))
    data.q = [0.3, 0.4]
    for _ in range(400):
        rate = data.ik("link1", point=(0, 0, -1), goal="position", target=target, time=0.05)
        data.q = data.q + 0.01 * rate
    assert positions(data, data.q.copy()) == pytest.approx(target, abs=1e-3)
    only = data.ik("link1", goal="velocity", velocity=(0.1, 0, 0), move=["joint1"])
    assert only[0] == 0
    with pytest.raises(pl.InputError):
        data.ik("link1", move=["joint9"])


def test_forces_on_bodies(point: pl.Model) -> None:
    data = pl.Data(point)
    data["ball"].add_force((0, 0, 9.81))
    assert data.f_body[0].tolist() == [0, 0, 9.81, 0, 0, 0]
    data.step(10)
    assert abs(data.v).max() < 1e-9
    data.clear_forces()
    assert not data.f_body.any()
    data.reset()
    data.step(200)
    assert data["ball"].position[2] == pytest.approx(0.1, abs=1e-3)
    assert data["ball"].contact.force[2] == pytest.approx(9.81, rel=1e-6)
    assert data.rigid_totals().kinetic_energy < 1e-6
    assert data.poses().shape == (1, 7) and data.shape_poses().shape == (2, 7)


def test_sensors() -> None:
    spec = pl.Spec(options={"dt": 0.01})
    spec.add_body(name="ball", mass=1, inertia=(0.004, 0.004, 0.004, 0, 0, 0), pose=(0, 0, 0.5))
    spec.add_site(name="top", body="ball", pose=(0, 0, 0.1))
    spec.add_sensor(name="imu", kind="imu", on="ball")
    spec.add_sensor(name="where", kind="pose", on="ball", delay=0.02)
    spec.add_sensor(name="noisy", kind="gyro", on="ball", noise=0.1, seed=3)
    data = pl.Data(spec.compile())
    data.step(5)
    assert abs(data.sensor("imu")).max() < 1e-9  # it falls freely
    assert data.sensor("where")[2] > data.measure("where")[2]
    assert data.sensor_time("where") == pytest.approx(0.03)
    assert data.site_state("top").pose[2] == pytest.approx(data["ball"].position[2] + 0.1)
    assert 0 < abs(data.sensor("noisy")).max() < 1
    assert [s["name"] for s in data.model.sensors()] == ["imu", "where", "noisy"]
    assert data.sensor_values("imu").tolist() == data.sensor("imu").tolist()
    with pytest.raises(pl.InputError, match="did you mean 'imu'"):
        data.sensor("imv")


def test_arrays_of_sensors() -> None:
    """Taxels, markers and cameras: shapes and types, the same numbers from a simulation, a batch and as signals."""
    spec = pl.Spec(options={"dt": 0.01})
    spec.add_shape(name="ground", kind="half_space")
    spec.add_deformable(name="block", mesh=pl.mesh.box((0.1, 0.1, 0.1), 0.05), pose=(0, 0, 0.051), young=1e5)
    spec.add_sensor(name="skin", kind="taxels", on="ground", size=(0.2, 0.2), cells=(4, 3), rate=50, noise=(0.1, 0, 0, 0, 0, 0), seed=2)
    spec.add_sensor(name="dots", kind="markers", on="block", point=[(0, 0, 0), (0.01, 0.02, 0.03)])
    down = (0, 0, 1, 0, 1, 0, 0)
    spec.add_sensor(name="far", kind="depth", on="world", pose=down, width=9, height=7, far=2)
    spec.add_sensor(name="eye", kind="rgb", on="world", pose=down, width=9, height=7, far=2)
    spec.add_sensor(name="what", kind="segmentation", on="world", pose=down, width=9, height=7, far=2)
    model = spec.compile()
    batch = pl.Batch(model, 3, 2)
    view = batch.watch("sensor(skin), sensor(dots), sensor(what)")
    data = pl.Data(model)
    data.step(12)
    batch.step(12)
    assert data.sensor("skin").shape == (3, 4, 6) and data.sensor("dots").shape == (2, 6)
    for name, depth, number in (("far", 1, "float32"), ("eye", 3, "uint8"), ("what", 1, "int32")):
        values = data.sensor_values(name)
        assert values.shape == (7, 9, depth) and values.dtype == np.dtype(number)
        np.testing.assert_array_equal(batch.data(2).sensor_values(name), values)
    assert data.sensor("skin")[..., 0].sum() > 1  # the block's weight, and noise
    assert set(data.sensor_values("what").ravel()) == {0, 1}
    # 1 m above the ground; the block covers the pixel in the middle
    assert data.sensor_values("far")[0, 0, 0] == pytest.approx(1, rel=1e-6) and data.sensor_values("far").min() < 0.91
    expected = np.concatenate([data.sensor(name).ravel() for name in ("skin", "dots", "what")])
    for row in view.values:
        np.testing.assert_array_equal(row, expected)
    with pytest.raises(pl.InputError, match="sensor 'fast': a rate of 200 per second is above that of the steps"):
        spec.add_sensor(name="fast", kind="pose", on="world", rate=200)
        spec.compile()
