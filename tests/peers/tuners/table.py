"""Rows of results/peers_tuners.md: table.py EXPORT BUDGET ARM=LOG[,LOG…]…

EXPORT is an exhaustive tune (`rooftune export --format rooftune`), whose medians say how fast each variant is."""
import json
import statistics
import sys

export, budget = json.load(open(sys.argv[1])), float(sys.argv[2])
names = [p["name"] for p in export["parameters"]]
seconds = {}
for v in export["variants"]:
    if not v["seconds"] or v["outcome"] not in ("measured", "raced_out"):
        continue
    values = {p["name"]: str(p["values"][i]) for p, i in zip(export["parameters"], v["values"])}
    seconds[json.dumps(values, sort_keys=True)] = statistics.median(v["seconds"])
best = min(seconds.values())
good = sum(s <= 1.05 * best for s in seconds.values())
print(f"Of {len(seconds)} variants {good} are within 5 % of the best, {1e6 * best:.0f} µs.\n")
print("| tuner | seconds to within 5 % of the best: median of seeds | each seed | evaluations a minute | "
      "best at the end, over the best of all: median |")
print("|---|---:|---|---:|---:|")
for word in sys.argv[3:]:
    arm, logs = word.split("=")
    to, rates, ends = [], [], []
    for path in logs.split(","):
        lines = [json.loads(line) for line in open(path)]
        lines = [line for line in lines if line["seconds"] <= budget]
        known = [(line["seconds"], seconds[line["variant"]]) for line in lines if line["variant"] in seconds]
        if len(known) * 10 < len(lines) * 9:
            sys.exit(f"{path}: names variants that the exhaustive tune does not have")
        to.append(min((at for at, s in known if s <= 1.05 * best), default=float("inf")))
        rates.append(60 * len(lines) / budget)
        ends.append(min(s for _, s in known) / best if known else float("inf"))
    text = [f"{t:.1f}" if t < budget else f"> {budget:.0f}" for t in to]
    # A run that did not get there counts as the budget: the median is then at least so long.
    middle = statistics.median(min(t, budget) for t in to)
    late = sorted(to)[len(to) // 2] >= budget
    print(f"| {arm} | {'> ' if late else ''}{middle:.1f} | {', '.join(text)} | "
          f"{statistics.median(rates):.0f} | {statistics.median(ends):.3f} |")
