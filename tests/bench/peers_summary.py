"""All comparisons of one kind in a table: the tuned and the default variant over the best of the others.

usage: peers_summary.py FILE…    documents that `rooftune peers … --out FILE` wrote

A ratio is that of each round, the median with its interval; the best peer is the one whose median time is the least.
"""

import json
import math
import sys


def row_of(document):
    arms = {arm["name"]: arm for arm in document["arms"] if "seconds" in arm}
    peers = [arm for arm in arms.values() if arm["peer"]]
    if not peers:
        return [document["title"], "none was measured", "not compared", "not compared"], [None, None]
    best = min(peers, key=lambda arm: arm["seconds"]["median"])
    cells, ratios = [document["title"], best["name"]], []
    for name in ("tuned", "default"):
        over = arms.get(name, {}).get("speed_over", {}).get(best["name"])
        ratios.append(over["median"] if over else None)
        cells.append(f"{over['median']:.2f}× [{over['low']:.2f}, {over['high']:.2f}]" if over else "not measured")
    return cells, ratios


def mean(values):
    known = [v for v in values if v]
    return f"{math.exp(sum(map(math.log, known)) / len(known)):.2f}×" if known else "none"


def main(paths):
    rows = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            rows.append(row_of(json.load(file)))
    print("\n## All of them, over the best of the others in each\n")
    print("| problem | best of the others | tuned | default |")
    print("|---|---|---:|---:|")
    for cells, _ in rows:
        print("| " + " | ".join(cells) + " |")
    tuned = [ratios[0] for _, ratios in rows]
    fallback = [ratios[1] for _, ratios in rows]
    print(f"| geometric mean | | {mean(tuned)} | {mean(fallback)} |")
    known = [ratio for ratio in tuned if ratio]
    if known:
        left_out = f"; {len(rows) - len(known)} not compared" if len(known) < len(rows) else ""
        print(f"\nThe least of the tuned: {min(known):.2f}×; at least as fast as every other in "
              f"{sum(1 for ratio in known if ratio >= 1.0)} of {len(rows)}{left_out}.")


main(sys.argv[1:])
