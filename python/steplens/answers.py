"""The types of the answers, made from schemas/ by tests/tests/contract/python.rs: do not edit.

They are for type checkers: at run time each answer is a dict. What is None was not recorded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, List, Optional, Tuple

if TYPE_CHECKING:
    from typing_extensions import Literal, NotRequired, TypedDict
elif sys.version_info >= (3, 8):
    from typing import TypedDict
else:
    TypedDict = dict


class Accelerator(TypedDict):
    """One GPU, TPU or the like over the whole step."""
    busy_ns: int
    communication_ns: int
    compute_ns: int
    devices: List[int]
    """The devices that recorded its work, as rows of `devices`."""
    dispatched_by: NotRequired[List[int]]
    """The devices with the ops that TensorFlow's executor dispatched to it, as rows of `devices`."""
    exposed_allocation_ns: int
    exposed_communication_ns: int
    exposed_copy_ns: int
    exposed_input_ns: int
    exposed_launch_ns: int
    exposed_waiting_ns: int
    idle_ns: int
    name: str
    """The common name of its devices."""
    ops: int
    """The number of its events, each counted once."""
    overlapped_communication_ns: int
    streams: int
    """The number of streams it worked on; 0 if it is not known."""
    window_ns: int


class AlignedRow(TypedDict):
    """Two steps, aligned at an op."""
    after_a_ns: int
    """From the start of the op to the end of A's step."""
    after_b_ns: int
    """The same in B."""
    before_a_ns: int
    """From the start of A's step to the start of the op."""
    before_b_ns: int
    """The same in B."""
    op: str
    """Its name in A; of a transfer its tensor."""
    op_row_a: int
    """Its row in `steplens ops --json` of A."""
    op_row_b: int
    """The row of its partner in B."""
    sentence: str
    """How much of the difference comes before the op, and how much after it, as a sentence."""


class AliveRow(TypedDict):
    """Equal allocations that are alive, as one row."""
    allocated_ns: Optional[int]
    """When the first of them was allocated; null if that was before the recording."""
    bytes: int
    """The bytes of all of them."""
    count: int
    """The number of allocations."""
    dtype: Optional[str]
    """The data type of the largest."""
    freed_ns: Optional[int]
    """When the last of them was freed; null if it never was."""
    life: int
    """The row of the largest in the account's lives."""
    op: str
    """
    What they have in common: the name of the op that allocated them, an op type, a scope, a shape or a variable; may be empty.
    """
    op_id: int
    """The row of the op that allocated the largest of them."""
    output: Optional[int]
    """The index of the output of its op; null if it is not known, or if rows of several outputs are merged."""
    shape: Optional[str]
    """The shape of the largest."""


class AnswerRow(TypedDict):
    """What became of a request in one process."""
    at_unix_ns: str
    """In ns from 1970 as decimal text, because it does not fit in a double."""
    process: str
    """Its name."""
    reason: Optional[str]
    """Why it was refused."""
    runs: List[int]
    """The numbers of the runs that were traced for it."""
    state: str
    """`seen`, `tracing`, `done`, `stopped`, `expired` or `refused`."""


class AskedRow(TypedDict):
    """A request, and what became of it."""
    answers: List[AnswerRow]
    """In order of the names of the processes."""
    count: int
    """How many runs; 0 until it is stopped."""
    expires_unix_ns: str
    """In ns from 1970 as decimal text, because it does not fit in a double."""
    id: str
    """Its id."""
    kind: str
    """`now`, `every`, `multiple` or `stop`."""
    n: int
    """The n of `every` and `multiple`."""
    processes: Optional[List[str]]
    """Who is asked. Null for all."""


class AtOnceRow(TypedDict):
    """The time in which exactly this number of ops was at work."""
    length_ns: int
    """The time."""
    ops: int
    """The number of ops at work."""
    queued_ns: int
    """How much of it at least one other op was scheduled and had not started."""


class AtWorkRow(TypedDict):
    """How many ops of some devices were at work at once."""
    at_once: List[AtOnceRow]
    """The time for each number of ops at work that occurred."""
    average: List[float]
    """The average number of ops at work in each slice of what is shown. All slices have the same length."""
    busy_ns: int
    """The time in which at least one op was at work."""
    devices: List[str]
    """The devices; more than one if they are taken to share threads."""
    most: int
    """The most ops at work at once. There were at least this many threads."""
    most_of_slice: List[int]
    """The most ops at work in each slice."""
    most_queued: Optional[int]
    """The most ops that were scheduled and had not started at the same moment."""
    ops: int
    """The number of their ops."""
    queued_at_most_ns: Optional[int]
    """How much of that time the most ops were at work."""
    queued_average: List[float]
    """The average number of queued ops in each slice."""
    queued_ns: Optional[int]
    """The time in which at least one op was scheduled and had not started; null if scheduling was not recorded."""
    scheduled: int
    """How many of them have a recorded time of scheduling."""
    starved_ns: Optional[int]
    """
    Starved: how much of that time as many ops were at work as the user says there are threads. A lack of threads explains it.
    Null if the user gave no number.
    """
    work_ns: int
    """The running times of all ops, summed."""


class BarRow(TypedDict):
    """What one cause adds to the difference."""
    a_ns: Optional[int]
    """The time of its ops in A, without waiting; null for `threads`, `others` and `rest`."""
    b_ns: Optional[int]
    """The time of its ops in B."""
    cause: str
    """
    The kind of the cause: `op`, `link`, `wait`, `only-a`, `only-b`, `batch`, `threads`, `clocks`, `others` (all groups that are
    no bar) or `rest` (what the lengths of ops do not explain).
    """
    device: Optional[str]
    """The device, as A calls it, or B where only B has it; null where the cause has none."""
    difference_ns: int
    """What it adds to the step: B minus A."""
    op_type: Optional[str]
    """The op type; null where the cause has none."""
    ops_a: List[ComparedOp]
    """The ops of A, those that add most first; at most twenty."""
    ops_b: List[ComparedOp]
    """The ops of B."""
    ops_count: int
    """How many pairs of ops, and ops without a partner, the bar has."""
    sentence: str
    """How the ops changed, and what that does to the step."""


class CallRow(TypedDict):
    """The runs with the same fetches and feeds."""
    call: Optional[int]
    """
    The row of this call in its process, by which runs name it. Null for the runs of which fetches and feeds are not known.
    """
    feeds: Optional[List[str]]
    """Null where they are not known."""
    fetches: Optional[List[str]]
    """Null where they are not known."""
    max_ns: Optional[int]
    """The longest of them."""
    mean_ns: Optional[int]
    """The mean of those that were not traced. Null without any; so are the next two."""
    min_ns: Optional[int]
    """The shortest of them."""
    runs: int
    """How many runs."""
    traced: int
    """How many of them were traced; their lengths are apart, because tracing makes a run longer."""
    traced_mean_ns: Optional[int]
    """The mean of those that were traced. Null without any."""


class Cause(TypedDict):
    """The root cause."""
    input: Optional[OpRef]
    """The input of this op that was ready last."""
    kind: Literal["ran-late", "took-long", "input-late", "started-late"]
    """`ran-late`, `took-long`, `input-late` or `started-late`."""
    op: OpRef
    """The delayed op of the chain."""
    own_ns: int
    """
    How long the op waited to run, or ran; or when its last input was ready or when it was scheduled, counted from the step's
    start.
    """
    source: Optional[str]
    """The device that sent that input, if it is a transfer."""
    usual_ns: Optional[int]
    """The same value for its peers, as their median; null if the op has no peers to compare with."""


class Chain(TypedDict):
    """How the time of a chain divides."""
    before_ns: int
    ops: int
    queued_ns: int
    running_ns: int
    waiting_ns: int
    wire_ns: int


class ChangeRow(TypedDict):
    """A change."""
    change: str
    """Its word: `op`, `link`, and so on."""
    ops: int
    """The number of ops and transfers that it meets."""
    text: str
    """What stands behind the word."""


class Check(TypedDict):
    """The result of the check."""
    baseline: Optional[Regression]
    """How the steps compare with those of a baseline; null without one."""
    limits: List[LimitRow]
    """Each limit that was set."""
    passed: bool
    """Whether every step keeps every limit, and all together take no longer than the baseline allows."""
    schema: Literal["steplens.check/1"]
    steps: int
    """The number of steps with ops."""


class ClockDrift(TypedDict):
    applied: bool
    """Whether the drift is part of the estimate: only if it cannot be 0."""
    best: float
    high: float
    low: float


class ClockNote(TypedDict):
    """Why times of different tasks are not compared, and what helps."""
    can_align: bool
    """Whether aligning the clocks corrects every tensor."""
    differ_by_ns: int
    """
    How much the clocks differ, for `accelerator` at least; for `coarse-host` its tick; for `contradict` the largest time by
    which a tensor is early.
    """
    of_tensors: int
    """The number of tensors between tasks; for `accelerator` of programs; for `coarse-host` of ops of the host."""
    sentence: str
    """The reason, as a sentence."""
    tensors: int
    """
    The number of tensors that arrive before they are sent, or contradict the others; for `accelerator` of programs that end too
    early; for `coarse-host` of ops of the host without a length.
    """
    why: str
    """
    `differ`: aligning the clocks helps; `not-found`: the clocks differ, and no offsets were found that correct all tensors;
    `contradict`: no offsets help; `accelerator`: programs end on an accelerator before its host asked for them; `coarse-host`:
    the clock of the host counts in long ticks, and that of its accelerator does not.
    """
    withheld: str
    """Why figures that compare tasks are withheld, as a sentence to be shown in their place."""


class Clocks(TypedDict):
    contradicting: int
    """
    The number of tensors whose times contradict the others, however the clocks are aligned. They do not count as violations.
    """
    pairs: List[PairOfTasks]
    reference: Optional[str]
    """The task whose clock the others are compared with; null without any task."""
    schema: Literal["steplens.clocks/1"]
    search_limit: Optional[str]
    """Why the least correction was not found: `not-proven-least` or `too-many-bounds`; null if it was found."""
    sentence: str
    """What was found, as a sentence."""
    tasks: List[TaskClock]
    transfers: int
    """The number of tensors with a known producer that went between tasks."""
    violations_after: int
    violations_before: int
    """The number of tensors that were received before they were made: as recorded, and with the offsets subtracted."""


class Collective(TypedDict):
    """One collective."""
    bytes: Optional[int]
    """How much each participant gives, of different amounts the largest; null if it is not recorded."""
    group: Optional[str]
    """The process group, by its name; null if it is not recorded."""
    group_size: Optional[int]
    """The number of ranks in that group; null if it is not recorded."""
    last_by_ns: Optional[int]
    """How much later it arrived than the one before it; null if the participants are not known."""
    op: OpRef
    """The op that arrived last, or the only known one."""
    operation: Optional[str]
    """The operation, as the framework calls it: `allreduce`; null if it is not recorded."""
    participant_count: Optional[int]
    """The number of participants; null if they are not known."""
    participants: List[Participant]
    """In order of device."""
    step: int
    """The number of the step, as in `steplens steps`: from 1."""
    time_ns: int
    """The time in it, summed over all participants."""
    waiting_ns: Optional[int]
    """How much of this time was waiting for the last one."""
    without_files: int
    """How many participants are of files that are not open."""


class Collectives(TypedDict):
    """All collectives."""
    last: List[Tuple[int, int]]
    """How many times each device arrived last, the largest number first: (device, times)."""
    matched: int
    """The number of collectives whose participants are known."""
    rows: List[Collective]
    """The first rows."""
    time_ns: int
    """The time in them, summed over all participants."""
    total: int
    """The number of all rows."""
    waiting_ns: Optional[int]
    """How much of this time was waiting for the last participant; null if no participants are known."""
    without_files: int
    """How many collectives have participants whose files are not open: how long these were waited for is not known."""


class Compare(TypedDict):
    """Two traces, compared."""
    a: ComparedSide
    """The trace before the change."""
    aligned: Optional[AlignedRow]
    """Both steps aligned at an op; null unless it is asked for."""
    b: ComparedSide
    """The trace after it."""
    comparable: bool
    """Whether nothing but what the steps did explains the difference of their times."""
    devices: List[DeviceBoth]
    """Devices, by how much their busy time differs."""
    difference_ns: int
    """The length of B's step minus that of A's."""
    doubt: Optional[str]
    """That a replay is too far off the recording for its bars to be sure, as a sentence; null if it is not."""
    findings: Optional[List[FindingBoth]]
    """What would help in A and in B; null unless it is asked for."""
    links: List[LinkBoth]
    """Links between tasks, by how much their busy time differs."""
    matches: Matches
    """How many ops have a partner, by what matched them."""
    memory: List[MemoryBoth]
    """Peaks of memory, by how much they differ. Empty where A and B do not have the same reading of memory."""
    not_comparable: List[ReasonRow]
    """Why times cannot be compared as they are, the gravest first; empty if they can."""
    op_types: List[OpTypeBoth]
    """Op types, by how much their self time differs."""
    schema: Literal["steplens.compare/1"]
    sentence: str
    """How the steps differ, as a sentence."""
    steps: StepsCompared
    """All steps of both traces."""
    unmatched_a: List[Unmatched]
    """The ops of A without a partner, by name and device; those with the longest sum first."""
    unmatched_b: List[Unmatched]
    """The ops of B without a partner."""
    waterfall: List[BarRow]
    """
    Where the difference comes from: the largest causes first, then all others and the rest. They add up to `difference_ns`.
    """


class ComparedOp(TypedDict):
    """An op of a bar."""
    adds_ns: int
    """How much longer it takes in B than its partner in A."""
    device: str
    """Its device."""
    end_ns: int
    """When it ended."""
    op: str
    """Its name; for a transfer its tensor."""
    op_row: int
    """Its row in `steplens ops --json`."""
    partner_row: Optional[int]
    """The row of its partner in the other trace; null without one."""
    start_ns: int
    """When it started."""


class ComparedSide(TypedDict):
    """What of a trace is compared."""
    length_ns: int
    """The length of what is compared."""
    ops: int
    """The number of its ops."""
    step: Optional[int]
    """The place of the step from 1; null if all that was opened is compared."""
    steps: int
    """How many steps were opened."""


class CounterSeries(TypedDict):
    """One counter, with all its values: each holds until the next."""
    at_ns: List[int]
    """Since when each value holds."""
    device: Optional[str]
    """The device, or null if its process ran no op."""
    first_ns: int
    """When the first value was recorded."""
    full_ns: Optional[int]
    """Of a queue: for how long 1,022 pieces of work or more stood in it, which is about where launches begin to wait."""
    is_recorded: bool
    """Whether the file counted; else it is found from the work of a stream."""
    last_ns: int
    """When the last value was recorded."""
    max: float
    """The highest value."""
    mean: float
    """The mean by time, from the first value to the last one."""
    min: float
    """The lowest value."""
    name: str
    """Its name: that in the file, `queue` (work that was launched and had not started), or `copies` (what they moved)."""
    points: int
    """The number of values."""
    process: Optional[str]
    """The process without ops, or null."""
    series: str
    """
    What the value is of: the key of the value in the file, `launched`, or where copies go: `host-to-device`, `device-to-host`,
    `within-device` or `other-device`.
    """
    stream: Optional[int]
    """The number of the stream, if all streams of the GPU are one device; null of what the file counted."""
    unit: Optional[str]
    """`works` or `bytes_per_second`; null of what the file counted, which says no unit."""
    values: List[float]
    """The values."""


class Counters(TypedDict):
    """Everything that was counted."""
    counters: List[CounterSeries]
    """The counters of the files, device by device, then those of processes that ran no op; then the streams of GPUs."""
    schema: Literal["steplens.counters/1"]


class CriticalPath(TypedDict):
    """Both paths of a step, and what follows from them."""
    by_bound: List[PathPart]
    """The observed path, summed by what binds it."""
    by_category: List[PathPart]
    """The observed path, summed by category. In this and the next five lists the longest sum comes first."""
    by_device: List[PathPart]
    """The observed path, summed by device."""
    by_frame: List[PathPart]
    """The time in which Python ran between two ops, summed by the innermost Python frame; empty where no stack was recorded."""
    by_op_type: List[PathPart]
    """The observed path, summed by op type."""
    by_scope: List[PathPart]
    """The observed path, summed by name scope."""
    clocks: NotRequired[ClockNote]
    """Why times of its tasks cannot be compared. If it is not null, both paths are empty."""
    graph: GraphRow
    """Figures of the graph from which both paths are computed."""
    length_ns: int
    """The length of the observed path: the span of the step."""
    schema: Literal["steplens.critical-path/1"]
    segments: List[SegmentRow]
    """The segments of the observed path, from the step's start to its end. They tile the step."""
    sentence: str
    """What binds the step, as a sentence."""
    slack: List[Optional[int]]
    """
    For each row of `steplens ops --json`: how much longer the op could run before the static path gets longer; null if the op
    is no node of the graph.
    """
    static: StaticPath
    """The longest path by dependencies alone."""
    threads: List[ThreadRow]
    """For each device of an executor, how well its threads could be inferred."""
    unexplained_ns: int
    """How much of it has no recorded cause."""


class CriticalPathSteps(TypedDict):
    """The critical paths of several steps."""
    by_category: List[KindRow]
    """All observed paths together: the time of each kind that occurs."""
    clocks: NotRequired[ClockNote]
    """Why times of tasks cannot be compared. If it is not null, there are no paths."""
    length_ns: int
    """The length of all steps together."""
    ops: List[OnPathRow]
    """The ops on any of the paths: those on most paths first, then by time."""
    schema: Literal["steplens.critical-path-steps/1"]
    sentence: str
    """What was found, as a sentence."""
    static_ns: int
    """The length of their static paths together, as with a barrier between steps."""
    steps: List[StepPathRow]
    """Each step with ops, in order of time."""


class DeviceBoth(TypedDict):
    """A device."""
    busy_a_ns: int
    """The time in A when anything ran."""
    busy_b_ns: int
    """The time in B."""
    compute_a_ns: int
    """The time in A when a compute op ran."""
    compute_b_ns: int
    """The time in B."""
    device_a: Optional[str]
    """The device in A; null if only B has it."""
    device_b: Optional[str]
    """The device in B; null if only A has it."""
    difference_ns: int
    """The busy time in B minus that in A."""
    exposed_communication_a_ns: int
    """The time in A when communication ran, and nothing of the categories before it."""
    exposed_communication_b_ns: int
    """The time in B."""
    ops_a: int
    """How many ops it ran in A."""
    ops_b: int
    """How many ops it ran in B."""
    ratio: Optional[float]
    """The busy time in B divided by that in A; null where A has none."""


class DeviceShare(TypedDict):
    """Communication of one device, over the whole window."""
    communication_ns: int
    """The time in which communication ran on it."""
    device: int
    """Its row in `devices` of the summary."""
    exposed_ns: int
    """How much of that time nothing else ran, neither compute nor copy."""
    hidden_ns: int
    """How much of that time a compute op ran, too."""
    idle_before_ns: int
    """Idle before send: the time in which nothing ran, not even communication, because the awaited tensor was not sent yet."""
    longest: Optional[LongestWait]
    """The tensor that it waited for longest."""
    name: str
    """Its name."""


class DeviceSummary(TypedDict):
    """One device over the whole step."""
    accelerator: NotRequired[int]
    """The row of `accelerators` whose work it recorded."""
    busy_ns: int
    by_thread: bool
    """Whether its lanes are grouped by thread or stream even if they are packed."""
    communication_ns: int
    compute_ns: int
    exposed_allocation_ns: int
    exposed_communication_ns: int
    exposed_copy_ns: int
    exposed_input_ns: int
    exposed_launch_ns: int
    exposed_waiting_ns: int
    idle_ns: int
    kind: Literal["cpu", "gpu", "tpu", "stream", "stream-all", "memcpy", "host-profiler", "other"]
    """`cpu`, `gpu`, `tpu`, `stream`, `stream-all`, `memcpy`, `host-profiler` or `other`."""
    lanes: int
    """The number of its lanes."""
    name: str
    """Its full name."""
    op_lanes: int
    """The number of its lanes, from the top, for ops; the others are for communication."""
    ops: int
    """The number of its ops."""
    overlapped_communication_ns: int
    received_bytes: NotRequired[int]
    """The bytes that it received."""
    repaired: bool
    """Whether a repair changed its figures, and so those of the step."""
    sent_bytes: NotRequired[int]
    """The bytes that others received from it."""
    task: Optional[str]
    """The task it belongs to, if its name has one."""
    transfers: NotRequired[int]
    """The number of tensors that it received."""
    window_ns: int
    without_kernels: NotRequired[bool]
    """
    Whether its ops are what an executor dispatched to a GPU of which no kernel was recorded: how long the GPU took is not
    known.
    """
    without_work: NotRequired[bool]
    """Whether it did no work: it has ranges alone, such as PyTorch's spans or frames of Python, or is of a host profiler."""


class Doctor(TypedDict):
    """The object that `steplens doctor --json` prints."""
    findings: List[Finding]
    """The findings, the most important first."""
    schema: Literal["steplens.doctor/1"]


class DoctorFinding(TypedDict):
    """Something wrong with what is shown."""
    code: str
    """Stable; documented in `docs/problems.md`."""
    repair: NotRequired[str]
    """What a repair would do; left out if there is none."""
    sentence: str
    """What was found, in one or two sentences."""
    title: str
    """In a few words."""


class EdgeRow(TypedDict):
    """The number of edges of one kind."""
    count: int
    """The number of edges."""
    inferred: int
    """How many of them are inferred: nothing in the file says so."""
    kind: str
    """The kind."""


class Ended(TypedDict):
    """When a task ended."""
    ended_ns: int
    """The end of its last op; where its peers wait for it in a collective, when it came there."""
    op: int
    """Its last op, or the one before that collective."""
    task: str
    """Its name."""


class EvidenceRow(TypedDict):
    """An op that shows a finding."""
    device: str
    """Its device."""
    end_ns: int
    """When it ended."""
    op: str
    """Its name; for a transfer its tensor."""
    op_row: int
    """Its row in `steplens ops --json`."""
    start_ns: int
    """When it started."""


class FaultyFile(TypedDict):
    """A file of which nothing was read, or not all."""
    code: Optional[str]
    """The code of the first thing that is wrong with it."""
    file: str
    """Its path below the folder that was indexed."""
    run: str
    """Its run."""
    state: str
    """`damaged`, `unreadable` or `no-trace`."""
    what: Optional[str]
    """What that is."""


class FileSummary(TypedDict):
    """One file."""
    bytes: int
    """Its size, packed."""
    format: str
    """Its format."""
    incomplete: NotRequired[bool]
    """Whether it has ops that could not be read: then the figures are not of everything that was recorded."""
    name: str
    """Its name as the user knows it."""
    notes: NotRequired[List[str]]
    """What is worth knowing about it though nothing is wrong, one sentence each."""
    ops: int
    """The number of ops read from it."""
    problems: List[Problem]
    """The problems found in it."""


class Finding(TypedDict):
    """One finding."""
    code: str
    """Stable; documented in `docs/problems.md`."""
    count: int
    """The number of ops, or of what was left out."""
    counted: Literal["tensor", "transfer", "straggler", "device", "task", "op"]
    """What is counted: `op`, `task`, or, for what an analysis left out, `tensor`, `transfer`, `straggler` or `device`."""
    devices: List[str]
    """The devices that the finding is about."""
    is_note: bool
    """Whether it is a note, and nothing is wrong."""
    ops: List[FoundOp]
    """The first ops that the finding is about."""
    repair: Optional[str]
    """What a repair would do; null if there is none."""
    repaired: bool
    """Whether the view has the repair."""
    sentence: str
    """What was found, in one or two sentences."""
    title: str
    """The finding in a few words."""


class FindingBoth(TypedDict):
    """A finding of A, of B, or of both."""
    change: str
    """`new` if only B has it, `gone` if only A has it, `both`, or `unknown` if the other trace lacks what its rule needs."""
    rule: Literal["exposed-transfers", "transfers-to-merge", "transfer-order", "straggler", "collective-wait", "uneven-servers", "exposed-communication", "last-rank", "input-bound", "loader-workers", "launch-bound", "host-bound", "synchronising", "allocator", "host-op-between", "copies", "pageable-copies", "tensor-cores", "layout-conversions", "training-mode", "optimizer-step", "few-threads", "tiny-ops", "slower-than-peers", "dominant-work", "first-step", "idle-though-launched", "memory-peak", "skewed-clocks", "tracing", "gpu-unused"]
    """The rule that found it."""
    saving_a_ns: Optional[int]
    """How much shorter A's step would be. Null where A does not have it, or nothing was replayed."""
    saving_b_ns: Optional[int]
    """How much shorter B's step would be."""
    what: str
    """What was found: in B, or in A where B has it no more."""


class FindingRow(TypedDict):
    """Something that is worth changing."""
    advice: str
    """What to do about it, in the words of the framework."""
    after: Optional[str]
    """What the step mostly waits for afterwards: a category of `steplens.critical-path/1`. Null where nothing was replayed."""
    basis: str
    """What the rank rests on: `replay`, `measured`, `path` or `figure`."""
    change: Optional[str]
    """The change that was replayed, as `steplens what-if` reads it; null where no option says it."""
    high_ns: Optional[int]
    """The most of it."""
    is_part: NotRequired[bool]
    """Whether its time is a part of that in which a GPU waits for its host, which is a finding, too."""
    low_ns: Optional[int]
    """The least of it."""
    rule: Literal["exposed-transfers", "transfers-to-merge", "transfer-order", "straggler", "collective-wait", "uneven-servers", "exposed-communication", "last-rank", "input-bound", "loader-workers", "launch-bound", "host-bound", "synchronising", "allocator", "host-op-between", "copies", "pageable-copies", "tensor-cores", "layout-conversions", "training-mode", "optimizer-step", "few-threads", "tiny-ops", "slower-than-peers", "dominant-work", "first-step", "idle-though-launched", "memory-peak", "skewed-clocks", "tracing", "gpu-unused"]
    """The rule that found it."""
    saving_ns: Optional[int]
    """How much shorter the step would be: as replayed, or the most that was measured. Null where neither is known."""
    sentence: str
    """The same, with what it costs and what the step waits for afterwards."""
    share_ppm: Optional[int]
    """
    The saving, or the time on the critical path, in millionths of what `sentence` names: the step, the recording, or its steps.
    Null for findings without a time.
    """
    subject: str
    """
    What it is about: an op, an op type, a task or a device; empty where the rule is about the whole step. Findings of two
    traces are compared by it.
    """
    what: str
    """What was found, as one or two sentences."""
    where: List[EvidenceRow]
    """The evidence: ops to look at, the most important first."""


class Findings(TypedDict):
    """What is worth changing."""
    clocks: NotRequired[ClockNote]
    """Why times of tasks cannot be compared; then no time between tasks is judged."""
    findings: List[FindingRow]
    """By saving, the largest first; where nothing was replayed, by time on the critical path; then those without a saving."""
    framework: str
    """
    The framework whose words the advice uses: `graphs` (TensorFlow with sessions), `tensorflow2`, `jax`, `pytorch` or
    `unknown`.
    """
    not_judged: List[NotJudged]
    """The rules that could not judge this trace."""
    replay_error: float
    """How far the replay without changes is from the recording, as a part of the step."""
    schema: Literal["steplens.findings/1"]
    sentence: str
    """
    How the findings were judged, as a sentence; where nothing was found that saves time, what the step consists of, and what to
    record to learn more.
    """
    step_ns: int
    """The length of the recorded step."""
    variation_ns: Optional[int]
    """How much the lengths of the opened steps vary. Null with less than two steps."""
    verdict: str
    """What the step mostly is, and sentences about it: what the host did, pauses, the longest step."""
    verdict_figures: NotRequired[VerdictFigures]
    """The figures of that sentence; left out if nothing took any time."""
    verdict_main: str
    """Its first sentence, which says what the step mostly is."""


class Flame(TypedDict):
    """What ran inside of what."""
    bars: List[FlameBar]
    """The bars: each before those on it, the widest first."""
    choices: List[Literal["ops", "modules", "python", "scopes"]]
    """What they can be made of in this trace."""
    cut_ns: int
    """The time that is in no bar, because an event ended after the event around it."""
    gpu_ns: int
    """The time of the kernels and copies that it launched. Kernels that run at the same time count each."""
    layers: Optional[Literal["ops", "modules", "python", "scopes"]]
    """What the bars are made of: `modules`, `ops`, `python` or `scopes`; null if the trace has none of these."""
    left_out: int
    """The number of bars that are too narrow to be among them."""
    measure: Literal["time", "gpu"]
    """What widths and orders are of: `time` or `gpu`."""
    name_count: int
    """The number of names."""
    names: List[FlameName]
    """By name, the one with most of the measure for itself first: the first of `name_count`."""
    notes: List[str]
    """What is left out, as sentences."""
    outside: List[FlameBar]
    """What is around one name, if the question is about one: at the bottom is the name, on it what was around it."""
    path: List[str]
    """The names from the bottom to the bar that the question is about, or as far as there are bars."""
    schema: Literal["steplens.flame/1"]
    sentence: str
    """How many names there are, and which took most, as a sentence."""
    shortened: int
    """The number of paths around it that are not followed to their end, because they are too many or too long."""
    total_ns: int
    """The time of everything, on all threads together."""
    transfers_left_out: int
    """
    The number of transfers that are left out: they are in no scope, and wait next to one another, which is the subject of
    `network`.
    """


class FlameBar(TypedDict):
    """A path of names."""
    at_ns: int
    """Where it begins, in the unit of its width: the sum of what is left of it."""
    category: Optional[Literal["compute", "input", "copy", "communication", "launch", "allocation", "waiting", "range"]]
    """The category of what ran; null for a scope that is no op."""
    count: int
    """The number of events."""
    depth: int
    """The number of bars below it."""
    gpu_ns: int
    """The time of the kernels and copies that they, or anything in them, launched."""
    gpu_self_ns: int
    """The time of the kernels and copies that they launched themselves."""
    name: str
    """Its name."""
    self_ns: int
    """Their time without what ran in them."""
    total_ns: int
    """Their time."""


class FlameName(TypedDict):
    """The bars of one name."""
    category: Optional[Literal["compute", "input", "copy", "communication", "launch", "allocation", "waiting", "range"]]
    """The category of what ran; null for a scope that is no op."""
    count: int
    """The number of events."""
    gpu_ns: int
    """The time of those that they, or anything in them, launched; of what is in itself, the outermost alone."""
    gpu_self_ns: int
    """The time of the kernels and copies that they launched themselves."""
    name: str
    """The name."""
    self_ns: int
    """Their time without what ran in them."""
    total_ns: int
    """Their time; of what is in itself, the outermost alone."""


class Fleet(TypedDict):
    """
    `steplens.fleet/1`: the rows that answer a question. Columns of a unit end in it: `_ns`, `_bytes`, `_ppm` (millionths).
    """
    columns: List[str]
    """The names of the columns."""
    question: Optional[str]
    """The name of the question; null for a query of the user's own."""
    rows: List[List[object]]
    """
    The rows, each with a value for each column: a text, a whole number or null; in answers to a query of the user's own
    whatever it selects.
    """
    schema: Literal["steplens.fleet/1"]


class FoundOp(TypedDict):
    """An op of a finding."""
    device: str
    end_ns: int
    name: str
    op: Optional[int]
    """Its id in the view; null if the view does not have it: a repair left it out, or it is in another step."""
    start_ns: int
    """Relative to the origin of the opened trace, as it was recorded."""
    title: str
    """The title on the page: the name, or for a transfer the tensor."""


class GpuIdleRow(TypedDict):
    """Why a GPU was idle. The seven parts add up to the idle time."""
    busy_ns: int
    """The time in which any of its kernels or copies ran, except collectives."""
    device: str
    """The first of its devices."""
    host_between_ops_ns: int
    """The next kernel was not launched, and the thread that launched it ran no recorded op."""
    host_launching_ns: int
    """The next kernel was not launched, and the thread that launched it ran an op or a call, or is not known."""
    idle_ns: int
    """The rest of the time that is shown."""
    in_collective_ns: int
    """How much of the idle time a collective ran."""
    nothing_queued_ns: int
    """No later kernel was recorded."""
    other_rank_ns: int
    """The next kernel was launched and waited for a collective, so for other ranks. This cause is inferred."""
    other_stream_ns: int
    """The next kernel was launched and waited for another stream of the GPU, or for an event. This cause is inferred."""
    starting_ns: int
    """The next kernel was launched and starting."""
    unexplained_ns: int
    """Nothing that was recorded explains it; all of an idle time before a kernel whose launch was not recorded."""


class GraphRow(TypedDict):
    """Figures of the execution graph."""
    backward: int
    """The number of dependencies whose cause ended after its effect began."""
    backward_from: Optional[str]
    """The cause in that largest case."""
    backward_largest_ns: int
    """The longest time from the start of an effect to the end of its cause, of all pairs in which the cause ended later."""
    backward_to: Optional[str]
    """The effect in that largest case."""
    by_kind: List[EdgeRow]
    """The number of edges of each kind."""
    cut: int
    """The number of edges that were cut because they closed a circle."""
    edges: int
    """The number of edges."""
    nodes: int
    """The number of nodes."""
    ops_without: int
    """The number of ops without edges, because other ops have too many inputs."""


class GrowthRow(TypedDict):
    """Whether one thing grew by more than it may."""
    growth: Optional[float]
    """How much it grew, as a part or a number; null where nothing can be divided."""
    limit: str
    """
    The option that sets the limit: `max-op-type-growth`, `max-exposed-growth`, `max-transfer-growth`, `max-memory-growth` or
    `max-new-findings`.
    """
    most_allowed: Optional[float]
    """The most that is allowed, as a part or a number; null where no limit was set."""
    probability: Optional[float]
    """How likely values as different are by chance; null with too few steps, and for findings."""
    sentence: str
    """What grew and by how much, as a sentence."""
    verdict: str
    """
    `within` or `over` the limit; `not-judged` where steps or figures are missing, and `not-recorded` where neither trace has
    any figure; `no-limit` where no limit was set.
    """


class HostProfileJson(TypedDict):
    """The events of TensorFlow's host profiler (`/host:CPU` of releases 1.14 to 2.2), by kind."""
    events: int
    """The number of all events."""
    joined: int
    """The number of events that repeat an op of the executor: the thread of these ops is known."""
    other_runs: int
    """The number of events of other runs of sessions."""
    ranges: int
    """The number of ranges around other events."""
    sentence: str
    """What they are, as a sentence."""
    threads: int
    """The number of threads that ran the joined ops."""
    transfer_nodes: int
    """The number of `_Send` and `_Recv` nodes, which the executor does not record."""
    unjoined: int
    """The number of events of the step with names like ops that match no op of the executor."""


class Index(TypedDict):
    """What was read now, and what the dataset has: `steplens.index/1`."""
    changed: int
    """How many of them were in the dataset before, and had changed."""
    faults: List[FaultyFile]
    """The files of which nothing was read, or not all."""
    files: int
    """How many files the dataset has."""
    gone: int
    """How many files of the dataset are not in the folder any more."""
    new: int
    """How many of them were new."""
    ops: int
    """How many ops it has."""
    read: int
    """How many files were read now."""
    read_bytes: int
    """Their size."""
    runs: List[str]
    """Its runs."""
    schema: Literal["steplens.index/1"]


class Inversion(TypedDict):
    """Two tensors that arrived in the opposite order of need."""
    early: OpRef
    late: OpRef
    overtaken_by: int
    user: OpRef
    waited_ns: int


class KernelLaunch(TypedDict):
    """One way of launching."""
    block: Optional[List[int]]
    """Threads of a block in each of three dimensions."""
    count: int
    """The number of kernels."""
    grid: Optional[List[int]]
    """Blocks in each of three dimensions."""
    occupancy_percent: Optional[float]
    """Occupancy in percent."""
    registers: Optional[int]
    """Registers of each thread."""
    shared_bytes: Optional[int]
    """Shared memory of each block."""
    total_ns: int
    """The sum of their time within the window."""


class KernelLauncher(TypedDict):
    """Ops of one type that launched kernels."""
    count: int
    """The number of kernels."""
    op_type: str
    """The op type: of the innermost operator around the launch, or of the call itself."""
    total_ns: int
    """The sum of the kernels' time within the window."""


class KernelRow(TypedDict):
    """The kernels of one name."""
    block: Optional[List[int]]
    """Threads of a block in each of three dimensions."""
    category: Literal["compute", "input", "copy", "communication", "launch", "allocation", "waiting", "range"]
    """`compute` or `communication`."""
    count: int
    """The number of kernels."""
    flops: Optional[int]
    """Their floating-point operations; null if those of none are known."""
    flops_of_peak_ppm: Optional[int]
    """
    That rate, in millionths of the most that the trace’s accelerators calculate; null where no profiler says that most, or
    not one for all.
    """
    flops_per_second: Optional[int]
    """
    Of these in a second, while they ran; for what launches kernels, while these ran. Null if nothing says how long that took.
    """
    grid: Optional[List[int]]
    """Blocks in each of three dimensions."""
    launch_count: int
    """The number of ways of launching."""
    launched_by: List[KernelLauncher]
    """
    The op types that launched them, the one with most time first: the first of `launcher_count`. Empty if launches were not
    recorded.
    """
    launcher_count: int
    """The number of op types that launched them."""
    launches: List[KernelLaunch]
    """The ways of launching, the one with most time first: the first of `launch_count`."""
    longest: int
    """The op row of the longest of them."""
    max_ns: int
    """The longest of them."""
    mean_ns: int
    """The mean of their whole durations."""
    min_ns: int
    """The shortest of them."""
    moved_bytes: Optional[int]
    """What they must read and write at least; null if that of none is known."""
    moved_bytes_per_second: Optional[int]
    """Of these in a second, like `flops_per_second`."""
    name: str
    """
    The name in the file, of an instruction of XLA without its number; for a stream of TensorFlow's RunMetadata, which has no
    names of kernels, the op type.
    """
    occupancy_percent: Optional[float]
    """
    The mean occupancy in percent, weighted by time: in PyTorch's traces an estimate of what was achieved, in others what is
    possible. Null if none was recorded.
    """
    registers: Optional[int]
    """Registers of each thread."""
    share_ppm: int
    """Its share of the time of all kernels, in millionths."""
    shared_bytes: Optional[int]
    """Shared memory of each block."""
    short_name: str
    """The same without namespaces, numbers and arguments."""
    total_ns: int
    """The sum of their time within the window."""
    work_known_ppm: Optional[int]
    """The part of their time, in millionths, that is of ops with any of these figures; null if it is none."""


class Kernels(TypedDict):
    """The kernels."""
    count: int
    """The number of kernels."""
    kernels: List[KernelRow]
    """By name, the one with most time first."""
    occupancy_known_ppm: int
    """The part of that time, in millionths, of kernels whose occupancy was recorded."""
    schema: Literal["steplens.kernels/1"]
    sentence: str
    """How many there are, and which took most, as a sentence."""
    total_ns: int
    """The sum of their time within the window. Kernels that run at the same time count each."""


class KindRow(TypedDict):
    """The time of one kind on all paths."""
    key: str
    """The kind."""
    length_ns: int
    """The time."""


class LargestTransfer(TypedDict):
    """The largest transfer of a link."""
    bytes: int
    """Its size."""
    tensor: str
    """Its tensor."""


class LastRank(TypedDict):
    """A rank that was ready last."""
    late_ns: int
    """How much later than the rank before it, summed."""
    most_ns: int
    """The most of these."""
    rank: int
    """Its number."""
    times: int
    """How often it was last."""


class LateRow(TypedDict):
    """An op that queued."""
    op: OpRef
    """The op."""
    queue_ns: int
    """From scheduled to start."""
    wait_ns: Optional[int]
    """From ready to scheduled."""


class LimitRow(TypedDict):
    """A limit, and the step that is nearest to it or exceeds it most."""
    limit: str
    """The option that sets it: `max-step` or `max-exposed-communication`."""
    most_allowed: float
    """The limit."""
    over: List[int]
    """The numbers of the steps that exceed the limit."""
    unit: str
    """The unit of the limit and of the worst figure: `ns`, or a `share` of the step."""
    worst: float
    """The largest figure of any step."""
    worst_step: int
    """The step with that figure: its number in the list of `steplens steps`, from 1."""


class LinesRow(TypedDict):
    """How transfers share links."""
    sharing: str
    """`fair-share` or `in-order`."""
    spread: str
    """What is shared: `link`, `sender` or `receiver`."""


class LinkBoth(TypedDict):
    """The transfers from one task to another."""
    busy_a_ns: int
    """The time in A during which at least one was in transit."""
    busy_b_ns: int
    """The time in B."""
    bytes_a: int
    """Their sizes in A together."""
    bytes_b: int
    """Their sizes in B together."""
    count_a: int
    """How many transfers of A."""
    count_b: int
    """How many transfers of B."""
    destination: str
    """The task that received."""
    difference_ns: int
    """The busy time in B minus that in A."""
    p50_a_ns: Optional[int]
    """The median of their times in transit in A; null where none was recorded."""
    p50_b_ns: Optional[int]
    """The median in B."""
    ratio: Optional[float]
    """The busy time in B divided by that in A; null where A has none."""
    source: str
    """The task that sent, as A calls it."""


class LinkRow(TypedDict):
    """The transfers from one place to another; without a source from everywhere, without a destination to everywhere."""
    busy_ns: int
    """The time in which at least one of them was in transit."""
    bytes: Optional[int]
    """Their bytes; null if none were recorded."""
    bytes_per_second: Optional[int]
    """Their bytes divided by that time."""
    count: int
    """The number of transfers."""
    destination: Optional[str]
    """The place that received."""
    first_ns: Optional[int]
    """The first send."""
    largest: Optional[LargestTransfer]
    """The largest of all transfers."""
    last_ns: Optional[int]
    """The last arrival."""
    p50_ns: Optional[int]
    """The median of their times in transit."""
    p99_ns: Optional[int]
    """The time in transit that 99 of 100 of them do not exceed."""
    source: Optional[str]
    """The place that sent."""
    timed: int
    """How many of them have a known time in transit: the figures that follow are of these."""


class LinkTable(TypedDict):
    """Links between devices or between tasks, and their sums."""
    all: LinkRow
    """The sum of all links."""
    pairs: List[LinkRow]
    """The links in order of source and destination."""
    places: List[str]
    """The places in natural order."""
    received: List[LinkRow]
    """What each place received."""
    sent: List[LinkRow]
    """What each place sent, in the order of places."""


class Links(TypedDict):
    """What went from one device to another."""
    busy_ns: Optional[int]
    bytes: int
    bytes_per_second: Optional[int]
    count: int
    destination: str
    source: str


class ListedOfNegotiatedTensor(TypedDict):
    """The first rows of a table, and the number of all rows."""
    rows: List[NegotiatedTensor]
    """The first rows."""
    total: int
    """The number of all rows."""


class ListedOfTensorRow(TypedDict):
    """The first rows of a table, and the number of all rows."""
    rows: List[TensorRow]
    """The first rows."""
    total: int
    """The number of all rows."""


class LongestWait(TypedDict):
    """The tensor that a device waited for longest."""
    is_gradient: bool
    source: Optional[str]
    tensor: str
    waited_ns: int
    worst: int


class Matches(TypedDict):
    """
    How many pairs of ops each pass matched. `exact`, `retyped`, `renumbered`, `structural` and `edited` with `only_a` are all
    ops of A, and with `only_b` all ops of B.
    """
    edited: int
    """By the order of op types in a scope."""
    exact: int
    """By name, op type, shapes and occurrence."""
    not_aligned: int
    """How many of the ops without a partner lie in scopes too large to be aligned."""
    only_a: int
    """The ops of A without a partner."""
    only_b: int
    """The ops of B without a partner."""
    renumbered: int
    """By name without numbers, op type and occurrence; or by name, with other shapes."""
    reshaped: int
    """How many of all pairs have other shapes."""
    retyped: int
    """By name, where a library carries out the same work under another op type."""
    structural: int
    """By op type, depth of scope, and the types of the ops around."""


class Memory(TypedDict):
    accounts: List[WithAlive]
    readings: List[MemorySummary]
    recorded_by: Optional[str]
    schema: Literal["steplens.memory/1"]


class MemoryBoth(TypedDict):
    """The memory that an allocator held."""
    allocator: str
    """The allocator."""
    device: Optional[str]
    """The device, as A calls it, or B where only B has it; null for an allocator of all devices."""
    difference_bytes: Optional[int]
    """The peak in B minus that in A; null where one has none."""
    peak_a_bytes: Optional[int]
    """The most bytes alive at once in A; null if only B has it."""
    peak_b_bytes: Optional[int]
    """The most bytes alive at once in B; null if only A has it."""
    ratio: Optional[float]
    """The peak in B divided by that in A; null where one has none."""


class MemoryFaults(TypedDict):
    """What could not be counted as it is in the file."""
    frees_alone: int
    """Frees without an earlier allocation: the memory counts as allocated before the recording."""
    ops_without: int
    """Ops whose inputs were not followed, because the file has too many."""
    too_large: int
    """Sizes and sums that are too large to store: the curve stops at the largest number."""


class MemoryHolder(TypedDict):
    """An op that keeps tensors alive at a moment."""
    bytes: int
    """The bytes that are alive at least until it ends."""
    op: OpRef
    """The op."""
    tensors: int
    """The number of tensors with these bytes."""


class MemorySummary(TypedDict):
    faults: MemoryFaults
    lacks: Optional[str]
    lost: int
    lost_bytes: int
    reading: str
    rests_on: str


class NegotiatedTensor(TypedDict):
    """A tensor that ranks negotiated."""
    late_ns: int
    """How much later the last rank was than the one before, summed."""
    negotiations: int
    """How often it was negotiated by two ranks or more."""
    rank: int
    """The rank that was last most often."""
    tensor: str
    """Its name."""
    times: int
    """How often that rank was last."""


class Network(TypedDict):
    """The object that `steplens network --json` prints, and the page's tab Network shows."""
    clocks: NotRequired[ClockNote]
    """
    Why times of its tasks cannot be compared. If it is not null, everything that is based on such times is empty: links have
    only counts and bytes; the order of parameters stays.
    """
    collectives: Collectives
    """Ops that wait for all of their participants."""
    copies: List[LinkRow]
    """The copies of GPU streams, as links between GPUs and host."""
    devices: List[DeviceShare]
    """For each device that communicates, how much of its communication it hid behind compute."""
    links: LinkTable
    """The links between devices."""
    order: List[OrderOfDevice]
    """Whether parameters arrived in the order in which ops need them."""
    peaks: Optional[Peaks]
    """The most that was in transit."""
    ready: NotRequired[Ready]
    """Which rank was ready last when tensors were negotiated; left out where no timeline of Horovod says it."""
    schema: Literal["steplens.network/1"]
    span_ns: int
    """The length of the step."""
    stragglers: Stragglers
    """Which task finished last among its peers, and why."""
    task_links: LinkTable
    """The links between tasks."""
    tensorflow_tracer: TracerFigures
    """The figures of tensorflow-tracer's `Timeline`."""
    tensors: ListedOfTensorRow
    """How much was sent of each tensor."""
    waits: NotRequired[ListedOfTensorRow]
    """Which transfers devices waited for. The page shows them only by tensor."""
    waits_by_tensor: ListedOfTensorRow
    """What devices waited for, by device, tensor and sender."""


class NewAnswer(TypedDict):
    """An answer to a request."""
    at_unix_ns: str
    """In ns from 1970 as decimal text, because it does not fit in a double."""
    id: str
    """The request."""
    process: str
    """Its name."""
    reason: Optional[str]
    """Why it was refused."""
    runs: List[int]
    """The numbers of the runs that were traced for it."""
    state: str
    """`seen`, `tracing`, `done`, `stopped`, `expired` or `refused`."""


class NewFinding(TypedDict):
    """A finding that the baseline does not have."""
    advice: str
    """What to do about it."""
    rule: Literal["exposed-transfers", "transfers-to-merge", "transfer-order", "straggler", "collective-wait", "uneven-servers", "exposed-communication", "last-rank", "input-bound", "loader-workers", "launch-bound", "host-bound", "synchronising", "allocator", "host-op-between", "copies", "pageable-copies", "tensor-cores", "layout-conversions", "training-mode", "optimizer-step", "few-threads", "tiny-ops", "slower-than-peers", "dominant-work", "first-step", "idle-though-launched", "memory-peak", "skewed-clocks", "tracing", "gpu-unused"]
    """The rule that found it."""
    saving_ns: Optional[int]
    """How much shorter the step would be; null where nothing was replayed."""
    sentence: str
    """What was found, what it costs, and what the step waits for afterwards."""


class NewRun(TypedDict):
    """A run, with what it fetched and was fed."""
    call: Optional[int]
    """What it fetched and was fed, as a row of its process. Null where that is not known."""
    feeds: Optional[List[str]]
    """Null where they are not known."""
    fetches: Optional[List[str]]
    """Null where they are not known."""
    length_ns: int
    """How long it took."""
    request: Optional[str]
    """Which request it was traced for."""
    run: int
    """Its number in its process."""
    start_unix_ns: str
    """When it began, by the clock of its machine, in ns from 1970 as decimal text, because it does not fit in a double."""
    step: Optional[int]
    """The global step. Null where none is known."""
    trace: Optional[str]
    """The path of its trace within the folder. Null for a run that was not traced."""
    trace_bytes: Optional[int]
    """The size of the trace. Null where it is not there (any more)."""


class NewTrace(TypedDict):
    """A trace that arrived."""
    ops: Optional[int]
    """How many ops."""
    path: str
    """Its path within the folder."""
    run: int
    """Its run."""
    span_ns: Optional[int]
    """From the first start to the last end. Null where the trace cannot be opened; so are the next two."""
    summary: str
    """What it shows, in one line, or why it cannot be opened."""
    transfers: Optional[int]
    """How many transfers."""


class NotJudged(TypedDict):
    """A rule that could not judge the trace."""
    needs: str
    """
    What it lacks: `replay`, `clocks`, `transfers`, `peers`, `participants`, `gpu`, `launches`, `scheduling`, `memory` or
    `steps`.
    """
    needs_words: str
    """The same in words."""
    rule: Literal["exposed-transfers", "transfers-to-merge", "transfer-order", "straggler", "collective-wait", "uneven-servers", "exposed-communication", "last-rank", "input-bound", "loader-workers", "launch-bound", "host-bound", "synchronising", "allocator", "host-op-between", "copies", "pageable-copies", "tensor-cores", "layout-conversions", "training-mode", "optimizer-step", "few-threads", "tiny-ops", "slower-than-peers", "dominant-work", "first-step", "idle-though-launched", "memory-peak", "skewed-clocks", "tracing", "gpu-unused"]
    """The rule."""


class OnPathRow(TypedDict):
    """An op on the paths."""
    device: str
    """Its device."""
    length_ns: int
    """Its time on all these paths."""
    longest_ns: int
    """Its time in the step in which it has most."""
    longest_step: int
    """The number of that step, from 1."""
    median_share: float
    """Its share of a step (1 is the whole step): the median over the steps whose path it is on."""
    op: str
    """The name of the op."""
    steps: int
    """The number of steps whose path it is on."""


class OpRef(TypedDict):
    """A reference to an op."""
    device: int
    end_ns: int
    lane: int
    name: str
    op: int
    start_ns: int


class OpRow(TypedDict):
    """An op."""
    bytes: int
    """What its outputs asked for; of a copy, what it moved."""
    category: Literal["compute", "input", "copy", "communication", "launch", "allocation", "waiting", "range"]
    """What its time is spent on."""
    device: str
    """Its device."""
    duration_ns: int
    """How long it lasted."""
    end_ns: int
    """When it ended."""
    label: str
    """What the file says of it in words."""
    lane: int
    """Its lane, from 0 within the device."""
    name: str
    """The name of its node."""
    op: int
    """Its number."""
    op_end_ns: int
    """When its kernel ended."""
    op_start_ns: int
    """When its kernel started."""
    op_type: str
    """Its type."""
    reason: str
    """Why it is of this category."""
    scheduled_ns: Optional[int]
    """When it was scheduled, if that was recorded."""
    self_ns: int
    """How long it lasted without what ops nested in it cover."""
    start_ns: int
    """When it started."""
    step: int
    """The place of its step, from 1."""
    task: Optional[str]
    """The process of a cluster that it ran in, if its device names one."""
    thread: int
    """The number of its thread, as its format has it or a host profiler recorded it."""


class OpTypeBoth(TypedDict):
    """The ops of one type."""
    category: Literal["compute", "input", "copy", "communication", "launch", "allocation", "waiting", "range"]
    """Its category."""
    count_a: int
    """How many ops of A."""
    count_b: int
    """How many ops of B."""
    difference_ns: int
    """The self time in B minus that in A."""
    op_type: str
    """The op type."""
    p50_a_ns: Optional[int]
    """The median of their durations in A; null without any."""
    p50_b_ns: Optional[int]
    """The median in B."""
    place: str
    """`accelerator` or `host`."""
    ratio: Optional[float]
    """The self time in B divided by that in A; null where A has none."""
    self_a_ns: int
    """Their self time in A: without the ops nested in them."""
    self_b_ns: int
    """Their self time in B."""


class OpTypeOverSteps(TypedDict):
    """The time of an op type in each step."""
    a: Optional[SampleRow]
    """The sums in A's steps."""
    b: Optional[SampleRow]
    """The sums in B's steps."""
    difference_ns: Optional[int]
    """The median of B minus that of A; null where one has none."""
    op_type: str
    """The op type."""
    probability: Optional[float]
    """How likely sums as different are by chance; null below four steps a side."""
    significant: bool
    """Whether that is below 5 % for all op types together, by Holm."""


class OpTypePart(TypedDict):
    """An op type on a replayed critical path."""
    length_ns: int
    """Its time on the path."""
    op_type: str
    """The op type."""


class Ops(TypedDict):
    """Every op."""
    ops: List[OpRow]
    schema: Literal["steplens.ops/1"]


class OrderOfDevice(TypedDict):
    """The order on one device: core's DeviceOrder."""
    device: int
    inversions: Optional[int]
    lost_ns: Optional[int]
    name: str
    pairs: Optional[int]
    replay_error_ns: Optional[int]
    steps: int
    tensors: int
    unknown_because: Optional[Literal["fewer-than-two-parameters", "producers-not-recorded", "consumers-not-recorded", "too-many-tasks"]]
    worst_step: Optional[StepOfOrder]
    """The step that lost most: its number, its figures and its tensors."""


class PairOfTasks(TypedDict):
    """The tensors that one task sent to another, and how many of them were received before they were made."""
    destination: str
    source: str
    transfers: int
    violations_after: int
    violations_before: int


class Parameter(TypedDict):
    """A parameter, when it arrived, and when it should."""
    better_ns: int
    """When it would have arrived in the better order."""
    bytes: int
    """The size."""
    needed_ns: int
    """When its first op would start if every tensor were there from the beginning, counted from that beginning."""
    op: int
    """Its transfer."""
    received_ns: int
    """When it arrived."""
    received_rank: int
    """Its place in the order of arrival, from 0."""
    source: str
    """The device that sent it."""
    tensor: str
    """The tensor part of its key, which distinguishes it from others of its name."""


class PartSumRow(TypedDict):
    """One part of these ops."""
    known: int
    """The number of ops for which it is known."""
    most_name: Optional[str]
    """The name of that op."""
    most_ns: Optional[int]
    """The largest value."""
    most_op: Optional[int]
    """The op with the largest value."""
    p50_ns: Optional[int]
    """The median."""
    p99_ns: Optional[int]
    """The value that 99 of 100 ops do not exceed."""
    part: str
    """Its word."""
    sum_ns: Optional[int]
    """The sum over these ops; null if it is not known for any."""


class Participant(TypedDict):
    """One device in a collective."""
    device: int
    """Its row in `devices` of the summary."""
    op: int
    """Its op."""
    waiting_ns: Optional[int]
    """How long it waited for the last one."""


class PartsRow(TypedDict):
    """The parts of the ops of one device or one op type."""
    contradicted: int
    """How many of them were scheduled before their last input ended, according to the records: their wait is not known."""
    key: str
    """The name of the device, or the op type."""
    ops: int
    """The number of ops."""
    parts: List[PartSumRow]
    """Wait, queue, set-up, kernel and tear-down, in this order."""
    run_by: str
    """`executor` or `stream`."""


class PathPart(TypedDict):
    """A part of the observed path."""
    key: str
    """The common key of the segments."""
    length_ns: int
    """The time of these segments together."""
    longest: Optional[str]
    """The op of its longest segment."""
    longest_ns: int
    """The time of its longest segment."""
    segments: int
    """The number of these segments."""


class Peaks(TypedDict):
    """The most that was in transit."""
    at_ns: int
    """The start of that window."""
    bytes_per_second: int
    """The most bytes per second in any such window."""
    in_flight: int
    """The most transfers in transit at any moment."""
    in_flight_at_ns: int
    """The first moment with that many."""
    window_ns: int
    """Bytes per second are averages over windows of this length, wherever they begin."""


class Problem(TypedDict):
    """One kind of problem."""
    code: str
    """Stable; documented in `docs/problems.md`."""
    count: int
    """How many times it was found."""
    detail: str
    """One sentence about the first of them."""


class Ready(TypedDict):
    """Which rank was ready last."""
    negotiations: int
    """The number of negotiations of two ranks or more."""
    ranks: List[LastRank]
    """The ranks that were last, the one that the others waited for longest first."""
    tensors: ListedOfNegotiatedTensor
    """The tensors, those that waited longest for their last rank first."""


class ReasonRow(TypedDict):
    """A reason."""
    reason: str
    """`clocks`, `graph`, `batch`, `devices`, `tracing`, `transfers` or `steps`."""
    sentence: str
    """The reason as a sentence."""
    still: str
    """What can still be compared, as a sentence."""


class Regression(TypedDict):
    """How steps (B) compare with those of a baseline (A)."""
    a: Optional[SampleRow]
    """The lengths of the baseline's steps."""
    b: Optional[SampleRow]
    """The lengths of the steps that are checked."""
    difference_ns: int
    """By how much the step with the median length takes longer than that of the baseline."""
    growth: Optional[float]
    """
    How much longer the median is, as a part of the baseline's; negative if it is shorter. Null where nothing can be divided.
    """
    growths: List[GrowthRow]
    """What else grew, each with its limit: op types, exposed communication, transfers, memory and findings."""
    most_allowed: float
    """How much longer the median may be, as a part of the baseline's."""
    new_findings: List[NewFinding]
    """What would help now, and would not have helped in the baseline: at most three."""
    not_comparable: List[ReasonRow]
    """Why times cannot be compared as they are; empty if they can."""
    op_types: List[OpTypeOverSteps]
    """The op types whose time differs significantly."""
    probability: Optional[float]
    """How likely lengths as different are by chance; null with too few steps."""
    sentence: str
    """The verdict as a sentence."""
    verdict: str
    """`within` or `over` the limit; `not-judged` with too few steps on a side."""
    waterfall: List[BarRow]
    """Where that comes from; the bars add up to it."""


class ReplayedPart(TypedDict):
    """A part of a replayed critical path."""
    category: Literal["compute", "copy", "transit", "sender-queue", "producer", "behind", "launching", "allocation", "input", "starting", "host-between-ops", "python-between-ops", "gap"]
    """What the time was spent on, as in `steplens.critical-path/1`."""
    length_ns: int
    """The time."""
    share_ppm: int
    """The part of the step in millionths."""


class SampleRow(TypedDict):
    """A figure over the steps of one trace."""
    high_ns: Optional[int]
    """The upper end."""
    low_ns: Optional[int]
    """Where the median of all such steps lies with 95 %: its lower end. Null below six steps."""
    median_ns: int
    """The median."""
    outliers: int
    """How many steps lie outside of Tukey's fences. They are not left out."""
    steps: int
    """How many steps."""


class SavingRow(TypedDict):
    """What the step would save if something were faster."""
    change: str
    """The change of 50 percent, as `steplens what-if` reads it."""
    flat_from: Optional[int]
    """
    From which of these percentages on the line goes flat: the step saves less than half as much per percent as before, because
    another path takes over. Null if it does not.
    """
    kind: str
    """`op-type`, `link` or `device`."""
    name: str
    """Its name."""
    on_path_ns: int
    """How much of the replayed critical path it takes."""
    saving_ns: List[int]
    """What the step saves if it takes 10, 25, 50 and 100 percent less time."""


class ScheduledOp(TypedDict):
    """An op that an executor or a stream ran."""
    device: str
    """Its device."""
    end_ns: int
    """When it ended."""
    kernel_end_ns: Optional[int]
    """When its kernel ended."""
    kernel_ns: Optional[int]
    """How long the kernel took."""
    kernel_start_ns: Optional[int]
    """When its kernel started."""
    op: str
    """The title of the op."""
    op_row: int
    """Its row in `steplens ops --json`."""
    op_type: str
    """Its op type."""
    queue_ns: Optional[int]
    """From scheduled to start."""
    ready_ns: Optional[int]
    """When its last input was ready."""
    run_by: str
    """What ran it: `executor`, `stream`, `network`, `program`, or `nothing` for a range."""
    scheduled_ns: Optional[int]
    """When it was scheduled; for a kernel, when it was launched."""
    set_up_ns: Optional[int]
    """From start to the kernel's start."""
    start_ns: int
    """When it started."""
    tear_down_ns: Optional[int]
    """From the kernel's end to the end."""
    wait_ns: Optional[int]
    """From ready to scheduled."""


class Scheduling(TypedDict):
    """The whole answer."""
    at_work: List[AtWorkRow]
    """How many ops were at work at once: of devices that share threads together, and of each device."""
    by_device: List[PartsRow]
    """The parts, summed for each device that an executor or a stream ran."""
    by_op_type: List[PartsRow]
    """The parts, summed for each op type, the longest queue first."""
    gpus: List[GpuIdleRow]
    """For each GPU why it was idle."""
    latest: List[LateRow]
    """The ops that queued longest, the longest first; at most 100."""
    network_ops: int
    """The number of ops that received tensors or are collectives: they are not counted in the sums."""
    not_recorded: List[str]
    """The parts that are not known for any op, because the format does not record them."""
    ops: List[ScheduledOp]
    """Every op that an executor or a stream ran."""
    program_ops: int
    """The number of ops that threads of programs called: nothing scheduled them."""
    queued_ops: int
    """The number of ops that queued at all."""
    schema: Literal["steplens.scheduling/1"]
    sentence: str
    """What was found, as a sentence."""
    streams: List[StreamRow]
    """For each stream of a GPU its kernels and gaps."""
    threads: Optional[int]
    """The number of threads that the user gave."""
    tiny: List[TinyRow]
    """For each device the ops that are shorter than the limit."""
    tiny_limit_ns: int
    """Ops shorter than this count as tiny."""


class SegmentRow(TypedDict):
    """A segment of the observed path."""
    behind: Optional[str]
    """For an op that was ready and waited for its thread or link: the op that held it last. The path goes there."""
    behind_count: Optional[int]
    """The number of ops that ended there while it waited."""
    category: Literal["compute", "copy", "transit", "sender-queue", "producer", "behind", "launching", "allocation", "input", "starting", "host-between-ops", "python-between-ops", "gap"]
    """What the time was spent on."""
    device: str
    """The op's device."""
    earlier_ns: int
    """How much earlier it could have run, if its thread, link or GPU had been free."""
    edge: Optional[str]
    """By which edge the path leads to the op from the op before; null for the first one, and while an op waits."""
    end_ns: int
    """The end."""
    frame: Optional[str]
    """For a time in which Python ran between two ops: the innermost Python frame, where the stack was recorded."""
    held_ns: int
    """For how much of this time a later op of the path was ready, and waited for its thread, link or GPU."""
    inferred: bool
    """Whether that edge is inferred: nothing in the file says so."""
    op: str
    """The op that ran, or that had not started yet; for a transfer its tensor."""
    op_row: int
    """The op's row in `steplens ops --json`."""
    start_ns: int
    """The start."""


class Split(TypedDict):
    """A split in nanoseconds."""
    busy_ns: int
    communication_ns: int
    compute_ns: int
    exposed_allocation_ns: int
    exposed_communication_ns: int
    exposed_copy_ns: int
    exposed_input_ns: int
    exposed_launch_ns: int
    exposed_waiting_ns: int
    idle_ns: int
    overlapped_communication_ns: int
    window_ns: int


class StaticPath(TypedDict):
    """The static path."""
    length_ns: int
    """The length of the path."""
    near: int
    """The number of ops whose slack is at most a hundredth of the step."""
    next_length_ns: int
    """The length of the next path: of all paths the one with the most time outside of this path."""
    next_outside_ns: int
    """How much of the next path is outside of this path."""
    segments: List[SegmentRow]
    """The ops of the path, in order. Waiting is left out, so they do not touch."""


class Step(TypedDict):
    """A step or run in the files. The split is that of all its devices together."""
    busy_ns: int
    called: Optional[int]
    """
    What texts call it: `number`, if each step has one of its own, else its place among the steps, from 1; null if it is no
    step.
    """
    communication_ns: int
    compute_ns: int
    exposed_allocation_ns: int
    exposed_communication_ns: int
    exposed_copy_ns: int
    exposed_input_ns: int
    exposed_launch_ns: int
    exposed_waiting_ns: int
    facts: List[Tuple[str, str]]
    """Other facts in the container, as (name, value)."""
    file: str
    """The file of its first part."""
    idle_ns: int
    is_before: NotRequired[bool]
    """
    Whether it is no step: what ran before the first one that its file numbers, or a run of another graph than the steps are.
    """
    name: str
    """The name in the container; empty without one."""
    number: Optional[int]
    """The number in the container."""
    ops: int
    overlapped_communication_ns: int
    parts: int
    """The number of its parts (messages, records, documents)."""
    pause_before_ns: int
    """How long before it the step before it had ended, where a program marks its steps; otherwise 0."""
    recorded_unix_ns: Optional[str]
    """When it was recorded, in ns from 1970 as decimal text, because it does not fit in a double."""
    stands_out: bool
    """Whether its length stands out among the others."""
    start_ns: int
    """Relative to the trace's origin."""
    transferred_bytes: int
    window_ns: int


class StepOfOrder(TypedDict):
    """The order in one step: core's StepOrder."""
    better: List[Parameter]
    """The first parameters, in the order in which they should arrive."""
    inversions: int
    lost_ns: int
    pairs: int
    replay_error_ns: int
    step: int
    """The number of the step, as in `steplens steps`: from 1."""
    tensors: int
    worst: List[Inversion]
    """The parameters for which ops waited longest though they could have arrived before a parameter that was needed later."""


class StepPathRow(TypedDict):
    """The paths of a step."""
    length_ns: int
    """The length of the observed path."""
    most: str
    """The kind with the most time on the observed path."""
    most_ns: int
    """The time of that kind."""
    static_ns: int
    """The length of the static path."""
    step: int
    """The number of the step, from 1."""
    unexplained_ns: int
    """How much of the observed path has no recorded cause."""


class Steps(TypedDict):
    """`steplens.steps/1`: the steps in order of time; steps without ops come last."""
    apart: NotRequired[Literal["listed", "far"]]
    """Why one step is shown first: `listed` or `far`; left out if all are shown on one axis."""
    ended_by: NotRequired[str]
    """The name of the range with which each step ends, if that marks the steps; left out otherwise."""
    first: Optional[int]
    """The row of `steps` with a usual step, which is shown first if only one is shown; null if no step has ops."""
    rule: Literal["content", "file", "part", "together"]
    """The rule for steps: `content`, `file`, `part` or `together`."""
    schema: Literal["steplens.steps/1"]
    steps: List[Step]
    usual: UsualFigures


class StepsCompared(TypedDict):
    """The steps of both traces."""
    a: Optional[SampleRow]
    """The lengths of A's steps; null without any."""
    b: Optional[SampleRow]
    """The lengths of B's steps."""
    difference_ns: Optional[int]
    """The median of B minus that of A."""
    op_types: List[OpTypeOverSteps]
    """The time of each op type in a step, by how much its medians differ. Empty with less than two steps a side."""
    probability: Optional[float]
    """How likely lengths as different are by chance, by the rank test of Mann and Whitney. Null below four steps a side."""
    sentence: str
    """Whether the lengths differ, as a sentence."""
    significant: bool
    """Whether that is below 5 %."""


class Straggler(TypedDict):
    """The task that came last among its peers in one step."""
    after_next_ns: int
    """How much later it ended than the one before it."""
    behind_ns: int
    """How much later it ended than the median of its peers."""
    cause: Optional[Cause]
    """The root cause; null if nothing shows it."""
    chain: Chain
    """How the time from the step's start to its end divides along the chain."""
    ended: List[Ended]
    """The straggler and its peers, the last one first."""
    is_cut: bool
    """Whether chain and cause are based on only some of the ops and tasks, because there are too many."""
    step: int
    """The number of the step, as in `steplens steps`: from 1."""
    task: str
    """The task, or a device if there is only one task."""
    tasks: int
    """The number of tasks."""


class Stragglers(TypedDict):
    """All stragglers."""
    often: List[Tuple[str, int]]
    """How many times each task was the straggler, the largest number first; only the first tasks."""
    often_total: int
    """The number of tasks that were a straggler."""
    rows: List[Straggler]
    """The first rows."""
    total: int
    """The number of all rows."""


class StreamRow(TypedDict):
    """A stream of a GPU."""
    busy_ns: int
    """The time in which it ran any."""
    device: str
    """Its device."""
    gap_ns: int
    """The length of all gaps together."""
    gaps: int
    """The number of gaps between its kernels."""
    host_between_ops_ns: Optional[int]
    """How much of that time the thread that launched the next kernel ran no recorded op."""
    host_ns: Optional[int]
    """How much of the gaps passed before the next kernel was launched."""
    kernels: int
    """The number of kernels and copies that it ran."""
    launched: int
    """How many of them have a recorded launch."""
    longest_gap_before: Optional[int]
    """The kernel after the longest gap."""
    longest_gap_name: Optional[str]
    """The name of that kernel."""
    longest_gap_ns: Optional[int]
    """The length of the longest gap."""
    most_queued: Optional[int]
    """The most kernels that were launched and had not started at the same moment."""
    other_rank_ns: Optional[int]
    """How much of that time the kernel of the other stream was a collective, which waits for other ranks."""
    other_stream_ns: Optional[int]
    """
    How much of the gaps the next kernel waited for another stream: a kernel there ended when the next kernel started, or a call
    made the stream wait for an event. This cause is inferred.
    """
    queue_ns: Optional[int]
    """The times from launch to start, summed; null if no launch was recorded."""
    queue_p50_ns: Optional[int]
    """The median of these times."""
    queue_p99_ns: Optional[int]
    """The time that 99 of 100 kernels do not exceed."""
    starting_ns: Optional[int]
    """How much of the gaps the next kernel was launched, and starting."""
    stream: int
    """The number of the stream, if all streams of the GPU are one device."""
    unexplained_ns: int
    """How much of the gaps is not explained by anything recorded."""
    waited_for_host: Optional[int]
    """The number of kernels that waited for the host alone."""


class Summary(TypedDict):
    """The object that `steplens summary --json` prints and `window.steplens.summary()` returns."""
    accelerators: List[Accelerator]
    """Every GPU, TPU or the like, each once."""
    any_device: NotRequired[Split]
    """All devices together: compute means that any device computes. Left out by `without_transfers`."""
    clocks: NotRequired[ClockNote]
    """Why times of its tasks cannot be compared; left out if they can, and by `without_transfers`."""
    devices: List[DeviceSummary]
    """The devices in natural order of task and name."""
    doctor: NotRequired[List[DoctorFinding]]
    """
    What the doctor finds wrong with what is shown, the most important first: these figures rest on it. Left out by
    `without_transfers`.
    """
    files: List[FileSummary]
    """The files that were opened."""
    host_profile: NotRequired[HostProfileJson]
    """The records of TensorFlow's host profiler next to the executor, which are not counted anywhere else."""
    ops: int
    """The number of ops, without the records of a host profiler."""
    origin_unix_ns: str
    """The trace's origin in ns from 1970, as decimal text, because it does not fit in a double."""
    schema: Literal["steplens.summary/1"]
    span_ns: int
    """From the first start to the last end over all devices, without ranges."""
    step: Split
    """The step bar: the mean of the accelerators, or of all devices without accelerators."""
    transferred_bytes: NotRequired[int]
    """Their bytes."""
    transfers: NotRequired[int]
    """The number of transfers."""
    verdict: NotRequired[str]
    """What the step mostly is, and sentences about it; left out by `of` and `without_transfers`."""
    verdict_figures: NotRequired[VerdictFigures]
    """The figures of that sentence; left out if nothing took any time."""
    verdict_main: NotRequired[str]
    """Its first sentence, which says what the step mostly is."""
    view: SummaryView
    """The part of the files that it is about."""
    working_devices: int
    """How many devices did any work, each accelerator once: rows of ranges or of Python frames did none."""


class SummaryView(TypedDict):
    """The part of the files that is shown."""
    apart: NotRequired[Literal["listed", "far"]]
    """Why the page shows one of them first: `listed` or `far`."""
    clocks: NotRequired[List[str]]
    """How the clocks of tasks are aligned, if not as recorded: `estimated`, and `TASK=NS` for offsets chosen by hand."""
    has_before: NotRequired[bool]
    """Whether the files have something from before the first step that they number, which is none."""
    is_recording: NotRequired[bool]
    """
    Whether nothing in the files says that what is shown is one step: then it is a recording with an unknown number of steps.
    """
    op_time: NotRequired[Literal["schedule", "gpu", "all"]]
    """What counts as the duration of an op, if not as recorded: `gpu` or `all`, in the words of `timeline.py`."""
    repairs: List[Literal["time-bases", "far-ops", "same-devices", "repeated-ops"]]
    """The repairs of the view."""
    rule: Literal["content", "file", "part", "together"]
    """The rule for steps: `content`, `file`, `part` or `together`."""
    step: Optional[int]
    """The number of the step that is shown, as in `steplens steps`: from 1; null for all of them."""
    steps: int
    """The number of steps."""


class TaskClock(TypedDict):
    drift_ppm: Optional[ClockDrift]
    """How much faster than the reference the clock runs, in parts per million; null if that cannot be computed."""
    drift_unknown_because: Optional[Literal["not-connected", "too-short", "not-a-line"]]
    high_ns: Optional[int]
    low_ns: Optional[int]
    """The bounds of how much the task is ahead of the reference, from the tensors; null without a bound on that side."""
    offset_ns: int
    """What is subtracted from the task's timestamps: its part of the least correction."""
    task: str
    transfers: int
    unknown_because: Optional[Literal["one-way", "unconnected"]]
    """Why a bound is missing: `unconnected` or `one-way`; null if none is missing."""


class TensorRow(TypedDict):
    """One tensor, or one tensor that a device waited for; for single waits with their step."""
    bytes: Optional[int]
    """The bytes of its transfers; null if they were not recorded."""
    delayed_ns: Optional[int]
    """How much later its first consumers could start because of it; null if that is not known."""
    destinations: int
    """The number of different destination devices."""
    device: NotRequired[int]
    """The device that waited."""
    idle_before_ns: int
    """Idle before send: how long devices were idle before it was sent."""
    is_gradient: bool
    """Whether it is a gradient for that variable."""
    source: NotRequired[str]
    """The device that sent it, where it was one alone."""
    step: NotRequired[int]
    """The number of the step, as in `steplens steps`: from 1."""
    tensor: str
    """The name of the variable, otherwise of the op that made it."""
    transfers: int
    """The number of its transfers."""
    waited_ns: int
    """Exposed communication that is blamed on it."""
    worst: int
    """The transfer with the most blame."""


class ThreadRow(TypedDict):
    """How well the rule for inferring the executor's threads holds on a device."""
    device: str
    """The device."""
    in_a_row: int
    """How many of these pairs ran strictly one after the other."""
    inferred: bool
    """Whether the thread of any op is inferred; otherwise all were recorded."""
    neighbours: int
    """The number of pairs of neighbours that were scheduled in the same microsecond."""
    ops: int
    """The number of ops that ran on threads."""
    recorded: int
    """How many of these ops have a recorded thread."""
    threads: int
    """The number of threads of the device. Inferred threads are as many as the ops that ran at the same time need."""


class TinyRow(TypedDict):
    """The tiny ops of a device."""
    between_ns: int
    """The pauses before these ops, summed."""
    cost_ns: int
    """The cost of tiny ops: their length, and the pauses."""
    device: str
    """The name of the device."""
    in_a_row: int
    """How many of the tiny ops followed another op on their thread or stream within 0.1 ms."""
    length_ns: int
    """The length of these ops, summed."""
    ops: int
    """The number of ops that took any time."""
    run_by: str
    """`executor` or `stream`."""
    tiny: int
    """How many of them are tiny."""
    tiny_length_ns: int
    """The length of the tiny ops, summed."""


class TracerFigures(TypedDict):
    """The figures in microseconds, as tensorflow-tracer counts."""
    communication_elapsed_time_us: int
    communication_time_us: int
    step_time_us: int


class Transfer(TypedDict):
    """One transfer. Times that nothing recorded are null."""
    bytes: Optional[int]
    """Its size."""
    bytes_per_second: Optional[int]
    """Its size by its time in transit."""
    candidates: Optional[int]
    """Of how many ops the producer is one, where it is ambiguous."""
    certainty: Literal["exact", "inferred", "ambiguous"]
    """How surely its producer is known: `exact`, `inferred` or `ambiguous`; and of how many it is one."""
    consumer_count: int
    """How many ops used it."""
    consumers: List[OpRef]
    """The first ops that used it; `consumer_count` is how many there are."""
    delayed_ns: Optional[int]
    """How much later its first consumer could start because of it."""
    destination: str
    """The device that received it."""
    dtype: Optional[str]
    """The type of its values."""
    first_consumer: Optional[int]
    """The op that was scheduled first of those that used it."""
    handed_over_ns: Optional[int]
    """When it was handed over to be sent: the start of its `_Send` node, where a host profiler recorded that."""
    joined: Optional[str]
    """How producer and consumers were found: exactly, from the graphs; or inferred from labels."""
    kind: Optional[str]
    """`value` or `gradient`."""
    op: Optional[int]
    """The op that recorded it, if one did."""
    output: int
    """Which output of its producer it is."""
    producer: Optional[OpRef]
    """The op that made the tensor."""
    producer_end_ns: Optional[int]
    """When the op that made the tensor ended."""
    queued_ns: Optional[int]
    """From the producer's end to the sending."""
    received_ns: Optional[int]
    """When it was received."""
    sent_ns: Optional[int]
    """When it was sent."""
    shape: Optional[str]
    """Its shape."""
    source: str
    """The device that sent it."""
    tensor: str
    """The tensor part of the rendezvous key."""
    transfer: int
    """Its number."""
    unjoined_because: Optional[Literal["source-not-traced", "producer-not-recorded", "unknown-rendezvous-key"]]
    """Why there is no producer, when there is none: one of the codes of docs."""
    unused_ns: Optional[int]
    """From the receipt until the first consumer was scheduled."""
    variable: Optional[str]
    """The variable that it is a value of, or a gradient for."""
    waited_ns: Optional[int]
    """
    Exposed communication of the receiver that it is blamed for. Null if no op recorded it, and in the details of an op, which
    do not look for it.
    """
    wire_ns: Optional[int]
    """From the sending to the receipt."""


class Transfers(TypedDict):
    clocks: TransfersClocks
    links: List[Links]
    schema: Literal["steplens.transfers/1"]
    transfers: List[Transfer]


class TransfersClocks(TypedDict):
    """Whose clock each figure of a transfer rests on. What rests on both is wrong by what their clocks differ by."""
    bytes_per_second: str
    delayed_ns: str
    handed_over_ns: str
    producer_end_ns: str
    queued_ns: str
    received_ns: str
    sent_ns: str
    unused_ns: str
    waited_ns: str
    wire_ns: str


class Unmatched(TypedDict):
    """Ops of one name on one device that have no partner."""
    count: int
    """How many."""
    device: str
    """Their device."""
    name: str
    """Their name; of transfers their tensor."""
    op_row: int
    """The row of the longest of them in `steplens ops --json`."""
    op_type: str
    """Their op type."""
    total_ns: int
    """The sum of their durations."""


class Usual(TypedDict):
    """The usual values of a figure, over the steps with ops."""
    deviation: float
    max: int
    mean: float
    min: int
    p50: int
    p99: int


class UsualFigures(TypedDict):
    compute_ns: Optional[Usual]
    exposed_allocation_ns: Optional[Usual]
    exposed_communication_ns: Optional[Usual]
    exposed_copy_ns: Optional[Usual]
    exposed_input_ns: Optional[Usual]
    exposed_launch_ns: Optional[Usual]
    exposed_waiting_ns: Optional[Usual]
    idle_ns: Optional[Usual]
    ops: Optional[Usual]
    transferred_bytes: Optional[Usual]
    window_ns: Optional[Usual]


class VerdictFigures(TypedDict):
    """The figures of the verdict, which stand in the split and the path, too."""
    agrees: bool
    """Whether the two say the same."""
    decided_by: str
    """What decides: `split`, where at least half of the time is one part of it that is not idle, or `path`."""
    from_ns: Optional[int]
    """Where the part of the recording begins that the verdict is about; null if it is about all of it."""
    length_ns: int
    """
    The length of what is shown; where the clock of an accelerator is not that of its host, from the accelerator’s first work
    to its last.
    """
    path_ns: Optional[int]
    """How long it is."""
    path_part: Optional[str]
    """
    The largest part of the observed path: `compute`, `copy`, `network`, `waiting`, `behind`, `launching`, `allocation`,
    `input`, `starting`, `host`, `between` or `unknown`. Null where times of tasks cannot be compared.
    """
    split_ns: int
    """How long it is."""
    split_part: str
    """The largest part of the split: a category, or `idle`; where the split decides, the largest that is not idle."""
    to_ns: Optional[int]
    """Where it ends."""
    waits_for: Optional[str]
    """
    What the GPU that waits least for its host is mostly idle for, `input` or `host`, where the path names the other one of the
    two; else null.
    """
    waits_ns: Optional[int]
    """How long it is idle for that."""


class Watch(TypedDict):
    """What a folder says now."""
    problems: List[WatchProblem]
    """What is wrong with the files."""
    processes: List[WatchedProcess]
    """In order of their names."""
    requests: List[AskedRow]
    """In order of their ids, which begin with their time where Steplens made them."""
    schema: Literal["steplens.watch/1"]


class WatchEvent(TypedDict):
    """What became new: one of `run`, `trace`, `answer` and `problem` is there."""
    answer: NotRequired[NewAnswer]
    """An answer that is new or has changed."""
    problem: NotRequired[WatchProblem]
    """Something that is wrong, or is so once more."""
    process: str
    """Whose it is; empty for problems."""
    run: NotRequired[NewRun]
    """A new run."""
    schema: Literal["steplens.watch-event/1"]
    trace: NotRequired[NewTrace]
    """A trace that arrived."""


class WatchProblem(TypedDict):
    """Something that is wrong with the files."""
    code: str
    """Its stable code."""
    count: int
    """How often."""
    detail: str
    """A sentence: what is wrong, where first, and what is done about it."""


class WatchedProcess(TypedDict):
    """A process, and its runs in figures."""
    calls: List[CallRow]
    """By what they fetch and are fed."""
    dropped: int
    """How many before them are no longer listed, and in no figure."""
    name: str
    """Its name."""
    runs: int
    """How many runs are listed."""
    step: Optional[int]
    """The global step of the last run. Null where none is known."""
    traced: int
    """How many of those that are listed were traced."""
    traces: List[WatchedTrace]
    """The traces that are there, the newest first; at most 200."""


class WatchedTrace(TypedDict):
    """A trace that is there."""
    bytes: int
    """Its size."""
    path: str
    """Its path within the folder."""
    run: int
    """The number of its run in its process."""
    step: Optional[int]
    """Null where none is known."""
    together: List[str]
    """The traces of other processes that the same request wanted of the same step."""


class WhatIf(TypedDict):
    """What a change of the step would do."""
    baseline_ns: int
    """The length of the recorded step."""
    changes: List[ChangeRow]
    """The changes, with the number of ops that each of them meets."""
    clocks: NotRequired[ClockNote]
    """Why times of tasks cannot be compared; then nothing is predicted."""
    critical_after: List[ReplayedPart]
    """What the step waits for with all changes, the longest first."""
    critical_before: List[ReplayedPart]
    """What the replayed step waits for without changes, the longest first."""
    frozen_ns: int
    """
    What remains of the step when nothing takes any time, beyond launches, gaps and queues at senders that were recorded as
    such: no change moves it.
    """
    high_ns: Optional[int]
    """The most that the step would take."""
    judgement: str
    """
    What the prediction is worth: `predicted`, `within-error`, `within-variation`, `no-effect`, `refused` (the replay is too far
    from the recording), `frozen` (too much of the step is frozen), or `no-changes`.
    """
    lines: Optional[LinesRow]
    """How the transfers of this step share their links, as it fits the recording best. Null without transfers."""
    low_ns: Optional[int]
    """
    The least that the step would take: threads wake up sooner or later, steps vary, the replay is off, and frozen time may
    move, too.
    """
    op_types_after: List[OpTypePart]
    """Of the critical path with all changes: the op types on it, the longest first, at most twenty."""
    predicted_ns: Optional[int]
    """
    The length of the step with all changes. Null without changes, or where the replay is too far from the recording, or too
    much of the step is frozen.
    """
    replay_error: float
    """How far the replayed length is from the recorded one, as a part of it: 0.013 is 1.3 %."""
    replayed_ns: int
    """The length of the step when it is replayed without any change."""
    saving_ns: Optional[int]
    """How much shorter that is than the replay without changes; negative where the step gets longer."""
    schema: Literal["steplens.what-if/1"]
    sentence: str
    """The answer as a sentence."""
    started_near: float
    """The part of the ops that start in the replay within one percent of the step of when they started."""
    table: List[SavingRow]
    """Without changes: what is worth changing, and what each would save."""
    variation_ns: Optional[int]
    """
    How much the lengths of the steps vary: the median of their distances from their median. Null with less than two steps.
    """


class WithAlive(TypedDict):
    allocator: str
    basis: str
    before_bytes: int
    beyond_bytes: Optional[int]
    device: Optional[str]
    end_bytes: int
    kept_alive_by: List[MemoryHolder]
    live_at_peak: List[AliveRow]
    lives: int
    peak_bytes: int
    peak_ns: Optional[int]
    reading: str
