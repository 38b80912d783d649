"""The flange of a seven-joint arm draws a circle in the air: differential inverse kinematics gives the joint rates, position controllers follow.

    python examples/steer_arm.py [picture.png]
"""

from __future__ import annotations

import sys

import numpy as np

import pliant as pl


def main(picture: str = "") -> float:
    spec = pl.load_spec("arm")
    for i in range(1, 8):  # our inputs replace the scene's own table for joint 2
        spec.set_actuator(f"arm/motor_{i}", time=[], value=[])
    data = pl.Data(spec.compile())
    model, dt = data.model, data.options.dt
    joints = [f"arm/joint_{i}" for i in range(1, 8)]
    dofs = [data.joint(j).dofs[0] for j in joints]
    motors = [data.actuator(f"arm/motor_{i}") for i in range(1, 8)]
    flange = data["arm/ee"]

    start = flange.pose
    wanted = data.q.copy()  # where the controllers should hold the joints
    radius, errors, path = 0.08, [], []
    for step in range(int(3 / dt)):
        angle = 2 * np.pi * min(step * dt / 2.5, 1)
        target = start.copy()
        target[1] += radius * np.sin(angle)
        target[2] += radius * (1 - np.cos(angle))
        rate = data.ik("arm/ee", target=target, time=0.05, move=joints)
        for dof, motor in zip(dofs, motors):
            wanted[model.dof_q[dof]] += dt * rate[dof]
            motor.u[:2] = wanted[model.dof_q[dof]], rate[dof]
        data.step()
        path.append(flange.position)
        errors.append(np.linalg.norm(path[-1] - target[:3]))

    miss = float(np.linalg.norm(path[-1] - start[:3]))
    print(f"the flange drew a circle of radius {radius} m: mean error {1e3 * np.mean(errors):.1f} mm, at its end {1e3 * miss:.1f} mm")
    if picture:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        drawn = np.array(path)
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
        left.imshow(data.picture(width=640, azimuth=-30))
        left.axis("off")
        right.plot(drawn[:, 1], drawn[:, 2])
        right.set(xlabel="y [m]", ylabel="z [m]", title="path of the flange", aspect="equal")
        figure.tight_layout()
        figure.savefig(picture, dpi=110)
        plt.close(figure)
    return miss


if __name__ == "__main__":
    main(*sys.argv[1:])
