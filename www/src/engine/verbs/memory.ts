// Which bytes were alive when, and why.
import type {
  AliveQuery,
  MemoryAlive,
  MemoryBoxes,
  MemoryLanes,
  MemoryLanesQuery,
  MemoryPicture,
  MemoryReport,
  MemoryWhy,
  WhyQuery,
} from '../protocol';
import { current } from '../worker/shown';
import { bulk, parsed, TRANSFERS, type Answer, type VerbEntries } from './verb';

export const MEMORY = {
  /** Which bytes were alive when, by device and allocator: linear in what was recorded, when it is asked for first. */
  memory: { needs: TRANSFERS, answer: () => parsed<MemoryReport>(current().memory()) },
  memoryAlive: {
    needs: TRANSFERS,
    answer: ({ reading, account, at_ns, by, most }: AliveQuery) =>
      parsed<MemoryAlive>(current().memoryAlive(reading, account, at_ns ?? undefined, by, most)),
  },
  memoryWhy: {
    needs: TRANSFERS,
    answer: ({ reading, account, life, at_ns }: WhyQuery) =>
      parsed<MemoryWhy>(current().memoryWhy(reading, account, life, at_ns ?? undefined)),
  },
  memoryLanes: { needs: TRANSFERS, answer: (query: MemoryLanesQuery) => bulk(lanesOf(query)) },
  /** The curve of the one account of `query`, with at most so many boxes. */
  memoryPicture: {
    needs: TRANSFERS,
    answer: (query: MemoryLanesQuery, most: number): Answer<MemoryPicture> => {
      const { start_ns, end_ns, reading, accounts } = query;
      const boxes = JSON.parse(current().memoryBoxes(reading, accounts[0] ?? 0, start_ns, end_ns, most)) as MemoryBoxes;
      return bulk({ ...lanesOf(query), ...boxes });
    },
  },
} satisfies VerbEntries;

function lanesOf(query: MemoryLanesQuery): MemoryLanes {
  const { reading, accounts, start_ns, end_ns, width_px } = query;
  return { query, columns: current().memoryLanes(reading, accounts, start_ns, end_ns, width_px) };
}
