// One worker with a core in it: a promise for each request to it.
import { say } from '../base/messages';
import { learnKernels } from '../base/names';
import { EngineError, errorBody } from './errors';
import type { FromWorker } from './from_worker';
import type { Parts, Progress } from './protocol';
import type { ToWorker } from './to_worker';

interface Waiting {
  /** Asks it again. */
  message: (id: number) => ToWorker;
  resolve: (answer: never) => void;
  reject: (error: EngineError) => void;
  progress?: (progress: Progress) => void;
  parts?: (parts: Parts) => void;
  /** Whether a part of the answer has come. */
  has_parts?: boolean;
}

export class CoreWorker {
  /** Null until it is there. */
  #worker: Worker | null = null;
  /** What is to be sent to it then. */
  #unsent: ToWorker[] = [];
  #is_ended = false;
  readonly #waiting = new Map<number, Waiting>();
  /** Cancelled requests of which the worker has not said that it ended them. */
  readonly #left = new Set<number>();
  #last_id = 0;
  /** Set once the worker is beyond use: every question is then answered with it. */
  #broken: EngineError | null = null;

  /** `core` is sent to a worker that does not load it itself. `stopped` hears once if the worker stops, be it asked or not. */
  constructor(worker: Worker | Promise<Worker>, core: Promise<WebAssembly.Module> | null, stopped: (error: EngineError) => void) {
    const take = (own: Worker) => this.#take(own, stopped);
    if ('then' in worker) worker.then(take, (thrown: unknown) => stopped(this.#fail('worker-failed', errorBody(thrown).message)));
    else take(worker);
    core?.then(
      (module) => this.#send({ kind: 'start', core: module }),
      (thrown: unknown) => this.#fail('page-incomplete', say('error-compiling', { why: errorBody(thrown).message })),
    );
  }

  #take(worker: Worker, stopped: (error: EngineError) => void): void {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#broken) return;
      const error = this.#fail(
        'worker-failed',
        event.message ? say('error-worker-stopped', { why: event.message }) : say('error-worker-not-started'),
      );
      stopped(error);
    };
    if (this.#is_ended) worker.terminate();
    for (const message of this.#unsent) worker.postMessage(message);
    this.#unsent = [];
  }

  /**
   * Asks when the work that is going on now is done. What a frame asks for while it draws is not needed before it is drawn, and on two
   * cores the worker's answer would slow the drawing.
   */
  askSoon<T>(message: (id: number) => ToWorker, hear?: Pick<Waiting, 'parts'>): Promise<T> {
    return Promise.resolve().then(() => this.ask<T>(message, hear));
  }

  /** `hear` is called with what comes before the answer. */
  ask<T>(message: (id: number) => ToWorker, hear?: Pick<Waiting, 'progress' | 'parts'>): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    const id = ++this.#last_id;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { message, resolve, reject, ...hear });
      this.#send(message(id));
    });
  }

  /** Says what is not answered. */
  send(message: Extract<ToWorker, { kind: 'page-setup' | 'heard' }>): void {
    this.#send(message);
  }

  /**
   * Ends what reads files, at once for whoever waits: the worker hears of it when it has done what it is at. What else is waited for is asked again,
   * because it may be answered from what is being opened.
   */
  cancel(): void {
    this.#send({ kind: 'cancel' });
    for (const [id, waiting] of [...this.#waiting]) {
      // Parts of a file are written already.
      if (waiting.has_parts) continue;
      this.#waiting.delete(id);
      if (waiting.progress) {
        this.#left.add(id);
        waiting.reject(new EngineError({ code: 'cancelled', message: say('error-cancelled') }));
        continue;
      }
      const again = ++this.#last_id;
      this.#waiting.set(again, waiting);
      this.#send(waiting.message(again));
    }
  }

  /** Whether it still works at what was cancelled, and nobody waits for it. */
  get is_left_alone(): boolean {
    return this.#left.size > 0 && this.#waiting.size === 0;
  }

  /** Whether another worker can do what this one cannot any more. */
  get has_stopped(): boolean {
    return this.#broken?.code === 'worker-failed';
  }

  /** The end of the worker and of its memory. */
  end(): void {
    this.#is_ended = true;
    this.#worker?.terminate();
  }

  #send(message: ToWorker): void {
    if (this.#worker) this.#worker.postMessage(message);
    else this.#unsent.push(message);
  }

  #hear(message: FromWorker): void {
    if (message.kind === 'kernels') {
      learnKernels(message.labels);
      return;
    }
    if (message.kind === 'answer' || message.kind === 'failure') this.#left.delete(message.id);
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if (message.kind === 'progress') {
      waiting.progress?.(message.progress);
      return;
    }
    if (message.kind === 'parts') {
      waiting.has_parts = true;
      waiting.parts?.(message.parts);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.answer as never);
    else waiting.reject(new EngineError(message.error, message.stack));
  }

  #fail(code: string, message: string): EngineError {
    this.#broken = new EngineError({ code, message });
    for (const waiting of this.#waiting.values()) waiting.reject(this.#broken);
    this.#waiting.clear();
    return this.#broken;
  }
}
