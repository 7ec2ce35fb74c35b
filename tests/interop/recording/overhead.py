"""What recording costs a step, each against the same step that is not recorded or not traced.

Usage: python overhead.py session|tensorflow|jax|torch [PAIRS]

One model does one step so and one step the other way, by turns, so that what else the machine does meets both. Printed are medians of the steps and of the
differences between the two of a turn, in microseconds.
"""

import functools
import os
import statistics
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "python", "tests", "record"))
import from_source  # noqa: E402, F401


from steplens.record import Recorder  # noqa: E402


def take_turns(title, pairs, plain, recorded):
    """Does both kinds of steps by turns, and prints what the one takes more than the other."""
    for _ in range(20):
        plain(), recorded()
    times = {plain: [], recorded: []}
    for turn in range(pairs):
        for step in (plain, recorded) if turn % 2 else (recorded, plain):
            began, cpu = time.perf_counter(), time.process_time()
            step()
            times[step].append((time.perf_counter() - began, time.process_time() - cpu))

    def median(values):
        return 1e6 * statistics.median(values)

    before, after = (median(wall for wall, _ in times[step]) for step in (plain, recorded))
    differences = [[later[clock] - earlier[clock] for earlier, later in zip(times[plain], times[recorded])] for clock in (0, 1)]
    quarters = statistics.quantiles(differences[0], n=4) if hasattr(statistics, "quantiles") else (0, 0, 0)
    print(
        "{}: {:,.0f} and {:,.0f} us; difference {:,.1f} us ({:,.2f} %, quartiles {:,.0f} to {:,.0f}), of CPU {:,.1f} us; {} pairs".format(
            title, before, after, median(differences[0]), 1e8 * statistics.median(differences[0]) / before, 1e6 * quarters[0], 1e6 * quarters[2], median(differences[1]), pairs
        )
    )


def session(pairs):
    import tensorflow

    tf = tensorflow.compat.v1
    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    from steplens.record.hook import SteplensHook
    from steplens.record.tensorflow1 import options_for_tracing

    class Trace(tf.train.SessionRunHook):
        def before_run(self, context):
            return tf.train.SessionRunArgs(None, options=options_for_tracing())

        def after_run(self, context, values):
            values.run_metadata.SerializeToString()

    class Switched(tf.train.SessionRunHook):
        """Another hook, for the steps for which it is on."""

        def __init__(self, hook):
            self.hook, self.is_on = hook, False

        def begin(self):
            self.hook.begin()

        def after_create_session(self, session, coord):
            self.hook.after_create_session(session, coord)

        def before_run(self, context):
            return self.hook.before_run(context) if self.is_on else None

        def after_run(self, context, values):
            if self.is_on:
                self.hook.after_run(context, values)

    def both(width, layers, hook):
        """A step without the hook, and one with it."""
        switched = Switched(hook)
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            value = tf.ones([256, width])
            for layer in range(layers):
                value = tf.nn.relu(tf.matmul(value, tf.get_variable("w{}".format(layer), [width, width])))
            train = tf.train.GradientDescentOptimizer(1e-9).minimize(tf.reduce_mean(value), global_step=step)
            config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
            monitored = tf.train.MonitoredSession(tf.train.ChiefSessionCreator(config=config), hooks=[switched])

        def one(is_on):
            switched.is_on = is_on
            monitored.run(train)

        return functools.partial(one, False), functools.partial(one, True)

    width = int(os.environ.get("WIDTH", "224"))
    print("TensorFlow", tensorflow.__version__)
    for name, size, layers in (("a tiny step", 8, 1), ("a step", width, 4)):
        take_turns(name + ", hook, not traced", pairs, *both(size, layers, SteplensHook(tempfile.mkdtemp())))
        take_turns(name + ", hook that fetches the global step each time, not traced", pairs, *both(size, layers, SteplensHook(tempfile.mkdtemp(), step_every=0)))
        take_turns(name + ", traced", max(pairs // 10, 20), *both(size, layers, Trace()))


class Always:
    """A recorder's run that traces each time, without the writing of the folder, which a thread does."""

    def __init__(self, name):
        from steplens.record.tracers import tracer_of

        self.tracer = tracer_of(name)

    def around(self, step):
        def traced():
            self.tracer.start()
            step()
            self.tracer.stop().discard()

        return traced


def loops(name, step, pairs):
    recorder = Recorder(tempfile.mkdtemp(), tracer=name)

    def recorded():
        with recorder.run():
            step()

    take_turns("a step, recorded, not traced", pairs, lambda: step(), recorded)
    take_turns("a step, traced", max(pairs // 20, 20), lambda: step(), Always(name).around(step))


def tensorflow(pairs):
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    print("TensorFlow", tf.__version__)
    weights = [tf.Variable(tf.random.uniform([288, 288])) for _ in range(4)]

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            value = tf.ones([256, 288])
            for weight in weights:
                value = tf.nn.relu(tf.matmul(value, weight))
            loss = tf.reduce_mean(value)
        for weight, gradient in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(1e-9 * gradient)
        return loss

    loops("tensorflow", lambda: step().numpy(), pairs)


def jax(pairs):
    import jax
    import jax.numpy as np

    print("JAX", jax.__version__)
    weights = [np.ones([288, 288]) for _ in range(4)]

    def loss(weights):
        value = np.ones([256, 288])
        for weight in weights:
            value = jax.nn.relu(value @ weight)
        return value.mean()

    gradient = jax.jit(jax.grad(loss))
    loops("jax", lambda: jax.block_until_ready(gradient(weights)), pairs)


def torch(pairs):
    import torch

    print("PyTorch", torch.__version__)
    torch.set_num_threads(1)
    weights = [torch.rand(288, 288, requires_grad=True) for _ in range(4)]

    def step():
        value = torch.ones(256, 288)
        for weight in weights:
            value = torch.relu(value @ weight)
        value.mean().backward()
        for weight in weights:
            weight.grad = None

    loops("torch", step, pairs)


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
