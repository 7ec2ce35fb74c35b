"""Questions to a dataset of many traces, which `steplens index` made, by DuckDB's Python package (`pip install steplens[fleet]`).

>>> import steplens.fleet
>>> steplens.fleet.ask("fleet", "stragglers")            # a relation of DuckDB: .df(), .pl(), .arrow(), .fetchall()
>>> steplens.fleet.connect("fleet").sql("SELECT op_type, sum(self_ns) FROM op_types GROUP BY op_type")

`steplens.fleet.spark` asks the same by Spark, and makes a dataset with it.
"""

import datetime
import difflib
import os
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Union

from steplens import _core
from steplens.errors import SteplensError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

__all__ = ["Question", "ask", "connect", "question", "questions"]

Folder = Union[str, "os.PathLike[str]"]
Moment = Union[int, datetime.datetime]
"""In nanoseconds from 1970, or a datetime that knows its zone."""


class Question(NamedTuple):
    """A question, as a statement of SQL that DuckDB and Spark run unchanged."""

    name: str
    """Such as `stragglers`."""
    about: str
    """What it answers."""
    sql: str
    """The statement, over a view for each table and the view `asked`. Its comments say what its columns mean."""


def questions() -> List[Question]:
    """Every question."""
    return [Question(*own) for own in _core.fleet_questions()]


def question(name: str) -> Question:
    """The question of this name.

    Raises:
        SteplensError: there is none (`bad-option`).
    """
    known = {own.name: own for own in questions()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known) or list(known)
    raise SteplensError("bad-option", "There is no question {!r}. There is {}.".format(name, ", ".join(near)))


def asked(
    *,
    day_a: Optional[str] = None,
    day_b: Optional[str] = None,
    at: Optional[Moment] = None,
    run: Optional[str] = None,
    share: Optional[float] = None,
) -> str:
    """The statement that makes the view `asked`, of which every question reads what it needs.

    Args:
        day_a: the earlier of two days, such as `"2026-11-25"`; the first if it is not given.
        day_b: the later; the last if it is not given.
        at: the moment that divides before from after; the middle if it is not given.
        run: only this run counts.
        share: a share from 0 to 1, such as 0.1.

    Raises:
        SteplensError: one of them cannot be used (`bad-option`).
    """
    for day in (day_a, day_b):
        if day is not None:
            try:
                datetime.datetime.strptime(day, "%Y-%m-%d")
            except ValueError:
                raise SteplensError("bad-option", "{!r} is no day. Write it as 2026-11-26.".format(day)) from None
    if share is not None and not 0 <= share <= 1:
        raise SteplensError("bad-option", "{!r} is no share from 0 to 1.".format(share))
    at_unix_ns: Optional[int] = None
    if isinstance(at, datetime.datetime):
        if at.tzinfo is None:
            raise SteplensError("bad-option", "{} has no time zone: give it one, such as datetime.timezone.utc.".format(at))
        since = at - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        at_unix_ns = (since // datetime.timedelta(microseconds=1)) * 1000
    else:
        at_unix_ns = at
    return _core.fleet_asked(day_a, day_b, at_unix_ns, run, None if share is None else round(share * 1e6))


def connect(dataset: Folder, **chosen: Any) -> "DuckDBPyConnection":
    """A database in memory with a view for each table of the dataset, and the view `asked`, of which `chosen` says what it has.

    It installs and loads no extension by itself, and reaches no network.

    Raises:
        SteplensError: the folder is no dataset, or one of another version (`not-a-dataset`, `other-dataset`), or there is no package
            `duckdb` (`no-duckdb`).
    """
    try:
        import duckdb
    except ImportError:
        raise SteplensError("no-duckdb", "The package duckdb is not installed: pip install duckdb.") from None
    alone: Dict[str, Any] = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    statements = [*_core.fleet_views(os.fspath(dataset)), asked(**chosen)]
    connection = duckdb.connect(":memory:", config=alone)
    for statement in statements:
        connection.execute(statement)
    return connection


def ask(dataset: Folder, name: str, **chosen: Any) -> "DuckDBPyRelation":
    """What the question `name` is answered, as a relation of DuckDB: `.df()`, `.pl()`, `.arrow()`, `.fetchall()`.

    `chosen` is what `asked` takes: `day_a`, `day_b`, `at`, `run`, `share`.

    Raises:
        SteplensError: as `connect` and `question` do.
    """
    own = question(name)
    return connect(dataset, **chosen).sql(own.sql)
