"""The file that the profiler of TensorFlow 2 and of JAX leaves in its folder."""

import os
import shutil
from typing import List

from ..folder.errors import FolderError
from ..folder.traces import XSPACE, Payload


def payload(scratch: str) -> Payload:
    """The XSpace in `scratch`, the folder that was given to the profiler. Raises FolderError."""
    found: List[str] = []
    for folder, _, names in os.walk(scratch):
        found += [os.path.join(folder, name) for name in names if name.endswith(XSPACE)]
    if not found:
        shutil.rmtree(scratch, ignore_errors=True)
        raise FolderError("no-trace", "The profiler wrote no file.")
    if len(found) == 1:
        return Payload(XSPACE, path=found[0], scratch=scratch)
    # One file for each host. Protobufs one after the other are one, with the planes of all.
    parts = []
    for path in sorted(found):
        with open(path, "rb") as file:
            parts.append(file.read())
    return Payload(XSPACE, data=b"".join(parts), scratch=scratch)
