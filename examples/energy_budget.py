"""Where the energy of a bouncing soft ball goes: kinetic, elastic, gravity, and what damping, contact and the scheme took.

    python examples/energy_budget.py [picture.png]
"""

from __future__ import annotations

import sys

import numpy as np

import pliant as pl


def main(picture: str = "") -> float:
    spec = pl.Spec(options={"dt": 0.001})
    spec.add_deformable(
        name="ball", mesh=pl.mesh.sphere(0.05, edge=0.02), pose=(0, 0, 0.25), young=2e5, poisson=0.4, damping_stiffness=2e-4, relaxation_time=0.0
    )
    spec.add_shape(name="ground", kind="half_space", relaxation_time=0.0)
    data = pl.Data(spec.compile())
    ball = data["ball"]

    rows, damped = [], 0.0
    start = ball.state.gravity_energy
    while data.time < 0.8:
        data.step()
        state, budget = ball.state, ball.energy_budget
        damped += budget.damping_loss
        rows.append((data.time, state.kinetic_energy, state.elastic_energy, state.gravity_energy, damped))
    t, kinetic, elastic, gravity, loss = np.array(rows).T
    total = kinetic + elastic + gravity
    rest = float(start - total[-1] - loss[-1])
    print(f"of {start - gravity.min():.4f} J, damping took {loss[-1]:.4f} J, contact and the scheme {rest:.4f} J; {total[-1] - gravity.min():.4f} J are left")
    if picture:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(7, 4))
        names = ["gravity", "kinetic", "elastic", "damped"]
        axes.stackplot(t, gravity - gravity.min(), kinetic, elastic, loss, labels=names)
        axes.axhline(start - gravity.min(), color="black", linewidth=0.8, label="at the start")
        axes.set(xlabel="time [s]", ylabel="energy [J]")
        axes.legend(loc="upper right", bbox_to_anchor=(1, 0.92))
        figure.tight_layout()
        figure.savefig(picture, dpi=110)
        plt.close(figure)
    return float((start - total[-1] - loss[-1]) / (start - gravity.min()))


if __name__ == "__main__":
    main(*sys.argv[1:])
