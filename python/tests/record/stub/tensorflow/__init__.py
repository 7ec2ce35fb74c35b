"""As much of TensorFlow 1 as the recorder touches. Tests put this folder on the path where the real one is not wanted."""

from . import train

__version__ = "1.99.0"


class _Message:
    def __init__(self, **values):
        self.__dict__.update(values)

    def CopyFrom(self, other):
        self.__dict__.update(other.__dict__)


class RunOptions(_Message):
    FULL_TRACE = 3
    trace_level = 0
    output_partition_graphs = False
    timeout_in_ms = 0


class _Op:
    def __init__(self, node_name, timeline_label, all_start_micros, all_end_rel_micros):
        self.node_name, self.timeline_label = node_name, timeline_label
        self.all_start_micros, self.all_end_rel_micros = all_start_micros, all_end_rel_micros


class _Device:
    def __init__(self, device, node_stats):
        self.device, self.node_stats = device, node_stats


class _StepStats:
    def __init__(self):
        self.dev_stats = []


class RunMetadata:
    """Its bytes are a text of its devices and ops."""

    def __init__(self):
        self.step_stats = _StepStats()

    def SerializeToString(self):
        rows = [
            f"{device.device}|{op.node_name}|{op.timeline_label}|{op.all_start_micros}|{op.all_end_rel_micros}"
            for device in self.step_stats.dev_stats
            for op in device.node_stats
        ]
        return "\n".join(rows).encode()

    def ParseFromString(self, data):
        self.step_stats = _StepStats()
        for row in data.decode().splitlines():
            device, name, label, start, length = row.split("|")
            self.step_stats.dev_stats.append(_Device(device, [_Op(name, label, int(start), int(length))]))


class Tensor:
    def __init__(self, name):
        self.name = name


class Session:
    """Runs nothing. What is to be traced gets one op."""

    def __init__(self, traces=True):
        self.ran, self.traces, self.closed = [], traces, False

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        self.ran.append((fetches, feed_dict, options))
        if isinstance(fetches, Exception):
            raise fetches
        if options is not None and options.trace_level == RunOptions.FULL_TRACE and self.traces:
            run_metadata.ParseFromString(b"/job:localhost/task:0/device:CPU:0|w|w = MatMul(a, b)|1000|50")
        return len(self.ran)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.closed = True
