"""The recorder alone, as pip installs it for Python 3.6 and where there is no wheel for the machine."""

import os
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from unittest import mock

import steplens
from steplens.record import FolderError, program

SAID = ("the recorder alone", "pip install steplens", "cargo install steplens-cli", "the page")


class Alone(unittest.TestCase):
    def assert_says_how_to_open(self, sentence):
        for words in SAID:
            self.assertIn(words, sentence)

    def test_reading_says_how_to_open_what_was_recorded(self):
        with self.assertRaises(ImportError) as raised:
            steplens.read("step.pb")
        self.assert_says_how_to_open(str(raised.exception))

    def test_it_has_a_version(self):
        self.assertRegex(steplens.__version__, r"^[0-9]+[.][0-9]+[.][0-9]+")

    def test_only_the_recorder_is_offered(self):
        for name in steplens.__all__:
            self.assertTrue(hasattr(steplens, name), name)
        self.assertNotIn("Trace", steplens.__all__)

    def test_the_program_says_so_too_and_fails(self):
        script = os.path.join(sysconfig.get_path("scripts"), "steplens")
        for words in ([sys.executable, "-m", "steplens"], [script]):
            done = subprocess.run(words + ["summary", "step.pb"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            said = done.stderr.decode()
            self.assertEqual((done.returncode, done.stdout), (2, b""), said)
            self.assert_says_how_to_open(said)
            self.assertNotIn("Traceback", said)

    def test_its_own_script_is_not_the_program(self):
        scripts = sysconfig.get_path("scripts")
        with mock.patch.dict(os.environ, {"PATH": scripts}):
            os.environ.pop("STEPLENS_PROGRAM", None)
            with self.assertRaises(FolderError) as raised:
                program.command()
        self.assertEqual(raised.exception.code, "no-program")
        self.assert_says_how_to_open(str(raised.exception))

    def test_a_program_of_another_python_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "steplens")
            with open(other, "w") as file:
                file.write("#!/bin/sh\n")
            os.chmod(other, 0o755)
            path = os.pathsep.join([sysconfig.get_path("scripts"), folder])
            with mock.patch.dict(os.environ, {"PATH": path}):
                os.environ.pop("STEPLENS_PROGRAM", None)
                self.assertEqual(program.command(), [other])
            with mock.patch.dict(os.environ, {"STEPLENS_PROGRAM": other, "PATH": ""}):
                self.assertEqual(program.command(), [other])


if __name__ == "__main__":
    unittest.main()
