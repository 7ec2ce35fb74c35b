// From a cell to its trace: looked for where the summary is, then where the user says that the traces are.
import { say } from '../../base/messages';
import { EngineError } from '../../engine/errors';
import type { FleetPlace } from '../../engine/fleet/place';
import { attempt, showError } from '../failures';
import type { Fleet } from '../fleet_open';
import { Changed } from '../frame';
import { newTraceId, openSources } from '../opened/open';
import { showView } from '../opened/show_view';
import { showable } from '../opened/steps';
import { announce, type Context } from '../state';
import { rowAt, FLEET_CHANGED } from './open';
import { enterTrace } from './history';

/** What a trace of the fleet is called. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Opens the trace of a cell of the picture. */
export function openCell(context: Context, row: number, column: number): void {
  const { fleet } = context.state;
  if (!fleet) return;
  const found = fleet.engine.ask('fleetCell', fleet.look.run, rowAt(fleet, { row }), column, fleet.look.figure).then(({ source, step }) => {
    if (source === null) announce(context, say('fleet-no-trace-here'), Changed.notice);
    else openTrace(context, source, step);
  });
  attempt(context, say('not-opened'), found);
}

/** Opens the trace at `path` at a step. */
export function openTrace(context: Context, path: string, step: number): void {
  const { fleet } = context.state;
  if (fleet) attempt(context, say('not-opened'), open(context, fleet, path, step));
}

async function open(context: Context, fleet: Fleet, path: string, step: number): Promise<void> {
  const { state, frame } = context;
  const blob = (await fleet.traces?.trace(path)) ?? (await fleet.place.trace(path));
  if (state.fleet !== fleet) return;
  fleet.missing = blob ? null : { path, step };
  frame.invalidate(FLEET_CHANGED);
  if (!blob) {
    announce(context, say('fleet-missing', { file: path }), Changed.notice);
    return;
  }
  await openBlob(context, fleet, { path, step }, blob);
}

async function openBlob(context: Context, fleet: Fleet, of: { path: string; step: number }, blob: Blob): Promise<void> {
  try {
    await openSources(context, [{ name: nameOf(of.path), blob }], { id: newTraceId(), view: '' });
  } catch {
    // Shown already, with the fleet still behind it.
    return;
  }
  fleet.opened = of;
  enterTrace();
  const { trace, steps } = context.state;
  const list = steps ?? (trace && (await context.engine.ask('steps', trace.view.rule)));
  // A file that holds one step shows it; of several, the one of the cell.
  if (!list || list.steps.length < 2) return;
  context.state.steps ??= list;
  const row = list.steps.findIndex(({ number }) => number === of.step);
  const place = row < 0 && list.steps.every(({ number }) => number === null) ? of.step - 1 : row;
  const step = showable(list, place);
  if (step !== null) showView(context, { step });
}

/** The user says where the traces are: the one that was missing is opened. */
export function findTraces(context: Context, place: FleetPlace): void {
  const { fleet } = context.state;
  if (!fleet) return;
  fleet.traces = place;
  if (fleet.missing) openTrace(context, fleet.missing.path, fleet.missing.step);
}

/** The user says which file the missing trace is. */
export function takeTrace(context: Context, file: File): void {
  const { fleet } = context.state;
  const missing = fleet?.missing;
  if (!fleet || !missing) return;
  if (file.name !== nameOf(missing.path)) {
    const message = say('fleet-other-file', { file: file.name, wanted: nameOf(missing.path) });
    showError(context, say('not-opened'), new EngineError({ code: 'other-file', message }));
    return;
  }
  fleet.missing = null;
  attempt(context, say('not-opened'), openBlob(context, fleet, missing, file));
}
