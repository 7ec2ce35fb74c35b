// What the state is made of: the types of its parts.
import type { Ns } from '../base/time';
import type { Window } from '../base/time_scale';
import type { AnswerOf, Verb } from '../engine/engine';
import type {
  SavingRow,
  ColorBy,
  ComparedPair,
  CounterRow,
  DeviceId,
  EngineErrorBody,
  Finding,
  Flow,
  FlagsQuery,
  InstantDetails,
  InstantFlag,
  LaneId,
  Mirror,
  OpDetails,
  OpenOptions,
  Parts,
  OpId,
  PairOfTasks,
  SearchResult,
  StepList,
  Source,
  Summary,
  TrafficLinks,
  View,
} from '../engine/protocol';
import type { Lanes } from './layout/layout';
import type { Rows } from './layout/rows';

/** Where the drawer is; `auto` is as the window has room. */
export const DRAWER_PLACES = ['auto', 'below', 'at-side'] as const;
export type DrawerPlace = (typeof DRAWER_PLACES)[number];

/** Whose gestures the timeline has. `wheel-zoom`: those of Steplens, but the wheel alone zooms. */
export const GESTURES = ['steplens', 'wheel-zoom', 'perfetto', 'chrome', 'speedscope'] as const;
export type Gestures = (typeof GESTURES)[number];

export type ThemeChoice = 'auto' | 'light' | 'dark';

/** Another object whenever something else is opened or shown. */
export interface OpenTrace {
  /** Of what is shown. */
  summary: Summary;
  view: View;
  /** Identifies an opening: of all that was opened. */
  whole: Summary;
  options: OpenOptions;
  /** Where it was read from, to open another part of it. */
  sources: Source[];
  /** What it is called among the recent traces; null where it is none. */
  id: string | null;
}

/** What the open trace, A, is compared with: B. Another object whenever something else of it is shown. */
export interface Other {
  /** Of all that was opened. */
  whole: Summary;
  /** Where it was read from; null if it is another step of the open trace. */
  sources: Source[] | null;
  /** Of what is shown. */
  summary: Summary;
  view: View;
  steps: StepList;
  lanes: Lanes;
  /** The step of A that was taken, of the steps that were shown together; null where one was shown. */
  typical_of_a?: number | null;
}

/** Whose times ops are drawn at. */
export const WIDTHS = ['both', 'a', 'b'] as const;
export type Widths = (typeof WIDTHS)[number];

/** What the pointer is on in the mirrored timelines. */
export interface MirrorHover {
  of_b: boolean;
  op: OpId;
  /** How many ops the mark stands for. */
  count: number;
  x: number;
  y: number;
  /** Null until the core has answered. */
  pair: ComparedPair | null;
}

/** What a trace is compared with, and how both are drawn. */
export interface OtherNote {
  /** What the other one is called; null for another step of the same trace. */
  name: string | null;
  /** Null for all of it. */
  step: number | null;
  widths: Widths;
  window: Window | null;
  /** The op at which both are aligned. */
  aligned: number | null;
}

/** How A and B are drawn against one another. */
export interface MirrorView {
  /** On the time of A; null for all of both. */
  window: Window | null;
  /** How much is scrolled off at the top, in CSS pixels. */
  scroll_y: number;
  /** An op and its partner that are drawn at one place; null for the starts of both steps. */
  align: { op: OpId; name: string; a_ns: Ns; b_ns: Ns } | null;
  /** The op at which a restored view aligns them, until its partner is known. */
  wanted_align: OpId | null;
  widths: Widths;
  /** The op of B that is chosen; null while that is the selected op of A. */
  chosen_b: OpId | null;
  marks: Mirror | null;
  /** Where the pointer is, and on what. */
  hover: MirrorHover | null;
}

export interface Selection {
  op: OpId;
  /** Null until the core has answered. */
  details: OpDetails | null;
}

/** What is under the pointer: an op, a column of a density strip, one of the traffic, or a segment of the path. */
export interface Hover {
  op: OpId | null;
  /** How many ops the mark under the pointer stands for. */
  count: number;
  x: number;
  y: number;
  details: OpDetails | null;
  in_flight: InFlight | null;
  on_wire: OnWire | null;
  on_path: OnPath | null;
  on_flag: OnFlag | null;
  on_counter: OnCounter | null;
}

/** A flag of instants. */
export interface OnFlag {
  flag: InstantFlag;
  details: InstantDetails | null;
}

/** A column of a counter. */
export interface OnCounter {
  row: CounterRow;
  column: Window;
  min: number;
  max: number;
  last: number;
}

/** The flags of a window. */
export interface ShownFlags {
  query: FlagsQuery;
  flags: readonly InstantFlag[];
}

/** An instant that was clicked, and what it says; null until the core has answered. */
export interface ChosenInstant {
  instant: number;
  details: InstantDetails | null;
}

/** What the timeline can be lit along: the observed path, the static one, or the one by dependencies that shares least with it. */
export type LitPath = 'observed' | 'static' | 'next';

/** A segment of the observed path. */
export interface OnPath {
  segment: PathSegment;
  /** Its place among the segments. */
  place: number;
}

/** A row of the observed path. */
export interface PathSegment {
  readonly op: OpId;
  readonly name: string;
  readonly kind: string;
  readonly start_ns: Ns;
  readonly end_ns: Ns;
  readonly behind: OpId | null;
  readonly behind_count: number;
  /** How much earlier it could have run, if its thread or link had been free. */
  readonly earlier_ns: Ns;
}

/** A column of a density strip. */
export interface InFlight {
  device: DeviceId;
  /** Which of its ops the strip is of. */
  of: 'all' | 'work' | 'communication';
  column: Window;
  /** How many of these run in it on average, by colour. */
  by_color: readonly number[];
  color_by: ColorBy;
  /** The longest transfer under the pointer, where transfers are drawn together; null until the core has answered. */
  longest: OpDetails | null;
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

/** What figures are about: all devices, one, or the whole accelerator that it is a part of. */
export interface ChosenDevice {
  device: DeviceId | null;
  accelerator: boolean;
}

export const EVERY_DEVICE: ChosenDevice = { device: null, accelerator: false };

/** Who posted a message to this page. */
export interface Giver {
  window: MessageEventSource;
  /** Null where it wrote this document, and may so be of any origin. */
  origin: string | null;
}

export interface Offer {
  text: string;
  /** Null where there is nothing to take back. */
  action: string | null;
  run: () => void;
}

/** What did not work, in the words for its beginning: `Not opened`, `Not saved`. */
export interface Failure extends EngineErrorBody {
  outcome: string;
  /** For a report to those who make Steplens; null where the user knows all that there is to know. */
  details: string[] | null;
}

/** What is known of verbs that are asked once: see `figures.ts`. */
export type Answers = { [V in Verb]?: Figures<AnswerOf<V>> };

/** Figures that the core works out once for each thing that is shown. */
export interface Figures<T> {
  /** What they are of; null where they never come. */
  of: readonly unknown[] | null;
  /** Null until the core has answered. */
  answer: T | null;
  /** How far the core is, where it says that. */
  parts: Parts | null;
  has_failed: boolean;
}

export interface Findings {
  list: readonly Finding[];
  /** What was shown then: ops have the ids of that. */
  of: OpenTrace;
}

/** What points back in time where clocks are set by `words`. */
export interface ClockCount {
  words: string;
  pairs: readonly PairOfTasks[];
}

/** The data flow of an op, so many hops far. */
export interface SelectedFlow extends Flow {
  op: OpId;
  hops: number;
}

/** What a note is about: a stretch of time, or (with start = end) a moment. */
export interface NoteText {
  readonly start_ns: Ns;
  readonly end_ns: Ns;
  readonly text: string;
}

/** Replaced whole when it changes. */
export interface Note extends NoteText {
  /** Identifies it for as long as the page is open. */
  readonly id: number;
}

/** A view that one can go back to. */
export interface Place {
  window: Window;
  scroll_y: number;
  rows: Rows;
  range: Window | null;
  range_lanes: Uint32Array | null;
}

/** Rows of what would help, which arrive some at a time. */
export interface Savings {
  of: OpenTrace;
  rows: readonly SavingRow[];
  /** How many rows there will be; null until the first of them are there. */
  total: number | null;
  /** Why no more of them come: they took long, or failed. */
  stopped: 'slow' | 'failed' | null;
}

/** The views that the user had, and which of them is the present one. */
export interface Visited {
  places: readonly Place[];
  at: number;
}

/** The edge of an op that the pointer is near. */
export interface Snap {
  at: Ns;
  lane: LaneId;
}
