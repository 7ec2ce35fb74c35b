"""The program `steplens`: `python -m steplens summary trace.pb`."""

import os
import signal
import sys


def main() -> None:
    """Runs the program with the arguments of this process, and ends the process with its exit code."""
    try:
        from steplens._core import program
    except ImportError as why:
        # The recorder alone: it says how to open what it recorded.
        print("steplens: {}".format(why), file=sys.stderr)
        sys.exit(2)
    # Python's own handler waits for Python code to run, and the program has none: Ctrl+C ends it as it ends any program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # `steplens fleet` may ask by the DuckDB of this Python.
    os.environ.setdefault("STEPLENS_PYTHON", sys.executable)
    sys.exit(program(["steplens", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
