"""A hook that records the runs of a `MonitoredSession` or an Estimator. Importing this module imports TensorFlow."""

from typing import Any, Optional, Union

from . import tensorflow1
from .fetched import FetchedNames
from .recorder import Begun, Recorder
from .session import payload_of

_tf = tensorflow1.module()


class SteplensHook(_tf.train.SessionRunHook):  # type: ignore
    """Records each run into a watched folder, and traces those that are asked for.

    Example:

        with tf.train.MonitoredTrainingSession(hooks=[SteplensHook("watched")]) as session:
            while not session.should_stop():
                session.run(train_op)

    Args:
        recorder: a Recorder, or the path of a watched folder.
        step: whether to fetch the global step with each run, where the graph has one.
        process, bounds: as `Recorder` has them, where a path is given.
    """

    def __init__(self, recorder: Union[Recorder, str], step: bool = True, process: Optional[str] = None, **bounds: Any) -> None:
        self.recorder = recorder if isinstance(recorder, Recorder) else Recorder(recorder, process, **bounds)
        self._fetches_step = step
        self._global_step = None  # type: Any
        self._names = FetchedNames()
        self._begun = None  # type: Optional[Begun]
        self.is_running = False

    def begin(self) -> None:
        self.is_running = True
        self._global_step = None
        step = _tf.train.get_global_step() if self._fetches_step else None
        if step is not None:
            # A copy, made anew in each graph: TensorFlow 1 may count up the variable itself before a fetch of it is read.
            with step.graph.colocate_with(step.op):
                self._global_step = _tf.add(step, 0, name="steplens/global_step")

    def before_run(self, run_context: Any) -> Any:
        recorder = self.recorder
        if self._begun is not None:
            recorder.fail(self._begun)  # The run before ended by an exception: TensorFlow tells no hook.
        step = None
        if recorder.is_asked and self._global_step is not None and recorder.needs_step():
            # The only run of our own: which step comes next decides whether it is traced.
            step = int(run_context.session.run(self._global_step))
        begun = self._begun = recorder.begin(step)
        options = tensorflow1.options_for_tracing() if begun.requests else None
        if self._global_step is None and options is None:
            return None
        return _tf.train.SessionRunArgs(self._global_step, options=options)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        begun, self._begun = self._begun, None
        if begun is None:
            return
        length_ns = begun.so_far_ns()
        if begun.step is None and run_values.results is not None:
            begun.step = int(run_values.results)
        arguments = run_context.original_args
        names = self._names.of(arguments.fetches, arguments.feed_dict)
        if not begun.requests:
            self.recorder.finish(begun, names, None, length_ns)
            return
        metadata = run_values.run_metadata
        self.recorder.finish(begun, names, lambda: payload_of(metadata), length_ns)

    def end(self, session: Any) -> None:
        self.is_running = False
        self.recorder.flush()
