"""The names of what a `Session.run` fetched and was fed."""

from typing import Any, Dict, List, Tuple

Names = Tuple[Tuple[str, ...], Tuple[str, ...]]
#: The most names of one run that are listed. Of the others the number is.
MOST = 200


class FetchedNames:
    """Names for the arguments of runs. Programs run the same few things again and again: these are looked up by what objects they are."""

    #: The most sets of arguments that are kept. A program that makes new ones for each run gets no faster by keeping more.
    KEPT = 64

    def __init__(self) -> None:
        self._last: Any = ()
        # The objects are kept with their names: while they live, no other object has their id.
        self._known: Dict[Tuple[int, ...], Tuple[List[Any], Names]] = {}

    def of(self, fetches: Any, feed_dict: Any) -> Names:
        """The names of fetches (tensors, operations, names; nested lists and dicts of them) and of what is fed."""
        if feed_dict is None and self._last and self._last[0] is fetches and not isinstance(fetches, (list, dict)):
            return self._last[1]  # type: ignore  # As most programs run: one thing, again and again.
        objects: List[Any] = []
        _flatten(fetches, objects)
        feeds = list(feed_dict) if feed_dict else []
        key = tuple(map(id, objects)) + (0,) + tuple(map(id, feeds))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= self.KEPT:
                self._known.clear()
            known = self._known[key] = (objects + feeds, (_names(objects), _names(feeds)))
        if feed_dict is None:
            self._last = (fetches, known[1])
        return known[1]


def _flatten(fetches: Any, into: List[Any]) -> None:
    if isinstance(fetches, (list, tuple)):
        for fetch in fetches:
            _flatten(fetch, into)
    elif isinstance(fetches, dict):
        for fetch in fetches.values():
            _flatten(fetch, into)
    elif fetches is not None:
        into.append(fetches)


def _names(objects: List[Any]) -> Tuple[str, ...]:
    names = [_name(each) for each in objects[:MOST]]
    if len(objects) > MOST:
        names.append(f"and {len(objects) - MOST} more")
    return tuple(names)


def _name(fetched: Any) -> str:
    if isinstance(fetched, str):
        return fetched
    if isinstance(fetched, bytes):
        return fetched.decode("utf-8", "replace")
    name = getattr(fetched, "name", None)
    if isinstance(name, str):
        return name
    return type(fetched).__name__  # A SparseTensor, or a type that TensorFlow was taught: it has no name of its own.
