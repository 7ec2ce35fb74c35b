"""What Steplens reads and writes with prost, read and written a second time by Python's protobuf, which shares no line with prost.

Started by `cargo xtask test` with the program, the folder of the repository and the schemas of `proto/` as a `FileDescriptorSet`.
"""

import collections
import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields

program, root, schemas = (Path(argument) for argument in sys.argv[1:4])
fixtures = root / "tests" / "fixtures"
traces = ["ps4w.pb", "multidev.pb", "collective.pb", "lstm-while.pb", "mnist-adam.pb"]

pool = descriptor_pool.DescriptorPool()
for file in descriptor_pb2.FileDescriptorSet.FromString(schemas.read_bytes()).file:
    pool.Add(file)


def of(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


RunMetadata, Event, Session, Trace, GlobalMetadata, Node = map(
    of,
    [
        "tensorflow.RunMetadata",
        "tensorflow.Event",
        "steplens.Session",
        "perfetto.protos.Trace",
        "ChakraProtoMsg.GlobalMetadata",
        "ChakraProtoMsg.Node",
    ],
)
# Attributes that a trace keeps: the ends of a transfer, the keys of a collective.
ENDS = ["tensor_name", "send_device", "recv_device"]
TYPES = ["T", "tensor_type"]


def same(what, got, want):
    if got != want:
        raise SystemExit(f"{what}: got {str(got)[:2000]}, want {str(want)[:2000]}")


def run(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True).stdout


def export(folder, trace, format):
    out = Path(folder) / f"out.{format}"
    out.unlink(missing_ok=True)
    run("export", trace, "--format", format, "--output", out)
    return out.read_bytes()


def all_known(what, message):
    """The schema knows every field of `message`, and prost wrote as few bytes as Python does."""
    same(f"{what}: fields that are not in the schema", len(unknown_fields.UnknownFieldSet(message)), 0)
    for field, value in message.ListFields():
        if field.message_type and not field.message_type.GetOptions().map_entry:
            for inner in value if field.is_repeated else [value]:
                all_known(what, inner)


def ns(micros, nanos):
    return nanos or micros * 1000


def op_of(device, op):
    memory = lambda used: (used.allocator_name, used.total_bytes, used.peak_bytes, used.live_bytes, list(map(str, used.allocation_records)))
    tensor = lambda output: (output.slot, str(output.tensor_description.shape), output.tensor_description.dtype, *bytes_of(output))
    return (
        device,
        op.node_name,
        op.timeline_label,
        ns(op.all_start_micros, op.all_start_nanos),
        ns(op.all_end_rel_micros, op.all_end_rel_nanos),
        op.thread_id,
        [memory(used) for used in op.memory],
        [tensor(output) for output in op.output],
    )


def bytes_of(output):
    own = output.tensor_description.allocation_description
    return own.allocator_name, own.requested_bytes, own.allocated_bytes, own.allocation_id


def ops_of(metadata):
    return sorted(op_of(device.device, op) for device in metadata.step_stats.dev_stats for op in device.node_stats)


def node_of(node):
    attributes = {key: node.attr[key].s for key in ENDS if key in node.attr}
    is_end = len(attributes) == len(ENDS) and node.op in ["_Send", "_Recv", "_HostSend", "_HostRecv"]
    kinds = [node.attr[key].type for key in TYPES if is_end and key in node.attr]
    return node.name, node.op, node.device, list(node.input), attributes if is_end else {}, kinds


def nodes_of(metadata):
    graphs = [*metadata.partition_graphs, *(graph for own in metadata.function_graphs for graph in own.partition_graphs)]
    return sorted(node_of(node) for graph in graphs for node in graph.node)


def column(column):
    """The numbers of a column: planes of bytes, the lowest first."""
    rows = len(column.data) // column.width if column.width else 0
    values = [sum(column.data[plane * rows + row] << 8 * plane for plane in range(column.width)) for row in range(rows)]
    if column.encoding == 0:
        return values
    values = [value >> 1 ^ -(value & 1) for value in values]
    for row in range(1, rows if column.encoding == 2 else 0):
        values[row] += values[row - 1]
    return values


def column_of_blocks(blocks, name):
    """The numbers of a column of ops: differences go on from block to block."""
    values = []
    for block in blocks:
        own = getattr(block, name)
        before = values[-1] if values and own.encoding == 2 else 0
        values += [before + value for value in column(own) or [0] * block.rows]
    return values


def crc32c(data):
    """RFC 3720, B.4: the polynomial of Castagnoli, bits reversed."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def check_session(name, file, metadata):
    file = gzip.decompress(file) if file[:2] == b"\x1f\x8b" else file
    session = Session.FromString(file[9:])
    all_known(f"{name}: session", session)
    # The checksum stands before all other fields, of which it is one: Python writes fields in the order of their numbers.
    same(f"{name}: the checksum of the session", (file[9], session.checksum), (6 << 3 | 5, crc32c(file[14:])))
    session.ClearField("checksum")
    same(f"{name}: the session by Python", session.SerializeToString(deterministic=True) == file[14:], True)
    strings, at, last = [], 0, b""
    for shared, length in zip(column(session.strings.shared), column(session.strings.length)):
        last = last[:shared] + session.strings.rest.data[at : at + length]
        strings.append(last.decode())
        at += length
    nodes = [strings[row] for row in column(session.nodes.name)]
    devices = [strings[row] for row in column(session.devices.name)]
    owners = [device for device, ops in zip(devices, column(session.devices.ops)) for _ in range(ops)]
    got = zip(owners, (nodes[row] for row in column_of_blocks(session.ops, "node")), column_of_blocks(session.ops, "length"))
    want = ((op[0], op[1], op[4]) for op in ops_of(metadata))
    same(f"{name}: ops of the session", collections.Counter(got), collections.Counter(want))


def check_perfetto(name, file, metadata):
    trace = Trace.FromString(file)
    all_known(f"{name}: Perfetto", trace)
    same(f"{name}: Perfetto by Python", trace.SerializeToString() == file, True)
    names = {own.iid: own.name for packet in trace.packet for own in packet.interned_data.event_names}
    slices = [packet.track_event for packet in trace.packet if packet.track_event.type == 1]
    same(f"{name}: slices", len(slices), len(ops_of(metadata)))
    same(f"{name}: names of slices", all(names[own.name_iid] for own in slices), True)


def check_chakra(name, folder, metadata):
    """Every op is a node of its own in the files: a computation, a collective or a receive."""
    own = Path(folder) / name
    run("export", fixtures / name, "--format", "chakra", "--output", own)
    lengths = collections.Counter()
    for file in own.iterdir():
        data, at, kind = file.read_bytes(), 0, GlobalMetadata
        while at < len(data):
            length = shift = 0
            while True:
                byte = data[at]
                at, length, shift = at + 1, length | (byte & 127) << shift, shift + 7
                if byte < 128:
                    break
            message = kind.FromString(data[at : at + length])
            all_known(f"{name}: Chakra", message)
            same(f"{name}: Chakra by Python", message.SerializeToString(), data[at : at + length])
            if kind is Node and message.type in [4, 7]:
                lengths[message.name, message.duration_micros] += 1
            at, kind = at + length, Node
    ops = ops_of(metadata)
    first = min(op[3] for op in ops)
    micros = lambda at: (at - first) // 1000
    left = lengths - collections.Counter((op[1], micros(op[3] + op[4]) - micros(op[3])) for op in ops)
    same(f"{name}: nodes of Chakra that are no op", left, collections.Counter())
    same(f"{name}: whether Chakra has nodes", len(lengths) > 0, True)


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF).to_bytes(4, "little")


def check_summary(folder, metadata):
    """A RunMetadata in a value of a summary, as TensorFlow 2 writes it."""
    event = Event(wall_time=1.5e9, step=7)
    event.summary.value.add(tag="loss").tensor.string_val.append(b"no RunMetadata")
    value = event.summary.value.add(tag="batch_7")
    value.metadata.plugin_data.plugin_name = "graph_run_metadata"
    value.tensor.string_val.append(metadata.SerializeToString())
    data = event.SerializeToString()
    length = len(data).to_bytes(8, "little")
    file = Path(folder) / "events.out.tfevents.1.host"
    file.write_bytes(length + masked(length) + data + masked(data))
    again = RunMetadata.FromString(export(folder, file, "run-metadata"))
    same("a summary: ops", ops_of(again), ops_of(metadata))
    same("a summary: nodes", nodes_of(again), nodes_of(metadata))


with tempfile.TemporaryDirectory() as folder:
    for name in traces:
        metadata = RunMetadata.FromString((fixtures / name).read_bytes())
        file = export(folder, fixtures / name, "run-metadata")
        again = RunMetadata.FromString(file)
        all_known(f"{name}: RunMetadata", again)
        same(f"{name}: ops", ops_of(again), ops_of(metadata))
        same(f"{name}: nodes", nodes_of(again), nodes_of(metadata))
        check_session(name, export(folder, fixtures / name, "session"), metadata)
        check_perfetto(name, export(folder, fixtures / name, "perfetto"), metadata)
        check_chakra(name, folder, metadata)
        if name == "mnist-adam.pb":
            check_summary(folder, metadata)
        print(f"{name}: RunMetadata, session, Perfetto and Chakra are what Python's protobuf reads")
