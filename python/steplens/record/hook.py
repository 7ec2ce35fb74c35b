"""A hook that records the runs of a `MonitoredSession` or an Estimator. Importing this module imports TensorFlow."""

from typing import Any, Optional, Union

from . import tensorflow1
from .begun import Begun, Names
from .clock import monotonic
from .fetched import FetchedNames
from .recorder import Recorder
from .session import payload_of

_tf = tensorflow1.module()
NEVER = float("inf")


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
        self._step_every, self._step_at = step_every, NEVER
        self._began = 0.0
        self._global_step: Any = None
        self._names = FetchedNames()
        self._begun: Optional[Begun] = None  # The run under way, if more is to be done for it than to list it.

    def begin(self) -> None:
        self._global_step, self._step_at = None, NEVER
        step = _tf.train.get_global_step() if self._step_every is not None else None
        if step is not None:
            # A copy, one in each graph: TensorFlow 1 may count up the variable itself before a fetch of it is read. The copy can be late, too, because nothing
            # orders it and the counting; that is said in the documents.
            with step.graph.colocate_with(step.op):
                self._global_step = _tf.add(step, 0, name="steplens/global_step")
            self._step_at = 0.0

    def after_create_session(self, session: Any, coord: Any) -> None:
        # What TensorFlow's own hooks fetch, where there are any: a tensor that is fetched twice costs once.
        shared = session.graph.get_collection("global_step_read_op_cache")
        if self._global_step is not None and shared:
            self._global_step = shared[0]

    # What follows runs within every step, so it calls as little as it can.

    def before_run(self, run_context: Any) -> Any:
        began = self._began = monotonic()
        if self.recorder.is_asked or self._begun is not None or began >= self._step_at:
            return self._before_more(run_context)
        return None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        ended, arguments = monotonic(), run_context.original_args
        names = self._names.of(arguments.fetches, arguments.feed_dict)
        if self._begun is None:
            self.recorder.ran((self._began, ended, names))
        else:
            self._after_more(ended, names, run_values)

    def _before_more(self, run_context: Any) -> Any:
        if self._begun is not None:
            self.recorder.fail(self._begun)  # The run before ended by an exception: TensorFlow tells no hook.
            self._begun = None
        if self.recorder.is_asked:
            return self._before_asked(run_context)
        if self._began < self._step_at:
            return None
        self._begun = Begun()
        return self._with_step()

    def _before_asked(self, run_context: Any) -> Any:
        step = None
        if self._global_step is not None and self.recorder.needs_step():
            # The only run of our own: which step comes next decides whether it is traced.
            step = int(run_context.session.run(self._global_step))
        begun = self._begun = self.recorder.begin(step)
        return self._with_step(tensorflow1.options_for_tracing()) if begun.requests else None

    def _with_step(self, options: Any = None) -> Any:
        if self._step_every is not None and self._global_step is not None:
            self._step_at = self._began + self._step_every
        return _tf.train.SessionRunArgs(self._global_step, options=options)

    def _after_more(self, ended: float, names: Names, run_values: Any) -> None:
        begun, self._begun = self._begun, None
        assert begun is not None
        begun.length_ns = int((ended - begun.began) * 1e9)
        if run_values.results is not None and begun.step is None:
            begun.step = int(run_values.results)
        metadata = run_values.run_metadata
        self.recorder.finish(begun, names, (lambda: payload_of(metadata)) if begun.requests else None)

    def end(self, session: Any) -> None:
        self.recorder.flush()
