// Everything the page remembers, as one plain object. The files of the folders below hold the functions that change it.
import { ns, type Ns } from '../base/time';
import type { Window } from '../base/time_scale';
import type { Theme } from '../draw/theme';
import type { Engine } from '../engine/engine';
import type { OwnPage } from '../engine/own_page';
import type { FleetPlace } from '../engine/fleet/place';
import type { Place } from '../engine/watched/place';
import type { RecentStore, RecentTrace } from '../engine/recent_store';
import type {
  AliveBy,
  FlameChoice,
  ColorBy,
  Colors,
  ColorSum,
  ComparePage,
  Finding,
  Found,
  Light,
  Marks,
  CounterLanes,
  MemoryLanes,
  MemoryPlace,
  Minimap,
  FindingList,
  Network,
  OpId,
  OpTypeRow,
  PictureKind,
  Progress,
  RangeSummary,
  Summary,
  Route,
  Source,
  StepList,
  Traffic,
  View,
  TransferSort,
} from '../engine/protocol';
import { WHOLE_FLAME } from '../engine/protocol';
import type { Cause, Frame } from './frame';
import { emptyLayout, packedLanes, type Lanes, type Layout } from './layout/layout';
import { Queue } from './latest';
import type { LaterPart } from './later';
import type { Watching } from './watching';
import type { Fleet } from './fleet_open';
import { ALL_ROWS, type Rows } from './layout/rows';
import { NO_NAMED_ROWS, type NamedRows } from './layout/rows_by_name';
import type {
  Answers,
  ChosenDevice,
  ChosenInstant,
  ClockCount,
  DrawerPlace,
  Failure,
  Findings,
  Gestures,
  Giver,
  Hover,
  LitPath,
  MirrorView,
  Note,
  Offer,
  OpenTrace,
  Other,
  OtherNote,
  Savings,
  Search,
  SelectedFlow,
  Selection,
  ShownFlags,
  Snap,
  ThemeChoice,
  Visited,
} from './types';
import type { Tab } from './tabs';
import { EVERY_DEVICE } from './types';

/** What the user has set for every trace, and what the window is. Opening and stepping leave it as it is. */
export interface Kept {
  /** The canvas's size in CSS pixels. */
  viewport: { width: number; height: number };
  /** Whether traffic is shown above the lanes. */
  traffic_shown: boolean;
  /** Whether transfers have lanes of their own as a trace opens. */
  transfers_open: boolean;
  /** Whether a lane of live bytes is shown under each device that has any. */
  memory_shown: boolean;
  /** Whether the critical path is shown above the lanes. */
  strip_shown: boolean;
  /** Whether what stands above the timeline is one line; null is as the window has room. */
  overview_folded: boolean;
  drawer_open: boolean;
  drawer_height: number;
  /** Whether nobody but the page has opened it: then the lanes keep their share of the height. */
  drawer_modest: boolean;
  /** While it is next to the timeline. */
  drawer_width: number;
  drawer_place: DrawerPlace;
  /** Whether it has the whole room below the step's figures. */
  drawer_full: boolean;
  /** Whether what is selected is shown in the drawer, and not on a card next to it. */
  selection_pinned: boolean;
  /** Null for what the style sheet has for this window. */
  tree_width: number | null;
  theme: ThemeChoice;
  /** What the user wants colours to stand for. */
  color_by: ColorBy;
  /** Whether categories differ by more than colour; null is as the system has it. */
  textures: boolean | null;
  /** Whose gestures the timeline has. */
  gestures: Gestures;
  /** What the canvas is drawn with; null until it is read from the style sheet, and after that has changed. */
  palette: Theme | null;
  /** Takes back the drag that is going on; null while there is none. */
  cancel_drag: (() => void) | null;
  /** The pause after which the view has come to rest, whether a key that is held keeps it from that, and who wants to know. */
  rest: { timer: ReturnType<typeof setTimeout> | undefined; in_motion: boolean; listeners: (() => void)[] };
  /** Questions to the worker of which only the newest matters, by what they are about. */
  queues: Readonly<
    Record<
      | 'step'
      | 'search'
      | 'range'
      | 'clocks'
      | 'hovered_op'
      | 'hovered_links'
      | 'light'
      | 'color_sums'
      | 'lengths'
      | 'what_if'
      | 'compare'
      | 'hovered_pair',
      Queue
    >
  >;
  /** What the first opening of these sources found in them: openings of a part do not read the times of the rest. */
  found: { in: Source[]; what: Found } | null;
  next_note_id: number;
  /** Which page gave what was opened by a message. */
  givers: WeakMap<Blob, Giver>;
  /** The traces that the browser keeps, newest first. */
  recent: readonly RecentTrace[];
  /** What the empty page says of the address; '' for nothing. */
  address_note: string;
  /** Whether what is opened is kept. */
  keeps_recent: boolean;
  /** The folder that is watched; null while none is. */
  watching: Watching | null;
  /** The fleet that is open; null while none is. */
  fleet: Fleet | null;
}

/** What begins anew with each opening, and stays while other steps and views of it are shown. */
export interface Opened {
  /** Shown above whatever is open, until it is dismissed or something else is opened. */
  error: Failure | null;
  loading: { names: string[]; bytes: number | null; progress: Progress | null } | null;
  /** What was opened last, and did not open: a part of it may. */
  unopened: Source[];
  trace: OpenTrace | null;
  /** The steps by the rule of the view; null until the core has answered. */
  steps: StepList | null;
  findings: Findings | null;
  /** What the core was asked once for each thing that is shown. */
  answers: Answers;
  /** The step whose facts are shown although it has no picture. */
  read_step: number | null;
  /** The view that is shown as soon as it is there; until then the one before stays. */
  pending_view: View | null;
  /** The step that was shown before all of them were. */
  left_step: number | null;
  /** What the user did with devices in any step. */
  named_rows: NamedRows;
  /** Whether a frame has shown marks of the trace. */
  shown: boolean;
  /** Whether the axis shows the wall clock (UTC) rather than the time from the step's start. */
  wall_clock: boolean;
  /** Around the view; null until the core has answered. */
  traffic: Traffic | null;
  /** What is in transit over the whole of what is shown, for the minimap. */
  whole_traffic: Traffic | null;
  /** The link whose traffic is shown; null for all of them. */
  route: Route | null;
  /** How many arrows far the flow is followed. */
  hops: number;
  /** Where the pointer is over the timeline, in CSS pixels from its left. */
  hover_x: number | null;
  /** Whether the step bar shows what any device did, and not the mean. */
  any_device: boolean;
  search: Search;
  /** In order of start. */
  notes: readonly Note[];
  /** The id of the note whose name field is open. */
  naming: number | null;
  /** The id of the note that was made, gone to or clicked last. */
  chosen_note: number | null;
  /** What was done, and how to take it back, until something else is. */
  offer: Offer | null;
  tab: Tab;
  /** What the drawer showed before the tab of the selection. */
  tab_before_selection: Tab;
  /** The rows of the first and the last step that are to be the range once all of them are shown. */
  wanted_steps: [number, number] | null;
  /** Whether the drawer is low, as its tab said nothing when it was chosen. */
  drawer_yields: boolean;
  network_section: string;
  /** What a replay of the step has different, each as the program's options are written: `op=type:Conv2D=0.5`. */
  changes: readonly string[];
  /** What `changes` were before, the latest last. */
  changes_before: readonly (readonly string[])[];
  /** What the open trace is compared with; null while it is not. */
  other: Other | null;
  mirror: MirrorView;
  /** What the view that was restored is compared with, until that is open again. */
  wanted_other: OtherNote | null;
  /** Whether the user has given the timeline its room back while traces are compared. */
  compares_below: boolean;
  /** What of these was asked for already. */
  restored_other: OtherNote | null;
  /** How many threads run ops, as the user says. */
  threads: number | null;
  /** Whether the timeline is lit along a path, and which one. */
  path_lit: boolean;
  path_to_light: LitPath;
  clock_count: ClockCount | null;
  /** What rows of what is alive are merged by. */
  memory_by: AliveBy;
  /** What the flame is made of, as wide as, and about. */
  flame: FlameChoice;
  /** By task, what is typed to set its clock by, and not applied. */
  clock_draft: ReadonlyMap<string, Ns> | null;
  /** What the transfers' table is filtered by. */
  transfers_filter: string;
  /** What was worked out for the report that was printed last; null before one was. */
  gathered: Gathered | null;
  /** What their table is to be sorted by when it is next shown, or null to leave it. */
  transfers_sort: TransferSort | null;
  /** What a screen reader hears next. */
  notice: string;
}

/** What begins anew with each step or view that is shown. */
export interface Shown {
  window: Window;
  scroll_y: number;
  rows: Rows;
  /** The lanes as they are numbered now; another object whenever their numbers change. */
  lanes: Lanes;
  /** By lane of this numbering, whether it has ops in or near the window; null while all lanes are shown. */
  lanes_used: { of: Lanes; by_lane: Uint8Array } | null;
  layout: Layout;
  /** What is drawn of a motion to `window`; null at rest. */
  gliding: Window | null;
  /** The edge of an op that an edge of the range has snapped to, while it is dragged. */
  snapped: Snap | null;
  marks: Marks | null;
  minimap: Minimap | null;
  selection: Selection | null;
  /** Whether the card next to it has not been closed since. */
  card_open: boolean;
  /** Which way transfers go, of those that have had room for it. */
  routes: Map<OpId, string>;
  /** Of the op selected last. */
  flow: SelectedFlow | null;
  hover: Hover | null;
  range: Window | null;
  /** The lanes that the range is about, ascending; null for all of them. */
  range_lanes: Uint32Array | null;
  /** The split of the range per device and, last, of the step; null while there is no range or no answer yet. */
  range_splits: Pick<RangeSummary, 'splits' | 'accelerators' | 'step' | 'any_device'> | null;
  /** The trace that the page has zoomed into its verdict’s part: it does so once for each. */
  part_shown_of: Summary | null;
  /** Which device the figures of the tab Range are about. */
  chosen_device: ChosenDevice;
  /** The account that is chosen; null for the one with the highest peak. */
  memory_place: MemoryPlace | null;
  /** The moment that is shown; null for the peak. */
  memory_at: Ns | null;
  /** The tensor that is asked about, by its row among the lives of the account. */
  memory_life: number | null;
  /** What colours stand for as they are now; null until the core has said so. */
  colors: Colors | null;
  /** In the view; null until the core has answered. */
  color_sums: readonly ColorSum[] | null;
  /** The order of the legend, by what colours have in all that is shown. */
  color_order: readonly number[];
  /** The colours that the user wants to see alone. */
  wanted_colors: ReadonlySet<number>;
  /** What is lit now. */
  light: Light | null;
  /** The ops that the pointer asks for. */
  pointed: Light | null;
  /** Around the view. */
  memory_lanes: MemoryLanes | null;
  /** Around the view. */
  counter_lanes: CounterLanes | null;
  /** Around the view. */
  flags: ShownFlags | null;
  /** What the tab Selection says instead of an op. */
  instant: ChosenInstant | null;
  /** The table of what would help, as far as it is there; null until somebody wants it. */
  savings: Savings | null;
  /** The views to go back and forth to. */
  visited: Visited;
}

export type State = Kept & Opened & Shown;

/** What a printed report says beyond what the page knows in any case; null where the core could not say it. */
export interface Gathered {
  of: OpenTrace;
  /** The range that the op types are those of. */
  range: Window | null;
  op_types: OpTypeRow[] | null;
  network: Network | null;
  findings: FindingList | null;
  doctor: readonly Finding[] | null;
  /** What differs from the trace that it is compared with; null while it is compared with none. */
  comparison: ComparePage | null;
  /** The state as it is laid out on paper, and the marks of that. */
  paper: { state: State; marks: Marks } | null;
}

/** What of the page its first frame does not need: `www/src/later.ts` holds it. */
export interface Later {
  readonly PANELS: Readonly<Record<Tab, (context: Context, tab: Tab) => HTMLElement>>;
  /** Opens the menu of what is at `target`; says whether there is one. */
  readonly menuOf: (context: Context, target: HTMLElement, at: { x: number; y: number }) => boolean;
  /** What is on the card next to what is selected. */
  readonly selectionCard: (context: Context) => HTMLElement;
  readonly menuAtOp: (context: Context, op: OpId, at: { x: number; y: number }) => void;
  readonly helpSheet: (context: Context) => HTMLDialogElement;
  readonly glossary: () => HTMLDialogElement;
  readonly palette: (context: Context, run: (command: string) => void) => void;
  readonly gather: (context: Context, trace: OpenTrace) => Promise<Gathered>;
  /** What is printed. */
  readonly reportOf: (context: Context, gathered: Gathered | null) => HTMLElement;
  readonly askForPart: (context: Context, of: 'trace' | 'unopened') => Promise<void>;
  readonly askToShare: (context: Context) => void;
  readonly askToSave: (context: Context) => void;
  readonly askForPicture: (context: Context, first?: PictureKind) => void;
  /** Watches a folder that the user picked, the files of one, or the one that the page was served with. */
  readonly watchPicked: (context: Context, folder: FileSystemDirectoryHandle | readonly File[] | Place) => void;
  /** A fleet's page, and what opens one. */
  readonly fleetPanel: (context: Context) => HTMLElement;
  readonly openFleet: (context: Context, place: FleetPlace) => void;
  readonly watchPanel: (context: Context, pick: () => void) => HTMLElement;
}

/** What every view and every action is given. */
export interface Context {
  readonly state: State;
  readonly engine: Engine;
  readonly frame: Frame;
  readonly page: OwnPage;
  readonly recent_store: RecentStore;
  readonly later: LaterPart<Later>;
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
export const initialState = (): State => ({ ...initialKept(), ...initialOpened(), ...initialShown() });

const initialKept = (): Kept => ({
  viewport: { width: 0, height: 0 },
  traffic_shown: false,
  transfers_open: false,
  memory_shown: false,
  strip_shown: true,
  overview_folded: false,
  drawer_open: true,
  drawer_height: 276,
  drawer_modest: false,
  drawer_width: 640,
  drawer_place: 'auto',
  drawer_full: false,
  selection_pinned: false,
  tree_width: null,
  theme: 'auto',
  color_by: 'category',
  textures: null,
  gestures: 'steplens',
  palette: null,
  cancel_drag: null,
  rest: { timer: undefined, in_motion: false, listeners: [] },
  queues: {
    step: new Queue(),
    search: new Queue(),
    range: new Queue(),
    clocks: new Queue(),
    hovered_op: new Queue(),
    hovered_links: new Queue(),
    light: new Queue(),
    color_sums: new Queue(),
    lengths: new Queue(),
    what_if: new Queue(),
    compare: new Queue(),
    hovered_pair: new Queue(),
  },
  found: null,
  next_note_id: 1,
  // eslint-disable-next-line no-restricted-syntax -- this is the state; a file that is closed must not stay in memory
  givers: new WeakMap(),
  recent: [],
  address_note: '',
  keeps_recent: true,
  watching: null,
  fleet: null,
});

/** What an opening starts with, together with `initialShown`. Nothing of `Kept` can be in them: the compiler refuses it. */
export const initialOpened = (): Opened => ({
  error: null,
  loading: null,
  unopened: [],
  trace: null,
  steps: null,
  findings: null,
  answers: {},
  read_step: null,
  pending_view: null,
  left_step: null,
  named_rows: NO_NAMED_ROWS,
  shown: false,
  wall_clock: false,
  traffic: null,
  whole_traffic: null,
  route: null,
  hops: 1,
  hover_x: null,
  any_device: false,
  search: { query: '', regex: false, result: null, problem: null, position: -1, pending: null },
  notes: [],
  naming: null,
  chosen_note: null,
  offer: null,
  tab: 'range',
  tab_before_selection: 'range',
  wanted_steps: null,
  drawer_yields: false,
  network_section: '',
  changes: [],
  changes_before: [],
  other: null,
  mirror: { window: null, scroll_y: 0, align: null, wanted_align: null, widths: 'both', chosen_b: null, marks: null, hover: null },
  compares_below: false,
  wanted_other: null,
  restored_other: null,
  threads: null,
  path_lit: false,
  path_to_light: 'observed',
  clock_count: null,
  memory_by: 'tensor',
  flame: WHOLE_FLAME,
  clock_draft: null,
  transfers_filter: '',
  gathered: null,
  transfers_sort: null,
  notice: '',
});

/** What a step or view starts with. */
export const initialShown = (): Shown => ({
  window: NO_WINDOW,
  scroll_y: 0,
  rows: ALL_ROWS,
  lanes: packedLanes([]),
  lanes_used: null,
  layout: emptyLayout,
  gliding: null,
  snapped: null,
  marks: null,
  minimap: null,
  selection: null,
  card_open: true,
  routes: new Map(),
  flow: null,
  hover: null,
  range: null,
  range_lanes: null,
  range_splits: null,
  part_shown_of: null,
  chosen_device: EVERY_DEVICE,
  memory_place: null,
  memory_at: null,
  memory_life: null,
  colors: null,
  color_sums: null,
  color_order: [],
  wanted_colors: new Set(),
  light: null,
  pointed: null,
  memory_lanes: null,
  counter_lanes: null,
  flags: null,
  instant: null,
  savings: null,
  visited: { places: [], at: -1 },
});

/** Puts `text` where a screen reader reads it out. */
export function announce({ state, frame }: Context, text: string, ...changed: readonly Cause[]): void {
  state.notice = text;
  frame.invalidate(...changed);
}
