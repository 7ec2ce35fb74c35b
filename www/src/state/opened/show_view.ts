// Showing another step: everything of it is made ready while the old picture stays, and then shown at once.
import { say } from '../../base/messages';
import { ns } from '../../base/time';
import type { Minimap, StepList, View } from '../../engine/protocol';
import { attempt, reportFailure } from '../failures';
import { request } from '../figures';
import { Changed, EVERYTHING } from '../frame';
import { OP_NOT_SHOWN, selectOp, setOuterRange, setRange } from '../shown/select';
import { noteView, startHistory } from '../shown/history';
import { layOut, lowestScroll } from '../shown/lay_out';
import { layoutOf, packedLanes } from '../layout/layout';
import { wanted } from '../shown/marks';
import { columnsOfStep } from '../shown/minimap';
import { movedNotes } from './notes';
import { namedRows, rowsOf } from '../layout/rows_by_name';
import { announce, initialShown, type Context, type State } from '../state';
import { wholeStep } from '../scope';
import type { OpenTrace } from '../types';
import { frameWindow } from '../shown/view';
import { countOfSteps, showable, nextStep, placeOfStep, rangeOfSteps, rowOfStep, spokenView, usualStep } from './steps';
import { DOCTOR } from './findings';
import { requestTotals } from '../shown/totals';
import { clamp } from '../../base/geom';

const NOT_SHOWN = say('not-shown');

interface Request {
  view: View;
  from: OpenTrace;
}

/** Shows the view with `change`. Of many changes in a row only the newest is shown. */
export function showView(context: Context, change: Partial<View>): void {
  const { state, frame } = context;
  const { trace } = state;
  if (!trace || state.loading) return;
  const view = { ...(state.pending_view ?? trace.view), ...change };
  state.pending_view = view;
  state.read_step = null;
  frame.invalidate(Changed.steps);
  const request: Request = { view, from: trace };
  const made = async () => {
    const ready = await madeReady(context, request);
    if (ready) arrive(context, ready, request);
  };
  state.queues.step.add(made, (thrown) => reportFailure(context, NOT_SHOWN, thrown));
}

/** The steps after (+1) or before (-1) the one that is shown. */
export function showNextStep(context: Context, by: 1 | -1): void {
  withSteps(context, (steps, trace) => {
    const { step } = context.state.pending_view ?? trace.view;
    const next = nextStep(steps, step, by);
    if (next !== null) showView(context, { step: next });
    else if (step !== null)
      announce(context, say(by > 0 ? 'no-later-step' : 'no-earlier-step', { step: placeOfStep(steps, step) }), Changed.notice);
  });
}

/** Shows the step that is called this. */
export function showStepNumber(context: Context, number: number): void {
  withSteps(context, (steps) => {
    const row = showable(steps, rowOfStep(steps, number));
    if (row !== null) showView(context, { step: row });
    else
      announce(
        context,
        say('no-step-number', { number: String(number), steps: say('steps', { count: countOfSteps(steps) }) }),
        Changed.notice,
      );
  });
}

/** Calls `then` with the steps of a trace that has several: right now, or once their list has arrived. */
function withSteps(context: Context, then: (steps: StepList, trace: OpenTrace) => void): void {
  const { state, engine, frame } = context;
  const { trace } = state;
  if (!trace) return;
  if (state.steps) {
    if (state.steps.steps.length > 1) then(state.steps, trace);
    return;
  }
  const answered = engine.ask('steps', trace.view.rule).then((steps) => {
    state.steps ??= steps;
    frame.invalidate(Changed.steps);
    if (state.steps.steps.length > 1) then(state.steps, trace);
  });
  attempt(context, say('steps-not-listed'), answered);
}

/** All steps on one axis; from there back to the step that was left. */
export function toggleAllSteps(context: Context): void {
  withSteps(context, (steps, trace) => {
    const { state } = context;
    const { step } = state.pending_view ?? trace.view;
    if (step !== null) state.left_step = step;
    showView(context, { step: step !== null ? null : (showable(steps, state.left_step) ?? usualStep(steps)) });
  });
}

/** Some steps, by their rows: all of them on one axis, with these as the range. */
export function showSteps(context: Context, rows: readonly [number, number]): void {
  const { state } = context;
  const { trace } = state;
  if (!trace || !state.steps) return;
  state.wanted_steps = [Math.min(...rows), Math.max(...rows)];
  if (trace.view.step !== null || state.pending_view) showView(context, { step: null });
  else takeWantedSteps(context);
}

/** They are a range of all steps only: another step that was asked for since is shown without. */
function takeWantedSteps(context: Context): void {
  const { state } = context;
  const { steps, trace, wanted_steps } = state;
  state.wanted_steps = null;
  const range = steps && wanted_steps && trace?.view.step === null ? rangeOfSteps(steps, wanted_steps) : null;
  if (!range) return;
  setRange(context, range);
  frameWindow(context, range);
}

interface Ready {
  shown: Pick<State, 'trace' | 'named_rows' | 'lanes' | 'rows' | 'window' | 'layout' | 'scroll_y' | 'marks' | 'minimap' | 'colors'>;
  steps: StepList | null;
  result: State['search']['result'];
  /** Whether ops and times are the same as before, and only categories are others. */
  places_stay: boolean;
}

/** Everything that the first picture of `view` needs; null where something else was opened meanwhile. */
async function madeReady(context: Context, { view, from }: Request): Promise<Ready | null> {
  const { state, engine } = context;
  const stays = () => state.trace?.whole === from.whole && state.pending_view !== null;
  try {
    const shown = state.trace?.view ?? view;
    const times_stay = hasSameTimes(shown, view);
    // Steps are listed with the repairs and clocks of the view.
    const all = times_stay ? null : await engine.ask('showView', { ...view, step: null });
    if (!stays()) return null;
    const rule_stays = shown.rule === view.rule;
    const steps = rule_stays && times_stay && state.steps ? state.steps : await engine.ask('steps', view.rule);
    if (!stays()) return null;
    const seen: View = { ...view, step: rule_stays ? showable(steps, view.step) : firstOf(steps, view) };
    const summary = all && seen.step === null ? all : await engine.ask('showView', seen);
    if (!stays()) return null;
    const { arranged_by: by } = state.rows;
    const { devices } = summary;
    const is_packed = by === 'packed' && !devices.some(({ by_thread }) => by_thread);
    const lanes = is_packed ? packedLanes(devices) : { by, groups: await engine.ask('arrange', by) };
    // What the core has kept, or it starts with; slack follows.
    const colors = await engine.ask('colorBy', state.color_by === 'slack' ? 'category' : state.color_by);
    const { query, regex } = state.search;
    const result = query === '' ? null : await engine.ask('search', { text: query, regex });
    if (!stays() || !state.trace) return null;
    const named_rows = namedRows(state.rows, state.trace.summary.devices, state.named_rows);
    const rows = rowsOf(named_rows, devices, state.rows);
    const trace: OpenTrace = { ...from, summary, view: seen };
    const next: State = { ...state, trace, lanes, rows };
    const places_stay = showsSameOps(shown, seen);
    next.window = places_stay ? state.window : wholeStep(next);
    next.layout = layoutOf({ devices, lanes, rows, viewport_height: state.viewport.height });
    next.scroll_y = clamp(state.scroll_y, 0, lowestScroll(next));
    const [marks, minimap] = await Promise.all([
      state.viewport.width > 0 ? engine.ask('marks', wanted(next)) : null,
      engine.ask('minimap', columnsOfStep(summary.span_ns, state.viewport.width, devicePixelRatio).count) as Promise<Minimap | null>,
    ]);
    const { window, layout, scroll_y } = next;
    if (!stays()) return null;
    return { shown: { trace, named_rows, lanes, rows, window, layout, scroll_y, marks, minimap, colors }, steps, result, places_stay };
  } catch (thrown) {
    if (stays()) {
      state.pending_view = null;
      reportFailure(context, NOT_SHOWN, thrown);
    }
    return null;
  }
}

const hasSameTimes = (a: View, b: View): boolean => String([a.repairs, a.clocks]) === String([b.repairs, b.clocks]);

const showsSameOps = (a: View, b: View): boolean => a.rule === b.rule && a.step === b.step && a.op_time === b.op_time && hasSameTimes(a, b);

/** Where to begin by another rule, by which the number of a step means nothing. */
function firstOf(steps: StepList, { step }: View): number | null {
  const one = step !== null || steps.apart !== undefined;
  return one && steps.steps.length > 1 ? usualStep(steps) : null;
}

function arrive(context: Context, { shown, steps, result, places_stay }: Ready, { view }: Request): void {
  const { state } = context;
  const { range, selection } = state;
  const are_repaired_anew = !!state.trace && !!shown.trace && !hasSameTimes(state.trace.view, shown.trace.view);
  const moved = ns(Number(BigInt(state.trace?.summary.origin_unix_ns ?? 0) - BigInt(shown.trace?.summary.origin_unix_ns ?? 0)));
  Object.assign(state, initialShown(), shown, {
    steps,
    notes: movedNotes(state.notes, moved),
    pending_view: state.pending_view === view ? null : state.pending_view,
    search: { ...state.search, result: result?.problem === null ? result : null, problem: result?.problem ?? null, position: -1 },
  });
  startHistory(context);
  const said = shown.trace ? spokenView(shown.trace.view, shown.trace.summary, steps) : '';
  requestTotals(context);
  // The doctor checks all steps at once: its findings change with repairs and clocks, not with the step.
  if (are_repaired_anew) request(context, DOCTOR);
  if (shown.trace) announce(context, said, ...EVERYTHING);
  layOut(context);
  if (places_stay && range) setOuterRange(context, range);
  if (places_stay && selection) attempt(context, OP_NOT_SHOWN, selectOp(context, selection.op, 'stay', 'stay'));
  takeWantedSteps(context);
  noteView(context);
}

/** Shows what is said of a step that has no ops, and so no picture. */
export function readStep(context: Context, row: number): void {
  const { state } = context;
  state.read_step = row;
  announce(context, say('step-without-ops'), Changed.steps, Changed.notice);
}
