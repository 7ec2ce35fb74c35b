// The page's side of the engine: which worker opens files, which holds the open trace, and what they are asked.
//
// One worker does both, until its memory runs out or it stops.
import { CoreWorker } from './core_worker';
import { errorBody, superseded, type EngineError } from './errors';
import type { Query, ToWorker } from './messages';
import type { OwnPage } from './own_page';
import type {
  AliveQuery,
  Arrangement,
  ColorBy,
  Engine,
  Found,
  Light,
  MarksQuery,
  MemoryLanesQuery,
  Network,
  Ns,
  OpId,
  OpenOptions,
  OpsQuery,
  Parts,
  PictureQuery,
  Progress,
  RangeQuery,
  RedactionRequest,
  Route,
  SaveFormat,
  SearchQuery,
  SharingRequest,
  Source,
  StepRule,
  Totals,
  TrafficQuery,
  TransfersQuery,
  View,
  WhyQuery,
} from './protocol';

type OnProgress = (progress: Progress) => void;

export class WorkerEngine implements Engine {
  readonly #page: OwnPage;
  /** Has the open trace. */
  #holder: CoreWorker;
  /**
   * Opens the next one. Another worker after memory ran out, because that of a module never shrinks; the one with the
   * open trace goes once the next is open.
   */
  #opener: CoreWorker;
  #is_spent = false;

  /** What is shown now: another object for each opening and each view of it. */
  readonly #shown: () => unknown;
  /** Hears of a worker that stopped. */
  readonly #stopped: (error: EngineError) => void;

  constructor(page: OwnPage, shown: () => unknown, stopped: (error: EngineError) => void) {
    this.#page = page;
    this.#shown = shown;
    this.#stopped = stopped;
    this.#holder = this.#opener = this.#start();
  }

  #start(): CoreWorker {
    return new CoreWorker(this.#page.worker(), this.#page.core, this.#stopped);
  }

  async open<PageSetup, Picture>(
    sources: Source[],
    options: OpenOptions,
    setup: Promise<PageSetup>,
    progress: OnProgress,
  ): Promise<Picture> {
    const opener = this.#readyOpener();
    let opening = 0;
    const opened = this.#read<Picture>(opener, (id) => ({ kind: 'open', id: (opening = id), sources, options }), progress);
    const setup_sent = setup.then((setup) => opener.send({ kind: 'page-setup', id: opening, setup }));
    const [picture] = await Promise.all([opened, setup_sent]);
    if (this.#holder !== opener) this.#holder.end();
    this.#holder = opener;
    return picture;
  }

  totals(): Promise<Totals> {
    return this.#answered(this.#holder.ask((id) => ({ kind: 'totals', id })));
  }

  count(sources: Source[], progress: OnProgress): Promise<Found> {
    return this.#read(this.#readyOpener(), (id) => ({ kind: 'count', id, sources }), progress);
  }

  cancel(): void {
    this.#opener.send({ kind: 'cancel' });
  }

  /** Asks for something that reads files. */
  async #read<T>(opener: CoreWorker, message: (id: number) => ToWorker, progress: OnProgress): Promise<T> {
    try {
      return await opener.ask<T>(message, { progress });
    } catch (thrown) {
      if (opener === this.#opener) this.#is_spent ||= errorBody(thrown).code === 'out-of-memory';
      throw thrown;
    }
  }

  /** A worker that has neither run out of memory nor stopped. */
  #readyOpener(): CoreWorker {
    if (this.#is_spent || this.#opener.has_stopped) {
      if (this.#opener !== this.#holder) this.#opener.end();
      this.#opener = this.#start();
      this.#is_spent = false;
    }
    return this.#opener;
  }

  steps = (rule: StepRule) => this.#query('steps', rule);
  doctor = () => this.#query('doctor');
  showView = (view: View) => this.#query('showView', view);
  patternOps = (patterns: readonly string[]) => this.#query('patternOps', patterns);
  marks = (query: MarksQuery) => this.#query('marks', query);
  arrange = (by: Arrangement) => this.#query('arrange', by);
  colorBy = (by: ColorBy) => this.#query('colorBy', by);
  colorSums = (query: RangeQuery) => this.#query('colorSums', query);
  light = (light: Light | null) => this.#query('light', light);
  lengths = () => this.#query('lengths');
  hasThreads = () => this.#query('hasThreads');
  op = (op: number) => this.#query('op', op);
  flow = (op: number, hops: number) => this.#query('flow', op, hops);
  opAt = (lane: number, at_ns: Ns, slack_ns: Ns) => this.#query('opAt', lane, at_ns, slack_ns);
  longestAt = (first: number, count: number, at_ns: Ns, slack_ns: Ns) => this.#query('longestAt', first, count, at_ns, slack_ns);
  edgeNear = (lanes: Uint32Array, at_ns: Ns, slack_ns: Ns) => this.#query('edgeNear', lanes, at_ns, slack_ns);
  lanesInUse = (start_ns: Ns, end_ns: Ns) => this.#query('lanesInUse', start_ns, end_ns);
  neighbour = (op: number, step: 1 | -1) => this.#query('neighbour', op, step);
  range = (query: RangeQuery) => this.#query('range', query);
  minimap = (bins: number) => this.#query('minimap', bins);
  search = (query: SearchQuery) => this.#query('search', query);
  ops = (ops: Uint32Array) => this.#query('ops', ops);
  opsIn = (query: OpsQuery) => this.#query('opsIn', query);
  placeInOps = (op: OpId) => this.#query('placeInOps', op);
  placeInTransfers = (op: OpId) => this.#query('placeInTransfers', op);
  found = () => this.#query('found');
  opTypes = (query: RangeQuery) => this.#query('opTypes', query);
  concurrency = (query: RangeQuery, bins: number) => this.#query('concurrency', query, bins);
  clocks = () => this.#query('clocks');
  violations = (clocks: readonly string[]) => this.#query('violations', clocks);
  network = (tell?: (parts: Parts) => void) =>
    this.#answered(this.#holder.askSoon<Network>((id) => ({ kind: 'query', id, query: 'network', parameters: [] }), { parts: tell }));
  memory = () => this.#query('memory');
  memoryAlive = (query: AliveQuery) => this.#query('memoryAlive', query);
  memoryWhy = (query: WhyQuery) => this.#query('memoryWhy', query);
  memoryLanes = (query: MemoryLanesQuery) => this.#query('memoryLanes', query);
  memoryPicture = (query: MemoryLanesQuery, most: number) => this.#query('memoryPicture', query, most);
  criticalPath = () => this.#query('criticalPath');
  highlights = () => this.#query('highlights');
  pathOverSteps = (first: number, end: number) => this.#query('pathOverSteps', first, end);
  scheduling = (threads: number | null, tiny_ns: Ns | null) => this.#query('scheduling', threads, tiny_ns);
  why = (op: number) => this.#query('why', op);
  traffic = (query: TrafficQuery) => this.#query('traffic', query);
  trafficLinks = (start_ns: Ns, end_ns: Ns, route: Route) => this.#query('trafficLinks', start_ns, end_ns, route);
  transfers = (query: TransfersQuery) => this.#query('transfers', query);
  sessionBytes = (view: string, communication: readonly string[]) => this.#query('sessionBytes', view, communication);
  redactionShown = (query: RedactionRequest) => this.#query('redactionShown', query);
  redactedClocks = (query: RedactionRequest, clocks: readonly string[]) => this.#query('redactedClocks', query, clocks);
  redactionLeak = (query: RedactionRequest, written: readonly string[], session: Uint8Array<ArrayBuffer>, strings: readonly string[]) =>
    this.#query('redactionLeak', query, written, session, strings);
  picture = (query: PictureQuery) => this.#query('picture', query);
  beginSaving = (format: SaveFormat, view: string, communication: readonly string[]) =>
    this.#query('beginSaving', format, view, communication);
  beginSharing = (request: SharingRequest) => this.#query('beginSharing', request);
  saveMore = (saving: number) => this.#query('saveMore', saving);
  endSaving = (saving: number) => this.#query('endSaving', saving);

  #query<Q extends Query>(query: Q, ...parameters: Parameters<Engine[Q]>): ReturnType<Engine[Q]> {
    const message = (id: number) => ({ kind: 'query', id, query, parameters }) as ToWorker;
    // Marks alone are waited for by the very frame that asks.
    const answer = query === 'marks' ? this.#holder.ask(message) : this.#holder.askSoon(message);
    return this.#answered(answer) as ReturnType<Engine[Q]>;
  }

  /** The answer, or why there is none; `superseded` where what it is about is not shown any more. */
  async #answered<T>(answer: Promise<T>): Promise<T> {
    const of = this.#shown();
    const shown = (): boolean => this.#shown() === of;
    const value = await answer.catch((thrown: unknown) => {
      throw shown() ? thrown : superseded();
    });
    if (!shown()) throw superseded();
    return value;
  }
}
