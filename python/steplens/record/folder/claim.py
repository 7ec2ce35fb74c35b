"""One process to a name: two that were given the same one must not write one file."""

import errno
import itertools
import os
from typing import Optional, Tuple

try:
    import fcntl
except ImportError:  # Windows has no such locks: there, processes must be given different names.
    fcntl = None  # type: ignore


class Claim:
    """A lock on `.lock-PROCESS`, which ends with the process that holds it, however it ends."""

    def __init__(self, file: Optional[int], path: str) -> None:
        self._file, self._path = file, path

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def claim(folder: str, process: str) -> Tuple[str, Claim]:
    """`process`, or `process_2` and so on where others hold it, and the claim of that name. Raises OSError."""
    for number in itertools.count(1):
        name = process if number == 1 else f"{process[:58]}_{number}"
        path = os.path.join(folder, ".lock-" + name)
        if fcntl is None:
            return name, Claim(None, path)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return name, Claim(file, path)
        except OSError as error:
            os.close(file)
            if error.errno in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS):
                return name, Claim(None, path)  # A disk without locks, such as some of networks.
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
    raise AssertionError("itertools.count ends")
