# Made by tools/python_tables from include/pliant/*.h and python/src/stubs.pyi.in: change those, then run it.
from collections.abc import Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, ClassVar, Literal, Self, final

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int32]
_Bools = npt.NDArray[np.bool_]
_Rows = npt.NDArray[np.void]
_FloatsLike = npt.ArrayLike
_Path = str | PathLike[str]
_RegionLike = Mapping[str, Any] | Sequence[int] | _Ints
_Which = int | str
_SideLike = str | Side | None

contact_dtype: np.dtype[np.void]
impulse_dtype: np.dtype[np.void]

class Error(Exception):
    """What went wrong. status is a word; file, line and column say where in a file, if one is concerned, path which value of a scene; report, where and steps belong to a step that failed."""

    status: str
    message: str
    file: str
    line: int
    column: int
    path: str
    where: str
    report: Report | None
    steps: int

class InputError(Error, ValueError):
    """A file, definition or argument is wrong; the error says what to do."""

class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

class OutOfMemory(Error, MemoryError):
    """Memory ran out."""

class TooLarge(Error):
    """The input would need too much memory or time and is refused; the error gives an estimate."""

class NotConverged(Error):
    """A solve did not reach its tolerance."""

class Indefinite(Error):
    """A pivot was not positive."""

class NotFinite(Error):
    """NaN or infinity appeared."""

class Unstable(Error):
    """The time step is beyond the stability limit of an explicit scheme, or a body is too stiff for double precision."""

class Mismatch(Error):
    """A state or recording belongs to another model."""

class Cancelled(Error):
    """The user's callback asked to stop."""

class RowsFailed(Error):
    """Some simulations of a batch failed (pliant/batch.h); the others were stepped."""

class Passage(Error):
    """One body would pass through another; the error names both."""


@final
class Side:
    """Side."""

    @property
    def kind(self) -> Literal["any", "world", "body", "shape", "deformable"]:
        """what kind of object index refers to"""
    @kind.setter
    def kind(self, value: Literal["any", "world", "body", "shape", "deformable"]) -> None: ...
    @property
    def index(self) -> int:
        """of the body, shape or deformable; 0 for the other kinds"""
    @index.setter
    def index(self, value: int) -> None: ...
    def __new__(cls, *, kind: Literal["any", "world", "body", "shape", "deformable"] = ..., index: int = ...) -> Side: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Side: ...
    def __deepcopy__(self, memo: Any, /) -> Side: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Options:
    """Options."""

    @property
    def dt(self) -> float:
        """s, time step; default 0.01"""
    @dt.setter
    def dt(self, value: float) -> None: ...
    @property
    def duration(self) -> float:
        """s, simulated time after which `pliant run` ends; pl_step does not use it; default 1"""
    @duration.setter
    def duration(self, value: float) -> None: ...
    @property
    def gravity(self) -> _Floats:
        """m/s^2; default (0, 0, -9.81)"""
    @gravity.setter
    def gravity(self, value: _FloatsLike) -> None: ...
    @property
    def theta(self) -> float:
        """forces are taken at theta q + (1-theta) q0, in [0, 1]; default 1 (backward Euler)"""
    @theta.setter
    def theta(self, value: float) -> None: ...
    @property
    def theta_vq(self) -> float:
        """q = q0 + dt (theta_vq v + (1-theta_vq) v0), in [0, 1]; default 1"""
    @theta_vq.setter
    def theta_vq(self, value: float) -> None: ...
    @property
    def contact_law(self) -> Literal["cone", "similar", "coulomb"]:
        """default "coulomb" """
    @contact_law.setter
    def contact_law(self, value: Literal["cone", "similar", "coulomb"]) -> None: ...
    @property
    def coulomb_strict(self) -> bool:
        """with "coulomb": True makes a step fail if its rounds do not converge; default False: such a step is counted in report.coulomb_capped"""
    @coulomb_strict.setter
    def coulomb_strict(self, value: bool) -> None: ...
    @property
    def tolerance(self) -> float:
        """relative residual at which the contact problem is solved; default 1e-6"""
    @tolerance.setter
    def tolerance(self, value: float) -> None: ...
    @property
    def free_tolerance(self) -> float:
        """the same for the free motion of nonlinear materials; default 1e-8"""
    @free_tolerance.setter
    def free_tolerance(self, value: float) -> None: ...
    @property
    def max_iterations(self) -> int:
        """Newton iterations after which a step fails with a status; default 500"""
    @max_iterations.setter
    def max_iterations(self, value: int) -> None: ...
    @property
    def friction_sigma(self) -> float:
        """sigma of the tangential compliance of every contact, R_t = sigma w; default 1e-3"""
    @friction_sigma.setter
    def friction_sigma(self, value: float) -> None: ...
    @property
    def near_rigid(self) -> float:
        """beta of the least normal compliance, R_n >= beta^2/(4 pi^2) w; default 1"""
    @near_rigid.setter
    def near_rigid(self, value: float) -> None: ...
    @property
    def gap_closing(self) -> float:
        """fraction of a gap that may close in one step, in (0, 1]; values below 1 slow approaching bodies down; default 1"""
    @gap_closing.setter
    def gap_closing(self, value: float) -> None: ...
    @property
    def push_out_speed(self) -> float:
        """m/s, largest speed at which near-rigid contacts, limits and constraints correct a violation present at the start of a step; default 0.1; infinity corrects it in one step"""
    @push_out_speed.setter
    def push_out_speed(self, value: float) -> None: ...
    @property
    def push_out_turn(self) -> float:
        """rad/s, the same for angles; default 1"""
    @push_out_turn.setter
    def push_out_turn(self, value: float) -> None: ...
    @property
    def accuracy(self) -> float:
        """m, error control: each step is divided into inner steps whose estimated error stays below this; default 0: no error control"""
    @accuracy.setter
    def accuracy(self, value: float) -> None: ...
    @property
    def contact_points(self) -> int:
        """a flat patch with more contact points than this is reduced to this number (at least 4); 0: never (default)"""
    @contact_points.setter
    def contact_points(self, value: int) -> None: ...
    @property
    def rigid_contact(self) -> Literal["patch", "point"]:
        """between convex rigid shapes and half spaces; default "patch" """
    @rigid_contact.setter
    def rigid_contact(self, value: Literal["patch", "point"]) -> None: ...
    @property
    def coupling(self) -> Literal["converged", "once"]:
        """of nonlinear materials with contact; default "converged" """
    @coupling.setter
    def coupling(self, value: Literal["converged", "once"]) -> None: ...
    @property
    def threads(self) -> int:
        """threads of one simulation; 0 (the default): as many as make it faster. The results do not depend on it"""
    @threads.setter
    def threads(self, value: int) -> None: ...
    def __new__(cls, *, dt: float = ..., duration: float = ..., gravity: _FloatsLike = ..., theta: float = ..., theta_vq: float = ..., contact_law: Literal["cone", "similar", "coulomb"] = ..., coulomb_strict: bool = ..., tolerance: float = ..., free_tolerance: float = ..., max_iterations: int = ..., friction_sigma: float = ..., near_rigid: float = ..., gap_closing: float = ..., push_out_speed: float = ..., push_out_turn: float = ..., accuracy: float = ..., contact_points: int = ..., rigid_contact: Literal["patch", "point"] = ..., coupling: Literal["converged", "once"] = ..., threads: int = ..., scheme: Literal["backward_euler", "symplectic_euler", "midpoint"] = ...) -> Options: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Options: ...
    def __deepcopy__(self, memo: Any, /) -> Options: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Material:
    """Material."""

    @property
    def kind(self) -> Literal["linear", "linear_corotated", "corotated", "saint_venant_kirchhoff", "neo_hookean", "mooney_rivlin", "fixed_corotated"]:
        """default "linear_corotated" """
    @kind.setter
    def kind(self, value: Literal["linear", "linear_corotated", "corotated", "saint_venant_kirchhoff", "neo_hookean", "mooney_rivlin", "fixed_corotated"]) -> None: ...
    @property
    def young(self) -> float:
        """Pa, Young's modulus > 0; default 1e5; unused if lame_mu > 0 and by Mooney-Rivlin"""
    @young.setter
    def young(self, value: float) -> None: ...
    @property
    def poisson(self) -> float:
        """Poisson's ratio in (-1, 0.5); default 0.4; unused in the same cases"""
    @poisson.setter
    def poisson(self, value: float) -> None: ...
    @property
    def lame_lambda(self) -> float:
        """Pa; used with lame_mu instead of young and poisson; lame_lambda > -2/3 lame_mu; default 0"""
    @lame_lambda.setter
    def lame_lambda(self, value: float) -> None: ...
    @property
    def lame_mu(self) -> float:
        """Pa; 0: young and poisson are used (default)"""
    @lame_mu.setter
    def lame_mu(self, value: float) -> None: ...
    @property
    def c1(self) -> float:
        """Pa, Mooney-Rivlin: not negative, not both 0; default 0"""
    @c1.setter
    def c1(self, value: float) -> None: ...
    @property
    def c2(self) -> float:
        """Pa, Mooney-Rivlin: not negative, not both 0; default 0"""
    @c2.setter
    def c2(self, value: float) -> None: ...
    @property
    def bulk(self) -> float:
        """Pa, Mooney-Rivlin: larger than (4 c2 - 2 c1)/3 and (4 c1 - 2 c2)/3; default 0"""
    @bulk.setter
    def bulk(self, value: float) -> None: ...
    @property
    def density(self) -> float:
        """kg/m^3 > 0; default 1000"""
    @density.setter
    def density(self, value: float) -> None: ...
    @property
    def damping_mass(self) -> float:
        """1/s, Rayleigh alpha >= 0; default 0"""
    @damping_mass.setter
    def damping_mass(self, value: float) -> None: ...
    @property
    def damping_stiffness(self) -> float:
        """s, Rayleigh beta >= 0; default 0.01"""
    @damping_stiffness.setter
    def damping_stiffness(self, value: float) -> None: ...
    @property
    def volumetric(self) -> Literal["element", "patch"]:
        """default "element" """
    @volumetric.setter
    def volumetric(self, value: Literal["element", "patch"]) -> None: ...
    @property
    def element(self) -> Literal["tet4", "tet4_smoothed", "tet10"]:
        """default "tet4" """
    @element.setter
    def element(self, value: Literal["tet4", "tet4_smoothed", "tet10"]) -> None: ...
    @property
    def mass(self) -> Literal["consistent", "lumped"]:
        """default "consistent" """
    @mass.setter
    def mass(self, value: Literal["consistent", "lumped"]) -> None: ...
    @property
    def rotation(self) -> Literal["consistent", "lagged"]:
        """default "consistent" """
    @rotation.setter
    def rotation(self, value: Literal["consistent", "lagged"]) -> None: ...
    def __new__(cls, *, kind: Literal["linear", "linear_corotated", "corotated", "saint_venant_kirchhoff", "neo_hookean", "mooney_rivlin", "fixed_corotated"] = ..., young: float = ..., poisson: float = ..., lame_lambda: float = ..., lame_mu: float = ..., c1: float = ..., c2: float = ..., bulk: float = ..., density: float = ..., damping_mass: float = ..., damping_stiffness: float = ..., volumetric: Literal["element", "patch"] = ..., element: Literal["tet4", "tet4_smoothed", "tet10"] = ..., mass: Literal["consistent", "lumped"] = ..., rotation: Literal["consistent", "lagged"] = ...) -> Material: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Material: ...
    def __deepcopy__(self, memo: Any, /) -> Material: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Surface:
    """Surface."""

    @property
    def friction(self) -> float:
        """Coulomb coefficient mu >= 0; default 1; two surfaces combine as 2 a b / (a + b)"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def contact_stiffness(self) -> float:
        """Pa/m, pressure per depth of penetration; default infinite (then near_rigid sets the stiffness); those of two surfaces combine in series"""
    @contact_stiffness.setter
    def contact_stiffness(self, value: float) -> None: ...
    @property
    def relaxation_time(self) -> float:
        """s, dissipation time of the laws with linear compliance; default 0.1; those of two surfaces add up"""
    @relaxation_time.setter
    def relaxation_time(self, value: float) -> None: ...
    @property
    def dissipation(self) -> float:
        """s/m, Hunt-Crossley dissipation of "similar"; default 10; those of two surfaces are averaged with weights by stiffness"""
    @dissipation.setter
    def dissipation(self, value: float) -> None: ...
    @property
    def surface_velocity(self) -> _Floats:
        """m/s, velocity of the surface relative to its shape, as of a conveyor belt, in the shape's frame; rigid shapes only; default 0"""
    @surface_velocity.setter
    def surface_velocity(self, value: _FloatsLike) -> None: ...
    @property
    def mesh_compliance(self) -> bool:
        """soft facets that touch a round rigid surface (a shape, or a mesh without sharp edges) get the compliance that their mesh is too coarse to have; default True; a pair has it only if both surfaces do"""
    @mesh_compliance.setter
    def mesh_compliance(self, value: bool) -> None: ...
    def __new__(cls, *, friction: float = ..., contact_stiffness: float = ..., relaxation_time: float = ..., dissipation: float = ..., surface_velocity: _FloatsLike = ..., mesh_compliance: bool = ...) -> Surface: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Surface: ...
    def __deepcopy__(self, memo: Any, /) -> Surface: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Dof:
    """One degree of freedom of a joint (N, m or Nm, rad)."""

    @property
    def lower(self) -> float:
        """limits of the position; default -infinity, infinity. For a ball joint, upper of its first dof is the largest angle"""
    @lower.setter
    def lower(self, value: float) -> None: ...
    @property
    def upper(self) -> float:
        """limits of the position; default -infinity, infinity. For a ball joint, upper of its first dof is the largest angle"""
    @upper.setter
    def upper(self, value: float) -> None: ...
    @property
    def effort(self) -> float:
        """largest force of all actuators on it together; default infinity"""
    @effort.setter
    def effort(self, value: float) -> None: ...
    @property
    def force_lower(self) -> float:
        """further bounds of that force; default -infinity, infinity"""
    @force_lower.setter
    def force_lower(self, value: float) -> None: ...
    @property
    def force_upper(self) -> float:
        """further bounds of that force; default -infinity, infinity"""
    @force_upper.setter
    def force_upper(self, value: float) -> None: ...
    @property
    def speed(self) -> float:
        """speed limit stated by the robot's file; it is not enforced; default infinity"""
    @speed.setter
    def speed(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """viscous damping, force per velocity, integrated implicitly; default 0"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def friction(self) -> float:
        """dry friction, its largest force; default 0"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def stiffness(self) -> float:
        """spring towards the position rest, integrated implicitly; default 0, 0. For ball joints towards the identity"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def rest(self) -> float:
        """spring towards the position rest, integrated implicitly; default 0, 0. For ball joints towards the identity"""
    @rest.setter
    def rest(self, value: float) -> None: ...
    @property
    def armature(self) -> float:
        """inertia that is added to this dof alone (kg m^2 or kg); default 0"""
    @armature.setter
    def armature(self, value: float) -> None: ...
    @property
    def rotor_inertia(self) -> float:
        """kg m^2, rotor of a motor behind a gear; adds rotor_inertia gear_ratio^2 to the armature; default 0"""
    @rotor_inertia.setter
    def rotor_inertia(self, value: float) -> None: ...
    @property
    def gear_ratio(self) -> float:
        """turns of the rotor per turn of the joint; default 1"""
    @gear_ratio.setter
    def gear_ratio(self, value: float) -> None: ...
    def __new__(cls, *, lower: float = ..., upper: float = ..., effort: float = ..., force_lower: float = ..., force_upper: float = ..., speed: float = ..., damping: float = ..., friction: float = ..., stiffness: float = ..., rest: float = ..., armature: float = ..., rotor_inertia: float = ..., gear_ratio: float = ...) -> Dof: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Dof: ...
    def __deepcopy__(self, memo: Any, /) -> Dof: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapReport:
    """SapReport."""

    @property
    def status(self) -> Literal["ok", "input", "io", "memory", "too_large", "not_converged", "indefinite", "not_finite", "unstable", "mismatch", "cancelled", "rows", "passage"]:
        """what the call returned"""
    @status.setter
    def status(self, value: Literal["ok", "input", "io", "memory", "too_large", "not_converged", "indefinite", "not_finite", "unstable", "mismatch", "cancelled", "rows", "passage"]) -> None: ...
    @property
    def nclique(self) -> int:
        """size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom"""
    @nclique.setter
    def nclique(self, value: int) -> None: ...
    @property
    def nv(self) -> int:
        """size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom"""
    @nv.setter
    def nv(self, value: int) -> None: ...
    @property
    def nconstraint(self) -> int:
        """size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom"""
    @nconstraint.setter
    def nconstraint(self, value: int) -> None: ...
    @property
    def nrow(self) -> int:
        """size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom"""
    @nrow.setter
    def nrow(self, value: int) -> None: ...
    @property
    def iterations(self) -> int:
        """Newton steps and interior-point steps"""
    @iterations.setter
    def iterations(self, value: int) -> None: ...
    @property
    def interior_steps(self) -> int:
        """interior-point steps alone"""
    @interior_steps.setter
    def interior_steps(self, value: int) -> None: ...
    @property
    def factorizations(self) -> int:
        """factorizations of the Hessian; fewer than iterations if it did not change"""
    @factorizations.setter
    def factorizations(self, value: int) -> None: ...
    @property
    def factor_nodes(self) -> int:
        """supernodes of the Hessian, summed over these factorizations"""
    @factor_nodes.setter
    def factor_nodes(self, value: int) -> None: ...
    @property
    def renewed_nodes(self) -> int:
        """those among them that were factored; the others had not changed"""
    @renewed_nodes.setter
    def renewed_nodes(self, value: int) -> None: ...
    @property
    def search_evaluations(self) -> int:
        """evaluations of all laws in line searches"""
    @search_evaluations.setter
    def search_evaluations(self, value: int) -> None: ...
    @property
    def warm_start(self) -> int:
        """1 if the guess was used, 0 if v_star had the lower cost or none was given"""
    @warm_start.setter
    def warm_start(self, value: int) -> None: ...
    @property
    def cost(self) -> float:
        """cost at the solution"""
    @cost.setter
    def cost(self, value: float) -> None: ...
    @property
    def momentum_residual(self) -> float:
        """|S g| / (max(|S A v|, |S J' gamma|, norm of all |S J_i' gamma_i|) + absolute / relative tolerance)"""
    @momentum_residual.setter
    def momentum_residual(self, value: float) -> None: ...
    @property
    def clique_residual(self) -> float:
        """largest |S g|_c relative to its scale in the stopping test"""
    @clique_residual.setter
    def clique_residual(self, value: float) -> None: ...
    @property
    def at_rounding(self) -> int:
        """1 if the rounding allowance was needed to stop"""
    @at_rounding.setter
    def at_rounding(self, value: int) -> None: ...
    @property
    def worst_clique(self) -> int:
        """clique of clique_residual, or the one that failed; -1: none"""
    @worst_clique.setter
    def worst_clique(self, value: int) -> None: ...
    @property
    def worst_constraint(self) -> int:
        """constraint that failed, or the one at worst_clique with the largest impulse; -1: none"""
    @worst_constraint.setter
    def worst_constraint(self, value: int) -> None: ...
    @property
    def stick(self) -> int:
        """number of contact points of any law that stick, slide or are open"""
    @stick.setter
    def stick(self, value: int) -> None: ...
    @property
    def slide(self) -> int:
        """number of contact points of any law that stick, slide or are open"""
    @slide.setter
    def slide(self, value: int) -> None: ...
    @property
    def open(self) -> int:
        """number of contact points of any law that stick, slide or are open"""
    @open.setter
    def open(self, value: int) -> None: ...
    @property
    def cone_violation(self) -> float:
        """N s: largest (|gamma_t| - mu gamma_n)+"""
    @cone_violation.setter
    def cone_violation(self, value: float) -> None: ...
    @property
    def complementarity(self) -> float:
        """largest |gamma . s| / (|gamma| |s|), s = vc - v_hat + R gamma at sliding points; 0: none"""
    @complementarity.setter
    def complementarity(self, value: float) -> None: ...
    @property
    def slip_angle(self) -> float:
        """rad: largest angle between friction and the direction opposite to slip, sliding points of all laws"""
    @slip_angle.setter
    def slip_angle(self, value: float) -> None: ...
    @property
    def R_n_min(self) -> float:
        """s/kg: smallest and largest normal regularisation"""
    @R_n_min.setter
    def R_n_min(self, value: float) -> None: ...
    @property
    def R_n_max(self) -> float:
        """s/kg: smallest and largest normal regularisation"""
    @R_n_max.setter
    def R_n_max(self, value: float) -> None: ...
    @property
    def R_t_min(self) -> float:
        """s/kg: the same, tangential"""
    @R_t_min.setter
    def R_t_min(self, value: float) -> None: ...
    @property
    def R_t_max(self) -> float:
        """s/kg: the same, tangential"""
    @R_t_max.setter
    def R_t_max(self, value: float) -> None: ...
    @property
    def creep(self) -> float:
        """m/s: largest slip |R_t gamma_t - h| that the regularisation allows a sticking point (h = 0 except in pl_sap_solve_coulomb)"""
    @creep.setter
    def creep(self, value: float) -> None: ...
    @property
    def rounds(self) -> int:
        """number of convex solves"""
    @rounds.setter
    def rounds(self, value: int) -> None: ...
    @property
    def coulomb_residual(self) -> float:
        """m/s: largest |mu |u_t| - s| of the points that push"""
    @coulomb_residual.setter
    def coulomb_residual(self, value: float) -> None: ...
    @property
    def coulomb_fallbacks(self) -> int:
        """number of points where it is above the tolerance; their friction lies between that of the convex law and Coulomb's"""
    @coulomb_fallbacks.setter
    def coulomb_fallbacks(self, value: int) -> None: ...
    @property
    def coulomb_capped(self) -> int:
        """1 if there are such points, because max_rounds was reached"""
    @coulomb_capped.setter
    def coulomb_capped(self, value: int) -> None: ...
    @property
    def block_count(self) -> int:
        """number of block rows, and of blocks in the lower triangles of H and L"""
    @block_count.setter
    def block_count(self, value: int) -> None: ...
    @property
    def block_hessian(self) -> int:
        """number of block rows, and of blocks in the lower triangles of H and L"""
    @block_hessian.setter
    def block_hessian(self, value: int) -> None: ...
    @property
    def block_factor(self) -> int:
        """number of block rows, and of blocks in the lower triangles of H and L"""
    @block_factor.setter
    def block_factor(self, value: int) -> None: ...
    @property
    def factor_flops(self) -> float:
        """floating-point operations of one factorization, without once_flops"""
    @factor_flops.setter
    def factor_flops(self, value: float) -> None: ...
    @property
    def once_flops(self) -> float:
        """those of the cliques with bilateral constraints only, which are factored once"""
    @once_flops.setter
    def once_flops(self, value: float) -> None: ...
    @property
    def pattern_reused(self) -> int:
        """1 if the ordering of an earlier call was kept"""
    @pattern_reused.setter
    def pattern_reused(self, value: int) -> None: ...
    @property
    def time_setup(self) -> float:
        """wall time of the parts of a solve, in s"""
    @time_setup.setter
    def time_setup(self, value: float) -> None: ...
    @property
    def time_law(self) -> float:
        """wall time of the parts of a solve, in s"""
    @time_law.setter
    def time_law(self, value: float) -> None: ...
    @property
    def time_assemble(self) -> float:
        """wall time of the parts of a solve, in s"""
    @time_assemble.setter
    def time_assemble(self, value: float) -> None: ...
    @property
    def time_factor(self) -> float:
        """wall time of the parts of a solve, in s"""
    @time_factor.setter
    def time_factor(self, value: float) -> None: ...
    @property
    def time_solve(self) -> float:
        """wall time of the parts of a solve, in s"""
    @time_solve.setter
    def time_solve(self, value: float) -> None: ...
    @property
    def time_search(self) -> float:
        """wall time of the parts of a solve, in s"""
    @time_search.setter
    def time_search(self, value: float) -> None: ...
    @property
    def time_total(self) -> float:
        """wall time of the parts of a solve, in s"""
    @time_total.setter
    def time_total(self, value: float) -> None: ...
    def __new__(cls, *, status: Literal["ok", "input", "io", "memory", "too_large", "not_converged", "indefinite", "not_finite", "unstable", "mismatch", "cancelled", "rows", "passage"] = ..., nclique: int = ..., nv: int = ..., nconstraint: int = ..., nrow: int = ..., iterations: int = ..., interior_steps: int = ..., factorizations: int = ..., factor_nodes: int = ..., renewed_nodes: int = ..., search_evaluations: int = ..., warm_start: int = ..., cost: float = ..., momentum_residual: float = ..., clique_residual: float = ..., at_rounding: int = ..., worst_clique: int = ..., worst_constraint: int = ..., stick: int = ..., slide: int = ..., open: int = ..., cone_violation: float = ..., complementarity: float = ..., slip_angle: float = ..., R_n_min: float = ..., R_n_max: float = ..., R_t_min: float = ..., R_t_max: float = ..., creep: float = ..., rounds: int = ..., coulomb_residual: float = ..., coulomb_fallbacks: int = ..., coulomb_capped: int = ..., block_count: int = ..., block_hessian: int = ..., block_factor: int = ..., factor_flops: float = ..., once_flops: float = ..., pattern_reused: int = ..., time_setup: float = ..., time_law: float = ..., time_assemble: float = ..., time_factor: float = ..., time_solve: float = ..., time_search: float = ..., time_total: float = ...) -> SapReport: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapReport: ...
    def __deepcopy__(self, memo: Any, /) -> SapReport: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Report:
    """What a step did."""

    @property
    def status(self) -> Literal["ok", "input", "io", "memory", "too_large", "not_converged", "indefinite", "not_finite", "unstable", "mismatch", "cancelled", "rows", "passage"]:
        """of the last step"""
    @status.setter
    def status(self, value: Literal["ok", "input", "io", "memory", "too_large", "not_converged", "indefinite", "not_finite", "unstable", "mismatch", "cancelled", "rows", "passage"]) -> None: ...
    @property
    def step(self) -> int:
        """steps taken so far by this plData"""
    @step.setter
    def step(self, value: int) -> None: ...
    @property
    def constraints(self) -> int:
        """number of constraints as the paper counts them: contact points, attached vertices, active limits and so on"""
    @constraints.setter
    def constraints(self, value: int) -> None: ...
    @property
    def contacts(self) -> int:
        """contact points"""
    @contacts.setter
    def contacts(self, value: int) -> None: ...
    @property
    def iterations(self) -> int:
        """Newton iterations of the contact problem"""
    @iterations.setter
    def iterations(self, value: int) -> None: ...
    @property
    def line_search(self) -> int:
        """evaluations of the cost by the line searches of that problem"""
    @line_search.setter
    def line_search(self, value: int) -> None: ...
    @property
    def residual(self) -> float:
        """relative momentum residual of the contact problem, scaled as in sap.h"""
    @residual.setter
    def residual(self, value: float) -> None: ...
    @property
    def sap(self) -> SapReport:
        """details of the last solve of the contact problem: cone violation, slip angle, regularisation, timing and so on"""
    @sap.setter
    def sap(self, value: SapReport | Mapping[str, Any]) -> None: ...
    @property
    def coulomb_rounds(self) -> int:
        """with "coulomb": number of convex solves in this step"""
    @coulomb_rounds.setter
    def coulomb_rounds(self, value: int) -> None: ...
    @property
    def coulomb_residual(self) -> float:
        """m/s, largest deviation from Coulomb's law of any point (pliant/sap.h)"""
    @coulomb_residual.setter
    def coulomb_residual(self, value: float) -> None: ...
    @property
    def coulomb_fallbacks(self) -> int:
        """number of points whose deviation is above the tolerance"""
    @coulomb_fallbacks.setter
    def coulomb_fallbacks(self, value: int) -> None: ...
    @property
    def coulomb_capped(self) -> int:
        """1 if coulomb_fallbacks is not 0, else 0"""
    @coulomb_capped.setter
    def coulomb_capped(self, value: int) -> None: ...
    @property
    def couplings(self) -> int:
        """how often nonlinear laws were linearised again"""
    @couplings.setter
    def couplings(self, value: int) -> None: ...
    @property
    def coupled_residual(self) -> float:
        """with nonlinear laws in contact: largest |m(v) - J' gamma| of a body or tree, divided by the largest of three: a term of that sum, M v, their rounding error"""
    @coupled_residual.setter
    def coupled_residual(self, value: float) -> None: ...
    @property
    def free_iterations(self) -> int:
        """Newton iterations of the free motion (1 for linear materials)"""
    @free_iterations.setter
    def free_iterations(self, value: int) -> None: ...
    @property
    def free_residual(self) -> float:
        """|m(v*)| divided by the largest of three: a term of m(v*), M v, their rounding error; for linear materials divided by |A| |dv|"""
    @free_residual.setter
    def free_residual(self, value: float) -> None: ...
    @property
    def free_residual_weight(self) -> float:
        """for linear materials: largest entry of m(v*) divided by dt times the body's weight"""
    @free_residual_weight.setter
    def free_residual_weight(self, value: float) -> None: ...
    @property
    def energy_gain(self) -> float:
        """J, growth of the energy of deformable bodies beyond the work that gravity, loads, contacts, attachments and prescribed motion did on them. It is negative where damping and the time integration dissipate energy, and 0 if it is below the rounding error. It includes what the springs of mesh_compliance return beyond what they had stored. With theta_vq < 1 it includes the energy that a contact adds to its two sides together, and the energy that contacts, balls, welds and distances add to rigid bodies (docs/materials.md, Reported energy gain)"""
    @energy_gain.setter
    def energy_gain(self, value: float) -> None: ...
    @property
    def factorizations(self) -> int:
        """number of Cholesky factorizations of deformable bodies"""
    @factorizations.setter
    def factorizations(self, value: int) -> None: ...
    @property
    def skipped(self) -> int:
        """number of degenerate contact candidates that were dropped"""
    @skipped.setter
    def skipped(self, value: int) -> None: ...
    @property
    def deep(self) -> int:
        """number of penetrations that contact ignores because they are deeper than the body is thick there. The first step from a state that was set also counts penetrations that no contact can undo"""
    @deep.setter
    def deep(self, value: int) -> None: ...
    @property
    def deep_a(self) -> Side:
        """the two sides of the first such penetration; equal for a deformable with itself"""
    @deep_a.setter
    def deep_a(self, value: Side | Mapping[str, Any]) -> None: ...
    @property
    def deep_b(self) -> Side:
        """the two sides of the first such penetration; equal for a deformable with itself"""
    @deep_b.setter
    def deep_b(self, value: Side | Mapping[str, Any]) -> None: ...
    @property
    def merged(self) -> int:
        """points that were merged into others; the geometry found contacts + merged points"""
    @merged.setter
    def merged(self, value: int) -> None: ...
    @property
    def guard_rounds(self) -> int:
        """number of additional solves with contact points where the motion would have passed through a surface"""
    @guard_rounds.setter
    def guard_rounds(self, value: int) -> None: ...
    @property
    def guard_points(self) -> int:
        """number of those contact points"""
    @guard_points.setter
    def guard_points(self, value: int) -> None: ...
    @property
    def parts(self) -> int:
        """number of shorter steps that made up this step: 1, or up to 64 if one step had no solution, passed through a surface or gained energy; with options.accuracy those of all inner steps, rejected ones included"""
    @parts.setter
    def parts(self, value: int) -> None: ...
    @property
    def damped_parts(self) -> int:
        """how many of these were taken by backward Euler because the scene's scheme failed"""
    @damped_parts.setter
    def damped_parts(self, value: int) -> None: ...
    @property
    def coupled_parts(self) -> int:
        """how many were taken with the converged coupling because `coupling: once` failed"""
    @coupled_parts.setter
    def coupled_parts(self, value: int) -> None: ...
    @property
    def inner(self) -> int:
        """number of inner steps with options.accuracy"""
    @inner.setter
    def inner(self, value: int) -> None: ...
    @property
    def dt(self) -> float:
        """s, length of the last of these shorter steps; contacts, impulses and forces belong to it"""
    @dt.setter
    def dt(self, value: float) -> None: ...
    @property
    def searches(self) -> int:
        """number of contact searches"""
    @searches.setter
    def searches(self, value: int) -> None: ...
    @property
    def rejected(self) -> int:
        """inner steps under options.accuracy that were taken again, shorter"""
    @rejected.setter
    def rejected(self, value: int) -> None: ...
    @property
    def error(self) -> float:
        """m, largest estimated error of an inner step under options.accuracy"""
    @error.setter
    def error(self, value: float) -> None: ...
    @property
    def stage_s(self) -> _Floats:
        """s of wall time in each stage of this step"""
    @stage_s.setter
    def stage_s(self, value: _FloatsLike) -> None: ...
    @property
    def total_stage_s(self) -> _Floats:
        """the same, added up since pl_data_create"""
    @total_stage_s.setter
    def total_stage_s(self, value: _FloatsLike) -> None: ...
    @property
    def where(self) -> str:
        """after a failure: the body, vertex or constraint that caused it"""
    @where.setter
    def where(self, value: str) -> None: ...
    def __new__(cls, *, status: Literal["ok", "input", "io", "memory", "too_large", "not_converged", "indefinite", "not_finite", "unstable", "mismatch", "cancelled", "rows", "passage"] = ..., step: int = ..., constraints: int = ..., contacts: int = ..., iterations: int = ..., line_search: int = ..., residual: float = ..., sap: SapReport | Mapping[str, Any] = ..., coulomb_rounds: int = ..., coulomb_residual: float = ..., coulomb_fallbacks: int = ..., coulomb_capped: int = ..., couplings: int = ..., coupled_residual: float = ..., free_iterations: int = ..., free_residual: float = ..., free_residual_weight: float = ..., energy_gain: float = ..., factorizations: int = ..., skipped: int = ..., deep: int = ..., deep_a: Side | Mapping[str, Any] = ..., deep_b: Side | Mapping[str, Any] = ..., merged: int = ..., guard_rounds: int = ..., guard_points: int = ..., parts: int = ..., damped_parts: int = ..., coupled_parts: int = ..., inner: int = ..., dt: float = ..., searches: int = ..., rejected: int = ..., error: float = ..., stage_s: _FloatsLike = ..., total_stage_s: _FloatsLike = ..., where: str = ...) -> Report: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Report: ...
    def __deepcopy__(self, memo: Any, /) -> Report: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class RigidState:
    """RigidState."""

    @property
    def pose(self) -> _Floats:
        """of the body's frame in the world"""
    @pose.setter
    def pose(self, value: _FloatsLike) -> None: ...
    @property
    def velocity(self) -> _Floats:
        """m/s of its origin"""
    @velocity.setter
    def velocity(self, value: _FloatsLike) -> None: ...
    @property
    def angular_velocity(self) -> _Floats:
        """rad/s"""
    @angular_velocity.setter
    def angular_velocity(self, value: _FloatsLike) -> None: ...
    @property
    def com(self) -> _Floats:
        """m, centre of mass"""
    @com.setter
    def com(self, value: _FloatsLike) -> None: ...
    @property
    def com_velocity(self) -> _Floats:
        """m/s"""
    @com_velocity.setter
    def com_velocity(self, value: _FloatsLike) -> None: ...
    @property
    def momentum(self) -> _Floats:
        """kg m/s"""
    @momentum.setter
    def momentum(self, value: _FloatsLike) -> None: ...
    @property
    def angular_momentum(self) -> _Floats:
        """kg m^2/s about the centre of mass"""
    @angular_momentum.setter
    def angular_momentum(self, value: _FloatsLike) -> None: ...
    @property
    def kinetic_energy(self) -> float:
        """J, without armatures"""
    @kinetic_energy.setter
    def kinetic_energy(self, value: float) -> None: ...
    @property
    def gravity_energy(self) -> float:
        """J, -m g . com"""
    @gravity_energy.setter
    def gravity_energy(self, value: float) -> None: ...
    def __new__(cls, *, pose: _FloatsLike = ..., velocity: _FloatsLike = ..., angular_velocity: _FloatsLike = ..., com: _FloatsLike = ..., com_velocity: _FloatsLike = ..., momentum: _FloatsLike = ..., angular_momentum: _FloatsLike = ..., kinetic_energy: float = ..., gravity_energy: float = ...) -> RigidState: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> RigidState: ...
    def __deepcopy__(self, memo: Any, /) -> RigidState: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class RigidTotals:
    """Sums over all rigid bodies; armatures count in the kinetic energy, springs in the elastic one."""

    @property
    def kinetic_energy(self) -> float:
        """J"""
    @kinetic_energy.setter
    def kinetic_energy(self, value: float) -> None: ...
    @property
    def gravity_energy(self) -> float:
        """J"""
    @gravity_energy.setter
    def gravity_energy(self, value: float) -> None: ...
    @property
    def elastic_energy(self) -> float:
        """J"""
    @elastic_energy.setter
    def elastic_energy(self, value: float) -> None: ...
    @property
    def momentum(self) -> _Floats:
        """kg m/s"""
    @momentum.setter
    def momentum(self, value: _FloatsLike) -> None: ...
    @property
    def angular_momentum(self) -> _Floats:
        """kg m^2/s about the world's origin"""
    @angular_momentum.setter
    def angular_momentum(self, value: _FloatsLike) -> None: ...
    def __new__(cls, *, kinetic_energy: float = ..., gravity_energy: float = ..., elastic_energy: float = ..., momentum: _FloatsLike = ..., angular_momentum: _FloatsLike = ...) -> RigidTotals: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> RigidTotals: ...
    def __deepcopy__(self, memo: Any, /) -> RigidTotals: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SiteState:
    """Pose and velocity of a site."""

    @property
    def pose(self) -> _Floats:
        """in the world"""
    @pose.setter
    def pose(self, value: _FloatsLike) -> None: ...
    @property
    def velocity(self) -> _Floats:
        """m/s of its origin"""
    @velocity.setter
    def velocity(self, value: _FloatsLike) -> None: ...
    @property
    def angular_velocity(self) -> _Floats:
        """rad/s"""
    @angular_velocity.setter
    def angular_velocity(self, value: _FloatsLike) -> None: ...
    def __new__(cls, *, pose: _FloatsLike = ..., velocity: _FloatsLike = ..., angular_velocity: _FloatsLike = ...) -> SiteState: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SiteState: ...
    def __deepcopy__(self, memo: Any, /) -> SiteState: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class BodyState:
    """BodyState."""

    @property
    def mass(self) -> float:
        """kg"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def com(self) -> _Floats:
        """m"""
    @com.setter
    def com(self, value: _FloatsLike) -> None: ...
    @property
    def momentum(self) -> _Floats:
        """kg m/s"""
    @momentum.setter
    def momentum(self, value: _FloatsLike) -> None: ...
    @property
    def angular_momentum(self) -> _Floats:
        """kg m^2/s about the centre of mass"""
    @angular_momentum.setter
    def angular_momentum(self, value: _FloatsLike) -> None: ...
    @property
    def kinetic_energy(self) -> float:
        """J"""
    @kinetic_energy.setter
    def kinetic_energy(self, value: float) -> None: ...
    @property
    def elastic_energy(self) -> float:
        """J"""
    @elastic_energy.setter
    def elastic_energy(self, value: float) -> None: ...
    @property
    def gravity_energy(self) -> float:
        """J, -m g . com"""
    @gravity_energy.setter
    def gravity_energy(self, value: float) -> None: ...
    @property
    def volume(self) -> float:
        """m^3, present volume"""
    @volume.setter
    def volume(self, value: float) -> None: ...
    @property
    def inverted(self) -> int:
        """elements turned inside out (det F < 0); the laws allow it, matter does not"""
    @inverted.setter
    def inverted(self, value: int) -> None: ...
    @property
    def lower(self) -> _Floats:
        """bounding box (m)"""
    @lower.setter
    def lower(self, value: _FloatsLike) -> None: ...
    @property
    def upper(self) -> _Floats:
        """bounding box (m)"""
    @upper.setter
    def upper(self, value: _FloatsLike) -> None: ...
    def __new__(cls, *, mass: float = ..., com: _FloatsLike = ..., momentum: _FloatsLike = ..., angular_momentum: _FloatsLike = ..., kinetic_energy: float = ..., elastic_energy: float = ..., gravity_energy: float = ..., volume: float = ..., inverted: int = ..., lower: _FloatsLike = ..., upper: _FloatsLike = ...) -> BodyState: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> BodyState: ...
    def __deepcopy__(self, memo: Any, /) -> BodyState: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class ElementState:
    """ElementState."""

    @property
    def F(self) -> _Floats:
        """deformation gradient, column-major"""
    @F.setter
    def F(self, value: _FloatsLike) -> None: ...
    @property
    def green_strain(self) -> _Floats:
        """xx yy zz xy yz xz"""
    @green_strain.setter
    def green_strain(self, value: _FloatsLike) -> None: ...
    @property
    def cauchy_stress(self) -> _Floats:
        """Pa, xx yy zz xy yz xz"""
    @cauchy_stress.setter
    def cauchy_stress(self, value: _FloatsLike) -> None: ...
    @property
    def von_mises(self) -> float:
        """Pa"""
    @von_mises.setter
    def von_mises(self, value: float) -> None: ...
    @property
    def pressure(self) -> float:
        """Pa, -trace/3"""
    @pressure.setter
    def pressure(self, value: float) -> None: ...
    @property
    def energy(self) -> float:
        """J, elastic energy of the element"""
    @energy.setter
    def energy(self, value: float) -> None: ...
    def __new__(cls, *, F: _FloatsLike = ..., green_strain: _FloatsLike = ..., cauchy_stress: _FloatsLike = ..., von_mises: float = ..., pressure: float = ..., energy: float = ...) -> ElementState: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> ElementState: ...
    def __deepcopy__(self, memo: Any, /) -> ElementState: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class EnergyBudget:
    """Energy balance of a deformable body over the last step (J): kinetic_change + elastic_change = external_work - damping_loss + rest. rest contains the work of contacts, attachments and prescribed motion, and the numerical damping of the time integration."""

    @property
    def kinetic(self) -> float:
        """at the end of the step"""
    @kinetic.setter
    def kinetic(self, value: float) -> None: ...
    @property
    def elastic(self) -> float:
        """at the end of the step"""
    @elastic.setter
    def elastic(self, value: float) -> None: ...
    @property
    def kinetic_change(self) -> float:
        """over the step"""
    @kinetic_change.setter
    def kinetic_change(self, value: float) -> None: ...
    @property
    def elastic_change(self) -> float:
        """over the step"""
    @elastic_change.setter
    def elastic_change(self, value: float) -> None: ...
    @property
    def external_work(self) -> float:
        """work of gravity, loads and f_user"""
    @external_work.setter
    def external_work(self, value: float) -> None: ...
    @property
    def damping_loss(self) -> float:
        """energy dissipated by Rayleigh damping, >= 0"""
    @damping_loss.setter
    def damping_loss(self, value: float) -> None: ...
    @property
    def rest(self) -> float:
        """the remainder, see above"""
    @rest.setter
    def rest(self, value: float) -> None: ...
    def __new__(cls, *, kinetic: float = ..., elastic: float = ..., kinetic_change: float = ..., elastic_change: float = ..., external_work: float = ..., damping_loss: float = ..., rest: float = ...) -> EnergyBudget: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> EnergyBudget: ...
    def __deepcopy__(self, memo: Any, /) -> EnergyBudget: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class ContactPair:
    """The contacts of two sides taken together."""

    @property
    def count(self) -> int:
        """number of contact points, and number of those that carry force"""
    @count.setter
    def count(self, value: int) -> None: ...
    @property
    def pressing(self) -> int:
        """number of contact points, and number of those that carry force"""
    @pressing.setter
    def pressing(self, value: int) -> None: ...
    @property
    def stick(self) -> int:
        """number of force-carrying points that do not slide"""
    @stick.setter
    def stick(self, value: int) -> None: ...
    @property
    def area(self) -> float:
        """m^2, sum over points that carry force or have a gap below a thousandth of the point's size"""
    @area.setter
    def area(self, value: float) -> None: ...
    @property
    def normal_force(self) -> float:
        """N, sum of the normal components"""
    @normal_force.setter
    def normal_force(self, value: float) -> None: ...
    @property
    def force(self) -> _Floats:
        """N on the second side"""
    @force.setter
    def force(self, value: _FloatsLike) -> None: ...
    @property
    def centre(self) -> _Floats:
        """m, centre of the normal forces; NaN if there are none"""
    @centre.setter
    def centre(self, value: _FloatsLike) -> None: ...
    @property
    def moment(self) -> _Floats:
        """Nm on the second side about the centre"""
    @moment.setter
    def moment(self, value: _FloatsLike) -> None: ...
    @property
    def gap_min(self) -> float:
        """m, smallest gap; infinity if there are no points"""
    @gap_min.setter
    def gap_min(self, value: float) -> None: ...
    @property
    def slip_max(self) -> float:
        """m/s, largest slip speed of the points that carry force"""
    @slip_max.setter
    def slip_max(self, value: float) -> None: ...
    def __new__(cls, *, count: int = ..., pressing: int = ..., stick: int = ..., area: float = ..., normal_force: float = ..., force: _FloatsLike = ..., centre: _FloatsLike = ..., moment: _FloatsLike = ..., gap_min: float = ..., slip_max: float = ...) -> ContactPair: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> ContactPair: ...
    def __deepcopy__(self, memo: Any, /) -> ContactPair: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class MeshReport:
    """MeshReport."""

    @property
    def nvert(self) -> int:
        """as in the mesh"""
    @nvert.setter
    def nvert(self, value: int) -> None: ...
    @property
    def ntet(self) -> int:
        """as in the mesh"""
    @ntet.setter
    def ntet(self, value: int) -> None: ...
    @property
    def ntri(self) -> int:
        """as in the mesh"""
    @ntri.setter
    def ntri(self, value: int) -> None: ...
    @property
    def boundary_tri(self) -> int:
        """faces of the boundary of the tets (or the triangles of a surface)"""
    @boundary_tri.setter
    def boundary_tri(self, value: int) -> None: ...
    @property
    def boundary_vert(self) -> int:
        """vertices on the boundary"""
    @boundary_vert.setter
    def boundary_vert(self, value: int) -> None: ...
    @property
    def component(self) -> int:
        """number of connected components"""
    @component.setter
    def component(self, value: int) -> None: ...
    @property
    def lower(self) -> _Floats:
        """bounding box (m)"""
    @lower.setter
    def lower(self, value: _FloatsLike) -> None: ...
    @property
    def upper(self) -> _Floats:
        """bounding box (m)"""
    @upper.setter
    def upper(self, value: _FloatsLike) -> None: ...
    @property
    def volume(self) -> float:
        """m^3, of the tets or enclosed by the surface (signed)"""
    @volume.setter
    def volume(self, value: float) -> None: ...
    @property
    def area(self) -> float:
        """m^2 of the boundary"""
    @area.setter
    def area(self, value: float) -> None: ...
    @property
    def edge_min(self) -> float:
        """m"""
    @edge_min.setter
    def edge_min(self, value: float) -> None: ...
    @property
    def edge_mean(self) -> float:
        """m"""
    @edge_mean.setter
    def edge_mean(self, value: float) -> None: ...
    @property
    def edge_max(self) -> float:
        """m"""
    @edge_max.setter
    def edge_max(self, value: float) -> None: ...
    @property
    def inverted(self) -> int:
        """tets of negative volume"""
    @inverted.setter
    def inverted(self, value: int) -> None: ...
    @property
    def flat(self) -> int:
        """tets of volume below 1e-12 of their longest edge cubed, triangles without area"""
    @flat.setter
    def flat(self, value: int) -> None: ...
    @property
    def duplicate(self) -> int:
        """elements that repeat another one's vertices"""
    @duplicate.setter
    def duplicate(self, value: int) -> None: ...
    @property
    def unused(self) -> int:
        """vertices that no element uses"""
    @unused.setter
    def unused(self, value: int) -> None: ...
    @property
    def coincident(self) -> int:
        """vertices at the same position as another one"""
    @coincident.setter
    def coincident(self, value: int) -> None: ...
    @property
    def boundary_open(self) -> int:
        """boundary edges with a single facet (a hole)"""
    @boundary_open.setter
    def boundary_open(self, value: int) -> None: ...
    @property
    def nonmanifold(self) -> int:
        """boundary edges with more than two facets"""
    @nonmanifold.setter
    def nonmanifold(self, value: int) -> None: ...
    @property
    def misoriented(self) -> int:
        """pairs of neighbouring surface triangles with opposite orientation; 1 if instead the whole surface is inside out"""
    @misoriented.setter
    def misoriented(self, value: int) -> None: ...
    @property
    def not_finite(self) -> int:
        """vertices with NaN or infinity"""
    @not_finite.setter
    def not_finite(self, value: int) -> None: ...
    @property
    def looks_like_mm(self) -> int:
        """1 if the size suggests millimetres (extent above 20 m)"""
    @looks_like_mm.setter
    def looks_like_mm(self, value: int) -> None: ...
    @property
    def quality(self) -> _Ints:
        """histogram over [0, 1] of the tets' quality: 1 = regular, 0 = flat"""
    @quality.setter
    def quality(self, value: _FloatsLike) -> None: ...
    @property
    def quality_min(self) -> float:
        """of the tets, in [0, 1]"""
    @quality_min.setter
    def quality_min(self, value: float) -> None: ...
    @property
    def quality_mean(self) -> float:
        """of the tets, in [0, 1]"""
    @quality_mean.setter
    def quality_mean(self, value: float) -> None: ...
    def __new__(cls, *, nvert: int = ..., ntet: int = ..., ntri: int = ..., boundary_tri: int = ..., boundary_vert: int = ..., component: int = ..., lower: _FloatsLike = ..., upper: _FloatsLike = ..., volume: float = ..., area: float = ..., edge_min: float = ..., edge_mean: float = ..., edge_max: float = ..., inverted: int = ..., flat: int = ..., duplicate: int = ..., unused: int = ..., coincident: int = ..., boundary_open: int = ..., nonmanifold: int = ..., misoriented: int = ..., not_finite: int = ..., looks_like_mm: int = ..., quality: _FloatsLike = ..., quality_min: float = ..., quality_mean: float = ...) -> MeshReport: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> MeshReport: ...
    def __deepcopy__(self, memo: Any, /) -> MeshReport: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class ReplayInfo:
    """ReplayInfo."""

    @property
    def nframe(self) -> int:
        """complete frames"""
    @nframe.setter
    def nframe(self, value: int) -> None: ...
    @property
    def closed(self) -> bool:
        """True if the recording was finished by pl_recording_close"""
    @closed.setter
    def closed(self, value: bool) -> None: ...
    @property
    def lost_bytes(self) -> int:
        """bytes after the last complete frame, which could not be read"""
    @lost_bytes.setter
    def lost_bytes(self, value: int) -> None: ...
    @property
    def note(self) -> str:
        """a sentence about the end of the file for the user, or empty"""
    @note.setter
    def note(self, value: str) -> None: ...
    def __new__(cls, *, nframe: int = ..., closed: bool = ..., lost_bytes: int = ..., note: str = ...) -> ReplayInfo: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> ReplayInfo: ...
    def __deepcopy__(self, memo: Any, /) -> ReplayInfo: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class PictureOptions:
    """PictureOptions."""

    @property
    def width(self) -> int:
        """pixels; default 1280 x 800"""
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """pixels; default 1280 x 800"""
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def azimuth(self) -> float:
        """degrees, angle of the camera about z; 0 is on the x axis; default -60"""
    @azimuth.setter
    def azimuth(self, value: float) -> None: ...
    @property
    def elevation(self) -> float:
        """degrees above the horizon, in [-89, 89]; default 18"""
    @elevation.setter
    def elevation(self, value: float) -> None: ...
    @property
    def zoom(self) -> float:
        """> 0; default 1 shows the whole scene"""
    @zoom.setter
    def zoom(self, value: float) -> None: ...
    @property
    def lower(self) -> _Floats:
        """m, box to keep in view; default empty (lower > upper): the scene's own"""
    @lower.setter
    def lower(self, value: _FloatsLike) -> None: ...
    @property
    def upper(self) -> _Floats:
        """m, box to keep in view; default empty (lower > upper): the scene's own"""
    @upper.setter
    def upper(self, value: _FloatsLike) -> None: ...
    @property
    def colour(self) -> Literal["body", "displacement", "speed", "strain", "von_mises", "pressure"]:
        """default "body" """
    @colour.setter
    def colour(self, value: Literal["body", "displacement", "speed", "strain", "von_mises", "pressure"]) -> None: ...
    @property
    def range(self) -> _Floats:
        """values at the ends of the colour scale; default empty (range[0] > range[1]): the scene's own"""
    @range.setter
    def range(self, value: _FloatsLike) -> None: ...
    @property
    def legend(self) -> bool:
        """True draws the scale of the colours for fields; default True"""
    @legend.setter
    def legend(self, value: bool) -> None: ...
    @property
    def edges(self) -> bool:
        """True draws the edges of the mesh where they are long enough to see; default True"""
    @edges.setter
    def edges(self, value: bool) -> None: ...
    @property
    def contacts(self) -> bool:
        """True draws arrows for contact forces; default False"""
    @contacts.setter
    def contacts(self, value: bool) -> None: ...
    @property
    def clock(self) -> bool:
        """True writes the time into a corner; default False"""
    @clock.setter
    def clock(self, value: bool) -> None: ...
    @property
    def samples(self) -> int:
        """per pixel and direction, 1 .. 4; default 3"""
    @samples.setter
    def samples(self, value: int) -> None: ...
    @property
    def threads(self) -> int:
        """default 1; the picture does not depend on it"""
    @threads.setter
    def threads(self, value: int) -> None: ...
    def __new__(cls, *, width: int = ..., height: int = ..., azimuth: float = ..., elevation: float = ..., zoom: float = ..., lower: _FloatsLike = ..., upper: _FloatsLike = ..., colour: Literal["body", "displacement", "speed", "strain", "von_mises", "pressure"] = ..., range: _FloatsLike = ..., legend: bool = ..., edges: bool = ..., contacts: bool = ..., clock: bool = ..., samples: int = ..., threads: int = ...) -> PictureOptions: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> PictureOptions: ...
    def __deepcopy__(self, memo: Any, /) -> PictureOptions: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapOptions:
    """The stopping test. With S = diag(A)^-1/2, g = A (v - v_star) - J' gamma, and sums over the cliques that constraints touch: |S g| <= absolute + relative max(|S A v|, |S J' gamma|) |S g|_c <= absolute + relative max(|S A v|_c, sum_i |S J_i' gamma_i|_c, 1e-6 s) for each clique c where s is the maximum in the first line. The first line is the test of the reference implementation; the second keeps a light body accurate beside a heavy one. A stalled cost or a small step does not count as convergence. There is one exception: if the residual no longer falls and |S g|_c is within the rounding error of gamma itself (2 eps G |J| |v| per row), up to 100 times the tolerance is accepted, and the report says so (at_rounding). This happens only for tolerances near 1e-13, or R below 1e-9 w. For R below about 1e-14 w no v in double precision yields the impulses that balance momentum. The returned vc yields them; it then equals J v + b to rounding."""

    @property
    def relative_tolerance(self) -> float:
        """default 1e-6"""
    @relative_tolerance.setter
    def relative_tolerance(self, value: float) -> None: ...
    @property
    def absolute_tolerance(self) -> float:
        """kg^1/2 m/s; default 1e-20, so small that the relative test decides even for a milligram"""
    @absolute_tolerance.setter
    def absolute_tolerance(self, value: float) -> None: ...
    @property
    def max_iterations(self) -> int:
        """default 2000; after so many, or after 400 without a new smallest residual and 400 more with vc updated by the steps, the call fails with "not_converged" """
    @max_iterations.setter
    def max_iterations(self, value: int) -> None: ...
    @property
    def patience(self) -> int:
        """default 400; stands for these 400 where the residual is below 1000 tolerances"""
    @patience.setter
    def patience(self, value: int) -> None: ...
    @property
    def search_tolerance(self) -> float:
        """of the line search: slope at its end relative to that at its start; default 1e-6; a tenth of this where the cost rises again"""
    @search_tolerance.setter
    def search_tolerance(self, value: float) -> None: ...
    @property
    def max_search(self) -> int:
        """cost evaluations per line search; default 100"""
    @max_search.setter
    def max_search(self, value: int) -> None: ...
    @property
    def interior_after(self) -> int:
        """iterations without progress after which an interior-point phase starts (conic laws); default 12; 0: never"""
    @interior_after.setter
    def interior_after(self, value: int) -> None: ...
    @property
    def sticking(self) -> int:
        """largest number of Newton steps per solve that may be replaced by a step after which slowly sliding points stick; default 0"""
    @sticking.setter
    def sticking(self, value: int) -> None: ...
    def __new__(cls, *, relative_tolerance: float = ..., absolute_tolerance: float = ..., max_iterations: int = ..., patience: int = ..., search_tolerance: float = ..., max_search: int = ..., interior_after: int = ..., sticking: int = ...) -> SapOptions: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapOptions: ...
    def __deepcopy__(self, memo: Any, /) -> SapOptions: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapCoulomb:
    """Under the convex law a sliding point separates with mu times its slip velocity. pl_sap_solve_coulomb removes this (De Saxce's correction): it lowers v_hat_n of each point of "cone" by a shift s, and repeated convex solves (rounds) bring s to mu |u_t|, where u_t is the slip velocity minus what the regularisation allows. Sliding points then neither rise nor sink. Sticking points creep by R_t gamma_t. To remove this too, friction acts on the slip minus a shift h with two components, which a round takes from R_t gamma_t of the previous one. src/sap/coulomb.c has the derivation."""

    @property
    def relative_tolerance(self) -> float:
        """default 1e-3"""
    @relative_tolerance.setter
    def relative_tolerance(self, value: float) -> None: ...
    @property
    def absolute_tolerance(self) -> float:
        """m/s; default 1e-4"""
    @absolute_tolerance.setter
    def absolute_tolerance(self, value: float) -> None: ...
    @property
    def creep_tolerance(self) -> float:
        """m/s, creep of sticking points that needs no correction; default 1e-5"""
    @creep_tolerance.setter
    def creep_tolerance(self, value: float) -> None: ...
    @property
    def creep_rounds(self) -> int:
        """number of corrections of h; default 1"""
    @creep_rounds.setter
    def creep_rounds(self, value: int) -> None: ...
    @property
    def max_rounds(self) -> int:
        """convex solves; default 60"""
    @max_rounds.setter
    def max_rounds(self, value: int) -> None: ...
    @property
    def direct_after(self) -> int:
        """rounds before Newton's method on Coulomb's law itself is tried, and again after each half as many more; after the first one where a point with friction above 2 has not converged; default 4, 0: never"""
    @direct_after.setter
    def direct_after(self, value: int) -> None: ...
    def __new__(cls, *, relative_tolerance: float = ..., absolute_tolerance: float = ..., creep_tolerance: float = ..., creep_rounds: int = ..., max_rounds: int = ..., direct_after: int = ...) -> SapCoulomb: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapCoulomb: ...
    def __deepcopy__(self, memo: Any, /) -> SapCoulomb: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapCoulombError:
    """The deviation of a point from Coulomb's law."""

    @property
    def F(self) -> float:
        """m/s: mu |u_t|"""
    @F.setter
    def F(self, value: float) -> None: ...
    @property
    def s(self) -> float:
        """m/s: |F - s| for a point that pushes; for an open one, by how much it approaches too fast"""
    @s.setter
    def s(self, value: float) -> None: ...
    @property
    def creep(self) -> float:
        """m/s: |R_t gamma_t - h|"""
    @creep.setter
    def creep(self, value: float) -> None: ...
    def __new__(cls, *, F: float = ..., s: float = ..., creep: float = ...) -> SapCoulombError: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapCoulombError: ...
    def __deepcopy__(self, memo: Any, /) -> SapCoulombError: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapCone:
    """gamma is the projection of y = (v_hat - vc) / R onto the cone |gamma_t| <= mu gamma_n, in the norm of R."""

    @property
    def mu(self) -> float:
        """friction coefficient, >= 0"""
    @mu.setter
    def mu(self, value: float) -> None: ...
    @property
    def R_t(self) -> float:
        """s/kg: regularisation of the tangent rows, > 0"""
    @R_t.setter
    def R_t(self, value: float) -> None: ...
    @property
    def R_n(self) -> float:
        """s/kg: regularisation of the normal row, > 0"""
    @R_n.setter
    def R_n(self, value: float) -> None: ...
    @property
    def v_hat_n(self) -> float:
        """m/s: normal velocity below which the point pushes"""
    @v_hat_n.setter
    def v_hat_n(self, value: float) -> None: ...
    def __new__(cls, *, mu: float = ..., R_t: float = ..., R_n: float = ..., v_hat_n: float = ...) -> SapCone: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapCone: ...
    def __deepcopy__(self, memo: Any, /) -> SapCone: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapHuntCrossley:
    """Normal impulse dt (f_e - dt k vn)+ (1 - d vn)+; friction regularised over the slip speed v_s."""

    @property
    def mu(self) -> float:
        """friction coefficient, >= 0"""
    @mu.setter
    def mu(self, value: float) -> None: ...
    @property
    def dt(self) -> float:
        """s: time step, > 0"""
    @dt.setter
    def dt(self, value: float) -> None: ...
    @property
    def k(self) -> float:
        """N/m: stiffness, >= 0"""
    @k.setter
    def k(self, value: float) -> None: ...
    @property
    def d(self) -> float:
        """s/m: dissipation, >= 0"""
    @d.setter
    def d(self, value: float) -> None: ...
    @property
    def f_e(self) -> float:
        """N: elastic force at the start of the step (-k phi; may be negative for a gap)"""
    @f_e.setter
    def f_e(self, value: float) -> None: ...
    @property
    def v_s(self) -> float:
        """m/s: slip speed that regularises friction, > 0"""
    @v_s.setter
    def v_s(self, value: float) -> None: ...
    def __new__(cls, *, mu: float = ..., dt: float = ..., k: float = ..., d: float = ..., f_e: float = ..., v_s: float = ...) -> SapHuntCrossley: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapHuntCrossley: ...
    def __deepcopy__(self, memo: Any, /) -> SapHuntCrossley: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapRow:
    """One scalar row of a bilateral, unilateral or bounded constraint. lower and upper are read by "bounded" alone."""

    @property
    def v_hat(self) -> float:
        """(unit of the row)/s: velocity at which the impulse vanishes"""
    @v_hat.setter
    def v_hat(self, value: float) -> None: ...
    @property
    def R(self) -> float:
        """regularisation, > 0"""
    @R.setter
    def R(self, value: float) -> None: ...
    @property
    def lower(self) -> float:
        """bounds of the impulse, lower <= upper, infinite allowed"""
    @lower.setter
    def lower(self, value: float) -> None: ...
    @property
    def upper(self) -> float:
        """bounds of the impulse, lower <= upper, infinite allowed"""
    @upper.setter
    def upper(self, value: float) -> None: ...
    def __new__(cls, *, v_hat: float = ..., R: float = ..., lower: float = ..., upper: float = ...) -> SapRow: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapRow: ...
    def __deepcopy__(self, memo: Any, /) -> SapRow: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class SapActuator:
    """gamma = dt clamp(u0 - (dt kp + kd) vc, lower, upper)."""

    @property
    def dt(self) -> float:
        """s, > 0"""
    @dt.setter
    def dt(self, value: float) -> None: ...
    @property
    def kp(self) -> float:
        """gains, >= 0, not both zero"""
    @kp.setter
    def kp(self, value: float) -> None: ...
    @property
    def kd(self) -> float:
        """gains, >= 0, not both zero"""
    @kd.setter
    def kd(self, value: float) -> None: ...
    @property
    def u0(self) -> float:
        """N or N m: effort at vc = 0: kp (q_d - q0) + kd v_d + feed-forward"""
    @u0.setter
    def u0(self, value: float) -> None: ...
    @property
    def lower(self) -> float:
        """N or N m: limits of the effort, lower <= upper, infinite allowed"""
    @lower.setter
    def lower(self, value: float) -> None: ...
    @property
    def upper(self) -> float:
        """N or N m: limits of the effort, lower <= upper, infinite allowed"""
    @upper.setter
    def upper(self, value: float) -> None: ...
    def __new__(cls, *, dt: float = ..., kp: float = ..., kd: float = ..., u0: float = ..., lower: float = ..., upper: float = ...) -> SapActuator: ...
    def asdict(self) -> dict[str, Any]: ...
    def __copy__(self) -> SapActuator: ...
    def __deepcopy__(self, memo: Any, /) -> SapActuator: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]


@final
class Mesh:
    """Tetrahedra, a triangle surface, or both over the same vertices."""

    def __new__(cls, vertices: _FloatsLike, tets: npt.ArrayLike | None = None, triangles: npt.ArrayLike | None = None) -> Mesh: ...
    @property
    def vertices(self) -> _Floats: ...
    @property
    def tets(self) -> _Ints: ...
    @property
    def triangles(self) -> _Ints: ...
    @property
    def kept(self) -> float: ...
    @property
    def by_corners(self) -> int: ...
    def check(self) -> MeshReport: ...
    def findings(self) -> list[str]: ...
    def repair(self) -> str: ...
    def boundary(self) -> Mesh: ...
    def transform(self, scale: float | _FloatsLike = 1.0, pose: _FloatsLike | None = None) -> Mesh: ...
    def save(self, path: _Path, /) -> None: ...
    def tetrahedralize(self, edge: float, max_tets: int = 0) -> Mesh: ...
    def __copy__(self) -> Mesh: ...
    def __deepcopy__(self, memo: Any, /) -> Mesh: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def mesh_box(size: _FloatsLike, edge: float) -> Mesh: ...
def mesh_box_cells(size: _FloatsLike, nx: int, ny: int, nz: int) -> Mesh: ...
def mesh_sphere(radius: float, edge: float) -> Mesh: ...
def mesh_ellipsoid(semi_axes: _FloatsLike, edge: float) -> Mesh: ...
def mesh_half_ellipsoid(semi_axes: _FloatsLike, edge: float) -> Mesh: ...
def mesh_cylinder(radius: float, length: float, edge: float) -> Mesh: ...
def mesh_capsule(radius: float, length: float, edge: float) -> Mesh: ...
def mesh_torus(major_radius: float, minor_radius: float, edge: float) -> Mesh: ...
def mesh_load(path: _Path, max_bytes: int = 0) -> Mesh: ...
def mesh_parse(name: str, data: bytes, /) -> Mesh: ...

@final
class Spec:
    """What is to be simulated: definitions, added one by one, then compiled."""

    def __new__(cls, options: Options | Mapping[str, Any] | None = None) -> Spec: ...
    @property
    def options(self) -> Options: ...
    @options.setter
    def options(self, value: Options | Mapping[str, Any]) -> None: ...
    def add_deformable(self, *, name: str = ..., mesh: Mesh = ..., pose: _FloatsLike = ..., material: Material | Mapping[str, Any] = ..., surface: Surface | Mapping[str, Any] = ..., velocity: _FloatsLike = ..., angular_velocity: _FloatsLike = ..., plane_strain: bool = ..., self_contact: bool = ..., kind: Literal["linear", "linear_corotated", "corotated", "saint_venant_kirchhoff", "neo_hookean", "mooney_rivlin", "fixed_corotated"] = ..., young: float = ..., poisson: float = ..., lame_lambda: float = ..., lame_mu: float = ..., c1: float = ..., c2: float = ..., bulk: float = ..., density: float = ..., damping_mass: float = ..., damping_stiffness: float = ..., volumetric: Literal["element", "patch"] = ..., element: Literal["tet4", "tet4_smoothed", "tet10"] = ..., mass: Literal["consistent", "lumped"] = ..., rotation: Literal["consistent", "lagged"] = ..., friction: float = ..., contact_stiffness: float = ..., relaxation_time: float = ..., dissipation: float = ..., surface_velocity: _FloatsLike = ..., mesh_compliance: bool = ...) -> int:
        """Adds a deformable body; returns its index."""

    def add_fix(self, *, deformable: int | str = ..., region: _RegionLike = ..., components: int = ..., time: _FloatsLike = ..., offset: _FloatsLike = ...) -> None:
        """Adds vertices whose motion is given: held, or moved by a table."""

    def add_load(self, *, deformable: int | str = ..., region: _RegionLike = ..., kind: Literal["vertex", "force_density", "traction", "pressure"] = ..., vector: _FloatsLike = ..., pressure: float = ..., time: _FloatsLike = ..., factor: _FloatsLike = ...) -> None:
        """Adds a load on a deformable body."""

    def add_attachment(self, *, name: str = ..., deformable: int | str = ..., region: _RegionLike = ..., body: int | str = ..., other: int | str = ..., stiffness: float = ..., relaxation_time: float = ..., exact: bool = ..., off: bool = ...) -> int:
        """Adds vertices that move with another body, or stay; returns the index."""

    def add_shape(self, *, name: str = ..., body: int | str = ..., pose: _FloatsLike = ..., kind: Literal["half_space", "sphere", "box", "capsule", "cylinder", "ellipsoid", "mesh"] = ..., size: _FloatsLike = ..., radius: float = ..., length: float = ..., mesh: Mesh = ..., convex: bool = ..., surface: Surface | Mapping[str, Any] = ..., collide: bool = ..., colour: _FloatsLike = ..., friction: float = ..., contact_stiffness: float = ..., relaxation_time: float = ..., dissipation: float = ..., surface_velocity: _FloatsLike = ..., mesh_compliance: bool = ...) -> int:
        """Adds a rigid shape for contact and drawing; returns its index."""

    def add_body(self, *, name: str = ..., mass: float = ..., com: _FloatsLike = ..., inertia: _FloatsLike = ..., gravity: float = ..., pose: _FloatsLike = ..., velocity: _FloatsLike = ..., angular_velocity: _FloatsLike = ...) -> int:
        """Adds a rigid body; returns its index. inertia: 3 moments, 6 numbers or a symmetric 3 x 3 matrix."""

    def add_joint(self, *, name: str = ..., kind: Literal["fixed", "revolute", "continuous", "prismatic", "screw", "universal", "ball", "planar", "free"] = ..., parent: int | str = ..., child: int | str = ..., pose: _FloatsLike = ..., child_pose: _FloatsLike = ..., axis: _FloatsLike = ..., axis2: _FloatsLike = ..., pitch: float = ..., dof: Sequence[Dof | Mapping[str, Any]] = ..., position: _FloatsLike = ..., velocity: _FloatsLike = ..., locked: bool = ..., lower: float = ..., upper: float = ..., effort: float = ..., force_lower: float = ..., force_upper: float = ..., speed: float = ..., damping: float = ..., friction: float = ..., stiffness: float = ..., rest: float = ..., armature: float = ..., rotor_inertia: float = ..., gear_ratio: float = ...) -> int:
        """Adds a joint; returns its index."""

    def add_actuator(self, *, name: str = ..., kind: Literal["motor", "position", "velocity", "pd", "affine"] = ..., joint: int | str = ..., dof: int = ..., tendon: Sequence[int | str] = ..., coefficient: _FloatsLike = ..., site: Sequence[int] | _Ints = ..., wrench: _FloatsLike = ..., kp: float = ..., kd: float = ..., gain: float = ..., bias: _FloatsLike = ..., gear: float = ..., effort: float = ..., force_lower: float = ..., force_upper: float = ..., lower: float = ..., upper: float = ..., input: _FloatsLike = ..., has_input: bool = ..., off: bool = ..., spring: bool = ..., time: _FloatsLike = ..., value: _FloatsLike = ..., interpolation: Literal["linear", "cubic"] = ..., zero_velocity: bool = ...) -> int:
        """Adds an actuator; returns its index."""

    def add_constraint(self, *, name: str = ..., kind: Literal["ball", "weld", "distance", "coupler", "tendon", "motion"] = ..., a: int | str = ..., b: int | str = ..., pose_a: _FloatsLike = ..., pose_b: _FloatsLike = ..., length: float = ..., ratio: float = ..., offset: float = ..., joint: Sequence[int | str] = ..., coefficient: _FloatsLike = ..., lower: float = ..., upper: float = ..., stiffness: float = ..., damping: float = ..., off: bool = ..., time: _FloatsLike = ..., value: _FloatsLike = ..., interpolation: Literal["linear", "cubic"] = ..., amplitude: float = ..., frequency: float = ..., phase: float = ...) -> int:
        """Adds a constraint between bodies or joints; returns its index."""

    def add_site(self, *, name: str = ..., body: int | str = ..., pose: _FloatsLike = ...) -> int:
        """Adds a named frame on a rigid body or in the world; returns its index."""

    def add_sensor(self, *, name: str = ..., kind: Literal["joint_position", "joint_velocity", "joint_effort", "actuator_force", "position", "orientation", "pose", "velocity", "wrench", "force", "torque", "gyro", "accelerometer", "imu", "contact", "touch", "volume", "taxels", "markers", "depth", "rgb", "segmentation"] = ..., on: str = ..., other: str = ..., pose: _FloatsLike = ..., rate: float = ..., delay: float = ..., noise: float | _FloatsLike = ..., seed: int = ..., region: _RegionLike = ..., size: _FloatsLike = ..., cells: _FloatsLike = ..., mount: str = ..., point: _FloatsLike = ..., cavity: bool = ..., width: int = ..., height: int = ..., focal: _FloatsLike = ..., centre: _FloatsLike = ..., near: float = ..., far: float = ..., range: bool = ..., shadows: bool = ..., hide: str = ...) -> int:
        """Adds a sensor; returns its index."""

    def add_robot(self, *, file: str = ..., name: str = ..., pose: _FloatsLike = ..., parent: str = ..., base: Literal["file", "weld", "free"] = ..., gravity: float = ..., friction: Literal["file", "ignore", "value"] = ..., joint_friction: float = ..., keyframe: str = ..., inertia: Literal["file", "shapes"] = ..., density: float = ..., take_timestep: bool = ..., take_gravity: bool = ..., meshes: Literal["convex", "exact"] = ..., overlaps: Literal["exclude", "keep"] = ..., strict: bool = ..., search: Sequence[str] = ..., missing_meshes: bool = ..., max_tets: int = ..., text: str = ...) -> list[str]:
        """Adds all bodies, joints, actuators and shapes of a robot file (URDF, SDFormat, MJCF)."""

    def set_recording(self, *, file: str = ..., csv: str = ..., signals: str = ..., rate: float = ..., every: int = ...) -> None:
        """What the command writes while it simulates the scene."""

    def set_joint_start(self, joint: _Which, position: _FloatsLike, velocity: _FloatsLike | None = None) -> None: ...
    def set_joint_locked(self, joint: _Which, locked: bool, /) -> None: ...
    def set_surface(self, shape: _Which, /, **members: Any) -> None: ...
    def set_actuator(self, actuator: _Which, /, **members: Any) -> None: ...
    def exclude(self, a: str, b: str, /) -> None: ...
    def bodies(self) -> list[dict[str, Any]]: ...
    def joints(self) -> list[dict[str, Any]]: ...
    def actuators(self) -> list[dict[str, Any]]: ...
    def constraints(self) -> list[dict[str, Any]]: ...
    def shapes(self) -> list[dict[str, Any]]: ...
    def deformables(self) -> list[dict[str, Any]]: ...
    def sensors(self) -> list[dict[str, Any]]: ...
    def recording(self) -> dict[str, Any]: ...
    def body_pose(self, body: _Which, /) -> _Floats: ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: bytes, /) -> Spec: ...
    def compile(self) -> Model: ...
    def __copy__(self) -> Spec: ...
    def __deepcopy__(self, memo: Any, /) -> Spec: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def read_scene(
    path: _Path,
    text: str | None = None,
    folder: _Path = "",
    set: Mapping[str, str] | None = None,
    search: Sequence[_Path] | None = None,
    strict: bool = False,
    missing_meshes: bool = False,
    max_tets: int = 0,
    max_mesh_bytes: int = 0,
) -> tuple[Spec, list[str]]: ...

@final
class Model:
    """A compiled, constant model; any number of Data share it. pliant.load and Spec.compile make one."""

    @property
    def options(self) -> Options: ...
    @property
    def spec_bytes(self) -> bytes: ...
    @property
    def nq(self) -> int:
        """Generalised positions."""
    @property
    def nv(self) -> int:
        """Generalised velocities."""
    @property
    def nu(self) -> int:
        """Actuator inputs."""
    @property
    def ndeform(self) -> int:
        """Deformable bodies."""
    @property
    def nvert(self) -> int:
        """Vertices of all deformables together."""
    @property
    def ntet(self) -> int:
        """Tetrahedra of all deformables together."""
    @property
    def ntri(self) -> int:
        """Boundary triangles of all deformables together."""
    @property
    def nfix(self) -> int:
        """Groups of vertices whose motion is prescribed (plFixDef)."""
    @property
    def nshape(self) -> int:
        """Rigid shapes."""
    @property
    def deform_name(self) -> tuple[str, ...]:
        """of length ndeform."""
    @property
    def deform_vert0(self) -> _Ints:
        """int32 (ndeform + 1,), read-only: first vertex."""
    @property
    def deform_tet0(self) -> _Ints:
        """int32 (ndeform + 1,), read-only: first tetrahedron."""
    @property
    def deform_tri0(self) -> _Ints:
        """int32 (ndeform + 1,), read-only: first boundary triangle."""
    @property
    def deform_q0(self) -> _Ints:
        """int32 (ndeform,), read-only: first position in q; vertex i of body b is at q + deform_q0[b] + 3 i."""
    @property
    def deform_v0(self) -> _Ints:
        """int32 (ndeform,), read-only: first velocity in v."""
    @property
    def deform_volume(self) -> _Floats:
        """float64 (ndeform,), read-only: m^3 at rest."""
    @property
    def deform_plane(self) -> _Ints:
        """int32 (ndeform,), read-only: 1 for plane strain, else 0."""
    @property
    def deform_self(self) -> _Ints:
        """int32 (ndeform,), read-only: 1 if contact with itself is on, else 0."""
    @property
    def vert_rest(self) -> _Floats:
        """float64 (nvert, 3), read-only: m, the undeformed mesh in the body's frame."""
    @property
    def vert_number(self) -> _Ints:
        """int32 (nvert,), read-only: index of the vertex in scene files and signals: that in the mesh file of its body."""
    @property
    def vert_volume(self) -> _Floats:
        """float64 (nvert,), read-only: m^3, row sums of the mass matrix for density 1 (negative at the corners of quadratic tetrahedra)."""
    @property
    def vert_fixed(self) -> _Ints:
        """int32 (nvert,), read-only: bits PL_FIX_X, PL_FIX_Y, PL_FIX_Z of the components whose motion is prescribed."""
    @property
    def vert_fix(self) -> _Ints:
        """int32 (nvert,), read-only: group that prescribes it, or -1."""
    @property
    def tet_vert(self) -> _Ints:
        """int32 (ntet, 4), read-only: vertex ids, counted from the first vertex of the model."""
    @property
    def tet_volume(self) -> _Floats:
        """float64 (ntet,), read-only: m^3 at rest."""
    @property
    def tet_grad(self) -> _Floats:
        """float64 (ntet, 12), read-only: gradients of the four linear shape functions at rest, 3 each (1/m)."""
    @property
    def tet_mid(self) -> _Ints:
        """int32 (ntet, 6), read-only: for quadratic tetrahedra the vertices in the middle of edges 01 02 03 12 13 23; else -1."""
    @property
    def tet_patch(self) -> _Ints:
        """int32 (ntet,), read-only: first tetrahedron of the patch over which volume changes are averaged; -1 for none."""
    @property
    def tet_patch_volume(self) -> _Floats:
        """float64 (ntet,), read-only: m^3, volume of that patch; 0 for none."""
    @property
    def tri_vert(self) -> _Ints:
        """int32 (ntri, 3), read-only: vertex ids, counterclockwise seen from outside."""
    @property
    def tri_tet(self) -> _Ints:
        """int32 (ntri,), read-only: the tetrahedron that the triangle is a face of."""
    @property
    def fix_knot0(self) -> _Ints:
        """int32 (nfix + 1,), read-only: first knot."""
    @property
    def knot_time(self) -> _Floats:
        """float64 (fix_knot0[nfix],), read-only: s, time of each knot."""
    @property
    def knot_offset(self) -> _Floats:
        """float64 (fix_knot0[nfix], 3), read-only: m, displacement at each knot."""
    @property
    def nattach(self) -> int:
        """Attachments, see plAttachDef."""
    @property
    def attach_name(self) -> tuple[str, ...]:
        """of length nattach."""
    @property
    def attach_deform(self) -> _Ints:
        """int32 (nattach,), read-only: deformable body."""
    @property
    def attach_body(self) -> _Ints:
        """int32 (nattach,), read-only: rigid body; -1 for the world."""
    @property
    def attach_other(self) -> _Ints:
        """int32 (nattach,), read-only: deformable that holds the vertices instead of a rigid body; -1 for none."""
    @property
    def attach_vert0(self) -> _Ints:
        """int32 (nattach + 1,), read-only: first entry in attach_vert."""
    @property
    def attach_vert(self) -> _Ints:
        """int32 (attach_vert0[nattach],), read-only: vertices, counted from the first vertex of their deformable."""
    @property
    def attach_exact(self) -> _Bools:
        """bool (nattach,), read-only: True if the vertices follow rigidly, without compliance."""
    @property
    def attach_off(self) -> _Bools:
        """bool (nattach,), read-only: True if it is off at the start."""
    @property
    def shape_name(self) -> tuple[str, ...]:
        """of length nshape."""
    @property
    def shape_body(self) -> _Ints:
        """int32 (nshape,), read-only: rigid body that carries the shape; -1 for the world."""
    @property
    def shape_kind(self) -> tuple[str, ...]:
        """of length nshape."""
    @property
    def shape_pose(self) -> _Floats:
        """float64 (nshape, 7), read-only: pose of the shape in the body's frame."""
    @property
    def shape_size(self) -> _Floats:
        """float64 (nshape, 3), read-only: m, dimensions as plShapeKind defines them."""
    @property
    def shape_radius(self) -> _Floats:
        """float64 (nshape,), read-only: m."""
    @property
    def shape_length(self) -> _Floats:
        """float64 (nshape,), read-only: m."""
    @property
    def shape_mesh(self) -> tuple[Mesh | None, ...]:
        """of length nshape: None unless "mesh"."""
    @property
    def shape_convex(self) -> _Bools:
        """bool (nshape,), read-only: True if the convex hull of the mesh is used for contact."""
    @property
    def shape_collide(self) -> _Bools:
        """bool (nshape,), read-only: True if the shape takes part in contact."""
    @property
    def shape_colour(self) -> _Floats:
        """float64 (nshape, 3), read-only: red, green, blue in [0, 1]."""
    @property
    def nbody(self) -> int:
        """Rigid bodies."""
    @property
    def njoint(self) -> int:
        """Joints; a body without a joint gets a free joint with the body's name."""
    @property
    def nact(self) -> int:
        """Actuators."""
    @property
    def ntree(self) -> int:
        """Kinematic trees: groups of bodies connected by joints, not counting connections through the world."""
    @property
    def nconstraint(self) -> int:
        """Constraints between bodies or joints."""
    @property
    def nexclude(self) -> int:
        """Pairs of bodies without contact."""
    @property
    def nq_rigid(self) -> int:
        """The part of nq and nv that belongs to rigid bodies."""
    @property
    def nv_rigid(self) -> int:
        """The part of nq and nv that belongs to rigid bodies."""
    @property
    def body_name(self) -> tuple[str, ...]:
        """of length nbody."""
    @property
    def body_parent(self) -> _Ints:
        """int32 (nbody,), read-only: parent body; -1 for the world."""
    @property
    def body_node(self) -> _Ints:
        """int32 (nbody,), read-only: moving frame that carries the body; -1 if it is fixed in the world."""
    @property
    def body_pose(self) -> _Floats:
        """float64 (nbody, 7), read-only: pose in that frame (or in the world)."""
    @property
    def joint_name(self) -> tuple[str, ...]:
        """of length njoint."""
    @property
    def joint_kind(self) -> tuple[str, ...]:
        """of length njoint."""
    @property
    def joint_parent(self) -> _Ints:
        """int32 (njoint,), read-only: parent body; -1 for the world."""
    @property
    def joint_child(self) -> _Ints:
        """int32 (njoint,), read-only: child body."""
    @property
    def joint_q0(self) -> _Ints:
        """int32 (njoint,), read-only: first position in q."""
    @property
    def joint_v0(self) -> _Ints:
        """int32 (njoint,), read-only: first velocity in v."""
    @property
    def dof_joint(self) -> _Ints:
        """int32 (nv_rigid,), read-only: joint of each degree of freedom."""
    @property
    def dof_q(self) -> _Ints:
        """int32 (nv_rigid,), read-only: index in q of its position; -1 in ball and free joints."""
    @property
    def dof_effort(self) -> _Floats:
        """float64 (nv_rigid,), read-only: N or Nm, effort limit of the actuators; may be infinite."""
    @property
    def dof_force_lower(self) -> _Floats:
        """float64 (nv_rigid,), read-only: N or Nm, limits of the sum of all actuators, within dof_effort; may be infinite."""
    @property
    def dof_force_upper(self) -> _Floats:
        """float64 (nv_rigid,), read-only."""
    @property
    def dof_speed(self) -> _Floats:
        """float64 (nv_rigid,), read-only: m/s or rad/s, speed limit that the robot's file states; it is not enforced."""
    @property
    def dof_locked(self) -> _Bools:
        """bool (nv_rigid,), read-only: True if it cannot move."""
    @property
    def tree_v0(self) -> _Ints:
        """int32 (ntree + 1,), read-only: first velocity."""
    @property
    def act_name(self) -> tuple[str, ...]:
        """of length nact."""
    @property
    def act_kind(self) -> tuple[str, ...]:
        """of length nact."""
    @property
    def act_dof(self) -> _Ints:
        """int32 (nact,), read-only: degree of freedom that it drives; the first one of a tendon."""
    @property
    def act_term0(self) -> _Ints:
        """int32 (nact + 1,), read-only: first entry in act_term."""
    @property
    def act_term(self) -> _Ints:
        """int32 (act_term0[nact],), read-only: degrees of freedom that it drives."""
    @property
    def act_coefficient(self) -> _Floats:
        """float64 (act_term0[nact],), read-only: the actuator's coordinate is the sum of coefficient * q; on each degree of freedom acts coefficient * force; 0 for actuators on sites, whose coefficients change with the state."""
    @property
    def act_site0(self) -> _Ints:
        """int32 (nact + 1,), read-only: first entry in act_site."""
    @property
    def act_site(self) -> _Ints:
        """int32 (act_site0[nact],), read-only: the one site on which it acts, or those that its cable runs through."""
    @property
    def act_wrench(self) -> _Floats:
        """float64 (nact, 6), read-only: N and Nm, force and moment at the one site for f = 1."""
    @property
    def act_u0(self) -> _Ints:
        """int32 (nact,), read-only: first input in u."""
    @property
    def act_gear(self) -> _Floats:
        """float64 (nact,), read-only: factor of the coordinate and of the force in the actuator's law."""
    @property
    def act_off(self) -> _Bools:
        """bool (nact,), read-only: True if it is off at the start."""
    @property
    def act_zero_velocity(self) -> _Bools:
        """bool (nact,), read-only: True if the desired velocity of a table is 0 instead of the table's derivative."""
    @property
    def act_knot0(self) -> _Ints:
        """int32 (nact + 1,), read-only: first knot of the table for u."""
    @property
    def act_time(self) -> _Floats:
        """float64 (act_knot0[nact],), read-only: s, times of the knots."""
    @property
    def act_value(self) -> _Floats:
        """float64 (act_knot0[nact],), read-only: u at these times."""
    @property
    def act_slope(self) -> _Floats:
        """float64 (act_knot0[nact],), read-only: 1/s, slope at each knot of a cubic table."""
    @property
    def act_interpolation(self) -> tuple[str, ...]:
        """of length nact."""
    @property
    def exclude(self) -> _Ints:
        """int32 (nexclude, 4), read-only: pairs of rigid bodies, deformables or the world."""
    @property
    def start_u(self) -> _Floats:
        """float64 (nu,), read-only: inputs at the start."""
    @property
    def nsite(self) -> int:
        """Named frames."""
    @property
    def site_name(self) -> tuple[str, ...]:
        """of length nsite."""
    @property
    def site_body(self) -> _Ints:
        """int32 (nsite,), read-only: rigid body; -1 for the world."""
    @property
    def site_pose(self) -> _Floats:
        """float64 (nsite, 7), read-only: pose in the body's frame."""
    @property
    def nsensor(self) -> int:
        """Sensors."""
    @property
    def start_q(self) -> _Floats:
        """float64 (nq,), read-only: positions."""
    @property
    def start_v(self) -> _Floats:
        """float64 (nv,), read-only: velocities."""
    @property
    def hash(self) -> int:
        """Identifies the structure and the initial state, without par; a saved state can be loaded into models of the same hash."""
    def find(self, kind: str, name: _Which, /) -> int: ...
    def names(self, kind: str, /) -> list[str]: ...
    def find_part(self, name: str, /) -> tuple[int, int]: ...
    def find_side(self, name: _SideLike, /) -> Side: ...
    def side_name(self, side: Side | np.void, /) -> str: ...
    def covers(self, side: _SideLike, of: _SideLike, /) -> bool: ...
    def parameter_paths(self) -> list[str]: ...
    def parameter_info(self, path: _Which, /) -> dict[str, Any]: ...
    def sensors(self) -> list[dict[str, Any]]: ...
    def find_sensor(self, name: _Which, /) -> int: ...
    def info(self, json: bool = False) -> str: ...
    def switch_count(self, kind: str, /) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any, /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def model_from_bytes(data: bytes, /) -> Model: ...

@disjoint_base
class Data:
    """One simulation: its state, and what the last step wrote."""

    def __new__(cls, model: Model) -> Self: ...
    @property
    def time(self) -> float: ...
    @time.setter
    def time(self, value: float) -> None: ...
    @property
    def model(self) -> Model: ...
    @property
    def report(self) -> Report: ...
    @property
    def contacts(self) -> _Rows: ...
    @property
    def impulses(self) -> _Rows: ...
    @property
    def is_replay(self) -> bool: ...
    @property
    def q(self) -> _Floats:
        """float64 (nq,), live, may be written: positions; for deformables the vertices' world coordinates (m)."""
    @q.setter
    def q(self, value: _FloatsLike) -> None: ...
    @property
    def v(self) -> _Floats:
        """float64 (nv,), live, may be written: velocities (m/s, rad/s)."""
    @v.setter
    def v(self, value: _FloatsLike) -> None: ...
    @property
    def u(self) -> _Floats:
        """float64 (nu,), live, may be written: inputs of the actuators."""
    @u.setter
    def u(self, value: _FloatsLike) -> None: ...
    @property
    def f_user(self) -> _Floats:
        """float64 (nv,), live, may be written: generalised forces of the user (N, Nm); they stay until changed."""
    @f_user.setter
    def f_user(self, value: _FloatsLike) -> None: ...
    @property
    def f_body(self) -> _Floats:
        """float64 (nbody, 6), live, may be written: forces of the user on rigid bodies, at the origin of each body's frame, world axes (N, Nm); they stay until changed."""
    @f_body.setter
    def f_body(self, value: _FloatsLike) -> None: ...
    @property
    def v_star(self) -> _Floats:
        """float64 (nv,), live: free-motion velocities."""
    @property
    def energy(self) -> _Floats:
        """float64 (ndeform,), live: J, kinetic and elastic energy of each body at the end of the step; None in a replay."""
    @property
    def energy_gain(self) -> _Floats:
        """float64 (ndeform,), live: J, growth of that energy beyond the work done on the body (see plReport.energy_gain); None in a replay."""
    @property
    def f_constraint(self) -> _Floats:
        """float64 (nv,), live: generalised forces of all constraints (N, Nm), mean over the step."""
    @property
    def tet_pi(self) -> _Floats:
        """float64 (ntet,), live: pressure of the patch that the tetrahedron belongs to (Pa, tension is positive); 0 without patches."""
    @property
    def actuator_force(self) -> _Floats:
        """float64 (nact,), live: N or Nm, force of each actuator at its joint, mean over the step ADVANCE."""
    def advance(self, time: float, accuracy: float = 0.0) -> dict[str, Any]: ...
    def step(self, n: int = 1, /) -> None: ...
    def reset(self) -> None: ...
    def restart_sensors(self, seed: int = 0) -> None: ...
    def refresh(self) -> None: ...
    def clear_forces(self) -> None: ...
    def copy_from(self, other: Data, /) -> None: ...
    def describe_start(self) -> list[str]: ...
    def signal(self, name: str, /) -> Any: ...
    def get_state(self) -> bytes: ...
    def set_state(self, state: bytes, /) -> None: ...
    def get_hash(self) -> int: ...
    def get_parameter_hash(self) -> int: ...
    def save_state(self, path: _Path, /) -> None: ...
    def load_state(self, path: _Path, /) -> None: ...
    def get_parameter(self, path: _Which, /) -> float: ...
    def set_parameter(self, path: _Which, value: float, /) -> None: ...
    def get_parameters(self) -> _Floats: ...
    def set_parameters(self, values: _FloatsLike, /) -> None: ...
    def reset_parameters(self) -> None: ...
    def override_parameters(self, plain: Model, options: Sequence[str] = (), /) -> int: ...
    def get_options(self) -> Options: ...
    def set_options(self, options: Options | Mapping[str, Any], /) -> None: ...
    def switches(self, kind: str, /) -> _Bools: ...
    def set_switch(self, kind: str, which: _Which, on: bool, /) -> None: ...
    def attach(self, deformable: _Which, vertices: Sequence[int] | npt.NDArray[np.integer[Any]], to: _SideLike = None) -> int: ...
    def set_attachment(self, which: _Which, on: bool, /) -> None: ...
    def get_attachments(self) -> list[dict[str, Any]]: ...
    def attachment_force(self, which: _Which, /) -> tuple[_Floats, _Floats, _Floats]: ...
    def deformable_state(self, which: _Which, /) -> BodyState: ...
    def deformable_mass(self, which: _Which, /) -> float: ...
    def element_state(self, tet: int, /) -> ElementState: ...
    def vertex_state(self, vertex: int, /) -> ElementState: ...
    def field(self, deformable: _Which, name: str, at: str = "vertices") -> _Floats: ...
    def energy_budget(self, which: _Which, /) -> EnergyBudget: ...
    def contact_pair(self, a: _SideLike, b: _SideLike = None, /) -> ContactPair: ...
    def contact_field(self, name: str, /) -> _Floats: ...
    def joint_wrenches(self) -> tuple[_Floats, _Floats]: ...
    def limit_force(self, dof: _Which, /) -> float: ...
    def friction_force(self, dof: _Which, /) -> float: ...
    def motor_force(self, dof: _Which, /) -> float: ...
    def constraint_force(self, which: _Which, /) -> tuple[_Floats, _Floats, float]: ...
    def rigid_pose(self, which: _Which, /) -> _Floats: ...
    def rigid_state(self, which: _Which, /) -> RigidState: ...
    def sensor(self, which: _Which, /) -> _Floats: ...
    def sensor_values(self, which: _Which, /) -> npt.NDArray[Any]: ...
    def measure(self, which: _Which, /) -> _Floats: ...
    def sensor_time(self, which: _Which, /) -> float: ...
    def site_state(self, which: _Which, /) -> SiteState: ...
    def poses(self) -> _Floats: ...
    def shape_poses(self) -> _Floats: ...
    def rigid_totals(self) -> RigidTotals: ...
    def mass_matrix(self) -> _Floats: ...
    def bias(self) -> _Floats: ...
    def gravity_forces(self) -> _Floats: ...
    def inverse_dynamics(self, vdot: _FloatsLike, /) -> _Floats: ...
    def forward_dynamics(self, tau: _FloatsLike, /) -> _Floats: ...
    def jacobian(self, body: _Which, point: _FloatsLike | None = None) -> _Floats: ...
    def ik(self, body: _Which, /, *, point: _FloatsLike = ..., goal: Literal["pose", "position", "velocity"] = ..., target: _FloatsLike = ..., velocity: _FloatsLike = ..., angular_velocity: _FloatsLike = ..., time: float = ..., damping: float = ..., length: float = ..., speed: float = ..., rest_gain: float = ..., move: Sequence[int | str] | _Bools = ..., rest: _FloatsLike = ...) -> _Floats:
        """Joint rates (nv_rigid,) that make a point of a body follow a target."""

    def add_force(self, body: _Which, force: _FloatsLike | None = None, point: _FloatsLike | None = None, moment: _FloatsLike | None = None) -> None: ...

def register_data(cls: type[Data], /) -> None: ...

@final
class Signals:
    """Numbers by name, separated by commas (docs/scene.md), looked up once and read from any simulation of the model."""

    def __new__(cls, model: Model, names: str) -> Self: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def units(self) -> tuple[str, ...]: ...
    def eval(self, data: Data, /) -> _Floats: ...
    def __len__(self) -> int: ...

def signals_help() -> str: ...

@disjoint_base
class Batch:
    """Many simulations of one model, stepped by all processors."""

    def __new__(cls, model: Model, rows: int, threads: int = 0) -> Self: ...
    @property
    def model(self) -> Model: ...
    @property
    def rows(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def q(self) -> _Floats: ...
    @property
    def v(self) -> _Floats: ...
    @property
    def u(self) -> _Floats: ...
    @property
    def f_user(self) -> _Floats: ...
    @property
    def status(self) -> _Ints: ...
    @property
    def steps(self) -> _Ints: ...
    @property
    def cost(self) -> _Floats: ...
    def step(self, n: int = 1, rows: npt.ArrayLike | None = None) -> None: ...
    def rollout(self, view: int, u: npt.ArrayLike | None = None, n: int = 0, nstep: int = 1, rows: npt.ArrayLike | None = None) -> _Floats: ...
    def error(self, row: int, /) -> str: ...
    def add_view(self, signals: str, /) -> tuple[int, _Floats, tuple[str, ...], tuple[str, ...]]: ...
    def look(self, rows: npt.ArrayLike | None = None) -> None: ...
    def restart_sensors(self, seeds: npt.ArrayLike | None = None, rows: npt.ArrayLike | None = None) -> None: ...
    def reset(self, rows: npt.ArrayLike | None = None) -> None: ...
    def copy_row(self, source: int, rows: npt.ArrayLike | None = None) -> None: ...
    def set(self, data: Data, rows: npt.ArrayLike | None = None) -> None: ...
    def get(self, row: int, data: Data, /) -> None: ...
    def get_state(self, row: int, /) -> bytes: ...
    def set_state(self, state: bytes, rows: npt.ArrayLike | None = None) -> None: ...
    def ik_rates(
        self,
        body: _Which,
        targets: _FloatsLike,
        time: float = 0.01,
        speed: float = 1.5,
        joints: Sequence[_Which] | None = None,
        damping: float = 0.02,
        point: _FloatsLike | None = None,
        rows: npt.ArrayLike | None = None,
    ) -> _Floats: ...
    def vary(self, path: str, values: _FloatsLike, rows: npt.ArrayLike | None = None) -> None: ...
    def parameter(self, path: str, /) -> _Floats: ...
    def reset_parameters(self, rows: npt.ArrayLike | None = None) -> None: ...

@final
class Recording:
    """The model once, then one frame per write; a file that ends anywhere is readable up to its last whole frame."""

    def __new__(cls, path: _Path, model: Model) -> Recording: ...
    @classmethod
    def resume(cls, path: _Path, data: Data, /) -> Recording: ...
    @property
    def closed(self) -> bool: ...
    def write(self, data: Data, /) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /) -> None: ...

@final
class Csv:
    """A table of signals, one line per write; without signals a table of contact points."""

    def __new__(cls, path: _Path, model: Model | None = None, signals: str | None = None) -> Csv: ...
    @property
    def closed(self) -> bool: ...
    def write(self, data: Data, /) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /) -> None: ...

@final
class Series:
    """VTU files and the PVD collection that plays them in ParaView."""

    def __new__(cls, folder: _Path, model: Model) -> Series: ...
    @property
    def closed(self) -> bool: ...
    def write(self, data: Data, /) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /) -> None: ...

def save_surface(data: Data, path: _Path, /) -> None: ...
def picture(data: Data, options: PictureOptions, path: _Path | None = None, /) -> Any: ...
def sensor_sheet(data: Data, path: _Path, /) -> None: ...
def gif(path: _Path, pictures: list[bytes], width: int, height: int, seconds: float, /) -> None: ...
def picture_include(data: Data, options: PictureOptions, /) -> None: ...

@final
class Replay:
    """A recording: len(replay) frames; replay[i] shows one."""

    def __new__(cls, path: _Path) -> Self: ...
    @property
    def info(self) -> ReplayInfo: ...
    @property
    def model(self) -> Model: ...
    @property
    def data(self) -> Any: ...
    @property
    def path(self) -> str: ...
    @property
    def times(self) -> _Floats: ...
    def seek(self, frame: int, /) -> Any: ...
    def nearest(self, time: float, /) -> int: ...
    def restore(self, data: Data, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, frame: int, /) -> Any: ...

@disjoint_base
class Viewer:
    """The page of a simulation or a recording."""

    def __new__(
        cls, what: Data | _Path, name: str = "simulation", bind: str = "127.0.0.1", port: int = 0, paused: bool = False, speed: float = 1.0
    ) -> Self: ...
    @property
    def address(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def pages(self) -> int: ...
    @property
    def data(self) -> Any: ...
    @property
    def closed(self) -> bool: ...
    @property
    def started(self) -> bool: ...
    def sync(self) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...

_Solution = tuple[_Floats, _Floats, _Floats, SapReport]
_CoulombSolution = tuple[_Floats, _Floats, _Floats, SapReport, _Floats]

def sap_solve(
    A: Sequence[npt.ArrayLike],
    v_star: _FloatsLike,
    constraints: Sequence[Mapping[str, Any]],
    couplings: Sequence[tuple[int, int, npt.ArrayLike]] = (),
    impulse: _FloatsLike | None = None,
    guess: _FloatsLike | None = None,
    options: SapOptions | None = None,
) -> _Solution: ...
def sap_solve_coulomb(
    A: Sequence[npt.ArrayLike],
    v_star: _FloatsLike,
    constraints: Sequence[Mapping[str, Any]],
    couplings: Sequence[tuple[int, int, npt.ArrayLike]] = (),
    impulse: _FloatsLike | None = None,
    guess: _FloatsLike | None = None,
    options: SapOptions | None = None,
    coulomb: SapCoulomb | None = None,
    start: _FloatsLike | None = None,
) -> _CoulombSolution: ...
def sap_law(constraint: Mapping[str, Any], vc: _FloatsLike, /) -> tuple[float, _Floats, _Floats]: ...
def sap_delassus(A: Sequence[npt.ArrayLike], constraint: Mapping[str, Any], /) -> float: ...
def sap_coulomb_error(constraint: Mapping[str, Any], vc: _FloatsLike, gamma: _FloatsLike, shift: _FloatsLike, /) -> SapCoulombError: ...
def sap_coulomb_holds(coulomb: SapCoulomb, error: SapCoulombError, /) -> bool: ...
def sap_cone(dt: float, mu: float, k: float, tau: float, phi: float, w: float, share: float = 1, beta: float = 1, sigma: float = 1e-3) -> SapCone: ...
def sap_hunt_crossley(
    dt: float, mu: float, k: float, d: float, f_e: float, vn0: float, w: float, v_stiction: float, beta: float = 1, sigma: float = 1e-3
) -> SapHuntCrossley: ...
def sap_holonomic(dt: float, g: float, k: float, tau: float, w: float, beta: float = 0.1) -> SapRow: ...
def sap_limit(dt: float, g: float, k: float, tau: float, w: float, beta: float = 0.1) -> SapRow: ...
def sap_dry_friction(dt: float, effort: float, w: float, sigma: float = 1e-3) -> SapRow: ...
def sap_actuator(
    dt: float, kp: float, kd: float, q0: float, q_d: float, v_d: float, u_ff: float, effort: float, w: float, beta: float = 0.1
) -> SapActuator: ...
def sap_slow_down(v_max: float, R: float, v_hat: float, /) -> tuple[float, float]: ...
def sap_quick_options() -> SapOptions: ...
def version() -> str: ...
def instruction_set() -> str: ...
def compiler() -> str: ...
def stage_names() -> tuple[str, ...]: ...
def status_name(status: int, /) -> str: ...
def is_robot_file(path: _Path, /) -> bool: ...
def scheme(name: str, /) -> tuple[float, float]: ...
def lame(material: Material, /) -> tuple[float, float]: ...
