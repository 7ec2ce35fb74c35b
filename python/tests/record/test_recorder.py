"""Runs of loops into a folder, and what a recorder does when things go wrong."""

import errno
import os
import threading
import unittest
from unittest import mock

from support import InFolder

from steplens.record import FolderError, Recorder
from steplens.record.folder.traces import Payload


class Tracer:
    """Traces nothing, and says when it was asked to."""

    def __init__(self, fails_to=""):
        self.calls, self.fails_to = [], fails_to

    def start(self):
        self.calls.append("start")
        if self.fails_to == "start":
            raise RuntimeError("another profiler runs")

    def stop(self):
        self.calls.append("stop")
        if self.fails_to == "stop":
            raise RuntimeError("the profiler lost its file")
        return Payload(".xplane.pb", data=b"planes")


class Loops(InFolder):
    def recorder(self, tracer=None, **more):
        recorder = Recorder(self.path, "main", tracer or Tracer(), **more)
        self.addCleanup(recorder.close)
        return recorder

    def test_runs_are_listed(self):
        recorder = self.recorder()
        for step in range(3):
            with recorder.run(step=step, fetches=("loss",)):
                pass
        recorder.flush()
        lines = self.lines("main")
        self.assertEqual([(line["run"], line["step"], line["trace"]) for line in lines], [(0, 0, None), (1, 1, None), (2, 2, None)])
        self.assertEqual(lines[0]["fetches"], ["loss"])
        self.assertTrue(all(line["start_ns"] > 10**18 and 0 <= line["length_ns"] < 10**10 for line in lines))
        self.assertEqual(list(recorder.totals.values())[0].runs, 3)

    def test_a_traced_run(self):
        recorder = self.recorder()
        self.ask("a1")
        recorder.flush()
        self.assertTrue(recorder.is_asked)
        for _ in range(2):
            with recorder.run():
                pass
        recorder.flush()
        self.assertFalse(recorder.is_asked)
        lines = self.lines("main")
        self.assertEqual((lines[0]["trace"], lines[0]["request"]), ("traces/0-main.xplane.pb", "a1"))
        self.assertEqual((lines[1]["trace"], lines[1]["request"]), (None, None))
        self.assertEqual(self.read("traces", "0-main.xplane.pb"), b"planes")
        self.assertEqual((self.answer("a1")["state"], self.answer("a1")["runs"]), ("done", [0]))

    def is_done(self, identity):
        try:
            return self.answer(identity)["state"] == "done"
        except FileNotFoundError:
            return False

    def test_the_thread_looks_and_writes_by_itself(self):
        traced = threading.Event()

        class Told(Tracer):
            def stop(self):
                traced.set()
                return super().stop()

        recorder = self.recorder(Told())
        self.ask("a1")
        for _ in range(600):
            with recorder.run():
                pass
            # Its own thread writes the answer after the tracer has stopped: closing before would end it.
            if traced.wait(0.1) and self.is_done("a1"):
                break
        recorder.close()
        self.assertEqual(self.answer("a1")["state"], "done")

    def test_a_run_that_fails_is_no_run_and_the_next_is_traced(self):
        recorder = self.recorder()
        self.ask("a1")
        recorder.flush()
        with self.assertRaises(ZeroDivisionError), recorder.run():
            1 / 0
        with recorder.run():
            pass
        recorder.flush()
        self.assertEqual([line["trace"] for line in self.lines("main")], ["traces/0-main.xplane.pb"])

    def test_a_profiler_that_fails_is_answered(self):
        for number, fails_to in enumerate(("start", "stop")):
            recorder = Recorder(self.path, "main", Tracer(fails_to))
            self.ask(f"a{number}")
            recorder.flush()
            with self.assertLogs("steplens"):
                with recorder.run():
                    pass
                recorder.flush()
            recorder.close()
            answer = self.answer(f"a{number}")
            self.assertEqual(answer["state"], "refused")
            self.assertIn("profiler", answer["reason"])
        self.assertEqual([line["trace"] for line in self.lines("main")], [None, None])

    def test_without_a_tracer_requests_are_refused(self):
        recorder = Recorder(self.path, "main")
        self.addCleanup(recorder.close)
        self.ask("a1")
        recorder.flush()
        with self.assertLogs("steplens"), recorder.run():
            pass
        recorder.flush()
        self.assertIn("tracer", self.answer("a1")["reason"])
        with self.assertRaises(FolderError):
            Recorder(self.path, "other", "theano")

    def test_a_full_disk_is_answered_and_the_training_goes_on(self):
        recorder = self.recorder()
        self.ask("a1", "every", count=0)
        recorder.flush()
        full = OSError(errno.ENOSPC, "No space left on device")
        with mock.patch("steplens.record.folder.atomic.os.fsync", side_effect=full), self.assertLogs("steplens"):
            for _ in range(3):
                with recorder.run():
                    pass
            recorder.flush()
        with recorder.run():
            pass
        recorder.flush()
        answer = self.answer("a1")
        self.assertEqual((answer["state"], answer["reason"]), ("refused", "The disk is full."))
        self.assertEqual(len(self.lines("main")), 4)

    def test_a_request_that_makes_no_sense_is_refused(self):
        recorder = self.recorder()
        self.ask("a1", "later")
        recorder.flush()
        self.assertEqual(self.answer("a1")["state"], "refused")
        self.assertFalse(recorder.is_asked)

    def test_the_end_stops_what_was_asked(self):
        recorder = self.recorder()
        self.ask("a1", "every", n=100, count=0)
        recorder.flush()
        self.assertEqual(self.answer("a1")["state"], "seen")
        recorder.close()
        recorder.close()
        self.assertEqual((self.answer("a1")["state"], self.answer("a1")["reason"]), ("stopped", "The process ended."))

    def test_a_process_that_begins_again_numbers_on(self):
        for _ in range(2):
            recorder = Recorder(self.path, "main", Tracer())
            with recorder.run():
                pass
            recorder.close()
        self.assertEqual([line["run"] for line in self.lines("main")], [0, 1])

    @unittest.skipUnless(hasattr(os, "register_at_fork"), "Python 3.7 and later tell of forks")
    def test_a_fork_records_nothing(self):
        recorder = self.recorder()
        with recorder.run():
            pass
        child = os.fork()
        if child == 0:
            try:
                for _ in range(10):
                    with recorder.run():
                        pass
                recorder.flush()
                recorder.close()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.ask("a1")
        recorder.flush()
        with recorder.run():
            pass
        recorder.flush()
        self.assertEqual([line["run"] for line in self.lines("main")], [0, 1])
        self.assertEqual(self.answer("a1")["state"], "done")

    def test_many_threads(self):
        recorder = self.recorder()
        self.ask("a1", "every", n=1, count=20)
        recorder.flush()

        def train():
            for _ in range(50):
                with recorder.run():
                    pass

        threads = [threading.Thread(target=train) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        recorder.close()
        lines = self.lines("main")
        self.assertEqual([line["run"] for line in lines], list(range(200)))
        self.assertEqual(len([line for line in lines if line["trace"]]), 20)
        self.assertEqual(self.answer("a1")["state"], "done")

    def test_kinds_of_runs_are_bounded(self):
        recorder = self.recorder()
        for number in range(1010):
            with recorder.run(fetches=(str(number),)):
                pass
        recorder.flush()
        self.assertEqual(len(recorder.totals), 1001)
        self.assertEqual(sum(totals.runs for totals in recorder.totals.values()), 1010)


if __name__ == "__main__":
    unittest.main()
