"""Pliant simulates robots and the soft things they touch.

    import pliant as pl

    model = pl.load("block")          # a shipped scene by name, a file, a text or a dict
    data = pl.Data(model)             # one simulation
    while data.time < 1:
        data.step()
    print(data["block"].com)          # arrays are numpy's
    data.picture(width=640)           # shows itself in a notebook
    pl.view(data).run()               # the page in the browser

Everything is in SI units, z points up, quaternions are (w, x, y, z). Every step converges to its tolerance or raises
(NotConverged, ...), and then the state is as it was. docs/python.md has a tour.
"""

from pliant import mesh, sap
from pliant._batch import Batch, View
from pliant._data import Actuator, Attachment, Body, Data, Deformable, Joint, Parameters, Shape
from pliant._load import load, load_spec, scenes
from pliant._picture import Picture, save_gif
from pliant._pliant import (
    BodyState,
    Cancelled,
    ContactPair,
    Csv,
    Dof,
    ElementState,
    EnergyBudget,
    Error,
    FileError,
    Indefinite,
    InputError,
    Material,
    Mesh,
    MeshReport,
    Mismatch,
    Model,
    NotConverged,
    NotFinite,
    Options,
    OutOfMemory,
    Passage,
    PictureOptions,
    Recording,
    Replay,
    ReplayInfo,
    Report,
    RigidState,
    RigidTotals,
    RowsFailed,
    SapActuator,
    SapCone,
    SapCoulomb,
    SapCoulombError,
    SapHuntCrossley,
    SapOptions,
    SapReport,
    SapRow,
    Series,
    Side,
    Signals,
    SiteState,
    Spec,
    Surface,
    TooLarge,
    Unstable,
    compiler,
    contact_dtype,
    impulse_dtype,
    instruction_set,
    is_robot_file,
    lame,
    save_surface,
    scheme,
    sensor_sheet,
    signals_help,
    stage_names,
    status_name,
    version,
)
from pliant._view import Viewer, view

__version__ = version()
__all__ = [
    "Actuator", "Attachment", "Batch", "Body", "BodyState", "Cancelled", "ContactPair", "Csv", "Data", "Deformable", "Dof", "ElementState",
    "EnergyBudget", "Error", "FileError", "Indefinite", "InputError", "Joint", "Material", "Mesh", "MeshReport", "Mismatch", "Model",
    "NotConverged", "NotFinite", "Options", "OutOfMemory", "Parameters", "Passage", "Picture", "PictureOptions", "Recording", "Replay", "ReplayInfo",
    "Report", "RigidState", "RigidTotals", "RowsFailed",
    "SapActuator", "SapCone", "SapCoulomb", "SapCoulombError", "SapHuntCrossley", "SapOptions", "SapReport", "SapRow",
    "Series", "Shape", "Side", "Signals", "SiteState", "Spec", "Surface", "TooLarge", "Unstable", "View", "Viewer", "compiler",
    "contact_dtype", "impulse_dtype", "instruction_set", "is_robot_file", "lame", "load", "load_spec", "mesh", "sap", "save_gif", "save_surface", "sensor_sheet",
    "scenes", "scheme", "signals_help", "stage_names", "status_name", "version", "view",
]  # fmt: skip
