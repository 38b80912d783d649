"""A gripper with two soft bubbles closes on a teddy bear, lifts it and shakes it. How hard does it squeeze, and does the bear slip?

    python examples/grasp_bear.py [picture.png]
"""

from __future__ import annotations

import sys

import numpy as np

import pliant as pl


def main(picture: str = "") -> tuple[float, float]:
    data = pl.Data(pl.load("teddy"))
    bear = data["bear"]
    weight = bear.mass * 9.81
    squeeze, slips = [], []

    while data.time < 3.0:
        data.step()
        if data.time > 2.2:  # it hangs between the bubbles
            left, right = data.contact_pair("left_bubble", "bear"), data.contact_pair("right_bubble", "bear")
            squeeze.append(0.5 * (left.normal_force + right.normal_force))
            slips.append(max(left.slip_max, right.slip_max))

    lifted = bear.com[2]
    print(f"the bear weighs {weight:.2f} N and hangs with its centre at z = {lifted:.3f} m")
    print(f"each bubble presses with {np.mean(squeeze):.1f} N; the fastest slip of a point is {1e3 * max(slips):.2f} mm/s")
    if picture:
        data.picture(width=800, colour="strain", contacts=True, path=picture)
    return float(np.mean(squeeze) / weight), float(lifted)


if __name__ == "__main__":
    main(*sys.argv[1:])
