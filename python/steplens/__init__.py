"""Opens traces of TensorFlow, JAX and PyTorch, and says what the step spent its time on.

>>> import steplens
>>> trace = steplens.read("trace.pb")        # a file, a folder, several, bytes, or a RunMetadata
>>> trace.summary()["span_ns"]               # every time is an integer, in nanoseconds
339286000
>>> import pandas
>>> ops = pandas.DataFrame.from_arrow(trace.ops())
>>> ops.groupby("op_type").self_ns.sum().nlargest(5)

`Trace` has the tables (`ops()`, `transfers()`, `edges()`, `links()`, `allocations()`, `steps()`), the analyses (`summary()`,
`network()`, `clocks()`, `critical_path()`, `kernels()`, `flame()`, `scheduling()`, `memory()`, `doctor()`, `findings()`, `what_if()`) and what they are
written to (`to_html()`, `export()`, `picture()`). `python -m steplens` is the program.

To record: `steplens.trace(...)`, `Recorder`, `Timeline`, `TracingServer`; `steplens.record` has all of it. A program that only records
does not load the core, and needs none: so it works on Python 3.6, too.
"""

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
    from steplens._core import Table
    from steplens.reading import read
    from steplens.traces import Picture, Problem, Trace

__all__ = [
    "Picture",
    "Problem",
    "RecordedSession",
    "Recorder",
    "SteplensError",
    "SteplensWarning",
    "Table",
    "Timeline",
    "Trace",
    "TracingServer",
    "__version__",
    "hook_inject",
    "read",
    "timeline_visualize",
    "trace",
]

_NEEDS_CORE = ("Picture", "Problem", "Table", "Trace", "__version__", "read")


def __getattr__(name: str) -> Any:
    """Loads what needs the core when it is first asked for."""
    if name not in _NEEDS_CORE:
        raise AttributeError("module 'steplens' has no attribute {!r}".format(name))
    from steplens import _core, reading, traces

    values = {
        "Picture": traces.Picture,
        "Problem": traces.Problem,
        "Table": _core.Table,
        "Trace": traces.Trace,
        "__version__": _core.VERSION,
        "read": reading.read,
    }
    globals().update(values)
    return values[name]


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})


if sys.version_info < (3, 7):
    # Python 3.6 asks no module for what it does not have, and there is no core for it.
    __all__ = [name for name in __all__ if name not in _NEEDS_CORE]
