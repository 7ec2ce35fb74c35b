"""A training with real TensorFlow, to which happens what happens to trainings: it is killed, its disk is full, there are two, the clock jumps.

Usage: STEPLENS_PROGRAM=... python live.py        (on Linux; the full disk needs root)

Each training is a process of its own. Afterwards every line, answer and trace of the folder is read, and counts are compared with what the training printed.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def train(folder, process, seconds):
    """What the other process does: trains, and prints how many runs it has made."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "python", "tests", "record"))
    import from_source  # noqa: E402, F401

    import tensorflow.compat.v1 as tf

    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    from steplens.record.hook import SteplensHook

    weights = tf.get_variable("w", [128, 128])
    loss = tf.reduce_sum(tf.nn.relu(tf.matmul(tf.random.uniform([64, 128]), weights)))
    train_op = tf.train.GradientDescentOptimizer(1e-9).minimize(loss, global_step=tf.train.get_or_create_global_step())
    hook = SteplensHook(folder, process=process)
    runs, until = 0, time.perf_counter() + float(seconds)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        print("begins", hook.recorder.process, flush=True)
        while time.perf_counter() < until:
            session.run(train_op)
            runs += 1
    hook.recorder.close()
    print(runs, flush=True)


class Training:
    def __init__(self, folder, process, seconds, **environment):
        command = [sys.executable, "-W", "ignore", os.path.abspath(__file__), "train", folder, process, str(seconds)]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ, **environment))
        self.process = self.child.stdout.readline().decode().split()[1]

    def runs(self):
        """How many it made, once it ended well."""
        printed = self.child.communicate()[0]
        assert self.child.returncode == 0, self.child.returncode
        return int(printed)

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()


def ask(folder, identity, kind, **more):
    request = dict({"id": identity, "kind": kind, "n": 1, "count": 1, "processes": None, "expires_ns": int((time.time() + 60) * 1e9)}, **more)
    path = os.path.join(folder, "requests", identity + ".json")
    with open(path + ".new", "w") as file:
        json.dump(request, file)
    os.replace(path + ".new", path)


def answer(folder, identity, process):
    with open(os.path.join(folder, "answers", "{}-{}.json".format(identity, process))) as file:
        return json.load(file)


def runs_of(folder, process):
    """The runs that are listed and the number of those that no longer are. Fails where a whole line is none, a number is there twice, or a trace does not open."""
    listed, dropped = [], 0
    with open(os.path.join(folder, "runs-{}.jsonl".format(process)), "rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                value = json.loads(line.decode())
                dropped += value.get("dropped", 0)
                listed += [value] if "run" in value else []
    numbers = [run["run"] for run in listed]
    # A number is left out where a process was killed between a trace and its line.
    assert all(before < after for before, after in zip(numbers, numbers[1:]))
    for run in listed:
        if run["trace"] and os.path.exists(os.path.join(folder, run["trace"])):
            summary = subprocess.check_output([os.environ["STEPLENS_PROGRAM"], "summary", "--json", os.path.join(folder, run["trace"])])
            assert json.loads(summary.decode())["ops"] > 0
    return listed, dropped


def killed(folder):
    """Killed at any moment, several times, while every run is traced."""
    seen = 0
    for turn in range(5):
        training = Training(folder, "worker.0", 600)
        if turn == 0:
            ask(folder, "all", "every", n=1, count=0)
        time.sleep(2 + random.random())
        training.kill()
        listed, dropped = runs_of(folder, "worker.0")
        assert len(listed) + dropped > seen
        seen = len(listed) + dropped
    ask(folder, "end", "stop")
    runs = Training(folder, "worker.0", 3).runs()
    listed, dropped = runs_of(folder, "worker.0")
    assert len(listed) + dropped == seen + runs, (len(listed), dropped, seen, runs)
    assert answer(folder, "all", "worker.0")["state"] == "stopped"
    assert [name for name in os.listdir(os.path.join(folder, "traces")) if name.startswith(".")] == []
    return "{} runs of 6 processes of one name".format(seen + runs)


def full(folder):
    """A disk of 8 MiB, on which something else takes all but a little."""
    os.makedirs(folder)
    subprocess.check_call(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder])
    try:
        training = Training(folder, "main", 12)
        with open(os.path.join(folder, "other"), "wb") as file:
            file.write(b"x" * ((8 << 20) - (256 << 10)))
        ask(folder, "all", "every", n=1, count=0)
        time.sleep(6)
        reply = answer(folder, "all", "main")
        assert (reply["state"], reply["reason"]) == ("refused", "The disk is full."), reply
        os.unlink(os.path.join(folder, "other"))
        runs = training.runs()
        listed, dropped = runs_of(folder, "main")
        assert len(listed) + dropped == runs, (len(listed), dropped, runs)
        return "{} runs, {} traces before the disk was full".format(runs, len(reply["runs"]))
    finally:
        subprocess.check_call(["umount", "--lazy", folder])


def two(folder):
    """Two of one name, and the same step of both."""
    trainings = [Training(folder, "worker", 25), Training(folder, "worker", 25)]
    assert [training.process for training in trainings] == ["worker", "worker_2"]
    ask(folder, "both", "multiple", n=1000)
    counts = [training.runs() for training in trainings]
    steps = []
    for training, runs in zip(trainings, counts):
        listed, dropped = runs_of(folder, training.process)
        assert len(listed) + dropped == runs
        steps += [run["step"] for run in listed if run["trace"]]
    assert len(steps) == 2 and all(step % 1000 == 0 for step in steps), steps
    return "{} and {} runs, traced at steps {}".format(counts[0], counts[1], steps)


def jumps(folder):
    """A clock that is an hour ahead for one process, and then again not."""
    Training(folder, "main", 3).runs()
    ahead = "import sys, time; real = time.time_ns; time.time_ns = lambda: real() + 3600 * 10**9; sys.argv = sys.argv[1:]; __file__ = sys.argv[0]; exec(open(__file__).read())"
    child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", ahead, os.path.abspath(__file__), "train", folder, "main", "6"], stdout=subprocess.PIPE, cwd=HERE)
    child.stdout.readline()
    ask(folder, "late", "now", expires_ns=int((time.time() + 60) * 1e9))
    ask(folder, "sure", "now", expires_ns=int((time.time() + 7200) * 1e9))
    child.communicate()
    assert child.returncode == 0
    Training(folder, "main", 3).runs()
    states = [answer(folder, identity, "main")["state"] for identity in ("late", "sure")]
    assert states == ["expired", "done"], states
    listed, _ = runs_of(folder, "main")
    starts = [run["start_ns"] for run in listed]
    assert max(starts) - starts[-1] > 3500 * 10**9
    return "{} runs, in order though their times are not".format(len(listed))


if __name__ == "__main__":
    if sys.argv[1:2] == ["train"]:
        train(*sys.argv[2:])
    else:
        for what in [globals()[name] for name in sys.argv[1:]] or [killed, full, two, jumps]:
            print("{}: {}".format(what.__name__, what(os.path.join(tempfile.mkdtemp(), "watched"))), flush=True)
