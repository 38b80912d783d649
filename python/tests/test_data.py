"""A simulation: live arrays, the step, parts by name, parameters, state."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
from models import block_model

import pliant as pl


def test_views_are_live_and_the_same_object(block: pl.Model) -> None:
    data = pl.Data(block)
    for name in ["q", "v", "u", "f_user", "f_body", "v_star", "f_constraint", "actuator_force", "energy"]:
        assert getattr(data, name) is getattr(data, name)
        assert getattr(data, name).dtype == np.float64
    before = data.q.copy()
    q = data.q
    data.step()
    assert not np.array_equal(q, before)
    data.v[:] = 0.5
    assert data["block"].velocities.min() == 0.5


def test_what_is_written_is_kept_or_refused() -> None:
    """Every array that a part or a record has as a member: a value written there is there afterwards, or numpy refuses it."""
    model = pl.load("lift")
    data = pl.Data(model)
    data.step(3)
    parts = [data["beam"], data["panda/hand"], data["table"], data.joint(0), data.actuator(0)]
    records = [data["beam"].state, data["panda/hand"].state, data["beam"].contact, data.options, data.report]
    records += [pl.Options(), pl.Material(), pl.Surface(), pl.Dof(), pl.PictureOptions(), pl.SapOptions()]
    seen = live = 0
    for owner in [*parts, *records]:
        for name in [n for n in dir(owner) if not n.startswith("_")]:
            array = getattr(owner, name)
            if not isinstance(array, np.ndarray) or not array.size:
                continue
            seen += 1
            if array.flags.writeable:
                live += 1
                array.flat[0] += 1
                assert np.array_equal(getattr(owner, name), array), f"{type(owner).__name__}.{name}"
            with pytest.raises(ValueError, match="read-only") if not array.flags.writeable else contextlib.nullcontext():
                array.flat[0] = array.flat[0]
    assert seen > 25 and live > 5


def test_views_outlive_their_data(block: pl.Model) -> None:
    data = pl.Data(block)
    data.step()
    q, copy_of_q = data.q, data.q.copy()
    names = data.model.deform_vert0
    del data
    gc.collect()
    assert np.array_equal(q, copy_of_q)
    assert names[0] == 0


def test_results_cannot_be_written_through(block: pl.Model) -> None:
    data = pl.Data(block)
    with pytest.raises(ValueError):
        data.v_star[0] = 1
    with pytest.raises(ValueError):
        block.vert_rest[0] = 1
    with pytest.raises(AttributeError):
        data.energy = 1  # type: ignore[misc, assignment]


def test_assigning_copies_and_checks(block: pl.Model) -> None:
    data = pl.Data(block)
    view = data.v
    data.v = np.ones(block.nv)
    assert data.v is view and view[3] == 1
    data.v += 1
    assert view[3] == 2
    for bad, sentence in [
        (np.ones(block.nv + 1), "must have"),
        (np.full(block.nv, np.nan), "not finite"),
        (np.ones(block.nv) * 1j, "must be numbers"),
        (["a"] * block.nv, "must be numbers"),
        (None, "must be numbers"),
    ]:
        with pytest.raises(pl.InputError, match=sentence):
            data.v = bad  # type: ignore[assignment]
    assert view[3] == 2
    with pytest.raises(pl.InputError):
        data.time = float("inf")


def test_parts_by_name(block: pl.Model) -> None:
    data = pl.Data(block)
    data.step(100)
    body = data["block"]
    assert isinstance(body, pl.Deformable)
    assert body.vertices.shape == (27, 3)
    assert np.shares_memory(body.vertices, data.q)
    assert body.mass == pytest.approx(1.0)
    assert body.contact.force[2] == pytest.approx(body.mass * 9.81, rel=1e-3)
    assert data.contact_pair("block", "ground").force[2] == pytest.approx(-body.contact.force[2])
    assert isinstance(data["ground"], pl.Shape)
    assert body.tets.max() == 26 and body.triangles.shape[1] == 3
    assert body.field("von_mises").shape == (27,)
    assert body.field("cauchy_stress", at="tets").shape == (len(body.tets), 6)
    with pytest.raises(pl.InputError, match="did you mean 'block'"):
        data["blok"]
    with pytest.raises(pl.InputError, match="there are 1"):
        data.deformable(7)
    assert body.com[2] == data.signal("block.com.z")


def test_joints_actuators_and_bodies(pendulum: pl.Model) -> None:
    data = pl.Data(pendulum)
    joint = data.joint("joint1")
    joint.q = [0.7]
    assert data.q[1] == 0.7 and joint.kind == "revolute" and list(joint.dofs) == [1]
    data.actuator("motor0").u = 2.0
    assert data.u[0] == 2
    data.step()
    assert data.actuator("motor0").force == pytest.approx(2)
    link = data["link1"]
    assert np.allclose(link.rotation @ link.rotation.T, np.eye(3))
    assert link.pose.shape == (7,)
    with pytest.raises(pl.InputError):
        joint.q = [np.nan]


def test_total_energy_is_the_sum_of_its_parts(block: pl.Model) -> None:
    """Also before the first step, and without gravity it is the kinetic energy of a body that does not deform."""
    data = pl.Data(block)
    for _ in range(3):
        parts = [float(data.signal(f"energy.{part}")) for part in ("kinetic", "elastic", "gravity")]
        assert data.total_energy == pytest.approx(sum(parts), rel=1e-14)
        data.step(20)
    data = pl.Data(block)
    data.options = {"gravity": (0, 0, 0)}
    data.v.reshape(-1, 3)[:] = [0, 0, 2]
    assert data.total_energy == pytest.approx(0.5 * data["block"].mass * 4, rel=1e-12)


def test_contacts_are_a_copy(block: pl.Model) -> None:
    data = pl.Data(block)
    assert len(data.contacts) == 0
    data.step(20)
    contacts = data.contacts
    assert contacts.dtype == pl.contact_dtype
    assert {block.side_name(c["a"]) for c in contacts} | {block.side_name(c["b"]) for c in contacts} == {"block", "ground"}
    kept = contacts.copy()
    data.step(5)
    assert np.array_equal(contacts["force"], kept["force"])
    assert data.contact_field("pressure").shape == (len(data.contacts),)
    assert np.linalg.norm(data.contacts["normal"], axis=1) == pytest.approx(1)


def test_signals(block: pl.Model) -> None:
    data = pl.Data(block)
    data.step(20)
    assert isinstance(data.signal("time"), float)
    assert data.signal("block.com").shape == (3,)
    assert data.signal("time, block.com.z").tolist() == [data.time, data["block"].com[2]]
    assert data.signal("contact(ground,block).force")[2] == pytest.approx(data.contact_pair("ground", "block").force[2])
    signals = pl.Signals(block, "block.com, time")
    assert signals.names == ("block.com.x", "block.com.y", "block.com.z", "block.com.norm", "time")
    assert signals.units[0] == "m"
    assert len(signals.eval(data)) == len(signals) == 5
    with pytest.raises(pl.InputError):
        data.signal("block.comm")
    with pytest.raises(pl.InputError, match="another model"):
        signals.eval(pl.Data(block_model()))


def test_parameters_are_a_mapping(block: pl.Model) -> None:
    data = pl.Data(block)
    data.parameters["block.material.young"] = 2e4
    assert data.parameters["block.material.young"] == 2e4
    assert "block.material.young" in data.parameters
    assert len(data.parameters) == len(list(data.parameters)) == len(data.parameters.array)
    assert data.parameters.info("block.material.young")["unit"] == "Pa"
    with pytest.raises(pl.InputError, match="block.material.young"):
        data.parameters["block.material.yuong"] = 1
    with pytest.raises(KeyError):
        data.parameters["nothing"]
    with pytest.raises(pl.InputError):
        data.parameters["block.material.poisson"] = 0.7
    with pytest.raises(pl.InputError, match="must be a number"):
        data.parameters["block.material.young"] = float("nan")
    assert data.parameters["block.material.young"] == 2e4
    values = data.parameters.array
    data.parameters.reset()
    assert data.parameters["block.material.young"] == 1e5
    data.parameters.array = values
    assert data.parameters["block.material.young"] == 2e4
    with pytest.raises(pl.InputError):
        del data.parameters["block.material.young"]


def test_options(block: pl.Model) -> None:
    data = pl.Data(block)
    data.options = {"dt": 0.002, "gravity": (0, 0, 0)}
    assert data.options.dt == 0.002 and data.options.gravity.tolist() == [0, 0, 0]
    with pytest.raises(pl.InputError):
        data.options = {"dt": -1}
    with pytest.raises(pl.InputError, match="contact_law"):
        data.options = {"contact_lw": "cone"}
    with pytest.raises(pl.InputError, match="one of cone"):
        data.options = {"contact_law": "rubber"}
    assert data.options.dt == 0.002


def test_setting_one_option_sets_it(block: pl.Model) -> None:
    """`data.options.dt = 0.002` does what it says, or is an error; it never changes a copy in silence."""
    data = pl.Data(block)
    early = data.options
    data.options.dt = 0.002
    assert data.options.dt == 0.002 and early.dt != 0.002
    early.gravity = (0, 0, -1)  # on top of what is set now
    assert data.options.dt == 0.002 and data.options.gravity.tolist() == [0, 0, -1] and early.dt == 0.002
    with pytest.raises(pl.InputError):
        data.options.dt = -1
    assert data.options.dt == 0.002
    with pytest.raises(ValueError):
        data.options.gravity[2] = 0  # numpy: read-only
    with pytest.raises(AttributeError):
        block.options.dt = 0.002
    own = copy.copy(block.options)
    own.dt = 0.004
    data.options = own
    assert data.options.dt == 0.004
    spec = pl.Spec(options={"dt": 0.01})
    spec.options.dt = 0.02
    assert spec.options.dt == 0.02
    assert pickle.loads(pickle.dumps(data.options)) == data.options


def test_state_round_trips_with_the_same_bits(block: pl.Model) -> None:
    data = pl.Data(block)
    data.step(10)
    data.parameters["block.material.young"] = 3e4
    snapshot, here = data.state, data.hash
    data.step(10)
    there = data.hash
    data.state = snapshot
    assert data.hash == here
    data.step(10)
    assert data.hash == there
    for other in [copy.copy(data), copy.deepcopy(data), data.copy(), pickle.loads(pickle.dumps(data))]:
        assert type(other) is pl.Data
        assert other.hash == data.hash
        assert other.parameters["block.material.young"] == 3e4
        other.step(3)
        assert other.hash != data.hash
    for bad in [b"", snapshot[:-1], snapshot + b"x"]:
        with pytest.raises(pl.Error):
            data.state = bad
        assert data.hash == there
    with pytest.raises(pl.InputError):
        data.state = 3  # type: ignore[assignment]


def test_reset_copies_of_the_model_and_equal_runs(block: pl.Model) -> None:
    assert copy.copy(block) is block and copy.deepcopy(block) is block
    a, b = pl.Data(block), pl.Data(pickle.loads(pickle.dumps(block)))
    a.step(20)
    for _ in range(20):
        b.step()
    assert a.hash == b.hash
    a.reset()
    assert a.time == 0 and a.hash == pl.Data(block).hash


def test_a_failed_step_raises_and_changes_nothing() -> None:
    data = pl.Data(block_model())
    data.step(20)
    data.options = {"max_iterations": 1, "tolerance": 1e-14}
    data.v[:] += np.random.default_rng(1).normal(size=len(data.v))
    before = data.state
    with pytest.raises(pl.NotConverged) as caught:
        data.step(5)
    assert data.state == before
    assert caught.value.steps == 0
    report = caught.value.report
    assert report is not None and report.status == "not_converged"
    pickle.loads(pickle.dumps(caught.value))


def test_numbers_that_are_not_finite_are_refused_by_the_step(block: pl.Model) -> None:
    data = pl.Data(block)
    data.q[4] = np.nan
    with pytest.raises(pl.NotFinite, match="block") as caught:
        data.step()
    assert caught.value.where


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("what", ["q", "v", "u", "f_user", "f_body"])
def test_what_is_not_finite_is_named_and_changes_nothing(what: str, bad: float) -> None:
    data = pl.Data(pl.load("arm"))
    values = getattr(data, what)
    values[(1,) * values.ndim] = bad
    before = bytes(data.state)
    with pytest.raises(pl.NotFinite, match=f"{what} of .* is {bad}") as caught:
        data.step()
    assert "arm/" in caught.value.where and bytes(data.state) == before


@pytest.mark.parametrize("bad", [-1, 1.5, "2", None])
def test_step_takes_a_count(block: pl.Model, bad: object) -> None:
    with pytest.raises(pl.InputError):
        pl.Data(block).step(bad)  # type: ignore[arg-type]


def test_attachments_and_switches(block: pl.Model) -> None:
    data = pl.Data(block)
    top = np.flatnonzero(data["block"].vertices[:, 2] > 0.1)
    grip = data.attach("block", top)
    data.step(40)
    assert data.attachments[grip]["on"] and data["block"].com[2] == pytest.approx(0.06, abs=0.01)
    force, _, _ = data.attachment_force(grip)
    assert force[2] == pytest.approx(9.81, rel=0.1)
    data.set_attachment(grip, False)
    data.step(2)
    assert data["block"].velocities[:, 2].mean() < -0.1
    data.set_switch("deformable", "block", False)
    assert not data.switches("deformable")[0]
    with pytest.raises(pl.InputError):
        data.attach("block", [1.5])  # type: ignore[list-item]
    with pytest.raises(pl.InputError):
        data.attach("block", [10**12])
    with pytest.raises(pl.InputError):
        data.attach("block", [99])


def test_nothing_is_left_behind(block: pl.Model) -> None:
    data = pl.Data(block)
    _ = data.v, data["block"].vertices, data.signal("time"), data.parameters
    gone = weakref.ref(data.q)  # what the Data caches dies with it, at once: there are no cycles
    del data, _
    assert gone() is None


def test_advance_goes_to_a_time_under_an_accuracy() -> None:
    model = pl.load({"options": {"dt": 0.1}, "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1], "velocity": [1, 0, 5]}]})
    data = pl.Data(model)
    report = data.advance(0.55, accuracy=1e-4)
    assert data.time == 0.55
    assert report["samples"] == 6 and report["steps"] >= 6 and report["error"] <= 1e-4
    assert np.allclose(data.q[:3], [0.55, 0, 5 * 0.55 - 0.5 * 9.81 * 0.55**2], atol=1e-9)
    with pytest.raises(pl.InputError, match="accuracy"):
        data.advance(1)


def test_one_number_for_a_joint_or_an_actuator() -> None:
    """One number is the position that a pd actuator keeps; a quaternion is not filled with one number."""
    actuator = {"kind": "pd", "kp": 100, "kd": 20}
    bodies = [
        {"name": "a", "mass": 1, "inertia": [1, 1, 1], "joint": {"kind": "prismatic", "axis": [1, 0, 0], "actuator": actuator}},
        {"name": "b", "mass": 1, "inertia": [1, 1, 1], "joint": {"kind": "ball"}},
    ]
    data = pl.Data(pl.load({"bodies": bodies}))
    data.actuator("a").u = [1, 2, 3]
    data.actuator("a").u = 0.3
    np.testing.assert_array_equal(data.u, [0.3, 0, 0])
    data.run(until=20)
    assert abs(data.joint("a").q[0] - 0.3) < 1e-9 and abs(data.joint("a").v[0]) < 1e-9
    with pytest.raises(pl.InputError, match="4 numbers"):
        data.joint("b").q = 0
    data.joint("b").v = 0
