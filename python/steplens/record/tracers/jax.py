"""JAX's profiler. Work that JAX was given and has not done when the trace ends is not in it: wait for the result within the run."""

import tempfile
from typing import Optional

from ..folder.traces import Payload
from . import Tracer, xspace


class JaxTracer(Tracer):
    def __init__(self) -> None:
        self._scratch: Optional[str] = None

    def start(self) -> None:
        import jax  # type: ignore

        scratch = tempfile.mkdtemp(prefix="steplens-")
        jax.profiler.start_trace(scratch)
        self._scratch = scratch

    def stop(self) -> Payload:
        import jax

        jax.profiler.stop_trace()
        return xspace.payload(str(self._scratch))
