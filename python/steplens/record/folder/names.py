"""The names that a folder allows, and the name of this process."""

import json
import os
import re

from .errors import FolderError

PROCESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.]{0,63}\Z")
ID = re.compile(r"[A-Za-z0-9_]{1,64}\Z")

#: What starters of processes call the rank: Horovod, Open MPI, PyTorch, Slurm, MPICH and Intel MPI.
RANKS = ("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "RANK", "SLURM_PROCID", "PMI_RANK")


def checked_process(name: str) -> str:
    if not PROCESS.match(name):
        raise FolderError(
            "process-name",
            f"A process may not be called {name!r}: 1 to 64 letters, digits, _ and ., the first a letter or digit.",
        )
    return name


def default_process() -> str:
    """`worker.0` from `TF_CONFIG`, `rank.0` from the variables of Horovod, MPI, PyTorch and Slurm, else `main`."""
    try:
        task = json.loads(os.environ.get("TF_CONFIG", "{}"))["task"]
        name = "{}.{}".format(task["type"], int(task["index"]))
        if PROCESS.match(name):
            return name
    except (ValueError, KeyError, TypeError):
        pass  # No task there: TensorFlow itself says what it misses.
    for variable in RANKS:
        rank = os.environ.get(variable, "")
        if rank.isdigit():
            return "rank." + rank
    return "main"
