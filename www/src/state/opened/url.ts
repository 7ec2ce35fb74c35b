// The view as a URL fragment, and back: `#w=0,339000000&y=120&op=77`. The program reads it, too (crates/steplens-formats/src/address.rs).
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
import {
  BEFORE_VALUE,
  BETWEEN_FIELDS,
  BETWEEN_NOTES,
  BETWEEN_PARTS,
  BETWEEN_PATTERNS,
  FIELDS,
  IN_A_NOTE,
} from '../../engine/contract/view_fields';
import { clockWords } from './clock_words';
import { patternsOf, patternsText, samePatterns } from './pattern_words';
import { ALL_STEPS } from './steps';
import { PITCHES } from '../layout/pitch';
import type { Rows } from '../layout/rows';
import { LONGEST_TEXT, MOST_NOTES } from './notes';
import type { State } from '../state';
import { wholeStep } from '../scope';
import { TABS, type Tab } from '../tabs';
import { WIDTHS, type NoteText, type OtherNote } from '../types';

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
  /** What a replay of the step has different. */
  changes: readonly string[];
  /** What it is compared with; null where it is not. */
  other: OtherNote | null;
}

const otherNote = ({ other, mirror }: State): OtherNote | null =>
  other && {
    name: other.sources === null ? null : (other.whole.files[0]?.name ?? ''),
    step: other.view.step,
    widths: mirror.widths,
    window: mirror.window,
    aligned: mirror.align?.op ?? null,
  };

const pair = (window: Window): string => [round(window.start), round(window.end)].join(BETWEEN_PARTS);
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
    changes: state.changes,
    other: otherNote(state) ?? state.wanted_other,
  };
}

export function encodeView(note: ViewNote): string {
  const fields: [string, string][] = [[FIELDS.files, note.trace]];
  if (note.view.rule !== ALL_STEPS.rule) fields.push([FIELDS.step_rule, note.view.rule]);
  if (note.view.step !== null) fields.push([FIELDS.step, String(note.view.step + 1)]);
  if (note.view.op_time !== ALL_STEPS.op_time) fields.push([FIELDS.op_time, note.view.op_time]);
  fields.push([FIELDS.clocks, note.view.clocks.join(BETWEEN_PARTS)]);
  fields.push([FIELDS.repairs, note.view.repairs.join(BETWEEN_PARTS)]);
  if (note.communication) fields.push([FIELDS.communication, patternsText(note.communication)]);
  if (note.window) fields.push([FIELDS.window, pair(note.window)]);
  if (note.scroll_y) fields.push([FIELDS.scroll_y, String(note.scroll_y)]);
  const { rows } = note;
  if (rows.lane_size !== 'auto') fields.push([FIELDS.lane_size, String(rows.lane_size)]);
  const devices: [string, Iterable<DeviceId>][] = [
    [FIELDS.order, rows.order ?? []],
    [FIELDS.hidden, rows.hidden],
    [FIELDS.pinned, rows.pinned],
    [FIELDS.folded, rows.folded],
    [FIELDS.tall, rows.tall],
    [FIELDS.opened, rows.opened],
  ];
  for (const [name, ids] of devices) fields.push([name, [...ids].join(BETWEEN_PARTS)]);
  fields.push([FIELDS.filter, rows.filter]);
  if (rows.arranged_by !== 'packed') fields.push([FIELDS.arranged_by, rows.arranged_by]);
  if (note.color_by && note.color_by !== 'category') fields.push([FIELDS.color_by, note.color_by]);
  if (note.op !== null) fields.push([FIELDS.op, String(note.op)]);
  if (note.range) fields.push([FIELDS.range, pair(note.range)]);
  if (note.range_lanes) fields.push([FIELDS.range_lanes, runsText(note.range_lanes)]);
  if (note.wall_clock) fields.push([FIELDS.wall_clock, 'utc']);
  if (note.query !== '') fields.push([note.regex ? FIELDS.expression : FIELDS.query, note.query]);
  fields.push([FIELDS.notes, note.notes.map(noteText).join(BETWEEN_NOTES)]);
  if (note.tab !== 'selection') fields.push([FIELDS.tab, note.tab]);
  if (note.tab === 'network') fields.push([FIELDS.network_section, note.network_section]);
  fields.push([FIELDS.changes, note.changes.join(BETWEEN_PATTERNS)]);
  if (note.other) fields.push(...otherFields(note.other));
  return fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => name + BEFORE_VALUE + encodeURIComponent(value).replaceAll(encodeURIComponent(BETWEEN_PARTS), BETWEEN_PARTS))
    .join(BETWEEN_FIELDS);
}

function otherFields({ name, step, widths, window, aligned }: OtherNote): [string, string][] {
  // Without a name it is the same trace, which the step says then.
  return [
    [FIELDS.other, name ?? ''],
    [FIELDS.other_step, step === null ? (name === null ? '0' : '') : String(step + 1)],
    [FIELDS.widths, widths === 'both' ? '' : widths],
    [FIELDS.mirror_window, window ? pair(window) : ''],
    [FIELDS.aligned, aligned === null ? '' : String(aligned)],
  ];
}

function otherOf(fields: URLSearchParams, aligned: number | null): OtherNote | null {
  const name = fields.get(FIELDS.other);
  if (name === null && !fields.has(FIELDS.other_step)) return null;
  return {
    name,
    step: stepOf(fields.get(FIELDS.other_step)),
    widths: WIDTHS.find((known) => known === fields.get(FIELDS.widths)) ?? 'both',
    window: windowOf(fields.get(FIELDS.mirror_window)),
    aligned,
  };
}

/** What a fragment says, or null where it is none of ours. Anything malformed in it is left out. */
export function decodeView(fragment: string): ViewNote | null {
  const fields = new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B'));
  const trace = fields.get(FIELDS.files);
  if (trace === null) return null;
  const tab = fields.get(FIELDS.tab) ?? '';
  const idOf = (name: string): number | null => {
    const id = numbers(fields.get(name))[0];
    return id !== undefined && Number.isInteger(id) && id >= 0 ? id : null;
  };
  const size = numbers(fields.get(FIELDS.lane_size))[0];
  const devices = (name: string) => numbers(fields.get(name)).filter((id) => Number.isInteger(id) && id >= 0);
  return {
    trace,
    view: {
      rule: STEP_RULES.find((known) => known === fields.get(FIELDS.step_rule)) ?? ALL_STEPS.rule,
      step: stepOf(fields.get(FIELDS.step)),
      repairs: REPAIRS.filter((known) => (fields.get(FIELDS.repairs) ?? '').split(BETWEEN_PARTS).includes(known)),
      op_time: OP_TIMES.find((known) => known === fields.get(FIELDS.op_time)) ?? ALL_STEPS.op_time,
      clocks: clockWords(fields.get(FIELDS.clocks) ?? ''),
    },
    communication: fields.has(FIELDS.communication) ? patternsOf(fields.get(FIELDS.communication) ?? '') : null,
    window: windowOf(fields.get(FIELDS.window)),
    scroll_y: numbers(fields.get(FIELDS.scroll_y))[0] ?? 0,
    rows: {
      order: devices(FIELDS.order).length > 0 ? devices(FIELDS.order) : null,
      hidden: new Set(devices(FIELDS.hidden)),
      pinned: [...new Set(devices(FIELDS.pinned))],
      filter: fields.get(FIELDS.filter) ?? '',
      folded: new Set(devices(FIELDS.folded)),
      tall: new Set(devices(FIELDS.tall)),
      opened: new Set(devices(FIELDS.opened)),
      arranged_by: ARRANGEMENTS.find((known) => known === fields.get(FIELDS.arranged_by)) ?? 'packed',
      lane_size: size !== undefined && PITCHES[size] ? size : 'auto',
    },
    color_by: COLOR_BIES.find((known) => known === fields.get(FIELDS.color_by)) ?? null,
    op: idOf(FIELDS.op),
    range: windowOf(fields.get(FIELDS.range)),
    range_lanes: lanesOf(fields.get(FIELDS.range_lanes)),
    wall_clock: fields.get(FIELDS.wall_clock) === 'utc',
    query: fields.get(FIELDS.expression) ?? fields.get(FIELDS.query) ?? '',
    regex: fields.has(FIELDS.expression),
    notes: notesOf(fields.get(FIELDS.notes)),
    tab: TABS.find((known) => known === tab) ?? 'selection',
    network_section: (tab === 'network' && fields.get(FIELDS.network_section)) || '',
    changes: patternsOf(fields.get(FIELDS.changes) ?? ''),
    other: otherOf(fields, idOf(FIELDS.aligned)),
  };
}

/** Steps are counted from 1 wherever a user reads their number, and from 0 inside. */
function stepOf(text: string | null): number | null {
  const number = numbers(text)[0];
  return number !== undefined && Number.isInteger(number) && number >= 1 ? number - 1 : null;
}

const numbers = (text: string | null): number[] =>
  text === null || text === '' ? [] : text.split(BETWEEN_PARTS).map(Number).filter(Number.isFinite);

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
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(BETWEEN_PARTS);
}

/** More than any trace has; a fragment from anywhere must not ask for all numbers there are. */
const MOST_LANES = 1 << 20;

function lanesOf(text: string | null): Uint32Array | null {
  const lanes = new Set<number>();
  // Runs may name the same lanes again and again.
  let walked = 0;
  for (const run of (text ?? '').split(BETWEEN_PARTS)) {
    const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(run) ?? [];
    if (first === undefined) continue;
    for (let lane = Number(first); lane <= Number(last ?? first) && walked < MOST_LANES; lane++, walked++) lanes.add(lane);
  }
  return lanes.size > 0 ? Uint32Array.from(lanes).sort() : null;
}

/** `start,end,text`; what separates notes is written otherwise within a text. */
const noteText = ({ start_ns, end_ns, text }: NoteText): string =>
  [round(start_ns), round(end_ns), IN_A_NOTE.reduce((text, [own, other]) => text.replaceAll(own, other), text)].join(BETWEEN_PARTS);

function notesOf(text: string | null): NoteText[] {
  const parts = (text ?? '').split(BETWEEN_NOTES, MOST_NOTES);
  return parts.flatMap((part) => {
    const [, start, end, name] = /^(-?[\d.]+),(-?[\d.]+),(.*)$/s.exec(part) ?? [];
    const [start_ns, end_ns] = [Number(start), Number(end)];
    if (name === undefined || !(end_ns >= start_ns) || !Number.isFinite(end_ns - start_ns)) return [];
    const read = IN_A_NOTE.reduceRight((text, [own, other]) => text.replaceAll(other, own), name).slice(0, LONGEST_TEXT);
    return [{ start_ns: ns(start_ns), end_ns: ns(end_ns), text: read }];
  });
}
