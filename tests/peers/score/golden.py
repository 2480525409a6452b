"""The package's scores of the spaces and runs of tests/unit/replay/score_test.cpp, which follow from the same formulas.

usage: golden.py FOLDER

FOLDER is for files in between. Prints for each case the evaluations compared over and the scores of both kinds of runs.
"""

import shutil
import sys
from pathlib import Path

import compare
from synthetic import draw

RUNS, N = 100, 120


def power(i, exponent):
    """Times of 10 to 20: the larger the exponent, the more of them near 10."""
    return 10.0 + 10.0 * draw(i) ** exponent


def spread(i):
    return 5.0 + 100.0 * draw(i)


# Name, time of a configuration in ms, its cost in seconds, whether it fails, and which runs. Where the budget is three
# evaluations, the package's score of random sampling scatters too widely for a golden figure.
CASES = [
    ("soon", lambda i: power(i, 8), lambda i: 0.5, lambda i: False, (3,)),
    ("soon, best of 1.9 ms", lambda i: 0.19 * power(i, 8), lambda i: 0.5, lambda i: False, (3,)),
    ("soon, best of 19 µs", lambda i: 0.0019 * power(i, 8), lambda i: 0.5, lambda i: False, (3,)),
    ("few evaluations", lambda i: power(i, 4), lambda i: 0.3 + 0.1 * draw(i + 1000), lambda i: False, (1, 3)),
    ("a fifth fails", lambda i: power(i, 4), lambda i: 0.3 + 0.1 * draw(i + 1000), lambda i: i % 5 == 4, (1, 3)),
    ("spread evenly", spread, lambda i: 0.1 + 0.9 * draw(i + 1000) ** 3, lambda i: False, (1, 3)),
    ("the best often", lambda i: 10.0 if i % 5 == 0 else 11.0 + 20.0 * draw(i), lambda i: 0.5, lambda i: False, (1, 3)),
]


def run(recorded, number, best_of):
    """Each evaluation is of the first to come of `best_of` drawn: with 1 as random sampling, with 3 better."""
    configurations, spent, seconds = [], [], 0.0
    for k in range(60):
        drawn = [int(N * draw(100000 + (number * 60 + k) * 3 + b)) for b in range(best_of)]
        point = min(drawn, key=lambda p: recorded[p]["seconds"] or 1e9)
        seconds += recorded[point]["cost"]
        configurations.append(point)
        spent.append(seconds)
    return {"configurations": configurations, "spent": spent}


def main():
    folder = Path(sys.argv[1])
    for name, time_of, cost_of, fails, kinds in CASES:
        recorded = [
            {"seconds": None if fails(i) else time_of(i) / compare.MILLISECONDS, "cost": cost_of(i)} for i in range(N)
        ]
        strategies = [
            {"strategy": f"best of {best_of}", "runs": [run(recorded, number, best_of) for number in range(RUNS)]}
            for best_of in kinds
        ]
        shutil.rmtree(folder, ignore_errors=True)
        window, scores = compare.package_scores({"recorded": recorded, "strategies": strategies}, folder)
        told = [
            f"{kind}: {scored}" if isinstance(scored, str) else f"{kind}: {sum(scored) / len(scored):.3f} of {len(scored)}"
            for kind, scored in scores.items()
        ]
        print(f"{name}: {window}; " + "; ".join(told), flush=True)


if __name__ == "__main__":
    main()
