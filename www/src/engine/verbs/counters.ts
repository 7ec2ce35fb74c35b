// Counters and instants of the files.
import type { CounterLanesQuery, Counters, Flags, FlagsQuery, InstantDetails } from '../protocol';
import { current } from '../worker/shown';
import { bulk, parsed, type VerbEntries } from './verb';

export const COUNTERS = {
  counters: { answer: () => parsed<Counters>(current().counters()) },
  counterLanes: {
    answer: (query: CounterLanesQuery) => {
      const { counters, start_ns, end_ns, width_px } = query;
      return bulk({ query, columns: current().counterLanes(counters, start_ns, end_ns, width_px) });
    },
  },
  flags: { answer: ({ start_ns, end_ns, width_px }: FlagsQuery) => parsed<Flags>(current().flags(start_ns, end_ns, width_px)) },
  instant: { answer: (instant: number) => parsed<InstantDetails>(current().instant(instant)) },
} satisfies VerbEntries;
