"""benches.py SOURCE BENCHES: a slice of every benchmark's checks, as benches.txt lists them; times are not judged."""
import glob
import os
import resource
import subprocess
import sys

from report import Report


def read_list(path):
    rows = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split()
            if words and words[0] in ("run", "fails", "other"):
                rows.append(words)
    return rows


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def refuses_unknown_instructions(command, environment):
    """An instruction set that does not exist is named and ends the benchmark before it measures anything."""
    run = subprocess.run(command, env=dict(environment, PLIANT_ISA="avx1024"), capture_output=True, text=True, check=False)
    named = "PLIANT_ISA" in run.stdout + run.stderr
    return [] if run.returncode > 0 and named else [f"exit {run.returncode}, PLIANT_ISA {'named' if named else 'not named'}"]


def refuses_unknown_words(program, environment):
    """A word that the benchmark does not know ends it with exit status 2 before it measures anything; the usage is printed, or the word."""
    try:
        run = subprocess.run([program, "--no-such-word"], env=environment, capture_output=True, text=True, check=False, timeout=20)
    except subprocess.TimeoutExpired:
        return ["it runs"]
    said = run.stdout + run.stderr
    told = "usage" in said or "--no-such-word" in said
    return [] if run.returncode == 2 and told else [f"exit {run.returncode}, {'' if told else 'no '}message"]


def main():
    source, benches = sys.argv[1:3]
    report = Report("benches")
    here = os.path.dirname(os.path.abspath(__file__))
    rows = read_list(os.path.join(here, "benches.txt"))
    names = {os.path.basename(path)[:-2] for path in glob.glob(os.path.join(source, "bench", "*.c"))}
    report.check("benches.txt", [f"bench/{name}.c is not listed" for name in sorted(names - {row[1] for row in rows})])
    environment = dict(os.environ, PLIANT_BENCH_TIMES="0")
    for kind, name, *arguments in rows:
        if kind == "other":
            continue
        before = processor_time()
        command = [os.path.join(benches, name)] + [a.replace("SOURCE", source) for a in arguments]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        print(f"{kind:6} {name} {' '.join(arguments)}: exit {run.returncode}, {processor_time() - before:.1f} s of processor time")
        wanted = 1 if kind == "fails" else 0
        last = run.stdout.splitlines()[-5:] + run.stderr.splitlines()[-3:]
        report.check(" ".join([name] + arguments), [] if run.returncode == wanted else [f"exit {run.returncode}"] + last)
    listed = {name: [os.path.join(benches, name)] + [a.replace("SOURCE", source) for a in arguments] for kind, name, *arguments in rows if kind != "other"}
    for name, command in listed.items():
        report.check(f"PLIANT_ISA=avx1024 {name}", refuses_unknown_instructions(command, environment))
        report.check(f"{name} --no-such-word", refuses_unknown_words(command[0], environment))
    print(f"{processor_time():.0f} s of processor time in all")
    report.end()


main()
