"""`hook_inject` of tensorflow-tracer: records a script that cannot be changed."""

import inspect
from typing import Any, Optional

from .server import TracingServer

_server: Optional[TracingServer] = None


def hook_inject(*args: Any, **kwargs: Any) -> TracingServer:
    """Gives the hook of one `TracingServer`, which takes the same arguments, to every `MonitoredSession` that is made from now on, those of Estimators included.

    Call it once, before the script makes its sessions; later calls return the server of the first. It replaces the constructor of a class of TensorFlow that is no
    public interface: give `TracingServer().hook` to the session where the script can be changed.

    Raises:
        ImportError: TensorFlow cannot be imported.
        FolderError, OSError: the folder cannot be made.
    """
    global _server
    if _server is not None:
        return _server
    from tensorflow.python.training.monitored_session import _MonitoredSession  # type: ignore

    original = _MonitoredSession.__init__
    parameters = inspect.signature(original)
    server = TracingServer(*args, **kwargs)

    def with_hook(self: Any, *given: Any, **named: Any) -> None:
        arguments = parameters.bind(self, *given, **named)
        hooks = list(arguments.arguments.get("hooks") or [])
        if server.hook not in hooks:
            hooks.append(server.hook)
        arguments.arguments["hooks"] = hooks
        original(*arguments.args, **arguments.kwargs)

    _MonitoredSession.__init__ = with_hook
    _server = server
    return server
