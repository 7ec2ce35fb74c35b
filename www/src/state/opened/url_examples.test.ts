// Views as the page writes them into its address, in tests/golden/addresses.json with what they mean: the page reads there what it wrote, and
// a test of the program (crates/steplens-host/src/reading/kept.rs) reads the same. With STEPLENS_BLESS=1 the file is made again.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { test } from 'node:test';
import { ns } from '../../base/time';
import { ARRANGEMENTS, COLOR_BIES, OP_TIMES, REPAIRS, STEP_RULES } from '../../engine/protocol';
import { PITCHES } from '../layout/pitch';
import { TABS } from '../tabs';
import { WIDTHS, type OtherNote } from '../types';
import { writtenIn } from './redacted_view';
import { decodeView, encodeView, type ViewNote } from './url';

const FILE = '../tests/golden/addresses.json';
const COUNT = 200;
/** What an address has to escape, and what readers may take for something else. */
const LETTERS = [...'ab Z09&=+,;~#%?/:.!*\'()[]{}|^$\\"<>é中🐢', '~1', '%2C', '\t'];
const PATTERNS = ['^MatMul$', 'a,b&c\\+d\\.%20', 'Send|Recv', '[é中]+', 'x y=~;'];
const CHANGES = ['op=type:^Conv2D$=0.5', 'link=/job:ps/task:0->/job:a,=b/task:1=0', 'network=2', 'half=[é中]+&#', 'order=better'];
/** Names of tasks may hold what separates words. */
const TASKS = ['/job:ps/replica:0/task:0', '/job:a,=b/replica:0/task:12', '/job:w,,x/task:1', '/job:é%2C/task:3'];

/** The numbers of Marsaglia's xorshift: the same ones everywhere. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function exampleOf(below: (limit: number) => number): ViewNote {
  const often = () => below(3) > 0;
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = <T>(list: readonly T[]): T[] => list.filter(() => below(3) === 0);
  const maybe = <T>(make: () => T): T | null => (below(3) === 0 ? make() : null);
  const text = () => Array.from({ length: below(9) }, () => one(LETTERS)).join('');
  const devices = () => some([0, 1, 2, 3, 14]);
  const at = () => ns(below(1 << 30) * 1000 - (1 << 28) + below(1000) / 1000);
  const window = () => {
    const start = at();
    return { start, end: ns(start + 1 + below(1 << 30)) };
  };
  const tab = one(TABS);
  const query = often() ? text() : '';
  return {
    trace: '0.0',
    view: {
      rule: one(STEP_RULES),
      step: maybe(() => below(1000)),
      repairs: some(REPAIRS),
      op_time: one(OP_TIMES),
      clocks: often() ? [] : [...some(['estimated']), ...some(TASKS).map((task) => `${task}=${below(1 << 30) - (1 << 29)}`)],
    },
    communication: often() ? null : some(PATTERNS),
    window: maybe(window),
    scroll_y: often() ? 0 : below(5000),
    rows: {
      order: maybe(() => [2, 0, 1]),
      hidden: new Set(devices()),
      pinned: devices(),
      filter: often() ? '' : text(),
      folded: new Set(devices()),
      tall: new Set(devices()),
      opened: new Set(devices()),
      lane_size: often() ? 'auto' : below(PITCHES.length),
      arranged_by: one(ARRANGEMENTS),
    },
    color_by: maybe(() => one(COLOR_BIES.filter((by) => by !== 'category'))),
    op: maybe(() => below(1 << 30)),
    range: maybe(window),
    range_lanes: maybe(() => Uint32Array.of(0, 3, 4, 5, 12)),
    wall_clock: !often(),
    query,
    regex: query !== '' && !often(),
    notes: Array.from({ length: below(4) }, () => {
      const start_ns = at();
      return { start_ns, end_ns: ns(start_ns + below(2) * 5000), text: text() };
    }),
    tab,
    network_section: tab === 'network' ? one(['', 'exposed']) : '',
    changes: often() ? [] : some(CHANGES),
    other: null,
  };
}

/** What a third of them are compared with. */
function otherOf(below: (limit: number) => number): OtherNote | null {
  if (below(3) > 0) return null;
  const start = below(1 << 30) / 8;
  return {
    name: below(3) === 0 ? null : `b${LETTERS[below(LETTERS.length)]}.pb`,
    step: below(1000),
    widths: WIDTHS[below(WIDTHS.length)] ?? 'both',
    window: below(2) === 0 ? null : { start: ns(start), end: ns(start + 1 + below(1 << 30)) },
    aligned: below(2) === 0 ? null : below(1 << 30),
  };
}

/** What the program reads, too. */
function meaningOf(note: ViewNote) {
  const { rule, step, repairs, op_time, clocks } = note.view;
  return { address: encodeView(note), rule, step, repairs, op_time, clocks, communication: note.communication, written: writtenIn(note) };
}

test('the page reads what it wrote, and the examples are what it writes', () => {
  const below = numbers(20_161_109);
  // Of numbers of their own, so that the other fields stay as they were.
  const of_other = numbers(20_261_126);
  const notes = Array.from({ length: COUNT }, () => exampleOf(below)).map((note) => ({ ...note, other: otherOf(of_other) }));
  for (const note of notes) assert.deepEqual(decodeView(encodeView(note)), note);
  const made = `[\n${notes.map((note) => JSON.stringify(meaningOf(note))).join(',\n')}\n]\n`;
  if (env['STEPLENS_BLESS']) writeFileSync(FILE, made);
  assert.equal(readFileSync(FILE, 'utf8'), made, 'run STEPLENS_BLESS=1 node www/test.mjs');
});
