// The worker's side of the engine: owns the wasm sessions, feeds them files, answers questions.
//
//   page                          worker                              wasm
//   open(sources)  ── message ──> chunk of a Blob ── push(chunk) ──>  Session being built
//   progress       <── message ── between chunks
//   summary        <── message ── finish()           <── JSON ──────  Session, which replaces the one before
//   marks(query)   ── message ──> marks(...)         ── columns ───>  copied out, buffers transferred to the page
import { say } from '../base/messages';
import { ns, type Ns } from '../base/time';
import { OTHER_TEXTS } from '../base/other_texts';
import start_verbs from 'steplens-start-verbs';
import {
  addLater,
  initSync,
  isPattern,
  OpFilter,
  RangeQuery as CoreRangeQuery,
  RedactionQuery,
  RouteQuery,
  Session,
  useLanguage,
} from 'steplens-wasm';
import { errorBody, superseded } from './errors';
import type { FromWorker, Query, ToWorker } from './messages';
import {
  COLOR_BIES,
  type AliveQuery,
  type Arrangement,
  type ColorBy,
  type Colors,
  type Concurrency,
  type Core,
  type Engine,
  type LaneGroup,
  type Lighting,
  type Marks,
  type MarksQuery,
  type MemoryBoxes,
  type MemoryLanes,
  type MemoryLanesQuery,
  type MemoryPicture,
  type Minimap,
  type OpenOptions,
  type OpsQuery,
  type RangeQuery,
  type RedactionRequest,
  type Route,
  type SavedPiece,
  type SearchCounts,
  type SearchQuery,
  type SharingRequest,
  type Source,
  type StepList,
  type StepRule,
  type Summary,
  type Peaks,
  type Traffic,
  type TrafficQuery,
  type TransfersQuery,
  type View,
  type WhyQuery,
} from './protocol';
import { chunksOf, contentOf } from './chunks';
import { warmUp } from './warm_up';

declare const self: DedicatedWorkerGlobalScope;

/** By then the page is there to be seen, which takes both of two cores. */
const WARM_UP_AFTER_MS = 150;

/** Progress is reported at most this often. */
const PROGRESS_MS = 50;

const CANCELLED = { code: 'cancelled', message: say('error-cancelled') };

let begin!: (core: WebAssembly.Module | Promise<WebAssembly.Module>) => void;
/** The page may ask before the core is there: a small trace in an export is unpacked sooner than the core. */
const started = new Promise<WebAssembly.Module>((resolve) => {
  begin = resolve;
}).then((core) => {
  initSync({ module: core });
  if (OTHER_TEXTS && !useLanguage(OTHER_TEXTS.language, OTHER_TEXTS.core)) reportError(new Error(say('error-texts-damaged')));
  // Only while nobody waits: an export opens its own trace at once, and the page is drawn first.
  setTimeout(() => {
    if (opening === 0) warmUp(() => opening === 0, nextTurn).then(loadAhead, reportError);
  }, WARM_UP_AFTER_MS);
});

/** The questions that the start of the core answers. */
const AT_START: ReadonlySet<string> = new Set(start_verbs.split('\n'));
/** Null where the core is whole. */
let loadLater: (() => Promise<WebAssembly.Module>) | null = null;
/** The later part of the core is being added, or was. */
let adding: Promise<void> | null = null;

/** Waits until the core is whole. After a failure the next question tries again. */
function wholeCore(): Promise<void> {
  if (!loadLater) return Promise.resolve();
  adding ??= loadLater().then(addLater, (thrown: unknown) => {
    adding = null;
    throw thrown;
  });
  return adding;
}

/** Begins to load what the next questions need. Where that fails, they say so. */
function loadAhead(): void {
  wholeCore().catch(() => {
    // The question that needs it tries again, and fails with the reason.
  });
}

let session: Session | null = null;
/** Counts what was shown: another trace, another view of it. A question that waited longer than what it asks about is dropped. */
let shown = 0;
/** What colours stand for; it stays while other steps are shown. */
let colored: ColorBy = 'category';
/** Whether ops that are not lit stand back. */
let lighting: Lighting = 'off';
/** The request of the newest opening; an older one that still runs sees that it is not its own, and stops. */
let opening = 0;
/** The page has said what it will look like, for the newest opening. */
let setupArrived = (_of: number, _setup: unknown): void => undefined;
/** Stops an opening that still waits for the core. */
let stopWaiting = (): void => undefined;

/** Waits for the core, but not longer than for a cancel. */
function readyFor(id: number): Promise<void> {
  opening = id;
  const cancelled = new Promise<never>((_, reject) => {
    stopWaiting = () => reject(CANCELLED);
  });
  return Promise.race([started, cancelled]);
}

/** Opens files and makes the first picture of them. Until that is there, the trace that was open before stays. */
async function open(id: number, sources: Source[], options: OpenOptions): Promise<FirstPicture> {
  const page_setup = new Promise<unknown>((resolve) => {
    setupArrived = (of, setup) => {
      if (of === id) resolve(setup);
    };
  });
  await readyFor(id);
  const building = new Session(options.communication);
  try {
    const [start, end] = options.window_unix_ns ?? [];
    building.select(options.devices ?? undefined, start, end);
    if (typeof options.memory_bytes === 'number') building.limitMemory(options.memory_bytes);
    await read(building, id, sources);
    const whole = JSON.parse(guarded(() => building.finish(), say('doing-arranging'))) as Summary;
    const setup = await page_setup;
    if (opening !== id) throw CANCELLED;
    return guarded(() => pictureOf(building, whole, setup), say('doing-picture'));
  } catch (thrown) {
    freeQuietly(building);
    throw thrown;
  }
}

/** The first picture of `opened`, which replaces the open trace; if that fails, the open trace stays. */
function pictureOf(opened: Session, whole: Summary, setup: unknown): FirstPicture {
  const before = { session, shown, colored, lighting };
  session = opened;
  shown++;
  colored = 'category';
  lighting = 'off';
  try {
    const picture = makePicture(core, whole, setup);
    before.session?.free();
    return picture;
  } catch (thrown) {
    ({ session, shown, colored, lighting } = before);
    throw thrown;
  }
}

/** What the files hold, counted by a session that opens none of it. */
async function count(id: number, sources: Source[]): Promise<string> {
  await readyFor(id);
  await wholeCore();
  const counting = new Session([]);
  try {
    counting.countOnly();
    await read(counting, id, sources);
    return counting.found();
  } finally {
    freeQuietly(counting);
  }
}

/** A session that threw may be beyond freeing; its memory then goes with the worker. */
function freeQuietly(broken: Session): void {
  try {
    broken.free();
  } catch {
    // Already consumed by the call that failed.
  }
}

async function read(building: Session, id: number, all: Source[]): Promise<void> {
  const sources = await Promise.all(all.map(async (source) => ({ ...source, blob: await contentOf(source) })));
  const total_bytes = sources.reduce((sum, source) => sum + source.blob.size, 0);
  let bytes = 0;
  let reported_at = 0;
  const report = (phase: 'reading' | 'arranging') => {
    reported_at = performance.now();
    post({ kind: 'progress', id, progress: { bytes, total_bytes, ops: building.opsRead(), phase } });
  };
  for (const source of sources) {
    building.beginFile(source.name);
    if (source.process) building.nameProcess(source.process);
    let offset = 0;
    for await (const chunk of chunksOf(source.blob)) {
      if (opening !== id) throw CANCELLED;
      const at = offset;
      guarded(
        () => building.push(chunk),
        () => say('doing-reading', { name: source.name, at: String(at), size: String(source.blob.size) }),
      );
      offset += chunk.byteLength;
      bytes += chunk.byteLength;
      if (performance.now() - reported_at >= PROGRESS_MS) report('reading');
    }
    building.endFile();
  }
  report('arranging');
  // A turn of the event loop, so that a cancel which arrived by now is heard.
  await nextTurn();
  if (opening !== id) throw CANCELLED;
}

/** A trap of the module says nothing about why. In practice memory ran out, which is at most 4 GiB for wasm. */
function guarded<T>(call: () => T, doing: string | (() => string)): T {
  try {
    return call();
  } catch (thrown) {
    if (!(thrown instanceof WebAssembly.RuntimeError)) throw thrown;
    throw {
      code: 'out-of-memory',
      message: say('error-out-of-memory', { doing: typeof doing === 'string' ? doing : doing(), why: thrown.message }),
    };
  }
}

function current(): Session {
  if (!session) throw { code: 'no-trace', message: say('error-no-trace') };
  return session;
}

/** Also what makes the first picture asks these, without waiting. */
const core: Core = {
  showView({ rule, step, repairs, op_time, clocks, communication }) {
    shown++;
    lighting = 'off';
    const summary = JSON.parse(
      current().showView(rule, step ?? undefined, [...repairs], op_time, [...clocks], [...communication]),
    ) as Summary;
    // Steps have the same colours one after the other; slack takes longer than a picture may.
    if (colored !== 'category' && colored !== 'slack') current().colorBy(colored);
    return summary;
  },
  steps: (rule) => JSON.parse(current().steps(rule)) as StepList,
  arrange: (by) => JSON.parse(current().arrange(by)) as LaneGroup[][],
  colorBy: (by) => {
    lighting = 'off';
    colored = by;
    return JSON.parse(current().colorBy(by)) as Colors;
  },
  lanesInUse: (start_ns, end_ns) => current().lanesInUse(start_ns, end_ns),
  marks,
  minimap: (bins): Minimap => ({ bins, shares: current().minimap(bins) }),
  isPattern,
  viewKept: () => current().viewKept(),
  communicationShown: () => current().communicationShown(),
};

interface Answer<T> {
  value: T;
  transfer: Transferable[];
}

const plain = <T>(value: T): Answer<T> => ({ value, transfer: [] });
/** The types of `contract/`, which are made from those that the core writes, stand for what is in the text. */
const parsed = <T>(json: string): Answer<T> => plain(JSON.parse(json) as T);
const bulk = <T extends object>(value: T): Answer<T> => ({ value, transfer: buffersOf(value) });

/** The buffers of an object's typed arrays, to be handed over rather than copied. */
const buffersOf = (value: object): ArrayBuffer[] =>
  Object.values(value).flatMap((column: unknown) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));

/** One function per question, with the parameters and the answer that `Engine` promises. */
const ANSWERS: { [Q in Query]: (...parameters: Parameters<Engine[Q]>) => Answer<Awaited<ReturnType<Engine[Q]>>> } = {
  steps: (rule: StepRule) => plain(core.steps(rule)),
  doctor: () => parsed(current().doctor()),
  showView: (view: View) => plain(core.showView(view)),
  patternOps: (patterns) => {
    const counts = current().patternOps([...patterns]);
    return { value: counts, transfer: [counts.buffer as ArrayBuffer] };
  },
  marks: (query: MarksQuery) => bulk(core.marks(query)),
  arrange: (by: Arrangement) => plain(core.arrange(by)),
  colorBy: (by) => plain(core.colorBy(by)),
  colorSums: (query) => parsed(current().colorSums(rangeOf(query))),
  light: (light) => {
    lighting = light?.lighting ?? 'off';
    const type = light && 'op_type' in light ? light.op_type : undefined;
    const colors = light && 'colors' in light ? light.colors : [];
    current().light(
      type,
      colors.reduce((bits, color) => bits | (1 << color), 0),
    );
    return plain(undefined);
  },
  lengths: () => parsed(current().lengths()),
  hasThreads: () => plain(current().hasThreads()),
  op: (op: number) => parsed(current().op(op)),
  flow: (op: number, hops: number) => parsed(current().flow(op, hops)),
  opAt: (lane: number, at_ns: number, slack_ns: number) => plain(current().opAt(lane, at_ns, slack_ns) ?? null),
  longestAt: (first: number, count: number, at_ns: number, slack_ns: number) =>
    plain(current().longestAt(first, count, at_ns, slack_ns) ?? null),
  edgeNear: (lanes: Uint32Array, at_ns: number, slack_ns: number) => plain(edgeNear(lanes, at_ns, slack_ns)),
  lanesInUse: (start_ns, end_ns) => plain(core.lanesInUse(start_ns, end_ns)),
  neighbour: (op: number, step: number) => plain(current().neighbour(op, step) ?? null),
  range: (query: RangeQuery) => parsed(current().range(rangeOf(query))),
  minimap: (bins: number) => bulk(core.minimap(bins)),
  search: ({ text, regex }: SearchQuery) => {
    const result = JSON.parse(current().search(text, regex)) as SearchCounts;
    const ops = current().searchOps();
    return { value: { ...result, ops }, transfer: [ops.buffer as ArrayBuffer] };
  },
  ops: (ops: Uint32Array) => parsed(current().ops(ops)),
  placeInOps: (op) => plain(current().placeInOps(op) ?? null),
  placeInTransfers: (op) => plain(current().placeInTransfers(op) ?? null),
  opsIn: ({ range, matching, filter, lengths, sort, descending, offset, limit }: OpsQuery) =>
    parsed(current().opsIn(rangeOf(range), new OpFilter(matching, filter, lengths?.[0], lengths?.[1]), sort, descending, offset, limit)),
  found: () => parsed(current().found()),
  opTypes: (query: RangeQuery) => parsed(current().opTypes(rangeOf(query))),
  concurrency: (query: RangeQuery, bins: number) => concurrency(query, bins),
  clocks: () => parsed(current().clocks()),
  violations: (clocks: readonly string[]) => parsed(current().violations([...clocks])),
  network: () => parsed(current().network()),
  highlights: () => parsed(current().highlights()),
  memory: () => parsed(current().memory()),
  memoryAlive: ({ reading, account, at_ns, by, most }: AliveQuery) =>
    parsed(current().memoryAlive(reading, account, at_ns ?? undefined, by, most)),
  memoryWhy: ({ reading, account, life, at_ns }: WhyQuery) => parsed(current().memoryWhy(reading, account, life, at_ns ?? undefined)),
  memoryLanes: (query: MemoryLanesQuery) => bulk(memoryLanes(query)),
  memoryPicture: (query: MemoryLanesQuery, most: number) => {
    const { start_ns, end_ns, reading, accounts } = query;
    const boxes = JSON.parse(current().memoryBoxes(reading, accounts[0] ?? 0, start_ns, end_ns, most)) as MemoryBoxes;
    const picture: MemoryPicture = { ...memoryLanes(query), ...boxes };
    return bulk(picture);
  },
  criticalPath: () => parsed(current().criticalPath()),
  pathOverSteps: (first, end) => parsed(current().pathOverSteps(first, end)),
  scheduling: (threads, tiny_ns) => parsed(current().scheduling(threads, tiny_ns)),
  why: (op) => parsed(current().why(op)),
  traffic: (query: TrafficQuery) => {
    const columns = current().traffic(query.start_ns, query.end_ns, query.width_px, routeOf(query.route));
    const peaks = JSON.parse(current().trafficPeaks(routeOf(query.route))) as Peaks | null;
    const answer: Traffic = { query, columns, peaks };
    return { value: answer, transfer: [columns.buffer as ArrayBuffer] };
  },
  trafficLinks: (start_ns: number, end_ns: number, route: Route) => parsed(current().trafficLinks(start_ns, end_ns, routeOf(route))),
  transfers: ({ sort, descending, filter, range, offset, limit }: TransfersQuery) =>
    parsed(current().transfers(sort, descending, filter, offset, limit, range ? rangeOf(range) : undefined)),
  sessionBytes: (view: string, communication: readonly string[]) => {
    const bytes = current().sessionBytes(view, [...communication]) as Uint8Array<ArrayBuffer>;
    return { value: bytes, transfer: [bytes.buffer] };
  },
  redactionShown: (query: RedactionRequest) => parsed(withRedaction(query, (core) => current().redactionShown(core))),
  redactedClocks: (query, clocks) => plain(withRedaction(query, (core) => current().redactedClocks(core, [...clocks]))),
  redactionLeak: (query, written, session, strings) =>
    plain(withRedaction(query, (core) => current().redactionLeak(core, [...written], session, [...strings]) ?? null)),
  picture: ({ kind, width, theme, window, devices, has_heading }) => {
    const times = window ? [window.start, window.end] : [];
    return plain(current().picture(kind, width, theme, Float64Array.from(times), Uint32Array.from(devices), has_heading));
  },
  beginSaving: (format, view, communication) =>
    plain({ saving: ++savings, ending: current().beginSaving(format, view, [...communication]) }),
  beginSharing: (request) => plain({ saving: ++savings, file: beginSharing(request) }),
  saveMore: (saving) => {
    if (saving !== savings) throw superseded();
    const piece = saveMore();
    return { value: piece, transfer: [piece.bytes.buffer] };
  },
  endSaving: (saving) => plain(saving === savings ? current().endSaving() : undefined),
};

/** Counts the files that were begun. */
let savings = 0;
/** So long the core writes before other questions are answered. */
const SAVING_MS = 12;
/** So many of its pieces, which are up to a megabyte, are handed over at once. */
const MOST_PIECES = 8;

/** Begins what a page to share carries; returns what the first file in it is called. */
function beginSharing({ view, options, redaction }: SharingRequest): string {
  if (redaction) return withRedaction(redaction, (core) => current().beginSharingRedacted(core, view));
  const [start, end] = options.window_unix_ns ?? [];
  current().beginSharing(view, [...options.communication], options.devices ?? undefined, start, end);
  return '';
}

function saveMore(): SavedPiece {
  const until = performance.now() + SAVING_MS;
  let has_more = true;
  for (let pieces = 0; has_more && pieces < MOST_PIECES && performance.now() < until; pieces++)
    has_more = guarded(() => current().saveOne(), say('doing-saving'));
  const [done = 0, of = 0, arrows = 0, inputs = 0, categories = 0, calls = 0, devices = 0, runs = 0, cut = 0] = current().savingFigures();
  const left_out = has_more ? null : { arrows, inputs, categories, calls, devices, runs, cut };
  return { bytes: current().takeSaved() as Uint8Array<ArrayBuffer>, done, of, left_out };
}

const coreRedaction = ({ included, key, public: listed }: RedactionRequest): RedactionQuery =>
  new RedactionQuery(included.join(','), key, listed);

/** Asks with the query as the core takes it, which is freed after that. */
function withRedaction<T>(query: RedactionRequest, ask: (core: RedactionQuery) => T): T {
  const core = coreRedaction(query);
  try {
    return ask(core);
  } finally {
    core.free();
  }
}

/** The query as the core takes it, which it frees. */
function rangeOf({ start_ns, end_ns, device, lanes, accelerator }: RangeQuery): CoreRangeQuery {
  return new CoreRangeQuery(start_ns, end_ns, device ?? undefined, lanes ?? undefined, accelerator);
}

function routeOf({ between, source, destination }: Route): RouteQuery {
  return new RouteQuery(between === 'task', source ?? undefined, destination ?? undefined);
}

function memoryLanes(query: MemoryLanesQuery): MemoryLanes {
  const { reading, accounts, start_ns, end_ns, width_px } = query;
  return { query, columns: current().memoryLanes(reading, accounts, start_ns, end_ns, width_px) };
}

function concurrency(query: RangeQuery, bins: number): Answer<Concurrency> {
  const buffers = current().concurrency(rangeOf(query), bins);
  const peaks = [...buffers.peaks];
  const { inFlight: in_flight, peak } = buffers;
  buffers.free();
  const answer: Concurrency = { bins, in_flight, peak, peaks };
  return { value: answer, transfer: [in_flight.buffer as ArrayBuffer] };
}

function marks(query: MarksQuery): Marks {
  const buffers = current().marks(query.start_ns, query.end_ns, query.width_px, query.lanes, query.pitches, query.most);
  const { colorBy, row, stacks, x0, x1, style, op, count, density, text, names } = buffers;
  const column_px = (buffers.columnNs * query.width_px) / (query.end_ns - query.start_ns);
  buffers.free();
  const strips = current().strips(query.start_ns, query.end_ns, query.width_px, query.strips);
  const color_by = COLOR_BIES.find((by) => by === colorBy) ?? 'category';
  const exposed = current().exposed(query.start_ns, query.end_ns, query.width_px, query.strips);
  return { query, color_by, light: lighting, row, stacks, x0, x1, style, op, count, density, text, names, column_px, strips, exposed };
}

function edgeNear(lanes: Uint32Array, at_ns: number, slack_ns: number): Ns | null {
  const edge = current().edgeNear(lanes, at_ns, slack_ns);
  return edge === undefined ? null : ns(edge);
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer);
}

async function answer(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'start':
      begin(message.core);
      return;
    case 'cancel':
      opening = 0;
      stopWaiting();
      return;
    case 'open': {
      const picture = await open(message.id, message.sources, message.options);
      post({ kind: 'answer', id: message.id, answer: picture }, [...buffersOf(picture.marks ?? {}), ...buffersOf(picture.minimap)]);
      loadAhead();
      return;
    }
    case 'page-setup':
      setupArrived(message.id, message.setup);
      return;
    case 'totals':
      await prepared(['transfers']);
      post({ kind: 'answer', id: message.id, answer: JSON.parse(current().totals()) });
      return;
    case 'count': {
      const found = await count(message.id, message.sources);
      post({ kind: 'answer', id: message.id, answer: JSON.parse(found) });
      return;
    }
    case 'query': {
      if (!AT_START.has(message.query)) await wholeCore();
      await prepared(needsOf(message));
      // The message is made from one question: its parameters are those of its name.
      const answer = ANSWERS[message.query] as (...parameters: unknown[]) => Answer<unknown>;
      const one = IN_PIECES[message.query];
      const { value, transfer } = one ? parsed(await inPieces(one, message.id)) : answer(...message.parameters);
      post({ kind: 'answer', id: message.id, answer: value }, transfer);
    }
  }
}

/** What the core prepares in pieces, because no picture of the timeline needs it. */
type Part = 'transfers' | 'kernels';

/** What each question needs of that; it waits for it, and for nothing else. */
const NEEDS: Partial<Record<Query, readonly Part[]>> = {
  op: ['kernels', 'transfers'],
  flow: ['kernels', 'transfers'],
  ops: ['transfers'],
  opsIn: ['transfers'],
  range: ['transfers'],
  doctor: ['transfers'],
  transfers: ['transfers'],
  clocks: ['transfers'],
  violations: ['transfers'],
  network: ['kernels', 'transfers'],
  highlights: ['kernels', 'transfers'],
  memory: ['transfers'],
  memoryAlive: ['transfers'],
  memoryWhy: ['transfers'],
  memoryLanes: ['transfers'],
  memoryPicture: ['transfers'],
  criticalPath: ['kernels', 'transfers'],
  scheduling: ['kernels', 'transfers'],
  why: ['kernels', 'transfers'],
  traffic: ['transfers'],
  trafficLinks: ['transfers'],
  picture: ['kernels', 'transfers'],
};

function needsOf({ query, parameters }: Extract<ToWorker, { kind: 'query' }>): readonly Part[] {
  if (query === 'colorBy' && parameters[0] === 'slack') return ['kernels', 'transfers'];
  if (query === 'beginSaving' && parameters[0] !== 'session') return ['transfers'];
  return NEEDS[query] ?? [];
}

interface InPieces {
  /** Does one piece of the work, and gives the answer with the last. */
  one: () => string | undefined;
  /** How many parts of it are done, and of how many. */
  parts: () => Uint32Array;
}

/** Questions whose answers take long. */
const IN_PIECES: Partial<Record<Query, InPieces>> = {
  network: { one: () => current().networkOne(), parts: () => current().networkParts() },
};

/** The answer to the question `id` piece by piece; between two pieces other questions are answered. */
async function inPieces({ one, parts }: InPieces, id: number): Promise<string> {
  const before = shown;
  let reported = -1;
  for (;;) {
    const answer = guarded(one, say('doing-network'));
    if (answer !== undefined) return answer;
    const [done = 0, of = 0] = parts();
    if (done !== reported) post({ kind: 'parts', id, parts: { done, of } });
    reported = done;
    await nextTurn();
    if (before !== shown) throw superseded();
  }
}

/** Two that wait share one preparation. */
const preparing = new Map<Part, { of: number; done: Promise<void> }>();

/** Has `parts` followed piece by piece; between two pieces other questions are answered. */
async function prepared(parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    let own = preparing.get(part);
    if (own?.of !== shown) preparing.set(part, (own = { of: shown, done: prepare(shown, part) }));
    await own.done;
  }
}

async function prepare(of: number, part: Part): Promise<void> {
  try {
    while (of === shown && guarded(() => current().prepareOne(part), say('doing-flow'))) await nextTurn();
  } catch (thrown) {
    // The next question tries again.
    preparing.delete(part);
    throw thrown;
  }
  if (of !== shown) throw superseded();
}

/** Lets messages that have arrived be heard. Timers would wait four milliseconds each. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The part of a first picture that is handed over rather than copied. */
interface FirstPicture {
  marks: Marks | null;
  minimap: Minimap;
}

/** Makes the first picture of what was opened, from the setup of the page. */
export type MakePicture = (core: Core, whole: Summary, setup: unknown) => FirstPicture;

let makePicture: MakePicture;

/** `core` is null where the page sends it; `later` loads its later part, and is null where the core is whole. */
export function serveWorker(
  make: MakePicture,
  core: Promise<WebAssembly.Module> | null,
  later: (() => Promise<WebAssembly.Module>) | null,
): void {
  makePicture = make;
  loadLater = later;
  started.catch(() => {
    // Each question is answered with it.
  });
  if (core) begin(core);
  self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
    answer(message).catch((thrown: unknown) => {
      const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
      if ('id' in message) post({ kind: 'failure', id: message.id, error: errorBody(thrown), stack });
      // Nobody waits for an answer to it, but the page hears of what the worker did not catch.
      else reportError(thrown);
    });
  };
}
