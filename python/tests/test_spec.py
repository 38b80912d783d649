"""Specs: definitions by keywords, bytes, what is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import pliant as pl


def test_definitions_by_keywords() -> None:
    spec = pl.Spec()
    box = pl.mesh.box((0.1, 0.2, 0.3), edge=0.1)
    assert spec.add_deformable(name="soft", mesh=box, kind="neo_hookean", young=2e5, friction=0.3) == 0
    material = spec.deformables()[0]["material"]
    assert (material.kind, material.young) == ("neo_hookean", 2e5)
    assert spec.deformables()[0]["surface"].friction == 0.3
    spec.add_deformable(name="other", mesh=box, material=pl.Material(density=500), young=3e4, pose=(1, 0, 0))
    assert spec.deformables()[1]["material"].density == 500
    spec.add_fix(deformable="soft", region={"kind": "half_space", "centre": (0, 0, -0.14), "normal": (0, 0, 1)})
    spec.add_load(deformable="soft", region=[0, 1, 2], kind="vertex", vector=(0, 0, 1), time=[0, 1], factor=[0, 1])
    spec.add_attachment(name="glue", deformable="other", region=[0, 1], body="world")
    model = spec.compile()
    assert model.ndeform == 2 and model.nattach == 1
    assert model.deform_name == ("soft", "other")


def test_poses_in_three_ways() -> None:
    angle = 0.3
    matrix = np.eye(4)
    matrix[:3, :3] = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    matrix[:3, 3] = 1, 2, 3
    spec = pl.Spec()
    spec.add_body(name="a", pose=matrix)
    spec.add_body(name="b", pose=(1, 2, 3, np.cos(angle / 2), 0, 0, np.sin(angle / 2)))
    spec.add_body(name="c", pose=(1, 2, 3))
    poses = [b["pose"] for b in spec.bodies()]
    assert poses[0] == pytest.approx(poses[1])
    assert poses[2].tolist() == [1, 2, 3, 1, 0, 0, 0]
    for bad in [(1, 2), np.ones(16), [np.nan] * 7]:
        with pytest.raises(pl.InputError):
            spec.add_body(name="d", pose=bad)  # type: ignore[arg-type]


def test_tendons_and_joints_by_name() -> None:
    spec = pl.Spec()
    for i in range(2):
        spec.add_body(name=f"b{i}", mass=1, inertia=(1, 1, 1, 0, 0, 0))
        spec.add_joint(name=f"j{i}", kind="prismatic", child=f"b{i}", lower=-1, upper=1, damping=0.5)
    assert spec.joints()[0]["dof"][0].upper == 1
    spec.add_actuator(name="rope", tendon=["j0", "j1"], coefficient=[1, -1], kind="position", kp=10, input=[0.2])
    spec.add_constraint(name="couple", kind="coupler", a="j0", b="j1", ratio=2)
    spec.set_joint_start("j0", [0.5])
    spec.set_joint_locked("j1", True)
    spec.set_actuator("rope", kp=20)
    model = spec.compile()
    assert model.start_q.tolist() == [0.5, 0]
    assert model.start_u[0] == 0.2
    with pytest.raises(pl.InputError, match="another list"):
        spec.add_actuator(name="bad", tendon=["j0", "j1"], coefficient=[1])


def test_specs_are_copied_and_pickled() -> None:
    spec = pl.load_spec("arm")
    again = [copy.copy(spec), copy.deepcopy(spec), pickle.loads(pickle.dumps(spec)), pl.Spec.from_bytes(spec.to_bytes())]
    for other in again:
        assert other.to_bytes() == spec.to_bytes()
        assert other.compile().hash == spec.compile().hash
    again[0].add_body(name="more", mass=1, inertia=(1, 1, 1, 0, 0, 0))
    assert again[0].to_bytes() != spec.to_bytes()


def test_damaged_bytes_are_refused() -> None:
    good = pl.load_spec("block").to_bytes()
    for bad in [b"", good[:-1], good[:100], good + b"x", good[:50] + bytes([good[50] ^ 1]) + good[51:]]:
        with pytest.raises(pl.InputError):
            pl.Spec.from_bytes(bad)


def test_wrong_words_are_refused_with_a_sentence() -> None:
    spec = pl.Spec()
    mesh = pl.mesh.box((1, 1, 1), edge=0.5)
    for members, sentence in [
        ({"name": "a", "mesh": mesh, "yuong": 1}, "did you mean 'young'"),
        ({"name": "a", "mesh": 3}, "must be a Mesh"),
        ({"name": "a", "mesh": mesh, "kind": "jelly"}, "one of linear"),
        ({"name": "a", "mesh": mesh, "young": "soft"}, "must be a number"),
        ({"name": "a", "mesh": mesh, "young": -1}, "young"),
        ({"name": "a b", "mesh": mesh}, "may not contain"),
        ({"mesh": mesh}, "needs a name"),
        ({"name": "a", "mesh": mesh, "material": 5}, "dict or a Material"),
        ({"name": "a", "mesh": mesh, "velocity": (1, 2, 3, 4)}, "at most 3"),
    ]:
        with pytest.raises(pl.InputError, match=sentence):
            spec.add_deformable(**members)  # type: ignore[arg-type]
    assert spec.deformables() == []
    with pytest.raises(TypeError):
        spec.add_deformable("a")  # type: ignore[call-arg]
    with pytest.raises(pl.InputError, match="not in the spec"):
        spec.add_joint(name="j", child="nobody")
    with pytest.raises(pl.InputError, match="whole number"):
        spec.add_joint(name="j", child=0.5)  # type: ignore[arg-type]


def test_records() -> None:
    material = pl.Material(young=2e5, kind="neo_hookean")
    assert material == pl.Material(young=2e5, kind="neo_hookean") != pl.Material()
    assert pickle.loads(pickle.dumps(material)) == material
    assert copy.copy(material) == material
    assert material.asdict()["young"] == 2e5
    assert "kind='neo_hookean'" in repr(material)
    assert pl.lame(material)[1] == pytest.approx(2e5 / 2.8)
    with pytest.raises(pl.InputError):
        material.young = float("nan")
    with pytest.raises(AttributeError):
        del material.young
    with pytest.raises(TypeError):
        hash(material)


def test_meshes() -> None:
    mesh = pl.mesh.sphere(0.1, edge=0.05)
    assert mesh.check().volume == pytest.approx(4 / 3 * np.pi * 1e-3, rel=0.15)
    again = pl.Mesh(mesh.vertices, mesh.tets)
    assert np.array_equal(again.tets, mesh.tets)
    view = again.vertices
    again.transform(scale=2.0, pose=(1, 0, 0))
    assert view[:, 0].mean() == pytest.approx(1, abs=1e-2)
    assert again.boundary().triangles.shape[1] == 3
    assert np.array_equal(pickle.loads(pickle.dumps(again)).vertices, again.vertices)
    surface = pl.Mesh(again.vertices, triangles=again.triangles)
    surface.repair()
    assert surface.tetrahedralize(edge=0.1).check().ntet > 0
    for bad in [([[0, 0]],), ([[0, 0, 0]], [[0, 1, 2, 3]]), ([[0, 0, np.inf]],), ("abc",), ([[0, 0, 0]], [[0.5, 0, 0, 0]])]:
        with pytest.raises(pl.InputError):
            pl.Mesh(*bad)  # type: ignore[arg-type]
    with pytest.raises(pl.FileError):
        pl.mesh.load("nowhere.stl")
    with pytest.raises(pl.InputError):
        pl.mesh.box((1, 1, 1), edge=-1)
    with pytest.raises(pl.TooLarge):
        pl.mesh.box((1, 1, 1), edge=1e-5)


def test_inertia_as_moments_numbers_or_matrix() -> None:
    rng = np.random.default_rng(4)
    for _ in range(8):
        frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        matrix = frame @ np.diag(1 + rng.random(3)) @ frame.T
        six = matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]

        def hash_of(inertia: Any) -> list[float]:
            spec = pl.Spec()
            spec.add_body(name="a", mass=1, inertia=inertia)
            data = pl.Data(spec.compile())
            return [*data.mass_matrix().ravel(), *data.parameters.array]

        assert hash_of(matrix) == hash_of(six) == hash_of(list(six))
        assert hash_of(six[:3]) == hash_of([*six[:3], 0, 0, 0]) == hash_of(np.diag(six[:3]))
    skew = matrix.copy()
    skew[0, 1] += 1e-3
    for wrong in (skew, [1, 2], 1.0, [1] * 7, [np.nan, 1, 1]):
        with pytest.raises(pl.InputError):
            pl.Spec().add_body(name="a", mass=1, inertia=wrong)


@pytest.mark.parametrize("name", ["midpoint", "symplectic_euler"])
def test_a_scheme_by_name_is_that_of_a_scene(name: str) -> None:
    theta = pl.scheme(name)
    data = pl.Data(pl.load("block"))
    data.options = {"scheme": name}
    scene = pl.load("block", set={"options.scheme": name})
    spec = pl.Spec(options={"scheme": name})
    spec.add_body(name="a", mass=1, inertia=[1, 1, 1])
    for options in (data.options, scene.options, spec.compile().options):
        assert (options.theta, options.theta_vq) == theta
    data.options = {"theta": 1.0, "scheme": name}
    assert (data.options.theta, data.options.theta_vq) == (1.0, theta[1])
    before = data.options.theta
    for wrong in ("newton", 1):
        with pytest.raises(pl.InputError):
            data.options = {"scheme": wrong}
    assert data.options.theta == before
