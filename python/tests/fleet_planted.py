"""A thousand traces of ten workers that nobody recorded, as bytes that no code of ours made, with faults that a fleet has to find.

`PLANTED` says which row each question has to begin with.
"""

import random

STEPS, WORKERS = 100, 10
STRAGGLER, SLOW, CUT, NO_TRACE = 3, 6, 1, 2
DAY_NS, FIRST_NS = 86400 * 10**9, 1795478400 * 10**9
TASK = "/job:worker/replica:0/task:{}"
PS = "/job:ps/replica:0/task:0/device:CPU:0"

PLANTED = {
    "stragglers": {"task": TASK.format(STRAGGLER), "cause": "compute"},
    "slow-links": {"source": PS, "destination": TASK.format(SLOW) + "/device:CPU:0"},
    "regressions": {"op_type": "MatMul", "job": "/job:worker/replica:0"},
    "before-after": {"figure": "window_ns", "sure": "yes"},
}


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """A field of a message: a number, a text or a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(name, start, end, label):
    """NodeExecStats in nanoseconds, and in the microseconds of releases before 1.11."""
    length = end - start
    texts = field(1, name) + field(8, label)
    micros = field(2, start // 1000) + field(4, length // 1000) + field(5, length // 1000) + field(9, start // 1000)
    return texts + micros + field(13, start) + field(15, length) + field(16, length) + field(17, start)


def trace(worker, step, chance):
    """A step of a worker: three variables of the server, a convolution, and a product, which takes longer on the second day."""
    is_late = step > STEPS // 2
    now = FIRST_NS + (DAY_NS if is_late else 0) + step * 60 * 10**9
    device = TASK.format(worker) + "/device:CPU:0"
    sent, own, last = [], [], 0
    for variable in range(3):
        start = now + variable * 200_000
        end = start + 100_000
        arrives = end + (4_000_000 + chance.randrange(100_000)) * (4 if worker == SLOW else 1)
        name = "var{}/read".format(variable)
        sent.append(node(name, start, end, "{} = Identity(var{})".format(name, variable)))
        own.append(node("RecvTensor", start, arrives, "[4000000B] [8.0Mb/s] edge_{}_{} from {} to {}".format(variable, name, PS, device)))
        last = max(last, arrives)
    start = last + 50_000
    end = start + 30_000_000 + chance.randrange(400_000) + (8_000_000 if worker == STRAGGLER else 0)
    own.append(node("conv", start, end, "conv = Conv2D(var0/read, var1/read)"))
    start = end + 10_000
    end = start + 10_000_000 + chance.randrange(200_000) + (3_000_000 if is_late else 0)
    own.append(node("mm", start, end, "mm = MatMul(conv, var2/read)"))
    devices = [field(1, name) + b"".join(field(2, one) for one in nodes) for name, nodes in ((PS, sent), (device, own))]
    return field(1, b"".join(field(1, one) for one in devices))


def make(folder):
    """Writes them below `folder`: a run for each day, of which some files are cut and some are no traces."""
    chance = random.Random(5)
    for step in range(1, STEPS + 1):
        for worker in range(WORKERS):
            content = trace(worker, step, chance)
            if worker == CUT and step % 8 == 0:
                content = content[: len(content) // 2]
            if worker == NO_TRACE and step in (7, 33, 90):
                content = b"This is no trace."
            path = folder / ("tuesday" if step > STEPS // 2 else "monday") / "worker-{}".format(worker) / "step-{}.pb".format(step)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
