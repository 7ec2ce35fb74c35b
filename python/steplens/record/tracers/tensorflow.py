"""TensorFlow 2's profiler (2.2 and later)."""

import tempfile
from typing import Any, Optional

from ..folder.traces import Payload
from . import Tracer, xspace


class TensorFlowTracer(Tracer):
    """`tf.profiler.experimental`, with `options` of it."""

    def __init__(self, options: Any = None) -> None:
        self._options = options
        self._scratch: Optional[str] = None

    def start(self) -> None:
        from tensorflow.profiler import experimental  # type: ignore

        scratch = tempfile.mkdtemp(prefix="steplens-")
        arguments = {} if self._options is None else {"options": self._options}
        experimental.start(scratch, **arguments)
        self._scratch = scratch

    def stop(self) -> Payload:
        from tensorflow.profiler import experimental

        experimental.stop()
        return xspace.payload(str(self._scratch))
