"""The files of a watched folder, as `docs/live.md` has them."""

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import unittest
from unittest import mock

from support import HERE, InFolder

from steplens.record.folder import FolderError, Run, WatchedFolder, atomic, default_process, names
from steplens.record.folder.answers import Answer
from steplens.record.folder.traces import Payload


def run(number, **more):
    values = {"start_ns": 1000 + number, "length_ns": 5, "step": None, "fetches": ("a",), "feeds": (), "trace": None, "request": None}
    return Run(run=number, **dict(values, **more))


class Layout(InFolder):
    def test_a_process_makes_the_folder_and_says_that_it_is_there(self):
        folder = WatchedFolder(self.path, "worker.0")
        self.addCleanup(folder.close)
        self.assertEqual(json.loads(self.read("steplens.json").decode()), {"schema": "steplens.watched-folder/1", "processes": ["worker.0"]})
        self.assertEqual(self.read("runs-worker.0.jsonl"), b"")
        self.assertTrue({"traces", "requests", "answers"} <= set(os.listdir(self.path)))

    def test_a_second_process_is_added(self):
        for process in ("b", "a"):
            WatchedFolder(self.path, process).close()
        self.assertEqual(json.loads(self.read("steplens.json").decode())["processes"], ["a", "b"])

    def test_a_folder_of_something_else_is_refused(self):
        os.makedirs(self.path)
        for text, code in (("{}", "not-a-watched-folder"), ("[1]", "not-a-watched-folder"), ('{"schema": "steplens.watched-folder/9"}', "other-version")):
            with open(os.path.join(self.path, "steplens.json"), "w") as file:
                file.write(text)
            with self.assertRaises(FolderError) as raised:
                WatchedFolder(self.path, "a")
            self.assertEqual(raised.exception.code, code)
            self.assertEqual(self.read("steplens.json").decode(), text)

    def test_names_of_processes(self):
        for name in ("worker.0", "a", "9_x", "a" * 64):
            self.assertEqual(names.checked_process(name), name)
        for name in ("", "-", "a-b", ".a", "a/b", "a" * 65, "ä", "a\n"):
            with self.assertRaises(FolderError):
                names.checked_process(name)

    def test_the_name_comes_from_the_environment(self):
        task = json.dumps({"cluster": {}, "task": {"type": "worker", "index": 3}})
        for variables, name in (({}, "main"), ({"TF_CONFIG": task}, "worker.3"), ({"TF_CONFIG": "{"}, "main"), ({"OMPI_COMM_WORLD_RANK": "2"}, "rank.2")):
            with mock.patch.dict(os.environ, variables, clear=True):
                self.assertEqual(default_process(), name)

    def test_a_folder_that_is_deleted_meanwhile_is_made_again(self):
        import shutil

        folder = WatchedFolder(self.path, "a")
        folder.add_run(run(0))
        folder.flush()
        shutil.rmtree(self.path)
        folder.add_run(run(1))
        folder.answer("x", Answer("seen"))
        folder.flush()
        self.assertEqual([line["run"] for line in self.lines("a")], [1])
        self.assertTrue(os.path.exists(os.path.join(self.path, "steplens.json")))
        folder.close()


class Runs(InFolder):
    def test_names_are_there_where_they_differ_from_the_line_before(self):
        folder = WatchedFolder(self.path, "a")
        for number, fetches in enumerate((("é", "b"), ("é", "b"), ("c",), ("c",))):
            folder.add_run(run(number, fetches=fetches, step=number * 10))
        folder.close()
        lines = self.lines("a")
        self.assertEqual([line.get("fetches") for line in lines], [["é", "b"], None, ["c"], None])
        self.assertEqual([line.get("feeds") for line in lines], [[], None, None, None])
        self.assertEqual(
            lines[1], {"run": 1, "start_ns": 1001, "length_ns": 5, "step": 10, "trace": None, "request": None}
        )

    def test_a_process_that_begins_again_goes_on(self):
        folder = WatchedFolder(self.path, "a")
        folder.add_run(run(0))
        folder.close()
        with open(os.path.join(self.path, "runs-a.jsonl"), "ab") as file:
            file.write(b'{"run": 1, "start_ns": 17')  # Killed here.
        folder = WatchedFolder(self.path, "a")
        self.assertEqual(folder.next_run, 1)
        folder.add_run(run(1))
        folder.close()
        lines = self.lines("a")
        self.assertEqual([line["run"] for line in lines], [0, 1])
        self.assertIn("fetches", lines[1])

    def test_a_deleted_list_gives_no_number_twice(self):
        folder = WatchedFolder(self.path, "a")
        folder.add_trace(7, Payload(".pb", data=b"x"))
        folder.close()
        os.unlink(os.path.join(self.path, "runs-a.jsonl"))
        folder = WatchedFolder(self.path, "a")
        self.assertEqual(folder.next_run, 8)
        folder.close()

    def test_the_newest_half_is_kept_and_the_others_are_counted(self):
        folder = WatchedFolder(self.path, "a", keep_runs=10)
        for number in range(35):
            folder.add_run(run(number, fetches=("first",) if number < 2 else ("then",)))
            folder.flush()
        lines = self.lines("a")
        self.assertLessEqual(len(lines), 10)
        self.assertEqual(lines[0], {"dropped": 35 - len(lines) + 1})
        self.assertEqual([line["run"] for line in lines[1:]], list(range(35 - len(lines) + 1, 35)))
        self.assertEqual((lines[1]["fetches"], lines[1]["feeds"]), (["then"], []))
        folder.close()
        folder = WatchedFolder(self.path, "a", keep_runs=10)
        self.assertEqual(folder.next_run, 35)
        folder.close()


    def test_a_run_is_listed_as_long_as_its_trace_is_there(self):
        folder = WatchedFolder(self.path, "a", keep_traces=2, keep_runs=20)
        for number in range(100):
            trace = folder.add_trace(number, Payload(".pb", data=b"x")) if number in (3, 30, 31) else None
            folder.add_run(run(number, trace=trace, fetches=("traced",) if trace else ("other",)))
            folder.flush()
        folder.close()
        lines = self.lines("a")
        self.assertLessEqual(len(lines), 20)
        numbers = [line["run"] for line in lines[1:]]
        self.assertEqual(numbers, [30, 31] + list(range(numbers[2], 100)))
        self.assertEqual(lines[0]["dropped"] + len(numbers), 100)
        self.assertEqual([line["fetches"] for line in lines[1:4]], [["traced"], ["traced"], ["other"]])


class Traces(InFolder):
    def files(self):
        return sorted(os.listdir(os.path.join(self.path, "traces")))

    def test_the_oldest_go_when_there_are_too_many(self):
        folder = WatchedFolder(self.path, "a", keep_traces=3)
        for number in range(9, 14):
            self.assertEqual(folder.add_trace(number, Payload(".pb", data=b"x")), f"traces/{number}-a.pb")
        folder.close()
        self.assertEqual(self.files(), ["11-a.pb", "12-a.pb", "13-a.pb"])
        folder = WatchedFolder(self.path, "a", keep_traces=3)  # It counts what it finds.
        folder.add_trace(14, Payload(".xplane.pb", data=b"x"))
        folder.close()
        self.assertEqual(self.files(), ["12-a.pb", "13-a.pb", "14-a.xplane.pb"])

    def test_the_oldest_go_when_they_are_too_large(self):
        folder = WatchedFolder(self.path, "a", keep_bytes=100)
        self.addCleanup(folder.close)
        for number in range(3):
            folder.add_trace(number, Payload(".pb", data=b"x" * 40))
        self.assertEqual(self.files(), ["1-a.pb", "2-a.pb"])
        with self.assertRaises(FolderError) as raised:
            folder.add_trace(3, Payload(".pb", data=b"x" * 101))
        self.assertIn("101", str(raised.exception))
        self.assertEqual(self.files(), ["1-a.pb", "2-a.pb"])

    def test_those_of_other_processes_are_left_alone(self):
        for process in ("a", "a.1", "b"):
            folder = WatchedFolder(self.path, process, keep_traces=1)
            for number in range(2):
                folder.add_trace(number, Payload(".pb", data=b"x"))
            folder.close()
        self.assertEqual(self.files(), ["1-a.1.pb", "1-a.pb", "1-b.pb"])

    def test_each_kind_of_run_keeps_its_own(self):
        folder = WatchedFolder(self.path, "a", keep_each=2)
        self.addCleanup(folder.close)
        for number in range(10):
            folder.add_trace(number, Payload(".pb", data=b"x"), "evaluate" if number == 0 else "train")
        self.assertEqual(self.files(), ["0-a.pb", "8-a.pb", "9-a.pb"])

    def test_a_file_is_moved_in(self):
        source = os.path.join(self.scratch, "profile", "host.xplane.pb")
        os.makedirs(os.path.dirname(source))
        with open(source, "wb") as file:
            file.write(b"planes")
        folder = WatchedFolder(self.path, "a")
        self.addCleanup(folder.close)
        payload = Payload(".xplane.pb", path=source, scratch=os.path.dirname(source))
        folder.add_trace(0, payload)
        payload.discard()
        self.assertEqual(self.read("traces", "0-a.xplane.pb"), b"planes")
        self.assertFalse(os.path.exists(os.path.dirname(source)))


class FullDisk(InFolder):
    def full(self, *names):
        """A disk that takes no more of files whose name has one of `names` in it, after the first 10 bytes."""
        import builtins

        real = builtins.open

        def opened(path, mode="r", *more, **named):
            file = real(path, mode, *more, **named)
            if ("w" in mode or "a" in mode) and any(name in str(path) for name in names):
                writes = file.write

                def write(data):
                    writes(data[:10])
                    file.flush()
                    raise OSError(errno.ENOSPC, "No space left on device")

                proxy = mock.MagicMock(wraps=file)
                proxy.write = write
                proxy.__enter__.return_value = proxy
                proxy.__exit__.side_effect = lambda *_: file.close()
                return proxy
            return file

        return mock.patch("builtins.open", opened)

    def test_a_trace_leaves_nothing_behind(self):
        folder = WatchedFolder(self.path, "a")
        self.addCleanup(folder.close)
        with self.full("traces"), self.assertRaises(OSError):
            folder.add_trace(0, Payload(".pb", data=b"x" * 100))
        self.assertEqual(os.listdir(os.path.join(self.path, "traces")), [])

    def test_runs_wait_and_none_is_listed_twice(self):
        folder = WatchedFolder(self.path, "a")
        folder.add_run(run(0))
        folder.flush()
        folder.answer("x", Answer("refused", reason="The disk is full."))
        with self.full("runs-a"):
            for number in range(1, 4):
                folder.add_run(run(number))
                with self.assertRaises(OSError):
                    folder.flush()
        self.assertEqual([line["run"] for line in self.lines("a")], [0])
        self.assertEqual(self.answer("x", "a")["reason"], "The disk is full.")
        folder.close()
        self.assertEqual([line["run"] for line in self.lines("a")], [0, 1, 2, 3])

    def test_what_waits_is_bounded_and_counted(self):
        folder = WatchedFolder(self.path, "a", keep_runs=10)
        with self.full("runs-a"):
            for number in range(100):
                folder.add_run(run(number))
                if number % 7 == 0:
                    with self.assertRaises(OSError):
                        folder.flush()
        folder.close()
        lines = self.lines("a")
        self.assertEqual(lines[0]["dropped"] + len(lines) - 1, 100)
        self.assertEqual(lines[-1]["run"], 99)
        self.assertIn("fetches", lines[1])

    def test_answers_have_room_left(self):
        """A disk that takes nothing while the reserve is there, as one that is full but for it."""
        folder = WatchedFolder(self.path, "a")
        folder.flush()
        reserve = os.path.join(self.path, ".reserve-a")
        self.assertEqual(os.path.getsize(reserve), 65536)
        real, full = atomic.write, OSError(errno.ENOSPC, "No space left on device")

        def write(path, *more, **named):
            if os.path.exists(reserve) or path == reserve:
                raise full
            real(path, *more, **named)

        folder.add_run(run(0))
        folder.answer("x", Answer("refused"))
        with mock.patch.object(atomic, "write", write):
            for _ in range(2):
                with self.assertRaises(OSError):
                    folder.flush()
        self.assertEqual(self.answer("x", "a")["state"], "refused")
        self.assertEqual(self.lines("a"), [])  # It would have taken the room of the next answers.
        folder.close()
        self.assertEqual(len(self.lines("a")), 1)
        self.assertFalse(os.path.exists(reserve))

    @unittest.skipUnless(sys.platform == "linux" and hasattr(os, "geteuid") and os.geteuid() == 0, "mounts a disk")
    def test_a_disk_of_a_megabyte(self):
        os.makedirs(self.path)
        if subprocess.call(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.path], stderr=subprocess.DEVNULL):
            self.skipTest("no disk can be mounted here")
        self.addCleanup(subprocess.check_call, ["umount", self.path])
        folder = WatchedFolder(self.path, "a")
        folder.add_trace(0, Payload(".pb", data=b"x" * 700000))
        with self.assertRaises(OSError) as raised:
            folder.add_trace(1, Payload(".pb", data=b"x" * 700000))
        self.assertEqual(raised.exception.errno, errno.ENOSPC)
        folder.add_run(run(0))
        folder.answer("x", Answer("refused"))
        folder.close()
        self.assertEqual(os.listdir(os.path.join(self.path, "traces")), ["0-a.pb"])
        self.assertEqual(self.answer("x", "a")["state"], "refused")


class Killed(InFolder):
    def start(self, *lines):
        """A process that does `lines` with `folder`, and then waits to be killed."""
        program = textwrap.dedent(
            """
            import os, sys, time
            sys.path.insert(0, {here!r})
            import from_source
            from steplens.record.folder import Run, WatchedFolder, atomic
            from steplens.record.folder.traces import Payload
            folder = WatchedFolder({path!r}, "a")
            {lines}
            print(folder.process, flush=True)
            time.sleep(600)
            """
        ).format(here=HERE, path=self.path, lines="\n".join(lines))
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, process.stdout.readline().decode().strip()

    def test_half_a_trace_is_never_seen(self):
        half = (
            "def stop(file): open(os.path.join(folder.path, 'half'), 'w').close(); print(folder.process, flush=True); time.sleep(600)",
            "os.fsync = stop",
            "folder.add_trace(0, Payload('.pb', data=b'x' * 100000))",
        )
        process, _ = self.start(*half)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual([name for name in os.listdir(os.path.join(self.path, "traces")) if not name.startswith(".")], [])
        self.assertNotEqual(os.listdir(os.path.join(self.path, "traces")), [])
        folder = WatchedFolder(self.path, "a")
        self.assertEqual(os.listdir(os.path.join(self.path, "traces")), [])  # The next process of the name clears it away.
        self.assertEqual(folder.process, "a")  # The dead hold no name.
        folder.close()

    def test_two_that_were_given_one_name_write_two_files(self):
        _, first = self.start()
        folder = WatchedFolder(self.path, "a")
        self.assertEqual((first, folder.process), ("a", "a_2"))
        folder.add_run(run(0))
        folder.close()
        self.assertEqual(self.read("runs-a.jsonl"), b"")
        self.assertEqual(len(self.lines("a_2")), 1)
        self.assertEqual(json.loads(self.read("steplens.json").decode())["processes"], ["a", "a_2"])


class Requests(InFolder):
    def test_each_is_given_once_and_the_oldest_first(self):
        folder = WatchedFolder(self.path, "a")
        self.addCleanup(folder.close)
        self.ask("z9")
        self.ask("b1", "every", n=5, count=0)
        self.ask("c1", processes=["other"])
        self.assertEqual([request.id for request in folder.look()], ["z9", "b1"])
        self.assertEqual(folder.look(), [])
        self.ask("d1", processes=["other", "a"])
        self.assertEqual([request.id for request in folder.look()], ["d1"])

    def test_a_folder_whose_time_is_coarse_is_listed_all_the_same(self):
        folder = WatchedFolder(self.path, "a")
        self.addCleanup(folder.close)
        requests = os.path.join(self.path, "requests")
        self.ask("a1")
        folder.look()
        before = os.stat(requests).st_mtime_ns
        self.ask("a2")
        os.utime(requests, ns=(before, before))
        found = [request.id for _ in range(5) for request in folder.look()]
        self.assertEqual(found, ["a2"])

    def test_what_comes_while_the_process_looks_lasts_from_then_on(self):
        folder = WatchedFolder(self.path, "a")
        self.addCleanup(folder.close)
        now_ns = int(time.time() * 1e9)
        self.ask("a1", expires_ns=now_ns + 60 * 10**9)
        self.assertIsNone(folder.look()[0].lasts_s)
        self.ask("a2", expires_ns=now_ns + 60 * 10**9)
        self.ask("a3", expires_ns=None)
        found = {request.id: request.lasts_s for request in folder.look()}
        self.assertAlmostEqual(found["a2"], 60, delta=5)
        self.assertIsNone(found["a3"])

    def test_what_cannot_be_followed_says_why(self):
        folder = WatchedFolder(self.path, "a")
        self.addCleanup(folder.close)
        wrong = (
            {"kind": "later"}, {"n": 0}, {"n": True}, {"n": 1.5}, {"count": 0}, {"count": -1}, {"processes": "a"}, {"processes": [1]},
            {"expires_ns": "soon"}, {"id": "other"},
        )
        for number, part in enumerate(wrong):
            self.ask(f"w{number}", **dict({"kind": "now"}, **part)) if "id" not in part else None
        for name, text in (("x1", b"{"), ("x2", b"[]"), ("x3", b"\xff"), ("x4", b'{"id": "other", "kind": "now"}')):
            with open(os.path.join(self.path, "requests", name + ".json"), "wb") as file:
                file.write(text)
        found = folder.look()
        self.assertEqual(len(found), len(wrong) - 1 + 4)
        for request in found:
            self.assertTrue(request.sentence.endswith("."), request)

    def test_other_names_are_no_requests(self):
        folder = WatchedFolder(self.path, "a")
        self.addCleanup(folder.close)
        for name in (".a.json", "a-b.json", "a.txt", "a" * 65 + ".json", "ä.json"):
            with open(os.path.join(self.path, "requests", name), "w") as file:
                file.write("{}")
        self.assertEqual(folder.look(), [])


if __name__ == "__main__":
    unittest.main()
