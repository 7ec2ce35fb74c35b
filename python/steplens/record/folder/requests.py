"""`requests/ID.json`: what others ask of this process."""

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Set, Union

from .names import ID

KINDS = ("now", "every", "multiple", "stop")


class Request(NamedTuple):
    """A request as its file says it; what it leaves out is as here."""

    id: str
    kind: str
    n: int = 1
    wanted: int = 1  # `count` of the file.
    processes: Optional[List[str]] = None
    expires_ns: Optional[int] = None
    #: For how long it may wait to begin, by the times of who asked and of the file alone; None if it was there when this process first looked.
    lasts_s: Optional[float] = None


class Unusable(NamedTuple):
    """A request that cannot be followed, and why."""

    id: str
    sentence: str


def parse(identity: str, data: bytes) -> Union[Request, Unusable]:
    """The request that the file `identity.json` holds."""
    try:
        value = json.loads(data.decode("utf-8"))
    except ValueError:
        return Unusable(identity, "The request is no JSON.")
    if not isinstance(value, dict):
        return Unusable(identity, "The request is no JSON object.")
    request: Dict[str, Any] = {"n": 1, "count": 1, "processes": None, "expires_ns": None}
    request.update({key: value[key] for key in ("id", "kind", "n", "count", "processes", "expires_ns") if key in value})
    if request.setdefault("id", identity) != identity:
        return Unusable(identity, "The request is called {!r} inside.".format(request["id"]))
    if request.get("kind") not in KINDS:
        return Unusable(identity, "The kind of a request is one of {}, not {!r}.".format(", ".join(KINDS), request.get("kind")))
    if not _is_whole(request["n"], 1):
        return Unusable(identity, "n is a whole number of 1 or more, not {!r}.".format(request["n"]))
    least = 0 if request["kind"] == "every" else 1
    if request["kind"] != "stop" and not _is_whole(request["count"], least):
        return Unusable(identity, "count is a whole number of {} or more, not {!r}.".format(least, request["count"]))
    processes = request["processes"]
    if processes is not None and not (isinstance(processes, list) and all(isinstance(name, str) for name in processes)):
        return Unusable(identity, f"processes is a list of names or null, not {processes!r}.")
    if request["expires_ns"] is not None and not _is_whole(request["expires_ns"], 0):
        return Unusable(identity, "expires_ns is a whole number of nanoseconds since 1970, not {!r}.".format(request["expires_ns"]))
    request["wanted"] = request.pop("count")
    return Request(**request)


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


class Requests:
    """The folder of requests. Each is given once."""

    #: At each such look the folder is listed though its time did not change: times of folders may be as coarse as 2 seconds.
    LISTED_EVERY = 5

    def __init__(self, folder: str) -> None:
        self._directory = os.path.join(folder, "requests")
        self._seen: Set[str] = set()
        self._changed: Optional[int] = None
        self._looks = 0

    def look(self) -> List[Union[Request, Unusable]]:
        """What came since the last look, the oldest first. Raises OSError."""
        changed = os.stat(self._directory).st_mtime_ns
        self._looks += 1
        if changed == self._changed and self._looks % self.LISTED_EVERY:
            return []
        self._changed = changed
        found = []
        present = set()
        with os.scandir(self._directory) as entries:
            for entry in entries:
                identity, ending = os.path.splitext(entry.name)
                if ending != ".json" or not ID.match(identity):
                    continue
                present.add(identity)
                if identity not in self._seen:
                    found.append((entry.stat().st_mtime_ns, identity, entry.path))
        self._seen &= present  # What was deleted is forgotten, so that what is known stays bounded by what is there.
        requests = []
        for written_ns, identity, path in sorted(found):
            try:
                with open(path, "rb") as file:
                    request = parse(identity, file.read(1 << 20))
            except FileNotFoundError:
                continue  # Taken back meanwhile.
            self._seen.add(identity)
            # What was not there at the last look is new, whatever the clock of this machine says of its age.
            if self._looks > 1 and isinstance(request, Request) and request.expires_ns is not None:
                request = request._replace(lasts_s=(request.expires_ns - written_ns) / 1e9)
            requests.append(request)
        return requests
