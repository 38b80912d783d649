"""A scene file as Python values, for the scripts that run it in other engines."""
import os
import yaml


def numbers(value):
    """YAML 1.1 reads 1e6 as a text; Pliant reads it as a number."""
    if isinstance(value, dict):
        return {k: numbers(v) for k, v in value.items()}
    if isinstance(value, list):
        return [numbers(v) for v in value]
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def load(path):
    with open(path) as f:
        return numbers(yaml.safe_load(f))


def find(name, scene, work):
    """A file that a scene names: beside the scene or in the working folder."""
    folders = [os.path.dirname(os.path.abspath(scene)), os.path.abspath(work)]
    for folder in folders:
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise SystemExit(f"{name} is neither in {' nor in '.join(folders)}")
