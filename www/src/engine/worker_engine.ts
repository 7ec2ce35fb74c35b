// The page's side of the engine: a promise for each request to the worker.
import { EngineError } from './errors';
import type { FromWorker, Query, ToWorker } from './messages';
import type {
  Arrangement,
  Engine,
  Found,
  MarksQuery,
  OpenOptions,
  OpsQuery,
  Progress,
  RangeQuery,
  SearchQuery,
  Source,
  Summary,
  TransfersQuery,
} from './protocol';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: EngineError) => void;
  progress?: (progress: Progress) => void;
}

export class WorkerEngine implements Engine {
  readonly #start: () => Worker;
  readonly #wasm: () => Promise<ArrayBuffer | string>;
  /** Has the open trace. */
  #worker: Worker;
  /**
   * Opens the next one. Another worker after memory ran out, because that of a module never shrinks; the one with the
   * open trace goes once the next is open.
   */
  #opener: Worker;
  #is_spent = false;
  readonly #waiting = new Map<number, Waiting>();
  #last_id = 0;
  /** Set once the worker is beyond use: every question is then answered with it. */
  #broken: EngineError | null = null;

  /** `wasm` gives the module's bytes, or the address from which a worker may load them. */
  constructor(start: () => Worker, wasm: () => Promise<ArrayBuffer | string>) {
    this.#start = start;
    this.#wasm = wasm;
    this.#worker = this.#opener = this.#startWorker();
  }

  #startWorker(): Worker {
    const worker = this.#start();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#failAll('worker-failed', event.message || 'the worker could not start');
    };
    this.#wasm().then(
      (module) => send(worker, { kind: 'start', wasm: module }, module instanceof ArrayBuffer ? [module] : []),
      (thrown: unknown) => this.#failAll('page-incomplete', `unpacking the page's WebAssembly: ${String(thrown)}`),
    );
    return worker;
  }

  async open(sources: Source[], options: OpenOptions, progress: (p: Progress) => void): Promise<Summary> {
    const opener = this.#readyOpener();
    const summary = await this.#read<Summary>((id) => ({ kind: 'open', id, sources, options }), progress);
    if (this.#worker !== opener) this.#worker.terminate();
    this.#worker = opener;
    return summary;
  }

  count(sources: Source[], progress: (p: Progress) => void): Promise<Found> {
    this.#readyOpener();
    return this.#read((id) => ({ kind: 'count', id, sources }), progress);
  }

  cancel(): void {
    send(this.#opener, { kind: 'cancel' });
  }

  /** A worker that has not run out of memory yet. */
  #readyOpener(): Worker {
    if (this.#is_spent) {
      if (this.#opener !== this.#worker) this.#opener.terminate();
      this.#opener = this.#startWorker();
      this.#is_spent = false;
    }
    return this.#opener;
  }

  /** Asks for something that reads files. */
  async #read<T>(message: (id: number) => ToWorker, progress: (p: Progress) => void): Promise<T> {
    try {
      return await this.#ask<T>(this.#opener, message, progress);
    } catch (thrown) {
      this.#is_spent ||= thrown instanceof EngineError && thrown.code === 'out-of-memory';
      throw thrown;
    }
  }

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
  transfers = (query: TransfersQuery) => this.#query('transfers', query);
  sessionBytes = () => this.#query('sessionBytes');

  #query<Q extends Query>(query: Q, ...parameters: unknown[]): ReturnType<Engine[Q]> {
    return this.#ask(this.#worker, (id) => ({ kind: 'query', id, query, parameters })) as ReturnType<Engine[Q]>;
  }

  #ask<T>(worker: Worker, message: (id: number) => ToWorker, progress?: (p: Progress) => void): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    const id = ++this.#last_id;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      send(worker, message(id));
    });
  }

  #hear(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if (message.kind === 'progress') {
      waiting.progress?.(message.progress);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.answer as never);
    else waiting.reject(new EngineError(message.error));
  }

  #failAll(code: string, message: string): void {
    this.#broken = new EngineError({ code, message });
    for (const waiting of this.#waiting.values()) waiting.reject(this.#broken);
    this.#waiting.clear();
  }
}

function send(worker: Worker, message: ToWorker, transfer: Transferable[] = []): void {
  worker.postMessage(message, transfer);
}
