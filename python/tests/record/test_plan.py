"""Which runs are traced for which requests."""

import unittest
from unittest import mock

import support  # noqa: F401  Finds the package.

from steplens.record import plan as plans
from steplens.record.folder import Request
from steplens.record.folder.answers import Answer
from steplens.record.plan import Plan


class Clock:
    """Both clocks, by hand."""

    def __init__(self):
        self.seconds, self.of_day_ns = 100.0, 10**18

    def monotonic(self):
        return self.seconds

    def now_ns(self):
        return self.of_day_ns


def traced(plan, steps, first=0):
    """The runs that are traced of those at `steps`, each of which ends well."""
    found = []
    for number, step in enumerate(steps, first):
        due = plan.begin(step, number)
        if due:
            found.append(number)
            plan.done(due, number)
    return found


class Kinds(unittest.TestCase):
    def setUp(self):
        self.plan = Plan()

    def test_now(self):
        self.plan.take(Request("a", "now", wanted=2), None)
        self.assertEqual(self.plan.changed["a"], Answer("seen"))
        self.assertEqual(traced(self.plan, [None] * 5), [0, 1])
        self.assertEqual(self.plan.changed["a"], Answer("done", (0, 1)))
        self.assertFalse(self.plan)

    def test_every(self):
        self.plan.take(Request("a", "every", n=3, wanted=2), None)
        self.assertEqual(traced(self.plan, [None] * 12), [2, 5])

    def test_every_until_stopped(self):
        self.plan.take(Request("a", "every", n=1, wanted=0), None)
        self.assertEqual(len(traced(self.plan, [None] * 50)), 50)
        self.plan.take(Request("s", "stop"), None)
        self.assertEqual(self.plan.changed["a"].state, "stopped")
        self.assertEqual(self.plan.changed["s"], Answer("done"))
        self.assertEqual(traced(self.plan, [None] * 5), [])

    def test_multiple_is_the_same_step_in_all_processes(self):
        steps = []
        for offset in (0, 3, 7):  # Processes read the request at different steps, and have run other things before.
            plan = Plan()
            plan.take(Request("a", "multiple", n=10, wanted=2), None)
            numbers = traced(plan, range(offset, 40), first=1000 * offset)
            steps.append([offset + number - 1000 * offset for number in numbers])
        self.assertEqual(steps[1], steps[2])
        self.assertEqual(steps, [[0, 10], [10, 20], [10, 20]])

    def test_multiple_of_steps_that_others_count_too(self):
        self.plan.take(Request("a", "multiple", n=10, wanted=3), None)
        self.assertEqual(traced(self.plan, [7, 9, 12, 14, 17, 20, 23, 45]), [2, 5, 7])

    def test_multiple_without_steps_counts_runs(self):
        self.plan.take(Request("a", "multiple", n=10, wanted=1), None)
        self.assertEqual(traced(self.plan, [None] * 30, first=13), [20])

    def test_a_run_is_for_all_that_wait(self):
        self.plan.take(Request("a", "now"), None)
        self.plan.take(Request("b", "every", n=1, wanted=1), None)
        self.assertEqual(self.plan.begin(None, 0), ["a", "b"])

    def test_two_runs_at_once_are_no_more_than_asked(self):
        self.plan.take(Request("a", "now", wanted=1), None)
        first = self.plan.begin(None, 0)
        self.assertEqual((first, self.plan.begin(None, 1)), (["a"], []))
        self.plan.failed(first)
        self.assertEqual(self.plan.begin(None, 2), ["a"])

    def test_a_refused_request_ends(self):
        self.plan.take(Request("a", "every", wanted=0), None)
        self.plan.done(self.plan.begin(None, 0), 0)
        self.plan.refuse("a", "The disk is full.")
        self.assertEqual(self.plan.changed["a"], Answer("refused", (0,), "The disk is full."))
        self.assertEqual(traced(self.plan, [None]), [])

    def test_the_end_of_the_process_is_answered(self):
        self.plan.take(Request("a", "every", wanted=0), None)
        self.plan.end()
        self.assertEqual(self.plan.changed["a"], Answer("stopped", (), "The process ended."))


class Time(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()
        patch = mock.patch.object(plans, "clock", self.clock)
        patch.start()
        self.addCleanup(patch.stop)
        self.plan = Plan()

    def take(self, **more):
        self.plan.take(Request("a", "now", expires_ns=self.clock.of_day_ns + 60 * 10**9, **more), None)

    def test_what_has_not_begun_expires(self):
        self.take()
        self.clock.seconds += 61
        self.assertEqual(traced(self.plan, [None]), [])
        self.assertEqual(self.plan.changed["a"], Answer("expired"))

    def test_what_has_begun_goes_on(self):
        self.take(wanted=2)
        self.assertEqual(traced(self.plan, [None]), [0])
        self.clock.seconds += 61
        self.assertEqual(traced(self.plan, [None], first=1), [1])

    def test_a_clock_that_is_set_forward_ends_nothing(self):
        self.take()
        self.clock.of_day_ns += 3600 * 10**9
        self.assertEqual(traced(self.plan, [None]), [0])

    def test_a_clock_that_is_set_back_keeps_nothing(self):
        self.take()
        self.clock.of_day_ns -= 3600 * 10**9
        self.clock.seconds += 61
        self.assertEqual(traced(self.plan, [None]), [])

    def test_a_request_that_is_old_when_it_is_read(self):
        self.plan.take(Request("a", "now", expires_ns=self.clock.of_day_ns - 1), None)
        self.assertEqual(traced(self.plan, [None]), [])
        self.assertEqual(self.plan.changed["a"], Answer("expired"))

    def test_who_asks_may_have_a_clock_that_is_behind(self):
        asked_at = self.clock.of_day_ns - 7200 * 10**9
        request = Request("a", "now", expires_ns=asked_at + 60 * 10**9, lasts_s=60.0)
        self.plan.take(request, None)
        self.clock.seconds += 59
        self.assertEqual(traced(self.plan, [None]), [0])
        self.plan.take(request._replace(id="b"), None)
        self.clock.seconds += 61
        self.assertEqual(traced(self.plan, [None]), [])
        self.assertEqual(self.plan.changed["b"], Answer("expired"))


class Restarts(unittest.TestCase):
    def test_what_ended_is_not_begun_again(self):
        for state in ("done", "stopped", "expired", "refused"):
            plan = Plan()
            plan.take(Request("a", "now"), Answer(state))
            self.assertEqual((bool(plan), plan.changed), (False, {}))

    def test_what_had_begun_goes_on_where_it_was(self):
        plan = Plan()
        plan.take(Request("a", "now", wanted=3, expires_ns=1), Answer("tracing", (4, 5)))
        self.assertEqual(traced(plan, [None] * 3, first=9), [9])
        self.assertEqual(plan.changed["a"], Answer("done", (4, 5, 9)))

    def test_what_has_no_end_ends_with_the_process_that_took_it(self):
        for earlier in (Answer("seen"), Answer("tracing", (4, 5))):
            plan = Plan()
            plan.take(Request("a", "every", n=1, wanted=0), earlier)
            self.assertEqual(traced(plan, [None] * 3, first=9), [])
            self.assertEqual(plan.changed["a"], Answer("stopped", earlier.runs, "The process that took it ended."))

    def test_an_earlier_stop_stops_nothing_new(self):
        plan = Plan()
        plan.take(Request("a", "now"), None)
        plan.take(Request("s", "stop"), Answer("done"))
        self.assertEqual(traced(plan, [None]), [0])


if __name__ == "__main__":
    unittest.main()
