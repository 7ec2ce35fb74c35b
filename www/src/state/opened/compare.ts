// Comparing the open trace, A, with another one, B: opening B, showing of it what is shown of A, changing sides, closing it.
import { say } from '../../base/messages';
import { EngineError, errorBody } from '../../engine/errors';
import type { OtherView, Source, Summary } from '../../engine/protocol';
import { attempt, reportFailure, showError } from '../failures';
import { Changed } from '../frame';
import { isAlike, COMPARE_CHANGED } from '../shown/comparison';
import { noteView } from '../shown/history';
import { chooseTab } from '../shown/tab';
import { announce, type Context, type State } from '../state';
import type { OpenTrace, Other } from '../types';
import type { FirstPicture, PageSetup } from './first_picture';
import { bytesOf, newTraceId, openQuietly, setupOfPage, showPicture } from './open';
import { showView } from './show_view';

const NOT_COMPARED = say('cmp-not-compared');

/** Restores what a view was compared with: another step of its trace at once, the file `sources` where they are at hand. */
export function restoreOther(context: Context, sources: Source[] | null): void {
  const { state } = context;
  const { wanted_other: wanted } = state;
  if (sources) compareWith(context, sources);
  if (sources || !wanted || wanted.name !== null || wanted.step === null || state.restored_other === wanted) return;
  state.restored_other = wanted;
  compareWithStep(context, wanted.step);
}

/** Which step of B is to be shown; without it, what `showOther` says. */
type Step = OtherView['step'];

/** Opens `sources` as B; alone where nothing is open. While it is read, and if it cannot be read, everything stays. */
export function compareWith(context: Context, sources: Source[], step?: Step): void {
  attempt(context, NOT_COMPARED, openOther(context, sources, step));
}

async function openOther(context: Context, sources: Source[], step?: Step): Promise<void> {
  const { state, frame, engine } = context;
  if (sources.length === 0) throw new EngineError({ code: 'no-file', message: say('error-no-file') });
  const { trace } = state;
  if (!trace) return openQuietly(context, sources, { id: newTraceId() });
  if (state.loading) engine.cancel();
  const loading: State['loading'] = { names: sources.map(({ name }) => name), bytes: bytesOf(sources), progress: null };
  state.loading = loading;
  state.error = null;
  frame.invalidate(Changed.phase);
  try {
    const whole = await engine.openOther(sources, { communication: [...trace.view.communication] }, (progress) => {
      loading.progress = progress;
      frame.invalidate(Changed.phase);
    });
    if (state.loading !== loading) return;
    state.loading = null;
    await showBoth(context, { whole, sources }, step);
  } catch (thrown) {
    if (state.loading !== loading && state.loading !== null) return;
    state.loading = null;
    const { code } = errorBody(thrown);
    if (code !== 'cancelled') showError(context, NOT_COMPARED, thrown);
    announce(context, code === 'cancelled' ? say('opening-cancelled') : '', Changed.phase, Changed.notice);
  }
  frame.invalidate(Changed.phase);
}

/** Compares what is shown with the step in row `step` of the same trace. Nothing is read again. */
export function compareWithStep(context: Context, step: number): void {
  const { state, engine } = context;
  const { trace } = state;
  if (!trace) return;
  const made = async () => {
    await engine.ask('openSibling');
    if (state.trace?.whole === trace.whole) await showBoth(context, { whole: trace.whole, sources: null }, step);
  };
  attempt(context, NOT_COMPARED, made());
}

/** Shows B like A. Where A is all of several steps, its typical step is shown from then on. */
async function showBoth(context: Context, { whole, sources }: Pick<Other, 'whole' | 'sources'>, step?: Step): Promise<void> {
  const { state, engine } = context;
  const { trace } = state;
  if (!trace) return;
  const typical = trace.view.step === null ? await engine.ask('typicalStep') : null;
  const wanted_step = (state.wanted_other?.name === null) === (sources === null) ? state.wanted_other?.step : null;
  const other = await shownOther(
    context,
    { whole, sources },
    step ?? wanted_step ?? (sources === null ? 'typical' : (trace.view.step ?? 'typical')),
  );
  if (state.trace?.whole !== trace.whole) return;
  state.other = { ...other, typical_of_a: typical };
  const { wanted_other: wanted } = state;
  state.wanted_other = null;
  const { window = null, widths = 'both', aligned = null } = wanted ?? {};
  state.mirror = { ...state.mirror, window, widths, align: null, wanted_align: aligned, chosen_b: null };
  if (typical !== null && state.trace.view.step === null) showView(context, { step: typical });
  chooseTab(context, 'compare');
  announce(context, say('comparing-with', { b: nameOfOther(other) }), COMPARE_CHANGED, Changed.notice);
}

async function shownOther({ state, engine }: Context, of: Pick<Other, 'whole' | 'sources'>, step: Step): Promise<Other> {
  const view = state.trace?.view ?? null;
  if (!view) throw new EngineError({ code: 'no-trace', message: say('error-no-trace') });
  const { rule, repairs, op_time, clocks, communication } = view;
  const by = state.rows.arranged_by;
  const shown = await engine.ask('showOther', { rule, repairs, op_time, clocks, communication, step, arranged_by: by });
  return {
    ...of,
    summary: shown.summary,
    steps: shown.steps,
    view: { ...view, step: shown.step },
    lanes: { by, groups: shown.lanes },
  };
}

/** Shows the step in row `step` of B. */
export function showOtherStep(context: Context, step: Step): void {
  const { state, frame } = context;
  const { other } = state;
  if (!other) return;
  const made = async () => {
    const shown = await shownOther(context, other, step);
    if (state.other !== other) return;
    state.other = shown;
    state.mirror = { ...state.mirror, window: null, align: null, chosen_b: null };
    frame.invalidate(COMPARE_CHANGED);
    noteView(context);
  };
  state.queues.compare.add(made, (thrown) => reportFailure(context, NOT_COMPARED, thrown));
}

/** A is shown by other rules now, or its lanes are arranged otherwise: so is B. */
export function followOther(context: Context): void {
  const { state } = context;
  const { trace, other } = state;
  if (!other && state.shown) restoreOther(context, null);
  if (!trace || !other || state.pending_view) return;
  if (isAlike(trace.view, other.view) && state.rows.arranged_by === other.lanes.by) return;
  showOtherStep(context, trace.view.rule === other.view.rule ? other.view.step : 'typical');
}

/** B becomes the open trace, and that one B. What was done with the open trace goes: its ops and devices are others. */
export function swapCompared(context: Context): void {
  const { state, frame, engine } = context;
  const { trace, other } = state;
  if (!trace || !other || state.loading || state.pending_view) return;
  const loading: State['loading'] = { names: [nameOfOther(other)], bytes: null, progress: null };
  state.loading = loading;
  frame.invalidate(Changed.phase);
  const made = async () => {
    const picture = await engine.swap<PageSetup, FirstPicture>(setupOfPage(context, other.view));
    const before = { whole: trace.whole, sources: other.sources === null ? null : trace.sources };
    const { communication } = trace.options;
    const options = other.sources === null ? trace.options : { communication };
    showPicture(context, picture, { options, sources: other.sources ?? trace.sources, id: null });
    await showBoth(context, before, trace.view.step);
  };
  made().catch((thrown: unknown) => {
    if (state.loading === loading) state.loading = null;
    frame.invalidate(Changed.phase);
    reportFailure(context, NOT_COMPARED, thrown);
  });
}

export function closeComparison(context: Context): void {
  const { state, engine } = context;
  if (!state.other) return;
  state.other = null;
  state.wanted_other = null;
  state.mirror = { ...state.mirror, window: null, align: null, chosen_b: null, marks: null };
  announce(context, say('comparison-closed'), COMPARE_CHANGED, Changed.notice);
  // The address names B no more, although nothing else of the view has changed.
  noteView(context);
  attempt(context, NOT_COMPARED, engine.ask('closeOther'));
}

/** What a trace is called. */
export function nameOf({ files }: Summary): string {
  const [first] = files;
  return files.length === 1 ? (first?.name ?? '') : say('file-and-more', { file: first?.name ?? '', count: files.length - 1 });
}

export const nameOfOther = ({ whole }: Other): string => nameOf(whole);
export const nameOfTrace = ({ whole }: OpenTrace): string => nameOf(whole);
