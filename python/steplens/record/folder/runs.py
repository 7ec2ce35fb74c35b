"""`runs-PROCESS.jsonl`: a line for each run, below a number of lines."""

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import atomic


class Run(NamedTuple):
    """A run as its line says it. Times are nanoseconds."""

    run: int
    start_ns: int
    length_ns: int
    step: Optional[int]
    fetches: Tuple[str, ...]
    feeds: Tuple[str, ...]
    trace: Optional[str]
    request: Optional[str]


Names = Tuple[Tuple[str, ...], Tuple[str, ...]]


class RunsFile:
    """Runs wait in memory until `flush`. Where the disk takes none, the newest wait on, and the number of the others is written once it does."""

    def __init__(self, path: str, process: str, keep: int) -> None:
        self._path, self._process, self._keep = path, process, max(keep, 2)
        self._waiting: List[Run] = []
        self._lost = 0  # Runs that were dropped before they were written.
        self._names: Optional[Names] = None
        self._size = self._lines = 0
        self.next_run = 0
        self._open()

    def append(self, run: Run) -> None:
        self._waiting.append(run)
        self.next_run = max(self.next_run, run.run + 1)
        if len(self._waiting) > self._keep:
            half = self._keep // 2
            self._lost += len(self._waiting) - half
            del self._waiting[:-half]

    def lost(self, count: int) -> None:
        """Counts `count` runs that have no line and will have none."""
        self._lost += count

    def flush(self) -> None:
        """Writes what waits. Raises OSError; then it waits on."""
        if not self._waiting and not self._lost:
            return
        self._mend()
        if self._lost or self._lines + len(self._waiting) > self._keep:
            self._rewrite()
            return
        text, names = self._encoded(self._names)
        with open(self._path, "ab") as file:
            file.write(text)
        self._size += len(text)
        self._lines += len(self._waiting)
        self._names = names
        self._waiting = []

    def _mend(self) -> None:
        """Takes back what a full disk took of a flush that failed, so that no run is listed twice."""
        try:
            size = os.path.getsize(self._path)
        except FileNotFoundError:
            size = -1
        if size > self._size:
            os.truncate(self._path, self._size)
        elif size < self._size:
            self._open()  # Deleted or cut off by someone.

    def _open(self) -> None:
        """Takes up what is there, without a last line that was cut off."""
        try:
            with open(self._path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            data = b""
        whole = data.rfind(b"\n") + 1
        with open(self._path, "ab") as file:
            if whole < len(data):
                file.truncate(whole)
        lines = data[:whole].splitlines()
        self._size, self._lines, self._names = whole, len(lines), None
        for line in reversed(lines):
            run = _object(line).get("run")
            if isinstance(run, int):
                self.next_run = max(self.next_run, run + 1)
                break

    def _encoded(self, names: Optional[Names]) -> Tuple[bytes, Optional[Names]]:
        lines = []
        for run in self._waiting:
            line: Dict[str, Any] = run._asdict()
            if names is not None and names[0] == run.fetches:
                del line["fetches"]
            if names is not None and names[1] == run.feeds:
                del line["feeds"]
            names = (run.fetches, run.feeds)
            lines.append(_line(line))
        return b"".join(lines), names

    def _rewrite(self) -> None:
        """Keeps the newest half and the runs whose trace is still there, after a line that says how many runs are no longer listed."""
        with open(self._path, "rb") as file:
            lines = file.read().splitlines()
        dropped = self._lost
        if lines and b'"dropped"' in lines[0]:
            dropped += int(_object(lines.pop(0)).get("dropped", 0))
        waiting, names = self._encoded(None)  # Each kind of name once more: the line before may be dropped.
        lines += waiting.splitlines()
        cut = max(0, len(lines) - self._keep // 2)
        traced, carried = self._still_traced(lines[:cut])
        newest = lines[cut:]
        if newest and cut:
            newest[0] = _named(_object(newest[0]), carried)
        kept = traced + newest
        dropped += cut - len(traced)
        first = [_line({"dropped": dropped}).rstrip(b"\n")] if dropped else []
        text = b"".join(line + b"\n" for line in first + kept)
        atomic.write(self._path, text, self._process, durable=True)
        self._size, self._lines, self._names = len(text), len(first) + len(kept), names
        self._waiting, self._lost = [], 0


    def _still_traced(self, lines: List[bytes]) -> Tuple[List[bytes], Dict[str, Any]]:
        """Those of `lines` whose trace was not deleted, each with its names, and the names of the last line. Other lines are not even parsed: they are many."""
        traced: List[bytes] = []
        names: Dict[str, Any] = {}
        for line in lines:
            if b'"fetches"' in line or b'"feeds"' in line:
                names.update({key: value for key, value in _object(line).items() if key in ("fetches", "feeds")})
            if b'"trace": "' in line:
                run = _object(line)
                if os.path.exists(os.path.join(os.path.dirname(self._path), str(run.get("trace")))):
                    traced.append(_named(run, names))
        return traced[-(self._keep // 4) :], names


def _named(run: Dict[str, Any], names: Dict[str, Any]) -> bytes:
    """The line of `run`, which has `names` unless it has others, without its end."""
    return _line(dict(run, **{key: value for key, value in names.items() if key not in run})).rstrip(b"\n")


def _line(value: Dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8", "replace") + b"\n"


def _object(line: bytes) -> Dict[str, Any]:
    """The object of a line, empty if it is none."""
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
