"""How each command grows with the file, for files of bad shapes: `cargo xtask bench growth`.

    python tests/benches/growth.py PROGRAM [--family NAME]... [--command NAME]... [--sizes 20000,80000,320000]

For each family of files it prints, by command, the exponent between the two largest sizes (1 is linear), the seconds of processor time of
the largest one, and how many bytes each op takes at the peak. What is above the limits is marked, and listed at the end. The time of a file of
100 ops is taken off: it is that of starting. Needs Python 3.6 and nothing else; not for Windows.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_EXPONENT = 1.15
MOST_BYTES = 200
"""An op, apart from what the program takes for a file of 100 ops."""
LEAST_SECONDS = 0.2
"""What is quicker at the largest size says nothing of growth."""


# --- protobuf, as far as a RunMetadata needs it ---------------------------------------------------


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def stats(name, start, length, label=""):
    """NodeExecStats: times in microseconds."""
    times = number(2, start) + number(3, 0) + number(4, length) + number(5, length)
    return block(2, block(1, name) + times + (block(8, label) if label else b""))


def run_metadata(devices, nodes=()):
    """`devices`: pairs of a name and its ops; `nodes`: name, op type and inputs of the graph's nodes."""
    step = b"".join(block(1, block(1, device) + b"".join(ops)) for device, ops in devices)
    graph = b"".join(
        block(1, block(1, name) + block(2, kind) + b"".join(block(3, own) for own in inputs) + block(4, CPU))
        for name, kind, inputs in nodes
    )
    return block(1, step) + (block(3, graph) if graph else b"")


CPU = "/job:worker/replica:0/task:0/device:CPU:0"
DATE = 1_700_000_000_000_000


def chain(n):
    ops = [stats("n{}".format(at), DATE + at * 10, 9, "n{} = MatMul(n{})".format(at, at - 1)) for at in range(n)]
    return run_metadata([(CPU, ops)], [("n{}".format(at), "MatMul", ["n{}".format(at - 1)] if at else []) for at in range(n)])


def star(n):
    ops = [stats("n{}".format(at), DATE + at * 10, 9, "n{} = MatMul(n0)".format(at)) for at in range(n)]
    return run_metadata([(CPU, ops)], [("n{}".format(at), "MatMul", ["n0"] if at else []) for at in range(n)])


def funnel(n):
    ops = [stats("n{}".format(at), DATE + at * 10, 9) for at in range(n)]
    nodes = [("n{}".format(at), "MatMul", []) for at in range(n - 1)]
    return run_metadata([(CPU, ops)], nodes + [("n{}".format(n - 1), "AddN", ["n{}".format(at) for at in range(n - 1)])])


def ties(n):
    return run_metadata([(CPU, [stats("n{}".format(at), DATE, 10, "n{} = MatMul()".format(at)) for at in range(n)])])


def one_name(n):
    return run_metadata([(CPU, [stats("n", DATE + at * 10, 9, "n = MatMul(n)") for at in range(n)])], [("n", "MatMul", ["n"])])


def all_names(n):
    return run_metadata([(CPU, [stats("n{}".format(at), DATE + at * 10, 9, "n{0} = Type{0}()".format(at)) for at in range(n)])])


def overlapping(n):
    return run_metadata([(CPU, [stats("n{}".format(at), DATE + at, n, "n{} = MatMul()".format(at)) for at in range(n)])])


def devices(n):
    name = "/job:worker/replica:0/task:0/device:CPU:{}"
    return run_metadata([(name.format(at), [stats("n{}".format(at), DATE + at * 10, 9)]) for at in range(n)])


def tasks(n):
    name = "/job:worker/replica:0/task:{}/device:CPU:0"
    label = "[64B 64B] edge_{}_w from /job:ps/replica:0/task:0/device:CPU:0 to {}"
    of = []
    for at in range(n):
        own = name.format(at)
        of.append((own, [stats("RecvTensor", DATE + at, 50, label.format(at, own))]))
    return run_metadata([("/job:ps/replica:0/task:0/device:CPU:0", [stats("w", DATE, 5)])] + of)


def transfers(n):
    label = "[64B 64B] edge_{}_w from /job:ps/replica:0/task:0/device:CPU:0 to " + CPU
    of = [stats("RecvTensor", DATE + at * 10, 50, label.format(at)) for at in range(n)]
    return run_metadata([("/job:ps/replica:0/task:0/device:CPU:0", [stats("w", DATE, 5)]), (CPU, of)])


def gpus(n):
    of = [("/device:GPU:{}/stream:0".format(at), [stats("k", DATE + at, 50, "k:MatMul")]) for at in range(n)]
    return run_metadata([(CPU, [stats("n", DATE, 5)])] + of)


def streams(n):
    of = [("/device:GPU:0/stream:{}".format(at), [stats("k", DATE + at, 50, "k:MatMul")]) for at in range(n)]
    return run_metadata([(CPU, [stats("n", DATE, 5)])] + of)


def runs(n):
    ops = []
    for at in range(n):
        ops.append(stats("_SOURCE" if at % 10 == 0 else "n{}".format(at % 10), DATE + at * 10, 9))
    return run_metadata([(CPU, ops)])


# --- Chrome trace JSON ----------------------------------------------------------------------------


def trace(events):
    return json.dumps({"traceEvents": events}, separators=(",", ":")).encode()


def event(cat, name, tid, ts, dur, pid=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}


def nested(n):
    return trace([event("cpu_op", "aten::op{}".format(at % 50), 1, at, 2 * n - 2 * at) for at in range(n)])


def begun(n):
    of = [{"ph": "B", "name": "op", "pid": 1, "tid": 1, "ts": at} for at in range(n // 2)]
    return trace(of + [{"ph": "E", "pid": 1, "tid": 1, "ts": n + at} for at in range(n // 2)])


def torch(n, steps=1, streams=1, kernel="gemm", wait=False):
    events, third = [], n // 3
    for at in range(third):
        ts = at * 100
        if steps > 1 and at % max(third // steps, 1) == 0:
            events.append(event("user_annotation", "ProfilerStep#{}".format(at), 1, ts, 100 * max(third // steps, 1) - 1))
        events.append(event("cpu_op", "aten::mm", 1, ts, 30))
        call = "cudaStreamSynchronize" if wait and at % 2 else "cudaLaunchKernel"
        events.append(event("cuda_runtime", call, 1, ts + 10, 10, correlation=at + 1))
        events.append(event("kernel", kernel, at % streams, ts + 40, 50, pid=0, device=0, stream=at % streams, correlation=at + 1))
    document = {"deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}
    return json.dumps(document, separators=(",", ":")).encode()


def torch_steps(n):
    return torch(n, steps=max(n // 30, 2))


def torch_streams(n):
    return torch(n, streams=max(n // 6, 1))


def torch_collectives(n):
    return torch(n, kernel="ncclDevKernel_AllReduce_Sum_f32_RING_LL")


def torch_waits(n):
    return torch(n, wait=True)


def counters(n):
    of = [{"ph": "C", "name": "c{}".format(at % 20), "pid": 1, "ts": at, "args": {"v": at % 7}} for at in range(n)]
    return trace([event("cpu_op", "aten::mm", 1, 0, n)] + of)


def arrows(n):
    of = [{"ph": "f", "bp": "e", "cat": "flow", "id": 1, "name": "flow", "pid": 1, "tid": 2, "ts": at * 10} for at in range(n // 2)]
    to = [event("op", "op", 2, at * 10, 9) for at in range(n // 2)]
    return trace([event("op", "op", 1, 0, 5), {"ph": "s", "cat": "flow", "id": 1, "name": "flow", "pid": 1, "tid": 1, "ts": 1}] + of + to)


def horovod(n):
    events = []
    for at in range(n // 3):
        pid = at % max(n // 30, 1)
        if at < max(n // 30, 1):
            events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": "gradient/{}".format(pid)}})
        for place, name in enumerate(("NEGOTIATE_ALLREDUCE", "ALLREDUCE")):
            ts = at * 100 + place * 50
            events.append({"ph": "B", "name": name, "pid": pid, "ts": ts})
            events.append({"ph": "E", "pid": pid, "ts": ts + 40})
    return json.dumps(events, separators=(",", ":")).encode()


PB = (chain, star, funnel, ties, one_name, all_names, overlapping, devices, tasks, transfers, gpus, streams, runs)
JSON = (nested, begun, torch, torch_steps, torch_streams, torch_collectives, torch_waits, counters, arrows, horovod)
FAMILIES = {own.__name__.replace("_", "-"): (own, ".pb" if own in PB else ".json") for own in PB + JSON}

ANSWERS = """summary ops transfers network memory kernels flame critical-path scheduling what-if steps clocks doctor findings""".split()
EXPORTS = "chrome perfetto csv parquet chakra run-metadata session".split()
PICTURES = "view split matrix waterfall memory critical-path".split()


def commands():
    """Each command with its arguments; `FILE` and `OUT` are filled in."""
    for name in ANSWERS:
        yield name, [name, "FILE"]
    yield "check", ["check", "FILE", "--max-step", "1s"]
    yield "findings --json", ["findings", "FILE", "--json"]
    yield "compare", ["compare", "FILE", "FILE"]
    yield "what-if --hide", ["what-if", "FILE", "--hide", "communication"]
    for name in EXPORTS:
        yield "export " + name, ["export", "FILE", "--format", name, "-o", "OUT"]
    for name in PICTURES:
        yield "picture " + name, ["picture", "FILE", "--of", name, "-o", "OUT.svg"]
    yield "report", ["report", "FILE", "-o", "OUT.html"]
    yield "baseline", ["baseline", "FILE", "-o", "OUT"]


def measure(program, arguments, file, folder):
    """Seconds of processor time, bytes at the peak, and the exit code."""
    out = folder / "out"
    own = [own.replace("FILE", str(file)).replace("OUT", str(out)) for own in arguments]
    process = subprocess.Popen([str(program)] + own, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    process.stderr.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = 0
    for left in folder.glob("out*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, status, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES))
    parser.add_argument("--command", action="append")
    parser.add_argument("--sizes", default="20000,80000,320000")
    options = parser.parse_args()
    sizes = [100] + [int(own) for own in options.sizes.split(",")]
    wanted = [own for own in commands() if not options.command or own[0] in options.command]
    above, failed = [], []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for family in options.family or FAMILIES:
            make, suffix = FAMILIES[family]
            files = []
            for size in sizes:
                files.append(folder / "{}-{}{}".format(family, size, suffix))
                files[-1].write_bytes(make(size))
            print("{} ({:,} bytes at {:,})".format(family, files[-1].stat().st_size, sizes[-1]))
            for name, arguments in wanted:
                rows = [measure(options.program, arguments, file, folder) for file in files]
                if rows[-1][2] not in (0, 256):
                    first = rows[-1][3].decode(errors="replace").strip().splitlines()[:1]
                    # What a family does not have (no memory was recorded) is refused at every size.
                    if rows[0][2] != rows[-1][2]:
                        failed.append("{}, {}: {}".format(family, name, first))
                    continue
                started, peak = rows[0][0], rows[0][1]
                seconds = [max(own[0] - started, 0.001) for own in rows[1:]]
                exponent = math.log(seconds[-1] / seconds[-2]) / math.log(sizes[-1] / sizes[-2])
                an_op = (rows[-1][1] - peak) / sizes[-1]
                marks = ""
                if seconds[-1] >= LEAST_SECONDS and exponent > MOST_EXPONENT:
                    marks += "  GROWS"
                if an_op > MOST_BYTES:
                    marks += "  MEMORY"
                row = "{:22}{:8.2f}{:9.2f} s{:9.0f} bytes an op{}".format(name, exponent, seconds[-1], an_op, marks)
                print("  " + row)
                sys.stdout.flush()
                if marks:
                    above.append("{:18}{}".format(family, row))
            for file in files:
                file.unlink()
    print("above {} or {} bytes an op: {}".format(MOST_EXPONENT, MOST_BYTES, len(above)))
    for own in above + failed:
        print("  " + own)


if __name__ == "__main__":
    main()
