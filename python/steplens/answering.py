"""The methods that answer, made from the Rust types by tests/tests/contract/answers.rs: do not edit."""

import json
from typing import TYPE_CHECKING, Any, Optional, cast

from steplens._core import OpenTrace

if TYPE_CHECKING:
    from steplens.answers import (
        Clocks,
        Counters,
        CriticalPath,
        Doctor,
        Findings,
        Flame,
        Kernels,
        Memory,
        Network,
        Scheduling,
        Summary,
    )


class Answering:
    """What answers about an open trace."""

    _core: OpenTrace

    def _answer(self, name: str, **chosen: Any) -> Any:
        return json.loads(self._core.answer(name, json.dumps({key: value for key, value in chosen.items() if value is not None})))

    def summary(self) -> "Summary":
        """The files, the step and its devices: how the time of each divides."""
        return cast("Summary", self._answer("summary"))

    def network(self) -> "Network":
        """What communication costs, and what to blame: links, waits, stragglers, collectives, the order of arrival."""
        return cast("Network", self._answer("network"))

    def memory(self) -> "Memory":
        """Which bytes were alive when, and what was alive at the peak."""
        return cast("Memory", self._answer("memory"))

    def kernels(self) -> "Kernels":
        """The kernels of GPUs by name: how long they took, how they were launched, and by which ops."""
        return cast("Kernels", self._answer("kernels"))

    def counters(self) -> "Counters":
        """What was counted over time, with all values: the counters of the files, the queue of each stream and what its copies moved."""
        return cast("Counters", self._answer("counters"))

    def flame(self, layers: Optional[str] = None, measure: Optional[str] = None) -> "Flame":
        """What ran inside of what, summed by path of names.

        Args:
            layers: What it is made of: `modules`, `ops`, `python` or `scopes`; what of these says most if it is not chosen.
            measure: What widths and orders are of: `time`, or `gpu`.
        """
        return cast("Flame", self._answer("flame", layers=layers, measure=measure))

    def critical_path(self) -> "CriticalPath":
        """What the step waited for, moment by moment, and what dependencies alone allow."""
        return cast("CriticalPath", self._answer("critical-path"))

    def scheduling(self, threads: Optional[int] = None, tiny_ns: Optional[int] = None) -> "Scheduling":
        """When ops were ready, scheduled and run, and what ran instead.

        Args:
            threads: The number of threads that run ops, for who knows it.
            tiny_ns: Ops shorter than this are tiny; 10 µs if it is not chosen.
        """
        return cast("Scheduling", self._answer("scheduling", threads=threads, tiny_ns=tiny_ns))

    def clocks(self) -> "Clocks":
        """How far the clocks of the tasks are apart, by the tensors that they sent each other."""
        return cast("Clocks", self._answer("clocks"))

    def doctor(self) -> "Doctor":
        """What is wrong with a trace that reads well, and what repairs it."""
        return cast("Doctor", self._answer("doctor"))

    def findings(self) -> "Findings":
        """What is worth changing, by the time that it would save."""
        return cast("Findings", self._answer("findings"))
