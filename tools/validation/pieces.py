"""The parts of the validation: each plans its runs, runs them, and returns checks and a section of the page.

A check is (what, measured, threshold, holds). A section is HTML.
"""
import base64, bisect, html, math, os, subprocess, sys

import plots
from runs import load, minutes, table

PAPER = {  # DoFs, realtime rate, constraints on average, at most; the threshold of our rate over the paper's
    "arch_mu02": (225, 7.26, 259.5, 357, 1), "arch_mu10": (225, 6.29, 320.2, 364, 5), "cylinder_press": (3796, 0.06, 248.3, 335, 5),
    "teddy": (2043, 0.37, 236.5, 464, 5), "allegro": (410, 1.01, 89.5, 328, 5)}

# Rubber cylinder, radius 0.2 m, plane strain, C1 = 0.293, C2 = 0.177, bulk 1410 MPa: travel (m), force (kN per metre) of the rest-stable
# Mooney-Rivlin law, by 9-node quadrilaterals with discontinuous linear pressure (12481 nodes a quarter).
REFERENCE = [(0, 0), (0.01, 10.17), (0.02, 24.06), (0.03, 40.73), (0.04, 60.14), (0.05, 82.46), (0.06, 108.00), (0.07, 137.19), (0.08, 170.55),
             (0.09, 208.79), (0.10, 252.80), (0.11, 303.56), (0.12, 362.28), (0.13, 430.60), (0.14, 510.34), (0.15, 603.75), (0.16, 713.94),
             (0.17, 844.37), (0.18, 1000.01), (0.19, 1186.69), (0.20, 1412.77)]


def html_table(head, rows):
    cells = lambda tag, row: "<tr>" + "".join(f"<{tag}>{html.escape(str(x))}</{tag}>" for x in row) + "</tr>"
    return '<div class="wide"><table>' + cells("th", head) + "".join(cells("td", row) for row in rows) + "</table></div>"


class Bench:
    """The paper's table and the cost breakdown, by `pliant bench`."""
    title, name = "The paper's table", "bench"
    HEAD = ["scene", "DoFs, paper", "ours", "dt (s)", "realtime rate, paper", "ours", "ratio", "constraints, paper", "ours", "Newton", "unconverged"]

    def plan(self, runs):
        runs.expect("bench", 15)

    def run(self, runs):
        report = runs.path("bench.json")
        if not runs.run("bench", ["bench", "--json", report], [report]):
            return [("pliant bench", "failed", "runs through", False)], "<p>did not run through</p>"
        rows, checks, lines = load(report)["scenes"], [], []
        seconds = runs.seconds("bench")
        for r in rows:
            name = r["name"]
            dofs, rate, average, most, threshold = PAPER[name]
            wanted = 675 if name.startswith("arch") else dofs
            ratio = r["realtime_rate"] / rate
            lines.append([name, dofs, r["dofs"], f'{r["dt"]:g}', f"{rate:g}", f'{r["realtime_rate"]:.3g}', f"{ratio:.3g}", f"{average:g} ({most})",
                          f'{r["constraints_avg"]:.1f} ({r["constraints_max"]})', f'{r["newton_iterations_avg"]:.1f} ({r["newton_iterations_max"]})',
                          r["unconverged_steps"]])
            if "whole" in r:
                w = r["whole"]
                lines.append([f"{name}, to its end", dofs, r["dofs"], f'{r["dt"]:g}', f"{rate:g}", f'{w["realtime_rate"]:.3g}',
                              f'{w["realtime_rate"] / rate:.3g}', f"{average:g} ({most})", f'{w["constraints_avg"]:.1f} ({w["constraints_max"]})',
                              f'{w["newton_iterations_avg"]:.1f} ({w["newton_iterations_max"]})', w["unconverged_steps"]])
            checks += [(f"{name}: realtime rate over the paper's", f"{ratio:.3g}", f">= {threshold}", ratio >= threshold),
                       (f"{name}: DoFs over the paper's" + (" (675)" if wanted == 675 else ""), f'{r["dofs"] / wanted:.3f}', "within 10 %",
                        abs(r["dofs"] / wanted - 1) <= 0.1),
                       (f"{name}: constraints over the paper's", f'{r["constraints_avg"] / average:.2f}', "same order",
                        0.2 < r["constraints_avg"] / average < 5),
                       (f"{name}: unconverged steps", r["unconverged_steps"], "0", r["unconverged_steps"] == 0)]
        names = ", ".join(r["name"] for r in rows)
        checks.append(("pliant bench, rows", len(rows), "the five of the paper, in order", names == ", ".join(PAPER)))
        checks.append(("pliant bench, time", minutes(seconds), "<= 180 s on one core", seconds <= 180))
        self.lines, self.breakdown = lines, [(r["name"], list(r["breakdown"].items())) for r in rows]
        page = (html_table(self.HEAD, lines) +
                "<p>By <code>pliant bench</code>, one thread. The arch's 225 is the paper's count; 25 stones of 9 vertices have 675 degrees of freedom. "
                "Constraints and Newton iterations: on average (at most).</p><h3>Where the time goes (%)</h3><figure>" +
                plots.bars(self.breakdown, "cost breakdown of the five scenes") + "</figure>")
        return checks, page


class Yardstick:
    """How fast this core is beside the paper's: the hand scene in Drake, by bench/peers/compare. Only with --data."""
    title, name = "The paper's core and this one", "yardstick"
    PAPER_RATE, DT = 1.01, 0.01

    def __init__(self, data):
        self.data = data

    def plan(self, runs):
        pass

    def run(self, runs):
        compare = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "peers", "compare")
        report = runs.path("hand.json")
        if os.path.exists(report):
            os.remove(report)
        subprocess.run([sys.executable, compare, "--data", self.data, "--scene", "hand", "--rounds", "2", "--pliant", runs.pliant, "--json", report],
                       stdout=subprocess.DEVNULL)
        if not os.path.exists(report):
            return [("Drake's hand scene", "failed", "runs through", False)], "<p>did not run through</p>"
        times = load(report)["rows"][0]["ms"]
        drake, ours = min(times["drake"]), min(times["cone"])
        rate = 1e3 * self.DT / drake
        text = f'{rate:.3g} times real time ({drake:.3g} ms a step; ours {ours:.3g} ms, {drake / ours:.3g} times)'
        return ([("Drake's hand scene, run just now", text, f"{self.PAPER_RATE} in the paper", 0.2 < rate / self.PAPER_RATE < 5)],
                f"<p>The hand scene ran at {self.PAPER_RATE} times real time on the paper's core. Drake 1.58 runs it here at {text}.</p>")


class Press:
    """Force over travel of the pressed cylinder: four meshes with volumetric patches, and plain linear elements."""
    title, name = "Cylinder: force over displacement", "cylinder"
    RATE = 14.0    # kN/m a second: 1.4 MN/m in 100 s
    SECONDS = 106  # the ramp goes on so that stiff elements pass 0.20 m too
    BETA = 0.01
    MESHES = [("cylinder_press_coarse", "patch", 363, 22, "c0"), ("cylinder_press_medium", "patch", 675, 45, "c1"),
              ("cylinder_press", "patch", 1323, 85, "c2"), ("cylinder_press_fine", "patch", 2883, 640, "c3"),
              ("cylinder_press", "element", 1323, 85, "c4")]

    def plan(self, runs):
        for scene, volumetric, _, seconds, _ in self.MESHES:
            runs.expect(f"{scene}-{volumetric}", seconds)

    def words(self, volumetric):
        """What the study changes in a scene. The near-rigid contact gives by near_rigid^2 dt^2: a longer step than the scene's asks for a
        smaller near_rigid."""
        values = {"options.dt": 0.05, "options.near_rigid": 0.1, "options.duration": self.SECONDS, "bodies.plate.joint.actuator.times": f"[0,{self.SECONDS}]",
                  "bodies.plate.joint.actuator.values": f"[0,{40 * self.RATE * self.SECONDS:g}]", "deformables.rubber.material.damping.stiffness": self.BETA,
                  "deformables.rubber.material.volumetric": volumetric}
        return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]

    def curve(self, runs, scene, volumetric):
        """(travel m, force kN/m), the force less the damper's beta dF/dt."""
        name = f"{scene}-{volumetric}"
        path, end = runs.path(name + ".csv"), runs.path(name + ".state")
        words = ["run", scene, *self.words(volumetric), "--csv", path, "--signals", "time,plate.q", "--save", end]
        if not runs.run(name, words, [path, end]):
            return []
        return [(row[1], self.RATE * (row[0] - self.BETA)) for row in table(path)]

    @staticmethod
    def force_at(curve, travel):
        x = [p[0] for p in curve]
        i = min(max(bisect.bisect(x, travel), 1), len(x) - 1)
        (x0, f0), (x1, f1) = curve[i - 1], curve[i]
        return f0 + (f1 - f0) * (travel - x0) / (x1 - x0)

    def run(self, runs):
        series, errs, lines, found = [], [], [], {}
        for scene, volumetric, vertices, _, kind in self.MESHES:
            curve = self.curve(runs, scene, volumetric)
            if not curve or curve[-1][0] < 0.2:
                lines.append([scene, volumetric, vertices, "did not reach 0.20 m", ""])
                continue
            errors = [100 * (self.force_at(curve, x) / f - 1) for x, f in REFERENCE if x >= 0.049]
            mean, worst = sum(map(abs, errors)) / len(errors), max(map(abs, errors))
            found[scene, volumetric] = mean, worst, vertices
            lines.append([scene, volumetric, vertices, f"{mean:.2f}", f"{worst:.2f}"])
            label = f"{vertices} vertices" + ("" if volumetric == "patch" else ", plain elements")
            series.append((label, [p for p in curve if p[0] <= 0.2], kind))
            errs.append((label, [(x, abs(e)) for (x, _), e in zip(REFERENCE[5:], errors)], kind))
        if not series:
            return self.checks(found), "<p>did not run through</p>"
        series.append(("reference", REFERENCE, "ref"))
        page = ("<figure>" + plots.lines(series, "travel (m)", "force (kN/m)", "force over travel of the pressed cylinder") + "</figure><figure>" +
                plots.lines(errs, "travel (m)", "error of the force (%)", "error of the force over travel", height=280, marks=[(2, "2 %"), (1, "1 %")], legend=False) + "</figure>" +
                html_table(["mesh", "volume change by", "vertices", "mean error (%)", "worst (%)"], lines) +
                "<p>A ramp of 14 kN/m per second, beta 0.01 s, the damper's 0.14 kN/m taken off; errors over travel 0.05 to 0.20 m.</p>")
        return self.checks(found), page

    @staticmethod
    def checks(found):
        def per_fourfold(a, b):
            (ea, _, na), (eb, _, nb) = a, b
            return (eb / ea) ** (math.log(4) / math.log(nb / na))
        patch = [found.get((m[0], m[1])) for m in Press.MESHES[:4]]
        plain, out = found.get(("cylinder_press", "element")), []
        for a, b in ((0, 1), (1, 2), (2, 3)):
            ratio = per_fourfold(patch[a], patch[b]) if patch[a] and patch[b] else None
            out.append((f"cylinder: mean error per fourfold vertex count, {Press.MESHES[a][2]} to {Press.MESHES[b][2]} vertices",
                        f"{ratio:.2f}" if ratio else "-", "<= 0.7", bool(ratio) and ratio <= 0.7))
        for what, row, threshold in (("paper's density, patches", patch[2], 2), ("finest mesh, patches", patch[3], 1), ("paper's density, plain linear elements", plain, 9)):
            out.append((f"cylinder: {what}, worst error", f"{row[1]:.2f} %" if row else "-", f"<= {threshold} %", bool(row) and row[1] <= threshold))
        return out


class Arch:
    """The arch's drift over ten minutes at friction 1.0; 0.5 stands, 0.2 falls."""
    title, name = "Arch: drift", "arch"
    RUNS = [("arch_mu10", 600, 10), ("arch_mu05", 60, 2), ("arch_mu02", 4, 2)]

    def plan(self, runs):
        for scene, _, expected in self.RUNS:
            runs.expect(scene, expected)

    def drift(self, runs, scene, seconds):
        """(time, largest displacement of any stone's vertex in mm)"""
        path = runs.path(scene + ".csv")
        signals = ",".join(["time"] + [f"stone{i}.displacement_max" for i in range(25)])
        if not runs.run(scene, ["run", scene, "--until", str(seconds), "--csv", path, "--signals", signals], [path]):
            return []
        return [(row[0], 1e3 * max(row[1:])) for row in table(path)]

    def run(self, runs):
        curves = {scene: self.drift(runs, scene, seconds) for scene, seconds, _ in self.RUNS}
        most = {scene: max([d for _, d in curve], default=math.inf) for scene, curve in curves.items()}
        checks = [("arch, friction 1.0: largest drift of any stone in 600 s", f'{most["arch_mu10"]:.4f} mm', "< 1 mm", most["arch_mu10"] < 1),
                  ("arch, friction 0.5: largest drift of any stone in 60 s", f'{most["arch_mu05"]:.4f} mm', "stands: < 10 mm", most["arch_mu05"] < 10),
                  ("arch, friction 0.2: largest drift of any stone in 4 s", f'{most["arch_mu02"]:.0f} mm', "falls: > 1000 mm", 1000 < most["arch_mu02"] < math.inf)]
        if not curves["arch_mu10"]:
            return checks, "<p>did not run through</p>"
        page = ("<figure>" + plots.lines([("friction 1.0", curves["arch_mu10"], "c2")], "time (s)", "largest displacement of any stone (mm)",
                                         "drift of the arch over ten minutes", height=300) + "</figure>" +
                html_table(["friction", "time (s)", "largest displacement of any stone (mm)"],
                           [[f"{int(scene[-2:]) / 10:g}", seconds, f"{most[scene]:.4g}"] for scene, seconds, _ in self.RUNS]) +
                "<p>From where the stones touch to where they rest, and on.</p>")
        return checks, page


class Grasp:
    """The bear stays between the bubbles and the ball in the hand while they are lifted and shaken."""
    title, name = "Grasps", "grasp"

    def plan(self, runs):
        runs.expect("teddy-grasp", 3), runs.expect("allegro-grasp", 2)

    @staticmethod
    def follow(runs, scene, signals):
        path = runs.path(scene + "-grasp.csv")
        return table(path) if runs.run(scene + "-grasp", ["run", scene, "--csv", path, "--signals", signals], [path]) else []

    def run(self, runs):
        # the bear's height against the gripper's: at rest before and after it is shaken, and all the time it is off the floor
        bear = self.follow(runs, "teddy", "time,bear.com.z,gripper.q")
        above = {t: 1e3 * (z - q) for t, z, q in bear if 1.5 <= t <= 5.4}
        at = lambda time: above[min(above, key=lambda t: abs(t - time))]
        slip = abs(at(4.75) - at(2.55)) if above else math.inf
        swing = max(above.values()) - min(above.values()) if above else math.inf
        lifted = 1e3 * (max(row[1] for row in bear) - bear[0][1]) if bear else 0
        # the ball off its post: its distance from the palm
        ball = [row for row in self.follow(runs, "allegro", "time,ball.com.x,ball.com.y,ball.com.z,hand/palm_link.com.x,hand/palm_link.com.y,hand/palm_link.com.z")
                if row[0] >= 2.4]
        apart = [math.dist(row[1:4], row[4:7]) for row in ball]
        change = 1e3 * (max(apart) - min(apart)) if apart else math.inf
        swung = 1e3 * (max(row[2] for row in ball) - min(row[2] for row in ball)) if ball else 0
        checks = [(f"teddy: the bear, lifted by {lifted:.0f} mm and shaken, slips in the grasp by", f"{slip:.1f} mm (swings by {swing:.1f} mm)", "< 5 mm (20 mm)",
                   slip < 5 and swing < 20 and lifted > 100),
                  (f"allegro: the ball, lifted and shaken over {swung:.0f} mm, comes closer to the palm or leaves it by", f"{change:.1f} mm", "< 30 mm",
                   change < 30 and swung > 200)]
        return checks, html_table(["scene", "lifted or swung over (mm)", "moved in the grasp by (mm)"],
                                  [["teddy", f"{lifted:.0f}", f"{slip:.1f}"], ["allegro", f"{swung:.0f}", f"{change:.1f}"]])


class Threads:
    """The same bits on one thread and two: each scene as `pliant bench` runs it, windows included."""
    title, name = "One thread and two", "threads"

    def plan(self, runs):
        for scene in PAPER:
            runs.expect(f"{scene}-threads1", 12), runs.expect(f"{scene}-threads2", 10)

    def run(self, runs):
        checks, lines = [], []
        for scene in PAPER:
            hashes, rates = [], []
            for threads in (1, 2):
                name = f"{scene}-threads{threads}"
                path = runs.path(name + ".json")
                if runs.run(name, ["bench", "--scene", scene, "--threads", str(threads), "--json", path], [path]):
                    report = load(path)["scenes"][0]
                    hashes.append(report["state_hash"]), rates.append(report["realtime_rate"])
            same = len(hashes) == 2 and hashes[0] == hashes[1]
            checks.append((f"{scene}: state at the end on 1 and 2 threads", " ".join(dict.fromkeys(hashes)) or "-", "same bits", same))
            lines.append([scene, *(hashes + ["-", "-"])[:2], f"{rates[1] / rates[0]:.2f}" if len(rates) == 2 else "-"])
        return checks, html_table(["scene", "state, 1 thread", "state, 2 threads", "rate on 2 over 1"], lines)


class Pictures:
    """A picture of each scene where something happens."""
    title, name = "The scenes", "pictures"
    SHOTS = [  # scene, time, words of the picture
        ("teddy", 2.9, ["--view", "-50,12", "--zoom", "1.25"]), ("allegro", 5.2, ["--zoom", "1.4"]),
        ("arch_mu10", 10, ["--zoom", "1.1"]), ("arch_mu02", 3, ["--zoom", "1.1"]),
        ("cylinder_press", Press.SECONDS + 0.1, ["--view", "-90,75", "--colour", "von_mises"])]

    def plan(self, runs):
        for scene, _, _ in self.SHOTS:
            runs.expect(scene + "-film", 3), runs.expect(scene + "-picture", 1)

    def start(self, runs, scene):
        """Words that take a run to where the film begins: the cylinder's, at the end of the study."""
        if scene != "cylinder_press":
            return []
        Press().curve(runs, scene, "patch")
        return [*Press().words("patch"), "--load", runs.path(scene + "-patch.state")]

    def run(self, runs):
        page, drawn = "", 0
        for scene, at, look in self.SHOTS:
            film, path = runs.path(scene + ".plrec"), runs.path(scene + ".png")
            ran = runs.run(scene + "-film", ["run", scene, *self.start(runs, scene), "--until", str(at), "--record", film], [film])
            if not ran or not runs.run(scene + "-picture", ["export", film, "--png", path, "--size", "960x640", *look], [path]):
                continue
            drawn += 1
            with open(path, "rb") as f:
                data = base64.b64encode(f.read()).decode()
            page += f'<figure><img alt="{scene}" src="data:image/png;base64,{data}"><figcaption><b>{scene}</b> at {at:.3g} s</figcaption></figure>'
        return [("pictures of the five scenes", drawn, str(len(self.SHOTS)), drawn == len(self.SHOTS))], f'<div class="shots">{page}</div>'


class Whole:
    """Whole scenes beside their windows, and the paper's run of the cylinder; about twenty minutes, only when asked for."""
    title, name = "Whole scenes", "whole"

    def plan(self, runs):
        runs.expect("whole", 1400)

    def run(self, runs):
        report, said = runs.path("whole.json"), runs.path("whole.out")
        if not runs.run("whole", ["bench", "--full", "--json", report], [report, said]):
            return [("pliant bench --full", "failed", "runs through", False)], "<p>did not run through</p>"
        text = open(said).read()
        checks = [("pliant bench --full: " + line.split(":")[0], line.split(":", 1)[1].split("(tolerance")[0].strip(), line.split("(tolerance")[1].split(":")[0].strip(),
                   "holds" in line) for line in text.splitlines() if "(tolerance" in line]
        return checks, f'<div class="wide"><pre>{html.escape(text)}</pre></div>'
