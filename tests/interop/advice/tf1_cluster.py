"""Faults of parameter servers and workers with TensorFlow 1.15. Usage: python tf1_cluster.py FAULT FOLDER TURNS.

Each task is a process of this machine. Where a fault is about bytes, what goes from and to a server goes through a link of 50 MB/s.
Two cores cannot compute for four workers at once: what a worker does there is to wait, as if for a machine of its own.
"""

import os
import subprocess
import sys
import time

import links
import turns
from tf1 import config, product, steps_of, tf
from tensorflow.python.ops import script_ops

RATE = 50e6
CHILDREN = []
HERE = os.path.abspath(__file__)


def work(x, seconds):
    """What a worker does. A graph calls a Python function by its number in the process that runs it, so that all register this first."""
    time.sleep(float(seconds))  # of numpy's float32 `sleep` would take the whole seconds
    return x


def serve(job, task, *addresses):
    """The process of one task; `addresses` are JOB/ADDRESS, in the order of the tasks."""
    for _ in range(100):
        script_ops._py_funcs.insert(work)
    tasks = {}
    for own in addresses:
        name, address = own.split("/")
        tasks.setdefault(name, []).append(address)
    tf.train.Server(tf.train.ClusterSpec(tasks), job, int(task), config=config(2, is_local=False)).join()


def start(jobs, rate):
    """Starts a process for each task of `jobs` (JOB: how many), and returns the address of worker 0. `rate`: of each link of a server."""
    tasks = [(job, task) for job in jobs for task in range(jobs[job])]
    ports = {own: links.port() for own in tasks}
    for own in tasks:
        seen = []
        for other in tasks:
            is_linked = rate and other != own and "ps" in (own[0], other[0])
            port = links.link(ports[other], rate) if is_linked else ports[other]
            seen.append("%s/127.0.0.1:%d" % (other[0], port))
        CHILDREN.append(subprocess.Popen([sys.executable, HERE, "serve", own[0], str(own[1])] + seen, stderr=subprocess.DEVNULL))
    for port in ports.values():
        links.wait_for(port)
    return "grpc://127.0.0.1:%d" % ports["worker", 0]


def on(job, task):
    return tf.device("/job:%s/task:%d" % (job, task))


def merge(is_sound):
    """A worker reads 64 variables of 1 KiB; sound: one of 64 KiB."""
    with on("ps", 0):
        if is_sound:
            parts = [tf.get_variable("all", [64, 256])]
        else:
            parts = [tf.get_variable("part%d" % at, [1, 256]) for at in range(64)]
    with on("worker", 0):
        x = tf.reshape(tf.concat([tf.identity(part) for part in parts], 0), [128, 128])
        for at in range(12):
            x = product(x, 1024, "layer%d" % at)
        return tf.reduce_sum(x)


def uneven(is_sound):
    """A net whose variables are all on one of two servers, but for a small one; sound: spread by bytes."""
    with on("worker", 0):
        x = tf.random_uniform([64, 64])
    for at in range(4):
        with on("ps", at % 2 if is_sound else 0):
            own = tf.get_variable("layer%d" % at, [64, 1024])
        with on("worker", 0):
            x = tf.tanh(tf.matmul(tf.tanh(tf.matmul(x, own)), own, transpose_b=True)) + x
    with on("ps", 1):
        bias = tf.get_variable("bias", [64])
    with on("worker", 0):
        loss = tf.reduce_mean(x + bias)
    return tf.train.GradientDescentOptimizer(1e-3).minimize(loss, colocate_gradients_with_ops=True)


def layers(server_waits, worker_waits):
    """Eight layers. Where nothing waits, TensorFlow sends their variables in an order of its own, another in each step. `server_waits`:
    each is read after the one before; `worker_waits`: each is read when the one before has arrived."""
    with on("worker", 0):
        x = tf.random_uniform([128, 128])
    before = []
    for at in range(8):
        with on("ps", 0):
            own = tf.get_variable("layer%d" % at, [128, 512])
            with tf.control_dependencies(before):
                read = tf.identity(own, name="read%d" % at)
        before = [read] if server_waits else []
        with on("worker", 0):
            if worker_waits:
                before = [tf.identity(read, name="arrived%d" % at)]
            x = tf.tanh(tf.matmul(x, read)[:, :128])
            x = tf.reshape(tf.py_func(work, [x, 0.006], tf.float32), [128, 128])
    with on("worker", 0):
        return tf.reduce_sum(x)


def order_as_worded(is_sound):
    """Variables that come in any order; sound: control dependencies between their reads, as the advice has it."""
    return layers(is_sound, False)


def order(is_sound):
    """Variables that come in any order; sound: each is read when the one before has arrived."""
    return layers(False, is_sound)


def straggler(is_sound):
    """Four workers, the last with twice the work; sound: all have the same."""
    sums = []
    for worker in range(4):
        with on("ps", 0):
            own = tf.get_variable("weights%d" % worker, [128, 128])
        with on("worker", worker), tf.name_scope("worker%d" % worker):
            seconds = 0.024 if worker == 3 and not is_sound else 0.012
            x = tf.tanh(own)
            x = tf.py_func(work, [x, seconds], tf.float32, name="work")
            sums.append(tf.reduce_sum(tf.tanh(tf.reshape(x, [128, 128]))))
    with on("ps", 0):
        return tf.add_n(sums)


FAULTS = {
    "merge": (merge, {"ps": 1, "worker": 1}, None),
    "order": (order, {"ps": 1, "worker": 1}, RATE),
    "order-as-worded": (order_as_worded, {"ps": 1, "worker": 1}, RATE),
    "uneven": (uneven, {"ps": 2, "worker": 1}, RATE),
    "straggler": (straggler, {"ps": 1, "worker": 4}, None),
}


def main(fault, folder, count):
    turns.undisturbed()
    build, jobs, rate = FAULTS[fault]
    target = start(jobs, rate)
    programs = {}
    for name in ("fault", "sound"):
        # Both programs have their variables on the same servers.
        with tf.Graph().as_default(), tf.container(name):
            fetch = build(name == "sound")
            fetch = getattr(fetch, "op", fetch)
            session = tf.Session(target, config=config(2, is_local=False))
            session.run(tf.global_variables_initializer())
            programs[name] = steps_of(session, fetch)
    kept = turns.take_turns(programs, int(count))
    turns.disturbed()
    turns.keep(kept, folder, ".pb")


if sys.argv[1] == "serve":
    serve(*sys.argv[2:])
else:
    try:
        main(*sys.argv[1:])
    finally:
        for child in CHILDREN:
            child.kill()
    sys.stdout.flush()
    os._exit(0)  # threads of TensorFlow that still wait at the end keep nothing
