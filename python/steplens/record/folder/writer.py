"""The folder as one process writes it."""

import json
import os
from typing import Hashable, List, Optional, Tuple, Union

from . import answers, atomic
from .claim import claim
from .errors import FolderError
from .names import PROCESS, checked_process, default_process
from .requests import Request, Requests, Unusable
from .reserve import Reserve
from .runs import Run, RunsFile
from .traces import Payload, Traces

SCHEMA = "steplens.watched-folder/1"


class WatchedFolder:
    """A watched folder and one process that writes into it. For one thread."""

    def __init__(
        self,
        path: str,
        process: Optional[str] = None,
        keep_traces: int = 100,
        keep_bytes: int = 2 << 30,
        keep_runs: int = 20000,
        keep_each: Optional[int] = None,
    ) -> None:
        """Makes the folder if it is not there, and goes on where a process of this name ended.

        Args:
            path: the folder.
            process: the name of this process, else one from the environment (`default_process`). Where another process that still runs has it, a number is added.
            keep_traces: the most traces of this process.
            keep_bytes: the most bytes of these together.
            keep_runs: the most lines of its list of runs.
            keep_each: the most traces of runs with the same fetches and feeds.

        Raises:
            FolderError: the name is not allowed, or another program's folder is there.
            OSError: the folder cannot be made or written.
        """
        self.path = os.path.abspath(str(path))
        self._make()
        self.process, self._claim = claim(self.path, checked_process(process or default_process()))
        self._bounds = (keep_traces, keep_bytes, keep_each)
        self._announce()
        self._traces = Traces(self.path, self.process, *self._bounds)
        self._runs = RunsFile(os.path.join(self.path, f"runs-{self.process}.jsonl"), self.process, keep_runs)
        # A list that someone deleted must not make new traces take the place of old ones.
        self._runs.next_run = max(self._runs.next_run, self._traces.newest_run() + 1)
        self._answers = answers.Answers(self.path, self.process)
        self._requests = Requests(self.path)
        self._reserve = Reserve(self.path, self.process)

    @property
    def next_run(self) -> int:
        """The number of the next run."""
        return self._runs.next_run

    def add_trace(self, run: int, payload: Payload, group: Hashable = None) -> str:
        """Writes the trace of `run`; what is returned is its path in the folder. Raises FolderError, OSError."""
        try:
            return self._traces.add(run, payload, group)
        except FileNotFoundError:
            self._again()
            return self._traces.add(run, payload, group)

    def add_run(self, run: Run) -> None:
        """Lists `run` at the next flush."""
        self._runs.append(run)

    def add_unlisted(self, count: int) -> None:
        """Counts `count` runs that are not listed."""
        self._runs.lost(count)

    def look(self) -> List[Union[Request, Unusable]]:
        """The requests to this process that came since the last look, the oldest first. Raises OSError."""
        try:
            found = self._requests.look()
        except FileNotFoundError:
            self._again()
            found = self._requests.look()
        return [each for each in found if isinstance(each, Unusable) or each.processes is None or self.process in each.processes]

    def earlier_answer(self, identity: str) -> Optional[answers.Answer]:
        """What a process of this name answered before this one began. Raises OSError."""
        return self._answers.earlier(identity)

    def answer(self, identity: str, answer: answers.Answer) -> None:
        """Answers the request at the next flush."""
        self._answers.give(identity, answer)

    def flush(self) -> None:
        """Writes runs and answers. Raises OSError; what is not written is tried at the next flush."""
        try:
            self._flush()
        except FileNotFoundError:
            self._again()
            self._flush()

    def _flush(self) -> None:
        try:
            self._answers.flush()
        except FileNotFoundError:
            raise
        except OSError:
            if not self._reserve.give_up():
                raise
            self._answers.flush()
        self._reserve.keep()
        self._runs.flush()

    def close(self) -> None:
        """Writes what waits and gives the name back. Raises OSError."""
        try:
            self.flush()
        finally:
            self._reserve.give_up()
            self._claim.release()

    def _make(self) -> None:
        for name in ("traces", "requests", "answers"):
            os.makedirs(os.path.join(self.path, name), exist_ok=True)

    def _again(self) -> None:
        """Someone deleted the folder while the training runs."""
        self._make()
        self._announce()

    def _announce(self) -> None:
        path = os.path.join(self.path, "steplens.json")
        processes, known = _processes(path)
        if self.process not in processes or not known:
            text = json.dumps({"schema": SCHEMA, "processes": sorted(set(processes) | {self.process})})
            atomic.write(path, text.encode(), self.process, durable=True)


def _processes(path: str) -> Tuple[List[str], bool]:
    """The processes of `steplens.json`, and whether it is there. Raises FolderError, OSError."""
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read().decode("utf-8"))
        schema, processes = value["schema"], value.get("processes", [])
    except FileNotFoundError:
        return [], False
    except (ValueError, KeyError, TypeError):
        raise FolderError("not-a-watched-folder", f"{path} is not what Steplens writes. Give a folder of its own.") from None
    if schema != SCHEMA:
        raise FolderError("other-version", f"{path} says {schema!r}, and this release writes {SCHEMA!r}. Give a new folder.")
    return [name for name in processes if isinstance(name, str) and PROCESS.match(name)], True
