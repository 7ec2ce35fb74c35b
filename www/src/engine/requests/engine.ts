// Every question that the page may ask. Each answer is a promise; a worker stands behind it.
import type { Ns } from '../../base/time';
import type { Clocks, PairOfTasks } from '../contract/clocks';
import type { Colors, ColorSum } from '../contract/colors';
import type { Doctor } from '../contract/doctor';
import type { Flow } from '../contract/flow';
import type { Found } from '../contract/found';
import type { Highlights } from '../contract/highlights';
import type { Network } from '../contract/network';
import type { TrafficLinks } from '../contract/network_links';
import type { LaneGroup } from '../contract/lanes';
import type { MemoryReport } from '../contract/memory';
import type { MemoryAlive } from '../contract/memory_alive';
import type { MemoryWhy } from '../contract/memory_why';
import type { OpDetails } from '../contract/op_details';
import type { LengthBin, OpPage, OpRow } from '../contract/op_table';
import type { OpTypeRow } from '../contract/op_types';
import type { PathPage } from '../contract/path';
import type { PathOverSteps } from '../contract/path_over_steps';
import type { SchedulingPage } from '../contract/scheduling';
import type { RangeSummary } from '../contract/range';
import type { RedactionShown } from '../contract/redaction';
import type { StepList } from '../contract/steps';
import type { Summary } from '../contract/summary';
import type { Totals } from '../contract/totals';
import type { TransfersPage } from '../contract/transfer_table';
import type { WhyPage } from '../contract/why';
import type { Arrangement, ColorBy, StepRule } from '../contract/words';
import type { LaneId, OpId } from '../ids';
import type { AliveQuery, MemoryLanes, MemoryLanesQuery, MemoryPicture, WhyQuery } from './memory';
import type { OpenOptions, Parts, Progress, Source } from './opening';
import type { Light, OpsQuery, SearchQuery, SearchResult } from './ops';
import type { Marks, MarksQuery, Minimap } from './picture';
import type { Concurrency, RangeQuery } from './range';
import type { RedactionRequest } from './redaction';
import type { PictureQuery, SavedPiece, SaveFormat, Saving, Sharing, SharingRequest } from './saving';
import type { Route, Traffic, TrafficQuery } from './traffic';
import type { TransfersQuery } from './transfers';
import type { View } from './view';

/** What the worker asks its core, without waiting, to make the first picture. */
export interface Core {
  showView(view: View): Summary;
  steps(rule: StepRule): StepList;
  arrange(by: Arrangement): LaneGroup[][];
  colorBy(by: ColorBy): Colors;
  lanesInUse(start_ns: Ns, end_ns: Ns): Uint8Array;
  marks(query: MarksQuery): Marks;
  minimap(bins: number): Minimap;
  /** Whether the core can read it as a regular expression. */
  isPattern(text: string): boolean;
  /** The fragment of the view that the opened session holds; '' without one. */
  viewKept(): string;
  /** The patterns for communication that were asked for, else those that the opened session holds. */
  communicationShown(): string[];
}

/** Everything the page may ask. Each answer is a promise; a worker stands behind it. */
export interface Engine {
  /**
   * Opens `sources` as one trace. The trace that was open stays until this one is whole; a failure leaves it untouched. `setup`
   * says what the first picture is to show, in the terms of the function that the worker was started with; its answer comes back.
   */
  open<PageSetup, Picture>(
    sources: Source[],
    options: OpenOptions,
    setup: Promise<PageSetup>,
    progress: (p: Progress) => void,
  ): Promise<Picture>;
  /** The totals of what is shown, once they are known: the core follows the data flow piece by piece, and answers in between. */
  totals(): Promise<Totals>;
  /** What the files of the open trace hold. */
  found(): Promise<Found>;
  /** Reads `sources` without opening them, only to count what they hold. */
  count(sources: Source[], progress: (p: Progress) => void): Promise<Found>;
  /** The steps and runs to choose from, repaired as what is shown. */
  steps(rule: StepRule): Promise<StepList>;
  /** Shows something else of what is open. All ids are others from then on, lanes are packed, and nothing is searched. */
  showView(view: View): Promise<Summary>;
  /** How many ops of what is shown each pattern for communication matches; fails with `bad-option` where one cannot be read. */
  patternOps(patterns: readonly string[]): Promise<Uint32Array>;
  /** What is wrong with all that was opened, with the ops by the ids that they have in what is shown. */
  doctor(): Promise<Doctor>;
  /** Stops the opening or counting in progress; its promise rejects with the code `cancelled`. */
  cancel(): void;
  marks(query: MarksQuery): Promise<Marks>;
  /** The groups of every device, by DeviceId. Lanes have other ids from then on. */
  arrange(by: Arrangement): Promise<LaneGroup[][]>;
  /** Gives ops colours, which steps that are shown later have, too; nothing is lit from then on. */
  colorBy(by: ColorBy): Promise<Colors>;
  /** How much time each colour has in a range, by colour. */
  colorSums(query: RangeQuery): Promise<ColorSum[]>;
  /** From now on marks say which of them are lit; null for no light. */
  light(light: Light | null): Promise<void>;
  /** How many of the ops that the last search found are about how long. */
  lengths(): Promise<LengthBin[]>;
  /** Whether anything was recorded of which thread ran which op: without, lanes arranged by thread say nothing. */
  hasThreads(): Promise<boolean>;
  op(op: OpId): Promise<OpDetails>;
  /** What an op's data was made from and what was made of it, up to `hops` edges away, both ways. */
  flow(op: OpId, hops: number): Promise<Flow>;
  /** The op under a point, for a click: the last op of the lane that starts at or before `at_ns` and covers it within `slack_ns`. */
  opAt(lane: LaneId, at_ns: Ns, slack_ns: Ns): Promise<OpId | null>;
  /** The longest op that covers `at_ns` in `count` lanes from `first` on; else the nearest within `slack_ns` of it. */
  longestAt(first: LaneId, count: number, at_ns: Ns, slack_ns: Ns): Promise<OpId | null>;
  /** The start or end of an op in `lanes` that is nearest to `at_ns`, and at most `slack_ns` away. */
  edgeNear(lanes: Uint32Array, at_ns: Ns, slack_ns: Ns): Promise<Ns | null>;
  /** By lane, 1 if an op of it meets the window, else 0: logarithmic in the ops of each lane. */
  lanesInUse(start_ns: Ns, end_ns: Ns): Promise<Uint8Array>;
  /** The next (+1) or previous (-1) op in the lane of `op`. */
  neighbour(op: OpId, step: 1 | -1): Promise<OpId | null>;
  range(query: RangeQuery): Promise<RangeSummary>;
  minimap(bins: number): Promise<Minimap>;
  /** Marks everything that matches from now on (bit 5 of a mark's style); the empty text clears. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Rows of many ops at once, in the order of `ops`. */
  ops(ops: Uint32Array): Promise<OpRow[]>;
  /** The ops of a range, some rows at a time. Their order is kept until another one is asked for: four bytes an op. */
  opsIn(query: OpsQuery): Promise<OpPage>;
  /** Where an op is in the list that was asked for last; null if it is not there. */
  placeInOps(op: OpId): Promise<number | null>;
  /** The same in the list of transfers, by the op that recorded it. */
  placeInTransfers(op: OpId): Promise<number | null>;
  opTypes(query: RangeQuery): Promise<OpTypeRow[]>;
  concurrency(query: RangeQuery, bins: number): Promise<Concurrency>;
  transfers(query: TransfersQuery): Promise<TransfersPage>;
  /** How far the clocks of tasks are apart, by everything that was opened. */
  clocks(): Promise<Clocks>;
  /** What would arrive before it is sent if clocks were set by these words of `View.clocks`. */
  violations(clocks: readonly string[]): Promise<PairOfTasks[]>;
  /** What is spent on communication, and what to blame: linear in ops and transfers. `tell` hears how far it is. */
  network(tell?: (parts: Parts) => void): Promise<Network>;
  /** What matters most in what is shown: as long as the stragglers and waits of `network` take. */
  highlights(): Promise<Highlights>;
  /** Which bytes were alive when, by device and allocator: linear in what was recorded, when it is asked for first. */
  memory(): Promise<MemoryReport>;
  memoryAlive(query: AliveQuery): Promise<MemoryAlive>;
  memoryWhy(query: WhyQuery): Promise<MemoryWhy>;
  memoryLanes(query: MemoryLanesQuery): Promise<MemoryLanes>;
  /** The curve of the one account of `query`, with at most so many boxes. */
  memoryPicture(query: MemoryLanesQuery, most: number): Promise<MemoryPicture>;
  /** What the step waited for, and what dependencies alone allow: linear in ops and their inputs. */
  criticalPath(): Promise<PathPage>;
  /** How often each op is on the path of the steps from `first` up to, and without, `end`: linear in their ops, and each looks for its own. */
  pathOverSteps(first: number, end: number): Promise<PathOverSteps>;
  /** When ops were ready, scheduled and run: `threads` is how many the user says there are, and ops shorter than `tiny_ns` are tiny. */
  scheduling(threads: number | null, tiny_ns: Ns | null): Promise<SchedulingPage>;
  /** Why an op started when it did, what ran in its place, and its slack. */
  why(op: OpId): Promise<WhyPage>;
  traffic(query: TrafficQuery): Promise<Traffic>;
  trafficLinks(start_ns: Ns, end_ns: Ns, route: Route): Promise<TrafficLinks>;
  /**
   * The open trace as a Steplens session: a file that opens as the same trace, a quarter of the packed RunMetadata. It shows again
   * `view`, a fragment, with these patterns for communication.
   */
  sessionBytes(view: string, communication: readonly string[]): Promise<Uint8Array<ArrayBuffer>>;
  /** What a redaction would hide. */
  redactionShown(query: RedactionRequest): Promise<RedactionShown>;
  /** The words of a view's clocks, redacted. */
  redactedClocks(query: RedactionRequest, clocks: readonly string[]): Promise<string[]>;
  /** The first hidden word, or one of what the user has `written`, in a finished file: in its session or in its other strings. */
  redactionLeak(
    query: RedactionRequest,
    written: readonly string[],
    session: Uint8Array<ArrayBuffer>,
    strings: readonly string[],
  ): Promise<string | null>;
  /** A picture of what is shown, as SVG: names of a stranger are in it, so it is for a file or an `<img>` only. */
  picture(query: PictureQuery): Promise<string>;
  /** Begins a file of what is shown, or a session of all that is open; another that was begun is lost. */
  beginSaving(format: SaveFormat, view: string, communication: readonly string[]): Promise<Saving>;
  /** Begins what a page to share carries: all that is open, or what is left of it where it is redacted. Another file that was begun is lost. */
  beginSharing(request: SharingRequest): Promise<Sharing>;
  /** Writes for some milliseconds, and hands over what that gave. */
  saveMore(saving: number): Promise<SavedPiece>;
  /** Forgets it, whole or not. */
  endSaving(saving: number): Promise<void>;
}
