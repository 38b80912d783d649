"""Data: one simulation, and its bodies, joints and actuators by name."""

from __future__ import annotations

import math
import os
import sys
import time as clock
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from pliant import _pliant
from pliant._picture import Picture
from pliant._pliant import BodyState, ContactPair, EnergyBudget, InputError, Model, Options, PictureOptions, Recording, RigidState

Floats = npt.NDArray[np.float64]


def _constant(array: npt.NDArray[Any]) -> Any:
    """Makes a copy of results read-only: what is written into it would be lost."""
    array.flags.writeable = False
    return array


class _Part:
    """A named part of a simulation."""

    __slots__ = ("data", "index")
    _kind = ""

    def __init__(self, data: Data, which: int | str) -> None:
        self.data = data
        self.index = data.model.find(self._kind, which)

    @property
    def name(self) -> str:
        """As the model has it."""
        return self.data.model.names(self._kind)[self.index]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.name}'>"


class Deformable(_Part):
    """A deformable body of a simulation: data["bear"]."""

    __slots__ = ()
    _kind = "deformable"

    @property
    def _range(self) -> tuple[int, int]:
        first = self.data.model.deform_vert0
        return int(first[self.index]), int(first[self.index + 1])

    @property
    def vertices(self) -> Floats:
        """(n, 3) world positions of its vertices (m), live: a part of data.q; may be written."""
        a, b = self._range
        q = int(self.data.model.deform_q0[self.index])
        return self.data.q[q : q + 3 * (b - a)].reshape(-1, 3)

    @vertices.setter
    def vertices(self, value: npt.ArrayLike) -> None:
        self.vertices[:] = _finite(value, "vertices")

    @property
    def velocities(self) -> Floats:
        """(n, 3) velocities of its vertices (m/s), live: a part of data.v; may be written."""
        a, b = self._range
        v = int(self.data.model.deform_v0[self.index])
        return self.data.v[v : v + 3 * (b - a)].reshape(-1, 3)

    @velocities.setter
    def velocities(self, value: npt.ArrayLike) -> None:
        self.velocities[:] = _finite(value, "velocities")

    @property
    def forces(self) -> Floats:
        """(n, 3) forces of the user on its vertices (N), live: a part of data.f_user; kept until changed."""
        a, b = self._range
        v = int(self.data.model.deform_v0[self.index])
        return self.data.f_user[v : v + 3 * (b - a)].reshape(-1, 3)

    @property
    def tets(self) -> npt.NDArray[np.int32]:
        """(n, 4) vertices of its tetrahedra, counted in the body."""
        first = self.data.model.deform_tet0
        tets: npt.NDArray[np.int32] = _constant(self.data.model.tet_vert[first[self.index] : first[self.index + 1]] - np.int32(self._range[0]))
        return tets

    @property
    def triangles(self) -> npt.NDArray[np.int32]:
        """(n, 3) vertices of its boundary, outward, counted in the body."""
        first = self.data.model.deform_tri0
        triangles: npt.NDArray[np.int32] = _constant(self.data.model.tri_vert[first[self.index] : first[self.index + 1]] - np.int32(self._range[0]))
        return triangles

    @property
    def state(self) -> BodyState:
        """Mass, centre of mass, momenta, energies and box, all at once."""
        return self.data.deformable_state(self.index)

    @property
    def mass(self) -> float:
        """Mass (kg)."""
        return self.data.deformable_mass(self.index)

    @property
    def com(self) -> Floats:
        """Centre of mass (m)."""
        return self.state.com

    @property
    def momentum(self) -> Floats:
        """Linear momentum (kg m/s), world."""
        return self.state.momentum

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy (J)."""
        return self.state.kinetic_energy

    @property
    def elastic_energy(self) -> float:
        """Elastic energy (J)."""
        return self.state.elastic_energy

    @property
    def energy_budget(self) -> EnergyBudget:
        """Energy balance of the body over the last step."""
        return self.data.energy_budget(self.index)

    @property
    def contact(self) -> ContactPair:
        """Its contacts with anything, taken together; forces act on this body."""
        return self.data.contact_pair(None, self.name)

    def field(self, name: str, at: str = "vertices") -> Floats:
        """F, green_strain, cauchy_stress, von_mises, pressure or energy at its vertices or 'tets'."""
        return self.data.field(self.index, name, at)


class Body(_Part):
    """A rigid body of a simulation: data["arm/link7"]."""

    __slots__ = ()
    _kind = "body"

    @property
    def state(self) -> RigidState:
        """Pose, velocities, centre of mass, momenta and energies, all at once."""
        return self.data.rigid_state(self.index)

    @property
    def pose(self) -> Floats:
        """Position (m) and quaternion (w, x, y, z) of its frame in the world: 7 numbers."""
        pose: Floats = _constant(self.data.rigid_pose(self.index))
        return pose

    @property
    def position(self) -> Floats:
        """Position of its frame's origin in the world (m)."""
        return self.pose[:3]

    @property
    def quaternion(self) -> Floats:
        """Orientation of its frame in the world: (w, x, y, z)."""
        return self.pose[3:]

    @property
    def rotation(self) -> Floats:
        """(3, 3): axes of its frame in the world, as columns."""
        w, x, y, z = self.quaternion
        rotation: Floats = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        fixed: Floats = _constant(rotation)
        return fixed

    @property
    def velocity(self) -> Floats:
        """Velocity of its frame's origin (m/s), world."""
        return self.state.velocity

    @property
    def angular_velocity(self) -> Floats:
        """Angular velocity (rad/s), world."""
        return self.state.angular_velocity

    @property
    def com(self) -> Floats:
        """Centre of mass (m)."""
        return self.state.com

    @property
    def contact(self) -> ContactPair:
        """Contacts of all its shapes with anything, taken together; forces act on this body."""
        return self.data.contact_pair(None, self.name)

    def jacobian(self, point: npt.ArrayLike | None = None) -> Floats:
        """(6, nv_rigid): angular velocity, then velocity of a point of the body, given in its frame."""
        return self.data.jacobian(self.index, point)

    def add_force(self, force: npt.ArrayLike | None = None, point: npt.ArrayLike | None = None, moment: npt.ArrayLike | None = None) -> None:
        """Adds a force (N, world axes) at a point (in its frame), and a moment, to data.f_body: kept until changed."""
        self.data.add_force(self.index, force, point, moment)


class Shape(_Part):
    """A rigid shape of a simulation: data["ground"]."""

    __slots__ = ()
    _kind = "shape"

    @property
    def pose(self) -> Floats:
        """Position (m) and quaternion (w, x, y, z) in the world."""
        pose: Floats = _constant(self.data.shape_poses()[self.index])
        return pose

    @property
    def contact(self) -> ContactPair:
        """Its contacts with anything, taken together; forces act on this shape."""
        return self.data.contact_pair(None, self.name)


class Joint(_Part):
    """A joint of a simulation: data.joint("elbow")."""

    __slots__ = ()
    _kind = "joint"

    @property
    def kind(self) -> str:
        """revolute, prismatic, free, ..."""
        return self.data.model.joint_kind[self.index]

    def _part(self, of: Floats, first: npt.NDArray[np.int32], counts: dict[str, int]) -> Floats:
        a = int(first[self.index])
        return of[a : a + counts.get(self.kind, 1)]

    @property
    def q(self) -> Floats:
        """Its positions, live: a part of data.q; may be written."""
        return self._part(self.data.q, self.data.model.joint_q0, _NQ)

    @q.setter
    def q(self, value: npt.ArrayLike) -> None:
        given, q = _finite(value, "q"), self.q
        if given.ndim == 0 and self.kind in ("ball", "free"):
            raise InputError(f"q of a {self.kind} joint has {len(q)} numbers, got one")
        q[:] = given

    @property
    def v(self) -> Floats:
        """Its velocities, live: a part of data.v; may be written."""
        return self._part(self.data.v, self.data.model.joint_v0, _NV)

    @v.setter
    def v(self, value: npt.ArrayLike) -> None:
        self.v[:] = _finite(value, "v")

    @property
    def dofs(self) -> range:
        """Its entries in data.v."""
        a = int(self.data.model.joint_v0[self.index])
        return range(a, a + _NV.get(self.kind, 1))

    @property
    def wrench(self) -> Floats:
        """Force and moment that the joint transmitted to its child in the last step, at the origin of its frame M and in the axes of M."""
        wrench: Floats = _constant(self.data.joint_wrenches()[0][self.index])
        return wrench


_NQ = {"fixed": 0, "universal": 2, "ball": 4, "planar": 3, "free": 7}
_NV = {"fixed": 0, "universal": 2, "ball": 3, "planar": 3, "free": 6}


class Actuator(_Part):
    """An actuator of a simulation: data.actuator("motor")."""

    __slots__ = ()
    _kind = "actuator"

    @property
    def u(self) -> Floats:
        """Its inputs, live: a part of data.u; may be written.

        Those of a pd actuator are position, velocity and force; one number is the position, with velocity and force 0.
        """
        model = self.data.model
        a = int(model.act_u0[self.index])
        return self.data.u[a : a + (3 if model.act_kind[self.index] == "pd" else 1)]

    @u.setter
    def u(self, value: npt.ArrayLike) -> None:
        given, u = _finite(value, "u"), self.u
        if given.ndim == 0 and len(u) == 3:
            given = np.array([float(given), 0.0, 0.0])
        u[:] = given

    @property
    def force(self) -> float:
        """Force that it exerted at its joint in the last step (N or Nm)."""
        return float(self.data.actuator_force[self.index])

    @property
    def on(self) -> bool:
        """Whether it is on; may be set."""
        return bool(self.data.switches("actuator")[self.index])

    @on.setter
    def on(self, value: bool) -> None:
        self.data.set_switch("actuator", self.index, value)


class Attachment(_Part):
    """An attachment of the model: data.attachment("grip")."""

    __slots__ = ()
    _kind = "attachment"

    @property
    def on(self) -> bool:
        """Whether it is on; when switched on, it holds its vertices at their positions at that time."""
        return bool(self.data.get_attachments()[self.index]["on"])

    @on.setter
    def on(self, value: bool) -> None:
        self.data.set_attachment(self.index, value)

    @property
    def force(self) -> Floats:
        """Force on the attached vertices in the last step (N), world."""
        force: Floats = _constant(self.data.attachment_force(self.index)[0])
        return force


class Parameters(MutableMapping[str, float]):
    """A simulation's own numbers by their path: data.parameters["bear.material.young"] = 2e4. None can be removed."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def __getitem__(self, path: str) -> float:
        return self._data.get_parameter(path)

    def __setitem__(self, path: str, value: float) -> None:
        self._data.set_parameter(path, value)

    def __delitem__(self, path: str) -> None:
        raise InputError("parameters cannot be removed; reset() takes the model's values")

    def __iter__(self) -> Iterator[str]:
        return iter(self._data.model.parameter_paths())

    def __len__(self) -> int:
        return len(self._data.model.parameter_paths())

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self._data.model.parameter_paths()

    def __repr__(self) -> str:
        return f"<Parameters: {len(self)} numbers>"

    def reset(self) -> None:
        """Sets all parameters to the model's values."""
        self._data.reset_parameters()

    def info(self, path: str) -> dict[str, Any]:
        """Unit and range of one parameter."""
        return self._data.model.parameter_info(path)

    @property
    def array(self) -> Floats:
        """All values at once, in the order of the paths: a copy; assign to set all."""
        return self._data.get_parameters()

    @array.setter
    def array(self, value: npt.ArrayLike) -> None:
        self._data.set_parameters(value)

    @property
    def hash(self) -> int:
        """64-bit hash of the options and parameters that decide results."""
        return self._data.get_parameter_hash()


def _finite(value: npt.ArrayLike, what: str) -> Floats:
    array = np.asarray(value, dtype=np.float64)
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite")
    return array


def _time(value: float | None, otherwise: float) -> float:
    """A time to run to, which must be finite."""
    if value is None:
        return otherwise
    if not math.isfinite(value):
        raise InputError(f"until must be a finite time (s), got {value}")
    return value


class Data(_pliant.Data):
    """One simulation: its state, and the results of the last step.

    data.q, data.v and data.u are live: numpy arrays of the simulation's own memory, the same objects every time. What a step
    writes (contacts, impulses, report) comes as copies. One thread at a time may use a Data; other threads run while it
    steps, and each may step a Data of its own.
    """

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        """The deformable body, rigid body or shape of that name."""
        kind, index = self.model.find_part(name)
        part = _PARTS[kind]
        if part is None:
            raise InputError(f"'{name}' is not a body or shape")
        made = part.__new__(part)
        made.data, made.index = self, index
        return made

    def deformable(self, which: int | str) -> Deformable:
        """A deformable body by name or number."""
        return Deformable(self, which)

    def body(self, which: int | str) -> Body:
        """A rigid body by name or number."""
        return Body(self, which)

    def shape(self, which: int | str) -> Shape:
        """A rigid shape by name or number."""
        return Shape(self, which)

    def joint(self, which: int | str) -> Joint:
        """A joint by name or number."""
        return Joint(self, which)

    def actuator(self, which: int | str) -> Actuator:
        """An actuator by name or number."""
        return Actuator(self, which)

    def attachment(self, which: int | str) -> Attachment:
        """An attachment of the model by name or number."""
        return Attachment(self, which)

    @property
    def state(self) -> bytes:
        """The complete state as bytes, parameters included; assign one to continue from there with the same bits.

        The state of another model (another model.hash) raises Mismatch and changes nothing; other parameters are no other model.
        """
        return self.get_state()

    @state.setter
    def state(self, value: bytes) -> None:
        self.set_state(value)

    @property
    def hash(self) -> int:
        """64-bit hash of the state: equal bits, equal hash. f"{data.hash:016x}" is what the command prints."""
        return self.get_hash()

    @property
    def total_energy(self) -> float:
        """Kinetic, elastic and gravity energy of everything in the present state (J): the signal energy.total."""
        return float(self.signal("energy.total"))

    @property
    def options(self) -> Options:
        """This simulation's options of the step, as they are now. Setting a member sets it in the simulation; a dict sets several."""
        return self.get_options()

    @options.setter
    def options(self, value: Options | dict[str, Any]) -> None:
        self.set_options(value)

    @property
    def parameters(self) -> Parameters:
        """This simulation's own numbers by their path; they belong to the state."""
        return Parameters(self)

    @property
    def attachments(self) -> list[dict[str, Any]]:
        """All attachments as dicts: those of the model, then those made by attach. Copies."""
        return self.get_attachments()

    def run(
        self,
        until: float | None = None,
        *,
        progress: bool | None = None,
        record: str | os.PathLike[str] | Recording | None = None,
        rate: float = 0,
        each: Callable[[Data], object] | None = None,
    ) -> None:
        """Steps until a time (s; None: the scene's duration from the start).

        progress: simulated time, realtime rate and what is left on stderr; None: if it is a terminal and takes more than a second.
        record: a recording to write, with rate frames per simulated second (0: all). each: called after every step.
        """
        end = _time(until, self.model.options.duration)
        if not math.isfinite(rate):
            raise InputError(f"rate must be a finite number of frames per second (0: all), got {rate}")
        recording = Recording(record, self.model) if isinstance(record, (str, os.PathLike)) else record
        bar = _Progress(self.time, end, sys.stderr.isatty() if progress is None else progress, 1.0 if progress is None else 0.0)
        frame = 0
        try:
            if recording and frame == 0:
                recording.write(self)
                frame = 1
            half = 0.5 * self.options.dt
            while self.time < end - half:
                self.step()
                if each:
                    each(self)
                if recording and (rate <= 0 or self.time * rate + 1e-6 >= frame):
                    recording.write(self)
                    frame = int(self.time * rate + 1e-6) + 1 if rate > 0 else frame
                bar.update(self)
        finally:
            bar.end()
            if recording is not None and recording is not record:
                recording.close()

    def picture(
        self,
        width: int = 640,
        height: int | None = None,
        *,
        colour: str | None = None,
        path: str | os.PathLike[str] | None = None,
        options: PictureOptions | None = None,
        **members: Any,
    ) -> Picture:
        """A picture of the present state: an array (height, width, 3) of uint8, which a notebook shows.

        colour: body, displacement, speed, strain, von_mises or pressure. path: a PNG file to write as well. members: those of
        PictureOptions (azimuth, elevation, zoom, contacts, clock, ...).
        """
        o = PictureOptions() if options is None else options.__copy__()
        o.width, o.height = width, height if height is not None else width * 5 // 8
        if colour is not None:
            members["colour"] = colour
        o.__setstate__(members)
        made = _pliant.picture(self, o).view(Picture)
        assert isinstance(made, Picture)
        if path is not None:
            made.save(path)
        return made

    def __copy__(self) -> Self:
        """Another simulation with the same state and parameters, which continues independently."""
        if self.is_replay:
            raise InputError("a recording's frame cannot be copied; Replay.restore sets a simulation to it")
        other = type(self)(self.model)
        other.copy_from(self)
        return other

    def __deepcopy__(self, memo: Any) -> Self:
        return self.__copy__()

    def copy(self) -> Self:
        """Another simulation with the same state and parameters, which continues independently."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.model, self.get_state())

    def __repr__(self) -> str:
        return f"<Data: t = {self.time:.6g} s, {len(self.q)} positions, {self.report.contacts} contact points>"


def _restore(kind: type[Data], model: Model, state: bytes) -> Data:
    data = kind(model)
    data.set_state(state)
    return data


class _Progress:
    """A progress line on stderr during a run."""

    def __init__(self, begin: float, end: float, shown: bool, patience: float) -> None:
        self.begin, self.end_time, self.shown, self.patience = begin, end, shown, patience
        self.start = self.last = clock.monotonic()
        self.drawn = False

    def update(self, data: Data) -> None:
        now = clock.monotonic()
        if not self.shown or now - self.last < 0.1 or now - self.start < self.patience:
            return
        self.last = now
        done = (data.time - self.begin) / max(self.end_time - self.begin, 1e-300)
        rate = (data.time - self.begin) / (now - self.start)
        left = (self.end_time - data.time) / rate if rate > 0 else 0.0
        bar = "#" * int(28 * min(done, 1)) + "." * (28 - int(28 * min(done, 1)))
        text = f"[{bar}] {data.time:.3f} / {self.end_time:.3f} s  {rate:.3g}x real time  {left:.0f} s left"
        sys.stderr.write(f"\r{text}\033[K" if sys.stderr.isatty() else f"{text}\n")
        sys.stderr.flush()
        self.drawn = True

    def end(self) -> None:
        if self.drawn and sys.stderr.isatty():
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


# By the kind of a side.
_PARTS: tuple[type[_Part] | None, ...] = (None, None, Body, Shape, Deformable)

_pliant.register_data(Data)
