// Opening traces: the phases of the page, and what becomes of the trace that was open before.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { EngineError, errorBody } from '../../engine/errors';
import type { OpenOptions, Progress, Source, Summary, View } from '../../engine/protocol';
import { DOCTOR } from './findings';
import { attempt, showError } from '../failures';
import { request } from '../figures';
import { Changed, EVERYTHING } from '../frame';
import { noteView, startHistory } from '../shown/history';
import { notesFrom } from './notes';
import { OP_NOT_SHOWN, selectOp, setOuterRange } from '../shown/select';
import { setSearch } from '../shown/search';
import { announce, initialOpened, initialShown, type Context } from '../state';
import { allSteps, wholeStep } from '../scope';
import type { OpenTrace } from '../types';
import type { Added, FirstPicture, PageSetup } from './first_picture';
import { carriedOver } from './carried_over';
import type { Screen } from '../shown/marks';
import { spokenView, spokenSize } from './steps';
import { requestTotals } from '../shown/totals';
import { isDrawerDecided } from '../ui/preferences';
import { showsTraffic, TRAFFIC_HEIGHT } from '../shown/traffic';
import { decodeView, type ViewNote } from './url';
import { layOut } from '../shown/lay_out';
import { firstRows } from '../layout/rows';
import { scrollTo } from '../shown/view';

const NO_OPTIONS: OpenOptions = { communication: [] };

/** How traces are opened. */
export interface Opening {
  options?: OpenOptions;
  /** The fragment to restore; it is applied only if it is about this trace. Without it that of the address. */
  view?: string;
  /** What the trace is called among the recent ones; null, and without it, where it is not to be kept. */
  id?: string | null;
  /** The open trace, whose sources come first among those that are opened now: what the user did with it stays. */
  added_to?: OpenTrace;
}

/** What the sample is called in the browser's history. It needs no keeping: it comes with the page. */
export const SAMPLE = 'sample';

/** A name for a trace that the user opens. */
export const newTraceId = (): string => [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('-');

/** Opens `sources` as one trace. */
export async function openSources(
  context: Context,
  sources: Source[],
  { options = NO_OPTIONS, view = location.hash, id = null, added_to }: Opening = {},
): Promise<Summary> {
  const { state, frame, engine } = context;
  if (sources.length === 0) throw new EngineError({ code: 'no-file', message: say('error-no-file') });
  performance.clearMarks('steplens:ready');
  performance.mark('steplens:open');
  if (state.loading) engine.cancel();
  const loading = { names: sources.map((source) => source.name), bytes: bytesOf(sources), progress: null as Progress | null };
  state.loading = loading;
  state.error = null;
  frame.invalidate(Changed.phase);
  try {
    const note = decodeView(view);
    const added: Added | null = added_to ? { to: added_to.view, files: added_to.whole.files.length } : null;
    const setup = setupOf(context, note, added);
    const picture = await engine.open<PageSetup, FirstPicture>(sources, options, setup, (progress) => {
      loading.progress = progress;
      frame.invalidate(Changed.phase);
    });
    // A step of the trace before is not wanted any more: its questions would be answered about this one.
    state.pending_view = null;
    if (state.loading === loading) {
      const view_to_restore = added_to ? carriedOver(state, picture.summary) : picture.restored;
      show(context, picture, { options: { ...options, communication: [...picture.communication] }, sources, id }, view_to_restore);
    }
    return picture.summary;
  } catch (thrown) {
    if (state.loading === loading) {
      state.unopened = sources;
      giveUp(context, say(added_to ? 'not-added' : 'not-opened'), thrown);
    }
    throw thrown;
  }
}

/** How large all of them are; null where that is not known yet. */
export const bytesOf = (sources: readonly Source[]): number | null =>
  sources.reduce<number | null>((sum, source) => (sum !== null && 'blob' in source ? sum + source.blob.size : null), 0);

function setupOf(context: Context, note: ViewNote | null, added: Added | null): Promise<PageSetup> {
  return screenOf(context).then((screen): PageSetup => {
    const { traffic_shown, transfers_open, color_by } = context.state;
    return { note, screen, traffic_shown, transfers_open, color_by, added };
  });
}

/** Sets up the first picture of an open trace that is shown by `view`. */
export const setupOfPage = (context: Context, view: View): Promise<PageSetup> => setupOf(context, null, { to: view, files: null });

/** Shows a trace that was at hand already. */
export function showPicture(context: Context, picture: FirstPicture, from: Pick<OpenTrace, 'options' | 'sources' | 'id'>): void {
  show(context, picture, from, null);
}

/** The canvas's size, once the page is laid out. */
async function screenOf({ state, frame }: Context): Promise<Screen> {
  // Nobody sees a hidden page, and browsers draw no frame of it.
  if (state.viewport.width === 0 && !document.hidden) await new Promise<void>((resolve) => frame.afterDrawn(resolve));
  const { width, height } = state.viewport;
  const above = showsTraffic(state) ? TRAFFIC_HEIGHT : 0;
  return { viewport: { width, height: height + above }, pixel_ratio: devicePixelRatio };
}

function show(
  context: Context,
  { whole, summary, view, steps, lanes, used, colors, marks, minimap }: FirstPicture,
  from: Pick<OpenTrace, 'options' | 'sources' | 'id'>,
  restored: ViewNote | null,
): void {
  const { state, frame } = context;
  const trace: OpenTrace = { summary, whole, view, ...from };
  // A page from disk may not add entries, and keeps nothing that one could lead to.
  if (context.page.fileUrl('') !== null) enterHistory(state.trace ?? state.fleet, trace);
  if (state.fleet) state.fleet.is_shown = false;
  Object.assign(state, initialOpened(), initialShown(), { trace, steps, lanes, colors, marks, minimap, shown: marks !== null });
  // What a place that opens by itself begins with.
  if (state.drawer_open && !isDrawerDecided()) state.tab = 'findings';
  state.window = wholeStep(state);
  state.rows = firstRows(summary.devices, state.transfers_open);
  if (restored) applyBeforeLayout(context, restored);
  state.lanes_used = used && { of: lanes, by_lane: used };
  layOut(context);
  const opened = say('opened-files', { files: listed(summary.files.map((file) => file.name)), figures: spokenSize(summary) });
  const said =
    steps && trace.view.step !== null ? say('opened-and-shown', { opened, shown: spokenView(trace.view, summary, steps) }) : opened;
  announce(context, said, ...EVERYTHING);
  frame.afterDrawn(() => {
    // The rows have their places once the page has its size; the scroll position means something only then.
    if (restored) scrollTo(context, restored.scroll_y);
    startHistory(context);
    if (restored) applyAfterLayout(context, restored);
    // No address says yet what was carried over.
    if (restored && location.hash === '') noteView(context);
    requestTotals(context, said);
    requestSteps(context);
    request(context, DOCTOR);
  });
  frame.runNow();
}

/**
 * The entry of the browser's history says which trace it is about. Where another trace was open there is a new entry, so that Back leads to
 * that one; its fragment is not this trace's.
 */
function enterHistory(before: object | null, { id }: OpenTrace): void {
  const entry: unknown = history.state;
  const here = typeof entry === 'object' && entry !== null && 'trace' in entry ? entry.trace : null;
  if (here === id) return;
  if (before) history.pushState({ trace: id }, '', location.pathname + location.search);
  else history.replaceState({ trace: id }, '');
}

function applyBeforeLayout({ state }: Context, view: ViewNote): void {
  if (view.window) state.window = view.window;
  state.rows = view.rows;
  state.color_by = view.color_by ?? state.color_by;
  state.wall_clock = view.wall_clock;
  state.notes = state.trace ? notesFrom(state, view.notes, allSteps(state.trace)) : [];
  state.tab = view.tab;
  // An address that names what is to be read leads to it; that of a closed drawer names none, or the one that everybody begins with.
  if (!isDrawerDecided() && view.tab !== 'range' && view.tab !== 'selection') state.drawer_open = true;
  state.network_section = view.network_section;
  state.changes = view.changes;
  state.wanted_other = view.other;
}

function applyAfterLayout(context: Context, view: ViewNote): void {
  if (view.range) setOuterRange(context, view.range, view.range_lanes);
  context.state.tab = view.tab;
  if (view.query !== '') setSearch(context, { text: view.query, regex: view.regex });
  const ops = context.state.trace?.summary.ops ?? 0;
  if (view.op !== null && view.op < ops) {
    const { tab } = view;
    const selected = selectOp(context, view.op, 'stay').then(() => {
      context.state.tab = tab;
      context.frame.invalidate(Changed.drawer);
    });
    attempt(context, OP_NOT_SHOWN, selected);
  }
}

/** What is said of an only step is not needed for the first picture. */
function requestSteps(context: Context): void {
  const { state, engine, frame } = context;
  const { trace } = state;
  if (!trace || state.steps) return;
  const answered = engine.ask('steps', trace.view.rule).then((steps) => {
    state.steps = steps;
    frame.invalidate(Changed.steps);
  });
  attempt(context, say('steps-not-listed'), answered);
}

/** Back to what was there before; unless the user stopped the opening, with an error to read. */
function giveUp(context: Context, outcome: string, thrown: unknown): void {
  const { state } = context;
  const body = errorBody(thrown);
  state.loading = null;
  state.error = null;
  if (body.code !== 'cancelled') showError(context, outcome, thrown);
  announce(context, body.code === 'cancelled' ? say('opening-cancelled') : '', Changed.phase, Changed.notice);
}

/** The sample that comes with the page, where it is hosted. */
export async function openSample(context: Context): Promise<void> {
  const sample_url = context.page.fileUrl('sample.steplens.gz');
  if (sample_url !== null) await openQuietly(context, [{ name: 'sample.steplens', sample_url }], { id: SAMPLE });
}

/** Opens, and leaves errors to the page, which shows them. */
export async function openQuietly(context: Context, sources: Source[], opening: Opening = {}): Promise<void> {
  try {
    await openSources(context, sources, opening);
  } catch {
    // It is shown already: who embeds the page hears of it from `openSources`, too.
  }
}
