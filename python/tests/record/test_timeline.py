"""`Timeline`, with a TensorFlow that runs nothing and a program that only copies."""

import os
import pickle
import unittest
from unittest import mock

from support import InFolder, use_stub
from test_server import stub_program

from steplens.record import FolderError, Timeline, figures, pickles, timeline_visualize
from steplens.record.folder.errors import reason

ROWS = """\
/job:worker/task:0/device:CPU:0|a|a = MatMul(b)|100|50
/job:worker/task:0/device:CPU:0|RecvTensor|edge_1|120|60
/job:worker/task:0/device:CPU:0|RecvTensor|edge_2 skipped|170|30
/job:ps/task:0/device:CPU:0|RecvTensor|edge_3|400|10
/job:ps/task:0/device:CPU:0|b|b = HorovodAllreduce(c)|300|20
/job:ps/task:0/device:CPU:0|c|c = NoOp()|500|0"""


class Figures(InFolder):
    def setUp(self):
        super().setUp()
        use_stub(self, "tensorflow")
        import tensorflow

        self.metadata = tensorflow.RunMetadata()
        self.metadata.ParseFromString(ROWS.encode())

    def test_by_hand(self):
        timeline = Timeline(run_metadata=self.metadata)
        self.assertEqual(timeline.step_time(), 400)
        self.assertEqual(timeline.iteration_time(), 400)
        self.assertEqual(timeline.communication_time(), 80 + 10 + 20)
        self.assertEqual(timeline.communication_elapsed_time(), 290)
        self.assertEqual(timeline.computation_time(), 100 + 10 + 20)

    def test_what_is_communication(self):
        for arguments, time in (({"horovod": True}, 20), ({"horovod": False}, 90), ({"comm_op_name": "a"}, 50 + 20)):
            self.assertEqual(Timeline(run_metadata=self.metadata, **arguments).communication_time(), time)

    def test_choices(self):
        timeline = Timeline(self.metadata)
        self.assertEqual(timeline.step_time("/job:ps"), 200)
        self.assertEqual(timeline.communication_time("worker", "skipped"), 60)
        self.assertEqual(timeline.computation_time("worker", "edge"), 50)
        self.assertEqual(timeline.communication_elapsed_time(exclude_pattern="e"), 0)
        self.assertEqual((timeline.step_time("gpu"), timeline.communication_time("gpu")), (0, 0))

    def test_first_arguments_of_both_packages(self):
        self.assertEqual(Timeline("a")._comm_op_name, "a")
        with self.assertRaises(TypeError):
            Timeline(horovd=True)

    def test_ops_of_one_start(self):
        def ops(*spans):
            return [figures.Op("", "", "", start, end) for start, end in spans]

        every = lambda _: True  # noqa: E731
        self.assertEqual(figures.covered_us(ops((0, 5), (0, 9), (9, 10), (20, 20)), every), 10)
        self.assertEqual(figures.covered_us([], every), 0)
        self.assertEqual(figures.elapsed_us([], every), 0)


class Recording(InFolder):
    def setUp(self):
        super().setUp()
        use_stub(self, "tensorflow")
        stub_program(self, self.scratch)
        import tensorflow

        self.tf = tensorflow

    def traced(self):
        with Timeline(horovod=True) as timeline:
            self.tf.Session().run("train", **timeline.kwargs)
        return timeline

    def test_the_page(self):
        timeline = self.traced()
        page = os.path.join(self.scratch, "out.html")
        self.assertIsNone(timeline.visualize(page))
        with open(page) as file:
            text = file.read()
        self.assertTrue(text.startswith("<html>[]") and "MatMul" in text)
        self.assertEqual(timeline.visualize(), text)
        self.assertIn("'--devices', 'GPU'", timeline.visualize(device_pattern="GPU"))
        self.assertEqual(timeline_visualize(timeline.run_metadata), text)
        self.assertGreaterEqual(timeline.wall_clock_elapsed, 0)

    def test_nothing_recorded(self):
        for use in (lambda: Timeline().kwargs, lambda: Timeline().visualize(), lambda: Timeline().to_pickle("x"), lambda: Timeline().step_time()):
            with self.assertRaises(FolderError):
                use()

    def test_a_program_that_fails_says_why(self):
        with mock.patch.dict(os.environ, {"STEPLENS_PROGRAM": "/bin/false"}), self.assertRaises(FolderError) as raised:
            self.traced().visualize()
        self.assertEqual(raised.exception.code, "program-failed")

    def test_a_pickle_comes_back_on_an_instance_too(self):
        file = os.path.join(self.scratch, "x.pickle")
        with open(file, "wb") as data:
            pickles.dump(pickles.RunMetadata(ROWS.encode()), data)
        timeline = self.traced().from_pickle(file, horovod=True)
        self.assertEqual((timeline.communication_time(), timeline.step_time()), (20, 400))
        self.assertEqual(timeline.serialized(), ROWS.encode())
        with open(file, "rb") as data:
            self.assertEqual(pickle.loads(pickle.dumps(pickles.load(data).serialized)), ROWS.encode())

    def test_other_pickles_are_refused(self):
        for value in ([1], os.getcwd, {"a": 1}):
            file = os.path.join(self.scratch, "x.pickle")
            with open(file, "wb") as data:
                pickle.dump(value, data)
            with self.assertRaises(FolderError) as raised:
                Timeline.from_pickle(file)
            self.assertEqual(raised.exception.code, "unknown-pickle")


class Reasons(unittest.TestCase):
    def test_sentences(self):
        import errno

        self.assertEqual(reason(OSError(errno.ENOSPC, "x")), "The disk is full.")
        self.assertIn("read-only", reason(OSError(errno.EROFS, "x")))
        self.assertEqual(reason(ValueError("what")), "ValueError: what")


if __name__ == "__main__":
    unittest.main()
