"""Tables as what every Python has, and as frames of any pandas."""

import os
import pydoc
import subprocess
import sys
import unittest

import c_stream
import steplens
from common import FIXTURES, SAMPLE, one_of_each_format, said_json
from steplens.tables import Table

TABLES = ("ops", "transfers", "edges", "links", "allocations", "steps")


def pandas():
    try:
        import pandas
    except ImportError:
        return None
    return pandas


class Spy:
    """Stands before a core, and notes which columns are made."""

    def __init__(self, core):
        self.core = core
        self.made = []

    def table(self, name, columns):
        self.made.append(columns)
        return self.core.table(name, columns)


class Lists(unittest.TestCase):
    def test_every_table_as_lists_is_what_arrow_has(self):
        rows = 0
        for path in one_of_each_format():
            trace = steplens.read(path)
            for name in TABLES:
                with self.subTest(path=path.name, table=name):
                    wanted = {one: column.values for one, column in c_stream.read(getattr(trace, name)()).items()}
                    table = getattr(trace, name)()
                    self.assertEqual(len(table), len(next(iter(wanted.values()))))
                    self.assertEqual({one: table[one] for one in table.column_names}, wanted)
                    self.assertEqual(table.to_dict(), wanted)
                    rows += len(table)
        self.assertGreater(rows, 10_000)

    def test_ops_are_those_of_the_program(self):
        wanted = said_json("ops", SAMPLE)["ops"]
        own = steplens.read(SAMPLE).ops().to_dict()
        for name in ("name", "op_type", "device", "start_ns", "end_ns", "duration_ns", "self_ns"):
            self.assertEqual(own[name], [op[name] for op in wanted], name)
        pairs = zip(own["start_ns"], own["end_ns"])
        self.assertEqual(own["duration_ns"], [end - start for start, end in pairs])
        steps = steplens.read([SAMPLE, FIXTURES / "ps4w-later.pb"]).steps().to_dict()
        pairs = zip(steps["start_ns"], steps["end_ns"])
        self.assertEqual(steps["duration_ns"], [end - start for start, end in pairs])

    def test_columns_are_made_when_they_are_read(self):
        spy = Spy(steplens.read(SAMPLE)._core)
        table = Table(spy, "ops", None)
        few = table[["self_ns", "op_type"]]
        self.assertEqual((few.column_names, spy.made), (["op_type", "self_ns"], []))
        self.assertGreater(max(table["self_ns"]), 0)
        self.assertEqual(spy.made, [["self_ns"]])
        few.to_dict()
        self.assertEqual(spy.made, [["self_ns"], ["op_type", "self_ns"]])
        few.to_dict()
        few["op_type"]
        c_stream.read(few)
        self.assertEqual(len(spy.made), 2)

    def test_a_name_that_no_column_has_is_answered_with_those_that_there_are(self):
        trace = steplens.read(SAMPLE)
        for wrong, nearest in (("duration", "duration_ns"), ("dur", "duration_ns"), ("optype", "op_type")):
            for ask in (lambda: trace.ops([wrong]), lambda: trace.ops(wrong), lambda: trace.ops()[wrong], lambda: trace.ops()[[wrong]]):
                with self.subTest(wrong), self.assertRaises(steplens.SteplensError) as raised:
                    ask()
                self.assertEqual(raised.exception.code, "bad-option")
                for word in (wrong, "`%s`?" % nearest, *trace.ops().column_names):
                    self.assertIn(word, str(raised.exception))
        with self.assertRaises(steplens.SteplensError) as raised:
            trace.steps(["qqq"])
        self.assertNotIn("?", str(raised.exception))
        self.assertIn("step, start_ns, end_ns, duration_ns, ops", str(raised.exception))

    def test_a_table_of_no_columns_has_rows(self):
        table = steplens.read(SAMPLE).ops([])
        self.assertEqual((table.column_names, table.to_dict()), ([], {}))
        self.assertEqual(len(table), len(steplens.read(SAMPLE).ops()))

    def test_help_begins_with_read_and_trace(self):
        lines = pydoc.render_doc(steplens, renderer=pydoc.plaintext).splitlines()
        begin = "\n".join(lines[:30])
        for word in ("steplens.read(", "`read(source", "`Trace`", "to_pandas()", "what_if("):
            self.assertIn(word, begin)
        trace = getattr(steplens, "Trace")
        for word in [name for name in vars(trace) if not name.startswith("_")]:
            self.assertIn(word, begin)
        self.assertNotIn("builtins.bytes", "\n".join(lines))


class Frames(unittest.TestCase):
    @unittest.skipUnless(pandas(), "no pandas")
    def test_a_frame_has_the_values_of_the_lists_and_exact_numbers(self):
        for path in one_of_each_format():
            trace = steplens.read(path)
            for name in TABLES:
                with self.subTest(path=path.name, table=name):
                    table = getattr(trace, name)()
                    frame, lists = table.to_pandas(), table.to_dict()
                    self.assertEqual((list(frame.columns), len(frame)), (table.column_names, len(table)))
                    for column, values in lists.items():
                        cells = zip(frame[column].tolist(), frame[column].isna().tolist())
                        own = [None if is_none else value for value, is_none in cells]
                        self.assertEqual(own, values, column)
                        kind = str(frame[column].dtype)
                        numbers = ("int64", "Int64") if values and any(isinstance(one, int) for one in values) else ()
                        self.assertTrue(kind in numbers or not numbers, (column, kind))

    @unittest.skipUnless(pandas(), "no pandas")
    def test_the_frame_may_be_written_to(self):
        table = steplens.read(SAMPLE).ops()
        frame = table.to_pandas()
        frame["self_ns"] += 1
        frame.loc[0, "start_ns"] = 7
        self.assertEqual(frame.self_ns.tolist(), [one + 1 for one in table["self_ns"]])
        self.assertNotEqual(table["start_ns"][0], 7)

    def test_without_pandas_it_is_said(self):
        script = (
            "import sys; sys.modules['pandas'] = None\n"
            "import steplens\n"
            "try: steplens.read(sys.argv[1]).ops().to_pandas()\n"
            "except ImportError as why: print(why)"
        )
        run = subprocess.run([sys.executable, "-c", script, str(SAMPLE)], stdout=subprocess.PIPE, env=os.environ.copy(), check=True)
        self.assertIn(b"pip install pandas", run.stdout)
        self.assertIn(b"to_dict()", run.stdout)


if __name__ == "__main__":
    unittest.main()
