"""A rigid ball is pressed into a thick soft block: force over depth, beside Hertz's law F = 4/3 E/(1 - nu^2) sqrt(R) d^(3/2).

    python examples/measure_hertz.py [picture.png]
"""

from __future__ import annotations

import sys

import numpy as np

import pliant as pl

E, NU, R = 1e5, 0.3, 0.05  # Pa, 1, m


def graded_block(n: int) -> pl.Mesh:
    """A block of 0.4 x 0.4 x 0.2 m whose cells are fine below the middle of its upper face."""
    mesh = pl.mesh.box_cells((2, 2, 1), 2 * n, 2 * n, n)
    x = mesh.vertices  # live: writing here changes the mesh
    for k in range(2):
        x[:, k] = 0.2 * np.sign(x[:, k]) * np.abs(x[:, k]) ** 2
    x[:, 2] = -0.2 * (0.5 - x[:, 2]) ** 2
    return mesh


def main(picture: str = "", n: int = 8) -> float:
    spec = pl.Spec(options={"dt": 0.05, "gravity": (0, 0, 0)})
    # averaged around edges: plain linear tetrahedra are some 15 % too stiff here
    spec.add_deformable(name="block", mesh=graded_block(n), young=E, poisson=NU, element="tet4_smoothed", friction=0, damping_stiffness=0.005)
    spec.add_fix(deformable="block", region={"kind": "half_space", "centre": (0, 0, -0.2), "normal": (0, 0, 1)})
    spec.add_body(name="ball", mass=1, inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0))
    spec.add_joint(name="press", kind="prismatic", child="ball", pose=(0, 0, R), axis=(0, 0, -1))
    spec.add_constraint(name="push", kind="motion", a="press", time=[0, 2], value=[0, 0.004])
    spec.add_shape(name="ball_shape", body="ball", kind="sphere", radius=R, friction=0)
    data = pl.Data(spec.compile())

    depth, force = [], []
    while data.time < 2:
        data.step()
        depth.append(data.joint("press").q[0])
        force.append(data.contact_pair("ball", "block").normal_force)
    d, f = np.array(depth), np.array(force)
    hertz = 4 / 3 * E / (1 - NU**2) * np.sqrt(R) * d**1.5
    ratio = float(f[-1] / hertz[-1])
    print(f"at a depth of {1e3 * d[-1]:.1f} mm the ball is pushed back with {f[-1]:.2f} N; Hertz: {hertz[-1]:.2f} N, ratio {ratio:.3f}")
    if picture:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4))
        axes.plot(1e3 * d, f, label="simulated")
        axes.plot(1e3 * d, hertz, "--", label="Hertz")
        axes.set(xlabel="depth [mm]", ylabel="force [N]")
        axes.legend()
        figure.tight_layout()
        figure.savefig(picture, dpi=110)
        plt.close(figure)
    return ratio


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
