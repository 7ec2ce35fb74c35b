"""Sessions of tensorflow-tracer, from a recorder's folder and into one."""

import datetime
import gzip
import io
import json
import os
from collections import OrderedDict
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import pickles
from .begun import Names, Totals
from .folder import FolderError, Run, WatchedFolder
from .folder.traces import RUN_METADATA, Payload
from .recorder import Recorder

#: The entry of our own in a session: the lines of single runs, which tensorflow-tracer does not keep.
_LINES = "_steplens"


class _Group(NamedTuple):
    """Runs with the same fetches and feeds, as a session has them."""

    names: Names
    totals: Totals
    traces: List[Tuple[Optional[int], int, bytes]]  # The run, when it ended (ns since 1970), its RunMetadata.


def save(recorder: Recorder, filename: str) -> None:
    """Writes what `recorder` has recorded as a session, packed where the name ends in .gz. Raises FolderError, OSError."""
    recorder.flush()
    source = pickles.Source()
    lines = _lines(recorder)
    by_names: Dict[Names, List[Run]] = {}
    for line in lines:
        by_names.setdefault((line.fetches, line.feeds), []).append(line)
    profiles: Any = OrderedDict()
    traces: Dict[int, List[Any]] = {}
    for names in list(recorder.totals) + [names for names in by_names if names not in recorder.totals]:
        listed = by_names.get(names, [])
        totals = recorder.totals.get(names) or _totals(listed)
        kept = [(line, _bytes(recorder.path, line)) for line in listed if line.trace is not None]
        number, key = len(profiles), repr(names)
        traces[number] = [None if data is None else pickles.RunMetadata(data) for _, data in kept]
        profiles[key] = {
            "info": {"fetches": ", ".join(names[0]), "feeds": ", ".join(names[1]) or None, "options": None},
            "stats": {
                "runs": totals.runs,
                "traces": len(kept),
                "runtimes": datetime.timedelta(microseconds=totals.length_ns / max(totals.runs, 1) / 1000),
                "first_run": _date(totals.first_ns),
                "last_run": _date(totals.last_ns),
            },
            "traces": [{"trace_id": place, "date": _date(line.start_ns + line.length_ns), "run": line.run} for place, (line, _) in enumerate(kept)],
            "key": key,
            "run_id": number,
            "tracing": False,
        }
    source.__dict__.update({"_run_profile": profiles, "_traces": traces, "global_tracing": False, "running": False, "_keep_traces": len(lines)})
    source.__dict__[_LINES] = {"process": recorder.process, "runs": [dict(line._asdict()) for line in lines]}
    data = pickles.dumps(source)
    with open(filename, "wb") as file:
        file.write(gzip.compress(data) if filename.endswith(".gz") else data)


def load(folder: str, filename: str, gziped: Optional[bool] = None) -> str:
    """Puts a session of ours or of tensorflow-tracer into the watched folder `folder`, as a process of its own, whose name is returned.

    A session of tensorflow-tracer has the mean length of runs alone: each of its traced runs has it here, so that the mean is right; the others are counted.

    Raises:
        FolderError: the file is no session.
        OSError: it cannot be read, or the folder cannot be written.
    """
    with open(filename, "rb") as file:
        data = file.read()
    if gziped if gziped is not None else data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    source = pickles.load(io.BytesIO(data))
    if not isinstance(source, pickles.Source):
        raise FolderError("no-session", f"{filename} holds no session of tensorflow-tracer.")
    try:
        groups = [_group(source, profile) for profile in source.__dict__["_run_profile"].values()]
        ours = source.__dict__.get(_LINES)
        lines = None if ours is None else [Run(**dict(line, fetches=tuple(line["fetches"]), feeds=tuple(line["feeds"]))) for line in ours["runs"]]
        process = "session" if ours is None else str(ours["process"])
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise FolderError("no-session", f"{filename} is no session that can be read: {type(error).__name__}: {error}") from error
    count = sum(len(group.traces) for group in groups) + len(lines or [])
    into = WatchedFolder(folder, process, keep_traces=max(count, 1), keep_bytes=1 << 62, keep_runs=max(2 * count, 2))
    try:
        if lines is not None:
            _add_lines(into, groups, lines)
        else:
            _add_groups(into, groups)
        return into.process
    finally:
        into.close()


def _add_lines(into: WatchedFolder, groups: List[_Group], lines: List[Run]) -> None:
    data = {run: trace for group in groups for run, _, trace in group.traces}
    first = into.next_run - (lines[0].run if lines else 0)
    for line in lines:
        number, trace = first + line.run, None
        if line.run in data:
            trace = into.add_trace(number, Payload(RUN_METADATA, data=data[line.run]))
        into.add_run(line._replace(run=number, trace=trace))
    into.add_unlisted(max(0, sum(group.totals.runs for group in groups) - len(lines)))


def _add_groups(into: WatchedFolder, groups: List[_Group]) -> None:
    traced = sorted((ended, place, group) for group in groups for place, (_, ended, _) in enumerate(group.traces))
    for ended, place, group in traced:
        mean_ns = group.totals.length_ns // max(group.totals.runs, 1)
        number = into.next_run
        trace = into.add_trace(number, Payload(RUN_METADATA, data=group.traces[place][2]))
        into.add_run(Run(number, ended - mean_ns, mean_ns, None, group.names[0], group.names[1], trace, None))
    into.add_unlisted(max(0, sum(group.totals.runs for group in groups) - len(traced)))


def _group(source: Any, profile: Dict[str, Any]) -> _Group:
    info, stats = profile["info"], profile["stats"]
    traces = []
    for entry, message in zip(profile["traces"], source.__dict__["_traces"][profile["run_id"]]):
        if message is not None:
            traces.append((entry.get("run"), _ns(entry["date"]), bytes(message.serialized)))
    runs, mean = int(stats["runs"]), stats["runtimes"]
    names = ((str(info["fetches"]),), (str(info["feeds"]),) if info["feeds"] not in (None, "None") else ())
    totals = Totals(runs, int(mean.total_seconds() * 1e9) * runs, _ns(stats["first_run"]), _ns(stats["last_run"]))
    return _Group(names, totals, traces)


def _lines(recorder: Recorder) -> List[Run]:
    """The runs that the folder lists for `recorder`."""
    lines: List[Run] = []
    names: Dict[str, Any] = {"fetches": [], "feeds": []}
    with open(os.path.join(recorder.path, f"runs-{recorder.process}.jsonl"), encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            if "run" not in line:
                continue
            names = {key: line.get(key, names[key]) for key in names}
            line.update({key: tuple(value) for key, value in names.items()})
            lines.append(Run(**line))
    return lines


def _totals(listed: List[Run]) -> Totals:
    return Totals(len(listed), sum(line.length_ns for line in listed), listed[0].start_ns, listed[-1].start_ns)


def _bytes(folder: str, line: Run) -> Optional[bytes]:
    """The trace of a line, if it is a RunMetadata and was not deleted since."""
    if line.trace is None or not line.trace.endswith(RUN_METADATA) or line.trace.endswith(".xplane.pb"):
        return None
    try:
        with open(os.path.join(folder, line.trace), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _date(ns: int) -> datetime.datetime:
    """As tensorflow-tracer has dates: local, without a time zone."""
    return datetime.datetime.fromtimestamp(ns / 1e9)


def _ns(date: datetime.datetime) -> int:
    return int(date.timestamp() * 1e9)
