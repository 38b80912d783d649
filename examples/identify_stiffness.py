"""How stiff is a beam that sags by a given amount? scipy finds Young's modulus from the measured height of the tip, by changing one parameter of one simulation.

    python examples/identify_stiffness.py [picture.png]
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.optimize import brentq

import pliant as pl

TRUE_YOUNG = 7.3e5  # Pa, the value behind the measurement


def tip(data: pl.Data, young: float) -> float:
    """Height of the beam's free end at rest (m)."""
    data.reset()
    beam = data["beam"]
    end = beam.vertices[:, 0] > 0.19
    data.parameters["beam.material.young"] = young
    data.parameters["beam.material.damping_mass"] = 20.0  # so that it comes to rest soon
    data.step(150)
    return float(beam.vertices[end, 2].mean())


def main(picture: str = "") -> float:
    data = pl.Data(pl.load("cantilever"))  # one model and one simulation serve for all trials
    measured = tip(data, TRUE_YOUNG)
    trials: list[tuple[float, float]] = []

    def error(log_young: float) -> float:
        height = tip(data, float(np.exp(log_young)))
        trials.append((float(np.exp(log_young)), height))
        return height - measured

    young = float(np.exp(brentq(error, np.log(2e5), np.log(5e6), xtol=1e-6)))
    print(f"a tip at {1e3 * measured:.2f} mm: E = {young:.4g} Pa after {len(trials)} trials (it was {TRUE_YOUNG:.4g} Pa)")
    if picture:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        e, z = np.array(trials).T
        figure, axes = plt.subplots(figsize=(6, 4))
        axes.semilogx(e / 1e6, 1e3 * z, "o", label="trials")
        axes.axhline(1e3 * measured, linestyle="--", label="measured")
        axes.set_xticks([0.2, 0.5, 1, 2, 5], labels=["0.2", "0.5", "1", "2", "5"])
        axes.minorticks_off()
        axes.set(xlabel="Young's modulus [MPa]", ylabel="height of the tip [mm]")
        axes.legend()
        figure.tight_layout()
        figure.savefig(picture, dpi=110)
        plt.close(figure)
    return young / TRUE_YOUNG


if __name__ == "__main__":
    main(*sys.argv[1:])
