// The query of a range as the core takes it.
import { RangeQuery as CoreRangeQuery } from 'steplens-wasm';
import type { RangeQuery } from '../protocol';

/** The same as a part of an answer's options. */
export const within = ({ lanes, ...range }: RangeQuery): object => ({ ...range, lanes: lanes && [...lanes] });

/** The core frees it. */
export function rangeOf({ start_ns, end_ns, device, lanes, accelerator }: RangeQuery): CoreRangeQuery {
  return new CoreRangeQuery(start_ns, end_ns, device ?? undefined, lanes ?? undefined, accelerator);
}
