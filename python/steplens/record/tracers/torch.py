"""PyTorch's profiler (1.8.1 and later)."""

import os
import tempfile
from typing import Any, Optional, Tuple

from ..folder.traces import CHROME_GZ, Payload
from . import Tracer


class TorchTracer(Tracer):
    """`torch.profiler.profile(**arguments)`: on CPU, and on the GPU where there is one, with shapes."""

    def __init__(self, **arguments: Any) -> None:
        self._arguments = dict({"record_shapes": True}, **arguments)
        self._profile: Any = None

    def start(self) -> None:
        from torch.profiler import profile  # type: ignore

        self._profile = profile(**self._arguments)
        self._profile.__enter__()

    def stop(self) -> Payload:
        finished, self._profile = self._profile, None
        finished.__exit__(None, None, None)
        return payload(finished)


def payload(profile: Any) -> Payload:
    """What a finished profile exports: Chrome trace JSON, packed."""
    scratch = tempfile.mkdtemp(prefix="steplens-")
    path = os.path.join(scratch, "trace" + CHROME_GZ)
    profile.export_chrome_trace(path)
    return Payload(CHROME_GZ, path=path, scratch=scratch)


def span_ns(profile: Any) -> Optional[Tuple[int, int]]:
    """Start (since 1970) and length in ns of what a finished profile recorded, from the first start to the last end; None if it says none."""
    events = profile.profiler.kineto_results.events()
    first: Optional[int] = None
    last: Optional[int] = None
    for event in events:
        if hasattr(event, "start_ns"):
            start, length = event.start_ns(), event.duration_ns()
        else:  # Before 2.2.
            start, length = event.start_us() * 1000, event.duration_us() * 1000
        if first is None or start < first:
            first = start
        if last is None or start + length > last:
            last = start + length
    return None if first is None or last is None else (first, last - first)
