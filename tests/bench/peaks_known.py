"""Status 0 where a machine file knows the peaks of f64 and f32 multiply-adds at the widest vectors, on one thread and on
all, and a bandwidth of loads beyond 64 MiB, each probed undisturbed often enough to exclude; 1 and what is missing where
it does not."""
import json
import sys

with open(sys.argv[1]) as file:
    machine = json.load(file)
known = [c for c in machine["ceilings"] if c["excludes"] and "device" not in c["when"]]
threads = {1, machine["topology"]["threads"]}
width = max(machine["topology"]["width_bits"])
missing = []
for count in sorted(threads):
    for dtype in ("f64", "f32"):
        if not any(c["resource"] == "compute" and c["when"].get("mix") == "fma" and c["when"].get("dtype") == dtype
                   and c["when"].get("width_bits") == width and c["when"]["threads"] == count for c in known):
            missing.append(f"{dtype} fma of {width} bits on {count} threads")
    if not any(c["resource"] == "bandwidth" and c["when"].get("mix") == "load" and c["when"]["threads"] == count
               and c["when"].get("footprint_bytes", 0) >= 64 << 20 for c in known):
        missing.append(f"loads beyond 64 MiB on {count} threads")
for one in missing:
    print("peaks_known.py: never probed undisturbed: " + one, file=sys.stderr)
sys.exit(bool(missing))
