// One function per question: what the core says, and which buffers of it are handed over rather than copied.
import { OpFilter, RangeQuery as CoreRangeQuery, RouteQuery } from 'steplens-wasm';
import type { Query } from '../messages';
import type {
  AliveQuery,
  Arrangement,
  Concurrency,
  Engine,
  MarksQuery,
  MemoryBoxes,
  MemoryLanes,
  MemoryLanesQuery,
  MemoryPicture,
  OpsQuery,
  Peaks,
  RangeQuery,
  RedactionRequest,
  Route,
  SearchCounts,
  SearchQuery,
  StepRule,
  Traffic,
  TrafficQuery,
  TransfersQuery,
  View,
  WhyQuery,
} from '../protocol';
import { withRedaction } from './redaction';
import { beginSaving, beginSharing, endSaving, saveMore } from './saving';
import { core, current, edgeNear, setLighting } from './shown';

export interface Answer<T> {
  value: T;
  transfer: Transferable[];
}

const plain = <T>(value: T): Answer<T> => ({ value, transfer: [] });
/** The types of `contract/`, which are made from those that the core writes, stand for what is in the text. */
export const parsed = <T>(json: string): Answer<T> => plain(JSON.parse(json) as T);
const bulk = <T extends object>(value: T): Answer<T> => ({ value, transfer: buffersOf(value) });

/** The buffers of an object's typed arrays, to be handed over rather than copied. */
export const buffersOf = (value: object): ArrayBuffer[] =>
  Object.values(value).flatMap((column: unknown) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));

/** One function per question, with the parameters and the answer that `Engine` promises. */
export const ANSWERS: { [Q in Query]: (...parameters: Parameters<Engine[Q]>) => Answer<Awaited<ReturnType<Engine[Q]>>> } = {
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
    setLighting(light?.lighting ?? 'off');
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
  beginSaving: (format, view, communication) => plain(beginSaving(format, view, communication)),
  beginSharing: (request) => plain(beginSharing(request)),
  saveMore: (saving) => {
    const piece = saveMore(saving);
    return { value: piece, transfer: [piece.bytes.buffer] };
  },
  endSaving: (saving) => plain(endSaving(saving)),
};

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
