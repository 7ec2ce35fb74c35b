"""Opens traces of TensorFlow, JAX and PyTorch, and says what the step spent its time on.

>>> import steplens
>>> trace = steplens.read("trace.pb")        # a file, a folder, several, bytes, or a RunMetadata
>>> trace.summary()["span_ns"]               # every time is an integer, in nanoseconds
339286000
>>> ops = trace.ops().to_pandas()
>>> ops.groupby("op_type").self_ns.sum().nlargest(5)

`read(source, step=None, devices=None, window=None, ...)` gives a `Trace`; `help(steplens.read)` has every option. A `Trace` has

    problems                                   what is wrong with the files
    show(step=..., clocks=..., ...)            the same trace, of which another part is shown
    ops() transfers() edges() links() allocations() steps()
                                               tables: `.to_pandas()`, `.to_dict()`, `["self_ns"]`, and Arrow for all else
    summary() network() critical_path() findings() ... what_if("network=0.5") compare(other)
                                               analyses: what the program prints with `--json`
    to_html(path) export(format, path) picture(of, path) widget()

`help(steplens.Trace)` says what each takes and gives. `python -m steplens` is the program.

To record: `steplens.trace(...)`, `Recorder`, `Timeline`, `TracingServer`; `steplens.record` has all of it. A program that only records
does not load the core, and needs none: where no wheel has one, as for Python 3.6, this is the recorder alone.
"""

import os
import sys
from typing import TYPE_CHECKING, Any, List

from steplens.errors import SteplensError, SteplensWarning
from steplens.record import (
    RecordedSession,
    Recorder,
    Timeline,
    TracingServer,
    hook_inject,
    timeline_visualize,
    trace,
)

if TYPE_CHECKING:
    from steplens._core import VERSION as __version__
    from steplens.reading import read
    from steplens.tables import Table
    from steplens.traces import Picture as Picture
    from steplens.traces import Problem as Problem
    from steplens.traces import Trace

__all__ = [
    "read",
    "Trace",
    "Table",
    "SteplensError",
    "SteplensWarning",
    "Recorder",
    "RecordedSession",
    "Timeline",
    "TracingServer",
    "hook_inject",
    "timeline_visualize",
    "trace",
    "__version__",
]

_NEEDS_CORE = ("Picture", "Problem", "Table", "Trace", "read")


def _version() -> str:
    """That of the core, or of what pip installed where that is the recorder alone."""
    try:
        from steplens import _core
    except ImportError:
        installed = os.listdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        named = [name for name in installed if name.startswith("steplens-") and name.endswith(".dist-info")]
        return named[0][len("steplens-") : -len(".dist-info")] if named else ""
    return str(_core.VERSION)


def __getattr__(name: str) -> Any:
    """Loads what needs the core when it is first asked for."""
    if name == "__version__":
        globals()[name] = _version()
        return globals()[name]
    if name not in _NEEDS_CORE:
        raise AttributeError("module 'steplens' has no attribute {!r}".format(name))
    from steplens import reading, tables, traces

    values = {
        "Picture": traces.Picture,
        "Problem": traces.Problem,
        "Table": tables.Table,
        "Trace": traces.Trace,
        "read": reading.read,
    }
    globals().update(values)
    return values[name]


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})


if sys.version_info < (3, 7):
    # Python 3.6 asks no module for what it does not have, and there is no core for it.
    __all__ = [name for name in __all__ if name not in _NEEDS_CORE]

    def _read(*_: Any, **__: Any) -> Any:
        from steplens import _core  # Says why there is none.

        raise ImportError("steplens {} does not run on this Python".format(_core.VERSION))

    globals().update(read=_read, __version__=_version())
