// Everything the page remembers, as one plain object. The files beside this one hold the functions that change it.
import { ns, type Ns } from '../base/time';
import type { Window } from '../base/time_scale';
import type { OwnPage } from '../engine/own_page';
import type {
  RangeSummary,
  Clocks,
  DeviceId,
  Doctor,
  Engine,
  Marks,
  Minimap,
  Network,
  OpDetails,
  OpId,
  OpenOptions,
  OpRef,
  Progress,
  RangeQuery,
  Route,
  SearchResult,
  Source,
  Split,
  StepList,
  Summary,
  Traffic,
  TrafficLinks,
  View,
} from '../engine/protocol';
import type { ClockCount } from './opened/clocks';
import type { Findings } from './opened/doctor';
import type { Failure } from './failures';
import type { Figures } from './figures';
import type { Note } from './opened/notes';
import type { SelectedFlow } from './shown/flow';
import type { Frame } from './frame';
import { emptyLayout, packedLanes, type Lanes, type Layout } from './layout/layout';
import { ALL_ROWS, type Rows } from './layout/rows';

export const TABS = ['steps', 'range', 'selection', 'transfers', 'network', 'clocks', 'matches', 'table', 'marks', 'problems'] as const;
export type Tab = (typeof TABS)[number];

export type ThemeChoice = 'auto' | 'light' | 'dark';

/** Another object whenever something else is opened or looked at. */
export interface OpenTrace {
  /** Of what is looked at. */
  summary: Summary;
  view: View;
  /** Of all that was opened. It tells one opening from another. */
  whole: Summary;
  options: OpenOptions;
  /** Where it was read from, to open another part of it. */
  sources: Source[];
}

export interface Selection {
  op: OpId;
  /** Null until the core has answered. */
  details: OpDetails | null;
}

/** What is under the pointer: an op, a column of a density strip, or one of the traffic. */
export interface Hover {
  op: OpId | null;
  /** How many ops the mark under the pointer stands for. */
  count: number;
  x: number;
  y: number;
  details: OpDetails | null;
  in_flight: InFlight | null;
  on_wire: OnWire | null;
}

/** A column of a density strip. */
export interface InFlight {
  device: DeviceId;
  column: Window;
  /** How many ops run in it on average, by category. */
  by_category: readonly number[];
}

/** A column of the traffic. */
export interface OnWire {
  column: Window;
  bytes_per_second: number;
  in_flight: number;
  /** Null until the core has answered. */
  links: TrafficLinks | null;
}

export interface Search {
  query: string;
  /** Whether the query is a regular expression. */
  regex: boolean;
  result: SearchResult | null;
  /** Why the query cannot be searched for, as a sentence; there is no result then. */
  problem: string | null;
  /** Index into the result's ops of the match last walked to, or -1. */
  position: number;
  /** The step that was asked for while the answer was still under way; it is taken when the answer comes. */
  pending: 1 | -1 | null;
}

export interface Offer {
  text: string;
  action: string;
  run: () => void;
}

/** What the user has set for every trace, and what the window is. Opening and stepping leave it as it is. */
export interface Kept {
  /** The canvas's size in CSS pixels. */
  viewport: { width: number; height: number };
  /** Whether traffic is shown above the lanes. */
  traffic_shown: boolean;
  drawer_open: boolean;
  drawer_height: number;
  /** Null for what the style sheet has for this window. */
  tree_width: number | null;
  theme: ThemeChoice;
  /** Whether categories differ by more than colour; null is as the system has it. */
  textures: boolean | null;
}

/** What begins anew with each opening. */
export interface Opened {
  /** Shown beside whatever is open, until it is dismissed or something else is opened. */
  error: Failure | null;
  loading: { names: string[]; progress: Progress | null } | null;
  /** What was opened last, and did not open: a part of it may. */
  unopened: Source[];
  trace: OpenTrace | null;
  /** The steps by the rule that is looked at; null until the core has answered. */
  steps: StepList | null;
  findings: Findings | null;
  doctor: Figures<Doctor> | null;
  /** The step whose facts are shown although it cannot be looked at. */
  read_step: number | null;
  /** What will be looked at as soon as it is there; until then what was looked at before stays. */
  looking: View | null;
  /** Whether a frame has shown marks of the trace. */
  shown: boolean;
  window: Window;
  scroll_y: number;
  /** Whether the axis shows the wall clock (UTC) rather than the time from the step's start. */
  wall_clock: boolean;
  rows: Rows;
  /** The lanes as they are numbered now; another object whenever their numbers change. */
  lanes: Lanes;
  layout: Layout;
  marks: Marks | null;
  minimap: Minimap | null;
  /** Around the view; null until the core has answered. */
  traffic: Traffic | null;
  /** The link whose traffic is shown; null for all of them. */
  route: Route | null;
  selection: Selection | null;
  /** Of the op selected last. */
  flow: SelectedFlow | null;
  /** How many arrows far the flow is followed. */
  hops: number;
  hover: Hover | null;
  /** Where the pointer is over the timeline, in CSS pixels from its left. */
  hover_x: number | null;
  range: Window | null;
  /** The lanes that the range is about, ascending; null for all of them. */
  range_lanes: Uint32Array | null;
  /** The split of the range per device and, last, of the step; null while there is no range or no answer yet. */
  range_splits: Pick<RangeSummary, 'splits' | 'step' | 'any_device'> | null;
  /** Whether the step bar shows what any device did, and not the mean. */
  any_device: boolean;
  search: Search;
  /** In order of start. */
  notes: readonly Note[];
  /** The id of the note whose name field is open. */
  naming: number | null;
  /** The id of the note that was made, gone to or clicked last. */
  chosen_note: number | null;
  /** What can be taken back, until something else is. */
  offer: Offer | null;
  tab: Tab;
  /** Null until the tab was looked at and the core has answered. */
  network: Figures<Network> | null;
  network_section: string;
  /** Null until they were asked for and the core has answered. */
  clocks: Figures<Clocks> | null;
  clock_count: ClockCount | null;
  /** By task, what is typed to set its clock by, and not applied. */
  clock_draft: ReadonlyMap<string, Ns> | null;
  /** What the transfers' table is filtered by. */
  transfers_filter: string;
  /** What a screen reader hears next. */
  notice: string;
}

export type State = Kept & Opened;

/** What every view and every action is given. */
export interface Context {
  readonly state: State;
  readonly engine: Engine;
  readonly frame: Frame;
  readonly page: OwnPage;
  readonly version: string;
}

/** What `body[data-state]` says. */
export type Phase = 'empty' | 'loading' | 'ready' | 'error';

export function phaseOf({ error, loading, trace, shown }: State): Phase {
  if (error) return 'error';
  if (loading || (trace && !shown)) return 'loading';
  return trace ? 'ready' : 'empty';
}

export const NO_WINDOW: Window = { start: ns(0), end: ns(1) };

/** What the page starts with. */
export const initialState = (): State => ({ ...initialKept(), ...initialOpened() });

const initialKept = (): Kept => ({
  viewport: { width: 0, height: 0 },
  traffic_shown: true,
  drawer_open: true,
  drawer_height: 276,
  tree_width: null,
  theme: 'auto',
  textures: null,
});

/** What an opening starts with. Nothing of `Kept` can be in it: the compiler refuses it. */
export function initialOpened(): Opened {
  return {
    error: null,
    loading: null,
    unopened: [],
    trace: null,
    steps: null,
    findings: null,
    doctor: null,
    read_step: null,
    looking: null,
    shown: false,
    window: NO_WINDOW,
    scroll_y: 0,
    wall_clock: false,
    rows: ALL_ROWS,
    lanes: packedLanes([]),
    layout: emptyLayout,
    marks: null,
    minimap: null,
    traffic: null,
    route: null,
    selection: null,
    flow: null,
    hops: 1,
    hover: null,
    hover_x: null,
    range: null,
    range_lanes: null,
    range_splits: null,
    any_device: false,
    search: { query: '', regex: false, result: null, problem: null, position: -1, pending: null },
    notes: [],
    naming: null,
    chosen_note: null,
    offer: null,
    tab: 'range',
    network: null,
    network_section: '',
    clocks: null,
    clock_count: null,
    clock_draft: null,
    transfers_filter: '',
    notice: '',
  };
}

/** The whole step with a little air, so that its first and last op are seen to be the ends. */
export const wholeStep = (state: State): Window => wholeStepOf(state.trace?.summary.span_ns ?? ns(1));

export function wholeStepOf(span_ns: Ns): Window {
  const air = Math.max(span_ns * 0.004, 1);
  return { start: ns(-air), end: ns(span_ns + air) };
}

/** Where all steps lie on the axis of the one that is shown. */
export function allSteps({ whole, summary }: OpenTrace): Window {
  const start = Number(BigInt(whole.origin_unix_ns) - BigInt(summary.origin_unix_ns));
  return { start: ns(start), end: ns(start + whole.span_ns) };
}

/** As far as one can zoom out or pan: the step with a margin. */
export function bounds(state: State): Window {
  const span: Ns | 1 = state.trace?.summary.span_ns ?? 1;
  const air = Math.max(span * 0.05, 10);
  return { start: ns(-air), end: ns(span + air) };
}

/** The range if one is selected, else the step: what figures are about. */
export function scope(state: State): Window {
  return state.range ?? { start: ns(0), end: state.trace?.summary.span_ns ?? ns(1) };
}

/** Every op. The window is half-open, and the last op may have no length. */
export function wholeQuery(state: State): RangeQuery {
  return { start_ns: ns(0), end_ns: ns((state.trace?.summary.span_ns ?? 0) + 1), device: null, lanes: null };
}

/** The ops that figures are about: those that overlap the range, in its lanes; else all. */
export function scopeQuery(state: State, device: DeviceId | null): RangeQuery {
  const { range, range_lanes: lanes } = state;
  return range ? { start_ns: range.start, end_ns: range.end, device, lanes } : { ...wholeQuery(state), device };
}

/** The scope's split of one device, of the step bar (null), or of any device at all; null while the core has not answered. */
export function scopeSplit(state: State, of: DeviceId | null | 'any'): Split | null {
  const summary = state.trace?.summary;
  if (!summary) return null;
  const { splits, step, any_device } = state.range ? { ...state.range_splits } : { ...summary, splits: summary.devices };
  if (of === 'any') return any_device ?? null;
  return (of === null ? step : splits?.[of]) ?? null;
}

export const isSelected = (state: State, ref: OpRef): boolean => state.selection?.op === ref.op;

/** Puts `text` where a screen reader reads it out. */
export function announce({ state, frame }: Context, text: string, changed: number): void {
  state.notice = text;
  frame.invalidate(changed);
}
