"""What tensorflow-tracer has: its server, its sessions, its hook for scripts that cannot be changed."""

import datetime
import gzip
import os
import pickle
import stat
import subprocess
import sys
import time
import unittest
from collections import OrderedDict
from unittest import mock

from support import HERE, InFolder, use_stub

import steplens
from steplens.record import FolderError, Recorder, TracingServer, inject, pickles
from steplens.record.folder.traces import Payload
from steplens.record.horovod import rank_of


def stub_program(test, scratch):
    """Puts a program in the place of `steplens`."""
    path = os.path.join(scratch, "steplens")
    with open(path, "w") as file:
        file.write("#!/bin/sh\nexec {} {} \"$@\"\n".format(sys.executable, os.path.join(HERE, "stub_program.py")))
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    patch = mock.patch.dict(os.environ, {"STEPLENS_PROGRAM": path})
    patch.start()
    test.addCleanup(patch.stop)


class Servers(InFolder):
    def setUp(self):
        super().setUp()
        use_stub(self, "tensorflow")
        stub_program(self, self.scratch)

    def server(self, **more):
        server = TracingServer(**dict({"folder": self.path, "process": "main"}, **more))
        self.addCleanup(server.recorder.close)
        self.addCleanup(server.stop_web_server)
        return server

    def test_the_page_is_served_for_this_machine(self):
        with self.assertLogs("steplens") as logged:
            server = self.server()
        self.assertEqual(server.address, "http://127.0.0.1:9999/?token=abc")
        self.assertIn(server.address, logged.output[0])
        self.assertEqual(server.folder, self.path)

    def test_options(self):
        with self.assertLogs("steplens"):
            server = self.server(server_port=1234, server_ip="0.0.0.0", keep_traces=2, is_horovod=True)
        self.assertEqual(server.address, "http://0.0.0.0:1234/?token=abc")
        server.stop_web_server()
        self.assertIsNone(server.address)
        server.join()  # Nothing to wait for.

    def test_a_folder_of_its_own_ends_with_the_process(self):
        script = (
            "from steplens.record import TracingServer\n"
            "server = TracingServer(start_web_server_on_start=False)\n"
            "begun = server.recorder.begin(0)\n"
            "server.recorder.finish(begun, ((), ()))\n"
            "import os; assert os.path.isdir(server.folder); print(server.folder)\n"
        )
        paths = os.pathsep.join([os.path.dirname(os.path.dirname(steplens.__file__)), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=paths)
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertFalse(os.path.exists(done.stdout.decode().strip()))

    def test_it_starts_later(self):
        server = self.server(start_web_server_on_start=False)
        self.assertIsNone(server.address)
        with self.assertLogs("steplens"):
            server.start_web_server()
        self.assertIsNotNone(server.address)

    def test_a_page_that_cannot_be_served_stops_no_training(self):
        with self.assertLogs("steplens") as logged:
            server = self.server(server_port=9)
        self.assertIn("port 9 is taken", logged.output[0])
        with mock.patch.dict(os.environ, {"STEPLENS_PROGRAM": os.path.join(self.scratch, "nothing")}), self.assertLogs("steplens"):
            server.start_web_server()
        self.assertIsNotNone(server.hook)

    def test_horovod_processes_share_a_folder_and_the_first_serves(self):
        use_stub(self, "horovod")
        import horovod.tensorflow  # noqa: F401  As the program does: only what it imported is asked.


        self.assertEqual(rank_of(), (1, 3))
        self.assertEqual(rank_of(lambda: 2, lambda: 5), (2, 5))
        server = TracingServer(folder=self.path)
        self.addCleanup(server.recorder.close)
        self.assertEqual((server.recorder.process, server.address), ("rank.1", None))
        with self.assertLogs("steplens"):
            first = TracingServer(folder=self.path, rank=0, size=3)
        self.addCleanup(first.recorder.close)
        self.addCleanup(first.stop_web_server)
        self.assertEqual(first.recorder.process, "rank.0")
        self.assertIsNotNone(first.address)

    def test_the_traces_of_each_kind_of_run_are_kept(self):
        server = self.server(start_web_server_on_start=False, keep_traces=2)
        import tensorflow
        from tensorflow.python.training.monitored_session import _MonitoredSession

        session = _MonitoredSession(tensorflow.Session(), [server.hook])
        self.ask("a1", "every", count=0)
        server.recorder.flush()
        session.run("evaluate")
        for _ in range(5):
            session.run("train")
        session.close()
        self.assertEqual(sorted(os.listdir(os.path.join(self.path, "traces"))), ["0-main.pb", "4-main.pb", "5-main.pb"])


@unittest.skipIf(sys.platform == "win32", "sends signals")
class Orphans(InFolder):
    def test_a_training_that_is_killed_leaves_no_server(self):
        stub_program(self, self.scratch)
        start = f"import sys, time; sys.path.insert(0, {HERE!r}); import from_source; from steplens.record import program; " \
            f"print(program.serve({self.scratch!r}, 1234, '127.0.0.1').wait_for_address(), flush=True); time.sleep(600)"
        training = subprocess.Popen([sys.executable, "-c", start], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(training.stdout.close)
        self.assertIn(b"token=abc", training.stdout.readline())
        with open(os.path.join(self.scratch, "pid")) as file:
            server = int(file.read())
        os.kill(server, 0)
        training.kill()
        training.wait()
        for _ in range(600):
            try:
                os.kill(server, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
        self.fail("the server is still there")


class Injected(InFolder):
    def test_every_session_gets_the_hook_once(self):
        use_stub(self, "tensorflow")
        import tensorflow
        from tensorflow.python.training.monitored_session import _MonitoredSession

        self.addCleanup(setattr, inject, "_server", None)
        server = inject.hook_inject(start_web_server_on_start=False, folder=self.path, process="main")
        self.addCleanup(server.recorder.close)
        self.assertIs(inject.hook_inject(), server)
        mine = tensorflow.train.SessionRunHook()
        self.assertEqual(_MonitoredSession(tensorflow.Session(), None).hooks, [server.hook])
        self.assertEqual(_MonitoredSession(tensorflow.Session(), (mine,), should_recover=True).hooks, [mine, server.hook])
        self.assertEqual(_MonitoredSession(session_creator=tensorflow.Session(), hooks=[server.hook]).hooks, [server.hook])
        _MonitoredSession(tensorflow.Session(), None).run("train")
        server.recorder.flush()
        self.assertEqual(len(self.lines("main")), 1)


class Sessions(InFolder):
    def recorded(self):
        """A recorder with three runs of two kinds, the first traced."""
        recorder = Recorder(self.path, "main")
        self.addCleanup(recorder.close)
        for number, name in enumerate(("train", "train", "evaluate")):
            begun = recorder.begin(number)
            begun.length_ns = 1000000 * (number + 1)
            begun.names = ((name,), ("x:0",))
            if number == 0:
                recorder.keep(begun, Payload(".pb", data=b"\n\x00"))
            else:
                recorder.finish(begun, begun.names)
        recorder.flush()
        return recorder

    def test_what_is_saved_comes_back_as_it_was(self):
        from steplens.record import sessions

        recorder = self.recorded()
        for name in ("session.pickle", "session.pickle.gz"):
            file = os.path.join(self.scratch, name)
            sessions.save(recorder, file)
            other = os.path.join(self.scratch, "other-" + name)
            self.assertEqual(sessions.load(other, file), "main")
            with open(os.path.join(other, "runs-main.jsonl"), "rb") as copy:
                self.assertEqual(copy.read(), self.read("runs-main.jsonl"))
            with open(os.path.join(other, "traces", "0-main.pb"), "rb") as copy:
                self.assertEqual(copy.read(), b"\n\x00")

    def test_a_session_has_what_tensorflow_tracer_reads(self):
        from steplens.record import sessions

        file = os.path.join(self.scratch, "session.pickle")
        sessions.save(self.recorded(), file)
        with open(file, "rb") as data:
            source = pickles.load(data)
        profiles = list(source._run_profile.values())
        self.assertEqual([profile["info"] for profile in profiles][0], {"fetches": "train", "feeds": "x:0", "options": None})
        self.assertEqual([profile["stats"]["runs"] for profile in profiles], [2, 1])
        self.assertEqual(profiles[0]["stats"]["runtimes"], datetime.timedelta(microseconds=1500))
        self.assertEqual([len(source._traces[number]) for number in (0, 1)], [1, 0])
        self.assertEqual(source._traces[0][0].serialized, b"\n\x00")

    def test_a_session_of_tensorflow_tracer(self):
        from steplens.record import sessions

        source = pickles.Source()
        date = datetime.datetime(2019, 1, 2, 3, 4, 5)
        stats = {"runs": 7, "traces": 2, "runtimes": datetime.timedelta(milliseconds=3), "first_run": date, "last_run": date}
        source._run_profile = OrderedDict(
            a={"info": {"fetches": "[<op>]", "feeds": "None"}, "stats": stats, "traces": [{"date": date}, {"date": date}], "run_id": 0}
        )
        source._traces = {0: [None, pickles.RunMetadata(b"\n\x00")]}
        file = os.path.join(self.scratch, "session.gz")
        with open(file, "wb") as data:
            data.write(gzip.compress(pickles.dumps(source)))
        self.assertEqual(sessions.load(self.path, file), "session")
        dropped, line = self.lines("session")
        self.assertEqual(dropped, {"dropped": 6})
        self.assertEqual((line["length_ns"], line["fetches"], line["feeds"], line["step"]), (3000000, ["[<op>]"], [], None))
        self.assertEqual(line["start_ns"] + line["length_ns"], int(date.timestamp() * 1e9))
        self.assertEqual(self.read("traces", "0-session.pb"), b"\n\x00")

    def test_what_is_no_session_is_refused_and_runs_nothing(self):
        from steplens.record import sessions

        class Bad:
            def __reduce__(self):
                return (os.mkdir, (os.path.join(where, "made"),))

        where = self.scratch
        for number, data in enumerate((pickle.dumps(Bad()), b"nonsense", pickle.dumps([1]), pickles.dumps(pickles.Source()), b"")):
            file = os.path.join(self.scratch, str(number))
            with open(file, "wb") as written:
                written.write(data)
            with self.assertRaises(FolderError):
                sessions.load(self.path, file)
        self.assertFalse(os.path.exists(os.path.join(self.scratch, "made")))
        self.assertFalse(os.path.exists(self.path))


if __name__ == "__main__":
    unittest.main()
