"""What the README files of tfvis and tensorflow-tracer show, with only the import changed, against the TensorFlow that is installed.

Usage: STEPLENS_PROGRAM=... python -m unittest tests/interop/recording/readmes.py

Each example is our own, made from what is documented of it, and runs with the name of the package in the place of PACKAGE. Where tensorflow-tracer is
installed, it runs the same text, and its figures are compared.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "python", "tests", "record"))
import from_source  # noqa: E402, F401


import tensorflow.compat.v1 as tf  # noqa: E402

tf.disable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)

OURS = "steplens"
MODEL = """
    import numpy as np
    import tensorflow.compat.v1 as tf

    def model():
        x = tf.random.uniform([32, 64])
        w = tf.get_variable("w", [64, 64])
        loss = tf.reduce_sum(tf.nn.relu(tf.matmul(x, w)))
        return tf.train.GradientDescentOptimizer(1e-6).minimize(loss, global_step=tf.train.get_or_create_global_step())

    def input_fn():
        data = np.random.uniform(size=[64, 8]).astype("float32")
        labels = np.random.randint(0, 3, size=[64, 1])
        return tf.data.Dataset.from_tensor_slices(({"x": data}, labels)).repeat(20).batch(16)

    def classifier(model_dir):
        return tf.estimator.DNNClassifier([8], [tf.feature_column.numeric_column("x", shape=[8])], n_classes=3, model_dir=model_dir)
"""


def have_tracer():
    try:
        import tftracer  # noqa: F401
    except ImportError:
        return False
    return True


class Example(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def run_example(self, text, package=OURS):
        names = {"ask": ask}
        with tf.Graph().as_default():
            exec(textwrap.dedent(MODEL) + textwrap.dedent(text).replace("PACKAGE", package), names)
        return names

    def assert_page(self, path):
        with open(path, encoding="utf-8") as page:
            text = page.read()
        self.assertTrue(text.lstrip().lower().startswith("<!doctype html>"))
        self.assertIn("Steplens", text)

    def assert_opens(self, path):
        said = subprocess.check_output([os.environ["STEPLENS_PROGRAM"], "summary", "--json", path])
        summary = json.loads(said.decode())
        self.assertGreater(summary["ops"], 0)
        return summary


class Tfvis(Example):
    TRACE = """
        from PACKAGE import Timeline

        train_op = model()
        with tf.train.MonitoredTrainingSession() as sess:
            sess.run(train_op)
            with Timeline(ARGUMENTS) as timeline:
                sess.run(train_op, **timeline.kwargs)
    """

    def test_a_step_and_its_page(self):
        names = self.run_example(self.TRACE.replace("ARGUMENTS", "") + "    timeline.visualize('example.html')\n")
        self.assert_page("example.html")
        timeline = names["timeline"]
        self.assertEqual(len(timeline.run_metadata.partition_graphs), 1)
        self.assertGreater(timeline.wall_clock_elapsed, 0)

    def test_horovod_and_pickles(self):
        names = self.run_example(
            self.TRACE.replace("ARGUMENTS", "horovod=True")
            + """
        timeline.to_pickle('example.pickle')
        again = timeline.from_pickle('example.pickle', horovod=True)
        Timeline.from_pickle('example.pickle').visualize('example.html')
        """
        )
        self.assert_page("example.html")
        self.assert_opens("example.pickle")
        self.assertEqual(names["again"].serialized(), names["timeline"].serialized())
        self.assertEqual(names["again"].communication_time(), 0)
        if have_tracer():
            import tftracer

            theirs, ours = tftracer.Timeline.from_pickle("example.pickle"), names["timeline"]
            for figure in ("step_time", "computation_time", "communication_time", "communication_elapsed_time"):
                for pattern in (None, "/job:", "CPU:0"):
                    self.assertEqual(getattr(ours, figure)(pattern), getattr(theirs, figure)(pattern), (figure, pattern))
            theirs.to_pickle("theirs.pickle")
            self.assertEqual(names["Timeline"].from_pickle("theirs.pickle").step_time(), ours.step_time())


class Tracer(Example):
    MONITORED = """
        from PACKAGE import TracingServer

        train_op = model()
        tracing_server = TracingServer(server_port=PORT)
        with tf.train.MonitoredTrainingSession(hooks=[tracing_server.hook]) as sess:
            for _ in range(30):
                sess.run(train_op)
        tracing_server.save_session("session.pickle")
        tracing_server.stop_web_server()
    """

    def test_a_monitored_session(self):
        names = self.run_example(self.MONITORED.replace("PORT", "0"))
        lines = runs(names["tracing_server"])
        self.assertEqual(len(lines), 30)
        self.assertEqual(lines[0]["step"], 0)
        for line in lines:
            self.assertIn(line["step"], (line["run"], line["run"] + 1, None))

    def test_an_estimator_traced_on_demand_saved_and_loaded(self):
        names = self.run_example(
            """
            from PACKAGE import TracingServer

            estimator = classifier("model")
            tracing_server = TracingServer(server_ip="127.0.0.1", server_port=0, keep_traces=5, start_web_server_on_start=False)
            ask(tracing_server.folder, "every", n=3, count=5)
            tracing_server.recorder.flush()
            estimator.train(input_fn, hooks=[tracing_server.hook])
            estimator.evaluate(input_fn, hooks=[tracing_server.hook])
            tracing_server.save_session("session.pickle")
            tracing_server.save_session("session.pickle.gz")

            other = TracingServer(start_web_server_on_start=False)
            other.load_session("session.pickle.gz")
            """
        )
        server = names["tracing_server"]
        lines = runs(server)
        self.assertEqual(len([line for line in lines if line["trace"]]), 5)  # Of those that were asked for, keep_traces are left below.
        self.assertEqual(len([name for name in os.listdir(os.path.join(server.folder, "traces"))]), 5)
        self.assertGreater(len(set(json.dumps(line["fetches"]) for line in lines)), 1)
        self.assert_opens(os.path.join(server.folder, "traces"))
        self.assert_opens("session.pickle")
        self.assert_opens("session.pickle.gz")
        loaded = runs(names["other"], server.recorder.process + "_2")  # Next to what the other server records itself.
        self.assertEqual([line["run"] for line in loaded], [line["run"] for line in lines])
        if have_tracer():
            import tftracer

            theirs = tftracer.TracingServer(start_web_server_on_start=False)
            theirs.load_session("session.pickle")
            profiles = theirs._source.get_runs()
            self.assertEqual(sum(profile["stats"]["runs"] for profile in profiles), len(lines))
            self.assertGreater(tftracer.Timeline(theirs._source.get_trace(profiles[0]["run_id"], 0)).step_time(), 0)
            del theirs._source._steplens  # As a session that tensorflow-tracer recorded itself.
            theirs.save_session("theirs.pickle")
            names["other"].load_session("theirs.pickle")
            self.assertIn("runs-session.jsonl", os.listdir(names["other"].folder))

    def test_a_script_that_is_not_changed(self):
        names = self.run_example(
            """
            import PACKAGE
            server = PACKAGE.hook_inject(start_web_server_on_start=False)

            estimator = classifier("model")
            estimator.train(input_fn, steps=12)
            """
        )
        self.assertEqual(len(runs(names["server"])), 12)

    def test_horovod_with_all_processes(self):
        names = self.run_example(
            """
            from PACKAGE import TracingServer

            rank = 2
            train_op = model()
            tracing_server = TracingServer(server_port=9999 + rank, is_horovod=True, folder="shared", rank=lambda: rank, size=lambda: 4)
            with tf.train.MonitoredTrainingSession(hooks=[tracing_server.hook]) as sess:
                for _ in range(3):
                    sess.run(train_op)
            tracing_server.save_session("session-{}.pickle".format(rank))
            tracing_server.join()
            """
        )
        self.assertEqual(names["tracing_server"].recorder.process, "rank.2")
        self.assertEqual(len(runs(names["tracing_server"])), 3)


def ask(folder, kind, **more):
    """Writes a request as the page and `steplens request` do."""
    request = dict({"id": "a1", "kind": kind, "n": 1, "count": 1, "processes": None, "expires_ns": int((time.time() + 60) * 1e9)}, **more)
    with open(os.path.join(folder, "requests", "a1.json"), "w") as file:
        json.dump(request, file)


def runs(server, process=None):
    server.recorder.flush()
    with open(os.path.join(server.folder, "runs-{}.jsonl".format(process or server.recorder.process))) as file:
        lines, names = [], {}
        for text in file:
            names.update(json.loads(text))
            lines.append(dict(names))
        return lines


if __name__ == "__main__":
    unittest.main()
