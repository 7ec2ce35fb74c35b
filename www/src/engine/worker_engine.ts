// The page's side of the engine: which worker opens files, which holds the open trace, and what they are asked.
//
// The page starts with a worker that has the lean core. A file that needs another reader goes to a worker with the whole core;
// once it has opened one, it opens all that follow.
import { CoreWorker } from './core_worker';
import { EngineError, errorBody } from './errors';
import type { Query, ToWorker } from './messages';
import type { OwnPage, Wasm } from './own_page';
import type {
  Arrangement,
  Engine,
  Found,
  MarksQuery,
  OpenOptions,
  OpsQuery,
  Progress,
  RangeQuery,
  Route,
  SearchQuery,
  Source,
  StepRule,
  Summary,
  TrafficQuery,
  TransfersQuery,
  View,
} from './protocol';

type Message = (id: number) => ToWorker;
type Tell = (progress: Progress) => void;

const LOADING: Progress = { bytes: 0, total_bytes: 0, ops: 0, phase: 'loading' };
const CANCELLED = new EngineError({ code: 'cancelled', message: 'opening was cancelled' });

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
  /** What the opener has in it. */
  #is_whole = false;
  /** Has the whole core, and is at its first file. */
  #newcomer: CoreWorker | null = null;
  /** Counts openings and cancels: an opening whose turn is over changes nothing any more. */
  #turn = 0;

  constructor(page: OwnPage) {
    this.#page = page;
    this.#holder = this.#opener = this.#start(page.lean());
  }

  #start(wasm: Promise<Wasm>): CoreWorker {
    return new CoreWorker(this.#page.worker(), wasm);
  }

  async open(sources: Source[], options: OpenOptions, progress: Tell): Promise<Summary> {
    const summary = await this.#read<Summary>((id) => ({ kind: 'open', id, sources, options }), progress);
    if (this.#holder !== this.#opener) this.#holder.end();
    this.#holder = this.#opener;
    return summary;
  }

  count(sources: Source[], progress: Tell): Promise<Found> {
    return this.#read((id) => ({ kind: 'count', id, sources }), progress);
  }

  cancel(): void {
    this.#turn++;
    this.#opener.cancel();
    this.#newcomer?.cancel();
  }

  /** Asks for something that reads files. */
  async #read<T>(message: Message, progress: Tell): Promise<T> {
    const turn = ++this.#turn;
    try {
      return await this.#readyOpener().ask<T>(message, progress);
    } catch (thrown) {
      const { code } = errorBody(thrown);
      this.#is_spent ||= code === 'out-of-memory';
      const whole = this.#is_whole || code !== 'reader-elsewhere' ? null : this.#page.whole();
      if (whole === null) throw thrown;
      if (turn !== this.#turn) throw CANCELLED;
      progress(LOADING);
      return await this.#readWhole(whole, turn, message, progress, errorBody(thrown).message);
    }
  }

  /** A worker that has not run out of memory yet. */
  #readyOpener(): CoreWorker {
    if (this.#is_spent) {
      if (this.#opener !== this.#holder) this.#opener.end();
      const whole = this.#is_whole ? this.#page.whole() : null;
      this.#opener = this.#start(whole === null ? this.#page.lean() : Promise.resolve(whole));
      this.#is_spent = false;
    }
    return this.#opener;
  }

  /** The same with the whole core. If nothing comes of it, everything stays as it was. */
  async #readWhole<T>(whole: Wasm, turn: number, message: Message, progress: Tell, why: string): Promise<T> {
    const newcomer = this.#start(Promise.resolve(whole));
    this.#newcomer = newcomer;
    try {
      const answer = await newcomer.ask<T>(message, progress);
      if (turn !== this.#turn) throw CANCELLED;
      if (this.#opener !== this.#holder) this.#opener.end();
      this.#opener = newcomer;
      this.#is_whole = true;
      return answer;
    } catch (thrown) {
      newcomer.end();
      const body = errorBody(thrown);
      if (body.code !== 'page-incomplete' && body.code !== 'worker-failed') throw thrown;
      throw new EngineError({ code: 'reader-elsewhere', message: `${why} (its reader did not load: ${body.message})` });
    } finally {
      if (this.#newcomer === newcomer) this.#newcomer = null;
    }
  }

  steps = (rule: StepRule) => this.#query('steps', rule);
  doctor = () => this.#query('doctor');
  look = (view: View) => this.#query('look', view);
  marks = (query: MarksQuery) => this.#query('marks', query);
  arrange = (by: Arrangement) => this.#query('arrange', by);
  hasThreads = () => this.#query('hasThreads');
  op = (op: number) => this.#query('op', op);
  flow = (op: number, hops: number) => this.#query('flow', op, hops);
  opAt = (lane: number, at_ns: number, slack_ns: number) => this.#query('opAt', lane, at_ns, slack_ns);
  neighbour = (op: number, step: 1 | -1) => this.#query('neighbour', op, step);
  range = (query: RangeQuery) => this.#query('range', query);
  minimap = (bins: number) => this.#query('minimap', bins);
  search = (query: SearchQuery) => this.#query('search', query);
  ops = (ops: Uint32Array) => this.#query('ops', ops);
  opsIn = (query: OpsQuery) => this.#query('opsIn', query);
  found = () => this.#query('found');
  opTypes = (query: RangeQuery) => this.#query('opTypes', query);
  concurrency = (query: RangeQuery, bins: number) => this.#query('concurrency', query, bins);
  clocks = () => this.#query('clocks');
  violations = (clocks: readonly string[]) => this.#query('violations', clocks);
  network = () => this.#query('network');
  traffic = (query: TrafficQuery) => this.#query('traffic', query);
  trafficLinks = (start_ns: number, end_ns: number, route: Route) => this.#query('trafficLinks', start_ns, end_ns, route);
  transfers = (query: TransfersQuery) => this.#query('transfers', query);
  sessionBytes = () => this.#query('sessionBytes');

  #query<Q extends Query>(query: Q, ...parameters: unknown[]): ReturnType<Engine[Q]> {
    return this.#holder.ask((id) => ({ kind: 'query', id, query, parameters })) as ReturnType<Engine[Q]>;
  }
}
