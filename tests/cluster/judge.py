#!/usr/bin/env python3
"""Judges what a job over nodes left: the set, the certificates, and the coordinator's store against the nodes'.

Prints what is wrong, one line each, and ends with 1 where anything is.
"""
import argparse
import calendar
import glob
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict

PARTS = ("excluded", "set_aside", "measured", "raced_out", "failed", "unmeasured")


def rows(store, query):
    """Read from a copy: whoever wrote it may have been killed, and the disk that it lies on may be full."""
    if not os.path.exists(store):
        sys.exit(f"there is no {store}")
    with tempfile.TemporaryDirectory() as folder:
        for name in glob.glob(store + "*"):
            shutil.copy(name, folder)
        with sqlite3.connect(os.path.join(folder, os.path.basename(store))) as database:
            return database.execute(query).fetchall()


def records(store):
    """What was measured, as (job, variant, slots, outcome), with the times at which the store took it. Each store has a clock
    of its own."""
    found = defaultdict(list)
    query = "SELECT jobs.key, variant, slots, outcome, at FROM records JOIN jobs ON jobs.id = job"
    for *record, at in rows(store, query):
        found[tuple(record)].append(at)
    return found


def digest_of(key):
    """Of a job's key, the problem's content."""
    return dict(line.split("=", 1) for line in key.splitlines())["digest"]


def seconds(at):
    return calendar.timegm(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ"))


def wrong_certificate(where, certificate):
    parts = sum(certificate[part] for part in PARTS)
    if certificate["space"] != parts:
        yield f"{where}: a space of {certificate['space']}, and parts that are {parts} together"
    # A part of a part.
    if certificate["failed_environment"] > certificate["failed"]:
        yield f"{where}: more failed for their environment than failed"


def wrong_results(options):
    store = os.path.join(options.folder, "results", "rooftune.db")
    for run, result in rows(store, "SELECT id, result FROM runs WHERE result IS NOT NULL"):
        yield from wrong_certificate(f"run {run}", json.loads(result)["certificate"])
    for file in glob.glob(os.path.join(options.folder, "tuned", "*.json")):
        with open(file, encoding="utf-8") as stream:
            config = json.load(stream)
        if "result" in config:
            yield from wrong_certificate(os.path.basename(file), config["result"]["certificate"])


def wrong_sets(options):
    """Each class of nodes has a set, all of the job's problems, and winners of its own."""
    folder = os.path.join(options.folder, "tuned")
    files = [os.path.join(folder, "job.json"), *sorted(glob.glob(os.path.join(folder, "job_????????.json")))]
    if len(files) != options.classes:
        yield f"{len(files)} sets, and {options.classes} classes of nodes"
    if not os.path.exists(files[0]):
        yield "there is no set"
        return
    configs = Counter()
    for file in files:
        yield from wrong_set(options, file)
        with open(file, encoding="utf-8") as stream:
            configs.update({problem["config"] for group in json.load(stream)["groups"] for problem in group["problems"]})
    shared = [config for config, count in configs.items() if count > 1]
    if shared:
        yield f"{shared[0]} is in {configs[shared[0]]} sets"


def wrong_set(options, file):
    with open(file, encoding="utf-8") as stream:
        tuned = json.load(stream)
    problems = [problem for group in tuned["groups"] for problem in group["problems"]]
    untuned = tuned.get("untuned", [])
    named = len(problems) + len(untuned)
    if named > options.problems or (named < options.problems and (tuned["complete"] or not options.partial)):
        yield f"{len(problems)} winners and {len(untuned)} without one, of {options.problems} problems"
    titles = Counter(problem["title"] for problem in problems)
    yield from (f"{title} has {count} winners" for title, count in titles.items() if count > 1)
    for problem in problems:
        if not os.path.exists(os.path.join(options.folder, "tuned", problem["config"])):
            yield f"{problem['title']}: there is no {problem['config']}"
        if problem["stopped_by"] == "interrupted" and not options.partial:
            yield f"{problem['title']}: was cut short, and not tuned again"
    if options.partial:
        return
    if not tuned["complete"]:
        yield "the set is not complete"
    if untuned and not options.stated:
        yield f"no winner: {untuned[0]}"


def wrong_records(options):
    kept = records(os.path.join(options.folder, "results", "rooftune.db"))
    gaps = [tuple(float(end) for end in gap.split(":")) for gap in options.gap]

    def more(here, there):
        """Records that are here more often than there, and not of a time when they may be."""
        for record, times in here.items():
            extra = len(times) - len(there.get(record, []))
            if extra > 0 and not any(low <= seconds(at) <= high for at in times for low, high in gaps):
                yield f"{record[1]} of {times[-1]}"

    measured = defaultdict(list)
    for node in options.nodes.split(","):
        store = os.path.join(options.folder, "nodes", node, "rooftune.db")
        if not os.path.exists(store):
            continue
        own = records(store)
        for record, times in own.items():
            measured[record] += times
        lost = list(more(own, kept))
        if lost:
            yield f"{len(lost)} records of {node} are lost, the first: {lost[0]}"
    added = list(more(kept, measured))
    if added and not options.lost_store:
        yield f"{len(added)} records are there twice, or no node has them, the first: {added[0]}"
    print(f"{sum(map(len, kept.values()))} records, {sum(map(len, measured.values()))} of the nodes")


def wrong_again(options):
    """Problems whose task had ended before the coordinator died are not measured again."""
    journal, since = options.done_before
    with open(journal, encoding="utf-8") as stream:
        lines = [json.loads(line) for line in stream.read().split("\n")[:-1]]
    # The result of an end is the line before it.
    done = {before["result"]["digest"] for before, line in zip(lines, lines[1:])
            if line.get("has_result") and not line.get("cut_short")}
    if not done:
        yield "nothing had been done before"
    # A comparison may show that another's winner is better, and then a problem is gone on with.
    store = os.path.join(options.folder, "results", "rooftune.db")
    went_on = {digest for digest, count in Counter(
        digest_of(key) for (key,) in
        rows(store, "SELECT jobs.key FROM runs JOIN jobs ON jobs.id = job WHERE result IS NOT NULL")).items() if count > 1}
    for record, times in records(store).items():
        digest = digest_of(record[0])
        if digest in done - went_on and seconds(times[-1]) > float(since):
            yield f"measured again: {record[0].splitlines()[0]}, {record[1]} of {times[-1]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--nodes", required=True)
    parser.add_argument("--problems", type=int, required=True)
    parser.add_argument("--classes", type=int, default=1, help="kinds of nodes, each with winners of its own")
    parser.add_argument("--gap", action="append", default=[], help="FROM:TO, when records may be lost")
    parser.add_argument("--stated", action="store_true", help="a problem may have no winner, where the set says why")
    parser.add_argument("--partial", action="store_true", help="the run was ended early")
    parser.add_argument("--lost-store", action="store_true", help="a node's store may lack what was sent")
    parser.add_argument("--done-before", nargs=2, metavar=("JOURNAL", "TIME"))
    options = parser.parse_args()
    wrong = [*wrong_sets(options), *wrong_results(options), *wrong_records(options)]
    if options.done_before:
        wrong += wrong_again(options)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
