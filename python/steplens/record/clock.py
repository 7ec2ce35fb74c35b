"""The two clocks of a recorder: the time of day, which is written, and one that never jumps, by which lengths and intervals are counted."""

import time

#: Seconds on a clock that never jumps.
monotonic = time.perf_counter

try:
    #: Nanoseconds since 1970.
    now_ns = time.time_ns
except AttributeError:  # Python 3.6

    def now_ns() -> int:
        return int(time.time() * 1e9)


def nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
