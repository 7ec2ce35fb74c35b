"""The wheels that are shipped: for which machines they are, and which of them pip takes where. `STEPLENS_WHEELS` is their folder."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

WHEELS = Path(os.environ["STEPLENS_WHEELS"])
MOST_GLIBC = (2, 17)
"""manylinux2014: RHEL 7. Whatever needs a later one does not load there."""

GLIBC_OF = {"RHEL 7": 17, "Ubuntu 18.04": 27, "Debian 10, RHEL 8": 28, "Debian 11, Ubuntu 20.04": 31, "RHEL 9": 34, "Ubuntu 22.04": 35, "Debian 12": 36, "Ubuntu 24.04": 39}
"""The minor versions of glibc 2 of some systems."""


def wheels():
    return sorted(WHEELS.glob("*.whl"))


def tags_of_a_linux(glibc, machine="x86_64"):
    """The platforms that a pip from 20.3 on takes there: PEP 600, and the names of before."""
    tags = ["manylinux_2_{}_{}".format(minor, machine) for minor in range(glibc, 4, -1)]
    old = {"manylinux2014": 17, "manylinux2010": 12, "manylinux1": 5}
    return tags + ["{}_{}".format(name, machine) for name, minor in old.items() if minor <= glibc]


def taken(python, platforms):
    """The wheel that pip takes for a Python and for platforms, of those in the folder alone."""
    with tempfile.TemporaryDirectory() as scratch:
        words = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--only-binary=:all:"]
        words += ["--find-links", str(WHEELS), "--dest", scratch, "--python-version", python]
        words += [word for platform in platforms for word in ("--platform", platform)]
        subprocess.run(words + ["steplens"], check=True)
        (found,) = os.listdir(scratch)
        return found


def is_alone(name):
    return name.endswith("-py3-none-any.whl")


class Wheels(unittest.TestCase):
    def test_one_has_the_reader_and_one_is_the_recorder_alone(self):
        core = {name for wheel in wheels() for name in zipfile.ZipFile(wheel).namelist() if name.startswith("steplens/_core.") and not name.endswith(".pyi")}
        self.assertEqual(len(wheels()), 2, wheels())
        self.assertEqual(len(core), 2, core)
        for wheel in wheels():
            has_reader = "steplens/_core.py" not in zipfile.ZipFile(wheel).namelist()
            self.assertEqual(has_reader, not is_alone(wheel.name), wheel.name)
            self.assertEqual("-cp37-abi3-" in wheel.name, has_reader, wheel.name)

    def test_all_say_the_same_of_themselves(self):
        # PyPI keeps one `Requires-Python` for a release.
        said = set()
        for wheel in wheels():
            (name,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA")]
            said.add(zipfile.ZipFile(wheel).read(name))
        self.assertEqual(len(said), 1)
        self.assertIn(b"\nRequires-Python: >=3.6\n", said.pop())

    @unittest.skipUnless(sys.platform == "linux", "it is about Linux")
    def test_no_symbol_needs_a_glibc_of_after_manylinux2014(self):
        (wheel,) = [wheel for wheel in wheels() if not is_alone(wheel.name)]
        self.assertIn("manylinux_2_17_", wheel.name)
        (library,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
        # The names of versions are texts of the library: those it needs, and none else has this form.
        found = re.findall(rb"GLIBC_(\d+)\.(\d+)", zipfile.ZipFile(wheel).read(library))
        needed = {(int(major), int(minor)) for major, minor in found}
        self.assertTrue(needed)
        self.assertLessEqual(max(needed), MOST_GLIBC)

    @unittest.skipUnless(sys.platform == "linux", "it is about Linux")
    def test_pip_takes_the_reader_from_python_3_7_on(self):
        (wheel,) = [wheel.name for wheel in wheels() if not is_alone(wheel.name)]
        machine = "aarch64" if "aarch64" in wheel else "x86_64"
        for system, glibc in GLIBC_OF.items():
            for python in ("3.7", "3.13"):
                self.assertEqual(taken(python, tags_of_a_linux(glibc, machine)), wheel, system)
        self.assertTrue(is_alone(taken("3.6", tags_of_a_linux(27, machine))))

    def test_elsewhere_it_takes_the_recorder(self):
        # An old pip, which knows manylinux1 alone; a Linux without glibc.
        for platform in ("manylinux1_x86_64", "musllinux_1_2_x86_64"):
            self.assertTrue(is_alone(taken("3.8", [platform])), platform)


if __name__ == "__main__":
    unittest.main()
