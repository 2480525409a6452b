"""results/solvers.md: solvers.py SOLVERS FOLDER BUDGET ROUNDS PROBLEM…, one process an arm and a round, in turns."""
import json
import os
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
from intervals import interval_of_median  # noqa: E402

solvers, folder, budget, rounds, problems = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5:]
environment = dict(os.environ, OMP_PROC_BIND="true")
arms = {"cg": ["plan", "mkl", "loop"], "steps": ["plan", "plan-viewed", "mkl", "mkl-updated", "mkl-remade", "mkl-silent", "loop"]}


def once(what, problem, arm):
    """The answer of one process; its words where it has none, or a wrong one."""
    done = subprocess.run([solvers, what, problem, arm, folder], capture_output=True, text=True, env=environment)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if done.returncode == 1:
        return "wrong answer, error {:.1e}".format(json.loads(done.stdout)["error"])
    return done.stderr.strip()


processor = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
print(f"""# Solvers with a plan, with MKL, and with the plain loop

Regenerate with `tests/bench/solvers.sh`: an OpenMP program with `OMP_PROC_BIND=true` (`tests/bench/solvers.cpp`), whose own
loops are the same in every arm. *cg*: an iteration of conjugate gradients. *steps*: a product with new values each time, the
time in which the values are computed and handed over with it. Each matrix was tuned for {budget}; the plan runs on OpenMP's
threads, and `plan-viewed` reads the program's values where they are. `mkl` was told of 100 000 calls and of all the memory that
it wants; new values go in by its function for that (`mkl-updated`: without having been told anything; `mkl-remade`: by a new
handle of the program's arrays; `mkl-silent`: the arrays of the handle are changed, and MKL is told nothing). Microseconds:
median of {rounds} processes a kind, in turns. Speed of the plan, and of the one that views the values, over another: the median
of the ratios of the rounds, with its interval.

Machine: {processor.group(1) if processor else "unknown"}, {os.cpu_count()} processing units.
""")
print("| what | matrix | arm | an iteration, µs | the plan is so many times as fast | viewing the values | error |")
print("|---|---|---|---:|---:|---:|---:|")
said = {}
for what in arms:
    for problem in problems:
        answers = {arm: [] for arm in arms[what]}
        for turn in range(rounds):
            order = arms[what][turn % len(arms[what]):] + arms[what][:turn % len(arms[what])]
            for arm in order:
                if not any(isinstance(a, str) for a in answers[arm]):
                    answers[arm].append(once(what, problem, arm))
        name = re.sub(r"matrix=.*/|\.mtx(\.gz)?$|^gen=", "", problem)
        for arm in arms[what]:
            got = answers[arm]
            if isinstance(got[-1], str):
                print(f"| {what} | {name} | {arm} | – | – | – | {got[-1]} |")
                continue
            speeds = []
            for plan in ("plan", "plan-viewed"):
                if plan not in answers:
                    speeds.append("")
                    continue
                if isinstance(answers[plan][-1], str):
                    sys.exit(f"the plan failed: {answers[plan][-1]}")
                ratios = [a["us"] / p["us"] for a, p in zip(got, answers[plan])]
                speeds.append("1" if arm == plan else "{:.2f} [{:.2f}, {:.2f}]".format(*interval_of_median(ratios)))
            us = statistics.median(a["us"] for a in got)
            print(f"| {what} | {name} | {arm} | {us:.1f} | {speeds[0]} | {speeds[1]} | {max(a['error'] for a in got):.0e} |")
            said.setdefault((arm, got[0]["what"]), []).append(name)
print()
for (arm, words), names in said.items():
    print(f"- {arm} ({', '.join(dict.fromkeys(names))}): {words}")
