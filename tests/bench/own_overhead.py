"""How long a kernel of a user's waits: own_overhead.py ROOFTUNE KERNELS FOLDER, where FOLDER/machines has this machine's model.

Writes two tables for results/own_overhead.md. Times are from the start of the process to when a record is in the store,
which is looked at every 5 ms. The seconds of a variant include its turns and those of its companion: what is beyond them is
less. (To take them off by their slots gave less than nothing: slots do not say how many batches they had.)"""
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

rooftune, kernels, folder = sys.argv[1:]
SOURCE = """// rooftune: size n = 1000
// rooftune: in x f64[n] all
// rooftune: out y f64[n] all
// rooftune: parameter P 1:48{kind}
// rooftune: call f(n{given}, x, y)
// rooftune: reference plain(n, x, y)
void f(long n{taken}, const double* x, double* y) {{ for (long i = 0; i < n; ++i) y[i] = x[i] * 2 + 0 * P; }}
void plain(long n, const double* x, double* y) {{ for (long i = 0; i < n; ++i) y[i] = x[i] * 2; }}
"""


def tune(name, source, kernels_folder, *words):
    """Seconds at which each record was there, and the records; the store is of this tune alone."""
    results = os.path.join(folder, name)
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    shutil.copytree(os.path.join(folder, "machines"), os.path.join(results, "machines"))
    start = time.monotonic()
    process = subprocess.Popen(
        [rooftune, "tune", source, "--results", results, "--out", os.path.join(results, "tuned"), "--quiet", "--audit", "0",
         *words], stdout=subprocess.DEVNULL, env=dict(os.environ, ROOFTUNE_KERNEL_CACHE=kernels_folder))
    at, records, last = [], [], 0
    while True:
        running = process.poll() is None
        try:
            store = sqlite3.connect(f"file:{results}/rooftune.db?mode=ro", uri=True)
            for last, role, slots, prepare in store.execute(
                    "select id, role, slots, prepare_seconds from records where id > ? order by id", (last,)):
                at.append(time.monotonic() - start)
                records.append((role, json.loads(slots), prepare or 0.0))
            store.close()
        except sqlite3.Error:
            pass
        if not running:
            break
        time.sleep(0.005)
    if process.returncode:
        sys.exit(f"tune of {source} ended with status {process.returncode}")
    return at, records


print("| from Enter to the first variant measured | median of five, s | each |")
print("|---|---:|---|")
for what, keep in (("`axpy.c`, machine known, nothing compiled before", False), ("the same, all compiled before", True)):
    firsts = []
    cache = os.path.join(folder, "cache")
    for _ in range(5):
        if not keep:
            shutil.rmtree(cache, ignore_errors=True)
        firsts.append(tune("first", os.path.join(kernels, "axpy.c"), cache, "--budget", "5s")[0][0])
    print(f"| {what} | {statistics.median(firsts):.2f} | {', '.join(f'{f:.2f}' for f in firsts)} |")
print()
print("| a variant, compiled before | its time in the search, its turns included: median, ms |")
print("|---|---:|")
for what, words in (("a macro", {"kind": "", "given": "", "taken": ""}),
                    ("a number of the call (`argument`)", {"kind": " (argument)", "given": ", P", "taken": ", long P"})):
    source = os.path.join(folder, "small.cpp")
    with open(source, "w") as file:
        file.write(SOURCE.format(**words))
    cache = os.path.join(folder, "cache")
    tune("compiled", source, cache, "--exhaustive", "--budget", "0")
    at, records = tune("again", source, cache, "--exhaustive", "--budget", "0")
    took = []
    for before, now, (role, slots, prepare) in zip(at, at[1:], records[1:]):
        if role not in ("search", "exhaustive") or not slots:
            continue
        took.append(1e3 * (now - before))
    if not took:
        sys.exit("no record of the search: roles are " + ", ".join(sorted({r[0] for r in records})))
    print(f"| {what} | {statistics.median(took):.1f} |")
