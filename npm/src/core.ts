// The core as a library: opens traces, and answers what the program `steplens` prints with --json.
import { Answering, QUESTIONS, type Answers as OfOne, type Chosen } from './answering.js';
import type { OpColumns } from './columns.js';
import { settled, type Exact } from './integers.js';
import begin, { Opening, version as coreVersion, type OpenTrace } from './steplens_npm.js';
import type { Compare, Summary } from './answers.js';

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
export interface Answers extends OfOne {
  compare: Compare;
}

/** What a method is given. */
type AskedOf<Name extends keyof Answers> = Name extends keyof OfOne ? Chosen[Name] : [other: Trace];

/** One open trace. It holds memory outside of JavaScript: `free` it, or declare it with `using`. */
export class Trace extends Answering implements Disposable {
  readonly #trace: OpenTrace;
  readonly #communication: readonly string[];
  #rounded = 0;

  /** Use `openTrace`. */
  constructor(trace: OpenTrace) {
    super();
    this.#trace = trace;
    this.#communication = trace.communication;
  }

  /** Every op, as typed arrays: of millions of ops a fraction of the time and memory that `ops()` takes. */
  opColumns(): OpColumns {
    const columns = guarded(() => this.#trace.opColumns());
    this.#rounded = columns.rounded;
    return columns;
  }
  /**
   * What differs in `other`, the trace after a change, and where the difference comes from. What each of them shows is compared; of all that was
   * opened it is the step of median length.
   */
  compare(other: Trace): Compare {
    return this.#numbers(this.#ask('compare', [other]));
  }

  /**
   * How many integers of the answer that was given last are beyond `Number.MAX_SAFE_INTEGER` (104 days in ns), and so rounded to the nearest
   * number. Clocks that are wrong by years make some; `exact` gives them whole.
   */
  get rounded(): number {
    return this.#rounded;
  }

  /** The answer of the method of this name, with integers beyond `Number.MAX_SAFE_INTEGER` as bigints; `asked` is what the method is given. */
  exact<Name extends keyof Answers>(name: Name, ...asked: AskedOf<Name>): Exact<Answers[Name]> {
    const answer = this.#ask(name, asked);
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

  protected answered<Name extends keyof OfOne>(name: Name, ...chosen: Chosen[Name]): OfOne[Name] {
    return this.#numbers(this.#ask<keyof OfOne>(name, chosen) as OfOne[Name]);
  }

  #ask<Name extends keyof Answers>(name: Name, asked: readonly unknown[]): Answers[Name] {
    this.#rounded = 0;
    return guarded(() => this.#asked(name, asked)) as Answers[Name];
  }

  #asked(name: keyof Answers, asked: readonly unknown[]): unknown {
    if (name === 'compare') return this.#trace.compare((asked[0] as Trace).#trace);
    const [called, ...options] = QUESTIONS[name];
    const chosen = options.map((option, at) => [option, asked[at]] as const);
    return this.#trace.answer(called, JSON.stringify(Object.fromEntries(chosen)));
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
  // Not at once: of a core of more than 8 MB, Chromium refuses that on a page's own thread.
  await begin({ module_or_path: await core });
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
  await begin({ module_or_path: await core });
  return coreVersion();
}
