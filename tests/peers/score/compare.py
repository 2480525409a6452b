"""Our score of strategies beside that of the auto-tuning association's own package, on the same runs.

usage: compare.py PROGRAM FOLDER SPACE...

PROGRAM is rooftune, FOLDER is for files in between. `rooftune replay --trajectories` makes the runs; the package
(autotuning-methodology) gets the space and the runs, and nothing else of ours. Prints a Markdown table and ends with
status 1 where a score differs by more than it may.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
from autotuning_methodology.baseline import RandomSearchCalculatedBaseline
from autotuning_methodology.caching import ResultsDescription
from autotuning_methodology.curves import StochasticOptimizationAlgorithm
from autotuning_methodology.report_experiments import get_strategies_aggregated_performance
from autotuning_methodology.searchspace_statistics import SearchspaceStatistics

# The package's own defaults (experiments_defaults.json).
FIRST, LAST, RESOLUTION, CONFIDENCE = 0.01, 0.95, 1000, 0.95
# The package draws from an unseeded generator. What is quoted is the mean of at least three of its scores, and of as
# many more as it takes until the mean's standard error is this, but not of more than TIMES.
TIMES = int(os.environ.get("TIMES", "60"))
STANDARD_ERROR = 0.003
RUNS = int(os.environ.get("RUNS", "100"))
STRATEGIES = os.environ.get("STRATEGIES", "random exhaustive genetic surrogate").split()
SCORES_DIFFER_BY = 0.02
RANDOM_IS_WITHIN = 0.05
MILLISECONDS = 1e3


# It warns of what is usual here: runs that end where the budget does.
warnings.simplefilter("ignore")


def replay(program, space):
    """The document of `rooftune replay` with every run of every strategy."""
    command = [program, "replay", space, "--json", "--trajectories", "--quiet", "--runs", str(RUNS)]
    for strategy in STRATEGIES:
        command += ["--strategy", strategy]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def statistics(document, folder):
    """The space, by way of a T4 file, as the package sees it."""
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    for recorded in document["recorded"]:
        works = recorded["seconds"] is not None
        value = recorded["seconds"] * MILLISECONDS if works else "RuntimeFailedConfig"
        results.append(
            {
                "times": {"compilation": recorded["cost"] * MILLISECONDS},
                "invalidity": "correct" if works else "runtime",
                "measurements": [{"name": "time", "value": value, "unit": "ms"}],
                "objectives": ["time"],
            }
        )
    path = folder / "space_T4.json"
    t4 = {"schema_version": "1.0.0", "metadata": {"timeunit": "milliseconds"}, "results": results}
    path.write_text(json.dumps(t4))
    return SearchspaceStatistics("space", "device", True, ["compilation"], ["time"], path, full_validate=False)


def algorithm(document, strategy, folder):
    """The runs of a strategy as the package keeps them: a row for each evaluation, a column for each run."""
    runs = strategy["runs"]
    rows = max(len(run["spent"]) for run in runs)
    shape = (rows, len(runs))
    evaluations, spent, values, best = (np.full(shape, np.nan) for _ in range(4))
    for column, run in enumerate(runs):
        least = math.inf
        for row, (point, seconds) in enumerate(zip(run["configurations"], run["spent"])):
            evaluations[row, column] = row + 1
            spent[row, column] = seconds
            value = document["recorded"][point]["seconds"]
            if value is not None:
                values[row, column] = value * MILLISECONDS
                least = min(least, value * MILLISECONDS)
            if least < math.inf:
                best[row, column] = least
    described = ResultsDescription(
        run_folder=folder / strategy["strategy"],
        application_name="space",
        device_name="device",
        group_name=strategy["strategy"],
        group_display_name=strategy["strategy"],
        stochastic=True,
        objective_time_keys=["compilation"],
        objective_performance_keys=["time"],
        minimization=True,
    )
    described.set_results(
        {
            "fevals_results": evaluations,
            "objective_time_results": spent,
            "objective_performance_results": values,
            "objective_performance_best_results": best,
            "objective_performance_stds": np.full(shape, np.nan),
            "objective_time_results_per_key": spent[np.newaxis],
            "objective_performance_results_per_key": values[np.newaxis],
        }
    )
    return StochasticOptimizationAlgorithm(described)


def standard_error(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def scores_of(baseline, curve, space, grid):
    """The package's scores of one strategy, of one draw after the other."""
    drawn = []
    while len(drawn) < TIMES and (len(drawn) < 3 or standard_error(drawn) > STANDARD_ERROR):
        np.random.seed(len(drawn))
        aggregated = get_strategies_aggregated_performance([(baseline, [curve], space, grid, None)], CONFIDENCE)
        drawn.append(float(np.mean(aggregated[0][0])))
    return drawn


def package_scores(document, folder):
    """For each strategy the scores of the package, one for each draw, or why it gives none."""
    try:
        space = statistics(document, folder)
        first, last, begin, end = space.cutoff_point_fevals_time_start_end(FIRST, LAST)
    except ValueError as error:
        return "", {s["strategy"]: str(error.args[0]) for s in document["strategies"]}
    grid = np.linspace(begin, end, RESOLUTION)
    baseline = RandomSearchCalculatedBaseline(space)
    scores = {}
    for strategy in document["strategies"]:
        curve = algorithm(document, strategy, folder)
        try:
            scores[strategy["strategy"]] = scores_of(baseline, curve, space, grid)
        except ValueError as error:
            scores[strategy["strategy"]] = str(error.args[0]).split(":")[0].split(",")[0]
    return f"{first:g} to {last:g}", scores


def figure(score):
    return "none" if score is None else f"{score:.3f}"


def main():
    program, folder, spaces = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    heads = ["space", "evaluations", "strategy", "rooftune", "package", "of", "range", "difference"]
    print("| " + " | ".join(heads) + " |")
    print("|---|---|---|---:|---:|---:|---:|---:|")
    faults, widest, compared, refused = [], 0.0, 0, 0
    for path in spaces:
        place = folder / "package"
        shutil.rmtree(place, ignore_errors=True)
        document = replay(program, path)
        name = "/".join(Path(path).parts[-2:])
        window, scores = package_scores(document, place)
        for strategy in document["strategies"]:
            ours, theirs = strategy["arithmetic"], scores[strategy["strategy"]]
            line = [name, window, strategy["strategy"], figure(ours)]
            if isinstance(theirs, str):
                refused += 1
                print("| " + " | ".join(line + [f"none: {theirs}", "", "", ""]) + " |", flush=True)
                continue
            compared += 1
            mean = sum(theirs) / len(theirs)
            apart = math.inf if ours is None else abs(ours - mean)
            widest = max(widest, apart)
            span = f"{min(theirs):.3f} … {max(theirs):.3f}"
            print("| " + " | ".join(line + [figure(mean), str(len(theirs)), span, f"{apart:.3f}"]) + " |", flush=True)
            if apart > SCORES_DIFFER_BY:
                faults.append(f"{name}, {strategy['strategy']}: {ours} here, {mean} there")
            near = strategy["strategy"] == "random" and abs(mean) <= RANDOM_IS_WITHIN
            if near and (ours is None or abs(ours) > RANDOM_IS_WITHIN):
                faults.append(f"{name}: random scores {ours} here, and is near 0 there ({mean})")
    print(f"\n{compared} scores compared, {refused} that the package does not give; the largest difference is {widest:.3f}.")
    for fault in faults:
        print(f"compare.py: {fault}", file=sys.stderr)
    if not compared:
        print("compare.py: nothing was compared", file=sys.stderr)
    return 1 if faults or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
