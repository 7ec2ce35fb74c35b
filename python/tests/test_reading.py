"""What a trace is read from, and what is said where it cannot be."""

import gzip
import io
import os
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import steplens
from common import FIXTURES, SAMPLE, SMALL, said_json


class RunMetadata:
    """What every protobuf message of Python has."""

    def __init__(self, content):
        self.content = content

    def SerializeToString(self):
        return self.content


def nameless(summary):
    """A summary without what the name and the packing of its file decide."""
    for file in summary["files"]:
        del file["name"], file["bytes"], file["format"]
    return summary


class Reading(unittest.TestCase):
    def setUp(self):
        self.content = SAMPLE.read_bytes()
        self.wanted = steplens.read(SAMPLE).summary()

    def test_one_trace_from_everything_that_holds_it(self):
        wanted = nameless(steplens.read(SAMPLE).summary())
        sources = {
            "text": str(SAMPLE),
            "bytes": self.content,
            "bytearray": bytearray(self.content),
            "memoryview": memoryview(self.content),
            "packed": gzip.compress(self.content),
            "in memory": io.BytesIO(self.content),
            "RunMetadata": RunMetadata(self.content),
            "list": [self.content],
            "dict": {"worker": SAMPLE},
        }
        for kind, source in sources.items():
            with self.subTest(kind):
                self.assertEqual(nameless(steplens.read(source).summary()), wanted)
        with open(SAMPLE, "rb") as file:
            trace = steplens.read(file)
        self.assertEqual(trace.summary()["files"][0]["name"], str(SAMPLE))

    def test_several_are_one_trace(self):
        paths = [SAMPLE, FIXTURES / "ps4w-later.pb"]
        wanted = nameless(said_json("summary", *paths))
        self.assertEqual(nameless(steplens.read(paths).summary()), wanted)
        self.assertEqual(nameless(steplens.read([SAMPLE, paths[1].read_bytes()]).summary()), wanted)
        with tempfile.TemporaryDirectory() as folder:
            for path in paths:
                (Path(folder) / path.name).write_bytes(path.read_bytes())
            self.assertEqual(nameless(steplens.read(folder).summary()), nameless(said_json("summary", folder)))

    def test_processes_are_the_keys(self):
        folder = FIXTURES / "containers"
        paths = [folder / ("paddle-%s.profile" % name) for name in ("trainer0", "trainer1", "pserver0")]
        wanted = said_json("summary", *("p%d=%s" % pair for pair in enumerate(paths)))
        self.assertEqual(steplens.read({"p%d" % at: path for at, path in enumerate(paths)}).summary(), wanted)
        mixed = {"p0": paths[0].read_bytes(), "p1": paths[1], "p2": open(str(paths[2]), "rb")}
        try:
            found = steplens.read(mixed).summary()
        finally:
            mixed["p2"].close()
        self.assertEqual(nameless(found), nameless(wanted))

    def test_errors_have_codes_and_say_what_is_wrong(self):
        cases = [
            (b"", "empty-file"),
            (b"\x89PNG\r\n\x1a\n" + bytes(100), "other-format"),
            (self.content[:40], "no-ops-readable"),
            ("not there.pb", "file-not-read"),
            (["not there.pb", self.content], "file-not-read"),
        ]
        for source, code in cases:
            with self.subTest(code=code), self.assertRaises(steplens.SteplensError) as raised:
                steplens.read(source)
            self.assertEqual(raised.exception.code, code)
            self.assertTrue(raised.exception.message)
        with self.assertRaises(steplens.SteplensError) as raised:
            steplens.read("not there.pb")
        self.assertIn("not there.pb", str(raised.exception))

    def test_options_that_cannot_be_used_are_named(self):
        options = [
            {"step": 99},
            {"rule": "moon"},
            {"repairs": ["moon"]},
            {"op_time": "moon"},
            {"clocks": "moon"},
            {"communication": "("},
            {"devices": "("},
            {"window": "moon"},
        ]
        for option in options:
            with self.subTest(option=option), self.assertRaises(steplens.SteplensError) as raised:
                steplens.read(SAMPLE, **option)
            self.assertEqual(raised.exception.code, "bad-option")
            self.assertTrue(str(raised.exception).startswith(next(iter(option)) + ": "), raised.exception)
        with self.assertRaises(steplens.SteplensError) as raised:
            steplens.read(self.content, window="1ms..2ms")
        self.assertEqual(raised.exception.code, "bad-option")

    def test_what_is_no_source_is_a_type_error(self):
        for source in (None, 5, object(), io.StringIO("text")):
            with self.subTest(source=source), self.assertRaises(TypeError):
                steplens.read(source)
        with self.assertRaises(ValueError):
            steplens.read([])

    def test_problems_are_listed_and_useless_files_are_warned_of(self):
        self.assertEqual(steplens.read(SAMPLE).problems, [])
        (problem,) = steplens.read(self.content[:-100]).problems
        self.assertEqual((problem.file, problem.code, problem.count), ("bytes", "truncated", 1))
        self.assertFalse(problem.is_unusable)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            trace = steplens.read([SAMPLE, b"\x89PNG\r\n\x1a\n" + bytes(100)])
        self.assertEqual([one.category for one in caught], [steplens.SteplensWarning])
        self.assertIn("PNG", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)
        self.assertEqual([problem.is_unusable for problem in trace.problems], [True])
        self.assertEqual(trace.summary()["ops"], self.wanted["ops"])

    def test_damage_anywhere_raises_or_reads(self):
        content = SMALL.read_bytes()
        step = max(1, len(content) // 97)
        for at in range(0, len(content), step):
            damaged = bytearray(content)
            damaged[at] ^= 0xFF
            try:
                steplens.read([bytes(damaged)]).summary()
            except steplens.SteplensError as why:
                self.assertTrue(why.code)

    @unittest.skipIf(sys.platform == "win32", "no such names there")
    def test_names_of_any_bytes_are_names(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in (b"a\xff b.pb", "<b>'\"&.pb".encode(), b"x=y.pb", b"-"):
                path = os.path.join(os.fsencode(folder), name)
                with open(path, "wb") as file:
                    file.write(self.content)
                with self.subTest(name=name):
                    self.assertEqual(steplens.read(os.fsdecode(path)).summary()["ops"], self.wanted["ops"])
            here = os.getcwd()
            os.chdir(folder)
            try:
                self.assertEqual(steplens.read("-").summary()["ops"], self.wanted["ops"])
            finally:
                os.chdir(here)


if __name__ == "__main__":
    unittest.main()
