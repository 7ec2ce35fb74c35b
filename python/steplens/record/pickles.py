"""Pickles of RunMetadata and of tensorflow-tracer's sessions.

A pickle is a program. These are read as data: only the few names below are followed, and a RunMetadata stays the bytes that it is made of. They are written with
the names of TensorFlow and tensorflow-tracer, which need not be installed.
"""

import codecs
import collections
import copyreg
import datetime
import io
import pickle
from typing import Any, BinaryIO, Dict

from .folder.errors import FolderError

RUN_METADATA = ("tensorflow.core.protobuf.config_pb2", "RunMetadata")
SOURCE = ("tftracer.tracing_server", "TracingSource")


class _Named:
    """An object whose class has the name of another package in pickles."""

    def __reduce__(self) -> Any:
        return (type(self), (), dict(self.__dict__))


class RunMetadata(_Named):
    """A RunMetadata, as its bytes."""

    def __init__(self, serialized: bytes = b"") -> None:
        self.serialized = serialized


class Source(_Named):
    """The `TracingSource` of a session: its attributes are tensorflow-tracer's."""


class _Message:
    """Makes what protobuf's own classes pickle themselves by: a name of a message, then its state."""

    def __new__(cls, name: Any = None) -> Any:
        if isinstance(name, bytes):
            name = name.decode("utf-8", "replace")
        if name not in (None, "tensorflow.RunMetadata"):
            raise FolderError("unknown-pickle", f"The pickle has a message {name!r}, and only RunMetadata is expected.")
        return RunMetadata()


_reconstructor: Any = copyreg._reconstructor  # type: ignore[attr-defined]
_FOLLOWED: Dict[Any, Any] = {
    SOURCE: Source,
    ("copyreg", "_reconstructor"): _reconstructor,
    ("copy_reg", "_reconstructor"): _reconstructor,
    ("builtins", "object"): object,
    ("__builtin__", "object"): object,
    ("_codecs", "encode"): codecs.encode,
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("datetime", "datetime"): datetime.datetime,
    ("datetime", "timedelta"): datetime.timedelta,
    ("google.protobuf.message", "_InternalConstructMessage"): _Message,
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        # Releases have the module elsewhere; the message is the same.
        if name == "RunMetadata" and module.endswith("config_pb2"):
            return RunMetadata
        if (module, name) in _FOLLOWED:
            return _FOLLOWED[module, name]
        raise FolderError("unknown-pickle", f"The pickle names {module}.{name}, and is neither a RunMetadata nor a session of tensorflow-tracer.")


def load(file: BinaryIO) -> Any:
    """The RunMetadata or Source that `file` holds, or lists and dicts of them. Raises FolderError."""
    try:
        return _Reader(file).load()
    except FolderError:
        raise
    except Exception as error:  # A broken pickle raises whatever its opcodes happen to do.
        raise FolderError("broken-pickle", f"The pickle cannot be read: {type(error).__name__}: {error}") from error


# The writer in Python, because the one in C insists that a class can be imported under the name that it writes.
_PythonPickler: Any = pickle._Pickler


class _Writer(_PythonPickler):  # type: ignore[misc]
    def save_global(self, obj: Any, name: Any = None) -> None:
        names = {RunMetadata: RUN_METADATA, Source: SOURCE}.get(obj)
        if names is None:
            super().save_global(obj, name)
            return
        self.write(pickle.GLOBAL + "{}\n{}\n".format(*names).encode("ascii"))
        self.memoize(obj)

    dispatch = dict(_PythonPickler.dispatch)
    dispatch[type] = save_global


def dump(value: Any, file: BinaryIO) -> None:
    """Writes `value`, which tensorflow-tracer and tfvis read with `pickle.load` where TensorFlow is installed. Raises OSError."""
    _Writer(file, 3).dump(value)


def dumps(value: Any) -> bytes:
    buffer = io.BytesIO()
    dump(value, buffer)
    return buffer.getvalue()
