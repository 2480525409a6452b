"""Products and conjugate gradients over scipy's CSR arrays, by scipy and by a plan, in turn: python_cg.py FOLDER MATRIX...

FOLDER has the tuned configs. Prints rows for results/python_cg.md. Each of the processes is this program with --once before
its arguments: where arrays happen to lie is drawn anew, and the median of a process's rounds counts once."""
import inspect
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy.io
import scipy.sparse.linalg

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples"))
import cg  # noqa: E402  (found by the path above)

PROCESSES = 15
# Sorted, the 4th and the 12th of 15 medians hold the median of all between them in 96 % of cases.
LOW, HIGH = 3, 11
ROUNDS = 7
ITERATIONS = 200
# Of symmetric positive definite matrices; of others the product alone.
DEFINITE = ("bcsstk16", "1138_bus")


def name_of(file):
    return os.path.basename(file).split(".")[0]


def seconds(act):
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def compare(scipys, plans):
    """Seconds of scipy's and of the plan's, and the medians of their ratios, in turns of scipy, plan, plan, scipy."""
    scipys(), plans()
    ratios, of_scipy, of_plan = [], [], []
    for _ in range(ROUNDS):
        theirs = seconds(scipys)
        ours = seconds(plans) + seconds(plans)
        theirs += seconds(scipys)
        ratios.append(theirs / ours)
        of_scipy.append(theirs / 2)
        of_plan.append(ours / 2)
    return statistics.median(of_scipy), statistics.median(of_plan), statistics.median(ratios)


def repeated(act, times):
    def run():
        for _ in range(times):
            act()
    return run


def once(folder, files):
    tuned = cg.Tuned(cg.Library(), folder)
    tolerance = "rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.cg).parameters else "tol"
    for file in files:
        matrix = scipy.io.mmread(file).tocsr().astype(np.float64)
        plan = cg.SpmvPlan(tuned, matrix)
        x = np.random.default_rng(1).standard_normal(matrix.shape[1])
        y = np.empty(matrix.shape[0])
        plan.run(x, y)
        # Sums in another order: what rounding can differ by.
        if not np.all(np.abs(y - matrix @ x) <= 1e-12 * (abs(matrix) @ np.abs(x))):
            sys.exit(f"{file}: the plan's product is another than scipy's")
        times = max(1, int(0.02 / seconds(lambda: matrix @ x)))
        rows = {"product": [t / times if i < 2 else t for i, t in enumerate(
            compare(repeated(lambda: matrix @ x, times), repeated(lambda: plan.run(x, y), times)))]}
        if name_of(file) in DEFINITE:
            b = matrix @ np.ones(matrix.shape[0])
            # Not solved, but iterated as often by both: a tolerance that neither reaches.
            options = {tolerance: 1e-300, "atol": 0.0, "maxiter": ITERATIONS}

            def by_scipy():
                scipy.sparse.linalg.cg(matrix, b, **options)

            def by_plan():
                if cg.solve(plan.run, b, 0.0, ITERATIONS)[1] != ITERATIONS:
                    sys.exit(f"{file}: solved before {ITERATIONS} iterations; lower the number")

            def by_loop():
                cg.solve(lambda p, out: np.copyto(out, matrix @ p), b, 0.0, ITERATIONS)

            rows["cg"] = compare(by_scipy, by_plan)
            rows["loop"] = compare(by_loop, by_plan)
        print(json.dumps({"name": name_of(file), "rows": rows, "entries": int(matrix.nnz), "plan": plan.variant,
                          "why": plan.why}))


WORDS = {"product": "a product", "cg": f"{ITERATIONS} iterations: scipy's `cg`, and `cg.py` with the plan",
         "loop": f"{ITERATIONS} iterations of `cg.py`: with scipy's product, and with the plan"}


def main(folder, files):
    seen = {}
    for _ in range(PROCESSES):
        child = subprocess.run([sys.executable, os.path.abspath(__file__), "--once", folder, *files], stdout=subprocess.PIPE,
                               text=True)
        if child.returncode:
            sys.exit(f"a process ended with status {child.returncode}")
        for line in child.stdout.splitlines():
            row = json.loads(line)
            seen.setdefault(row["name"], []).append(row)
    print("| matrix | what | scipy, ms | plan, ms | scipy over plan |")
    print("|---|---|---:|---:|---:|")
    for name, rows in seen.items():
        for what in rows[0]["rows"]:
            scipys, plans, ratios = (sorted(row["rows"][what][i] for row in rows) for i in range(3))
            print(f"| {name}, {rows[0]['entries']} entries | {WORDS[what]} | {1e3 * statistics.median(scipys):.3f} | "
                  f"{1e3 * statistics.median(plans):.3f} | {statistics.median(ratios):.2f} [{ratios[LOW]:.2f}, {ratios[HIGH]:.2f}] |")
    print()
    for name, rows in seen.items():
        print(f"- {name}: {rows[0]['plan']}; {rows[0]['why']}.")


if __name__ == "__main__":
    if sys.argv[1] == "--once":
        once(sys.argv[2], sys.argv[3:])
    else:
        main(sys.argv[1], sys.argv[2:])
