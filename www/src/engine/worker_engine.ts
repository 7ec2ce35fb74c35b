// The page's side of the engine: which worker opens files, which holds the open trace, and what they are asked.
//
// One worker does both, until its memory runs out or it stops.
import { CoreWorker } from './core_worker';
import type { AnswerOf, Engine, ParametersOf, Verb } from './engine';
import { errorBody, superseded, type EngineError } from './errors';
import type { OwnPage } from './own_page';
import type { Found, Glance, OpenOptions, Parts, Progress, Source, Summary } from './protocol';
import type { ToWorker } from './to_worker';

/** A worker without a trace that has not ended by then what was cancelled is ended itself. */
const LEAVING_MS = 200;

/** Marks are waited for by the very frame that asks, and totals are to follow the first picture. */
const AT_ONCE: readonly Verb[] = ['marks', 'totals'];

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
  /** The worker that has an open trace. */
  #with_trace: CoreWorker | null = null;

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
    opener.send({ kind: 'heard', id: opening });
    if (this.#holder !== opener) this.#holder.end();
    this.#holder = this.#with_trace = opener;
    return picture;
  }

  async openOther(sources: Source[], options: OpenOptions, progress: OnProgress): Promise<Summary> {
    // Both are compared in one core.
    const holder = this.#holder;
    let opening = 0;
    const whole = await this.#read<Summary>(holder, (id) => ({ kind: 'open-other', id: (opening = id), sources, options }), progress);
    holder.send({ kind: 'heard', id: opening });
    return whole;
  }

  async swap<PageSetup, Picture>(setup: Promise<PageSetup>): Promise<Picture> {
    const holder = this.#holder;
    let swapping = 0;
    const swapped = holder.ask<Picture>((id) => ({ kind: 'swap', id: (swapping = id) }));
    const setup_sent = setup.then((setup) => holder.send({ kind: 'page-setup', id: swapping, setup }));
    const [picture] = await Promise.all([swapped, setup_sent]);
    return picture;
  }

  count(sources: Source[], progress: OnProgress): Promise<Found> {
    return this.#read(this.#readyOpener(), (id) => ({ kind: 'count', id, sources }), progress);
  }

  /** What files are at a glance; none of them stays open. */
  glance(sources: Source[]): Promise<Glance> {
    return this.#read(
      this.#readyOpener(),
      (id) => ({ kind: 'glance', id, sources }),
      () => undefined,
    );
  }

  cancel(): void {
    const opener = this.#opener;
    opener.cancel();
    if (this.#holder !== opener) this.#holder.cancel();
    if (opener === this.#with_trace) return;
    // Nothing is lost with it, and the next opening need not wait for it; what is asked meanwhile does.
    setTimeout(() => {
      if (opener !== this.#opener || opener === this.#with_trace || !opener.is_left_alone) return;
      opener.end();
      this.#opener = this.#start();
      if (this.#holder === opener) this.#holder = this.#opener;
    }, LEAVING_MS);
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

  ask<V extends Verb>(verb: V, ...parameters: ParametersOf<V>): Promise<AnswerOf<V>> {
    return this.follow(() => undefined, verb, ...parameters);
  }

  follow<V extends Verb>(tell: (parts: Parts) => void, verb: V, ...parameters: ParametersOf<V>): Promise<AnswerOf<V>> {
    const message = (id: number) => ({ kind: 'query', id, query: verb, parameters }) as ToWorker;
    const [holder, hear] = [this.#holder, { parts: tell }];
    return this.#answered<AnswerOf<V>>(AT_ONCE.includes(verb) ? holder.ask(message, hear) : holder.askSoon(message, hear));
  }

  /** Ends its workers: nothing is asked any more. */
  end(): void {
    this.#holder.end();
    if (this.#opener !== this.#holder) this.#opener.end();
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
