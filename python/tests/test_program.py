"""The package is the program, too."""

import subprocess
import sys
import sysconfig
import unittest
from pathlib import Path

import steplens
from common import SAMPLE, said


def run(*arguments):
    done = subprocess.run([*map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr.decode()


class Program(unittest.TestCase):
    def test_the_module_and_the_script_are_the_program(self):
        wanted = said("summary", SAMPLE, "--json")
        script = Path(sysconfig.get_path("scripts")) / "steplens"
        for words in ([sys.executable, "-m", "steplens"], [script]):
            self.assertEqual(run(*words, "summary", SAMPLE, "--json"), (0, wanted, ""))
            code, out, _ = run(*words, "--version")
            self.assertEqual((code, out.decode().strip()), (0, "steplens " + steplens.__version__))
            code, _, err = run(*words, "summary", "not there.pb")
            self.assertEqual(code, 2)
            self.assertIn("not there.pb", err)
            self.assertEqual(run(*words, "summary", "--moon")[0], 2)

    def test_what_goes_to_standard_output_is_whole(self):
        code, page, _ = run(sys.executable, "-m", "steplens", "report", SAMPLE, "--output", "-")
        self.assertEqual(code, 0)
        self.assertTrue(page.rstrip().endswith(b"</html>"), page[-100:])

    def test_help_says_how_to_begin(self):
        code, out, _ = run(sys.executable, "-c", "import steplens; help(steplens)")
        self.assertEqual(code, 0)
        for word in (b"steplens.read(", b"groupby", b"class Trace", b"nanoseconds"):
            self.assertIn(word, out)


if __name__ == "__main__":
    unittest.main()
