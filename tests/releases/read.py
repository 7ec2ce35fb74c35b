"""Reads RunMetadata with nothing but Python's standard library: a second opinion that shares no line with Steplens.

    python read.py FILE...

Prints a JSON object for each file: by device its ops and their times in ns; and of `/host:CPU` which of its events are ops of the executor,
on which threads."""

import collections
import json
import sys

DAY_NS = 86400 * 10 ** 9
TRANSFER_NODES = ('_Send', '_Recv', '_HostSend', '_HostRecv')


def varint(data, at):
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return result, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            length = 8 if key & 7 == 1 else 4
            value, at = data[at:at + length], at + length
        yield key >> 3, value


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def op_of(data):
    """A NodeExecStats: nanoseconds count before microseconds where they are set."""
    found = {field: value for field, value in fields(data) if isinstance(value, bytes) or field < 18}
    number = lambda field: signed(found.get(field, 0))
    time = lambda nanos, micros: number(nanos) or number(micros) * 1000
    start, scheduled = time(13, 2), time(17, 9)
    if scheduled and abs(scheduled - start) > DAY_NS:
        # 1.11 to 2.19 multiply nanoseconds by 1,000, in 64 bits that overflow.
        later = signed((scheduled - start * 1000) % (1 << 64))
        scheduled = start + later // 1000 if later % 1000 == 0 and abs(later) // 1000 <= DAY_NS else scheduled
    text = lambda field: found.get(field, b'').decode('utf-8', 'replace')
    return {'name': text(1), 'label': text(8), 'start': start, 'end': start + max(0, time(16, 5)), 'scheduled': scheduled or None, 'thread': number(10)}


def read(data):
    """By device: ops, and names of threads."""
    devices = collections.OrderedDict()
    for field, value in fields(data):
        if field != 1:
            continue
        for _, device in fields(value):
            name, ops, threads = '', [], {}
            for inner, part in fields(device):
                if inner == 1:
                    name = part.decode()
                elif inner == 2:
                    ops.append(op_of(part))
                elif inner == 3:
                    entry = dict(fields(part))
                    threads[entry.get(1, 0)] = entry.get(2, b'').decode()
            known = devices.setdefault(name, ([], {}))
            known[0].extend(ops)
            known[1].update(threads)
    return devices


def union(ops):
    """How long at least one of `ops` ran."""
    total, until = 0, None
    for start, end in sorted((op['start'], op['end']) for op in ops):
        start = start if until is None else max(start, until)
        if end > start:
            total += end - start
        until = end if until is None else max(until, end)
    return total


def pairs_of(label):
    return dict(pair.split('=', 1) for pair in label.split(',') if '=' in pair)


def join(events, ops):
    """Gives each op of the executor the event that repeats it: same node, same device if it is said, begun within the op. By brute force."""
    around = {}
    for event in sorted(events, key=lambda event: event['start']):
        said = pairs_of(event['label'])
        event['run'], event['device'] = said.get('id'), said.get('device')
        if event['name'] == 'ExecutorState::Process':
            around[event['thread']] = event
        elif event['run'] is None and event['thread'] in around and event['start'] <= around[event['thread']]['end']:
            event['run'] = around[event['thread']]['run']
    named = [event for event in events if ':' in event['name'] and '::' not in event['name']]
    named = [event for event in named if not event['name'].endswith(TRANSFER_NODES)]
    by_name = collections.defaultdict(list)
    for op in ops:
        by_name[op['name']].append(op)

    def pass_over(wanted):
        for event in sorted(wanted, key=lambda event: event['start']):
            fits = [
                op for op in by_name[event['name'].rsplit(':', 1)[0]]
                if 'event' not in op and op['start'] <= event['start'] + 1000 and event['start'] <= op['end'] and event['device'] in (None, op['device'])
            ]
            if fits:
                max(fits, key=lambda op: op['start'])['event'] = event

    # A run belongs to the step if more than half of its events begin within an op of their name, and are ops that no other run of it is:
    # functions that are not inlined are runs of their own. The one that fits most events is the step's in any case.
    fits = collections.defaultdict(lambda: [0, 0])
    for event in named:
        begins = any(op['start'] <= event['start'] + 1000 and event['start'] <= op['end'] for op in by_name[event['name'].rsplit(':', 1)[0]])
        fits[event['run']][0] += 1
        fits[event['run']][1] += begins
    fits.pop(None, None)
    of_runs = lambda runs: [event for event in named if event['run'] in runs]
    found = [run for run in fits if fits[run][1]]
    if found:
        first = min(found, key=lambda run: (-fits[run][1], int(run)))
        others = [run for run in found if run != first and fits[run][1] * 2 > fits[run][0]]
        pass_over(of_runs([first]))
        pass_over(of_runs(others))
        tried = [op for op in ops if 'event' in op and op['event']['run'] != first]
        joined = collections.Counter(op['event']['run'] for op in tried)
        for op in tried:
            del op['event']
        pass_over(of_runs([run for run in others if joined[run] * 2 > fits[run][0]]))
    pass_over([event for event in named if event['run'] is None])


def figures(data):
    devices = read(data)
    hosts = [name for name in devices if name.split('/')[-1] == 'host:CPU']
    executors = [name for name in devices if name.startswith('/job:') and name not in hosts]
    hosts = hosts if executors else []
    real = [name for name in devices if name not in hosts]
    ops = [dict(op, device=name) for name in real for op in devices[name][0]]
    if not ops:
        return {'devices': {}, 'span': 0, 'ops': 0, 'host': {'events': 0, 'joined': 0, 'threads': {}}}
    origin = min(op['start'] for op in ops)
    found = {'span': max(op['end'] for op in ops) - origin, 'ops': len(ops), 'devices': {}}
    for name in real:
        own = devices[name][0]
        found['devices'][name] = {
            'ops': len(own),
            'sum': sum(op['end'] - op['start'] for op in own),
            'busy': union(own),
            'first': min((op['start'] for op in own), default=origin) - origin,
            'last': max((op['end'] for op in own), default=origin) - origin,
            'scheduled': sum(op['scheduled'] is not None for op in own),
            'queued': sum(op['start'] - op['scheduled'] for op in own if op['scheduled'] is not None),
        }
    events = [event for name in hosts for event in devices[name][0]]
    executed = [op for op in ops if op['device'] in executors]
    join(events, executed)
    joined = [op for op in executed if 'event' in op]
    threads = {'%s %d %s' % (op['device'], op['start'] - origin, op['name']): op['event']['thread'] for op in joined}
    found['host'] = {'events': len(events), 'joined': len(joined), 'threads': threads}
    return found


if __name__ == '__main__':
    for path in sys.argv[1:]:
        with open(path, 'rb') as file:
            print(json.dumps({'file': path.split('/')[-1], **figures(file.read())}, sort_keys=True))
