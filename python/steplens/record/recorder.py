"""Runs, as they are trained, into a watched folder.

A training step does four things here: it reads a flag, reads two clocks and appends to a queue. A thread writes, and looks for requests once a second. Nothing
that goes wrong with the folder reaches the training: it is logged, and answered to whoever asked.
"""

import atexit
import collections
import logging
import os
import threading
import weakref
from contextlib import contextmanager
from typing import Any, Callable, Deque, Dict, Iterator, Optional, Tuple, Union

from .begun import NO_NAMES, Begun, Names, Ran, Totals
from .clock import monotonic, now_ns
from .folder import FolderError, Run, WatchedFolder, reason
from .folder.requests import Unusable
from .folder.traces import Payload
from .plan import Plan
from .tracers import tracer_of

log = logging.getLogger("steplens")

#: Seconds between two looks for requests, and between two writes of untraced runs.
LOOK_EVERY = 1.0
#: Traces that may wait for the disk. The run after them waits, too: memory is bounded, and no trace that was asked for is lost.
MOST_WAITING = 4

#: The most kinds of runs that are counted each for itself. Those that come later are counted together.
MOST_NAMES = 1000
OTHERS: Names = (("(others)",), ())


class Recorder:
    """Records the runs of this process into a watched folder, and traces those that are asked for. Runs may come from several threads.

    Example:

        recorder = Recorder("watched", tracer="jax")
        for step in range(1000):
            with recorder.run(step=step):
                train_step()
    """

    def __init__(self, path: str, process: Optional[str] = None, tracer: Any = None, **bounds: Any) -> None:
        """Makes or goes on with the folder `path`.

        Args:
            path: the folder, made where it is not there.
            process: the name of this process; see `steplens.record.folder.WatchedFolder`.
            tracer: what traces a run of `run()`: "tensorflow", "jax" or "torch", or an object with `start()` and `stop()` as in `steplens.record.tracers`.
            bounds: `keep_traces`, `keep_bytes`, `keep_runs` and `keep_each` of `WatchedFolder`.

        Raises:
            FolderError, OSError: the folder cannot be made or written. Later failures are logged, and answered to whoever asks for traces.
        """
        self._folder = WatchedFolder(path, process, **bounds)
        self._tracer = tracer_of(tracer)
        self._plan = Plan()
        self._lock = threading.Lock()
        self._room = threading.Condition(self._lock)
        self._waiting_traces = 0
        self._finished: Deque[Union[Begun, Ran]] = collections.deque()
        #: Takes an untraced run that is over, as a Ran or a tuple like it: `begin` and `finish` in one, for those who keep the times themselves.
        self.ran: Callable[[Any], None] = self._finished.append
        self._wake = threading.Event()
        self._flushing = threading.Lock()
        self._tracing = threading.Lock()
        self._number = self._folder.next_run  # Of the run that is taken from the queue next.
        self._ends = False
        self._complaint: Optional[str] = None
        self.totals: Dict[Names, Totals] = {}
        #: Whether any request waits for a run. The only thing that an untraced run reads.
        self.is_asked = False
        self._look()
        self._write()
        self._thread = threading.Thread(target=self._work, name="steplens-recorder", daemon=True)
        self._thread.start()
        atexit.register(self.close)
        self._pid = os.getpid()
        if hasattr(os, "register_at_fork"):
            recorder = weakref.ref(self)
            os.register_at_fork(after_in_child=lambda: _forked(recorder()))

    @property
    def path(self) -> str:
        """The folder, absolute."""
        return self._folder.path

    @property
    def process(self) -> str:
        """The name of this process in the folder."""
        return self._folder.process

    def needs_step(self) -> bool:
        """Whether a request depends on the step of the next run: `begin` must then be given it."""
        with self._lock:
            return self._plan.needs_step()

    def begin(self, step: Optional[int] = None) -> Begun:
        """A run begins. Whoever trains ends it by `finish` or `fail`."""
        if not self.is_asked:
            return Begun(step)
        with self._room:
            requests = self._plan.begin(step, self._number + len(self._finished))
            while requests and self._waiting_traces >= MOST_WAITING and not self._ends:
                self._room.wait(1.0)
            self.is_asked = bool(self._plan)
        return Begun(step, requests)

    def finish(self, begun: Begun, names: Names = NO_NAMES, trace: Optional[Callable[[], Payload]] = None) -> None:
        """The run ended well: now, where `begun.end` was not called before.

        Args:
            begun: what `begin` returned.
            names: the names of what was fetched and fed.
            trace: gives the trace of a run that was to be traced; called from another thread. May raise: the request is then refused with the reason.
        """
        begun.end()
        begun.names, begun.trace = names, trace
        if not begun.requests:
            self._finished.append(begun)
            return
        with self._lock:
            self._waiting_traces += 1
        self._finished.append(begun)
        self._wake.set()

    def fail(self, begun: Begun, because: Optional[BaseException] = None) -> None:
        """The run ended by an exception of the training: no run. With `because`, of the tracing: its requests are refused."""
        if not begun.requests:
            return
        with self._lock:
            if because is None:
                self._plan.failed(begun.requests)
            else:
                for identity in begun.requests:
                    self._plan.refuse(identity, reason(because))
            self.is_asked = bool(self._plan)
        if because is not None:
            log.warning("Steplens could not trace a run: %s", reason(because))
        begun.requests = ()

    @contextmanager
    def run(self, step: Optional[int] = None, fetches: Tuple[str, ...] = (), feeds: Tuple[str, ...] = ()) -> Iterator[Begun]:
        """A run of a loop of one's own: `with recorder.run(step=17): train_step()`.

        The tracer's own time, such as that of writing its file, is not in the length of the run.
        """
        begun = self.begin_traced(step)
        try:
            yield begun
        except BaseException:
            self.abandon(begun)
            raise
        self.finish_traced(begun, (tuple(fetches), tuple(feeds)))

    def begin_traced(self, step: Optional[int] = None) -> Begun:
        """As `begin`, and starts the recorder's tracer where the run is to be traced. `finish_traced` or `abandon` end it."""
        begun = self.begin(step)
        if begun.requests and self._start(begun):
            begun.again()
        return begun

    def finish_traced(self, begun: Begun, names: Names = NO_NAMES) -> None:
        """The run that `begin_traced` began ended well."""
        begun.end()
        self.finish(begun, names, self._stop() if begun.requests else None)

    def abandon(self, begun: Begun) -> None:
        """The run that `begin_traced` began ended by an exception."""
        if begun.requests:
            self._stop()
        self.fail(begun)

    def keep(self, begun: Begun, payload: Payload) -> str:
        """Writes the trace of a run that ended, though nobody asked for it; what is returned is its path. Raises FolderError, OSError."""
        begun.end()
        if self._ends:
            raise FolderError("recorder-ended", "This recorder has ended, or belongs to a process of which this one is a fork.")
        self._write()
        with self._flushing:
            number = self._next_number()
            try:
                trace = self._folder.add_trace(number, payload, begun.names)
            except BaseException:
                self._list(number, begun, None)
                raise
            self._list(number, begun, trace)
            self._folder.flush()
        return os.path.join(self.path, trace)

    def _start(self, begun: Begun) -> bool:
        """Whether the tracer runs now. Where not, nothing of `begun` is traced."""
        if self._tracer is None:
            self.fail(begun, FolderError("no-tracer", "This recorder was given no tracer: Recorder(..., tracer=\"tensorflow\", \"jax\" or \"torch\")."))
            return False
        if not self._tracing.acquire(False):
            self.fail(begun)  # A run of another thread is being traced. The next run that begins when none is takes its place.
            return False
        try:
            self._tracer.start()
        except Exception as error:  # Of any framework, such as that another profiler runs.
            self._tracing.release()
            self.fail(begun, error)
            return False
        return True

    def _stop(self) -> Callable[[], Payload]:
        """Ends the tracer. What is returned gives the trace, or raises what the framework raised."""
        assert self._tracer is not None
        try:
            payload = self._tracer.stop()
        except Exception as error:  # Of any framework; it is answered as the reason.
            failure = error
            return lambda: _raise(failure)
        finally:
            self._tracing.release()
        return lambda: payload

    def flush(self) -> None:
        """Writes everything that has ended by now. What a full disk does not take waits on."""
        if not self._ends:
            self._look()
            self._write()

    def close(self) -> None:
        """Ends recording: what was asked and not traced is answered as stopped."""
        if self._ends or os.getpid() != self._pid:
            return
        self._ends = True
        self._wake.set()
        self._thread.join(60)
        with self._lock:
            self._plan.end()
            self.is_asked = False
        with self._flushing:
            self._drain()
            self._answer()
            try:
                self._folder.close()
            except OSError as error:
                self._complain(error)
        atexit.unregister(self.close)

    def forked(self) -> None:
        """This is a child of the process that records, such as one that loads data. It has no thread of the recorder, and must not write its files."""
        self._ends, self.is_asked = True, False
        self._finished = collections.deque(maxlen=0)
        self.ran = self._finished.append
        self._lock = threading.Lock()

    # Below: the recorder's thread, and whoever flushes.

    def _work(self) -> None:
        looked = monotonic()
        while not self._ends:
            self._wake.wait(LOOK_EVERY)
            self._wake.clear()
            try:
                if monotonic() - looked >= LOOK_EVERY * 0.9:
                    looked = monotonic()
                    self._look()
                self._write()
            except Exception:  # A fault of ours must not end the thread, or runs would pile up.
                log.exception("Steplens could not write into %s", self.path)

    def _look(self) -> None:
        with self._flushing:
            try:
                found = self._folder.look()
                earlier = [self._folder.earlier_answer(each.id) for each in found]
            except OSError as error:
                self._complain(error)
                return
        with self._lock:
            self._plan.expire()
            for each, before in zip(found, earlier):
                if not isinstance(each, Unusable):
                    self._plan.take(each, before)
                elif before is None:
                    self._plan.refuse(each.id, each.sentence)
            self.is_asked = bool(self._plan)

    def _write(self) -> None:
        with self._flushing:
            self._drain()
            self._flush()

    def _drain(self) -> None:
        start_of_monotonic_ns = now_ns() - int(monotonic() * 1e9)
        while True:
            with self._lock:  # So that `begin` knows which number the next run will have.
                if not self._finished:
                    return
                over, number = self._finished.popleft(), self._next_number()
            begun = over if isinstance(over, Begun) else Ran(*over).begun(start_of_monotonic_ns)
            if not begun.requests:
                self._list(number, begun, None)
                continue
            self._list(number, begun, self._store(number, begun))
            self._flush()  # Its line follows a trace at once: while every run is traced, this loop does not end.

    def _next_number(self) -> int:
        self._number += 1
        return self._number - 1

    def _list(self, number: int, begun: Begun, trace: Optional[str]) -> None:
        fetches, feeds = names = begun.names
        request = begun.requests[0] if begun.requests and trace is not None else None
        self._folder.add_run(Run(number, begun.start_ns, begun.length_ns, begun.step, fetches, feeds, trace, request))
        if len(self.totals) >= MOST_NAMES and names not in self.totals:
            names = OTHERS
        known = self.totals.get(names, Totals(0, 0, begun.start_ns, begun.start_ns))
        self.totals[names] = Totals(known.runs + 1, known.length_ns + begun.length_ns, known.first_ns, begun.start_ns)

    def _store(self, number: int, begun: Begun) -> Optional[str]:
        """Writes a trace and says so, or refuses its requests."""
        trace: Optional[str] = None
        failure: Optional[BaseException] = None
        try:
            if begun.trace is None:
                raise FolderError("no-trace", "The run was over before it could be traced.")
            payload = begun.trace()
            try:
                trace = self._folder.add_trace(number, payload, begun.names)
            finally:
                payload.discard()
        except Exception as error:  # Of the disk, or of the framework whose trace this is.
            failure = error
        with self._room:
            if failure is None:
                self._plan.done(begun.requests, number)
            else:
                for identity in begun.requests:
                    self._plan.refuse(identity, reason(failure))
            self.is_asked = bool(self._plan)
            self._waiting_traces -= 1
            self._room.notify_all()
        if failure is not None:
            log.warning("Steplens could not keep the trace of run %d: %s", number, reason(failure))
        return trace

    def _answer(self) -> None:
        with self._lock:
            changed, self._plan.changed = self._plan.changed, {}
        for identity, answer in changed.items():
            self._folder.answer(identity, answer)

    def _flush(self) -> None:
        self._answer()
        try:
            self._folder.flush()
            self._complaint = None
        except OSError as error:
            self._complain(error)

    def _complain(self, error: OSError) -> None:
        """Logs a failure of the disk once, not each second."""
        if str(error) != self._complaint:
            self._complaint = str(error)
            log.warning("Steplens cannot write into %s: %s The training goes on.", self.path, reason(error))


def _forked(recorder: Optional[Recorder]) -> None:
    if recorder is not None:
        recorder.forked()


def _raise(error: BaseException) -> Payload:
    raise error
