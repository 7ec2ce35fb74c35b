"""What a trace is written to."""

import hashlib
import os
import re
import shutil
import tempfile
import unittest
import warnings
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import steplens
from common import FIXTURES, SAMPLE, said
from steplens import notebook

FORMATS = {
    "timeline": "file",
    "chrome": "file",
    "perfetto": "file",
    "csv": "folder",
    "parquet": "folder",
    "chakra": "folder",
    "run-metadata": "file",
    "tfvis": "file",
    "tensorflow-tracer": "file",
    "session": "file",
}


def content(path):
    """The bytes of a file, or of the files of a folder by their names."""
    path = Path(path)
    if path.is_dir():
        return {own.name: own.read_bytes() for own in path.iterdir()}
    return path.read_bytes()


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, str(self.folder))

    def test_exports_are_the_programs_to_the_byte(self):
        trace = steplens.read(SAMPLE)
        for form in FORMATS:
            own, theirs = self.folder / (form + "-own"), self.folder / (form + "-theirs")
            with self.subTest(form=form), warnings.catch_warnings():
                warnings.simplefilter("ignore", steplens.SteplensWarning)
                trace.export(form, own)
                said("export", SAMPLE, "--format", form, "--output", theirs)
                self.assertEqual(content(own), content(theirs))
        own, theirs = self.folder / "options-own.json", self.folder / "options-theirs.json"
        trace.export("timeline", own, show_memory=True, dataflow=False)
        said("export", SAMPLE, "--format", "timeline", "--show-memory", "--no-dataflow", "--output", theirs)
        self.assertEqual(content(own), content(theirs))
        trace.export("csv", self.folder / "all.zip")
        self.assertEqual((self.folder / "all.zip").read_bytes()[:4], b"PK\3\4")

    def test_what_a_format_cannot_hold_is_warned_of(self):
        path = FIXTURES / "containers" / "tf2.xplane.pb"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            steplens.read(path).export("run-metadata", self.folder / "out.pb")
        self.assertTrue(caught)
        self.assertTrue(all(one.category is steplens.SteplensWarning for one in caught))

    def test_no_file_is_written_over_an_input_or_into_nothing(self):
        source = self.folder / "trace.pb"
        source.write_bytes(SAMPLE.read_bytes())
        trace = steplens.read(source)
        failing = [
            lambda: trace.export("chrome", source),
            lambda: trace.to_html(source),
            lambda: trace.export("chrome", self.folder / "no" / "such" / "folder.json"),
            lambda: trace.to_html(self.folder / "no" / "page.html"),
        ]
        for act in failing:
            with self.assertRaises(steplens.SteplensError) as raised:
                act()
            self.assertEqual(raised.exception.code, "file-not-written")
        self.assertEqual(source.read_bytes(), SAMPLE.read_bytes())
        with self.assertRaises(steplens.SteplensError) as raised:
            trace.export("moon", self.folder / "moon")
        self.assertEqual(raised.exception.code, "bad-option")
        self.assertIn("perfetto", str(raised.exception))

    def test_the_page_is_the_programs(self):
        with mock.patch.dict(os.environ, {"STEPLENS_REDACTION_KEY": "00" * 16}):
            for include in ((), "all", ["names", "op-types"]):
                own, theirs = self.folder / "own.html", self.folder / "theirs.html"
                words = [include] if isinstance(include, str) else list(include)
                with self.subTest(include=include):
                    steplens.read(SAMPLE).to_html(own, include=include)
                    said("report", SAMPLE, "--output", theirs, *(w for word in words for w in ("--include", word)))
                    self.assertEqual(trace_of(own), trace_of(theirs))
        with self.assertRaises(steplens.SteplensError) as raised:
            steplens.read(SAMPLE).to_html(self.folder / "own.html", include="moon")
        self.assertEqual(raised.exception.code, "bad-option")

    def test_pictures_are_the_programs(self):
        trace = steplens.read(SAMPLE)
        for of in ("view", "split", "waterfall", "matrix", "memory", "critical-path"):
            for ending in ("svg", "png"):
                path = self.folder / (of + "." + ending)
                with self.subTest(of=of, ending=ending):
                    said("picture", SAMPLE, "--of", of, "--output", path, "--width", "700", "--theme", "dark")
                    wanted = path.read_bytes()
                    picture = trace.picture(of, form=ending, width=700, theme="dark")
                    self.assertEqual(picture, wanted)
                    trace.picture(of, path, width=700, theme="dark")
                    self.assertEqual(path.read_bytes(), wanted)
                    shown = picture._repr_svg_() if ending == "svg" else picture._repr_png_()
                    self.assertIn(shown, (wanted, wanted.decode("utf-8", "replace")))
        for option in ({"of": "moon"}, {"width": 1}, {"scale": 99}, {"theme": "red"}, {"language": "xx"}, {"form": "gif"}):
            with self.subTest(option=option), self.assertRaises(steplens.SteplensError) as raised:
                trace.picture(**dict({"of": "view"}, **option))
            self.assertEqual(raised.exception.code, "bad-option")


def trace_of(page):
    """The trace in a page, whose template may be another build's."""
    text = Path(page).read_text(encoding="utf-8")
    found = re.findall(r'<script[^>]*type="application/[^"]*steplens[^"]*"[^>]*>(.*?)</script>', text, re.S)
    assert found or "steplens" in text
    return [hashlib.sha256(part.encode()).hexdigest() for part in found] or hashlib.sha256(text.encode()).hexdigest()


class Frame(HTMLParser):
    """The frame and the cells of what a notebook shows."""

    def __init__(self):
        super().__init__()
        self.frames = []
        self.texts = []
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attrs))

    def handle_data(self, data):
        self.texts.append(data)


class Notebook(unittest.TestCase):
    def test_a_notebook_has_the_page_in_a_frame_and_a_table(self):
        trace = steplens.read(SAMPLE)
        shown = Frame()
        shown.feed(trace._repr_html_())
        (frame,) = shown.frames
        self.assertEqual(frame["sandbox"], "allow-scripts")
        self.assertIn("<!doctype html>", frame["srcdoc"].lower())
        for device in trace.summary()["devices"]:
            self.assertIn(device["name"], shown.texts)
        self.assertIn(str(SAMPLE), repr(trace))

    def test_a_large_page_is_left_out_and_said_to_be(self):
        with mock.patch.object(notebook, "MOST_PAGE_BYTES", 1000):
            shown = Frame()
            shown.feed(steplens.read(SAMPLE)._repr_html_())
        self.assertEqual(shown.frames, [])
        self.assertIn("The page is left out", "".join(shown.texts))
        self.assertIn("table", shown.tags)

    def test_names_of_a_trace_are_text(self):
        content = SAMPLE.read_bytes()
        name = next(device["name"] for device in steplens.read(content).summary()["devices"])
        hostile = "<img src=x onerror=alert(1)>".ljust(len(name), "x")[: len(name)]
        damaged = content.replace(name.encode(), hostile.encode())
        shown = Frame()
        shown.feed(steplens.read(damaged)._repr_html_())
        self.assertIn(hostile, "".join(shown.texts))
        self.assertNotIn("img", shown.tags)


if __name__ == "__main__":
    unittest.main()
