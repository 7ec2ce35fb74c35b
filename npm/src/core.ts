// The core as a library: opens traces, and answers what the program `steplens` prints with --json.
import type { OpColumns } from './columns.js';
import { settled, type Exact } from './integers.js';
import { initSync, Opening, version as coreVersion, type OpenTrace } from './steplens_npm.js';
import type { Clocks, Compare, Counters, CriticalPath, Doctor, Findings, Flame, Kernels, Memory, Network, Ops, Scheduling, Steps, Summary, Transfers, WhatIf } from './answers.js';

/** What a trace may be read from: bytes, or what gives them one after the other. */
export type Bytes = Uint8Array | ArrayBuffer | Blob | AsyncIterable<Uint8Array>;

export interface TraceFile {
  /** What it is called in every answer. */
  name: string;
  bytes: Bytes;
  /** The process that it is of, such as `trainer0`, if its devices belong to no cluster. */
  process?: string;
}

export interface OpenOptions {
  /** Regular expressions: ops whose type or name matches count as communication, too. */
  communication?: readonly string[];
  /** A regular expression: only devices whose names match are opened. */
  devices?: string;
  /** How much memory the ops may take; what does not fit is counted as a problem. */
  memoryBytes?: number;
  /** Called after every slice, with all bytes that were read so far. */
  onProgress?(bytes: number): void;
  /** Opening ends with the code `cancelled` once it is aborted. */
  signal?: AbortSignal;
}

/** Which part of the files a question is about. Options that are not given keep their defaults. */
export interface View {
  /** What makes a step. */
  rule?: 'content' | 'file' | 'part' | 'together';
  /** Its place in `steps()`, from 1; null for all of them. */
  step?: number | null;
  /** Findings of `doctor()` to repair. */
  repairs?: readonly string[];
  /** How long ops last that launched kernels. */
  opTime?: 'schedule' | 'gpu' | 'all';
  /** `estimated` from the tensors, and `TASK=OFFSET`: by how many ns its clock is ahead, such as `/job:worker/replica:0/task:2=-12500`; none: as recorded. */
  clocks?: readonly ('estimated' | `${string}=${number}`)[];
  communication?: readonly string[];
}

/** Codes are stable (docs/problems.md); messages are one sentence for people. */
export class SteplensError extends Error {
  override readonly name = 'SteplensError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** So much is given to the core at once: calls cost nothing then, and it is no memory. */
const SLICE_BYTES = 1 << 22;

/** The answers by the names of the methods that give them. */
export interface Answers {
  summary: Summary;
  ops: Ops;
  transfers: Transfers;
  network: Network;
  memory: Memory;
  criticalPath: CriticalPath;
  flame: Flame;
  kernels: Kernels;
  counters: Counters;
  scheduling: Scheduling;
  whatIf: WhatIf;
  compare: Compare;
  steps: Steps;
  clocks: Clocks;
  doctor: Doctor;
  findings: Findings;
}

type Rule = NonNullable<View['rule']>;
/** What a flame is made of. */
export type Layers = NonNullable<Flame['layers']>;

/** What the methods with an argument ask. */
interface Asked {
  flame: Layers;
  steps: Rule;
  whatIf: readonly string[];
  compare: Trace;
}

type AskedOf<Name> = Name extends keyof Asked ? Asked[Name] : undefined;
/** What `exact` needs besides the name: the other trace, where there is one. */
type ArgumentsOf<Name> = Name extends 'compare' ? [other: Trace] : [asked?: AskedOf<Name>];

/** One open trace. It holds memory outside of JavaScript: `free` it, or declare it with `using`. */
export class Trace implements Disposable {
  readonly #trace: OpenTrace;
  readonly #communication: readonly string[];
  #rounded = 0;

  /** Use `openTrace`. */
  constructor(trace: OpenTrace) {
    this.#trace = trace;
    this.#communication = trace.communication;
  }

  /** The files, the step and its devices. */
  summary(): Summary {
    return this.#answer('summary');
  }
  /** Every op, as an object for each: of millions of ops, `opColumns()` takes a fraction of the time and memory. */
  ops(): Ops {
    return this.#answer('ops');
  }
  /** Every op, as typed arrays. */
  opColumns(): OpColumns {
    const columns = guarded(() => this.#trace.opColumns());
    this.#rounded = columns.rounded;
    return columns;
  }
  /** Every transfer, and what went over each link. */
  transfers(): Transfers {
    return this.#answer('transfers');
  }
  /** What communication costs, and what to blame. */
  network(): Network {
    return this.#answer('network');
  }
  /** Which bytes were alive when. */
  memory(): Memory {
    return this.#answer('memory');
  }
  /** What the step waited for, moment by moment. */
  criticalPath(): CriticalPath {
    return this.#answer('criticalPath');
  }
  /** The kernels of GPUs by name: how long they took, how they were launched, and by which ops. */
  kernels(): Kernels {
    return this.#answer('kernels');
  }
  /** What was counted over time, with all values: the counters of the files, the queue of each stream and what its copies moved. */
  counters(): Counters {
    return this.#answer('counters');
  }
  /** What ran inside of what, summed by path of names: `modules`, `ops`, `python` or `scopes`, or what of these says most. */
  flame(layers?: Layers): Flame {
    return this.#answer('flame', layers);
  }
  /** When ops were ready, scheduled and run. */
  scheduling(): Scheduling {
    return this.#answer('scheduling');
  }
  /**
   * How long the step would take with all of `changes`, each written as the option of `steplens what-if` without its hyphens: `op=type:Conv2D=0.5`. None:
   * what would help.
   */
  whatIf(changes: readonly string[] = []): WhatIf {
    return this.#answer('whatIf', changes);
  }
  /**
   * What differs in `other`, the trace after a change, and where the difference comes from. What each of them shows is compared; of all that was
   * opened it is the step of median length.
   */
  compare(other: Trace): Compare {
    return this.#answer('compare', other);
  }
  /** The steps and runs in the files. */
  steps(rule: Rule = 'content'): Steps {
    return this.#answer('steps', rule);
  }
  /** How far the clocks of the tasks are apart. */
  clocks(): Clocks {
    return this.#answer('clocks');
  }
  /** What is wrong with a trace that reads well. */
  doctor(): Doctor {
    return this.#answer('doctor');
  }
  /** What would help, by the time that it would save. */
  findings(): Findings {
    return this.#answer('findings');
  }

  /**
   * How many integers of the answer that was given last are beyond `Number.MAX_SAFE_INTEGER` (104 days in ns), and so rounded to the nearest
   * number. Clocks that are wrong by years make some; `exact` gives them whole.
   */
  get rounded(): number {
    return this.#rounded;
  }

  /** The answer of the method of this name, with integers beyond `Number.MAX_SAFE_INTEGER` as bigints; `asked` is its argument. */
  exact<Name extends keyof Answers>(name: Name, ...asked: ArgumentsOf<Name>): Exact<Answers[Name]> {
    const answer = this.#ask(name, asked[0] as AskedOf<Name> | undefined);
    if (this.#trace.hasBigInts) settled(answer, (integer) => integer);
    return answer as Exact<Answers[Name]>;
  }

  /** Looks at another part of the files, or repairs it: all answers are about that from now on. Returns its summary. */
  show({
    rule = 'content',
    step = null,
    repairs = [],
    opTime = 'schedule',
    clocks = [],
    communication = this.#communication,
  }: View): Summary {
    // Steps are counted from 1 everywhere that people see them, and from 0 at the edge of the core.
    const row = step === null ? undefined : step - 1;
    guarded(() => this.#trace.show(rule, row, [...repairs], opTime, [...clocks], [...communication]));
    return this.summary();
  }

  /** All that was opened as a Steplens session: a file that opens again quickly, and shows `view`, the fragment of the page's address. */
  sessionBytes(view = ''): Uint8Array {
    return guarded(() => this.#trace.sessionBytes(view, [...this.#communication]));
  }

  /** Gives its memory back. It cannot be asked afterwards. */
  free(): void {
    this.#trace.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #ask<Name extends keyof Answers>(name: Name, asked?: AskedOf<Name>): Answers[Name] {
    this.#rounded = 0;
    return guarded(() => this.#asked(name, asked)) as Answers[Name];
  }

  #asked(name: keyof Answers, asked: unknown): unknown {
    if (name === 'steps') return this.#trace.steps((asked as Rule | undefined) ?? 'content');
    if (name === 'whatIf') return this.#trace.whatIf([...((asked as readonly string[] | undefined) ?? [])]);
    if (name === 'compare') return this.#trace.compare((asked as Trace).#trace);
    return this.#trace[name]();
  }

  #answer<Name extends keyof Answers>(name: Name, asked?: AskedOf<Name>): Answers[Name] {
    return this.#numbers(this.#ask(name, asked));
  }

  /** `answer` with its bigints, if it has any, as the nearest numbers. */
  #numbers<Answer>(answer: Answer): Answer {
    if (this.#trace.hasBigInts) {
      settled(answer, (integer) => {
        this.#rounded++;
        return Number(integer);
      });
    }
    return answer;
  }
}

/** Errors of the core as errors with a stack. */
function guarded<T>(doing: () => T): T {
  try {
    return doing();
  } catch (thrown) {
    if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'message' in thrown) {
      throw new SteplensError(String(thrown.code), String(thrown.message));
    }
    throw thrown;
  }
}

/** Opens files as one trace: workers of one step, or several steps. */
export async function openWith(
  core: Promise<WebAssembly.Module>,
  files: TraceFile | readonly TraceFile[],
  { communication = [], devices, memoryBytes, onProgress, signal }: OpenOptions = {},
): Promise<Trace> {
  initSync({ module: await core });
  const opening = guarded(() => new Opening([...communication], devices, memoryBytes));
  try {
    let read = 0;
    for (const { name, bytes, process } of [files].flat() as TraceFile[]) {
      opening.beginFile(name, process);
      for await (const slice of slices(bytes)) {
        if (signal?.aborted) throw new SteplensError('cancelled', 'opening was cancelled');
        opening.push(slice);
        read += slice.byteLength;
        onProgress?.(read);
      }
      opening.endFile();
    }
  } catch (thrown) {
    opening.free();
    throw thrown;
  }
  // This ends it, whatever comes of it.
  return new Trace(guarded(() => opening.finish()));
}

async function* slices(bytes: Bytes): AsyncGenerator<Uint8Array> {
  if (bytes instanceof Uint8Array || bytes instanceof ArrayBuffer) {
    const all = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    for (let at = 0; at < all.byteLength; at += SLICE_BYTES) yield all.subarray(at, at + SLICE_BYTES);
  } else if (bytes instanceof Blob) {
    for (let at = 0; at < bytes.size; at += SLICE_BYTES) yield new Uint8Array(await bytes.slice(at, at + SLICE_BYTES).arrayBuffer());
  } else {
    yield* bytes;
  }
}

/** The version of the core, which is that of the package. */
export async function versionWith(core: Promise<WebAssembly.Module>): Promise<string> {
  initSync({ module: await core });
  return coreVersion();
}
