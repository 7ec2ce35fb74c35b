"""Plain `Session.run` loops, and the trace of a single run."""

from typing import Any, Callable, Optional, Union

from . import tensorflow1
from .fetched import FetchedNames
from .folder import FolderError
from .folder.traces import RUN_METADATA, Payload
from .recorder import Recorder


def payload_of(run_metadata: Any) -> Payload:
    """The trace that a RunMetadata is. Raises FolderError if no op is in it."""
    if not run_metadata.step_stats.dev_stats:
        raise FolderError("no-ops", "TensorFlow recorded no ops for this run.")
    return Payload(RUN_METADATA, data=run_metadata.SerializeToString())


class RecordedSession:
    """A session whose runs are recorded. It has all that the session has.

    Example:

        with tf.Session() as session:
            session = RecordedSession(session, "watched")
            for _ in range(1000):
                session.run(train_op)

    Args:
        session: a `tf.Session`, or what has its `run`.
        recorder: a Recorder, or the path of a watched folder.
        step: a function that gives the global step, where it is known without a run of its own.
    """

    def __init__(self, session: Any, recorder: Union[Recorder, str], step: Optional[Callable[[], int]] = None) -> None:
        self._session, self._step = session, step
        self._recorder = recorder if isinstance(recorder, Recorder) else Recorder(recorder)
        self._names = FetchedNames()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """As `Session.run`."""
        recorder = self._recorder
        begun = recorder.begin(self._step() if self._step is not None else None)
        traced = None
        if begun.requests:
            options = tensorflow1.options_for_tracing(options)
            traced = run_metadata = tensorflow1.module().RunMetadata() if run_metadata is None else run_metadata
        try:
            values = self._session.run(fetches, feed_dict, options, run_metadata)
        except BaseException:
            recorder.fail(begun)
            raise
        begun.end()
        recorder.finish(begun, self._names.of(fetches, feed_dict), None if traced is None else lambda: payload_of(traced))
        return values

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def __enter__(self) -> "RecordedSession":
        self._session.__enter__()
        return self

    def __exit__(self, *exception: Any) -> Any:
        self._recorder.flush()
        return self._session.__exit__(*exception)
