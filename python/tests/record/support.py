"""What all tests of the recorder share."""

import json
import os
import shutil
import sys
import tempfile
import time
import unittest

import from_source  # noqa: F401  Finds the package.
from steplens.record.folder import default_process

HERE = os.path.dirname(os.path.abspath(__file__))


class InFolder(unittest.TestCase):
    """A test with a watched folder `self.path` that does not exist yet."""

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="steplens-test-")
        self.path = os.path.join(self.scratch, "watched")
        self.addCleanup(shutil.rmtree, self.scratch, True)

    def read(self, *names):
        with open(os.path.join(self.path, *names), "rb") as file:
            return file.read()

    def lines(self, process=None):
        """The lines of the runs of a process, without one that was cut off."""
        text = self.read(f"runs-{process or default_process()}.jsonl").decode()
        return [json.loads(line) for line in text.splitlines(True) if line.endswith("\n")]

    def answer(self, identity, process=None):
        return json.loads(self.read("answers", f"{identity}-{process or default_process()}.json").decode())

    def ask(self, identity, kind="now", **more):
        """Writes a request as whoever asks does, and makes the folder's time differ from the last one."""
        folder = os.path.join(self.path, "requests")
        request = dict({"id": identity, "kind": kind, "n": 1, "count": 1, "processes": None, "expires_ns": int((time.time() + 600) * 1e9)}, **more)
        with open(os.path.join(folder, ".unfinished"), "w") as file:
            json.dump(request, file)
        os.replace(os.path.join(folder, ".unfinished"), os.path.join(folder, identity + ".json"))
        self.asked = getattr(self, "asked", 0) + 1
        os.utime(folder, (self.asked, self.asked))
        now_ns = time.time_ns() if hasattr(time, "time_ns") else int(time.time() * 1e9)
        os.utime(os.path.join(folder, identity + ".json"), ns=(now_ns, now_ns + 1000 * self.asked))


def use_stub(test, name):
    """Puts the stub package `name` in the place of the real one, for the time of a test. What imports it must be imported in the test."""
    kept = {module: sys.modules.pop(module) for module in list(sys.modules) if module == name or module.startswith(name + ".")}
    hook = sys.modules.pop("steplens.record.hook", None)
    path = os.path.join(HERE, "stub")
    sys.path.insert(0, path)

    def back():
        sys.path.remove(path)
        for module in list(sys.modules):
            if module == name or module.startswith(name + ".") or module == "steplens.record.hook":
                del sys.modules[module]
        sys.modules.update(kept)
        if hook is not None:
            sys.modules["steplens.record.hook"] = hook

    test.addCleanup(back)
