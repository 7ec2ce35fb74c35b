"""The page as a widget. What the widget hears from the page is `tests/web/notebook.test.mjs`."""

import importlib.util
import sys
import unittest
from unittest import mock

import steplens
from common import SAMPLE

HAS_ANYWIDGET = importlib.util.find_spec("anywidget") is not None


class Widget(unittest.TestCase):
    def test_without_anywidget_it_says_what_to_install(self):
        trace = steplens.read(SAMPLE)
        with mock.patch.dict(sys.modules, {"anywidget": None}):
            sys.modules.pop("steplens.widget", None)
            with self.assertRaises(ImportError) as raised:
                trace.widget()
        self.assertIn("steplens[notebook]", str(raised.exception))

    @unittest.skipUnless(HAS_ANYWIDGET, "anywidget is not installed")
    def test_it_has_the_page_and_knows_what_is_selected(self):
        import traitlets

        trace = steplens.read(SAMPLE)
        view = trace.widget(height=300)
        self.assertEqual(view.height, 300)
        self.assertEqual(view.page[:15].lower(), "<!doctype html>")
        self.assertEqual((view.op, view.range, view.step), (None, None, None))
        heard = []
        view.observe(lambda change: heard.append(change.new), names=["op", "range"])
        # As the notebook's side sets them.
        view.set_state({"op": {"name": "a", "start_ns": 1, "end_ns": 2}, "range": [3, 2**53], "step": 1})
        self.assertEqual(heard, [{"name": "a", "start_ns": 1, "end_ns": 2}, (3, 2**53)])
        self.assertEqual(view.step, 1)
        view.set_state({"op": None, "range": None})
        self.assertEqual(heard[2:], [None, None])
        with self.assertRaises(traitlets.TraitError):
            view.height = "tall"
        self.assertIn("follow", str(view._esm))


if __name__ == "__main__":
    unittest.main()
