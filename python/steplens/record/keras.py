"""A callback of Keras, 2 and 3. Importing this module imports Keras."""

import importlib
import sys
from typing import Any, Optional, Union

from .begun import Begun
from .folder.errors import FolderError
from .recorder import Recorder


def _keras() -> Any:
    """The Keras that the program uses, because `keras` and `tensorflow.keras` may be different packages: what it imported, else what is there."""
    if "keras" not in sys.modules and "tensorflow" in sys.modules:
        return sys.modules["tensorflow"].keras
    try:
        keras: Any = importlib.import_module("keras")
    except ImportError as error:
        raise FolderError("no-keras", f"This needs Keras, which cannot be imported: {error}") from error
    if "tensorflow" in sys.modules and keras.__version__.startswith("2."):
        return sys.modules["tensorflow"].keras  # Keras 2 is imported by TensorFlow itself, and not meant for programs.
    return keras


_module = _keras()


def _backend() -> str:
    """What runs the model: "tensorflow", "jax" or "torch". Keras 2 has no other than TensorFlow."""
    backend = getattr(_module.backend, "backend", None)
    return str(backend()) if backend is not None else "tensorflow"


class SteplensCallback(_module.callbacks.Callback):  # type: ignore
    """Records each batch of `fit` as a run into a watched folder, and traces those that are asked for with the profiler of the framework below Keras.

    Example:

        model.fit(x, y, callbacks=[SteplensCallback("watched")])

    Args:
        recorder: a Recorder, or the path of a watched folder.
        process, bounds: as `Recorder` has them, where a path is given.

    `step` of a run is the number of batches that this callback has seen before it. With `steps_per_execution` a run is as many batches as that.
    """

    def __init__(self, recorder: Union[Recorder, str], process: Optional[str] = None, **bounds: Any) -> None:
        super().__init__()
        self.recorder = recorder if isinstance(recorder, Recorder) else Recorder(recorder, process, tracer=_backend(), **bounds)
        self._step = 0
        self._begun: Optional[Begun] = None

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        if self._begun is not None:
            self.recorder.abandon(self._begun)  # The batch before ended by an exception, which Keras tells no callback.
        self._begun = self.recorder.begin_traced(self._step)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._begun is not None:
            self.recorder.finish_traced(self._begun, (("train_batch",), ()))
            self._begun = None
        self._step += 1

    def on_train_end(self, logs: Any = None) -> None:
        self.recorder.flush()
