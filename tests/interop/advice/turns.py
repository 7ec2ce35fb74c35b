"""Programs that differ in one thing do steps by turns; of each, the recordings nearest the median are kept, and how long its steps took."""

import json
import os
import statistics
import sys


def undisturbed():
    """A real-time priority for this thread, and for the threads and processes that it will start; without the right to it, as before."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except (AttributeError, PermissionError):
        print("no real-time priority", file=sys.stderr)


def disturbed():
    try:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except (AttributeError, PermissionError):
        pass


def take_turns(programs, turns):
    """`programs` has NAME: (a step that is not recorded, a step that returns (microseconds, recording)).

    A machine gets slower and faster by a tenth in minutes, and turns let all programs meet that. Three steps come before each
    recorded one, so that a pipeline that runs ahead has no more time for that than in a loop of its own.
    """
    kept = {name: [] for name in programs}
    for _ in range(turns):
        for name, (plain, recorded) in programs.items():
            for _ in range(3):
                plain()
            kept[name].append(recorded())
    return kept


KEPT = 5


def keep(kept, folder, suffix):
    """Writes NAME-1.SUFFIX and so on, the steps nearest the median of each, and truth.json: how long the steps took, in microseconds.

    One step says little on a busy machine: its ops may have been quicker or slower than those of another step of the same length.
    """
    truth = {}
    for name, steps in kept.items():
        steps.sort(key=lambda step: step[0])
        lengths = [length for length, _ in steps]
        first = max(0, (len(steps) - KEPT) // 2)
        files = []
        for at, (_, recording) in enumerate(steps[first : first + KEPT], 1):
            files.append("%s-%d%s" % (name, at, suffix))
            with open(os.path.join(folder, files[-1]), "wb") as out:
                out.write(recording)
        quarter = len(lengths) // 4
        truth[name] = {
            "files": files,
            "steps": len(steps),
            "median_us": statistics.median(lengths),
            "quartiles_us": [lengths[quarter], lengths[-1 - quarter]],
        }
    with open(os.path.join(folder, "truth.json"), "w") as out:
        json.dump(truth, out, indent=1, sort_keys=True)
