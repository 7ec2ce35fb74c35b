"""The program `steplens`, which draws the page and serves a folder."""

import atexit
import logging
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
from typing import List, Optional

from .folder.errors import FolderError

log = logging.getLogger("steplens")


def command() -> List[str]:
    """How the program is started: as `STEPLENS_PROGRAM` says, as part of this package, or as found on the PATH. Raises FolderError."""
    given = os.environ.get("STEPLENS_PROGRAM")
    if given:
        return [given]
    try:
        import steplens._core  # noqa: F401

        return [sys.executable, "-m", "steplens"]
    except ImportError as why:  # The recorder alone, as on Python 3.6.
        # Its own script of that name is not the program.
        own = os.path.realpath(sysconfig.get_path("scripts"))
        folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
        others = os.pathsep.join(folder for folder in folders if os.path.realpath(folder) != own)
        found = shutil.which("steplens", path=others)
        if found is None:
            raise FolderError("no-program", "There is no program steplens on the PATH ({}).".format(why)) from None
        return [found]


def run(*arguments: str) -> str:
    """What the program prints. Raises FolderError with what it says is wrong."""
    process = subprocess.Popen(command() + list(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    printed, complaints = process.communicate()
    if process.returncode != 0:
        raise FolderError("program-failed", complaints.decode("utf-8", "replace").strip())
    return printed.decode("utf-8", "replace")


class Served:
    """A child process that serves a folder, and ends with this process."""

    #: Seconds that the child has to say its address, and to end.
    PATIENCE = 20

    def __init__(self, arguments: List[str]) -> None:
        until_end = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "until_end.py")]
        self._child = subprocess.Popen(until_end + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self._pid = os.getpid()
        #: The address with the token; None until the child has said it.
        self.address: Optional[str] = None
        self._said = threading.Event()
        self._printed: List[str] = []
        self._listener = threading.Thread(target=self._listen, name="steplens-serve", daemon=True)
        self._listener.start()
        atexit.register(self.stop)

    def is_running(self) -> bool:
        return self._child.poll() is None

    def wait_for_address(self) -> Optional[str]:
        """The address, once it is known; None if the child ended or said nothing."""
        self._said.wait(self.PATIENCE)
        return self.address

    def printed(self) -> str:
        """The last lines that the child printed."""
        return "\n".join(self._printed)

    def join(self) -> None:
        """Waits until the child ends."""
        self._child.wait()

    def stop(self) -> None:
        """Ends the child, unless it is that of a process of which this one is a fork."""
        if os.getpid() != self._pid:
            return
        atexit.unregister(self.stop)
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.close()
        try:
            self._child.wait(self.PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._listener.join(self.PATIENCE)
        self._child.stdout.close()

    def _listen(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            text = line.decode("utf-8", "replace").rstrip()
            self._printed = self._printed[-19:] + [text]
            found = re.search(r"https?://\S+", text)
            if found and self.address is None:
                self.address = found.group(0)
                self._said.set()
        self._said.set()


def serve(folder: str, port: int, address: str) -> Served:
    """Starts `steplens serve FOLDER`. Raises FolderError, OSError."""
    return Served(command() + ["serve", folder, "--port", str(port), "--address", address])
