"""Judges the headlines of short tunes: tests/bench/headlines.sh. One file a tune: the summary as printed."""

import glob
import json
import re
import sys
from collections import Counter

from tune_result import result_of

WITHDRAWN = ("not decided against", "as fast as", "slower than", "itself: nothing measured was faster")
INTERVAL = re.compile(r"(\d[\d.]*)× \[([\d.]+), ([\d.]+)\]")


def claims(gain):
    """The gains that a line claims: (ratio, low, high, words), of those that it does not take back."""
    for part in re.split(r" \((?=.*\)$)", gain.strip(), maxsplit=1):
        if any(words in part for words in WITHDRAWN):
            continue
        found = INTERVAL.search(part)
        if found:
            yield float(found[1]), float(found[2]), float(found[3]), part
        elif "×" in part:
            yield float(part.split("×")[0].split()[-1]), None, None, part


def unwrapped(text):
    """Each labelled line in one, as it was before it was fitted to the page."""
    return re.sub(r"\n {9}(?=\S)", " ", text)


def judge(text, result):
    """What is wrong with a summary and the result behind it: a list of sentences."""
    wrong = []
    text = unwrapped(text)
    gain = re.search(r"^Gain +(.*)$", text, re.MULTILINE)
    for ratio, low, _, words in claims(gain[1]) if gain else []:
        if low is not None and low <= 1.0:
            wrong.append(f"claims a gain whose interval contains 1: {words}")
        if low is None and ratio <= 1.0:
            wrong.append(f"claims a gain of no gain: {words}")
    second = (result or {}).get("runner_up") or {}
    high = (second.get("time_over_best") or {}).get("high")
    if high is not None and high < 1.0:
        wrong.append(f"the winner's runner-up is faster: at most {high:.3f} of its time")
    for word in re.findall(r"(\d+) % of (?:the roof|its own bound|what any)", text):
        if int(word) > 106:
            wrong.append(f"says {word} % of a limit")
    return wrong


def self_test():
    """A judge that cannot fail judges nothing."""
    planted = [("Gain     1.91× [0.92, 14.5] plain CSR", {}, 1), ("Gain     1.91× [1.02, 14.5] plain CSR", {}, 0),
               ("Gain     not decided against plain CSR, too noisy: 1.91× [0.92, 14.5]", {}, 0),
               ("Gain     2.0× [1.9, 2.1] plain CSR (1.53× [0.79, 1.81] the default variant)", {}, 1),
               ("Gain     2.0× [1.9, 2.1] plain CSR (as fast as the default variant within noise: 1.00× [0.99, 1.01])",
                {}, 0),
               ("Gain     2.0× [1.9, 2.1] plain CSR (1.53×\n         [0.79, 1.81] the default variant)", {}, 1),
               ("Gain     0.93× plain CSR", {}, 1),
               ("", {"runner_up": {"time_over_best": {"high": 0.96}}}, 1),
               ("", {"runner_up": {"time_over_best": {"high": 1.02}}}, 0),
               ("Reached  215 % of the roof as probed just now", {}, 1)]
    for text, result, expected in planted:
        got = len(judge(text, result))
        if got != expected:
            sys.exit(f"headlines.py: its own test failed: {text!r} {result} gave {got}, expected {expected}")


def main():
    self_test()
    raw, tunes = sys.argv[1], int(sys.argv[2])
    kinds, wrong, winners, rows = Counter(), [], 0, 0
    for i in range(1, tunes + 1):
        with open(f"{raw}/{i}.txt", encoding="utf-8") as file:
            text = unwrapped(file.read())
        configs = [path for path in glob.glob(f"{raw}/{i}/*.json") if "tuned-set" not in path]
        result = None
        for path in configs:
            with open(path, encoding="utf-8") as file:
                result = result or result_of(json.load(file))
        rows += 1
        gain = re.search(r"^Gain +(.*)$", text, re.MULTILINE)
        if gain:
            winners += 1
            line = gain[1]
            kinds["claims a gain over the naive variant" if next(claims(line.split(" (")[0]), None)
                  else "claims none over the naive variant"] += 1
            kinds["has something that is not decided"] += "not decided" in line
        else:
            kinds["no winner: " + ("said so" if "No variant" in text or "no winner" in text else "NOT SAID")] += 1
            if "No variant" not in text and "no winner" not in text:
                wrong.append(f"tune {i}: neither a gain nor a word on why there is none")
        wrong += [f"tune {i}: {what}" for what in judge(text, result)]
    print("# Headlines of short tunes\n")
    print(f"Regenerate with `tests/bench/headlines.sh FOLDER {tunes}`: tunes of eight problems in turn with budgets from")
    print("1 to 20 s beside `tests/bench/disturb.sh`. Wrong is a gain that is claimed though its interval contains 1, a")
    print("runner-up that is proven faster than the winner, and a share above 106 % of a limit.\n")
    print("| what | tunes |\n|---|---:|")
    print(f"| in all | {rows} |\n| with a winner | {winners} |")
    for kind, count in sorted(kinds.items()):
        print(f"| {kind} | {count} |")
    print(f"\nWrong: {len(wrong)}.")
    for line in wrong:
        print(f"- {line}")


main()
