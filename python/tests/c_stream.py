"""A second reading of Arrow's stream interface, by ctypes alone: <https://arrow.apache.org/docs/format/CStreamInterface.html>."""

import ctypes


class Schema(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))),
    ("private_data", ctypes.c_void_p),
]


class Array(ctypes.Structure):
    pass


Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))),
    ("private_data", ctypes.c_void_p),
]


class Stream(ctypes.Structure):
    pass


Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))),
    ("private_data", ctypes.c_void_p),
]

NULLABLE = 2

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Column:
    """A column that was read: `kind` is `l` for int64 or `u` for text; `addresses` are those of its buffers."""

    def __init__(self, kind, is_optional):
        self.kind = kind
        self.is_optional = is_optional
        self.values = []
        self.addresses = []
        self.nulls = 0


def read(table):
    """The columns of a table by their names."""
    capsule = table.__arrow_c_stream__()
    stream = ctypes.cast(_pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(Stream))
    schema = Schema()
    assert stream.contents.get_schema(stream, ctypes.byref(schema)) == 0
    assert schema.format == b"+s"
    fields = [schema.children[place].contents for place in range(schema.n_children)]
    columns = {
        field.name.decode(): Column(field.format.decode(), bool(field.flags & NULLABLE)) for field in fields
    }
    while True:
        array = Array()
        assert stream.contents.get_next(stream, ctypes.byref(array)) == 0
        if not array.release:
            break
        for place, column in enumerate(columns.values()):
            _take(column, array.children[place].contents)
        array.release(ctypes.byref(array))
    schema.release(ctypes.byref(schema))
    return columns


def _take(column, array):
    length, offset = array.length, array.offset
    addresses = [array.buffers[place] for place in range(array.n_buffers)]
    column.addresses.append(addresses)
    column.nulls += array.null_count
    bits = (ctypes.c_uint8 * ((offset + length + 7) // 8)).from_address(addresses[0]) if addresses[0] else None
    known = [bits is None or bool(bits[at >> 3] >> (at & 7) & 1) for at in range(offset, offset + length)]
    if length == 0:
        return
    if column.kind == "l":
        numbers = (ctypes.c_int64 * (offset + length)).from_address(addresses[1])
        values = numbers[offset : offset + length]
    else:
        assert column.kind == "u", column.kind
        ends = (ctypes.c_int32 * (offset + length + 1)).from_address(addresses[1])
        text = ctypes.string_at(addresses[2], ends[offset + length]) if ends[offset + length] else b""
        values = [text[ends[at] : ends[at + 1]].decode() for at in range(offset, offset + length)]
    column.values += [value if is_known else None for value, is_known in zip(values, known)]
