// What is in transit.
import type { Ns } from '../../base/time';
import type { Peaks } from '../contract/network_links';

/** Which transfers: those of one link, or of all links from or to a place. */
export interface Route {
  between: 'device' | 'task';
  /** Null for any. */
  source: string | null;
  destination: string | null;
}

export const EVERY_ROUTE: Route = { between: 'task', source: null, destination: null };

/** What is in transit in [start, end), in columns of STRIP_COLUMN_PX. */
export interface TrafficQuery {
  start_ns: Ns;
  end_ns: Ns;
  width_px: number;
  route: Route;
}

export interface Traffic {
  query: TrafficQuery;
  /** Column after column: bytes a second, and transfers in flight, on average. */
  columns: Float32Array;
  /** Of the whole step, whatever the window is; null where nothing is in transit. */
  peaks: Peaks | null;
}
