"""A hook that records the runs of a `MonitoredSession` or an Estimator. Importing this module imports TensorFlow."""

from typing import Any, Optional, Union

from . import tensorflow1
from .begun import Begun
from .fetched import FetchedNames
from .recorder import Recorder
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
        step_every: seconds between two runs that fetch the global step with what they fetch, where the graph has one; 0 is every run, None is none. Each
            traced run fetches it, too. A fetch costs a run some 30 to 150 microseconds, more than all else that this hook does.
        process, bounds: as `Recorder` has them, where a path is given.
    """

    def __init__(self, recorder: Union[Recorder, str], step_every: Optional[float] = 1.0, process: Optional[str] = None, **bounds: Any) -> None:
        self.recorder = recorder if isinstance(recorder, Recorder) else Recorder(recorder, process, **bounds)
        self._step_every, self._step_at = step_every, 0.0
        self._global_step: Any = None
        self._names = FetchedNames()
        self._begun: Optional[Begun] = None

    def begin(self) -> None:
        self._global_step = None
        step = _tf.train.get_global_step() if self._step_every is not None else None
        if step is not None:
            # A copy, one in each graph: TensorFlow 1 may count up the variable itself before a fetch of it is read.
            with step.graph.colocate_with(step.op):
                self._global_step = _tf.add(step, 0, name="steplens/global_step")

    def after_create_session(self, session: Any, coord: Any) -> None:
        # What TensorFlow's own hooks fetch, where there are any: a tensor that is fetched twice costs once.
        shared = session.graph.get_collection("global_step_read_op_cache")
        if self._global_step is not None and shared:
            self._global_step = shared[0]

    def before_run(self, run_context: Any) -> Any:
        recorder = self.recorder
        if self._begun is not None:
            recorder.fail(self._begun)  # The run before ended by an exception: TensorFlow tells no hook.
        if recorder.is_asked:
            return self._before_asked(run_context)
        begun = self._begun = Begun()
        if self._global_step is None or begun.began < self._step_at:
            return None
        return self._with_step(begun)

    def _before_asked(self, run_context: Any) -> Any:
        step = None
        if self._global_step is not None and self.recorder.needs_step():
            # The only run of our own: which step comes next decides whether it is traced.
            step = int(run_context.session.run(self._global_step))
        begun = self._begun = self.recorder.begin(step)
        if begun.requests:
            return self._with_step(begun, tensorflow1.options_for_tracing())
        return None

    def _with_step(self, begun: Begun, options: Any = None) -> Any:
        if self._step_every is not None:
            self._step_at = begun.began + self._step_every
        return _tf.train.SessionRunArgs(self._global_step, options=options)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        begun, self._begun = self._begun, None
        if begun is None:
            return
        begun.end()
        if run_values.results is not None:
            begun.step = int(run_values.results)
        arguments = run_context.original_args
        names = self._names.of(arguments.fetches, arguments.feed_dict)
        if not begun.requests:
            self.recorder.finish(begun, names)
            return
        metadata = run_values.run_metadata
        self.recorder.finish(begun, names, lambda: payload_of(metadata))

    def end(self, session: Any) -> None:
        self.recorder.flush()
