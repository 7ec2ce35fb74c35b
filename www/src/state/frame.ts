// The page's one animation frame: what changed since the last one is redrawn: state first, then DOM; then what the core has to answer is
// asked for, then the canvases are drawn.
//
// Nothing changed means no frame is asked for at all.
import type { Verb } from '../engine/engine';

/** What of the state may have changed, as bits. That the core has answered is no bit: a painter names the verb (`On`). */
export const Changed = {
  /** Which of empty, loading, ready; the error; the progress. */
  phase: 1 << 0,
  /** Another trace is shown. */
  trace: 1 << 1,
  /** The window of time, or how far the tracks are scrolled. */
  view: 1 << 2,
  /** Folds, lane heights, the viewport's size: where rows are. */
  layout: 1 << 3,
  selection: 1 << 4,
  hover: 1 << 5,
  /** The selected range, and the figures that follow it. */
  scope: 1 << 6,
  search: 1 << 7,
  drawer: 1 << 8,
  theme: 1 << 9,
  /** Marks or the minimap's shares have arrived. */
  marks: 1 << 10,
  notice: 1 << 11,
  /** The user's notes, which of them is chosen or named, and what is offered to undo. */
  notes: 1 << 12,
  /** The list of steps, which of them is read about, and which is on its way. */
  steps: 1 << 13,
  /** Which section of the network's figures is shown. */
  network: 1 << 14,
  /** The traffic in transit is there, or is of another link. */
  traffic: 1 << 15,
  /** What is typed to set clocks by, and what then points back in time. */
  clocks: 1 << 16,
  /** The totals of transfers have arrived. */
  totals: 1 << 17,
  /** Another account, moment or tensor is chosen. */
  memory: 1 << 18,
  /** Which path the timeline is lit along, and whether the path is shown above the lanes. */
  path: 1 << 19,
  /** The list of recent traces, and whether what is opened is kept. */
  recent: 1 << 20,
  /** The live bytes under the devices have arrived, or are of another account. */
  memory_lanes: 1 << 21,
  /** What colours stand for, how much time each has, and what is lit. */
  color: 1 << 22,
  /** What is drawn of a motion, and nothing else. */
  glide: 1 << 23,
  /** Which device figures are about. */
  chosen: 1 << 24,
  /** What a replay has different, and rows of the table of what would help. */
  what_if: 1 << 25,
  /** What a watched folder says, and how it is shown. */
  watched: 1 << 26,
  /** What is compared with what, and how both are drawn. */
  compare: 1 << 27,
  /** What of a fleet is shown, and how. */
  fleet: 1 << 28,
  /** What the flame is made of, as wide as, and about. */
  flame: 1 << 29,
  /** Counters, or flags of instants, have arrived, or another instant is chosen. */
  counters: 1 << 30,
} as const;

/** What all canvases change with that are drawn over the time of the lanes. */
export const OVER_TIME = Changed.trace | Changed.view | Changed.glide | Changed.layout | Changed.hover | Changed.scope | Changed.theme;

/** All 31 bits of a positive number that bit operations keep. */
export const EVERYTHING = 2 ** 31 - 1;

/** The performance timeline holds this many frames at most, so that a day of panning leaks nothing. */
const KEPT_MEASURES = 5000;

/** Painting the DOM settles in two rounds; more would be one that changes something each time. */
const MOST_ROUNDS = 3;

/** What a painter is painted on: bits of `Changed`, and after them the verbs whose answers it shows. */
export type On = number | readonly [changed: number, ...verbs: Verb[]];

type Painter = (changed: number) => void;

interface Painted {
  on: number;
  /** What else it is painted on: verbs, and when it asks for that itself. */
  causes: readonly Cause[];
  paint: Painter;
  /** Whether it was not painted yet. */
  is_new: boolean;
}

/** What has no bit: that the core has answered a verb, or that one painter has something else to show. */
type Cause = Verb | symbol;

/** Moves something on while it returns true; `elapsed_ms` is the time since the frame before. */
type Animation = (elapsed_ms: number) => boolean;

interface Change {
  bits: number;
  causes: ReadonlySet<Cause>;
}

const NO_CAUSES: ReadonlySet<Cause> = new Set();

const both = (a: Change, b: Change): Change => ({
  bits: a.bits | b.bits,
  causes: a.causes.size === 0 ? b.causes : new Set([...a.causes, ...b.causes]),
});

function paintedOn(on: On, paint: Painter): Painted {
  const [changed, ...causes] = typeof on === 'number' ? [on] : on;
  return { on: changed, causes, paint, is_new: true };
}

export class Frame {
  readonly #failed: (thrown: unknown) => void;
  readonly #dom: Painted[] = [];
  readonly #requests: Painted[] = [];
  readonly #canvas: Painted[] = [];
  readonly #animations = new Set<Animation>();
  readonly #after: (() => void)[] = [];
  #changed = 0;
  #causes = new Set<Cause>();
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
    const painted = paintedOn(on, paint);
    this.#dom.push({ ...painted, causes: [...painted.causes, itself] });
    return () => this.#cause(itself);
  }

  /** `ask` asks the core for what the view needs, once the DOM has settled how large everything is. It draws nothing. */
  onRequest(on: On, ask: Painter): void {
    this.#requests.push(paintedOn(on, ask));
  }

  /** `paint` draws what is at hand. It asks for nothing and writes no DOM. */
  onCanvas(on: On, paint: Painter): void {
    this.#canvas.push(paintedOn(on, paint));
  }

  invalidate(changed: number): void {
    this.#changed |= changed;
    this.#ask();
  }

  /** The core has answered `verb`, or is to be asked again. */
  answered(verb: Verb): void {
    this.#cause(verb);
  }

  #cause(cause: Cause): void {
    this.#causes.add(cause);
    this.#ask();
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
    let all: Change = { bits: 0, causes: NO_CAUSES };
    // Painting the DOM may find out the canvas's size, which is a change of this very frame, of its DOM too.
    for (let round = 0; this.#hasChanged() && round < MOST_ROUNDS; round++) {
      const change = this.#take();
      all = both(all, change);
      for (const painted of this.#dom) this.#paintIf(painted, change);
    }
    this.#asked = 0;
    all = both(all, this.#take());
    for (const asked of this.#requests) this.#paintIf(asked, all);
    let drew = false;
    for (const painted of this.#canvas) drew = this.#paintIf(painted, all) || drew;
    if (drew) this.#measure(started);
    for (const then of this.#after.splice(0)) this.#paint(then, all.bits);
    if (this.#animations.size > 0 || this.#hasChanged()) this.#ask();
    else this.#last_ms = 0;
  }

  #hasChanged(): boolean {
    return this.#changed !== 0 || this.#causes.size > 0;
  }

  /** What has changed since it was last taken. */
  #take(): Change {
    const change = { bits: this.#changed, causes: this.#causes.size > 0 ? this.#causes : NO_CAUSES };
    this.#changed = 0;
    if (change.causes !== NO_CAUSES) this.#causes = new Set();
    return change;
  }

  /** Whether it was painted. */
  #paintIf(painted: Painted, { bits, causes }: Change): boolean {
    const { on, paint, is_new } = painted;
    if (!is_new && !(on & bits) && !(causes.size > 0 && painted.causes.some((cause) => causes.has(cause)))) return false;
    painted.is_new = false;
    this.#paint(paint, is_new ? EVERYTHING : bits);
    return true;
  }

  #paint(paint: Painter, changed: number): void {
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
