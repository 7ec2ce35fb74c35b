"""TensorFlow 2's profiler (2.2 and later)."""

import importlib
import tempfile
from typing import Any, Optional

from ..folder.traces import Payload
from . import Tracer, xspace


def _profiler() -> Any:
    profiler: Any = importlib.import_module("tensorflow.profiler")
    return profiler.experimental


class TensorFlowTracer(Tracer):
    """`tf.profiler.experimental`, with `options` of it."""

    def __init__(self, options: Any = None) -> None:
        self._options = options
        self._scratch: Optional[str] = None

    def start(self) -> None:
        scratch = tempfile.mkdtemp(prefix="steplens-")
        arguments = {} if self._options is None else {"options": self._options}
        _profiler().start(scratch, **arguments)
        self._scratch = scratch

    def stop(self) -> Payload:
        _profiler().stop()
        return xspace.payload(str(self._scratch))
