"""rooftune on blocked_matmul.cpp: rooftune_arm.py KERNELS LOG START BUDGET SEED ROOFTUNE RESULTS

The log is what its store says, looked at ten times a second."""
import json
import os
import sqlite3
import subprocess
import sys
import time

import space

kernels, log, budget, seed = space.arguments()
rooftune, results = sys.argv[6:8]
tune = subprocess.Popen(
    [rooftune, "tune", os.path.join(kernels, "blocked_matmul.cpp"), f"n={space.N}", "--budget", f"{budget:g}s",
     "--seed", str(seed), "--results", results, "--out", os.path.join(results, "tuned"), "--quiet"],
    stdout=subprocess.DEVNULL, env=dict(os.environ, ROOFTUNE_KERNEL_CACHE=os.path.join(results, "kernels")))
last = 0


def look():
    global last
    try:
        store = sqlite3.connect(f"file:{results}/rooftune.db?mode=ro", uri=True)
        rows = store.execute("select id, parameters from records where id > ? order by id", (last,)).fetchall()
        store.close()
    except sqlite3.Error:
        return
    for last, parameters in rows:
        own = json.loads(parameters)
        line = {"seconds": time.time() - log.start,
                "variant": json.dumps({k: str(x) for k, x in own.items()}, sort_keys=True)}
        log.file.write(json.dumps(line) + "\n")


while tune.poll() is None:
    look()
    time.sleep(0.1)
look()
sys.exit(tune.returncode)
