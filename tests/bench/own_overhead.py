"""How long a kernel of a user's waits: own_overhead.py ROOFTUNE KERNELS FOLDER, where FOLDER/machines has this machine's model.

Writes two tables for results/own_overhead.md. Times are from the start of the process to when a record is in the store,
which is looked at every 5 ms. How long a kernel ran, its own calls say: they add it up in a file that is mapped, for all the
processes that run it. (To take it from the slots of the records gave less than nothing: they do not say how many batches
they had.)"""
import os
import shutil
import sqlite3
import statistics
import struct
import subprocess
import sys
import time

rooftune, kernels, folder = sys.argv[1:]
SOURCE = """#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
// rooftune: size n = {n}
// rooftune: in x f64[n] all
// rooftune: out y f64[n] all
// rooftune: parameter P 1:48{kind}
// rooftune: call f(n{given}, x, y)
// rooftune: reference plain(n, x, y)
static double now() {{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}}
static double* mapped() {{
    const int file = open(getenv("ROOFTUNE_OWN_OVERHEAD"), O_RDWR);
    void* there = file < 0 ? MAP_FAILED : mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (there == MAP_FAILED) abort();
    close(file);
    return (double*)there;
}}
void f(long n{taken}, const double* x, double* y) {{
    static double* const seconds = mapped();
    const double begun = now();
    for (long i = 0; i < n; ++i) y[i] = x[i] * 2 + 0 * P;
    *seconds += now() - begun;
}}
void plain(long n, const double* x, double* y) {{ for (long i = 0; i < n; ++i) y[i] = x[i] * 2; }}
"""


def tune(name, source, kernels_folder, *words):
    """Seconds at which each record was there, what the kernel had run by then, and the roles; the store is of this tune alone."""
    results = os.path.join(folder, name)
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    shutil.copytree(os.path.join(folder, "machines"), os.path.join(results, "machines"))
    total = os.path.join(folder, "seconds")
    with open(total, "wb") as file:
        file.write(struct.pack("d", 0.0))
    start = time.monotonic()
    process = subprocess.Popen(
        [rooftune, "tune", source, "--results", results, "--out", os.path.join(results, "tuned"), "--quiet", "--audit", "0",
         *words], stdout=subprocess.DEVNULL, env=dict(os.environ, ROOFTUNE_KERNEL_CACHE=kernels_folder, ROOFTUNE_OWN_OVERHEAD=total))
    at, ran, roles, last = [], [], [], 0
    while True:
        running = process.poll() is None
        try:
            store = sqlite3.connect(f"file:{results}/rooftune.db?mode=ro", uri=True)
            with open(total, "rb") as file:
                seconds = struct.unpack("d", file.read())[0]
            for last, role in store.execute("select id, role from records where id > ? order by id", (last,)):
                at.append(time.monotonic() - start)
                ran.append(seconds)
                roles.append(role)
            store.close()
        except sqlite3.Error:
            pass
        if not running:
            break
        time.sleep(0.005)
    if process.returncode:
        sys.exit(f"tune of {source} ended with status {process.returncode}")
    return at, ran, roles


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
print("| a variant, compiled before | arrays, KB | its time in the search, ms | of it the kernel ran | beyond that |")
print("|---|---:|---:|---:|---:|")
MACRO = {"kind": "", "given": "", "taken": ""}
ARGUMENT = {"kind": " (argument)", "given": ", P", "taken": ", long P"}
for what, words, n in (("a macro", MACRO, 1 << 13), ("the same", MACRO, 1 << 18),
                       ("a number of the call (`argument`)", ARGUMENT, 1 << 13), ("the same", ARGUMENT, 1 << 18)):
    source = os.path.join(folder, "small.cpp")
    with open(source, "w") as file:
        file.write(SOURCE.format(n=n, **words))
    cache = os.path.join(folder, "cache")
    tune("compiled", source, cache, "--exhaustive", "--budget", "0")
    at, ran, roles = tune("again", source, cache, "--exhaustive", "--budget", "0")
    searched = [i for i, role in enumerate(roles) if role in ("search", "exhaustive")]
    if len(searched) < 40:
        sys.exit("too few records of the search: roles are " + ", ".join(sorted(set(roles))))
    first, last = searched[0], searched[-1]
    whole = 1e3 * (at[last] - at[first]) / (len(searched) - 1)
    kernel = 1e3 * (ran[last] - ran[first]) / (len(searched) - 1)
    if kernel <= 0:
        sys.exit("the kernel's calls did not say how long they took")
    print(f"| {what} | {2 * 8 * n // 1024} | {whole:.1f} | {kernel:.1f} | {whole - kernel:.1f} |")
