"""An open trace: its tables, its analyses, and what they are written to."""

import json
import os
import sys
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Union, cast

from steplens import notebook
from steplens._core import OpenTrace
from steplens.answering import Answering
from steplens.errors import SteplensWarning
from steplens.options import Options, Rule, Texts, texts
from steplens.tables import Table

if TYPE_CHECKING or sys.version_info >= (3, 8):
    from typing import Literal

    Format = Literal[
        "timeline",
        "chrome",
        "perfetto",
        "csv",
        "parquet",
        "chakra",
        "run-metadata",
        "tfvis",
        "tensorflow-tracer",
        "session",
    ]
    PictureOf = Literal["view", "split", "waterfall", "matrix", "memory", "critical-path"]
else:
    Format = str
    PictureOf = str

if TYPE_CHECKING:
    from steplens.answers import Compare, WhatIf
    from steplens.widget import TraceWidget

Path = Union[str, "os.PathLike[str]"]
Change = Union[str, float, Sequence[str], Mapping[str, float]]
"""What stands behind the word of a change: `"input"`, `2`, `["a=0.5", "b=0"]` or `{"a": 0.5, "b": 0}`."""


@dataclass(frozen=True)
class Problem:
    """Something wrong with a file that was read nevertheless (docs/problems.md lists the codes)."""

    file: str
    """The file's name."""
    code: str
    """Stable, such as `truncated`."""
    count: int
    """How often it was met."""
    detail: str
    """A sentence for people, with the place of the first."""
    is_unusable: bool
    """Whether nothing in the file could be used, though it was named itself."""


class Picture(bytes):
    """A figure as the bytes of an SVG or PNG file. A notebook shows it."""

    form: str
    """`"svg"` or `"png"`."""

    def __new__(cls, content: bytes, form: str) -> "Picture":
        own = super().__new__(cls, content)
        own.form = form
        return own

    def _repr_svg_(self) -> Optional[str]:
        return self.decode() if self.form == "svg" else None

    def _repr_png_(self) -> Optional[bytes]:
        return bytes(self) if self.form == "png" else None


_KEPT: Any = object()
"""Stands for an option that `show` was not given."""


class Trace(Answering):
    """A trace, of which a part is shown: all of it, unless an option chose another. `steplens.read` opens one.

    Answers are the objects that the program prints with `--json`, and have types in `steplens.answers`. Every time and duration is
    an integer in nanoseconds; times count from the start of the first op. What was not recorded is None. A trace may be asked by
    several threads; questions wait for each other.
    """

    def __init__(self, core: OpenTrace, options: Options) -> None:
        self._core = core
        self._options = options

    def show(
        self,
        *,
        step: Optional[int] = _KEPT,
        rule: Optional[Rule] = _KEPT,
        repairs: Sequence[str] = _KEPT,
        op_time: Optional[str] = _KEPT,
        clocks: Texts = _KEPT,
        communication: Texts = _KEPT,
        as_recorded: bool = _KEPT,
    ) -> "Trace":
        """The same trace, of which another part is shown; this one stays as it is. Options that are not given stay as they are.

        Nothing is read again. The options are those of `steplens.read`.
        """
        given = {
            "step": step,
            "rule": rule,
            "repairs": repairs if repairs is _KEPT else list(repairs),
            "op_time": op_time,
            "clocks": clocks if clocks is _KEPT else texts(clocks),
            "communication": communication if communication is _KEPT else texts(communication),
            "as_recorded": as_recorded,
        }
        options = dict(self._options)
        options.update({name: value for name, value in given.items() if value is not _KEPT})
        return Trace(self._core.show(options), cast(Options, options))

    @property
    def problems(self) -> List[Problem]:
        """What is wrong with the files; empty if all of them are whole."""
        return [Problem(*problem) for problem in self._core.problems()]

    # Tables

    def ops(self, columns: Optional[Sequence[str]] = None) -> Table:
        """Every op: a row for each, in order of device and start.

        Args:
            columns: the names of the columns that are wanted; all of them without. Fewer take less time and memory when they are read.
        """
        return self._table("ops", columns)

    def transfers(self, columns: Optional[Sequence[str]] = None) -> Table:
        """Every transfer of a tensor between devices, with its times and sizes; what is not known is null."""
        return self._table("transfers", columns)

    def edges(self, columns: Optional[Sequence[str]] = None) -> Table:
        """Every input of every op: a row for each, with the op or transfer that it is from."""
        return self._table("edges", columns)

    def links(self, columns: Optional[Sequence[str]] = None) -> Table:
        """What went between each pair of devices: a row for each pair."""
        return self._table("links", columns)

    def allocations(self, columns: Optional[Sequence[str]] = None) -> Table:
        """Every stretch of memory that was alive: a row for each, with when it was allocated and freed."""
        return self._table("allocations", columns)

    def steps(self, columns: Optional[Sequence[str]] = None) -> Table:
        """Every step that has ops: its place from 1, its start and end, and how many ops it has."""
        return self._table("steps", columns)

    def _table(self, name: str, columns: Optional[Sequence[str]]) -> Table:
        return Table(self._core, name, columns)

    # Analyses

    def what_if(self, *changes: str, **keywords: Change) -> "WhatIf":
        """How long the step would take if something were different; without changes, what would help.

        Args:
            changes: each as an option of `steplens what-if` without its hyphens: `"op=type:Conv2D=0.5"`, `"network=2"`.
            keywords: the same by the name of the option: `op={"type:Conv2D": 0.5}`, `network=2`, `threads=8`, `hide="input"`,
                `link={"/job:ps->/job:worker": 0}`, `device={"/gpu:0": 0.5}`, `order="better"`, `half="regex"`, `merge="regex"`,
                `like_peers="task"`. A factor multiplies the duration, and 0 is free.
        """
        written = [*changes, *(text for word, change in keywords.items() for text in _written(word, change))]
        return cast("WhatIf", self._answer("what-if", changes=written))

    def compare(self, other: "Trace", *, align: Optional[str] = None) -> "Compare":
        """What differs between this trace (A) and another one (B), and where the difference of their steps comes from.

        Args:
            other: the trace after the change.
            align: the name of an op that both have: says how much of the difference comes before it, and how much after.

        Of several steps the one with the median length is compared; `at(step=...)` chooses another.
        """
        return cast("Compare", json.loads(self._core.compare(other._core, align)))

    # What they are written to

    def to_html(self, path: Path, *, include: Texts = (), view: str = "") -> None:
        """Writes the page with the trace inside, as `steplens report` does: one file, which opens in any browser.

        Args:
            path: the file.
            include: which texts the page may hold: `"names"`, `"op-types"`, `"hosts"`, `"tags"`, `"files"`, `"shapes"`, `"notes"`
                or `"all"`. Hashes stand for all others, because a page is made to be given away.
            view: what the page opens with: what follows the `#` in its address.
        """
        self._core.to_html(os.fspath(path), texts(include), view)

    def export(
        self, format: Format, path: Path, *, show_memory: bool = False, dataflow: bool = True
    ) -> None:
        """Writes it in another tool's format, as `steplens export` does (docs/export.md).

        Args:
            format: `"chrome"`, `"perfetto"`, `"parquet"` and so on.
            path: the file; of `csv`, `parquet` and `chakra` a folder, or a ZIP if it ends in `.zip`.
            show_memory: of `timeline`: with tensors and allocations.
            dataflow: of `timeline`: with arrows.

        What the format cannot hold is a SteplensWarning.
        """
        for note in self._core.export(format, os.fspath(path), show_memory, dataflow):
            warnings.warn(note, SteplensWarning, stacklevel=2)

    def picture(
        self,
        of: PictureOf,
        path: Optional[Path] = None,
        *,
        form: Optional[str] = None,
        width: int = 1000,
        theme: str = "light",
        text: str = "text",
        scale: int = 2,
        language: Optional[str] = None,
        heading: bool = True,
        devices: Optional[str] = None,
        window: Optional[str] = None,
    ) -> Picture:
        """Draws a figure, as `steplens picture` does, and writes it to `path` if one is given.

        Args:
            of: `"view"`, `"split"`, `"waterfall"`, `"matrix"`, `"memory"` or `"critical-path"`.
            path: the file; its ending tells the form.
            form: `"svg"` or `"png"`; `"svg"` without a path.
            width: in pixels of which an inch has 96.
            theme: `"light"` or `"dark"`.
            text: in SVG, whether texts stay `"text"` or become `"outlines"`.
            scale: in PNG, how many pixels each of the width has.
            language: of its texts: `"en"` or `"zh-CN"`.
            heading: whether it has a title and a caption.
            devices: a regular expression: the devices that are drawn.
            window: what is drawn, such as `"10ms..20ms"` or `"40%..60%"`.
        """
        ending = "" if path is None else os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
        form = form or ending or "svg"
        options = {
            "of": of,
            "form": form,
            "width": width,
            "theme": theme,
            "text": text,
            "scale": scale,
            "language": language,
            "heading": heading,
            "devices": devices,
            "window": window,
        }
        content, note = self._core.picture(options, None if path is None else os.fspath(path))
        if note is not None:
            warnings.warn(note, SteplensWarning, stacklevel=2)
        return Picture(content, form)

    def widget(self, *, height: int = 640) -> "TraceWidget":
        """The page in a notebook, as a widget that knows what is selected: `op`, `range` and `step`.

        Needs anywidget: `pip install 'steplens[notebook]'`. The page holds every text of the trace.

        Args:
            height: in pixels.
        """
        from steplens.widget import TraceWidget

        return TraceWidget(page=self._core.own_page().decode(), height=height)

    def __repr__(self) -> str:
        return f"<steplens.Trace {notebook.headline(self.summary())}>"

    def _repr_html_(self) -> str:
        return notebook.html(self.summary(), self._core.own_page)


def _written(word: str, change: Change) -> List[str]:
    """A change by its keyword as `WORD=TEXT`."""
    word = word.replace("_", "-")
    if isinstance(change, Mapping):
        return [f"{word}={what}={factor}" for what, factor in change.items()]
    if isinstance(change, (str, int, float)):
        return [f"{word}={change}"]
    return [f"{word}={one}" for one in change]
