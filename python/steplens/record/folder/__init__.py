"""The writer of a watched folder: what `docs/live.md` says, and nothing of any framework.

`WatchedFolder` is for one thread; `steplens.record.Recorder` owns one and calls it from a thread of its own, so that no training step waits for a disk.
"""

from .errors import FolderError, reason
from .names import default_process
from .requests import Request
from .runs import Run
from .writer import WatchedFolder

__all__ = ["FolderError", "Request", "Run", "WatchedFolder", "default_process", "reason"]
