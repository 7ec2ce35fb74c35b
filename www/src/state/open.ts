// Opening traces: the phases of the page, and what becomes of the trace that was open before.
import { plural } from '../base/format';
import { formatDuration } from '../base/time';
import { EngineError, errorBody } from '../engine/errors';
import type { OpenOptions, Progress, Source, StepList, Summary } from '../engine/protocol';
import { requestFindings } from './doctor';
import { Changed, EVERYTHING } from './frame';
import { startHistory } from './history';
import { notesFrom } from './notes';
import { selectOp, setRange } from './select';
import { setSearch } from './search';
import { allSteps, announce, initialState, wholeStep, type Context, type OpenTrace } from './state';
import { firstView, spokenView } from './steps';
import { decodeView, keyOf, type ViewNote } from './url';
import { layOut } from './lay_out';
import { packedLanes, type Lanes } from './layout';
import { requestMinimap } from './minimap';
import { scrollTo } from './view';

const NOT_OPENED = 'Not opened';
const NO_OPTIONS: OpenOptions = { communication: [] };

/** Opens `sources` as one trace. `view` is the fragment to restore; it is applied only if it is about this trace. */
export async function openSources(
  context: Context,
  sources: Source[],
  options = NO_OPTIONS,
  view = location.hash,
): Promise<Summary> {
  const { state, frame, engine } = context;
  if (sources.length === 0)
    throw new EngineError({ code: 'no-file', message: 'opening: got no file, want at least one' });
  performance.clearMarks('steplens:ready');
  performance.mark('steplens:open');
  if (state.loading) engine.cancel();
  const loading = { names: sources.map((source) => source.name), progress: null as Progress | null };
  state.loading = loading;
  state.error = null;
  frame.invalidate(Changed.phase);
  try {
    const whole = await engine.open(sources, options, (progress) => {
      loading.progress = progress;
      frame.invalidate(Changed.phase);
    });
    // A step of the trace before is not wanted any more: its questions would be answered about this one.
    state.looking = null;
    const note = decodeView(view);
    const restored = note?.trace === keyOf(whole) ? note : null;
    const first = await firstView(engine, whole, restored?.view ?? null);
    const { rule, step, repairs, op_time, clocks } = first.view;
    const looks = step !== null || rule !== whole.view.rule || repairs.length > 0 || op_time !== 'schedule' || clocks.length > 0;
    const summary = looks ? await engine.look(first.view) : whole;
    const lanes = await lanesOf(context, summary, restored);
    const trace = { summary, whole, view: first.view, options, sources };
    if (state.loading === loading) show(context, trace, first.steps, lanes, restored);
    return summary;
  } catch (thrown) {
    if (state.loading === loading) {
      state.unopened = sources;
      giveUp(context, thrown);
    }
    throw thrown;
  }
}

/** Arranged as in the view to be restored, so that its first frame shows it; else packed, as a trace opens. */
async function lanesOf({ engine }: Context, { devices }: Summary, restored: ViewNote | null): Promise<Lanes> {
  const by = restored?.rows.arranged_by ?? 'packed';
  return by === 'packed' ? packedLanes(devices) : { by, groups: await engine.arrange(by) };
}

function show(
  context: Context,
  trace: OpenTrace,
  steps: StepList | null,
  lanes: Lanes,
  restored: ViewNote | null,
): void {
  const { state, frame } = context;
  const { theme, drawer_open, drawer_height, traffic_shown, tree_width, viewport } = state;
  Object.assign(state, initialState(), { theme, drawer_open, drawer_height, traffic_shown, tree_width, viewport, trace, steps, lanes });
  const { summary } = trace;
  state.window = wholeStep(state);
  if (restored) applyBeforeLayout(context, restored);
  layOut(context);
  const figures = `${plural(summary.ops, 'op')} on ${plural(summary.devices.length, 'device')}, ${plural(summary.transfers, 'transfer')}, ${formatDuration(summary.span_ns)}`;
  const step = steps && trace.view.step !== null ? `. Shown: ${spokenView(trace.view, summary, steps)}` : '';
  announce(context, `Opened ${summary.files.map((file) => file.name).join(', ')}: ${figures}${step}`, EVERYTHING);
  frame.afterDrawn(() => {
    // The rows have their places once the page has its size; the scroll position means something only then.
    if (restored) scrollTo(context, restored.scroll_y);
    startHistory(context);
    if (restored) applyAfterLayout(context, restored);
    requestMinimap(context);
    requestSteps(context);
    requestFindings(context);
  });
  // The marks are asked for now; the worker has nothing else to do.
  frame.runNow();
}

function applyBeforeLayout({ state }: Context, view: ViewNote): void {
  if (view.window) state.window = view.window;
  state.rows = view.rows;
  state.wall_clock = view.wall_clock;
  state.notes = state.trace ? notesFrom(view.notes, allSteps(state.trace)) : [];
  state.tab = view.tab;
  state.network_section = view.network_section;
}

function applyAfterLayout(context: Context, view: ViewNote): void {
  if (view.range) setRange(context, view.range, view.range_lanes);
  context.state.tab = view.tab;
  if (view.query !== '') setSearch(context, { text: view.query, regex: view.regex });
  const ops = context.state.trace?.summary.ops ?? 0;
  if (view.op !== null && view.op < ops) {
    const { tab } = view;
    void selectOp(context, view.op, 'stay').then(() => {
      context.state.tab = tab;
      context.frame.invalidate(Changed.drawer);
    });
  }
}

/** What is said of an only step is not needed for the first picture. */
function requestSteps({ state, engine, frame }: Context): void {
  const { trace } = state;
  if (!trace || state.steps) return;
  void engine.steps(trace.view.rule).then((steps) => {
    if (state.trace !== trace) return;
    state.steps = steps;
    frame.invalidate(Changed.steps);
  });
}

/** Back to what was there before; unless the user stopped the opening, with an error to read. */
function giveUp(context: Context, thrown: unknown): void {
  const { state } = context;
  const body = errorBody(thrown);
  state.loading = null;
  state.error = body.code === 'cancelled' ? null : { ...body, outcome: NOT_OPENED };
  announce(context, body.code === 'cancelled' ? 'Opening cancelled' : '', Changed.phase | Changed.notice);
}

/** An error that arose outside the opening of files. */
export function showError({ state, frame }: Context, outcome: string, thrown: unknown): void {
  state.error = { ...errorBody(thrown), outcome };
  frame.invalidate(Changed.phase);
}

export function dismissError({ state, frame }: Context): void {
  state.error = null;
  frame.invalidate(Changed.phase);
}

/** The sample that comes with the page, where it is hosted. */
export async function openSample(context: Context): Promise<void> {
  const url = context.page.beside('sample.steplens.gz');
  if (url === null) return;
  try {
    const response = await fetch(url);
    if (!response.ok)
      throw new EngineError({
        code: 'page-incomplete',
        message: `loading the sample: got status ${response.status}, want a file beside the page`,
      });
    await openQuietly(context, [{ name: 'sample.steplens.gz', blob: await response.blob() }]);
  } catch (thrown) {
    showError(context, NOT_OPENED, thrown);
  }
}

/** Opens, and leaves errors to the page, which shows them. */
export async function openQuietly(
  context: Context,
  sources: Source[],
  options = NO_OPTIONS,
  view = location.hash,
): Promise<void> {
  await openSources(context, sources, options, view).catch(() => undefined);
}
