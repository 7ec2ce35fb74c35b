// Opening a fleet, choosing what is shown of it, and asking the core for that.
import { say } from '../../base/messages';
import { errorBody } from '../../engine/errors';
import type { FleetPlace } from '../../engine/fleet/place';
import type { HeatQuery } from '../../engine/protocol';
import { WorkerEngine } from '../../engine/worker_engine';
import { attempt, reportFailure } from '../failures';
import type { At, Fleet, FleetList, FleetLook, Sight } from '../fleet_open';
import { cause, Changed } from '../frame';
import { Queue } from '../latest';
import { announce, type Context } from '../state';
import { decodeFleet, type FleetNote } from './address';
import { enterFleet, leaveFleet, noteFleet } from './history';
import { holding, sightOf, within } from './sight';

/** What of a fleet is shown, and how. */
export const FLEET_CHANGED = cause('fleet');

const FAILED = say('fleet-failed');

/** Opens the fleet at `place` and shows it; the one before is closed. */
export function openFleet(context: Context, place: FleetPlace): void {
  const { state, frame } = context;
  const note = decodeFleet(location.hash);
  endFleet(context);
  performance.clearMarks('steplens:fleet-ready');
  performance.mark('steplens:fleet-open');
  const engine = new WorkerEngine(
    context.page,
    () => null,
    (error) => reportFailure(context, say('failed-worker'), error),
  );
  const fleet: Fleet = {
    place,
    traces: null,
    engine,
    is_shown: true,
    fault: null,
    overview: null,
    run: null,
    // It shows stragglers, which the length of a step hides where all wait for one, and slow steps, too.
    look: { run: 0, figure: 'own', as_share: false, largest: false, by_figure: false },
    heat: null,
    series: null,
    stragglers: null,
    days: null,
    before_after: null,
    sight: null,
    hover: null,
    chosen: null,
    cell: null,
    list: 'stragglers',
    missing: null,
    opened: null,
    note_timer: undefined,
    queues: { picture: new Queue(), cell: new Queue(), list: new Queue() },
  };
  state.fleet = fleet;
  state.error = null;
  enterFleet(context);
  frame.invalidate(FLEET_CHANGED, Changed.phase);
  const opened = read(context, fleet, note?.name === place.name ? note : null).catch((thrown: unknown) => {
    if (state.fleet !== fleet) return;
    fleet.fault = errorBody(thrown);
    announce(context, fleet.fault.message, FLEET_CHANGED, Changed.notice);
  });
  attempt(context, FAILED, opened);
}

async function read(context: Context, fleet: Fleet, note: FleetNote | null): Promise<void> {
  const file = await fleet.place.overview();
  fleet.overview = await fleet.engine.ask('openFleet', file);
  if (note) {
    const run = fleet.overview.runs.findIndex(({ name }) => name === note.run);
    fleet.look = { ...note.look, run: Math.max(run, 0) };
    fleet.list = note.list;
  }
  await showRun(context, fleet);
  if (note?.sight && context.state.fleet === fleet) setSight(context, note.sight);
}

/** Asks for the run that is wanted. */
async function showRun(context: Context, fleet: Fleet): Promise<void> {
  const { run } = fleet.look;
  if ((fleet.overview?.runs.length ?? 0) === 0) {
    context.frame.invalidate(FLEET_CHANGED);
    return;
  }
  const of_run = fleet.engine.ask('fleetRun', run);
  const query = queryOf(fleet);
  const of_heat = fleet.engine.ask('fleetHeat', query);
  const [is, heat] = await Promise.all([of_run, of_heat]);
  if (context.state.fleet !== fleet || fleet.look.run !== run) return;
  Object.assign(fleet, {
    run: is,
    heat: { of: query, is: heat },
    series: null,
    stragglers: null,
    before_after: null,
    sight: null,
    chosen: null,
    hover: null,
    cell: null,
  });
  const [first] = is.figures;
  if (first !== undefined && !is.figures.includes(fleet.look.figure)) setLook(context, { figure: first });
  context.frame.invalidate(FLEET_CHANGED);
  context.frame.afterDrawn(() => performance.mark('steplens:fleet-ready'));
  // After the first picture.
  fleet.series = { of: query, is: await fleet.engine.ask('fleetSeries', query) };
  context.frame.invalidate(FLEET_CHANGED);
  fleet.stragglers = await fleet.engine.ask('fleetStragglers', run);
  context.frame.invalidate(FLEET_CHANGED);
  askForList(context, fleet);
  performance.mark('steplens:fleet-whole');
}

const queryOf = ({ look }: Fleet): HeatQuery => ({ ...look });

/** Shows another figure, or the same in another way. */
export function setLook(context: Context, change: Partial<FleetLook>): void {
  const { fleet } = context.state;
  if (!fleet) return;
  const other_run = change.run !== undefined && change.run !== fleet.look.run;
  fleet.look = { ...fleet.look, ...change };
  context.frame.invalidate(FLEET_CHANGED);
  noteFleet(context);
  if (other_run) {
    attempt(context, FAILED, showRun(context, fleet));
    return;
  }
  fleet.queues.picture.add(
    async () => {
      const query = queryOf(fleet);
      const held = chosenRow(fleet);
      const is = await fleet.engine.ask('fleetHeat', query);
      fleet.heat = { of: query, is };
      // What is chosen stays the same task.
      if (fleet.chosen && held !== null) fleet.chosen = { ...fleet.chosen, row: Math.max(is.order.indexOf(held), 0) };
      context.frame.invalidate(FLEET_CHANGED);
      fleet.series = { of: query, is: await fleet.engine.ask('fleetSeries', query) };
      context.frame.invalidate(FLEET_CHANGED);
      askForCell(context);
    },
    (thrown) => reportFailure(context, FAILED, thrown),
  );
}

const chosenRow = (fleet: Fleet): number | null => (fleet.chosen ? rowAt(fleet, fleet.chosen) : null);

/** The row of the run that the picture has at `at`. */
export const rowAt = ({ heat }: Fleet, { row }: Pick<At, 'row'>): number => heat?.is.order[row] ?? row;

export function setSight(context: Context, wanted: Sight): void {
  const { fleet } = context.state;
  if (!fleet) return;
  fleet.sight = within(fleet, wanted);
  context.frame.invalidate(FLEET_CHANGED);
  noteFleet(context);
}

export function setList(context: Context, list: FleetList): void {
  const { state, frame } = context;
  if (!state.fleet) return;
  state.fleet.list = list;
  frame.invalidate(FLEET_CHANGED);
  noteFleet(context);
  askForList(context, state.fleet);
}

/** Asks for what the list in sight shows, if it is asked for only then. */
function askForList(context: Context, fleet: Fleet): void {
  const days = fleet.overview?.days ?? [];
  const [first] = days;
  const last = days.at(-1);
  if (fleet.list === 'days' && !fleet.days && first !== undefined && last !== undefined) setDays(context, first, last);
  if (fleet.list === 'before-after' && !fleet.before_after) setMoment(context, null);
}

/** Compares two days. */
export function setDays(context: Context, day_a: string, day_b: string): void {
  ask(context, async (fleet) => {
    fleet.days = await fleet.engine.ask('fleetDays', day_a, day_b);
  });
}

/** Compares what is before a column with what is from it on; null is the middle of the recorded time. */
export function setMoment(context: Context, column: number | null): void {
  ask(context, async (fleet) => {
    const { run } = fleet.look;
    const answer = await fleet.engine.ask('fleetBeforeAfter', run, column);
    if (fleet.look.run === run) fleet.before_after = answer;
  });
}

/** Asks for a list; of several questions only the newest matters. */
function ask(context: Context, question: (fleet: Fleet) => Promise<void>): void {
  const { fleet } = context.state;
  fleet?.queues.list.add(
    async () => {
      await question(fleet);
      context.frame.invalidate(FLEET_CHANGED);
    },
    (thrown) => reportFailure(context, FAILED, thrown),
  );
}

export function hoverCell(context: Context, hover: Fleet['hover']): void {
  const { fleet } = context.state;
  if (!fleet || (hover === null && fleet.hover === null)) return;
  const same = hover?.row === fleet.hover?.row && hover?.column === fleet.hover?.column;
  fleet.hover = hover;
  context.frame.invalidate(FLEET_CHANGED);
  if (!same) askForCell(context);
}

/** Chooses a cell of the picture and brings it into sight. */
export function chooseCell(context: Context, at: At | null): void {
  const { fleet } = context.state;
  if (!fleet) return;
  fleet.chosen = at;
  fleet.missing = null;
  if (at && fleet.sight) fleet.sight = within(fleet, holding(sightOf(fleet), at.row, at.column));
  context.frame.invalidate(FLEET_CHANGED);
  askForCell(context);
}

/** Chooses a cell by the row of the run. */
export function chooseTask(context: Context, row: number, column: number): void {
  const { fleet } = context.state;
  const at = fleet?.heat?.is.order.indexOf(row) ?? -1;
  if (at >= 0) chooseCell(context, { row: at, column });
}

/** The cell that is spoken of. */
export const cellInHand = ({ hover, chosen }: Fleet): At | null => hover ?? chosen;

function askForCell(context: Context): void {
  const { fleet } = context.state;
  if (!fleet) return;
  fleet.queues.cell.add(
    async () => {
      const at = cellInHand(fleet);
      fleet.cell = at && (await fleet.engine.ask('fleetCell', fleet.look.run, rowAt(fleet, at), at.column, fleet.look.figure));
      context.frame.invalidate(FLEET_CHANGED);
    },
    (thrown) => reportFailure(context, FAILED, thrown),
  );
}

export function endFleet({ state, frame }: Context): void {
  if (!state.fleet) return;
  clearTimeout(state.fleet.note_timer);
  state.fleet.engine.end();
  state.fleet = null;
  leaveFleet();
  frame.invalidate(FLEET_CHANGED, Changed.phase);
}
