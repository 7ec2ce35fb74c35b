"""What the tests share: recordings, and the program that answers must equal."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
SAMPLES = ROOT.parent / "shared" / "samples"
PROGRAM = os.environ.get("STEPLENS_PROGRAM", str(ROOT / "target" / "tools" / "steplens"))
SAMPLE = FIXTURES / "ps4w.pb"
SMALL = FIXTURES / "mnist-adam.pb"
"""35 KB, for what asks for no more."""
LARGE = 200_000
"""In bytes: a file that takes long to export as a sheet, and to compare cell by cell."""


def recordings():
    """Every fixture that the program opens, and every sample, each once; where there are no samples, that is said and counted.

    Of large ones the first is enough, but where every case is tried (`cargo xtask test thorough`).
    """
    found = [path for path in sorted(FIXTURES.rglob("*")) if path.is_file() and is_wanted(path)]
    samples = sorted(SAMPLES.rglob("*")) if SAMPLES.is_dir() else []
    if not samples:
        print("NOT TESTED: no recordings in ../shared/samples", file=sys.__stderr__)
    found += [path for path in samples if path.is_file() and is_wanted(path)]
    once = {path.read_bytes(): path for path in reversed(found)}
    opened = [path for path in sorted(once.values()) if opens(path)]
    assert len(opened) > 15, opened
    return opened


def is_wanted(path):
    return path == SAMPLE or path.stat().st_size < LARGE or "STEPLENS_THOROUGH" in os.environ


def one_of_each_format():
    """The smallest fixture of each format, and what has a network and what has GPUs."""
    by_format = {}
    for path in sorted(FIXTURES.rglob("*"), key=lambda path: (path.stat().st_size, path)):
        if path.is_file() and opens(path):
            by_format.setdefault(said_json("summary", path)["files"][0]["format"], path)
    assert len(by_format) > 7, by_format
    return sorted({*by_format.values(), SAMPLE, FIXTURES / "gpu" / "kernels.pb"})


_OPENS = {}


def opens(path):
    """Whether the program opens it."""
    if path not in _OPENS:
        done = subprocess.run([PROGRAM, "summary", "--json", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _OPENS[path] = done.returncode == 0
    return _OPENS[path]


def said(*arguments):
    """What the program prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def said_json(*arguments):
    return json.loads(said(*arguments, "--json"))
