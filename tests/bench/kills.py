#!/usr/bin/env python3
"""Regenerates results/kills.md: commands that write are killed at random moments, and what is left is looked at.

  tests/bench/kills.py [KILLS [SEED]]     1 000 kills take about 20 minutes

Tunes are killed two at a time on one store, beside each other; `machine`, `track record`, `results import` and `results
prune` alone. After every kill the store must be whole and hold each record that it held before (what a prune deletes, it
deletes whole). In the end the tune that was killed most runs to its end, and its winner is measured, interleaved, against
the winner of a run that nobody disturbed.
"""
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROOFTUNE_BUILD_DIR", ROOT / "build"))
PROGRAM = str(BUILD / "tests" / "rooftune_faulty")
RAW = ROOT / "results" / "local" / "kills"
TUNES = [["tune", "fault", "n=200000", "--budget", "120", "--audit", "5", "--quiet"],
         ["tune", "fault", "n=100000", "--budget", "120", "--audit", "5", "--quiet"]]


def answer(*words, results):
    return subprocess.run([PROGRAM, *words, "--results", str(results)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, text=True)


def records(results):
    """The records of the store, as the lines of its CSV; none where nothing was stored yet."""
    if not (results / "rooftune.db").exists():
        return set()
    told = answer("results", "export", "--csv", results=results)
    if told.returncode != 0 and "has no bytes" not in told.stderr and "without a table" not in told.stderr:
        sys.exit(f"kills.py: the records of {results} cannot be read, so nothing can be said of them: {told.stderr}")
    return set(told.stdout.splitlines()[1:])


class Ledger:
    def __init__(self):
        self.rows = {}
        self.faults = []

    def count(self, kind, landed):
        row = self.rows.setdefault(kind, [0, 0])
        row[0] += 1
        row[1] += landed

    def fault(self, text):
        self.faults.append(text)
        print("FAULT:", text, file=sys.stderr)


def begin(words, results):
    return subprocess.Popen([PROGRAM, *words, "--results", str(results)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def kill(process):
    """Whether it was still there to be killed."""
    there = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return there


def look(ledger, what, results):
    if not (results / "rooftune.db").exists():
        return
    told = answer("results", "check", results=results)
    if told.returncode != 0:
        ledger.fault(f"{what}: results check says: {told.stdout.strip()} {told.stderr.strip()}")
    for file in list(results.rglob("*.json")):
        if file.name.startswith("."):
            continue
        try:
            json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            ledger.fault(f"{what}: {file.name}: {error}")


def kill_tunes(ledger, chance, results):
    before = records(results)
    pair = [begin(words, results) for words in TUNES]
    for process in pair:
        time.sleep(chance.uniform(0.0, 1.6))
        ledger.count("tune, two at once on one store", kill(process))
    look(ledger, "tune", results)
    lost = before - records(results)
    if lost:
        ledger.fault(f"tune: {len(lost)} records are gone, such as {sorted(lost)[0]}")


def kill_machine(ledger, chance, results):
    machines = sorted((results / "machines").glob("*.json"))
    old = [file.read_bytes() for file in machines]
    process = begin(["machine", "--quick", "--quiet"], results)
    time.sleep(chance.uniform(0.0, 4.0))
    ledger.count("machine --quick", kill(process))
    look(ledger, "machine", results)
    if len(sorted((results / "machines").glob("*.json"))) < len(old):
        ledger.fault("machine: a model is gone")


def kill_track(ledger, chance, results, config):
    before = records(results)
    process = begin(["track", "record", config, "--quiet"], results)
    time.sleep(chance.uniform(0.0, 2.5))
    ledger.count("track record", kill(process))
    look(ledger, "track record", results)
    if before - records(results):
        ledger.fault("track record: records are gone")


def kill_import(ledger, chance, whole, other):
    """Into a copy of one store another one: afterwards it has its own records, or those of both."""
    target = RAW / "import"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(whole, target)
    before, both = records(target), records(target) | records(other)
    process = begin(["results", "import", str(other / "rooftune.db")], target)
    time.sleep(chance.uniform(0.0, 0.06))
    ledger.count("results import", kill(process))
    look(ledger, "results import", target)
    now = records(target)
    if without_numbers(now) not in (without_numbers(before), without_numbers(both)):
        ledger.fault(f"results import: {len(now)} records, neither the {len(before)} of before nor the {len(both)} of both")


def without_numbers(lines):
    """Records without the numbers of run and record that each store gives them anew."""
    return sorted(",".join(cells[:12] + cells[14:]) for cells in csv.reader(lines))


def kill_prune(ledger, chance, whole):
    target = RAW / "prune"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(whole, target)
    before = len(records(target))
    process = begin(["results", "prune", "--before", "2099-01-01", "--newest-too", "--yes"], target)
    time.sleep(chance.uniform(0.0, 0.06))
    ledger.count("results prune", kill(process))
    look(ledger, "results prune", target)
    now = len(records(target))
    if now not in (0, before):
        ledger.fault(f"results prune: {now} records of {before}")


def end_to_end():
    """The killed tune runs to its end; its winner against that of an undisturbed one, as `run --against` prints it."""
    told = {}
    for name in ("killed", "whole"):
        ended = answer(*TUNES[0], results=RAW / name)
        told[name] = ended.returncode
    configs = {name: next((RAW / name / "tuned").glob("*200000*.json"), None) for name in told}
    if None in configs.values():
        return None
    lines = answer("run", str(configs["killed"]), "--against", str(configs["whole"]), "--quiet", "--seconds", "10",
                   results=RAW / "killed").stdout.splitlines()
    return "\n".join(line for line in lines if line.startswith("|")) or None


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    os.environ["COLUMNS"] = "10000"
    os.environ["ROOFTUNE_LOCK"] = str(RAW / "measuring.lock")
    subprocess.run(["cmake", "--build", str(BUILD), "--target", "rooftune_faulty"], check=True,
                   stdout=subprocess.DEVNULL)
    shutil.rmtree(RAW, ignore_errors=True)
    RAW.mkdir(parents=True)
    answer("machine", "--quick", "--quiet", results=RAW / "killed")
    for name in ("whole", "other"):
        shutil.copytree(RAW / "killed", RAW / name)
    for name, n in (("whole", "n=20000,single=1"), ("other", "n=30000,single=1")):
        answer("tune", "fault", n, "--budget", "5s,4", "--quiet", results=RAW / name)
    if not records(RAW / "whole") or not records(RAW / "other"):
        sys.exit("kills.py: the stores to begin with have no records")
    config = str(next((RAW / "whole" / "tuned").glob("*.json")))
    chance = random.Random(seed)
    ledger = Ledger()
    begun = time.time()
    while (done := sum(row[0] for row in ledger.rows.values())) < kills:
        turn = chance.randrange(100)
        if turn < 35:
            kill_tunes(ledger, chance, RAW / "killed")
        elif turn < 40:
            kill_machine(ledger, chance, RAW / "killed")
        elif turn < 50:
            kill_track(ledger, chance, RAW / "killed", config)
        elif turn < 75:
            kill_import(ledger, chance, RAW / "whole", RAW / "other")
        else:
            kill_prune(ledger, chance, RAW / "whole")
        if done % 50 < 2:
            print(f"{done} kills, {len(ledger.faults)} faults, {time.time() - begun:.0f} s", file=sys.stderr)
    comparison = end_to_end()
    if comparison is None:
        ledger.fault("the killed tune and the undisturbed one cannot be compared: there is no winner")
    if not records(RAW / "killed"):
        ledger.fault("the killed tunes have stored nothing")
    table = "".join(f"| {kind} | {row[0]} | {row[1]} |\n" for kind, row in sorted(ledger.rows.items()))
    (ROOT / "results" / "kills.md").write_text(f"""# Killed at random moments

Regenerate with `tests/bench/kills.py {kills} {seed}`. A kill that came after the command's end is counted beside the others.

| command | kills | of them before its end |
|---|---:|---:|
{table}
After each the store was checked and compared with what it held before: **{len(ledger.faults)}** records lost, stores that are not
whole or half-written files.

The tune that was killed most, run to its end (tuned), against the winner of an undisturbed run (other), interleaved:

{comparison}
""" + "".join(f"\n- {fault}" for fault in ledger.faults), encoding="utf-8")
    return 1 if ledger.faults else 0


sys.exit(main())
