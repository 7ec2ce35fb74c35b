// Which way the transfers go that have room for it: asked for once for each, a few at a time, when marks with their names have come.
import { say } from '../../base/messages';
import { placeLabel, taskLabel } from '../../base/names';
import { NONE, type Marks, type OpDetails, type OpId } from '../../engine/protocol';
import { attempt } from '../failures';
import { Changed } from '../frame';
import { bandOfLane } from '../layout/sight';
import type { Context, State } from '../state';

/** More names of transfers than this are more than anyone reads at once. */
const MOST = 60;

/** The function to call whenever other marks are shown. */
export function routesRequester(context: Context): () => void {
  const { state, frame, engine } = context;
  let looked_at: Marks | null = null;
  return () => {
    const { marks, routes } = state;
    if (marks === null || marks === looked_at || !state.trace?.summary.transfers) return;
    looked_at = marks;
    const ops = unknownIn(state, marks);
    if (ops.length === 0) return;
    const asked = Promise.all(ops.map((op) => engine.ask('op', op))).then((all) => {
      // Ids are those of what is shown.
      if (state.routes !== routes) return;
      for (const details of all) routes.set(details.op, routeOf(state, details));
      frame.invalidate(Changed.marks);
    });
    attempt(context, say('ops-not-drawn'), asked);
  };
}

function unknownIn({ layout, routes }: State, marks: Marks): OpId[] {
  const found: OpId[] = [];
  for (let mark = 0; mark < marks.text.length && found.length < MOST; mark++) {
    const lane = marks.query.lanes[marks.row[mark] ?? 0];
    if (marks.text[mark] === NONE || lane === undefined) continue;
    const op = marks.op[mark];
    const band = bandOfLane(layout, lane);
    const last = band?.groups.at(-1);
    if (op === undefined || !band || band.closed || last?.kind !== 'communication' || lane < last.first_lane) continue;
    if (!routes.has(op)) found.push(op);
  }
  return found;
}

/** ` ← ps 0` where it was received, ` → worker 1` where it was sent; nothing for what is no transfer. */
function routeOf({ trace }: State, { device, transfer }: OpDetails): string {
  if (!transfer) return '';
  const here = trace?.summary.devices[device]?.name;
  const end = (place: string) => {
    const task = /^(?:\/job:[^/]+)(?:\/replica:[^/]+)?(?:\/task:[^/]+)?/.exec(place)?.[0];
    return task === undefined || here?.startsWith(`${task}/`) === true ? placeLabel(place) : taskLabel(task);
  };
  return transfer.source === here ? ` → ${end(transfer.destination)}` : ` ← ${end(transfer.source)}`;
}
