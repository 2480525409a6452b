#!/usr/bin/env python3
"""Regenerates results/large_inputs.md: what large and malformed files cost, in time and memory, at 10 and at 90 MB.

  tests/bench/large_inputs.py [MEGABYTES]      90; about 10 minutes

Each command gets files that its reader takes, as large as they may be, and files that are nearly nothing but one thing: one
long word, only line ends, brackets, many small values, many keys. Nothing may take more than 2 GB, nor grow faster than the
file (nine times the bytes, at most fifteen times the time, where it takes a second at all: objects of JSON are ordered
trees, and large ones leave the caches), nor end otherwise than with an answer (0), the answer no (1), a refusal of the input
(2) or of the environment (3).
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROOFTUNE_BUILD_DIR", ROOT / "build"))
PROGRAM = str(BUILD / "rooftune")
MOST_BYTES = 2 << 30
DOCUMENTS = ROOT / "tests" / "golden" / "documents"
IMPORTS = ROOT / "tests" / "golden" / "import"


def repeated(unit, size, begin="", end=""):
    return begin + unit * max(1, (size - len(begin) - len(end)) // len(unit)) + end


def keyed(size, begin="{", end="}"):
    """An object of many keys, each once."""
    count = size // 20
    return begin + ",".join(f'"k{number:011d}":1.5' for number in range(count)) + end


def anything(size):
    """What is no document of any kind, in shapes that readers stumble over."""
    return {
        "one word": "x" * size,
        "line ends": "\n" * size,
        "brackets": "[" * size,
        "quotes": '"' * size,
        "commas": "," * size,
        "one string": '"' + "y" * (size - 2) + '"',
        "small values": repeated("1,", size, "[", "1]"),
        "many keys": keyed(size),
        "zeros": "\0" * size,
    }


def with_long(document, size):
    """A good document with one text of that length in it."""
    text = (DOCUMENTS / document).read_text(encoding="utf-8")
    value = json.loads(text)
    value["title" if "title" in value else "name" if "name" in value else "note"] = "z" * size
    return json.dumps(value)


def matrix(size):
    rows = size // 24
    body = "".join(f"{i} {i} {1 + i % 7}.25\n" for i in range(1, rows + 1))
    return f"%%MatrixMarket matrix coordinate real general\n{rows} {rows} {rows}\n{body}"


def ncu(size):
    lines = (IMPORTS / "ncu.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    body = "".join(lines[1:])
    return lines[0] + body * max(1, size // len(body))


def torch(size):
    value = json.loads((IMPORTS / "torch.json").read_text(encoding="utf-8"))
    events = value["traceEvents"]
    one = len(json.dumps(events))
    value["traceEvents"] = events * max(1, size // one)
    return json.dumps(value)


def space(size):
    cache = {f"{i},{j}": {"a": i, "b": j, "time": 1.0 + (i * j) % 17} for i in range(max(2, size // 60 // 100)) for j in range(100)}
    sizes = sorted({row["a"] for row in cache.values()})
    return json.dumps({"device_name": "D", "kernel_name": "k", "tune_params_keys": ["a", "b"],
                       "tune_params": {"a": sizes, "b": list(range(100))}, "cache": cache})


def source(size):
    begin = ("// rooftune: size n = 1000\n// rooftune: inout y f64[n] all\n// rooftune: parameter U 1 2\n"
             "// rooftune: flops n\n// rooftune: call f(n, y)\n// rooftune: reference f(n, y)\n")
    return repeated("int unused();  // a line of a program\n", size, begin, "void f(long n, double* y);\n")


def values(size):
    return source(100) + "// rooftune: parameter V" + repeated(" 12345", size) + "\n"


# Command, ending of the file, and good files by name (a function of a size).
COMMANDS = [
    (["tune", "spmv", "--budget", "0", "--matrix"], ".mtx", {"a matrix": matrix}),
    (["tune", "spmv", "--budget", "0", "--matrix"], ".mtx.gz", {"a matrix, packed": matrix}),
    (["import", "ncu"], ".csv", {"ncu's table": ncu}),
    (["import", "likwid"], ".csv", {}),
    (["import", "torch"], ".json", {"torch's events": torch}),
    (["replay", "--runs", "1", "--strategy", "random"], ".json", {"a recorded space": space}),
    (["explain"], ".json", {"a config with a long title": lambda size: with_long("tuned_config.json", size)}),
    (["plot"], ".json", {"a config with a long title": lambda size: with_long("tuned_config.json", size)}),
    (["verify", "--quick"], ".json", {}),
    (["tune", "--budget", "0", "--job"], ".json", {}),
    (["machine", "--show", "--machine"], ".json", {"a machine with a long name": lambda size: with_long("machine.json", size)}),
    (["check"], ".cpp", {"a source": source, "a parameter of many values": values}),
    (["check"], ".json", {}),
    (["results", "check"], ".db", {}),
]


def run(words, file):
    begun = time.monotonic()
    # The system knows the largest of all children so far: between us and the command is a process that has no other.
    code = ("import resource, subprocess, sys; p = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE);"
            "sys.stderr.buffer.write(p.stderr[:4000]);"
            "print(p.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, len(p.stderr))")
    told = subprocess.run([sys.executable, "-c", code, PROGRAM, *words, str(file)], check=False, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=file.parent)
    seconds = time.monotonic() - begun
    status, kilobytes, said = (int(word) for word in told.stdout.split())
    return status, seconds, kilobytes * 1024, said, told.stderr


def main():
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 90
    subprocess.run(["cmake", "--build", str(BUILD), "--target", "rooftune_program"], check=True, stdout=subprocess.DEVNULL)
    rows, faults = [], []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        results = ["--results", str(Path(folder) / "results")]
        subprocess.run([PROGRAM, "machine", "--quick", "--quiet", *results], check=True, stdout=subprocess.DEVNULL)
        for words, ending, good in COMMANDS:
            shapes = list(good) + list(anything(1000))
            for shape in shapes:
                seen = {}
                for size in (megabytes * 1000000 // 9, megabytes * 1000000):
                    text = good[shape](size) if shape in good else anything(size)[shape]
                    file = Path(folder) / ("input" + ending)
                    data = text.encode("utf-8")
                    file.write_bytes(gzip.compress(data, 1) if ending.endswith(".gz") else data)
                    needs_model = words[0] == "tune"
                    seen[size] = run([words[0], *(results if needs_model else []), *words[1:]], file)
                    file.unlink()
                small, large = seen[min(seen)], seen[max(seen)]
                rows.append((" ".join(words), shape, small, large))
                name = f"`{' '.join(words)}` of {shape}"
                for status, seconds, memory, said, told in (small, large):
                    if status not in (0, 1, 2, 3) or "internal error" in told:
                        faults.append(f"{name}: status {status}: {told[:200]!r}")
                    if memory > MOST_BYTES:
                        faults.append(f"{name}: {memory / 1e9:.2f} GB")
                    if said > 4000:
                        faults.append(f"{name}: a message of {said} bytes")
                if large[1] > 1.0 and large[1] > 15.0 * max(small[1], 0.1):
                    faults.append(f"{name}: {small[1]:.2f} s, and {large[1]:.2f} s for nine times as much")
                print(f"{name}: status {large[0]}, {small[1]:.2f} and {large[1]:.2f} s, {large[2] / 1e6:.0f} MB", file=sys.stderr)
    table = "".join(f"| `{words}` | {shape} | {large[0]} | {small[1]:.2f} | {large[1]:.2f} | {large[2] / 1e6:.0f} |\n"
                    for words, shape, small, large in rows)
    text = f"""# Large files

Regenerate with `tests/bench/large_inputs.py {megabytes}`: each command with files of {megabytes / 9:.0f} and {megabytes} MB, good ones and such as are nearly nothing
but one thing. Seconds are those of the whole process; memory is the most that it had.

| command | file of | status | seconds, {megabytes / 9:.0f} MB | seconds, {megabytes} MB | memory, MB |
|---|---|---:|---:|---:|---:|
{table}
Beyond 2 GB, growing faster than the file, ended otherwise than with status 0 to 3, or with messages of more than 4 000 bytes: {len(faults)}.
""" + "".join(f"\n- {fault}" for fault in faults)
    (ROOT / "results" / "large_inputs.md").write_text(text, encoding="utf-8")
    return 1 if faults else 0


sys.exit(main())
