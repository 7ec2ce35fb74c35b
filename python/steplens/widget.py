"""The page in a notebook, as a widget: what is selected in it is known in Python. Needs anywidget."""

from pathlib import Path

try:
    import anywidget
    import traitlets
except ImportError as why:
    raise ImportError("trace.widget() needs anywidget: pip install 'steplens[notebook]'") from why


class TraceWidget(anywidget.AnyWidget):
    """`steplens.Trace.widget()` makes it. Times are in ns, from the first start of what the page shows.

    Attributes:
        op: the selected op, a dict of `name`, `op_type`, `device`, `start_ns` and `end_ns`; None where none is.
        range: `(start_ns, end_ns)` of the selected range, or None.
        step: the place of the step that is shown, from 1; None where all are.
        height: of the page, in pixels.
    """

    _esm = Path(__file__).with_name("widget.js")
    page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)
    op = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    range = traitlets.Tuple(traitlets.Int(), traitlets.Int(), allow_none=True, default_value=None).tag(sync=True)
    step = traitlets.Int(allow_none=True, default_value=None).tag(sync=True)
