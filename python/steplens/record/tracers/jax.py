"""JAX's profiler. Work that JAX was given and has not done when the trace ends is not in it: wait for the result within the run."""

import importlib
import tempfile
from typing import Any, Optional

from ..folder.traces import Payload
from . import Tracer, xspace


def _profiler() -> Any:
    return importlib.import_module("jax.profiler")


class JaxTracer(Tracer):
    def __init__(self) -> None:
        self._scratch: Optional[str] = None

    def start(self) -> None:
        scratch = tempfile.mkdtemp(prefix="steplens-")
        _profiler().start_trace(scratch)
        self._scratch = scratch

    def stop(self) -> Payload:
        _profiler().stop_trace()
        return xspace.payload(str(self._scratch))
