"""Files that are there whole or not at all.

A file gets its name by a rename, from a name that begins with `.`. `fsync` is asked for only where half a file would be taken for a whole one after a loss of power.
"""

import os
import shutil


def temporary(path: str, by: str) -> str:
    """The name under which process `by` writes what becomes `path`."""
    directory, name = os.path.split(path)
    return os.path.join(directory, f".{name}.{by}.new")


def is_temporary(name: str, by: str) -> bool:
    return name.startswith(".") and name.endswith(f".{by}.new")


def write(path: str, data: bytes, by: str, durable: bool = False) -> None:
    """Makes `path` hold `data`. Raises OSError; then `path` is as it was."""
    unfinished = temporary(path, by)
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        discard(unfinished)
        raise


def adopt(source: str, path: str, by: str) -> None:
    """Moves the finished file `source` to `path`, from another disk too. Raises OSError; then `path` is as it was."""
    unfinished = temporary(path, by)
    try:
        shutil.move(source, unfinished)
        with open(unfinished, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        discard(unfinished)
        raise


def discard(path: str) -> None:
    """Deletes `path` if it is there."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass  # Then there is nothing to delete.
