"""What is chosen when a trace is read or shown."""

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

if TYPE_CHECKING or sys.version_info >= (3, 8):
    from typing import Literal, TypedDict

    Rule = Literal["content", "file", "part", "together"]
    """What makes a step."""

    class Options(TypedDict):
        """What the core takes; `steplens.read` says what each means."""

        communication: List[str]
        devices: Optional[str]
        window: Optional[str]
        memory_mib: Optional[int]
        step: Optional[int]
        rule: Optional[Rule]
        repairs: List[str]
        op_time: Optional[str]
        clocks: List[str]
        as_recorded: bool

else:
    Rule = str
    Options = Dict[str, Any]

Texts = Union[str, Sequence[str]]
"""A text, or several."""


def texts(given: Texts) -> List[str]:
    """As a list: a text alone is one, and no list of letters."""
    return [given] if isinstance(given, str) else list(given)
