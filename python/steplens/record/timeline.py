"""`Timeline` of tfvis and of tensorflow-tracer."""

import csv
import io
import json
import os
import pickle
import shutil
import tempfile
from typing import Any, Dict, List, Optional

from . import clock, figures, pickles, program, tensorflow1
from .folder.errors import FolderError


class Timeline:
    """Traces one `Session.run`, and tells about it.

    Example:

        with Timeline() as timeline:
            session.run(train_op, **timeline.kwargs)
        timeline.visualize("step.html")

    Args:
        run_metadata: a `tf.RunMetadata` that was recorded elsewhere, or its bytes.
        comm_op_name: the name of ops that communicate ("RecvTensor").
        horovod: True counts Horovod's allreduces alone as communication, False `comm_op_name` alone, None both.

    tfvis takes the name of ops first, and tensorflow-tracer the RunMetadata: both are understood.
    """

    def __init__(self, run_metadata: Any = None, horovod: Optional[bool] = None, comm_op_name: Optional[str] = None, **others: Any) -> None:
        if isinstance(run_metadata, str):
            run_metadata, comm_op_name = None, run_metadata
        if others:
            raise TypeError("Timeline has no argument {}".format(", ".join(sorted(others))))
        self._bytes: Optional[bytes] = run_metadata if isinstance(run_metadata, bytes) else None
        self.run_metadata = None if isinstance(run_metadata, bytes) else run_metadata
        self._horovod, self._comm_op_name = horovod, comm_op_name or "RecvTensor"
        self._options: Any = None
        self._elapsed = 0.0
        self._ops: Optional[List[figures.Op]] = None

    def __enter__(self) -> "Timeline":
        self.run_metadata = tensorflow1.module().RunMetadata()
        self._options = tensorflow1.options_for_tracing()
        self._bytes = self._ops = None
        self._began = clock.monotonic()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._elapsed = clock.monotonic() - self._began

    @property
    def kwargs(self) -> Dict[str, Any]:
        """What `Session.run` is given to be traced: `session.run(fetches, **timeline.kwargs)`."""
        if self._options is None:
            raise FolderError("not-begun", "Use `with Timeline() as timeline:`; within it there are kwargs.")
        return {"run_metadata": self.run_metadata, "options": self._options}

    @property
    def wall_clock_elapsed(self) -> float:
        """Seconds spent in the `with` block."""
        return self._elapsed

    def serialized(self) -> bytes:
        """The bytes of the RunMetadata, which Steplens opens. Raises FolderError if nothing was recorded."""
        if self._bytes is not None:
            return self._bytes
        if self.run_metadata is None:
            raise FolderError("nothing-recorded", "Nothing was recorded yet: run something in `with Timeline() as timeline:`.")
        return bytes(self.run_metadata.SerializeToString())

    def visualize(self, output_file: Optional[str] = None, device_pattern: Optional[str] = None) -> Optional[str]:
        """Writes the page of Steplens with this trace inside.

        Args:
            output_file: the HTML file to write; None returns the HTML instead.
            device_pattern: a regular expression; only devices in whose names it is found are in the page.

        Raises:
            FolderError: nothing was recorded, or the page cannot be made; it says why.
        """
        scratch = tempfile.mkdtemp(prefix="steplens-")
        try:
            trace, page = os.path.join(scratch, "run_metadata.pb"), os.path.join(scratch, "page.html")
            with open(trace, "wb") as file:
                file.write(self.serialized())
            chosen = ["--devices", device_pattern] if device_pattern else []
            program.run("report", trace, "--output", page, *chosen)
            if output_file is not None:
                shutil.copyfile(page, str(output_file))
                return None
            with open(page, encoding="utf-8") as text:
                return text.read()
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def step_time(self, device_search_pattern: Optional[str] = None) -> int:
        """Microseconds from the first start of an op to the last end of one.

        `device_search_pattern` is a piece of the names of the devices that are counted, no regular expression; None is all.
        """
        return figures.elapsed_us(self._recorded(), self._choice(device_search_pattern, None, False))

    #: tfvis calls it so.
    iteration_time = step_time

    def communication_time(self, device_search_pattern: Optional[str] = None, exclude_pattern: Optional[str] = None) -> int:
        """Microseconds in which at least one communication op ran. Ops with `exclude_pattern` in their label are left out."""
        return figures.covered_us(self._recorded(), self._choice(device_search_pattern, exclude_pattern, True))

    def communication_elapsed_time(self, device_search_pattern: Optional[str] = None, exclude_pattern: Optional[str] = None) -> int:
        """Microseconds from the first start of a communication op to the last end of one."""
        return figures.elapsed_us(self._recorded(), self._choice(device_search_pattern, exclude_pattern, True))

    def computation_time(self, device_search_pattern: Optional[str] = None, exclude_pattern: Optional[str] = None) -> int:
        """Microseconds in which at least one op ran, communication included, as tfvis and tensorflow-tracer have it."""
        return figures.covered_us(self._recorded(), self._choice(device_search_pattern, exclude_pattern, False))

    def to_pickle(self, pickle_file_name: str) -> None:
        """Writes the RunMetadata as a pickle. Raises FolderError, OSError."""
        if self.run_metadata is None:
            data = pickles.dumps(pickles.RunMetadata(self.serialized()))
        else:
            data = pickle.dumps(self.run_metadata, 3)
        with open(str(pickle_file_name), "wb") as file:
            file.write(data)

    @classmethod
    def from_pickle(cls, pickle_file_name: str, **arguments: Any) -> "Timeline":
        """The timeline that `to_pickle` wrote, also that of tfvis or tensorflow-tracer. Runs no code of the file. Raises FolderError, OSError."""
        with open(str(pickle_file_name), "rb") as file:
            loaded = pickles.load(file)
        if not isinstance(loaded, pickles.RunMetadata):
            raise FolderError("unknown-pickle", f"{pickle_file_name} holds no RunMetadata.")
        timeline = cls(loaded.serialized, **arguments)
        try:
            message = tensorflow1.module().RunMetadata()
        except FolderError:
            return timeline  # Without TensorFlow the bytes do.
        message.ParseFromString(loaded.serialized)
        timeline.run_metadata = message
        return timeline

    def _recorded(self) -> List[figures.Op]:
        if self._ops is None or self._bytes is None:
            self._ops = list(figures.ops_of(self.run_metadata)) if self.run_metadata is not None else _read(self.serialized())
        return self._ops

    def _choice(self, device: Optional[str], exclude: Optional[str], communication: bool) -> figures.Choice:
        def chosen(op: figures.Op) -> bool:
            if device is not None and device not in op.device:
                return False
            if exclude is not None and exclude in op.label:
                return False
            return self._communicates(op) if communication else True

        return chosen

    def _communicates(self, op: figures.Op) -> bool:
        is_horovod = " = HorovodAllreduce(" in op.label
        is_named = op.name == self._comm_op_name
        if self._horovod is None:
            return is_horovod or is_named
        return is_horovod if self._horovod else is_named


def timeline_visualize(run_metadata: Any, output_file: Optional[str] = None) -> Optional[str]:
    """`timeline_visualize` of the first tfvis: the page of a RunMetadata."""
    return Timeline(run_metadata=run_metadata).visualize(output_file)


def _read(data: bytes) -> List[figures.Op]:
    """The ops of a RunMetadata where TensorFlow is not installed: as the program reads them."""
    scratch = tempfile.mkdtemp(prefix="steplens-")
    try:
        trace, tables = os.path.join(scratch, "run_metadata.pb"), os.path.join(scratch, "tables")
        with open(trace, "wb") as file:
            file.write(data)
        origin = int(json.loads(program.run("summary", trace, "--json"))["origin_unix_ns"])
        program.run("export", trace, "--format", "csv", "--output", tables)
        with io.open(os.path.join(tables, "ops.csv"), encoding="utf-8", newline="") as rows:
            return [
                # TensorFlow cuts starts and ends to microseconds.
                figures.Op(row["device"], row["name"], row["label"], (origin + int(row["start_ns"])) // 1000, (origin + int(row["end_ns"])) // 1000)
                for row in csv.DictReader(rows)
            ]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
