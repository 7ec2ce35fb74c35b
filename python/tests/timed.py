"""Runs the tests below a folder, and writes how long each took, as `cargo xtask test` reads it.

`python timed.py FOLDER PATTERN TIMES`, on every Python from 3.6 on, with nothing but what comes with it.
"""

import json
import sys
import time
import unittest


class Timed(unittest.TextTestResult):
    """Collects the seconds of each test."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.rows = []

    def startTest(self, test):
        self._began = time.perf_counter()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        module, _, name = test.id().partition(".")
        version = "python{}.{}".format(*sys.version_info)
        self.rows.append({"file": "{} {}".format(version, module), "test": name, "seconds": time.perf_counter() - self._began})


def main():
    folder, pattern, times = sys.argv[1:]
    result = unittest.TextTestRunner(resultclass=Timed).run(unittest.defaultTestLoader.discover(folder, pattern))
    with open(times, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in result.rows)
    # A folder without tests has not been tested.
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)


main()
