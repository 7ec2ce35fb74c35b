"""Every answer is what the program prints with --json."""

import threading
import unittest

import steplens
from common import FIXTURES, SAMPLE, one_of_each_format, said_json
from steplens.answering import Answering

METHODS = [name for name in vars(Answering) if not name.startswith("_")] + ["what_if"]
ANSWERS = {method.replace("_", "-"): method for method in METHODS}


class Answers(unittest.TestCase):
    maxDiff = 4_000

    def test_every_answer_about_every_format_is_the_programs(self):
        for path in one_of_each_format():
            trace = steplens.read(path)
            for command, method in ANSWERS.items():
                with self.subTest(path=path.name, command=command):
                    self.assertEqual(getattr(trace, method)(), said_json(command, path))

    def test_what_is_shown_is_chosen_as_in_the_program(self):
        task = "/job:worker/replica:0/task:2"
        folder = [FIXTURES / "ps4w.pb", FIXTURES / "ps4w-later.pb"]
        cases = [
            ([SAMPLE], {"communication": "^MatMul$"}, ["--communication", "^MatMul$"]),
            ([SAMPLE], {"devices": "worker"}, ["--devices", "worker"]),
            ([SAMPLE], {"window": "40%..60%"}, ["--window", "40%..60%"]),
            ([FIXTURES / "ps4w-skewed.pb"], {"clocks": "estimated"}, ["--clocks", "estimated"]),
            ([FIXTURES / "ps4w-skewed.pb"], {"clocks": [task + "=-12.5ms"]}, ["--clocks", task + "=-12.5ms"]),
            (folder, {"step": 2, "rule": "file"}, ["--step", "2", "--steps-by", "file"]),
            ([FIXTURES / "gpu" / "kernels.pb"], {"op_time": "all"}, ["--op-time", "all"]),
        ]
        for paths, options, words in cases:
            if not all(path.exists() for path in paths):
                continue
            with self.subTest(options=options):
                wanted = said_json("summary", *paths, *words)
                self.assertEqual(steplens.read(paths, **options).summary(), wanted)
                if not {"devices", "window"} & set(options):
                    self.assertEqual(steplens.read(paths).show(**options).summary(), wanted)

    def test_showing_leaves_the_trace_as_it_is(self):
        trace = steplens.read([FIXTURES / "ps4w.pb", FIXTURES / "ps4w-later.pb"], communication=["^MatMul$"])
        whole = trace.summary()
        step = trace.show(step=1)
        self.assertEqual(trace.summary(), whole)
        self.assertNotEqual(step.summary(), whole)
        self.assertEqual(step.show(step=None).summary(), whole)

    def test_changes_are_words_or_keywords(self):
        trace = steplens.read(SAMPLE)
        wanted = said_json("what-if", SAMPLE, "--op", "type:MatMul=0.5", "--network", "2", "--threads", "8")
        self.assertEqual(trace.what_if("op=type:MatMul=0.5", "network=2", "threads=8"), wanted)
        self.assertEqual(trace.what_if(op={"type:MatMul": 0.5}, network=2, threads=8), wanted)
        self.assertEqual(trace.what_if(op=["type:MatMul=0.5"], network="2", threads="8"), wanted)
        like = said_json("what-if", SAMPLE, "--like-peers", "/job:worker/replica:0/task:1")
        self.assertEqual(trace.what_if(like_peers="/job:worker/replica:0/task:1"), like)
        for changes in ({"ops": "a=1"}, {"op": "("}, {"network": "much"}, {"op": {"x": "y"}}):
            with self.subTest(changes=changes), self.assertRaises(steplens.SteplensError) as raised:
                trace.what_if(**changes)
            self.assertEqual(raised.exception.code, "bad-option")

    def test_two_traces_are_compared(self):
        a, b = (steplens.read(FIXTURES / name) for name in ("ps4w.pb", "ps4w-later.pb"))
        wanted = said_json("compare", FIXTURES / "ps4w.pb", FIXTURES / "ps4w-later.pb")
        self.assertEqual(a.compare(b), wanted)
        self.assertEqual(sum(bar["difference_ns"] for bar in wanted["waterfall"]), wanted["difference_ns"])
        self.assertEqual(b.compare(a)["difference_ns"], -wanted["difference_ns"])
        self.assertEqual(a.compare(a)["waterfall"], [])
        op = "net/mixed_5/b2b/w/read"
        aligned = said_json("compare", FIXTURES / "ps4w.pb", FIXTURES / "ps4w-later.pb", "--align", op)
        self.assertEqual(a.compare(b, align=op), aligned)
        with self.assertRaises(steplens.SteplensError) as raised:
            a.compare(b, align="nothing")
        self.assertEqual(raised.exception.code, "bad-option")

    def test_threads_may_ask_the_same_trace(self):
        trace = steplens.read(SAMPLE)
        wanted = trace.network()
        found = []
        threads = [threading.Thread(target=lambda: found.append(trace.network() == wanted)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 8)


if __name__ == "__main__":
    unittest.main()
