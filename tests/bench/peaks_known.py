"""Whether the machine files have the peaks that bounds of arithmetic rest on: f64 and f32 multiply-adds at the widest
vectors, on one thread and on all. Known is what a bound takes (Ceiling::saturated): probed undisturbed at least five
times, and the third highest rate within 3 % of the highest. Status 1, and what is missing, where one is not.

    peaks_known.py MACHINE.json..."""
import json
import sys


def saturated(ceiling):
    top = sorted(ceiling.get("top", []), reverse=True)
    return ceiling.get("undisturbed", 0) >= 5 and len(top) >= 3 and top[2] * 1.03 >= ceiling["max"]


def missing_of(machine):
    width = max(machine["topology"]["width_bits"])
    known = [c for c in machine["ceilings"] if "device" not in c["when"] and saturated(c)]

    def has(resource, threads, **wanted):
        return any(c["resource"] == resource and c["when"].get("threads") == threads
                   and all(c["when"].get(key) == value for key, value in wanted.items()) for c in known)

    for threads in sorted({1, machine["topology"]["threads"]}):
        for dtype in ("f64", "f32"):
            if not has("compute", threads, mix="fma", dtype=dtype, width_bits=width):
                yield f"{dtype} multiply-adds of {width} bits on {threads} threads"


if __name__ == "__main__":
    found = []
    for path in sys.argv[1:]:
        with open(path) as file:
            found += missing_of(json.load(file))
    for one in found:
        print("peaks_known.py: not known yet: " + one, file=sys.stderr)
    sys.exit(bool(found) or len(sys.argv) < 2)
