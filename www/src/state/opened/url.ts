// The view as a URL fragment, and back: `#w=0,339000000&y=120&op=77`.
//
// `k` says which files the rest is about (their ops and span), so that a fragment is not applied to others.
import { ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import {
  ARRANGEMENTS,
  COLOR_BIES,
  OP_TIMES,
  REPAIRS,
  STEP_RULES,
  type ColorBy,
  type DeviceId,
  type Summary,
  type View,
} from '../../engine/protocol';
import { clockWords } from './clock_words';
import { patternsOf, patternsText, samePatterns } from './pattern_words';
import { ALL_STEPS } from './steps';
import { PITCHES } from '../layout/pitch';
import type { Rows } from '../layout/rows';
import { LONGEST_TEXT, MOST_NOTES } from './notes';
import type { State } from '../state';
import { wholeStep } from '../scope';
import { TABS, type Tab } from '../tabs';
import type { NoteText } from '../types';

export interface ViewNote {
  trace: string;
  view: Omit<View, 'communication'>;
  /** Null for what the files were opened with. */
  communication: readonly string[] | null;
  window: Window | null;
  scroll_y: number;
  rows: Rows;
  /** Null for what the user wants everywhere. */
  color_by: ColorBy | null;
  op: number | null;
  range: Window | null;
  range_lanes: Uint32Array | null;
  wall_clock: boolean;
  query: string;
  /** Whether the query is a regular expression. */
  regex: boolean;
  notes: readonly NoteText[];
  tab: Tab;
  network_section: string;
}

const pair = (window: Window): string => `${round(window.start)},${round(window.end)}`;
const round = (value: number): number => Math.round(value * 1000) / 1000;

export const keyOf = ({ ops, span_ns }: Summary): string => `${ops}.${span_ns}`;

export function viewNote(state: State): ViewNote | null {
  const { trace } = state;
  if (!trace) return null;
  const whole = wholeStep(state);
  const { window } = state;
  const { communication, ...view } = trace.view;
  return {
    trace: keyOf(trace.whole),
    view,
    communication: samePatterns(communication, trace.options.communication) ? null : communication,
    window: window.start === whole.start && window.end === whole.end ? null : window,
    scroll_y: Math.round(state.scroll_y),
    rows: state.rows,
    color_by: state.color_by,
    op: state.selection?.op ?? null,
    range: state.range,
    range_lanes: state.range_lanes,
    wall_clock: state.wall_clock,
    query: state.search.query,
    regex: state.search.regex,
    notes: state.notes,
    tab: state.tab,
    network_section: state.tab === 'network' ? state.network_section : '',
  };
}

export function encodeView(note: ViewNote): string {
  const fields: [string, string][] = [['k', note.trace]];
  if (note.view.rule !== ALL_STEPS.rule) fields.push(['steps', note.view.rule]);
  if (note.view.step !== null) fields.push(['step', String(note.view.step + 1)]);
  if (note.view.op_time !== ALL_STEPS.op_time) fields.push(['time', note.view.op_time]);
  fields.push(['clocks', note.view.clocks.join(',')]);
  fields.push(['fix', note.view.repairs.join(',')]);
  if (note.communication) fields.push(['com', patternsText(note.communication)]);
  if (note.window) fields.push(['w', pair(note.window)]);
  if (note.scroll_y) fields.push(['y', String(note.scroll_y)]);
  const { rows } = note;
  if (rows.lane_size !== 'auto') fields.push(['l', String(rows.lane_size)]);
  const devices: [string, Iterable<DeviceId>][] = [
    ['order', rows.order ?? []],
    ['hide', rows.hidden],
    ['pin', rows.pinned],
    ['fold', rows.folded],
    ['tall', rows.tall],
    ['open', rows.opened],
  ];
  for (const [name, ids] of devices) fields.push([name, [...ids].join(',')]);
  fields.push(['f', rows.filter]);
  if (rows.arranged_by !== 'packed') fields.push(['by', rows.arranged_by]);
  if (note.color_by && note.color_by !== 'category') fields.push(['color', note.color_by]);
  if (note.op !== null) fields.push(['op', String(note.op)]);
  if (note.range) fields.push(['r', pair(note.range)]);
  if (note.range_lanes) fields.push(['rl', runsText(note.range_lanes)]);
  if (note.wall_clock) fields.push(['t', 'utc']);
  if (note.query !== '') fields.push([note.regex ? 'rx' : 'q', note.query]);
  fields.push(['n', note.notes.map(noteText).join(';')]);
  if (note.tab !== 'selection') fields.push(['tab', note.tab]);
  if (note.tab === 'network') fields.push(['net', note.network_section]);
  return fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');
}

/** What a fragment says, or null where it is none of ours. Anything malformed in it is left out. */
export function decodeView(fragment: string): ViewNote | null {
  const fields = new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B'));
  const trace = fields.get('k');
  if (trace === null) return null;
  const tab = fields.get('tab') ?? '';
  const idOf = (name: string): number | null => {
    const id = numbers(fields.get(name))[0];
    return id !== undefined && Number.isInteger(id) && id >= 0 ? id : null;
  };
  const size = numbers(fields.get('l'))[0];
  const devices = (name: string) => numbers(fields.get(name)).filter((id) => Number.isInteger(id) && id >= 0);
  return {
    trace,
    view: {
      rule: STEP_RULES.find((known) => known === fields.get('steps')) ?? ALL_STEPS.rule,
      step: stepOf(fields.get('step')),
      repairs: REPAIRS.filter((known) => (fields.get('fix') ?? '').split(',').includes(known)),
      op_time: OP_TIMES.find((known) => known === fields.get('time')) ?? ALL_STEPS.op_time,
      clocks: clockWords(fields.get('clocks') ?? ''),
    },
    communication: fields.has('com') ? patternsOf(fields.get('com') ?? '') : null,
    window: windowOf(fields.get('w')),
    scroll_y: numbers(fields.get('y'))[0] ?? 0,
    rows: {
      order: devices('order').length > 0 ? devices('order') : null,
      hidden: new Set(devices('hide')),
      pinned: [...new Set(devices('pin'))],
      filter: fields.get('f') ?? '',
      folded: new Set(devices('fold')),
      tall: new Set(devices('tall')),
      opened: new Set(devices('open')),
      arranged_by: ARRANGEMENTS.find((known) => known === fields.get('by')) ?? 'packed',
      lane_size: size !== undefined && PITCHES[size] ? size : 'auto',
    },
    color_by: COLOR_BIES.find((known) => known === fields.get('color')) ?? null,
    op: idOf('op'),
    range: windowOf(fields.get('r')),
    range_lanes: lanesOf(fields.get('rl')),
    wall_clock: fields.get('t') === 'utc',
    query: fields.get('rx') ?? fields.get('q') ?? '',
    regex: fields.has('rx'),
    notes: notesOf(fields.get('n')),
    tab: TABS.find((known) => known === tab) ?? 'selection',
    network_section: (tab === 'network' && fields.get('net')) || '',
  };
}

/** Steps are counted from 1 wherever a user reads their number, and from 0 inside. */
function stepOf(text: string | null): number | null {
  const number = numbers(text)[0];
  return number !== undefined && Number.isInteger(number) && number >= 1 ? number - 1 : null;
}

const numbers = (text: string | null): number[] =>
  text === null || text === '' ? [] : text.split(',').map(Number).filter(Number.isFinite);

function windowOf(text: string | null): Window | null {
  const [start, end] = numbers(text);
  return start !== undefined && end !== undefined && end > start ? { start: ns(start), end: ns(end) } : null;
}

/** Lanes, ascending, as runs: `3-9,12`. */
function runsText(lanes: Uint32Array): string {
  const runs: [number, number][] = [];
  for (const lane of lanes) {
    const last = runs[runs.length - 1];
    if (last && lane === last[1] + 1) last[1] = lane;
    else runs.push([lane, lane]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** More than any trace has; a fragment from anywhere must not ask for all numbers there are. */
const MOST_LANES = 1 << 20;

function lanesOf(text: string | null): Uint32Array | null {
  const lanes = new Set<number>();
  for (const run of (text ?? '').split(',')) {
    const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(run) ?? [];
    if (first === undefined) continue;
    for (let lane = Number(first); lane <= Number(last ?? first) && lanes.size < MOST_LANES; lane++) lanes.add(lane);
  }
  return lanes.size > 0 ? Uint32Array.from(lanes).sort() : null;
}

/** `start,end,text`; what separates notes is written otherwise within a text. */
const noteText = ({ start_ns, end_ns, text }: NoteText): string =>
  `${round(start_ns)},${round(end_ns)},${text.replaceAll('~', '~0').replaceAll(';', '~1')}`;

function notesOf(text: string | null): NoteText[] {
  const parts = (text ?? '').split(';', MOST_NOTES);
  return parts.flatMap((part) => {
    const [, start, end, name] = /^(-?[\d.]+),(-?[\d.]+),(.*)$/s.exec(part) ?? [];
    const [start_ns, end_ns] = [Number(start), Number(end)];
    if (name === undefined || !(end_ns >= start_ns) || !Number.isFinite(end_ns - start_ns)) return [];
    const read = name.replaceAll('~1', ';').replaceAll('~0', '~').slice(0, LONGEST_TEXT);
    return [{ start_ns: ns(start_ns), end_ns: ns(end_ns), text: read }];
  });
}
