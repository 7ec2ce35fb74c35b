"""The figures of tfvis and tensorflow-tracer, by their definitions and in their unit: whole microseconds.

They count every device that the RunMetadata names, also the records of the host profiler (`/host:CPU`, TensorFlow 1.14 to 2.3), which Steplens leaves out of its
own figures because they repeat ops; over the devices `/job:` both say the same (`docs/figures.md`).
"""

from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, Tuple


class Op(NamedTuple):
    """An op as a RunMetadata has it. Times are microseconds since 1970."""

    device: str
    name: str
    label: str
    start_us: int
    end_us: int


Choice = Callable[[Op], bool]


def ops_of(run_metadata: Any) -> Iterator[Op]:
    """The ops of a RunMetadata, in its order."""
    for device in run_metadata.step_stats.dev_stats:
        for op in device.node_stats:
            yield Op(device.device, op.node_name, op.timeline_label, op.all_start_micros, op.all_start_micros + op.all_end_rel_micros)


def elapsed_us(ops: Iterable[Op], choice: Choice) -> int:
    """From the first start to the last end; 0 without ops."""
    spans = _spans(ops, choice)
    return max([0] + [end for _, end in spans]) - min(start for start, _ in spans) if spans else 0


def covered_us(ops: Iterable[Op], choice: Choice) -> int:
    """The time in which at least one op runs; 0 without ops."""
    total, until = 0, None
    for start, end in sorted(_spans(ops, choice)):
        if until is None or start > until:
            total += end - start
        elif end > until:
            total += end - until
        until = end if until is None else max(until, end)
    return total


def _spans(ops: Iterable[Op], choice: Choice) -> List[Tuple[int, int]]:
    return [(op.start_us, op.end_us) for op in ops if choice(op)]
