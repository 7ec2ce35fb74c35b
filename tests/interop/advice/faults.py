"""The faults: which job has them, what Steplens should say of them first, and what its advice was taken to mean."""

from typing import NamedTuple, Optional, Tuple


class Fault(NamedTuple):
    name: str
    job: str
    # The rule that should be the first finding; none where no rule of Steplens is about it.
    rule: Optional[str]
    # What was done to follow the advice.
    done: str
    # The options of `steplens what-if` that are that; they count where the rule found nothing.
    what_if: Tuple[str, ...] = ()


FAULTS = [
    Fault("threads", "tf1_local.py", None, "inter_op_parallelism_threads 1 to 2", ("--threads", "2")),
    Fault("input", "tf1_local.py", "input-bound", "prefetch(2)"),
    Fault("tiny", "tf1_local.py", "tiny-ops", "tf.xla.experimental.compile of them"),
    Fault("dominant", "tf1_local.py", "dominant-work", "made as small as its peers"),
    Fault("merge", "tf1_cluster.py", "transfers-to-merge", "64 variables made one", ("--merge", ".")),
    Fault("order", "tf1_cluster.py", "transfer-order", "each read when the one before has arrived"),
    Fault("order-as-worded", "tf1_cluster.py", "transfer-order", "control dependencies between the reads"),
    Fault("uneven", "tf1_cluster.py", "uneven-servers", "variables spread by bytes"),
    Fault("straggler", "tf1_cluster.py", "straggler", "the same work as its peers"),
    Fault("loader", "torch_cpu.py", "input-bound", "num_workers=1, prefetch_factor=2, persistent_workers"),
    Fault("host", "torch_cpu.py", None, "Python’s work done before the loop"),
    Fault("read", "torch_cpu.py", None, "one .item() at the end of the step"),
]
