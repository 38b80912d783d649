"""Scenes by name, from files, texts and dicts."""

from __future__ import annotations

import json
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
from models import ROOT

import pliant as pl

TEXT = """pliant: 1
options: {dt: 0.02}
bodies: [{name: ball, mass: 1, inertia: [1, 1, 1]}]
"""


@pytest.mark.parametrize("name", pl.scenes())
def test_every_shipped_scene_loads(name: str) -> None:
    model = pl.load(name)
    assert model.nv > 0
    again = pickle.loads(pickle.dumps(model))
    assert again.hash == model.hash
    assert again.spec_bytes == model.spec_bytes


@pytest.mark.parametrize("name", ["arm", "teddy", "gel_touch"])
def test_info_names_everything(name: str) -> None:
    model = pl.load(name)
    tables = json.loads(model.info(json=True))
    for kind, key in [("body", "bodies"), ("joint", "joints"), ("deformable", "deformables"), ("shape", "shapes"), ("sensor", "sensors")]:
        assert [row["name"] for row in tables[key]] == model.names(kind)
        assert all(row["name"] in model.info() for row in tables[key])
    assert tables["degrees"]["velocities"] == model.nv


def test_all_shipped_scenes_are_there() -> None:
    assert pl.scenes() == sorted(p.stem for p in (ROOT / "scenes").glob("*.yaml"))


def test_file_text_and_dict_give_the_same_model(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(TEXT)
    scene = {"options": {"dt": 0.02}, "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1]}]}
    models = [pl.load(path), pl.load(str(path)), pl.load(TEXT), pl.load(scene)]
    assert len({m.hash for m in models}) == 1
    assert all(m.options.dt == 0.02 for m in models)


def test_dicts_may_hold_arrays_and_infinities() -> None:
    scene = {
        "options": {"gravity": np.array([0, 0, -1.6]), "push_out_speed": float("inf")},
        "bodies": [{"name": "ball", "mass": np.float64(1), "inertia": np.ones(3)}],
    }
    model = pl.load(scene)
    assert model.options.gravity.tolist() == [0, 0, -1.6]
    assert model.options.push_out_speed == float("inf")


def test_values_are_set_by_path() -> None:
    model = pl.load("block", set={"options.dt": 0.005, "deformables.block.material.young": 2e5})
    assert model.options.dt == 0.005
    assert pl.Data(model).parameters["block.material.young"] == 2e5


def test_the_nearest_name_is_offered() -> None:
    with pytest.raises(pl.FileError, match="did you mean 'teddy'"):
        pl.load("tedy")


def test_errors_say_where() -> None:
    with pytest.raises(pl.InputError) as caught:
        pl.load("pliant: 1\noptions:\n  dt: -1\n")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.file, error.line) == ("scene.yaml", 3)
    assert error.column > 0
    assert "dt" in error.message
    assert error.status
    assert error.path == "options.dt"
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.path, str(again)) == (error.line, error.path, str(error))


# Wrong scenes, and which value is named: what set= calls it; entries of lists by their name, or their number.
WRONG = [
    ("deformables:\n  - {name: bear, shape: box, size: [1, 1, 1], edge: 0.5, material: {young: -1}}\n", "deformables.bear.material.young"),
    ("deformables:\n  - {name: bear, shape: box, size: [1, 1, 1], edge: 0.5, material: {youn: 1}}\n", "deformables.bear.material.youn"),
    ("options: {gravity: [0, 0]}\n", "options.gravity"),
    ("shapes:\n  - {name: a, shape: sphere, radius: 1}\n  - {shape: sphere}\n", "shapes.1.name"),
    ("bodies:\n  - {name: b, mass: abc}\n", "bodies.b.mass"),
]


@pytest.mark.parametrize("text,path", WRONG)
def test_errors_name_the_value(text: str, path: str) -> None:
    with pytest.raises(pl.InputError) as caught:
        pl.load("pliant: 1\n" + text)
    assert caught.value.path == path, str(caught.value)


def test_errors_of_values_that_are_set_name_them() -> None:
    for path, value in (("options.dt", -1), ("deformables.block.material.young", "soft"), ("options.dtt", 1), ("deformables.nobody.mass", 1)):
        with pytest.raises(pl.InputError) as caught:
            pl.load("block", set={path: value})
        assert caught.value.path == path


def test_robot_files_load_and_their_remarks_are_warnings(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(
        "<robot name='arm'><link name='base'/><link name='tip'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j' type='revolute'><parent link='base'/><child link='tip'/><axis xyz='0 1 0'/>"
        "<limit lower='-1' upper='1' effort='5' velocity='2'/></joint><frobnicate/></robot>"
    )
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model = pl.load(path)
    assert model.nv == 1
    assert "arm/j" in model.names("joint")
    assert all(str(w.message) for w in seen)


@pytest.mark.parametrize("bad", [float("nan"), object(), {1, 2}])
def test_what_a_scene_cannot_hold_is_refused(bad: object) -> None:
    with pytest.raises(pl.InputError):
        pl.load({"options": {"dt": bad}})


def test_options_of_loading_hold_for_robot_files(tmp_path: Path) -> None:
    """A robot file takes missing_meshes, max_tets, strict and search as a scene with that robot does."""
    file = tmp_path / "arm.urdf"
    file.write_text(
        '<robot name="arm"><link name="base"/><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
        'iyz="0"/></inertial><collision><geometry><mesh filename="package://gone/a.stl"/></geometry></collision></link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="l"/></joint></robot>'
    )
    scene = {"robots": [{"name": "arm", "file": str(file)}]}
    soft = tmp_path / "soft.xml"
    soft.write_text(
        '<mujoco><worldbody><flexcomp name="f" type="grid" count="4 4 4" spacing=".1 .1 .1" dim="3" mass="1"><elasticity young="1e4"/>'
        "</flexcomp></worldbody></mujoco>"
    )
    for what in (file, scene):
        with pytest.raises(pl.InputError, match="collision mesh"):
            pl.load(what)
        with pytest.warns(UserWarning, match="left out"):
            model = pl.load(what, missing_meshes=True)
        assert model.nbody == 2
    for large in (soft, {"robots": [{"name": "f", "file": str(soft)}]}):
        with pytest.raises(pl.TooLarge):
            pl.load(large, max_tets=10)
