"""results/multivector.md: multivector.py PROGRAM FOLDER BUDGET ROUNDS PROBLEM…, one process a library and a round, in turns."""
import json
import os
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
from intervals import interval_of_median  # noqa: E402

program, folder, budget, rounds, problems = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5:]
counts = [2, 4, 8, 16]
ways = ["alone", "columns", "side by side"]


def once(library, problem):
    """What a process says; its words where it has no answer."""
    words = [program, library, problem, ",".join(map(str, counts)), folder]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode == 1:
        sys.exit(f"{library}, {problem}: a wrong answer: {done.stdout}")
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


processor = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
print(f"""# Products with several vectors

Regenerate with `tests/bench/multivector.sh`. Each matrix was tuned for {budget}, for products with one vector. *alone*: as many
runs, one after the other; *columns*: all at once, vectors in columns; *side by side*: the columns of a row-major matrix.
MKL's inspector was told of 100 000 calls of the kind and of all the memory that it wants. Milliseconds for all vectors: median of
{rounds} processes a library, in turns, within which the three ways take turns. *at once* is the time alone over that in columns
and side by side, *over MKL* MKL's time over the plan's in the same order: medians of the ratios of the rounds, with intervals.

Machine: {processor.group(1) if processor else "unknown"}, {os.cpu_count()} processing units.
""")
print("| matrix | vectors | plan, ms: alone | columns | side by side | MKL, ms: alone | columns | side by side "
      "| at once: columns | side by side | over MKL: alone | columns | side by side |")
print("|---|---:" + "|---:" * 11 + "|")
said = []
for problem in problems:
    answers = {"plan": [], "mkl": []}
    for turn in range(rounds):
        for library in ("plan", "mkl") if turn % 2 == 0 else ("mkl", "plan"):
            answers[library].append(once(library, problem))
    if isinstance(answers["plan"][-1], str):
        sys.exit(f"the plan failed: {answers['plan'][-1]}")
    name = re.sub(r"matrix=.*/|\.mtx(\.gz)?$|^gen=", "", problem)
    mkl = not any(isinstance(a, str) for a in answers["mkl"])

    def times(library, at, way):
        return [a["results"][at][way] for a in answers[library]]

    def ratio(above, below):
        return "{:.2f} [{:.2f}, {:.2f}]".format(*interval_of_median([a / b for a, b in zip(above, below)]))

    for at, count in enumerate(counts):
        cells = [name, str(count)]
        for library in ("plan", "mkl"):
            for way in ways:
                known = library == "plan" or mkl
                cells.append("{:.3f}".format(statistics.median(times(library, at, way)) / 1e3) if known else "–")
        cells += [ratio(times("plan", at, "alone"), times("plan", at, way)) for way in ways[1:]]
        cells += [ratio(times("mkl", at, way), times("plan", at, way)) if mkl else "–" for way in ways]
        print("| " + " | ".join(cells) + " |")
    said.append(f"- {name}: {answers['plan'][0]['what']}")
    said.append(f"- {name}, MKL: {answers['mkl'][0]['what'] if mkl else answers['mkl'][-1]}")
print()
print("\n".join(said))
