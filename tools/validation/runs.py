"""Runs of the pliant command: kept in a folder and not repeated, with progress while they go on."""
import hashlib, json, os, re, subprocess, sys, time


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def minutes(seconds):
    return f"{seconds / 60:.1f} min" if seconds >= 90 else f"{seconds:.0f} s"


class Runs:
    """Runs in a folder. A run's files are named after it; one whose command, program and scenes are the same as last time is kept."""

    def __init__(self, pliant, scenes, folder, fresh):
        self.pliant, self.folder, self.fresh, self.plan, self.done, self.spent = pliant, folder, fresh, {}, 0.0, 0.0
        os.makedirs(folder, exist_ok=True)
        self.stamp = hashlib.sha256(open(pliant, "rb").read())
        for path in sorted(os.path.join(at, name) for at, _, names in os.walk(scenes) for name in names):
            self.stamp.update(open(path, "rb").read())

    def path(self, name):
        return os.path.join(self.folder, name)

    def expect(self, name, seconds):
        """Adds a run to what is still to do, with its time on a quiet core."""
        self.plan[name] = seconds

    def kept(self, name, words):
        """The file that marks a run as done, and what it holds then."""
        stamp = self.stamp.copy()
        stamp.update(" ".join(words).encode())
        return self.path(name + ".stamp"), stamp.hexdigest()

    def run(self, name, words, files):
        """pliant WORDS, which writes files; True if they are there. Its progress is shown with the time left for everything."""
        mark, stamp = self.kept(name, words)
        expected = self.plan.pop(name, 0)
        if not self.fresh and self.read(mark)[0] == stamp and all(os.path.exists(f) for f in files):
            return True
        for f in [mark, *files]:
            if os.path.exists(f):
                os.remove(f)
        say(f"{name}; about {minutes(self.left(expected))} left in all")
        begin = time.time()
        said = open(self.path(name + ".out"), "w")
        child = subprocess.Popen([self.pliant, *words], stdout=said, stderr=subprocess.PIPE, text=True)
        last = ""
        for line in child.stderr:
            last = line.strip()
            left = re.search(r"about (\d+) s left", last)
            if left:
                share = min(expected, float(left[1]) / self.pace())
                say(f"  {name}: {last}; about {minutes(self.left(share))} in all")
        code, seconds = child.wait(), time.time() - begin
        said.close()
        self.done += expected
        self.spent += seconds
        if code:
            say(f"pliant {' '.join(words)}: {last}")
            return False
        if all(os.path.exists(f) for f in files):
            with open(mark, "w") as f:
                f.write(f"{stamp} {seconds:.1f}")
        return True

    @staticmethod
    def read(mark):
        if not os.path.exists(mark):
            return "", "0"
        with open(mark) as f:
            return f.read().split()

    def seconds(self, name):
        """How long the run took."""
        return float(self.read(self.path(name + ".stamp"))[1])

    def pace(self):
        """Seconds here for a second of the plan."""
        return max(0.2, self.spent / self.done) if self.done else 1.0

    def left(self, current):
        return (current + sum(self.plan.values())) * self.pace()


def load(path):
    with open(path) as f:
        return json.load(f)


def table(path):
    """Rows of numbers of a table of signals."""
    with open(path) as f:
        next(f)
        return [[float(x) for x in line.split(",")] for line in f]
