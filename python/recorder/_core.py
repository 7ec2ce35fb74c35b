"""In the place of the core, where the wheel has the recorder alone: says at each import how to open what was recorded."""

import sys

if sys.version_info < (3, 7):
    _WHY = "Python {}.{} has no reader; it takes Python 3.7 or newer".format(*sys.version_info[:2])
else:
    _WHY = "pip found no wheel with the reader; on Linux it takes pip 19.3 or newer: `pip install --upgrade pip`, then `pip install --force-reinstall steplens`"

raise ImportError(
    "this steplens is the recorder alone: {}. What it records opens on the page, in the program (`cargo install steplens-cli`), and after"
    " `pip install steplens` in another Python, also of another machine. STEPLENS_PROGRAM=PATH names the program `steplens` of that Python"
    " to `Timeline.visualize` and `TracingServer`".format(_WHY)
)
