"""The examples of the documents run, in their order."""

import contextlib
import io
import os
import re
import runpy
import shutil
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import steplens
from common import FIXTURES, ROOT, SAMPLE

FILES = {
    "trace.pb": SAMPLE,
    "later.pb": FIXTURES / "ps4w-later.pb",
    "trainer0.profile": FIXTURES / "containers" / "paddle-trainer0.profile",
    "pserver0.profile": FIXTURES / "containers" / "paddle-pserver0.profile",
}


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        for name, path in FILES.items():
            shutil.copy(str(path), name)

    def test_every_example_runs(self):
        ran = 0
        for document in (ROOT / "docs" / "python.md", ROOT / "python" / "README.md"):
            names = {}
            blocks = re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.S)
            self.assertTrue(blocks)
            for block in blocks:
                with self.subTest(document=document.name, block=block), contextlib.redirect_stdout(io.StringIO()):
                    if all(is_there(name) for name in re.findall(r"^import (\w+)(?: *#.*)?$", block, re.M)):
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore", steplens.SteplensWarning)
                            exec(compile(block, str(document), "exec"), names)
                        ran += 1
        self.assertGreater(ran, 6)
        for made in ("trace.html", "own.html", "trace.perfetto-trace", "tables", "waterfall.svg"):
            self.assertTrue(Path(made).exists(), made)

    def test_every_example_of_the_package_runs(self):
        paths = sorted((ROOT / "python" / "examples").glob("*.py"))
        self.assertTrue(paths)
        for path in paths:
            needed = re.findall(r"^import (\w+)$", path.read_text(encoding="utf-8"), re.M)
            if not all(is_there(name) for name in needed):
                continue
            with self.subTest(path=path.name), mock.patch.object(sys, "argv", [path.name, "trace.pb"]):
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    runpy.run_path(str(path), run_name="__main__")
                self.assertTrue(said.getvalue())


def is_there(name):
    try:
        __import__(name)
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    unittest.main()
