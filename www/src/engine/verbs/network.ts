// What communication costs, what is in transit, and how far clocks are apart.
import { RouteQuery } from 'steplens-wasm';
import { say } from '../../base/messages';
import type { Clocks, Network, Ns, PairOfTasks, Peaks, Route, Traffic, TrafficLinks, TrafficQuery } from '../protocol';
import { answerOf, current } from '../worker/shown';
import { FLOW, parsed, TRANSFERS, type Answer, type VerbEntries } from './verb';

export const NETWORK = {
  /** What is spent on communication, and what to blame: linear in ops and transfers. */
  network: {
    needs: FLOW,
    in_pieces: { one: () => current().networkOne(), parts: () => current().networkParts(), doing: say('doing-network') },
    answer: () => parsed<Network>(current().network()),
  },
  traffic: {
    needs: TRANSFERS,
    answer: (query: TrafficQuery): Answer<Traffic> => {
      const columns = current().traffic(query.start_ns, query.end_ns, query.width_px, routeOf(query.route));
      const peaks = JSON.parse(current().trafficPeaks(routeOf(query.route))) as Peaks | null;
      return { value: { query, columns, peaks }, transfer: [columns.buffer as ArrayBuffer] };
    },
  },
  trafficLinks: {
    needs: TRANSFERS,
    answer: (start_ns: Ns, end_ns: Ns, route: Route) => parsed<TrafficLinks>(current().trafficLinks(start_ns, end_ns, routeOf(route))),
  },
  /** How far the clocks of tasks are apart, by everything that was opened. */
  clocks: { needs: TRANSFERS, answer: () => parsed<Clocks>(answerOf(current(), 'clocks')) },
  /** What would arrive before it is sent if clocks were set by these words of `View.clocks`. */
  violations: { needs: TRANSFERS, answer: (clocks: readonly string[]) => parsed<PairOfTasks[]>(current().violations([...clocks])) },
} satisfies VerbEntries;

const routeOf = ({ between, source, destination }: Route): RouteQuery =>
  new RouteQuery(between === 'task', source ?? undefined, destination ?? undefined);
