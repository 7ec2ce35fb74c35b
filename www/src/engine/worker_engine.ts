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
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last_id = 0;
  /** Set once the worker is beyond use: every question is then answered with it. */
  #broken: EngineError | null = null;

  /** `wasm` is the module's bytes, or the address from which the worker may load them. */
  constructor(worker: Worker, wasm: Promise<ArrayBuffer | string>) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#failAll('worker-failed', event.message || 'the worker could not start');
    };
    wasm.then(
      (module) => this.#post({ kind: 'start', wasm: module }, module instanceof ArrayBuffer ? [module] : []),
      (thrown: unknown) => this.#failAll('page-incomplete', `unpacking the page's WebAssembly: ${String(thrown)}`),
    );
  }

  open(sources: Source[], options: OpenOptions, progress: (p: Progress) => void): Promise<Summary> {
    return this.#ask((id) => ({ kind: 'open', id, sources, options }), progress);
  }

  count(sources: Source[], progress: (p: Progress) => void): Promise<Found> {
    return this.#ask((id) => ({ kind: 'count', id, sources }), progress);
  }

  cancel(): void {
    this.#post({ kind: 'cancel' });
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
    return this.#ask((id) => ({ kind: 'query', id, query, parameters })) as ReturnType<Engine[Q]>;
  }

  #ask<T>(message: (id: number) => ToWorker, progress?: (p: Progress) => void): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    const id = ++this.#last_id;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      this.#post(message(id));
    });
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
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
