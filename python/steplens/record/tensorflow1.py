"""TensorFlow's names of release 1, which are in `tensorflow` itself or in `tensorflow.compat.v1`."""

from typing import Any

from .folder.errors import FolderError


def module() -> Any:
    """The module that has `Session`, `RunOptions` and `train`. Raises FolderError."""
    try:
        import tensorflow  # type: ignore
    except ImportError as error:
        raise FolderError("no-tensorflow", f"This needs TensorFlow, which cannot be imported: {error}") from error
    compatible = getattr(getattr(tensorflow, "compat", None), "v1", None)
    return compatible if hasattr(compatible, "RunOptions") else tensorflow


def options_for_tracing(given: Any = None) -> Any:
    """RunOptions that trace with the partition graphs, by which transfers are joined to their ends; else as `given`."""
    options = module().RunOptions()
    if given is not None:
        options.CopyFrom(given)
    options.trace_level = options.FULL_TRACE
    options.output_partition_graphs = True
    return options
