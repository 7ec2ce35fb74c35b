"""Room for answers on a disk that is full.

Lists of runs grow until the disk is full, and then nobody could be answered that it is. So a file keeps some room, which is given up when an answer has none; and
runs wait until the room is kept again.
"""

import os

from . import atomic

#: Room for a dozen answers, each of which takes a block of the disk.
BYTES = 64 << 10


class Reserve:
    """`.reserve-PROCESS`."""

    def __init__(self, folder: str, process: str) -> None:
        self._path, self._process = os.path.join(folder, ".reserve-" + process), process
        self._is_kept = os.path.exists(self._path)

    def keep(self) -> None:
        """Keeps the room. Raises OSError where there is none."""
        if not self._is_kept:
            atomic.write(self._path, b"\0" * BYTES, self._process)
            self._is_kept = True

    def give_up(self) -> bool:
        """Whether there was room to give up."""
        atomic.discard(self._path)
        was_kept, self._is_kept = self._is_kept, False
        return was_kept
