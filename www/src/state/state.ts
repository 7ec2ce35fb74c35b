// Everything the page remembers, as one plain object. The files beside this one hold the functions that change it.
import { ns, type Ns } from '../base/time';
import type { Window } from '../base/time_scale';
import type { OwnPage } from '../engine/own_page';
import type { Clocks, Doctor, Engine, Marks, Minimap, Network, Progress, RangeSummary, Route, Source, StepList, Traffic, View } from '../engine/protocol';
import type { Frame } from './frame';
import { emptyLayout, packedLanes, type Lanes, type Layout } from './layout/layout';
import { ALL_ROWS, type Rows } from './layout/rows';
import type { ClockCount, Failure, Figures, Findings, Hover, Note, Offer, OpenTrace, Search, SelectedFlow, Selection, Tab, ThemeChoice } from './types';

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

/** Puts `text` where a screen reader reads it out. */
export function announce({ state, frame }: Context, text: string, changed: number): void {
  state.notice = text;
  frame.invalidate(changed);
}
