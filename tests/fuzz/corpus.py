#!/usr/bin/env python3
"""Inputs that guided runs found worth keeping: a folder of files (libFuzzer's) and one file of the tree.

  corpus.py pack FOLDER FILE.jsonl MOST     the files of FOLDER, shortest first, at most MOST bytes in all
  corpus.py unpack FILE.jsonl FOLDER

A line of the file is a string of JSON whose characters are bytes, so that a changed corpus can be read in a diff.
"""
import json
import os
import sys


def pack(folder, file, most):
    inputs = []
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as stream:
            inputs.append(stream.read())
    lines, taken = set(), 0
    for data in sorted(set(inputs), key=lambda data: (len(data), data)):
        if taken + len(data) > most:
            break
        taken += len(data)
        lines.add(json.dumps(data.decode("latin-1"), ensure_ascii=False))
    with open(file, "w", encoding="utf-8", newline="") as stream:
        # U+0085 and U+2028 end no line here, and json.dumps writes control characters as escapes.
        stream.writelines(line + "\n" for line in sorted(lines, key=lambda line: (len(line), line)))
    print(f"{file}: {len(lines)} of {len(inputs)} inputs, {taken} bytes")


def unpack(file, folder):
    with open(file, encoding="utf-8", newline="\n") as stream:
        for number, line in enumerate(stream):
            with open(os.path.join(folder, f"kept{number}"), "wb") as out:
                out.write(json.loads(line).encode("latin-1"))


def main():
    words = sys.argv[1:]
    if len(words) == 4 and words[0] == "pack" and words[3].isdigit():
        pack(words[1], words[2], int(words[3]))
    elif len(words) == 3 and words[0] == "unpack":
        unpack(words[1], words[2])
    else:
        sys.exit(__doc__)


main()
