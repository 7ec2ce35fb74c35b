"""Makes `steplens.record` importable: of the package that is installed, else from the sources, also where no core was built, because the recorder needs none."""

import importlib
import os
import sys
import types

try:
    importlib.import_module("steplens.record")
except ImportError:
    package = types.ModuleType("steplens")
    package.__path__ = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "steplens")]
    sys.modules["steplens"] = package
