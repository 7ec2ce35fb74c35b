"""`TracingServer` of tensorflow-tracer, over a watched folder that the page of Steplens shows."""

import atexit
import logging
import os
import shutil
import tempfile
from typing import Any, Optional

from . import program, sessions
from .folder import FolderError
from .horovod import rank_of
from .recorder import Recorder

log = logging.getLogger("steplens")


def _remove(folder: str, pid: int) -> None:
    """Removes a folder of this process, not of one that it is a fork of."""
    if os.getpid() == pid:
        shutil.rmtree(folder, ignore_errors=True)


class TracingServer:
    """Records the runs of a `MonitoredSession` or an Estimator, and serves the page on which they are listed, counted and traced on demand.

    Example:

        tracing_server = TracingServer()
        estimator.train(input_fn, hooks=[tracing_server.hook])

    Args:
        start_web_server_on_start: whether the page is served at once.
        server_port: the port of the page; 0 is any that is free.
        server_ip: the address of the page. tensorflow-tracer listened to everyone; this listens to this machine alone, and each other address is a risk.
        keep_traces: the most traces of runs with the same fetches and feeds; the oldest are deleted.
        is_horovod: as tensorflow-tracer has it; nothing depends on it, because Horovod's ops are known by their labels.
        folder: the watched folder; None makes one among the temporary files, which is deleted when this process ends. Horovod's processes may share one:
            then the first alone serves the page, which shows all.
        process: the name of this process in the folder.
        rank, size: numbers or functions; else those of `horovod.tensorflow` where the program imported it.
        bounds: `keep_bytes` and `keep_runs` of `steplens.record.folder.WatchedFolder`.
    """

    def __init__(
        self,
        start_web_server_on_start: bool = True,
        server_port: int = 9999,
        server_ip: str = "127.0.0.1",
        keep_traces: int = 5,
        is_horovod: Optional[bool] = None,
        folder: Optional[str] = None,
        process: Optional[str] = None,
        rank: Any = None,
        size: Any = None,
        **bounds: Any
    ) -> None:
        one_of = rank_of(rank, size)
        if process is None and one_of is not None:
            process = f"rank.{one_of.rank}"
        shares = folder is not None and one_of is not None and one_of.rank > 0
        self._port, self._ip = server_port, server_ip
        if not folder:
            folder = tempfile.mkdtemp(prefix="steplens-")
            # Before the recorder and the server exist: what is registered first is called last.
            atexit.register(_remove, folder, os.getpid())
        self._recorder = Recorder(folder, process, keep_each=keep_traces, **bounds)
        self._served: Optional[program.Served] = None
        self._hook: Any = None
        if start_web_server_on_start and not shares:
            self.start_web_server()

    @property
    def hook(self) -> Any:
        """The `SessionRunHook` that is given to an Estimator or a `MonitoredSession`."""
        if self._hook is None:
            from .hook import SteplensHook  # Here, because a session can be loaded and served without TensorFlow.

            self._hook = SteplensHook(self._recorder)
        return self._hook

    @property
    def folder(self) -> str:
        """The watched folder."""
        return self._recorder.path

    @property
    def recorder(self) -> Recorder:
        return self._recorder

    @property
    def address(self) -> Optional[str]:
        """The address of the page, with its token; None while no page is served."""
        return None if self._served is None else self._served.wait_for_address()

    def start_web_server(self) -> None:
        """Serves the page, from a process of its own. Where that cannot be, it is logged, and runs are recorded all the same."""
        if self._served is not None and self._served.is_running():
            return
        try:
            self._served = program.serve(self.folder, self._port, self._ip)
        except (FolderError, OSError) as error:
            log.warning("Steplens records into %s, but serves no page: %s", self.folder, error)
            return
        address, said = self._served.wait_for_address(), self._served.printed()
        if address is None:
            self.stop_web_server()
            log.warning("Steplens records into %s, but serves no page: %s", self.folder, said or "the program said nothing.")
        else:
            log.warning("Steplens: %s", address)  # Python shows warnings where a program set up no logging, and this is what people wait for.

    def stop_web_server(self) -> None:
        """Ends serving the page; runs are recorded on."""
        if self._served is not None:
            self._served.stop()
            self._served = None

    def join(self) -> None:
        """Waits until the page is no longer served, such as until Ctrl+C."""
        if self._served is not None:
            self._recorder.flush()
            self._served.join()

    def save_session(self, filename: str) -> None:
        """Writes all that this process recorded into one file, which the page and tensorflow-tracer open. Raises FolderError, OSError."""
        sessions.save(self._recorder, str(filename))

    def load_session(self, filename: str, gziped: Optional[bool] = None) -> None:
        """Puts a session of `save_session`, also of tensorflow-tracer, into the folder, next to what is recorded. Runs no code of the file.

        Args:
            filename: the session.
            gziped: whether it is packed; None looks.

        Raises:
            FolderError: the file is no session.
            OSError: it cannot be read, or the folder cannot be written.
        """
        sessions.load(self.folder, str(filename), gziped)
