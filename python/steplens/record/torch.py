"""What PyTorch's profiler calls when a trace is ready."""

import logging
from typing import Any, Callable, Union

from .begun import Begun
from .folder import FolderError, reason
from .recorder import Recorder
from .tracers.torch import payload, span_ns

log = logging.getLogger("steplens")


def on_trace_ready(to: Union[str, Recorder]) -> Callable[[Any], None]:
    """What `torch.profiler.profile(on_trace_ready=...)` calls: each finished trace goes into a watched folder.

    Example:

        schedule = torch.profiler.schedule(wait=10, warmup=1, active=1)
        with torch.profiler.profile(schedule=schedule, on_trace_ready=on_trace_ready("watched")) as profile:
            for batch in batches:
                train_step(batch)
                profile.step()

    The trace is listed as one run, from its first event to its last.
    """
    recorder = to if isinstance(to, Recorder) else Recorder(to)

    def keep(profile: Any) -> None:
        try:
            span = span_ns(profile)
            if span is None:
                log.warning("PyTorch's profiler recorded nothing.")
                return
            begun = Begun(int(profile.step_num))
            begun.start_ns, begun.length_ns = span
            finished = payload(profile)
            try:
                recorder.keep(begun, finished)
            finally:
                finished.discard()
        except (FolderError, OSError) as error:  # A full disk must not end the training.
            log.warning("Steplens could not keep a trace: %s", reason(error))

    return keep
