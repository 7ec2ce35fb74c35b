"""Compares what Steplens says of recordings with the second opinion of read.py.

    python compare.py STEPLENS FOLDER

STEPLENS is the program, FOLDER holds .pb files. Every command has to answer for each; ops, spans, busy times, joined events and their threads
have to be equal; and no problem may be found. Prints a line a file, and what differs."""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import read

COMMANDS = ['summary', 'ops', 'transfers', 'clocks', 'steps', 'network', 'doctor', 'memory', 'critical-path', 'scheduling', 'highlights']


def said(steplens, command, path, form='--json'):
    made = subprocess.run([steplens, command, form, str(path)], capture_output=True, encoding='utf-8')
    return made.stdout if made.returncode == 0 else None


def threads_of(steplens, path, folder):
    """By op: the thread in the table of ops that `export` writes."""
    out = folder / 'tables.zip'
    subprocess.run([steplens, 'export', '--format', 'csv', str(path), '-o', str(out)], capture_output=True)
    with zipfile.ZipFile(out) as tables:
        name = next(name for name in tables.namelist() if name.endswith('ops.csv'))
        rows = csv.DictReader(tables.read(name).decode().splitlines())
        return {'%s %s %s' % (row['device'], row['start_ns'], row['name']): int(row['thread']) for row in rows}


def differences(steplens, path, folder):
    own = read.figures(path.read_bytes())
    if own['ops'] == 0:
        # The eager context's RunMetadata has graphs and no times.
        if said(steplens, 'summary', path) is not None:
            yield 'an answer without any op'
        return
    for command in COMMANDS:
        if said(steplens, command, path) is None:
            yield 'no answer of %s' % command
    summary = json.loads(said(steplens, 'summary', path) or '{}')
    if not summary:
        return
    found = {device['name']: device for device in summary['devices'] if device['kind'] != 'host-profiler'}
    for what, ours, theirs in [('span', summary['span_ns'], own['span']), ('ops', summary['ops'], own['ops']), ('devices', set(found), set(own['devices']))]:
        if ours != theirs:
            yield '%s: %s, not %s' % (what, ours, theirs)
    for name in set(found) & set(own['devices']):
        for what, ours in [('ops', found[name]['ops']), ('busy', found[name]['busy_ns'])]:
            if ours != own['devices'][name][what]:
                yield '%s of %s: %s, not %s' % (what, name, ours, own['devices'][name][what])
    # The step bar is the mean of the devices.
    mean = sum(device['compute_ns'] for device in found.values()) / max(1, len(found))
    if abs(summary['step']['compute_ns'] - mean) > 1:
        yield 'step bar: %s, not %s' % (summary['step']['compute_ns'], mean)
    rows = list(csv.DictReader((said(steplens, 'ops', path, '--csv') or '').splitlines()))
    for name, device in own['devices'].items():
        mine = [row for row in rows if row['device'] == name]
        sums = {
            'sum': sum(int(row['end_ns']) - int(row['start_ns']) for row in mine),
            'scheduled': sum(row['scheduled_ns'] != '' for row in mine),
            'queued': sum(int(row['start_ns']) - int(row['scheduled_ns']) for row in mine if row['scheduled_ns'] != ''),
        }
        for what, ours in sums.items():
            if ours != device[what]:
                yield '%s of %s: %s, not %s' % (what, name, ours, device[what])
    if len(rows) != own['ops']:
        yield 'ops --csv has %d rows, not %d' % (len(rows), own['ops'])
    host = summary.get('host_profile', {'events': 0, 'joined': 0, 'unjoined': 0})
    for what in ('events', 'joined'):
        if host[what] != own['host'][what]:
            yield 'host profiler, %s: %s, not %s' % (what, host[what], own['host'][what])
    threads = threads_of(steplens, path, folder)
    wrong = [op for op, thread in own['host']['threads'].items() if threads.get(op) != thread]
    if wrong:
        yield 'threads of %d of %d ops differ: %s' % (len(wrong), len(own['host']['threads']), wrong[:3])
    problems = [problem['code'] for file in summary['files'] for problem in file['problems']]
    findings = [finding['code'] for finding in json.loads(said(steplens, 'doctor', path))['findings'] if not finding['is_note']]
    if problems or findings:
        yield 'found: %s' % (problems + findings)


def main(steplens, folder):
    folder, bad = pathlib.Path(folder), 0
    paths = sorted(folder.glob('*.pb'))
    with tempfile.TemporaryDirectory() as out:
        for path in paths:
            wrong = list(differences(steplens, path, pathlib.Path(out)))
            bad += bool(wrong)
            print(path.name, 'as read' if not wrong else '; '.join(wrong), flush=True)
    print('%d files, %d of them otherwise than read' % (len(paths), bad))
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2]))
