"""Reads what a trace is in."""

import os
import warnings
from typing import IO, Any, List, Mapping, Optional, Sequence, Tuple, Union, cast

from steplens._core import Opening
from steplens._core import read as read_paths
from steplens.errors import SteplensWarning
from steplens.options import Options, Rule, Texts, texts
from steplens.traces import Trace

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes], Any]
"""A path, bytes, an open file, or a RunMetadata (anything with `SerializeToString()`)."""

_SLICE_BYTES = 4 << 20
"""So much is read at once: Ctrl+C is noticed in between."""


def read(
    source: Union[Source, Sequence[Source], Mapping[str, Source]],
    *,
    devices: Optional[str] = None,
    window: Optional[str] = None,
    memory_mib: Optional[int] = None,
    step: Optional[int] = None,
    rule: Optional[Rule] = None,
    repairs: Sequence[str] = (),
    op_time: Optional[str] = None,
    clocks: Texts = (),
    communication: Texts = (),
    as_recorded: bool = False,
) -> Trace:
    """Reads a trace: RunMetadata, XSpace, Chrome JSON, event files and all else that `steplens` opens, packed or not.

    Args:
        source: a path of a file or folder, bytes, a file opened in binary mode, or a RunMetadata object. Several in a list are
            read as one trace (workers of a step, or several steps); in a dict, each is of the process that its key names.
        devices: a regular expression; only devices whose names match are read.
        window: only ops in this window are read, such as `"10ms..20ms"`, `"40%..60%"` or `"1.5s.."`, from the first start.
        memory_mib: how much memory the ops may take, in MiB; what does not fit is counted in `Trace.problems`.
        step: the place of a step, from 1; without, all of them.
        rule: what makes a step: `"content"`, `"file"`, `"part"` or `"together"`.
        repairs: findings of `Trace.doctor()` to repair.
        op_time: what counts as the duration of ops that launched kernels: `"schedule"`, `"gpu"` or `"all"`.
        clocks: `"recorded"`, `"estimated"`, and `"TASK=OFFSET"` such as `"/job:worker/replica:0/task:2=-12.5ms"`.
        communication: regular expressions; ops whose type or name matches count as communication, too.
        as_recorded: not as a Steplens session or page was kept to be shown.

    Raises:
        SteplensError: nothing in it is a trace, a file cannot be read, or an option cannot be used.

    A file of several that cannot be used is a SteplensWarning, and stands in `Trace.problems`.
    """
    options: Options = {
        "communication": texts(communication),
        "devices": devices,
        "window": window,
        "memory_mib": memory_mib,
        "step": step,
        "rule": rule,
        "repairs": list(repairs),
        "op_time": op_time,
        "clocks": texts(clocks),
        "as_recorded": as_recorded,
    }
    sources = _listed(source)
    if not sources:
        raise ValueError("there is nothing to read: the list is empty")
    paths = [_argument(process, one) for process, one in sources if _is_path(one)]
    if len(paths) == len(sources):
        trace = Trace(read_paths(paths, options), options)
    else:
        opening = Opening(options)
        for process, one in sources:
            _open(opening, process, one)
        trace = Trace(opening.finish(), options)
    _warn(trace)
    return trace


def _listed(source: Any) -> List[Tuple[Optional[str], Any]]:
    if isinstance(source, Mapping):
        return [(str(process), one) for process, one in source.items()]
    if isinstance(source, (list, tuple)):
        return [(None, one) for one in source]
    return [(None, source)]


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _argument(process: Optional[str], path: Any) -> str:
    path = os.fspath(path)
    # To the program a hyphen is its standard input.
    path = os.path.join(os.curdir, path) if path == "-" else path
    return path if process is None else f"{process}={path}"


def _open(opening: Opening, process: Optional[str], source: Any) -> None:
    if _is_path(source):
        opening.path(_argument(process, source))
        return
    if hasattr(source, "SerializeToString"):
        name, source = type(source).__name__, source.SerializeToString()
    elif hasattr(source, "read"):
        name = str(getattr(source, "name", "file"))
    elif isinstance(source, (bytes, bytearray, memoryview)):
        name = "bytes"
    else:
        kind = type(source).__name__
        raise TypeError(f"a trace is read from a path, bytes, a binary file or a RunMetadata, not from {kind}")
    opening.begin(process or name, process)
    if hasattr(source, "read"):
        _push_file(opening, cast(IO[bytes], source))
    else:
        view = memoryview(source).cast("B")
        for at in range(0, len(view), _SLICE_BYTES):
            opening.push(view[at : at + _SLICE_BYTES].tobytes())
    opening.end()


def _push_file(opening: Opening, source: IO[bytes]) -> None:
    while True:
        part: Any = source.read(_SLICE_BYTES)
        if not isinstance(part, (bytes, bytearray, memoryview)):
            raise TypeError('the file gives text: open it in binary mode, as open(path, "rb") does')
        if not part:
            return
        opening.push(bytes(part))


def _warn(trace: Trace) -> None:
    for problem in trace.problems:
        if problem.is_unusable:
            warnings.warn(f"{problem.detail} [{problem.code}]", SteplensWarning, stacklevel=3)
