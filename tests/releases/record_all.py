"""Records with every release of environments.txt that installs here, each in a virtual environment of its own.

    python record_all.py FOLDER [RELEASE...] [--all]

FOLDER/environments has the environments, some 600 MB each, and FOLDER/recordings what they record: `cluster` and `queue` of each release, with
--all every scenario. What is there already stays. Finds the Pythons as `python3.X` on the path, or through pyenv."""

import os
import pathlib
import shutil
import subprocess
import sys


def environments():
    lines = (pathlib.Path(__file__).parent / 'environments.txt').read_text().splitlines()
    for line in lines:
        if line and not line.startswith('#'):
            release, python, package, *others = line.split()
            yield release, python, ['%s==%s' % (package, release)] + others


def find_python(version):
    """A Python of this minor version; None if there is none."""
    found = shutil.which('python' + version)
    own = pathlib.Path(os.environ.get('PYENV_ROOT', pathlib.Path.home() / '.pyenv')) / 'versions'
    of_pyenv = sorted(own.glob(version + '.*/bin/python')) if own.is_dir() else []
    return str(of_pyenv[-1]) if of_pyenv else found


def environment(folder, python, requirements):
    """The Python of the environment in `folder`, made where it is not there; None, with the reason said, where that fails."""
    own = folder / 'bin' / 'python'
    if (folder / 'installed').exists():
        return own
    shutil.rmtree(folder, ignore_errors=True)
    pip = [str(own), '-m', 'pip', 'install', '--quiet', '--no-cache-dir', '--disable-pip-version-check']
    # The pip of an old Python does not know today's wheels.
    newer = 'pip==21.3.1' if python.endswith('3.6') or '/3.6.' in python else 'pip==24.0'
    for command in ([python, '-m', 'venv', str(folder)], pip + [newer], pip + requirements):
        made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')
        if made.returncode:
            print('not installed: %s: %s' % (' '.join(requirements), made.stdout.strip().splitlines()[-1:]), flush=True)
            return None
    (folder / 'installed').touch()
    return own


def main(arguments):
    folder = pathlib.Path(arguments[0])
    scenarios = ['all'] if '--all' in arguments else ['cluster', 'queue', 'cluster-processes']
    wanted = [argument for argument in arguments[1:] if not argument.startswith('--')]
    recordings = folder / 'recordings'
    recordings.mkdir(parents=True, exist_ok=True)
    for release, version, requirements in environments():
        if wanted and release not in wanted:
            continue
        if (recordings / ('queue-%s.pb' % release)).exists() and scenarios != ['all']:
            continue
        python = find_python(version)
        own = python and environment(folder / 'environments' / release, python, requirements)
        if not python:
            print('not recorded: %s needs Python %s, which is not here' % (release, version), flush=True)
        if own:
            subprocess.run([str(own), str(pathlib.Path(__file__).parent / 'record.py'), str(recordings)] + scenarios)


if __name__ == '__main__':
    main(sys.argv[1:])
