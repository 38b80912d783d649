"""Runs one scene in one engine and returns what it measured: {ms, steps, contacts, samples, error}. Times are CPU time of one thread."""
import csv, glob, json, os, shutil, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
WHEELS = ["drake==1.58.0", "mujoco==4.0.0", "pyyaml==6.0.3"]
OLDEST = (3, 12)  # Python that Drake's wheel needs


def newest_python():
    """A Python that the wheels are made for: this one, one of the search path, or one of pyenv."""
    names = [sys.executable] + [shutil.which(f"python3.{minor}") for minor in (12, 13, 14)] + sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.1[234].*/bin/python")))
    for name in filter(None, names):
        test = subprocess.run([name, "-c", f"import sys, venv; sys.exit(sys.version_info < {OLDEST})"], capture_output=True)
        if test.returncode == 0:
            return name
    sys.exit("compare: Drake's wheel needs Python 3.12 or newer, and there is none; --ours-only runs Pliant alone")


def runs(*words):
    """Whether a command can be started and ends with exit status 0."""
    return shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True).returncode == 0


def environment(folder):
    """A Python with the peers' wheels in it. An environment whose making was interrupted has no pip and is made again."""
    python = os.path.join(folder, "bin", "python")
    if not runs(python, "-m", "pip", "--version"):
        print(f"putting {', '.join(WHEELS)} into {folder}", file=sys.stderr)
        subprocess.run([newest_python(), "-m", "venv", "--clear", folder], check=True)
    if not runs(python, "-c", "import pydrake, mujoco, yaml"):
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *WHEELS], check=True)
    return python


def soft_bodies(scene):
    """Names of a scene's soft bodies. This is written without a YAML reader: Pliant's own row needs nothing but Python."""
    names, inside = [], False
    for line in open(scene):
        if line[:1].isalpha():
            inside = line.startswith("deformables:")
        elif inside and line.startswith("  - name:"):
            names.append(line.split(":", 1)[1].strip())
    return names


class Engines:
    def __init__(self, pliant, rigid, work, python):
        self.pliant, self.rigid, self.work, self.python = pliant, rigid, work, python

    def scene(self, name):
        return os.path.join(HERE, "scenes", name + ".yaml")

    def path(self, name):
        return os.path.join(self.work, name)

    def report(self, words, name):
        """Runs a command that writes a JSON report and returns it; the end of what it printed is the error if it wrote none."""
        path = self.path(name)
        if os.path.exists(path):
            os.remove(path)
        done = subprocess.run([*words, path], cwd=self.work, capture_output=True, text=True)
        if not os.path.exists(path) or not os.path.getsize(path):
            tail = (done.stderr or done.stdout).strip().splitlines()
            return {"error": tail[-1][:200] if tail else f"exit status {done.returncode}", "ms": None, "steps": 0, "contacts": None, "samples": []}
        return json.load(open(path))

    def ours(self, name, words, law, more=(), seconds=None):
        """more: vector signals to sample besides the bodies' centres of mass and contact forces."""
        bodies = soft_bodies(self.scene(name))
        vectors = [*(f"{b}.com" for b in bodies), *(f"{b}.contact_force" for b in bodies), *more]
        signals = ["time", "report.contacts", *vectors]
        r = self.report([self.pliant, "run", self.scene(name), *words, "--set", f"options.contact_law={law}", "--set", "options.friction_sigma=1e-3",
                         *(["--until", str(seconds)] if seconds else []), "--threads", "1", "--quiet", "--csv", self.path("ours.csv"),
                         "--signals", ",".join(signals), "--json"], "ours.json")
        if "cpu_s" not in r:
            return r
        rows = list(csv.reader(open(self.path("ours.csv"))))
        column = {head.split(" [")[0]: i for i, head in enumerate(rows[0])}
        samples = []
        for row in rows[1:]:
            sample = {"time": float(row[column["time"]])}
            for v in vectors:
                sample[v] = [float(row[column[f"{v}.{c}"]]) for c in "xyz"]
            sample.update({b: sample[b + ".com"] for b in bodies})
            samples.append(sample)
        contacts = [float(row[column["report.contacts"]]) for row in rows[2:]]
        return {"ms": 1e3 * r["cpu_s"] / max(1, r["steps"]), "steps": r["steps"], "contacts": sum(contacts) / max(1, len(contacts)),
                "samples": samples, "error": "did not converge" if r["unconverged_steps"] else None, "dofs": r["dofs"]}

    def drake(self, name):
        return self.report([self.python, os.path.join(HERE, "drake_scene.py"), "--work", self.work, self.scene(name)], "drake.json")

    def mujoco(self, name):
        return self.report([self.python, os.path.join(HERE, "mujoco_scene.py"), "--work", self.work, self.scene(name)], "mujoco.json")

    def ours_rigid(self, name, steps):
        r = self.report([self.rigid, "--scene", name, "--rounds", "1", "--steps", str(steps), "--files", self.work, "--json"], "ours.json")
        return r if isinstance(r, dict) else {"ms": 1e-3 * r[0]["ours_us"], "steps": steps, "dofs": r[0]["dofs"], "contacts": None, "samples": [], "error": None}

    def mujoco_rigid(self, name, steps):
        """The file that the benchmark of rigid bodies wrote for its own run."""
        return self.report([self.python, os.path.join(HERE, "mujoco_scene.py"), "--steps", str(steps), self.path(name + ".xml")], "mujoco.json")
