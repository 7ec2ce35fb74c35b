"""Recording: steps of TensorFlow 1 and 2, JAX and PyTorch, as files that Steplens opens, and as a folder that its page watches.

Pure Python from 3.6 on, without any dependency but the framework that is recorded, which is imported when it is used.

| for | there is |
|---|---|
| one traced piece of any framework | `trace` |
| a loop of one's own, live | `Recorder` |
| `Session.run` loops of TensorFlow 1, live | `RecordedSession` |
| Estimators and `MonitoredSession`, live | `TracingServer`, or `steplens.record.hook.SteplensHook` |
| scripts that cannot be changed | `hook_inject` |
| Keras, live | `steplens.record.keras.SteplensCallback` |
| PyTorch's `on_trace_ready` | `steplens.record.torch.on_trace_ready` |
| programs written for tfvis or tensorflow-tracer | `Timeline`, `timeline_visualize`, `TracingServer`, `hook_inject` |

`docs/recording.md` shows each at work.
"""

from .folder import FolderError
from .inject import hook_inject
from .recorder import Recorder
from .server import TracingServer
from .session import RecordedSession
from .timeline import Timeline, timeline_visualize
from .tracing import trace

__all__ = ["FolderError", "RecordedSession", "Recorder", "Timeline", "TracingServer", "hook_inject", "timeline_visualize", "trace"]
