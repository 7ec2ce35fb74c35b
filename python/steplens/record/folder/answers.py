"""`answers/ID-PROCESS.json`: what became of a request. What a full disk does not take is tried again."""

import json
import os
from typing import Any, Dict, NamedTuple, Optional, Tuple

from .. import clock
from . import atomic

SEEN, TRACING, DONE, STOPPED, EXPIRED, REFUSED = "seen", "tracing", "done", "stopped", "expired", "refused"
ENDED = (DONE, STOPPED, EXPIRED, REFUSED)
#: The most runs that an answer names. If there are more, it says so.
MOST_RUNS = 1000


class Answer(NamedTuple):
    state: str
    runs: Tuple[int, ...] = ()
    reason: Optional[str] = None


class Answers:
    """The answers of one process."""

    def __init__(self, folder: str, process: str) -> None:
        self._directory, self._process = os.path.join(folder, "answers"), process
        self._waiting: Dict[str, Dict[str, Any]] = {}
        with os.scandir(self._directory) as entries:
            for entry in entries:
                if atomic.is_temporary(entry.name, process):
                    os.unlink(entry.path)  # Left by a process of this name that was killed in the middle of a write.

    def give(self, identity: str, answer: Answer) -> None:
        """Replaces the answer to `identity` at the next flush."""
        because = answer.reason
        if because is None and len(answer.runs) > MOST_RUNS:
            because = f"{len(answer.runs)} runs were traced; the last {MOST_RUNS} are listed."
        self._waiting[identity] = {
            "id": identity,
            "process": self._process,
            "state": answer.state,
            "runs": list(answer.runs[-MOST_RUNS:]),
            "reason": because,
            "at_ns": clock.now_ns(),
        }

    def flush(self) -> None:
        """Writes what waits. Raises OSError; what is not written waits on."""
        for identity in list(self._waiting):
            atomic.write(self._path(identity), json.dumps(self._waiting[identity]).encode(), self._process)
            del self._waiting[identity]

    def earlier(self, identity: str) -> Optional[Answer]:
        """What an earlier process of this name answered, if anything that can be read. Raises OSError."""
        try:
            with open(self._path(identity), "rb") as file:
                value = json.loads(file.read().decode("utf-8"))
            runs = tuple(run for run in value["runs"] if isinstance(run, int))
            return Answer(str(value["state"]), runs, value.get("reason"))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            return None  # No answer of ours; it is replaced.

    def _path(self, identity: str) -> str:
        return os.path.join(self._directory, f"{identity}-{self._process}.json")
