"""Sessions and hooks, with a TensorFlow that runs nothing."""

import os
import unittest

from support import InFolder, use_stub

from steplens.record import FolderError, RecordedSession, Recorder, trace
from steplens.record.fetched import MOST, FetchedNames


class Thing:
    def __init__(self, **values):
        self.__dict__.update(values)


class Names(unittest.TestCase):
    def test_fetches_of_every_form(self):
        names, op, tensor = FetchedNames(), Thing(name="train"), Thing(name="loss:0")
        self.assertEqual(names.of(op, None), (("train",), ()))
        self.assertEqual(names.of([op, (tensor, {"x": op})], {tensor: 1}), (("train", "loss:0", "train"), ("loss:0",)))
        self.assertEqual(names.of("train", {"x:0": 1}), (("train",), ("x:0",)))
        self.assertEqual(names.of(b"\xff", None), (("\ufffd",), ()))
        self.assertEqual(names.of(Thing(), None), (("Thing",), ()))
        self.assertEqual(names.of(None, None), ((), ()))

    def test_a_list_that_changes_is_seen(self):
        names, fetches = FetchedNames(), [Thing(name="a")]
        names.of(fetches, None)
        fetches.append(Thing(name="b"))
        self.assertEqual(names.of(fetches, None)[0], ("a", "b"))

    def test_objects_that_die_leave_no_name_to_others(self):
        names = FetchedNames()
        for number in range(500):  # Python gives the id of a dead object to the next one.
            self.assertEqual(names.of([Thing(name=str(number))], None)[0], (str(number),))

    def test_very_many(self):
        names = FetchedNames().of([Thing(name="a")] * (MOST + 5), None)[0]
        self.assertEqual((len(names), names[-1]), (MOST + 1, "and 5 more"))


class WithStub(InFolder):
    def setUp(self):
        super().setUp()
        use_stub(self, "tensorflow")
        import tensorflow

        self.tf = tensorflow
        self.recorder = Recorder(self.path, "main")
        self.addCleanup(self.recorder.close)


class Sessions(WithStub):
    def test_runs_are_recorded_and_traced_when_asked(self):
        bare = self.tf.Session()
        with RecordedSession(bare, self.recorder, step=lambda: 40) as session:
            self.assertEqual(session.run(self.tf.Tensor("loss:0"), {self.tf.Tensor("x:0"): 1}), 1)
            self.ask("a1")
            self.recorder.flush()
            session.run("train")
        self.assertTrue(bare.closed)
        self.assertEqual(session.traces, True)
        lines = self.lines("main")
        self.assertEqual((lines[0]["fetches"], lines[0]["feeds"], lines[0]["trace"], lines[0]["step"]), (["loss:0"], ["x:0"], None, 40))
        self.assertEqual((lines[1]["fetches"], lines[1]["trace"]), (["train"], "traces/1-main.pb"))
        self.assertIsNone(bare.ran[0][2])
        self.assertTrue(bare.ran[1][2].output_partition_graphs)
        self.assertIn(b"MatMul", self.read("traces", "1-main.pb"))

    def test_options_of_ones_own_stay(self):
        bare = self.tf.Session()
        session = RecordedSession(bare, self.recorder)
        self.ask("a1")
        self.recorder.flush()
        options, metadata = self.tf.RunOptions(timeout_in_ms=7), self.tf.RunMetadata()
        session.run("train", None, options, metadata)
        self.assertEqual((bare.ran[0][2].timeout_in_ms, bare.ran[0][2].trace_level), (7, 3))
        self.assertEqual(options.trace_level, 0)
        self.assertEqual(len(metadata.step_stats.dev_stats), 1)

    def test_a_trace_without_ops_is_refused(self):
        session = RecordedSession(self.tf.Session(traces=False), self.recorder)
        self.ask("a1")
        self.recorder.flush()
        with self.assertLogs("steplens"):
            session.run("train")
            self.recorder.flush()
        self.assertEqual(self.answer("a1")["state"], "refused")

    def test_exceptions_pass(self):
        session = RecordedSession(self.tf.Session(), self.recorder)
        with self.assertRaises(KeyError):
            session.run(KeyError("x"))
        self.recorder.flush()
        self.assertEqual(self.lines("main"), [])


class Hooks(WithStub):
    def setUp(self):
        super().setUp()
        from tensorflow.python.training.monitored_session import _MonitoredSession

        from steplens.record.hook import SteplensHook

        self.hook = SteplensHook(self.recorder)
        self.session = _MonitoredSession(self.tf.Session(), [self.hook])

    def test_it_is_a_hook(self):
        self.assertIsInstance(self.hook, self.tf.train.SessionRunHook)

    def test_runs_are_recorded_and_traced_when_asked(self):
        self.session.run("train", {"x:0": 1})
        self.ask("a1")
        self.recorder.flush()
        self.session.run("train")
        self.session.run("train")
        self.session.close()
        lines = self.lines("main")
        self.assertEqual([line["trace"] for line in lines], [None, "traces/1-main.pb", None])
        self.assertEqual(lines[0]["feeds"], ["x:0"])
        self.assertEqual([ran[2] is None for ran in self.session.session.ran], [True, False, True])

    def test_after_a_run_that_failed_the_next_is_traced(self):
        self.ask("a1")
        self.recorder.flush()
        with self.assertRaises(KeyError):
            self.session.run(KeyError("x"))
        self.session.run("train")
        self.session.close()
        self.assertEqual([line["trace"] for line in self.lines("main")], ["traces/0-main.pb"])
        self.assertEqual(self.answer("a1")["runs"], [0])


class TraceBlocks(WithStub):
    def test_a_session_into_a_file(self):
        path = os.path.join(self.scratch, "step.pb")
        with trace(path) as traced:
            self.tf.Session().run("train", **traced.kwargs)
        self.assertEqual(traced.files, [path])
        self.assertTrue(os.path.getsize(path))

    def test_a_session_into_a_folder(self):
        with trace(self.recorder, "session", step=3) as traced:
            self.tf.Session().run("train", **traced.kwargs)
        self.assertEqual(traced.files, [os.path.join(self.recorder.path, "traces", "0-main.pb")])
        self.assertEqual(self.lines("main")[0]["step"], 3)
        other = os.path.join(self.scratch, "other")
        with trace(other) as traced:
            self.tf.Session().run("train", **traced.kwargs)
        self.assertTrue(traced.files[0].startswith(other))

    def test_nothing_recorded_is_an_error(self):
        with self.assertRaises(FolderError) as raised, trace(os.path.join(self.scratch, "step.pb")):
            pass
        self.assertEqual(raised.exception.code, "no-ops")

    def test_exceptions_of_the_block_pass_and_write_nothing(self):
        path = os.path.join(self.scratch, "step.pb")
        with self.assertRaises(KeyError), trace(path):
            raise KeyError("x")
        self.assertFalse(os.path.exists(path))

    def test_unclear_frameworks_are_asked_for(self):
        import sys

        sys.modules["jax"] = Thing()
        self.addCleanup(sys.modules.pop, "jax")
        with self.assertRaises(FolderError) as raised:
            trace("step.pb")
        self.assertEqual(raised.exception.code, "which-framework")


if __name__ == "__main__":
    unittest.main()
