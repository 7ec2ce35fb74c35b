// The page's one animation frame: what changed since the last one is redrawn: state first, then DOM; then what the core has to answer is
// asked for, then the canvases are drawn.
//
// Nothing changed means no frame is asked for at all.
import type { Verb } from '../engine/engine';

/** Why something is painted: a part of the state may have changed, or the core has answered a verb. */
export type Cause = Verb | symbol;

const declared: symbol[] = [];

/** A cause of what `name` says. Who holds that part of the state declares it. */
export function cause(name: string): symbol {
  const made = Symbol(name);
  declared.push(made);
  return made;
}

/** What most of the page shows. What one place alone shows is declared with the state that it shows. */
export const Changed = {
  /** Which of empty, loading, ready; the error; the progress. */
  phase: cause('phase'),
  /** Another trace is shown. */
  trace: cause('trace'),
  /** The window of time, or how far the tracks are scrolled. */
  view: cause('view'),
  /** Folds, lane heights, the viewport's size: where rows are. */
  layout: cause('layout'),
  selection: cause('selection'),
  hover: cause('hover'),
  /** The selected range, and the figures that follow it. */
  scope: cause('scope'),
  search: cause('search'),
  drawer: cause('drawer'),
  theme: cause('theme'),
  /** Marks or the minimap's shares have arrived. */
  marks: cause('marks'),
  notice: cause('notice'),
  /** The user's notes, which of them is chosen or named, and what is offered to undo. */
  notes: cause('notes'),
  /** The list of steps, which of them is read about, and which is on its way. */
  steps: cause('steps'),
  /** The totals of transfers have arrived. */
  totals: cause('totals'),
  /** Which path the timeline is lit along, and whether the path is shown above the lanes. */
  path: cause('path'),
  /** What colours stand for, how much time each has, and what is lit. */
  color: cause('color'),
  /** What is drawn of a motion, and nothing else. */
  glide: cause('glide'),
  /** Which device figures are about. */
  chosen: cause('chosen'),
} as const;

/** What all canvases change with that are drawn over the time of the lanes. */
export const OVER_TIME = [Changed.trace, Changed.view, Changed.glide, Changed.layout, Changed.hover, Changed.scope, Changed.theme] as const;

/** All of the state, also what parts of the page declare that are loaded later; no answer of the core. */
export const EVERYTHING: readonly symbol[] = declared;

/** The performance timeline holds this many frames at most, so that a day of panning leaks nothing. */
const KEPT_MEASURES = 5000;

/** Painting the DOM settles in two rounds; more would be one that changes something each time. */
const MOST_ROUNDS = 3;

/** What a painter is painted on. */
export type On = readonly Cause[];

/** What has changed since a painter ran; for its first time, everything. */
export interface Changes {
  has: (cause: Cause) => boolean;
  hasAny: (...causes: readonly Cause[]) => boolean;
  /** Whether nothing else has changed. */
  isOnly: (cause: Cause) => boolean;
}

type Painter = (changed: Changes) => void;

interface Painted {
  on: On;
  /** What it is painted on besides: it asked for that. */
  itself?: symbol;
  paint: Painter;
  /** Whether it was not painted yet. */
  is_new: boolean;
}

/** Moves something on while it returns true; `elapsed_ms` is the time since the frame before. */
type Animation = (elapsed_ms: number) => boolean;

class Caused implements Changes {
  readonly #causes = new Set<Cause>();

  get any(): boolean {
    return this.#causes.size > 0;
  }

  add(causes: Iterable<Cause>): void {
    for (const each of causes) this.#causes.add(each);
  }

  join(other: Caused): void {
    this.add(other.#causes);
  }

  has(wanted: Cause): boolean {
    return this.#causes.has(wanted);
  }

  hasAny(...wanted: readonly Cause[]): boolean {
    return wanted.some((each) => this.#causes.has(each));
  }

  isOnly(wanted: Cause): boolean {
    return this.#causes.size === 1 && this.#causes.has(wanted);
  }

  isAbout({ on, itself }: Painted): boolean {
    return (itself !== undefined && this.#causes.has(itself)) || on.some((each) => this.#causes.has(each));
  }
}

/** What a view hears that is painted for the first time. */
export const AT_FIRST: Changes = { has: () => true, hasAny: () => true, isOnly: () => false };

export class Frame {
  readonly #failed: (thrown: unknown) => void;
  readonly #dom: Painted[] = [];
  readonly #requests: Painted[] = [];
  readonly #canvas: Painted[] = [];
  readonly #animations = new Set<Animation>();
  readonly #after: (() => void)[] = [];
  #changed = new Caused();
  /** The animation frame that was asked for, or 0. */
  #asked = 0;
  #last_ms = 0;
  #measures = 0;

  /** `failed` hears what is thrown in a frame; the rest of the frame goes on. */
  constructor(failed: (thrown: unknown) => void) {
    this.#failed = failed;
  }

  /**
   * `paint` runs in each frame in which something of `on` has changed, and in the first one that follows: a view may be made in the middle
   * of a frame, and is then painted in it. The function that comes back has it run in the next frame: for what only this view knows of.
   */
  onDom(on: On, paint: Painter): () => void {
    const itself = Symbol();
    this.#dom.push({ on, itself, paint, is_new: true });
    return () => this.invalidate(itself);
  }

  /** `ask` asks the core for what the view needs, once the DOM has settled how large everything is. It draws nothing. */
  onRequest(on: On, ask: Painter): void {
    this.#requests.push({ on, paint: ask, is_new: true });
  }

  /** `paint` draws what is at hand. It asks for nothing and writes no DOM. */
  onCanvas(on: On, paint: Painter): void {
    this.#canvas.push({ on, paint, is_new: true });
  }

  invalidate(...causes: readonly Cause[]): void {
    this.#changed.add(causes);
    this.#ask();
  }

  /** The core has answered `verb`, or is to be asked again. */
  answered(verb: Verb): void {
    this.invalidate(verb);
  }

  animate(animation: Animation): void {
    this.#animations.add(animation);
    this.#ask();
  }

  /** Runs once, after the next frame has been drawn. */
  afterDrawn(then: () => void): void {
    this.#after.push(then);
    this.#ask();
  }

  #ask(): void {
    if (this.#asked === 0) this.#asked = requestAnimationFrame((now_ms) => this.#run(now_ms));
  }

  /** The next frame, at once: for what should not wait for the screen, such as finding out what a new trace needs. */
  runNow(): void {
    cancelAnimationFrame(this.#asked);
    this.#run(performance.now());
  }

  #run(now_ms: number): void {
    const started = performance.now();
    // After a pause there is no frame before; one at 60 Hz is assumed.
    const elapsed_ms = this.#last_ms > 0 && now_ms - this.#last_ms < 100 ? now_ms - this.#last_ms : 16;
    this.#last_ms = now_ms;
    for (const animation of this.#animations) if (!this.#moved(animation, elapsed_ms)) this.#animations.delete(animation);
    const all = new Caused();
    // Painting the DOM may find out the canvas's size, which is a change of this very frame, of its DOM too.
    for (let round = 0; this.#changed.any && round < MOST_ROUNDS; round++) {
      const changed = this.#take();
      all.join(changed);
      for (const painted of this.#dom) this.#paintIf(painted, changed);
    }
    this.#asked = 0;
    all.join(this.#take());
    for (const asked of this.#requests) this.#paintIf(asked, all);
    let drew = false;
    for (const painted of this.#canvas) drew = this.#paintIf(painted, all) || drew;
    if (drew) this.#measure(started);
    for (const then of this.#after.splice(0)) this.#paint(then, all);
    if (this.#animations.size > 0 || this.#changed.any) this.#ask();
    else this.#last_ms = 0;
  }

  /** What has changed since it was last taken. */
  #take(): Caused {
    const taken = this.#changed;
    if (taken.any) this.#changed = new Caused();
    return taken;
  }

  /** Whether it was painted. */
  #paintIf(painted: Painted, changed: Caused): boolean {
    if (!painted.is_new && !changed.isAbout(painted)) return false;
    const { is_new } = painted;
    painted.is_new = false;
    this.#paint(painted.paint, is_new ? AT_FIRST : changed);
    return true;
  }

  #paint(paint: Painter, changed: Changes): void {
    try {
      paint(changed);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** Whether the animation goes on. */
  #moved(animation: Animation, elapsed_ms: number): boolean {
    try {
      return animation(elapsed_ms);
    } catch (thrown) {
      this.#failed(thrown);
      return false;
    }
  }

  #measure(started: number): void {
    if (++this.#measures > KEPT_MEASURES) {
      performance.clearMeasures('steplens:frame');
      this.#measures = 1;
    }
    performance.measure('steplens:frame', { start: started, end: performance.now() });
  }
}
