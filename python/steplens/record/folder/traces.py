"""`traces/RUN-PROCESS.ENDING`: below a count and a number of bytes, the oldest deleted first."""

import gzip
import os
import re
import shutil
from typing import Hashable, List, NamedTuple, Optional

from . import atomic
from .errors import FolderError

#: What files of traces end in, by what they hold.
RUN_METADATA, XSPACE, CHROME, CHROME_GZ = ".pb", ".xplane.pb", ".json", ".json.gz"
_NAME = re.compile(r"([0-9]+)-([A-Za-z0-9_.]+?)(\.xplane\.pb|\.pb|\.json\.gz|\.json)\Z")


class Payload(NamedTuple):
    """A finished trace: its bytes, or the path of a file that may be moved away. `scratch` is a folder that goes with it."""

    ending: str
    data: Optional[bytes] = None
    path: Optional[str] = None
    scratch: Optional[str] = None

    def size(self) -> int:
        """In bytes. Raises OSError."""
        return len(self.data) if self.data is not None else os.path.getsize(str(self.path))

    def write(self, path: str, by: str) -> None:
        """Makes `path` hold the trace. Raises OSError."""
        if self.data is not None:
            # After a loss of power, half a trace would give figures that are wrong.
            atomic.write(path, self.data, by, durable=True)
        else:
            atomic.adopt(str(self.path), path, by)

    def as_named(self, path: str) -> "Payload":
        """The same, unpacked where `path` is the name of a file that is not packed and this is."""
        if self.path is None or self.ending != CHROME_GZ or path.endswith(".gz"):
            return self
        with gzip.open(self.path, "rb") as file:
            return self._replace(ending=CHROME, data=file.read(), path=None)

    def discard(self) -> None:
        """Deletes what was written for it elsewhere."""
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)


class _Kept(NamedTuple):
    run: int
    path: str
    size: int
    group: Hashable


class Traces:
    """The traces of one process."""

    def __init__(self, folder: str, process: str, keep: int, keep_bytes: int, keep_each: Optional[int]) -> None:
        """`keep` and `keep_bytes` bound all traces, `keep_each` those of runs with the same fetches and feeds."""
        self._directory, self._process = os.path.join(folder, "traces"), process
        self._keep, self._keep_bytes, self._keep_each = max(keep, 1), keep_bytes, keep_each
        self._kept: List[_Kept] = []
        with os.scandir(self._directory) as entries:
            for entry in entries:
                name = _NAME.match(entry.name)
                if name and name.group(2) == process:
                    self._kept.append(_Kept(int(name.group(1)), entry.path, entry.stat().st_size, None))
                elif atomic.is_temporary(entry.name, process):
                    os.unlink(entry.path)  # Left by a process of this name that was killed in the middle of a write.
        self._kept.sort(key=lambda trace: trace.run)

    def newest_run(self) -> int:
        """The number of the newest run with a trace; -1 if there is none."""
        return self._kept[-1].run if self._kept else -1

    def add(self, run: int, payload: Payload, group: Hashable = None) -> str:
        """Writes the trace of `run`; what is returned is its path in the folder. Raises FolderError, OSError."""
        size = payload.size()
        if size > self._keep_bytes:
            raise FolderError(
                "trace-too-large",
                f"The trace has {size:,} bytes, and all traces of a process together may have {self._keep_bytes:,} (keep_bytes).",
            )
        self._make_room(size, group)
        path = os.path.join(self._directory, f"{run}-{self._process}{payload.ending}")
        payload.write(path, self._process)
        self._kept.append(_Kept(run, path, size, group))
        return "traces/" + os.path.basename(path)

    def _make_room(self, size: int, group: Hashable) -> None:
        """Deletes before a new trace is written, so that the bounds hold at any time."""
        if self._keep_each is not None:
            same = [trace for trace in self._kept if trace.group is not None and trace.group == group]
            for trace in same[: max(0, len(same) + 1 - max(self._keep_each, 1))]:
                self._drop(trace)
        while self._kept and (len(self._kept) >= self._keep or sum(trace.size for trace in self._kept) + size > self._keep_bytes):
            self._drop(self._kept[0])

    def _drop(self, trace: _Kept) -> None:
        atomic.discard(trace.path)
        self._kept.remove(trace)
