"""The convex solver of frictional contact on its own: matrices and laws in, velocities and impulses out.

    min over v   1/2 (v - v_star)' A (v - v_star)  +  sum_i l_i(J_i v + b_i)

    A = [2 * np.eye(3)]                                                       # a point of 2 kg
    floor = {"law": "cone", "blocks": [(0, np.eye(3))], "cone": sap.cone(dt=0.01, mu=0.5, k=1e5, tau=0, phi=0, w=0.5)}
    v, gamma, vc, report = sap.solve(A, [1, 0, -0.1], [floor])
"""

from pliant._pliant import SapActuator, SapCone, SapCoulomb, SapCoulombError, SapHuntCrossley, SapOptions, SapReport, SapRow
from pliant._pliant import sap_actuator as actuator
from pliant._pliant import sap_cone as cone
from pliant._pliant import sap_coulomb_error as coulomb_error
from pliant._pliant import sap_coulomb_holds as coulomb_holds
from pliant._pliant import sap_delassus as delassus
from pliant._pliant import sap_dry_friction as dry_friction
from pliant._pliant import sap_holonomic as holonomic
from pliant._pliant import sap_hunt_crossley as hunt_crossley
from pliant._pliant import sap_law as law
from pliant._pliant import sap_limit as limit
from pliant._pliant import sap_quick_options as quick_options
from pliant._pliant import sap_slow_down as slow_down
from pliant._pliant import sap_solve as solve
from pliant._pliant import sap_solve_coulomb as solve_coulomb

__all__ = [
    "SapActuator", "SapCone", "SapCoulomb", "SapCoulombError", "SapHuntCrossley", "SapOptions", "SapReport", "SapRow", "actuator", "cone",
    "coulomb_error", "coulomb_holds", "delassus", "dry_friction", "holonomic", "hunt_crossley", "law", "limit", "quick_options", "slow_down",
    "solve", "solve_coulomb",
]  # fmt: skip
