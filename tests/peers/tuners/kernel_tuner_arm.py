"""Kernel Tuner's C backend on blocked_matmul.cpp: kernel_tuner_arm.py KERNELS LOG START BUDGET SEED STRATEGY"""
import os
import random
import sys
import time

import kernel_tuner
import numpy
from kernel_tuner.observers import BenchmarkObserver

import space

kernels, log, budget, seed = space.arguments()
strategy = sys.argv[6]
random.seed(seed)
numpy.random.seed(seed)


class Told(BenchmarkObserver):
    """Tells the log when a variant has been measured."""

    def register_configuration(self, params):
        self.params = dict(params)

    def get_results(self):
        log.add(self.params)
        return {}


here = os.path.dirname(os.path.abspath(__file__))
n = space.N
a = numpy.random.default_rng(1).uniform(-1, 1, n * n)
b = numpy.random.default_rng(2).uniform(-1, 1, n * n)
c = numpy.zeros(n * n)
right = (a.reshape(n, n) @ b.reshape(n, n)).ravel()
os.chdir(os.path.dirname(log.file.name))
left = budget - (time.time() - log.start)
kernel_tuner.tune_kernel(
    "timed", os.path.join(here, "blocked_matmul_peer.cpp"), n, [a, b, c], space.VALUES, lang="C", compiler="g++",
    compiler_options=["-O3", f"-DN={n}L", f'-DNATIVE="{space.native()}"', "-I", kernels, "-fpermissive", "-w"],
    restrictions=["BJ >= TJ", "TI * TJ <= 128"], answer=[None, None, right], atol=1e-9, observers=[Told()],
    strategy=strategy, strategy_options={"time_limit": left}, cache=None, quiet=True)
