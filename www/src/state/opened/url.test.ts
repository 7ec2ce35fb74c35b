// A view survives the way through the URL, whatever its search text; a foreign fragment is no view.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../../base/time';
import { FIELDS } from '../../engine/contract/view_fields';
import { ALL_ROWS } from '../layout/rows';
import { decodeView, encodeView, type ViewNote } from './url';
import { ALL_STEPS } from './steps';

const note: ViewNote = {
  trace: '4175.338961873',
  view: {
    rule: 'file',
    step: 3,
    repairs: ['far-ops'],
    op_time: 'gpu',
    clocks: ['estimated', '/job:a,=7b/replica:0/task:2=-12500000', '/job:w/task:1=0'],
  },
  communication: ['^MatMul$', 'a,b&c+d\\.%20'],
  window: { start: ns(-12.5), end: ns(338961873) },
  scroll_y: 120,
  rows: {
    order: [2, 0, 1, 3, 4],
    hidden: new Set([3]),
    pinned: [4, 0],
    filter: 'worker 1 & 2',
    folded: new Set([1, 4]),
    tall: new Set([2]),
    opened: new Set([0, 3]),
    lane_size: 3,
    arranged_by: 'op_type',
  },
  color_by: 'op_type',
  op: 77,
  range: { start: ns(10), end: ns(20) },
  range_lanes: Uint32Array.of(0, 3, 4, 5, 12),
  wall_clock: true,
  query: 'a&b=c+d #<x>%20',
  regex: true,
  notes: [
    { start_ns: ns(5), end_ns: ns(5), text: 'a;b~1,c&d=~0 <i>' },
    { start_ns: ns(7.5), end_ns: ns(90), text: '' },
  ],
  tab: 'network',
  network_section: 'exposed',
  changes: ['op=type:^Conv2D$=0.5', 'link=/job:ps/task:0->/job:worker/task:1=0', 'order=better'],
  other: { name: 'b & c.pb', step: 2, widths: 'a', window: { start: ns(-1), end: ns(99.5) }, aligned: 7 },
};

test('a view comes back as it was', () => {
  assert.deepEqual(decodeView('#' + encodeView(note)), note);
});

test('a step has the number that the list gives it', () => {
  assert.match(encodeView(note), /&step=4&/);
  assert.equal(decodeView('#k=1.1&step=1')?.view.step, 0);
  for (const odd of ['0', '-1', '1.5', 'x', '']) assert.equal(decodeView(`#k=1.1&step=${odd}`)?.view.step, null);
});

test('what is at its default takes no room', () => {
  const plain: ViewNote = {
    ...note,
    other: null,
    view: { rule: ALL_STEPS.rule, step: null, repairs: [], op_time: ALL_STEPS.op_time, clocks: [] },
    communication: null,
    window: null,
    scroll_y: 0,
    rows: ALL_ROWS,
    color_by: null,
    op: null,
    range: null,
    range_lanes: null,
    wall_clock: false,
    query: '',
    regex: false,
    notes: [],
    tab: 'selection',
    network_section: '',
    changes: [],
  };
  assert.equal(encodeView(plain), 'k=4175.338961873');
  assert.deepEqual(decodeView(encodeView(plain)), plain);
});

test('an address can say that there is no pattern', () => {
  assert.deepEqual(decodeView(encodeView({ ...note, communication: [] }))?.communication, []);
});

test('foreign and malformed fragments do no harm', () => {
  assert.equal(decodeView('#section-2'), null);
  const broken = decodeView('#k=1.2&w=5,1&op=-3&tab=<b>&l=9999&hide=-1,x,2.5&n=1,0,a;x;3,4;5,6,fine&rl=x,9-3,0-999999999');
  assert.deepEqual([broken?.window, broken?.op, broken?.tab, broken?.rows.lane_size], [null, null, 'selection', 'auto']);
  assert.equal(broken?.rows.hidden.size, 0);
  assert.deepEqual(broken?.notes, [{ start_ns: 5, end_ns: 6, text: 'fine' }]);
  assert.ok((broken?.range_lanes?.length ?? Infinity) < 2e6);
});

test('clocks are words, and tasks may have commas in their names', () => {
  const of = (clocks: string) => decodeView(`#k=1.1&clocks=${encodeURIComponent(clocks)}`)?.view.clocks;
  assert.deepEqual(of('estimated,/job:a,=b/task:1=-7,/job:w,,x=3'), ['estimated', '/job:a,=b/task:1=-7', '/job:w,,x=3']);
  assert.deepEqual(of(',,estimated,,=5,a==6,b=1234567890123456789,estimated'), ['estimated', 'a==6', 'estimated']);
  assert.deepEqual(of('=5'), []);
});

/** What a field of a hostile address may be full of. */
const UNITS = [
  'a',
  ',',
  '=',
  '0',
  '9',
  '-',
  '~',
  '+',
  '%2C',
  '%0A',
  '0-9999,',
  '1,1,',
  '-1,',
  '0,9,x;',
  '0,9,~',
  'a=1,',
  '=-1',
  'estimated,',
  '.',
  '(',
  'é',
  '%',
];

test('hostile addresses of 100,000 letters are read in a moment', () => {
  // Where a field took the square of its letters, as the words of clocks did, these would take hours.
  for (const field of Object.values(FIELDS)) {
    for (const unit of UNITS) {
      const note = decodeView(`#k=1.1&${field}=${unit.repeat(Math.ceil(1e5 / unit.length))}`);
      assert.ok(note === null || (note.range_lanes?.length ?? 0) <= 1 << 20, `${field}, ${unit}`);
    }
  }
});

test('1,000 hostile addresses', () => {
  let state = 50;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const names = Object.values(FIELDS);
  for (let at = 0; at < 1_000; at++) {
    const fields = Array.from({ length: 1 + below(8) }, () => {
      const units = Array.from({ length: 1 + below(4) }, () => UNITS[below(UNITS.length)] ?? '');
      return `${names[below(names.length)]}=${units.map((unit) => unit.repeat(1 + below(400))).join('')}`;
    });
    const note = decodeView(`#k=1.1&${fields.join('&')}`);
    if (!note) continue;
    // What was read is written, and read again as the same.
    const again = decodeView(encodeView(note));
    assert.deepEqual(again?.view, note.view, `address ${at}`);
    assert.deepEqual(again?.notes, note.notes, `address ${at}`);
  }
});

test('runs that name the same lanes again and again cost no more than one', () => {
  // Walked one by one, these would be 10^11 lanes.
  const runs = Array.from({ length: 100_000 }, () => '0-1000000').join(',');
  const lanes = decodeView(`#k=1.1&rl=${runs}`)?.range_lanes;
  assert.ok((lanes?.length ?? 0) > 1_000_000);
});
