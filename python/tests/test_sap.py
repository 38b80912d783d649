"""The solver on its own: closed forms, laws by finite differences, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant import sap


def floor(mu: float, **cone: float) -> dict[str, Any]:
    members = {"dt": 0.01, "mu": mu, "k": float("inf"), "tau": 0.0, "phi": 0.0, "w": 0.5} | cone
    return {"law": "cone", "blocks": [(0, np.eye(3))], "cone": sap.cone(**members)}


def test_a_point_on_the_floor_slides_and_sticks() -> None:
    """A point of 2 kg that would sink with 0.1 m/s: the impulse is 2 * 0.1; friction takes mu of it or all."""
    A = [2 * np.eye(3)]
    v, gamma, vc, report = sap.solve(A, [1.0, 0, -0.1], [floor(0.5)])
    assert report.status == "ok" and report.slide == 1
    assert gamma[:2] == pytest.approx([-0.5 * gamma[2], 0], rel=1e-3)
    assert 2 * (v - [1, 0, -0.1]) == pytest.approx(gamma)
    assert vc == pytest.approx(v)
    v, gamma, _, report = sap.solve(A, [0.01, 0, -0.1], [floor(0.5)])
    assert report.stick == 1 and abs(v[0]) < 1e-4
    v, gamma, _, report, shift = sap.solve_coulomb(A, [1.0, 0, -0.1], [floor(0.5)])
    assert shift.shape == (1, 3) and abs(v[2]) < 0.1 * report.slide + 1e-2


def test_weld_between_two_cliques() -> None:
    """Two masses that are held together move with the mean momentum."""
    J = np.array([[1.0]])
    row = sap.SapRow(v_hat=0, R=1e-6)
    weld = {"law": "bilateral", "blocks": [(0, J), (1, -J)], "rows": [row]}
    v, gamma, _, _ = sap.solve([[[1.0]], [[3.0]]], [4.0, 0.0], [weld], options=sap.SapOptions(relative_tolerance=1e-10))
    assert v == pytest.approx([1, 1], abs=1e-5)
    assert gamma == pytest.approx([-3], abs=1e-5)
    assert sap.delassus([[[1.0]], [[3.0]]], weld) == pytest.approx(1 + 1 / 3)


def test_laws_are_derivatives_of_their_cost() -> None:
    laws: list[dict[str, Any]] = [
        floor(0.5),
        {"law": "similar", "hunt_crossley": sap.hunt_crossley(dt=0.01, mu=0.4, k=1e4, d=1, f_e=5, vn0=0, w=1, v_stiction=1e-3)},
        {"law": "actuator", "actuator": sap.actuator(dt=0.01, kp=10, kd=1, q0=0, q_d=1, v_d=0, u_ff=0, effort=50, w=1)},
        {"law": "unilateral", "rows": [sap.limit(dt=0.01, g=-0.01, k=1e4, tau=0.1, w=1), sap.holonomic(dt=0.01, g=0, k=1e4, tau=0, w=1)]},
        {"law": "bounded", "rows": [sap.dry_friction(dt=0.01, effort=3, w=1)]},
    ]
    rng = np.random.default_rng(0)
    for law in laws:
        law = {**law, "blocks": []}
        n = 3 if law["law"] in ("cone", "similar") else 2 if law["law"] == "unilateral" else 1
        vc = 0.1 * rng.normal(size=n)
        _, gamma, G = sap.law(law, vc)
        assert gamma.shape == (n,) and G.shape in ((3, 3), (n,))
        for k in range(n):
            h = np.zeros(n)
            h[k] = 1e-7
            slope = (sap.law(law, vc + h)[0] - sap.law(law, vc - h)[0]) / 2e-7
            assert gamma[k] == pytest.approx(-slope, rel=1e-4, abs=1e-6)


def test_wrong_problems_are_refused() -> None:
    A = [np.eye(3)]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"law": "glue"}, "one of cone"),
        ({"blocks": []}, "needs 'law'"),
        ({"law": "cone", "blocks": []}, "needs 'cone'"),
        ({**floor(1), "blocks": [(3, np.eye(3))]}, "clique 3"),
        ({**floor(1), "blocks": [(0, np.eye(2))]}, "rows"),
        ({**floor(1), "blocks": [(0, np.ones((3, 2)))]}, "columns"),
        ({**floor(1), "bias": [1, 2]}, "must have 3"),
    ]
    for bad, sentence in wrong:
        with pytest.raises(pl.InputError, match=sentence):
            sap.solve(A, [0, 0, 0], [bad])
    with pytest.raises(pl.Error):
        sap.solve([-np.eye(3)], [0, 0, -1], [floor(1)])
    with pytest.raises(pl.InputError):
        sap.solve(A, [0, 0], [])
    assert sap.slow_down(0.1, 1.0, 0.5) == pytest.approx((0.2, 0.1))
    assert sap.quick_options().sticking > 0
    error = sap.coulomb_error({**floor(0.5), "blocks": []}, [1, 0, 0], [-1, 0, 2], [0, 0, 0.5])
    assert sap.coulomb_holds(sap.SapCoulomb(), error) in (True, False)
