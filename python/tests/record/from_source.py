"""Makes `steplens` importable: the package that is installed, else its sources. The recorder needs no core."""

import importlib.util
import os
import sys

if importlib.util.find_spec("steplens") is None:
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
