"""Ctrl+C ends what takes long, and a child process can go on asking."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import steplens
from common import SAMPLE, said_json

READER = """
import signal, sys, steplens
# A shell that starts the tests in the background has Ctrl+C ignored, which children inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)
print("reading", flush=True)
try:
    steplens.read(sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", flush=True)
    # The thread that reads is still there, and ends with the process.
    print(steplens.read(sys.argv[2]).summary()["ops"], flush=True)
"""

PROGRAM = """
import sys
from steplens.__main__ import main
sys.argv = ["steplens", "summary", sys.argv[1]]
print("reading", flush=True)
main()
"""


@unittest.skipUnless(hasattr(os, "mkfifo"), "no pipes with names there")
class Stopping(unittest.TestCase):
    def interrupted(self, script):
        """Runs `script` on a pipe that never ends, and presses Ctrl+C once it reads."""
        with tempfile.TemporaryDirectory() as folder:
            pipe = str(Path(folder) / "endless.pb")
            os.mkfifo(pipe)
            child = subprocess.Popen(
                [sys.executable, "-c", script, pipe, str(SAMPLE)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            self.assertEqual(child.stdout.readline(), b"reading\n")
            # This waits until the child has opened the pipe to read it.
            with open(pipe, "wb") as writing:
                writing.write(SAMPLE.read_bytes()[:4096])
                writing.flush()
                child.send_signal(signal.SIGINT)
                out, err = child.communicate(timeout=120)
        return child.returncode, out.decode(), err.decode()

    def test_reading_ends_with_a_keyboard_interrupt(self):
        code, out, err = self.interrupted(READER)
        ops = said_json("summary", SAMPLE)["ops"]
        self.assertEqual((code, out.split()), (0, ["interrupted", str(ops)]), err)

    def test_the_program_ends_as_programs_do(self):
        code, _, err = self.interrupted(PROGRAM)
        self.assertEqual(code, -signal.SIGINT, err)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork there")
    def test_a_child_process_asks_the_trace_of_its_parent(self):
        trace = steplens.read(SAMPLE)
        wanted = trace.summary()
        child = os.fork()
        if child == 0:
            # Nothing of the test runs in the child but this.
            os._exit(0 if trace.summary() == wanted else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
