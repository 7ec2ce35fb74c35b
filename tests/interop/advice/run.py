"""Records jobs with a fault, asks Steplens, does what it advises, records again, and prints what was predicted next to what was achieved.

    python run.py --python-tf1 PYTHON --python-torch PYTHON --program STEPLENS [--turns N] [--out FOLDER] [FAULT...]

PYTHON has TensorFlow 1.15 or PyTorch 1.8. Without FAULT, all of `faults.py`. Each job does steps by turns with the fault and without it.
Steplens is asked about the five steps nearest the median; the prediction is the median of the five. As root on Linux the jobs have a
real-time priority. docs/findings-rules.md sums up the first table; then comes what Steplens says of a step with the fault, and of one without.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter

from faults import FAULTS

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """\
| fault | first finding | its rule, and its place | what was done | step, ms | predicted, ms | achieved, ms | error, % | findings without the fault |
|---|---|---|---|---:|---:|---:|---:|---|"""


def ask(program, *words):
    return json.loads(subprocess.run([program, *words, "--json"], check=True, stdout=subprocess.PIPE).stdout)


class Kept:
    """The recordings that are kept of a job with or without its fault, and what Steplens finds in them."""

    def __init__(self, program, folder, truth):
        self.files = [os.path.join(folder, name) for name in truth["files"]]
        self.found = [ask(program, "findings", file) for file in self.files]
        self.median_us, self.quartiles_us = truth["median_us"], truth["quartiles_us"]


def kept_of(program, folder):
    with open(os.path.join(folder, "truth.json")) as file:
        truth = json.load(file)
    return Kept(program, folder, truth["fault"]), Kept(program, folder, truth["sound"])


def prediction(program, fault, file, found):
    """The step after the change, and its range, in microseconds; None where Steplens predicts nothing."""
    own = [finding for finding in found["findings"] if finding["rule"] == fault.rule]
    if own and own[0]["saving_ns"] is not None:
        savings = [own[0][key] for key in ("saving_ns", "high_ns", "low_ns")]
        return [(found["step_ns"] - (saving or 0)) / 1e3 for saving in savings]
    if fault.what_if:
        answer = ask(program, "what-if", file, *fault.what_if)
        if answer["predicted_ns"] is not None:
            return [answer[key] / 1e3 for key in ("predicted_ns", "low_ns", "high_ns")]
    return None


def often(words):
    """Each of `words`, the most frequent first, with how often it comes unless all are one."""
    counts = Counter(words).most_common()
    return counts[0][0] if len(counts) == 1 else ", ".join("%s (%d of %d)" % (word, count, len(words)) for word, count in counts)


def first(found):
    return "`%s`" % found["findings"][0]["rule"] if found["findings"] else "none"


def place(rule, found):
    rules = [finding["rule"] for finding in found["findings"]]
    return str(rules.index(rule) + 1) if rule in rules else "–"


def remedies(sound):
    """The findings of a job without its fault, each with the largest share of the step that it promises."""
    shares = {}
    for found in sound.found:
        for finding in found["findings"]:
            shares[finding["rule"]] = max(shares.get(finding["rule"], 0), finding["share_ppm"] or 0)
    return ", ".join("`%s` %.1f %%" % (rule, share / 1e4) for rule, share in shares.items()) or "none"


def row(program, fault, with_fault, sound):
    def ms(us):
        return "%.2f" % (us / 1e3)

    predicted = [prediction(program, fault, *own) for own in zip(with_fault.files, with_fault.found)]
    predicted = sorted(own for own in predicted if own)
    middle = predicted[len(predicted) // 2] if len(predicted) == len(with_fault.files) else None
    columns = [
        fault.name,
        often([first(found) for found in with_fault.found]),
        "`%s`: %s" % (fault.rule, often([place(fault.rule, found) for found in with_fault.found])) if fault.rule else "no rule",
        fault.done,
        ms(with_fault.median_us),
        "%s (%s to %s)" % tuple(map(ms, middle)) if middle else "–",
        "%s (%s to %s)" % (ms(sound.median_us), *map(ms, sound.quartiles_us)),
        "%+.1f" % (100 * (middle[0] / sound.median_us - 1)) if middle else "–",
        remedies(sound),
    ]
    return "| %s |" % " | ".join(columns)


def said(title, kept):
    found = kept.found[len(kept.found) // 2]
    lines = ["  %s: %s" % (title, found["verdict"])]
    for at, finding in enumerate(found["findings"], 1):
        lines.append("    %d. %s: %s\n       %s" % (at, finding["rule"], finding["sentence"], finding["advice"]))
    return "\n".join(lines if found["findings"] else lines + ["    no finding"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python-tf1")
    parser.add_argument("--python-torch")
    parser.add_argument("--program", required=True)
    parser.add_argument("--turns", default="61")
    parser.add_argument("--out", default="advice-recordings")
    parser.add_argument("faults", nargs="*", metavar="FAULT")
    own = parser.parse_args()
    unknown = set(own.faults) - {fault.name for fault in FAULTS}
    if unknown:
        parser.error("no such fault: %s" % ", ".join(sorted(unknown)))
    table, texts, skipped = [], [], []
    for fault in FAULTS:
        if own.faults and fault.name not in own.faults:
            continue
        python = own.python_torch if fault.job == "torch_cpu.py" else own.python_tf1
        if not python:
            skipped.append(fault.name)
            continue
        folder = os.path.join(own.out, fault.name)
        os.makedirs(folder, exist_ok=True)
        job = os.path.join(HERE, fault.job)
        subprocess.run([python, "-W", "ignore", job, fault.name, os.path.abspath(folder), own.turns], check=True)
        with_fault, sound = kept_of(own.program, folder)
        table.append(row(own.program, fault, with_fault, sound))
        texts.append("\n".join((fault.name, said("with the fault", with_fault), said("without it", sound))))
        print(table[-1], file=sys.stderr, flush=True)
    print(HEAD, "\n".join(table), "", "\n\n".join(texts), sep="\n")
    if skipped:
        print("\nNOT RECORDED, as no python was named for them: %s" % ", ".join(skipped))


main()
