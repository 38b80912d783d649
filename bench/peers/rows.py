"""Rows of the table beside peers: scene, what it must show, required ratios. A verdict is taken on the motion of each engine alike."""
import math, statistics
import meshes

GRAVITY = 9.81


def last(run, body):
    return run["samples"][-1][body]


def at(run, time, body):
    return min(run["samples"], key=lambda s: abs(s["time"] - time))[body]


def same_height(*bodies, tolerance=0.001):
    """Bodies end at the height that the engines agree on: within 1 mm of the median."""
    def verdict(run, others):
        runs = [r for r in others if r["samples"] and not r["error"]]
        return len(runs) < 2 or all(abs(last(run, b)[2] - statistics.median(last(r, b)[2] for r in runs)) < tolerance for b in bodies)
    verdict.heights = bodies
    return verdict


def stands(run, others, limit=0.01):
    """The top block stays above the bottom one, within a tenth of its width."""
    return all(math.hypot(s["block4"][0], s["block4"][1]) < limit for s in run["samples"])


def stands_still(run):
    """What Pliant must show over ten seconds: within 0.5 mm of the axis, and moved by less than 0.1 mm in the last five."""
    start = at(run, 5, "block4")
    moved = max(math.dist(s["block4"], start) for s in run["samples"] if s["time"] >= 5)
    return stands(run, [], 0.0005) and moved < 0.0001


def lifted(run, others):
    """The ring ends 0.15 m above the ground, where the plates are; it may creep by 5 mm."""
    return abs(last(run, "torus")[2] - 0.15) < 0.005


def held(run, others):
    """At the end the ball is where it was when the fingers had closed, within 10 mm; the arm is at its start then."""
    return math.dist(last(run, "ball"), at(run, 0.9, "ball")) < 0.01


def held_by_allegro(run, others):
    """The arm's path ends where it began: the ball is within 30 mm of its position after the fingers had closed."""
    return math.dist(last(run, "ball"), at(run, 1.5, "ball")) < 0.03


def raised_at(time, body, height, tolerance):
    return lambda run, others: abs(at(run, time, body)[2] - height) < tolerance


def weighs(tolerance, density=1000, **bodies):
    """The contact force on each of Pliant's bodies at the end is the weight of its mesh, within the tolerance. bodies: name = mesh."""
    def check(run):
        for body, mesh in bodies.items():
            points, tets = meshes.MESHES[mesh]()
            weight = density * GRAVITY * sum(meshes.volume(points, t) for t in tets)
            if abs(last(run, body + ".contact_force")[2] / weight - 1) > tolerance:
                return False
        return True
    return check


def rests(**heights):
    """Pliant's bodies end at the heights of Drake. heights: name = (m, tolerance)."""
    return lambda run: all(abs(last(run, body)[2] - z) < tolerance for body, (z, tolerance) in heights.items())


def both(*checks):
    return lambda run: all(check(run) for check in checks)


def pressed(time, signals, newtons, tolerance):
    """The magnitudes of Pliant's contact forces at a time add up to Drake's, within the tolerance."""
    return lambda run: abs(sum(math.hypot(*at(run, time, s)) for s in signals) / newtons - 1) < tolerance


def stays_in_palm(run):
    """Pliant's ball keeps its distance from the palm, within 30 mm, once the fingers have closed."""
    gaps = [math.dist(s["ball"], s["allegro/palm_link.com"]) for s in run["samples"] if s["time"] >= 1.5]
    return max(gaps) - min(gaps) < 0.03


class Row:
    """verdict: on the motion of every engine alike. own: on Pliant's run alone, `long` seconds where given, with further signals."""

    def __init__(self, scene, drake=None, mujoco=None, verdict=None, own=None, signals=(), long=None, words=(), data=None, steps=None,
                 engines=("drake", "mujoco")):
        self.scene, self.bars, self.verdict, self.words = scene, {"drake": drake, "mujoco": mujoco}, verdict, list(words)
        self.heights = getattr(verdict, "heights", ())  # bodies whose heights are compared
        self.own, self.signals, self.long, self.data, self.steps, self.engines = own, list(signals), long, data, steps, engines


FINGERS = [f"contact(torus,simple_gripper/{side}_finger/collision).force" for side in ("left", "right")]
BUBBLES = [f"contact({side}_bubble,teddy).force" for side in ("left", "right")]


# Required: how many times faster than Drake and MuJoCo, on the median of the rounds' ratios.
ROWS = {
    "block": Row("block", mujoco=3, verdict=same_height("block0"), own=weighs(0.001, block0="stack_block0")),
    "stack": Row("stack", drake=150, mujoco=5, verdict=stands, own=stands_still, long=10),
    "softpair": Row("softpair", drake=25, verdict=same_height("block", "ball", tolerance=0.002),
                    own=both(weighs(0.01, ball="softpair_ball"), rests(block=(0.0496, 0.0005), ball=(0.152, 0.002)))),
    "ball129": Row("ball129", drake=15, verdict=same_height("ball"), own=weighs(0.001, ball="ball129_ball")),
    "ball833": Row("ball833", drake=20, verdict=same_height("ball")),
    "ball6017": Row("ball6017", drake=45, verdict=same_height("ball")),
    "grasp": Row("grasp", drake=10, verdict=lifted),
    "fingers": Row("fingers", drake=12, verdict=held),
    "arm4": Row("arm4", mujoco=1.25, steps=20000, engines=("mujoco",)),
    "arm9": Row("arm9", mujoco=0.833, steps=5000, engines=("mujoco",)),
    "chain30": Row("chain30", mujoco=1.25, steps=5000, engines=("mujoco",)),
    "boxes27": Row("boxes27", mujoco=1.25, steps=2000, engines=("mujoco",)),
    "torus": Row("torus", drake=10, verdict=raised_at(4, "torus", 0.185, 0.005), own=pressed(4, FINGERS, 40.1, 0.12), signals=FINGERS, engines=("drake",),
                 data=["drake/examples/multibody/deformable/models/simple_gripper.sdf", "drake/examples/multibody/deformable/models/torus.vtk"]),
    "torus_once": Row("torus", drake=13, verdict=raised_at(4, "torus", 0.185, 0.005), own=pressed(4, FINGERS, 40.1, 0.12), signals=FINGERS,
                      engines=("drake",), words=["--set", "options.coupling=once"],
                      data=["drake/examples/multibody/deformable/models/simple_gripper.sdf", "drake/examples/multibody/deformable/models/torus.vtk"]),
    "bubble": Row("bubble", drake=14, verdict=raised_at(4, "teddy", 0.142, 0.008), own=pressed(4, BUBBLES, 27.8, 0.15), signals=BUBBLES, engines=("drake",),
                  data=["drake_models/wsg_50_description/sdf/schunk_wsg_50_deformable_bubble.sdf", "drake_models/wsg_50_description/meshes/bubble.vtk",
                        "drake/examples/multibody/deformable/models/teddy.vtk"]),
    "hand": Row("hand", drake=12, verdict=held_by_allegro, own=stays_in_palm, signals=["allegro/palm_link.com"], engines=("drake",),
                data=["drake_models/iiwa_description/urdf/iiwa14_primitive_collision.urdf",
                      "drake_models/allegro_hand_description/urdf/allegro_hand_description_right.urdf"]),
}
