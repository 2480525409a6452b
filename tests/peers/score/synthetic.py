"""Spaces in which random sampling is soon near the best, as caches of Kernel Tuner.

usage: synthetic.py FOLDER

Nothing is measured: times follow from formulas, so that the files are the same each time.
"""

import json
import sys
from pathlib import Path


def draw(i):
    """A number in [0, 1) that looks drawn, the same on every machine (SplitMix64 by Steele, Lea and Flood)."""
    mask = (1 << 64) - 1
    z = (i + 1) * 0x9E3779B97F4A7C15 & mask
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
    return (z ^ (z >> 31)) / 2.0**64


def power(i, exponent):
    """Times of 10 to 20: the larger the exponent, the more of them near 10."""
    return 10.0 + 10.0 * draw(i) ** exponent


def soon(i, n):
    """A third of the configurations are so near the best that the budget is two or three evaluations."""
    return power(i, 8)


def soon_units(i, n):
    """The same with a best time of 1.9 ms, which the package takes for a number of evaluations."""
    return 0.19 * power(i, 8)


def soon_micro(i, n):
    """The same in tens of microseconds: the package finds no room for a score."""
    return 0.002 * power(i, 8)


def few(i, n):
    """A third near the best, without a gap."""
    return power(i, 5)


def best_often(i, n):
    """A fifth of the configurations are the best to the last bit."""
    return 10.0 if i % 5 == 0 else 11.0 + 20.0 * draw(i)


def good_tenth(i, n):
    """A tenth near the best, the others far: the worst is seventy times the best."""
    return 2.0 + 0.02 * draw(i) if i % 10 == 0 else 4.0 + 140.0 * draw(i) ** 4


def good_fifth_slow(i, n):
    """A fifth near a best that takes a tenth of a second."""
    return 100.0 + 2.0 * draw(i) if i % 5 == 0 else 110.0 + 60.0 * draw(i)


def equal_cost(i, time):
    return 500.0


def cost_of_time(i, time):
    """Compiling takes about as long for all, running by the time."""
    return 300.0 + 100.0 * draw(i + 1000000) + 7.0 * time


def wide_cost(i, time):
    """Some compile ten times as long as others."""
    return 100.0 + 900.0 * draw(i + 2000000) ** 3


def fifth_fails(i):
    return i % 5 == 4


def none_fails(i):
    return False


SPACES = {
    "soon_units": (400, soon_units, equal_cost, none_fails),
    "soon_micro": (400, soon_micro, equal_cost, none_fails),
    "soon_costs": (401, soon, cost_of_time, none_fails),
    "few": (401, few, equal_cost, none_fails),
    "few_costs": (401, few, cost_of_time, none_fails),
    "best_often": (400, best_often, cost_of_time, none_fails),
    "tenth": (500, good_tenth, equal_cost, none_fails),
    "tenth_costs": (500, good_tenth, cost_of_time, none_fails),
    "tenth_wide": (500, good_tenth, wide_cost, none_fails),
    "fifth_slow": (640, good_fifth_slow, cost_of_time, none_fails),
    "tenth_fails": (499, good_tenth, cost_of_time, fifth_fails),
}


def cache(name):
    n, time_of, cost_of, fails = SPACES[name]
    entries = {}
    for i in range(n):
        a, b = i // 20, i % 20
        time = time_of(i, n)
        entries[f"{a},{b}"] = {
            "a": a,
            "b": b,
            "time": "RuntimeFailedConfig" if fails(i) else time,
            "compile_time": cost_of(i, time),
            "verification_time": 0,
            "benchmark_time": 0,
            "framework_time": 0,
        }
    return {
        "device_name": "no device",
        "kernel_name": name,
        "problem_size": [1],
        "tune_params_keys": ["a", "b"],
        "tune_params": {"a": list(range((n + 19) // 20)), "b": list(range(20))},
        "cache": entries,
    }


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in SPACES:
        (folder / f"{name}.json").write_text(json.dumps(cache(name)))


if __name__ == "__main__":
    main()
