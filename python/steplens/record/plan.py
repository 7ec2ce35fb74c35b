"""Which run is traced for which request.

A request is *seen* when it is read, *tracing* from its first run on, and ends as done, stopped, expired or refused. Every function here is short, and called
under the recorder's lock: from the thread that looks at requests, and, only while there are any, from the threads that train.
"""

from typing import Dict, List, Optional, Sequence, Tuple

from . import clock
from .folder.answers import DONE, ENDED, EXPIRED, REFUSED, SEEN, STOPPED, TRACING, Answer
from .folder.requests import Request


class _Asked:
    """A request that has not ended."""

    def __init__(self, request: Request, earlier: Optional[Answer]) -> None:
        self.request = request
        self.runs: Tuple[int, ...] = earlier.runs if earlier is not None else ()
        self.begun = bool(self.runs)
        self.under_way = 0
        self.passed = 0  # Runs since the request was seen or last met.
        self.step: Optional[int] = None
        left = None if request.expires_ns is None else (request.expires_ns - clock.now_ns()) / 1e9
        if left is not None and request.lasts_s is not None:
            left = max(left, request.lasts_s)  # The clock of who asked may be behind this one.
        #: On the clock that never jumps: a time of day that is set meanwhile neither ends a request nor keeps it.
        self.until = None if left is None else clock.monotonic() + left

    def is_complete(self) -> bool:
        return self.request.wanted > 0 and len(self.runs) >= self.request.wanted

    def wants(self, step: Optional[int], number: int) -> bool:
        """Whether the next run, which is about to begin at `step`, is to be traced; `number` is its own."""
        request = self.request
        if request.wanted and len(self.runs) + self.under_way >= request.wanted:
            return False
        if request.kind == "multiple":
            if step is None:
                step = number
            # A step that several processes count together may pass a multiple while this one computes: the next run counts then.
            before, self.step = self.step, step
            return step % request.n == 0 or (before is not None and step // request.n > before // request.n)
        self.passed += 1
        if request.kind != "now" and self.passed < request.n:
            return False
        self.passed = 0
        return True


class Plan:
    """All requests that have not ended."""

    def __init__(self) -> None:
        self._asked: Dict[str, _Asked] = {}
        #: The answers that changed; whoever takes them empties it.
        self.changed: Dict[str, Answer] = {}

    def __bool__(self) -> bool:
        return bool(self._asked)

    def needs_step(self) -> bool:
        """Whether a request depends on the step of the next run."""
        return any(asked.request.kind == "multiple" for asked in self._asked.values())

    def take(self, request: Request, earlier: Optional[Answer]) -> None:
        """Begins with `request`, of which a process of this name may have answered something before it ended."""
        if earlier is not None and earlier.state in ENDED:
            return
        if earlier is not None and request.wanted == 0:
            # Without an end it would go on in every process that ever takes this name.
            self.changed[request.id] = Answer(STOPPED, earlier.runs, "The process that took it ended.")
            return
        if request.kind == "stop":
            for identity in list(self._asked):
                self._end(identity, STOPPED, None)
            self.changed[request.id] = Answer(DONE)
            return
        asked = _Asked(request, earlier)
        if asked.is_complete():
            self.changed[request.id] = Answer(DONE, asked.runs)
            return
        self._asked[request.id] = asked
        self.changed[request.id] = Answer(TRACING if asked.begun else SEEN, asked.runs)

    def refuse(self, identity: str, sentence: str) -> None:
        """Ends a request with the reason why it is not followed."""
        self._end(identity, REFUSED, sentence)

    def expire(self) -> None:
        """Ends the requests that are too old to begin."""
        now = clock.monotonic()
        for identity, asked in list(self._asked.items()):
            if asked.until is not None and now >= asked.until and not asked.begun:
                self._end(identity, EXPIRED, None)

    def begin(self, step: Optional[int], number: int) -> List[str]:
        """The requests for which the run that begins now, the `number`-th, is traced. Each is given back by `done`, `failed` or `refuse`."""
        self.expire()
        due = [identity for identity, asked in self._asked.items() if asked.wants(step, number)]
        for identity in due:
            asked = self._asked[identity]
            asked.under_way += 1
            if not asked.begun:
                asked.begun = True
                self.changed[identity] = Answer(TRACING, asked.runs)
        return due

    def done(self, identities: Sequence[str], run: int) -> None:
        """The trace of `run` is in the folder."""
        for identity in identities:
            asked = self._asked.get(identity)
            if asked is None:
                continue  # Stopped meanwhile.
            asked.under_way -= 1
            asked.runs += (run,)
            if asked.is_complete():
                self._end(identity, DONE, None)
            else:
                self.changed[identity] = Answer(TRACING, asked.runs)

    def failed(self, identities: Sequence[str]) -> None:
        """The run ended by an exception; the next one is traced in its place."""
        for identity in identities:
            if identity in self._asked:
                self._asked[identity].under_way -= 1

    def end(self) -> None:
        """The process ends."""
        for identity in list(self._asked):
            self._end(identity, STOPPED, "The process ended.")

    def _end(self, identity: str, state: str, sentence: Optional[str]) -> None:
        asked = self._asked.pop(identity, None)
        self.changed[identity] = Answer(state, asked.runs if asked is not None else (), sentence)
