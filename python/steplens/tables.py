"""A table of a trace: rows that are made when they are read."""

import difflib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union, overload

from steplens._core import MadeTable, OpenTrace, no_column

if TYPE_CHECKING:
    import pandas

Value = Union[int, str, None]
"""A value of a table."""


class Table:
    """A table of a trace. Its columns are made when they are read: naming a few costs as much as these.

    >>> ops = trace.ops()
    >>> ops.column_names
    >>> ops["self_ns"]                          # the values of a column, as a list
    >>> ops[["op_type", "self_ns"]]             # the table of these columns
    >>> ops.to_pandas()                         # a DataFrame, of any pandas
    >>> ops.to_dict()                           # a list for each column

    Whatever knows Arrow's PyCapsule interface takes it, too, and copies nothing: `polars.DataFrame(ops)`, `pyarrow.table(ops)`, and
    DuckDB by its name in a query. A column of numbers is `int64`, one of texts `string`. Only columns that may be unknown have nulls.
    """

    # Else Python would ask for the columns 0, 1, 2 to go through it.
    __iter__ = None

    def __init__(self, core: OpenTrace, name: str, columns: Optional[Sequence[str]]) -> None:
        self._core = core
        self._name = name
        self._columns = _chosen(name, OpenTrace.columns(name), columns)
        self._made: Optional[MadeTable] = None
        self._rows: Optional[int] = None

    @property
    def column_names(self) -> List[str]:
        """The names of its columns, in their order. They end in their units: `_ns`, `_bytes`."""
        return list(self._columns)

    @property
    def num_rows(self) -> int:
        """How many rows it has."""
        if self._rows is None:
            self._rows = (self._made or self._core.table(self._name, self._columns[:1])).num_rows
        return self._rows

    def __len__(self) -> int:
        return self.num_rows

    # A text is a sequence of texts, too, but the first line is what holds of it.
    @overload
    def __getitem__(self, columns: str) -> List[Value]: ...  # type: ignore[overload-overlap]

    @overload
    def __getitem__(self, columns: Sequence[str]) -> "Table": ...

    def __getitem__(self, columns: Union[str, Sequence[str]]) -> Union[List[Value], "Table"]:
        """The values of a column by its name; of a list of names the table of these columns."""
        names = _chosen(self._name, self._columns, columns)
        if isinstance(columns, str):
            made = self._made or self._core.table(self._name, names)
            return made.values([name for name, _, _ in made.columns].index(columns))
        return Table(self._core, self._name, names)

    def to_dict(self) -> Dict[str, List[Value]]:
        """The values of each column as a list, by its name. What is not known is None."""
        made = self._whole()
        return {name: made.values(place) for place, (name, _, _) in enumerate(made.columns)}

    def to_pandas(self) -> "pandas.DataFrame":
        """It as a DataFrame, of any pandas from 1.1 on.

        Numbers are `int64`. Those that may be unknown are `Int64`, which has `<NA>` and rounds no nanosecond. Texts are what this
        pandas makes of texts, and None where unknown.
        """
        try:
            import numpy
            import pandas
        except ImportError as why:
            raise ImportError("a DataFrame needs pandas: `pip install pandas`. `to_dict()` needs nothing") from why

        made = self._whole()
        try:
            # pandas 3 with pyarrow copies nothing.
            taken: Any = pandas.DataFrame.from_arrow(made)
        except (AttributeError, ImportError):
            taken = None
        columns = {}
        for place, (name, is_number, may_be_unknown) in enumerate(made.columns):
            if is_number and (may_be_unknown or taken is None):
                bytes_of = made.numbers(place)
                numbers, unknown = (numpy.frombuffer(own, kind) for own, kind in zip(bytes_of, ("int64", "bool")))
                columns[name] = pandas.arrays.IntegerArray(numbers, unknown) if may_be_unknown else numbers
            elif taken is None:
                columns[name] = numpy.array(made.values(place), dtype=object)
            else:
                columns[name] = taken[name]
        return pandas.DataFrame(columns, columns=self._columns, index=range(made.num_rows))

    def __repr__(self) -> str:
        return f"<steplens.Table {self._name}: {self.num_rows} rows, {len(self._columns)} columns>"

    def __arrow_c_schema__(self) -> object:
        """Its schema as a capsule of an `ArrowSchema`."""
        return self._whole().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """It as a capsule of an `ArrowArrayStream`: a new one at each call, with the same buffers."""
        return self._whole().__arrow_c_stream__(requested_schema)

    def _whole(self) -> MadeTable:
        if self._made is None:
            self._made = self._core.table(self._name, self._columns)
        return self._made


def _chosen(table: str, columns: List[str], wanted: Union[None, str, Sequence[str]]) -> List[str]:
    """Those of `columns` that are wanted, in the order of the table."""
    if wanted is None:
        return columns
    wanted = [wanted] if isinstance(wanted, str) else list(wanted)
    for name in wanted:
        if name not in columns:
            begun = [column for column in columns if column.startswith(str(name))]
            nearest = begun or difflib.get_close_matches(str(name), columns, 1)
            no_column(table, str(name), nearest[0] if nearest else None)
    return [name for name in columns if name in wanted]
