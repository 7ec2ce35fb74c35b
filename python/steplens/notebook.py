"""How a notebook shows a trace: the page in a frame, and a plain table underneath for where scripts are off."""

from html import escape
from typing import TYPE_CHECKING, Callable

if TYPE_CHECKING:
    from steplens.answers import DeviceSummary, Summary

MOST_PAGE_BYTES = 8 << 20
"""The largest page that is put into a notebook, which keeps it in its file."""

MOST_DEVICES = 50
"""The most rows of the table."""

_COLUMNS = ("device", "ops", "busy", "compute", "exposed communication", "idle")


def headline(summary: "Summary") -> str:
    """What it is, in a few words."""
    files = ", ".join(file["name"] for file in summary["files"][:3])
    more = len(summary["files"]) - 3
    named = f"{files} and {more} more" if more > 0 else files
    span = _milliseconds(summary["span_ns"])
    return f"{named}: {span}, {summary['ops']:,} ops, {len(summary['devices'])} devices"


def html(summary: "Summary", page: Callable[[], bytes]) -> str:
    """The page in a frame that can reach nothing of the notebook, if it is small enough, and the table."""
    content = page()
    if len(content) > MOST_PAGE_BYTES:
        size, most = (_mebibytes(count) for count in (len(content), MOST_PAGE_BYTES))
        framed = (
            f"<p>The page is left out of this notebook: it has {size}, and at most {most} are kept here. "
            'Write it with <code>trace.to_html("trace.html", include="all")</code>, or show a step: '
            "<code>trace.show(step=1)</code>.</p>"
        )
    else:
        source = escape(content.decode(), quote=True)
        style = "width:100%;height:640px;border:1px solid #8888"
        framed = f'<iframe title="Steplens" sandbox="allow-scripts" style="{style}" srcdoc="{source}"></iframe>'
    return f"<div>{framed}{_table(summary)}</div>"


def _table(summary: "Summary") -> str:
    devices = summary["devices"]
    head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
    rows = "".join(f"<tr>{_row(device)}</tr>" for device in devices[:MOST_DEVICES])
    left_out = len(devices) - MOST_DEVICES
    more = f"<p>{left_out} more devices are not listed here.</p>" if left_out > 0 else ""
    caption = escape(headline(summary))
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _row(device: "DeviceSummary") -> str:
    times = (
        device["busy_ns"],
        device["compute_ns"],
        device["exposed_communication_ns"],
        device["idle_ns"],
    )
    cells = [escape(device["name"]), f"{device['ops']:,}", *(_milliseconds(time) for time in times)]
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _milliseconds(time_ns: int) -> str:
    return f"{time_ns / 1e6:,.3f} ms"


def _mebibytes(count: int) -> str:
    return f"{count / (1 << 20):.1f} MiB"
