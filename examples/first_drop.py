"""A soft block falls on the ground and comes to rest. Its weight is what the ground carries.

    python examples/first_drop.py [picture.png]
"""

from __future__ import annotations

import sys

import pliant as pl


def main(picture: str = "") -> float:
    spec = pl.Spec(options={"dt": 0.01})
    spec.add_deformable(name="block", mesh=pl.mesh.box((0.1, 0.1, 0.1), edge=0.03), pose=(0, 0, 0.2), young=5e4, density=1000)
    spec.add_shape(name="ground", kind="half_space")
    data = pl.Data(spec.compile())

    while data.time < 1.5:
        data.step()

    block = data["block"]
    print(f"the block rests with its centre at z = {block.com[2]:.4f} m")
    print(f"the ground carries {block.contact.force[2]:.4f} N of {block.mass * 9.81:.4f} N")
    if picture:
        data.picture(width=800, colour="von_mises", path=picture)
    return float(block.contact.force[2] / (block.mass * 9.81))


if __name__ == "__main__":
    main(*sys.argv[1:])
