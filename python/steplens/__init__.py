"""Opens traces of TensorFlow, JAX and PyTorch, and says what the step spent its time on.

>>> import steplens
>>> trace = steplens.read("trace.pb")        # a file, a folder, several, bytes, or a RunMetadata
>>> trace.summary()["span_ns"]               # every time is an integer, in nanoseconds
339286000
>>> import pandas
>>> ops = pandas.DataFrame.from_arrow(trace.ops())
>>> ops.groupby("op_type").self_ns.sum().nlargest(5)

`Trace` has the tables (`ops()`, `transfers()`, `edges()`, `links()`, `allocations()`, `steps()`), the analyses (`summary()`,
`network()`, `clocks()`, `critical_path()`, `scheduling()`, `memory()`, `doctor()`, `findings()`, `what_if()`) and what they are
written to (`to_html()`, `export()`, `picture()`). `python -m steplens` is the program.
"""

from steplens._core import VERSION as __version__
from steplens._core import Table
from steplens.errors import SteplensError, SteplensWarning
from steplens.reading import read
from steplens.trace import Picture, Problem, Trace

__all__ = ["Picture", "Problem", "SteplensError", "SteplensWarning", "Table", "Trace", "__version__", "read"]
