// One op, and tables whose rows are ops, transfers or op types.
import { OpFilter } from 'steplens-wasm';
import type {
  Concurrency,
  FlameAnswer,
  FlameChoice,
  Flow,
  Kernels,
  LengthBin,
  OpDetails,
  OpId,
  OpPage,
  OpRow,
  OpsQuery,
  OpTypeRow,
  RangeQuery,
  RangeSummary,
  SearchCounts,
  SearchQuery,
  SearchResult,
  TransfersPage,
  TransfersQuery,
} from '../protocol';
import { answerOf, current } from '../worker/shown';
import { rangeOf, within } from './range_query';
import { FLOW, KERNELS, parsed, plain, TRANSFERS, type Answer, type VerbEntries } from './verb';

export const OPS = {
  op: { needs: FLOW, answer: (op: OpId) => parsed<OpDetails>(current().op(op)) },
  /** What an op's data was made from and what was made of it, up to `hops` edges away, both ways. */
  flow: { needs: FLOW, answer: (op: OpId, hops: number) => parsed<Flow>(current().flow(op, hops)) },
  /** Marks everything that matches from now on (bit 5 of a mark's style); the empty text clears. */
  search: {
    answer: ({ text, regex }: SearchQuery): Answer<SearchResult> => {
      const result = JSON.parse(current().search(text, regex)) as SearchCounts;
      const ops = current().searchOps();
      return { value: { ...result, ops }, transfer: [ops.buffer as ArrayBuffer] };
    },
  },
  /** How many of the ops that the last search found are about how long. */
  lengths: { answer: () => parsed<LengthBin[]>(current().lengths()) },
  /** Rows of many ops at once, in the order of `ops`. */
  ops: { needs: TRANSFERS, answer: (ops: Uint32Array) => parsed<OpRow[]>(current().ops(ops)) },
  /** The ops of a range, some rows at a time. Their order is kept until another one is asked for: four bytes an op. */
  opsIn: {
    needs: TRANSFERS,
    answer: ({ range, matching, filter, lengths, sort, descending, offset, limit }: OpsQuery) => {
      const wanted = new OpFilter(matching, filter, lengths?.[0], lengths?.[1]);
      return parsed<OpPage>(current().opsIn(rangeOf(range), wanted, sort, descending, offset, limit));
    },
  },
  /** Where an op is in the list that was asked for last; null if it is not there. */
  placeInOps: { answer: (op: OpId): Answer<number | null> => plain(current().placeInOps(op) ?? null) },
  /** The same in the list of transfers, by the op that recorded it. */
  placeInTransfers: { answer: (op: OpId): Answer<number | null> => plain(current().placeInTransfers(op) ?? null) },
  transfers: {
    needs: TRANSFERS,
    answer: ({ sort, descending, filter, range, offset, limit }: TransfersQuery) =>
      parsed<TransfersPage>(current().transfers(sort, descending, filter, offset, limit, range ? rangeOf(range) : undefined)),
  },
  range: { needs: TRANSFERS, answer: (query: RangeQuery) => parsed<RangeSummary>(current().range(rangeOf(query))) },
  opTypes: { answer: (query: RangeQuery) => parsed<OpTypeRow[]>(current().opTypes(rangeOf(query))) },
  kernels: { needs: KERNELS, answer: (query: RangeQuery) => parsed<Kernels>(answerOf(current(), 'kernels', { page: within(query) })) },
  flame: {
    needs: KERNELS,
    answer: (query: RangeQuery, { layers, measure, path, name }: FlameChoice) =>
      parsed<FlameAnswer>(answerOf(current(), 'flame', { layers, measure, page: { range: within(query), path, name } })),
  },
  concurrency: {
    answer: (query: RangeQuery, bins: number): Answer<Concurrency> => {
      const buffers = current().concurrency(rangeOf(query), bins);
      const peaks = [...buffers.peaks];
      const { inFlight: in_flight, peak } = buffers;
      buffers.free();
      return { value: { bins, in_flight, peak, peaks }, transfer: [in_flight.buffer as ArrayBuffer] };
    },
  },
} satisfies VerbEntries;
