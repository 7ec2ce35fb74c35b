"""Horovod's ranks. Only what the program has imported is asked: recording never starts Horovod."""

import sys
from typing import Any, NamedTuple, Optional


class Rank(NamedTuple):
    """Which of how many processes this is."""

    rank: int
    size: int


def rank_of(rank: Any = None, size: Any = None) -> Optional[Rank]:
    """The rank of this process, None where it is one alone.

    Args:
        rank, size: numbers or functions that give them, such as `hvd.rank` and `hvd.size`; else those of `horovod.tensorflow`, if it is initialised.
    """
    if rank is None:
        horovod = sys.modules.get("horovod.tensorflow")
        if horovod is None:
            return None
        try:
            return Rank(int(horovod.rank()), int(horovod.size()))
        except ValueError:
            return None  # What Horovod raises before `hvd.init()`.
    number = _number(rank)
    if size is None:
        return Rank(number, number + 1)
    return Rank(number, _number(size))


def _number(given: Any) -> int:
    number: Any = given() if callable(given) else given
    return int(number)
