"""Runs a program until whoever started this is gone, however it went: `python until_end.py PROGRAM ARGUMENTS...`.

The one who starts it holds the other end of its standard input, and the system closes that even where a process is killed. Else a server would outlive a training
that was killed, and keep its port from the next one.
"""

import signal
import subprocess
import sys
import threading


def main() -> int:
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the program itself; only after it started, because it would inherit this.

    def wait_for_the_end() -> None:
        sys.stdin.buffer.read()
        child.terminate()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main())
