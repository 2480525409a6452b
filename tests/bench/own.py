"""One row of results/own.md: own.py OWN_CHECK NAME FOLDER, where the sources lie in FOLDER, NAME.all.json and NAME.tuned.json are results of tunes,
NAME.export.json is the store of the first and NAME.compare.json a comparison of both. Status 1 where a bound was beaten."""
import json
import subprocess
import sys

sys.dont_write_bytecode = True
from intervals import interval_of_median  # noqa: E402

check, name, folder = sys.argv[1:]


def load(what):
    with open(f"{name}.{what}.json") as file:
        return json.load(file)


def in_rotation():
    """What the tune found over the winner of all, in the rounds in which the exhaustive tune measured every variant once."""
    export = load("export")

    def times(variant):
        for v in export["variants"]:
            values = {p["name"]: str(p["values"][i]) for p, i in zip(export["parameters"], v["values"]) if i is not None}
            if values == variant:
                return v["seconds"] if v["role"] == "settle" else []
        return []

    ours, best = times(tuned["best"]["variant"]), times(whole["best"]["variant"])
    if not ours or len(ours) != len(best):
        return "–"
    return "{:.3f} [{:.3f}, {:.3f}], {} rounds".format(*interval_of_median([a / b for a, b in zip(ours, best)]), len(ours))


whole, tuned, compared = load("all"), load("tuned"), load("compare")
certificate = tuned["certificate"]
space = certificate["space"]
course = "{:.0f} s: {}, {} ({:.0f} %), {} of {}".format(
    tuned["budget_seconds"], certificate["measured"], certificate["excluded"], 100 * certificate["excluded"] / space,
    certificate["set_aside"], space)
verdict = compared["verdicts"][0]
ratio = "{:.3f} [{:.3f}, {:.3f}]".format(verdict["ratio"], verdict["low"], verdict["high"])
if verdict["verdict"] == "INVALID":
    ratio += " (the machine changed meanwhile)"
if whole["best"]["variant"] == tuned["best"]["variant"]:
    ratio += ", the same variant"
last = f"{course} | {ratio} | {in_rotation()}"
if whole["backend"] == "cpu":
    # An export names files without their folders.
    sys.exit(subprocess.run([check, f"{name}.export.json", last], cwd=folder).returncode)
# The recorded ceilings of a device are not read back yet: what the tune itself says of its exclusions.
all_of_it = whole["certificate"]
print("| {} | {} | {} | – | – | {} | – | {:.0f} % | {} |".format(
    whole["title"], all_of_it["space"], all_of_it["failed"], all_of_it["violations"],
    100 * whole["bound"]["seconds_lower"] / whole["best"]["seconds"]["median"], last))
sys.exit(all_of_it["violations"] > 0)
