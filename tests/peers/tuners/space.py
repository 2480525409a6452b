"""The space of blocked_matmul.cpp, as its annotations have it, for the other tuners."""
import json
import subprocess
import sys
import time

N = 256
VALUES = {
    "TI": [1, 2, 4, 8],
    "TJ": [8, 16, 32],
    "UNROLL": [1, 4],
    "BK": [32, 64, 128, 256],
    "BJ": [64, 128, 256],
    "ISA": [0, 1, 2],
}
FLAGS = ["-march=x86-64", "-march=x86-64-v3", "-march=native"]


def allowed(v):
    return v["BJ"] >= v["TJ"] and v["TI"] * v["TJ"] <= 128


def name(v):
    """As rooftune's store has a variant: its values in the order of names."""
    own = {"TI": v["TI"], "TJ": v["TJ"], "UNROLL": v["UNROLL"], "bk": v["BK"], "bj": v["BJ"], "ISA": FLAGS[v["ISA"]]}
    return json.dumps({k: str(x) for k, x in own.items()}, sort_keys=True)


def native():
    """What g++ takes -march=native for."""
    said = subprocess.run(["g++", "-march=native", "-Q", "--help=target"], capture_output=True, text=True, check=True)
    return next(line.split()[1] for line in said.stdout.splitlines() if line.split()[:1] == ["-march="])


class Log:
    """One line an evaluation: seconds since `start` (of the epoch), and the variant."""

    def __init__(self, path, start):
        self.file, self.start = open(path, "w"), start

    def add(self, v, at=None):
        seconds = (at if at is not None else time.time()) - self.start
        self.file.write(json.dumps({"seconds": seconds, "variant": name(v)}) + "\n")
        self.file.flush()


def arguments():
    """KERNELS LOG START BUDGET SEED"""
    kernels, log, start, budget, seed = sys.argv[1:6]
    return kernels, Log(log, float(start)), float(budget), int(seed)
