"""OpenTuner on blocked_matmul.cpp: opentuner_arm.py KERNELS LOG START BUDGET SEED"""
import os
import random
import subprocess
import sys
import time

import numpy

import space

kernels, log, budget, seed = space.arguments()
random.seed(seed)
numpy.random.seed(seed)
here = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(log.file.name))

import opentuner  # noqa: E402  its database lies in the current folder
from opentuner import ConfigurationManipulator, EnumParameter, MeasurementInterface, Result  # noqa: E402


class Matmul(MeasurementInterface):
    def manipulator(self):
        m = ConfigurationManipulator()
        for key, values in space.VALUES.items():
            m.add_parameter(EnumParameter(key, values))
        return m

    def run(self, desired_result, input, limit):
        v = desired_result.configuration.data
        if not space.allowed(v):
            return Result(state="ERROR", time=float("inf"))
        # The source's choice of instructions is Kernel Tuner's; here flags choose.
        words = ["g++", "-O3", "-w", space.FLAGS[v["ISA"]], "-DPROGRAM", f"-DN={space.N}L", "-DISA=0", "-I", kernels]
        words += [f"-D{k}={v[k]}" for k in ("TI", "TJ", "UNROLL", "BK", "BJ")]
        subprocess.run(words + [os.path.join(here, "blocked_matmul_peer.cpp"), "-o", "./product"], check=True)
        said = subprocess.run(["./product"], capture_output=True, text=True, check=True).stdout
        log.add(v)
        return Result(time=float(said.split()[0]))


left = max(1, int(budget - (time.time() - log.start)))
sys.argv = sys.argv[:1]
arguments = opentuner.default_argparser().parse_args(
    [f"--stop-after={left}", "--no-dups", "--quiet", "--database=sqlite:///opentuner.db"])
Matmul.main(arguments)
