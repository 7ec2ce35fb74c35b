"""A run of a program that trains, while it is under way and until it is written."""

from typing import Callable, NamedTuple, Optional, Sequence, Tuple

from .clock import monotonic, now_ns
from .folder.traces import Payload

#: What was fetched, and what was fed.
Names = Tuple[Tuple[str, ...], Tuple[str, ...]]
NO_NAMES: Names = ((), ())


class Totals(NamedTuple):
    """What is known of all runs with the same fetches and feeds. Times are nanoseconds."""

    runs: int
    length_ns: int
    first_ns: int
    last_ns: int


class Ran(NamedTuple):
    """An untraced run that is over: times of `monotonic`. It is all that the hook makes for a step, and made into a Begun by the recorder's thread."""

    began: float
    ended: float
    names: Names

    def begun(self, start_of_monotonic_ns: int) -> "Begun":
        """The same as a Begun, by what time of day it was when `monotonic` was 0."""
        begun = Begun()
        begun.start_ns, begun.length_ns = start_of_monotonic_ns + int(self.began * 1e9), int((self.ended - self.began) * 1e9)
        begun.names = self.names
        return begun


class Begun:
    """A run: under way until `end` was called."""

    __slots__ = ("start_ns", "began", "length_ns", "step", "requests", "names", "trace")

    def __init__(self, step: Optional[int] = None, requests: Sequence[str] = ()) -> None:
        self.step = step
        #: For which requests it is to be traced.
        self.requests = requests
        self.names = NO_NAMES
        self.trace: Optional[Callable[[], Payload]] = None
        self.length_ns = -1
        self.start_ns, self.began = now_ns(), monotonic()

    @property
    def is_traced(self) -> bool:
        """Whether this run is to be traced."""
        return bool(self.requests)

    def again(self) -> None:
        """It begins only now."""
        self.start_ns, self.began = now_ns(), monotonic()

    def end(self) -> None:
        """It ends now, unless it has ended."""
        if self.length_ns < 0:
            self.length_ns = int((monotonic() - self.began) * 1e9)
