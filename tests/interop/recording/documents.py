"""Runs the examples of `docs/recording.md` of one framework, and opens what they leave.

Usage: STEPLENS_PROGRAM=... python documents.py tensorflow1|tensorflow2|jax|torch

An example is a block of Python under a heading. Before each, what "your program has" is made again.
"""

import atexit
import json
import os
import re
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "python", "tests", "record"))
import from_source  # noqa: E402, F401


SECTIONS = {
    "tensorflow1": ("TensorFlow 1", "Estimator and MonitoredTrainingSession", "Horovod"),
    "tensorflow2": ("TensorFlow 2", "Keras"),
    "jax": ("JAX",),
    "torch": ("PyTorch",),
}


def tensorflow1():
    import numpy as np
    import tensorflow.compat.v1 as tf

    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.reset_default_graph()
    weights = tf.get_variable("w", [64, 64])
    loss = tf.reduce_sum(tf.nn.relu(tf.matmul(tf.random.uniform([32, 64]), weights)))
    train_op = tf.train.GradientDescentOptimizer(1e-6).minimize(loss, global_step=tf.train.get_or_create_global_step())

    def input_fn():
        inputs = np.random.uniform(size=[64, 8]).astype("float32")
        labels = np.random.randint(0, 3, size=[64, 1])
        return tf.data.Dataset.from_tensor_slices(({"x": inputs}, labels)).repeat(20).batch(16)

    estimator = tf.estimator.DNNClassifier([8], [tf.feature_column.numeric_column("x", shape=[8])], n_classes=3)

    class hvd:
        """Horovod of one process."""

        @staticmethod
        def rank():
            return 0

        @staticmethod
        def size():
            return 1

    return {"tf": tf, "train_op": train_op, "input_fn": input_fn, "estimator": estimator, "hvd": hvd}


def tensorflow2():
    import numpy as np
    import tensorflow as tf

    weights = tf.Variable(tf.random.uniform([64, 64]))

    @tf.function
    def train_step(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.relu(tf.matmul(batch, weights)))
        weights.assign_sub(1e-6 * tape.gradient(loss, weights))
        return loss

    model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
    x, y = np.random.rand(320, 4).astype("float32"), np.random.rand(320, 1).astype("float32")
    return {"tf": tf, "train_step": train_step, "batches": [tf.random.uniform([32, 64]) for _ in range(20)], "model": model, "x": x, "y": y}


def jax():
    import jax
    import jax.numpy as np

    gradient = jax.jit(jax.grad(lambda weights, batch: jax.nn.relu(batch @ weights).sum()))
    weights = np.ones([64, 64])
    return {"jax": jax, "train_step": lambda batch: gradient(weights, batch), "batches": [np.ones([32, 64])] * 20}


def torch():
    import torch

    weights = torch.rand(64, 64, requires_grad=True)
    return {"train_step": lambda batch: torch.relu(batch @ weights).sum().backward(), "batches": [torch.rand(32, 64) for _ in range(20)]}


def examples(sections):
    """The blocks of Python under these headings, each with its heading."""
    with open(os.path.join(ROOT, "docs", "recording.md"), encoding="utf-8") as file:
        parts = re.split(r"^## (.+)$", file.read(), flags=re.M)[1:]
    for heading, text in zip(parts[::2], parts[1::2]):
        if heading in sections:
            for block in re.findall(r"^```python\n(.*?)^```$", text, flags=re.M | re.S):
                yield heading, block


def ask(folder):
    """Two requests that are there before the program begins."""
    os.makedirs(os.path.join(folder, "requests"))
    for identity, kind in (("a1", "now"), ("a2", "multiple")):
        request = {"id": identity, "kind": kind, "n": 5, "count": 1, "processes": None, "expires_ns": int((time.time() + 600) * 1e9)}
        with open(os.path.join(folder, "requests", identity + ".json"), "w") as file:
            json.dump(request, file)


def check(folder, is_asked):
    """Opens every trace with the program, and compares lists of runs with the traces; what is returned says what was there."""
    opened, runs = 0, 0
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if re.search(r"\.(pb|json\.gz|pickle|pickle\.gz)$", name):
                summary = json.loads(subprocess.check_output([os.environ["STEPLENS_PROGRAM"], "summary", "--json", path]).decode())
                assert summary["ops"] > 0, path
                opened += 1
            elif name.endswith(".html"):
                with open(path, encoding="utf-8") as file:
                    assert file.read(100).lower().startswith("<!doctype html>"), path
                opened += 1
            elif name.startswith("runs-"):
                with open(path, encoding="utf-8") as file:
                    lines = [json.loads(line) for line in file]
                assert [line["run"] for line in lines] == list(range(len(lines))), path
                for line in lines:
                    assert line["trace"] is None or os.path.exists(os.path.join(at, line["trace"])), line
                if is_asked:
                    # Step 0 is a multiple, too: where steps are known, or runs stand for them, one run is for both.
                    assert [line["run"] for line in lines if line["request"]] == [0], path
                runs += len(lines)
            elif at.endswith("answers"):
                with open(path, encoding="utf-8") as file:
                    assert json.load(file)["state"] == "done", path
    assert opened or runs
    return "{} files opened, {} runs listed".format(opened, runs)


def main(framework):
    for heading, block in examples(SECTIONS[framework]):
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        is_asked = '"watched"' in block and "on_trace_ready" not in block
        if is_asked:
            ask("watched")
        names = globals()[framework]()
        exec(compile(block, heading, "exec"), names)
        atexit._run_exitfuncs()  # As at the end of the program that the example is.
        print("{}: {}".format(heading, check(folder, is_asked)))


if __name__ == "__main__":
    main(sys.argv[1])
