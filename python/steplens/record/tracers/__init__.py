"""What traces a piece of a program, one module for each framework. None is imported before it is used."""

from typing import Any, Callable, Dict, Optional

from ..folder.errors import FolderError
from ..folder.traces import Payload


class Tracer:
    """Traces from `start` to `stop`. One at a time in a process, because the frameworks' profilers are so."""

    def start(self) -> None:
        """Begins to trace. Raises what the framework raises, such as that its profiler runs already."""
        raise NotImplementedError

    def stop(self) -> Payload:
        """Ends it and gives the trace. Raises what the framework raises."""
        raise NotImplementedError


def _tensorflow() -> Tracer:
    from .tensorflow import TensorFlowTracer

    return TensorFlowTracer()


def _jax() -> Tracer:
    from .jax import JaxTracer

    return JaxTracer()


def _torch() -> Tracer:
    from .torch import TorchTracer

    return TorchTracer()


TRACERS: Dict[str, Callable[[], Tracer]] = {"tensorflow": _tensorflow, "jax": _jax, "torch": _torch}


def tracer_of(tracer: Any) -> Optional[Tracer]:
    """The tracer of that name; what has `start` and `stop` is one itself. Raises FolderError."""
    if isinstance(tracer, str):
        if tracer not in TRACERS:
            raise FolderError("no-such-tracer", "There is a tracer for each of {}, and none for {!r}.".format(", ".join(sorted(TRACERS)), tracer))
        return TRACERS[tracer]()
    return tracer  # type: ignore
