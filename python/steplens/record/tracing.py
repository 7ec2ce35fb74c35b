"""`trace`: one piece of a program, traced by the framework that it runs."""

import os
import sys
from typing import Any, Dict, List, Optional, Union

from . import tensorflow1
from .begun import Begun
from .folder import FolderError
from .folder.traces import Payload
from .recorder import Recorder
from .session import payload_of
from .tracers import TRACERS, Tracer, tracer_of

#: The frameworks that `trace` knows, by their names. "session" is `Session.run` of TensorFlow 1.
FRAMEWORKS = ("session",) + tuple(sorted(TRACERS))
ENDINGS = (".pb", ".json", ".json.gz")


class _SessionTracer(Tracer):
    """A RunMetadata that the user's own `Session.run` fills."""

    def __init__(self) -> None:
        self.kwargs: Dict[str, Any] = {}

    def start(self) -> None:
        self.kwargs = {"options": tensorflow1.options_for_tracing(), "run_metadata": tensorflow1.module().RunMetadata()}

    def stop(self) -> Payload:
        return payload_of(self.kwargs["run_metadata"])


class trace:
    """Traces what runs within a `with` block.

    Examples:

        with steplens.record.trace("step.pb") as traced:            # TensorFlow 1, and compat.v1
            session.run(train_op, **traced.kwargs)

        with steplens.record.trace("step.xplane.pb"):                # TensorFlow 2, JAX
            train_step(batch)

        with steplens.record.trace("watched", "torch") as traced:    # into a watched folder
            train_step(batch)

    Args:
        to: a file (ending in .pb, .json or .json.gz), a watched folder, or a Recorder.
        framework: "session" (`Session.run`), "tensorflow" (TensorFlow 2's profiler), "jax", "torch" or an object with `start` and `stop`. None takes the one that
            the program imported, and refuses where that is not clear.
        step: the global step, where the trace goes into a folder.

    Raises, when the block begins or ends:
        FolderError: the framework is not clear, or nothing was recorded.
        OSError: the file cannot be written.
        what the framework raises, such as that another profiler runs.
    An exception of the block itself ends the trace, writes nothing and passes.
    """

    def __init__(self, to: Union[str, Recorder], framework: Any = None, step: Optional[int] = None) -> None:
        name = _imported() if framework is None else framework
        self._tracer: Any = _SessionTracer() if name == "session" else tracer_of(name)
        self._to, self._step = to, step
        #: The files that were written.
        self.files: List[str] = []

    @property
    def kwargs(self) -> Dict[str, Any]:
        """What `Session.run` of TensorFlow 1 is given; empty for other frameworks."""
        return getattr(self._tracer, "kwargs", {})

    def __enter__(self) -> "trace":
        self._tracer.start()
        self._begun = Begun(self._step)
        return self

    def __exit__(self, kind: Any, *exception: Any) -> None:
        self._begun.end()
        if kind is not None:
            self._give_up()
            return
        payload = self._tracer.stop()
        try:
            self.files.append(self._keep(payload))
        finally:
            payload.discard()

    def _give_up(self) -> None:
        try:
            self._tracer.stop().discard()
        except FolderError:
            pass  # Nothing was recorded; what the block raised says why.

    def _keep(self, payload: Payload) -> str:
        if isinstance(self._to, Recorder):
            return self._to.keep(self._begun, payload)
        path = str(self._to)
        if path.endswith(ENDINGS) and not os.path.isdir(path):
            payload = payload.as_named(path)
            payload.write(path, str(os.getpid()))
            return path
        recorder = Recorder(path)
        try:
            return recorder.keep(self._begun, payload)
        finally:
            recorder.close()

    def read(self) -> Any:
        """What `steplens.read` makes of the files: a Trace."""
        import steplens

        return steplens.read(self.files)


def _imported() -> str:
    """The framework that the program uses. Raises FolderError where there are several or none."""
    found = [name for name in ("tensorflow", "jax", "torch") if name in sys.modules]
    if len(found) != 1:
        which = "none of TensorFlow, JAX and PyTorch is imported" if not found else "{} are imported".format(" and ".join(found))
        raise FolderError("which-framework", "Say which framework is to trace, because {}: trace(..., framework=one of {}).".format(which, ", ".join(FRAMEWORKS)))
    if found == ["tensorflow"]:
        module = sys.modules["tensorflow"]
        # Release 1 has eager execution as an option, and the profiler of release 2 not at all.
        if not module.__version__.startswith("2.") or not module.executing_eagerly():
            return "session"
    return found[0]
