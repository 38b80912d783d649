"""Scenes: by name, from files, texts and dicts."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from pliant._pliant import FileError, InputError, Model, Spec, is_robot_file, read_scene

_FOLDER = os.path.dirname(os.path.abspath(__file__))
# The package's own copy, or that of the source tree it is run from.
_SCENES = [os.path.normpath(os.path.join(_FOLDER, up, "scenes")) for up in ("", "../..", "../../..")]


def _scene_folder() -> str:
    for folder in _SCENES:
        if os.path.exists(os.path.join(folder, "block.yaml")):
            return folder
    return _SCENES[0]


def scenes() -> list[str]:
    """The names of the shipped scenes."""
    return sorted(name[:-5] for name in os.listdir(_scene_folder()) if name.endswith(".yaml"))


def _scalar(value: object) -> str:
    """A value as a scene file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):  # numpy's
        return _scalar(value.tolist())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_scalar(v) for v in value) + "]"
    if isinstance(value, (int, float)):
        return _number(value)
    raise InputError(f"a scene holds numbers, texts, lists and dicts, got {value!r}")


def _number(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        raise InputError("a scene cannot hold a number that is not one (nan)")
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return repr(value)


def _text(value: object) -> str:
    """A dict as the text of a scene: YAML's flow style, which is JSON with a few more words."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(k))}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, os.PathLike):
        return _quoted(os.fspath(value))
    if isinstance(value, str):
        return _quoted(value)
    if hasattr(value, "tolist"):
        return _text(value.tolist())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    return _scalar(value)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def _find(name: str) -> str:
    """A scene's file: a path, or the name of a shipped scene."""
    if os.path.exists(name):
        return name
    shipped = os.path.join(_scene_folder(), f"{name}.yaml")
    if "/" not in name and os.path.exists(shipped):
        return shipped
    import difflib

    near = difflib.get_close_matches(name, scenes(), 1)
    hint = f"; did you mean '{near[0]}'?" if near else f"; shipped scenes are {', '.join(scenes())}"
    raise FileError(f"there is no file and no scene '{name}'{hint}")


class LoadOptions(TypedDict, total=False):
    """The keywords of load and load_spec, which load explains."""

    set: Mapping[str, Any] | None
    search: Sequence[str | os.PathLike[str]]
    folder: str | os.PathLike[str]
    strict: bool
    missing_meshes: bool
    max_tets: int


def _read(
    scene: str | os.PathLike[str] | Mapping[str, Any],
    set: Mapping[str, Any] | None = None,
    search: Sequence[str | os.PathLike[str]] = (),
    folder: str | os.PathLike[str] = "",
    strict: bool = False,
    missing_meshes: bool = False,
    max_tets: int = 0,
) -> Spec:
    overrides = {str(k): _scalar(v) for k, v in set.items()} if set else None
    options: dict[str, Any] = {"set": overrides, "search": list(search) or None, "strict": strict, "missing_meshes": missing_meshes, "max_tets": max_tets}
    if isinstance(scene, Mapping):
        spec, notes = read_scene("scene.yaml", _text({"pliant": 1, **scene}), folder, **options)
    elif isinstance(scene, str) and "\n" in scene:
        spec, notes = read_scene("scene.yaml", scene, folder, **options)
    elif is_robot_file(scene):
        if overrides:
            raise InputError("values are set in scenes; a robot file has none")
        spec = Spec()
        robot: dict[str, Any] = {"strict": strict, "missing_meshes": missing_meshes, "max_tets": max_tets}
        notes = spec.add_robot(file=os.fspath(scene), take_timestep=True, take_gravity=True, search=[os.fspath(s) for s in search], **robot)
    else:
        spec, notes = read_scene(_find(os.fspath(scene)), **options)
    for note in notes:
        warnings.warn(note, stacklevel=3)
    return spec


def load_spec(scene: str | os.PathLike[str] | Mapping[str, Any], **options: Unpack[LoadOptions]) -> Spec:
    """A scene as a Spec, to change before it is compiled. Arguments as those of load."""
    return _read(scene, **options)


def load(scene: str | os.PathLike[str] | Mapping[str, Any], **options: Unpack[LoadOptions]) -> Model:
    """The model of a scene.

    scene: the name of a shipped scene ("teddy"), the path of a scene file or robot file (URDF, SDFormat, MJCF), the text of a
        scene (with line breaks), or a dict as docs/scene.md describes it.
    set: values of the scene by their path, {"options.dt": 0.005}.
    search: folders to look for files in, after the scene's own. folder: where the paths of a text or dict start.
    strict: a remark on a robot file's physics is an error instead of a warning.
    missing_meshes: collision meshes that cannot be read are left out with a warning.
    max_tets: a scene with more tetrahedra is refused; 0: 2 million.
    """
    return _read(scene, **options).compile()
