// The first picture of what was opened: worked out in the worker, right after the file is read, and sent to the page in one answer.
//
// The page says beforehand what it will look like (`PageSetup`); the same functions as on the page then choose the view, lay the
// rows out and ask for marks. The page draws at once, and asks for other marks only where its own layout differs.
import { say } from '../../base/messages';
import { EngineError } from '../../engine/errors';
import type { ColorBy, Colors, Core, FileSummary, Marks, Minimap, StepList, Summary, View } from '../../engine/protocol';
import { layoutOf, packedLanes, type Lanes } from '../layout/layout';
import { grown } from '../../base/time_scale';
import { NEAR } from '../shown/lanes_near';
import { wantedMarks, type Screen } from '../shown/marks';
import { columnsOfStep } from '../shown/minimap';
import { firstRows } from '../layout/rows';
import { wholeStepOf } from '../scope';
import { ALL_STEPS, firstView } from './steps';
import { samePatterns } from './pattern_words';
import { TRAFFIC_HEIGHT } from '../shown/traffic';
import { decodeView, keyOf, type ViewNote } from './url';

/** What the page knows before the trace: sent with the files to open. */
export interface PageSetup {
  /** The view to restore; it is applied only if it is about this trace. */
  note: ViewNote | null;
  /** The canvas while no traffic is shown above it. */
  screen: Screen;
  /** Whether the user wants traffic above the lanes. */
  traffic_shown: boolean;
  /** Whether transfers have lanes of their own at first. */
  transfers_open: boolean;
  /** What the user wants colours to stand for, where the view to restore does not say it. */
  color_by: ColorBy;
  /** Null where nothing is added to the open trace. */
  added: Added | null;
}

/** What files are added to. */
export interface Added {
  /** What is shown of it. */
  to: View;
  /** How many files it is of, which come first among all; null where nothing is read for it. */
  files: number | null;
}

/** All that the first frame of a trace shows. */
export interface FirstPicture {
  /** Of all that was opened. */
  whole: Summary;
  /** Of what is shown of it. */
  summary: Summary;
  view: View;
  /** Null where all steps are shown: their list can wait. */
  steps: StepList | null;
  lanes: Lanes;
  /** By lane, whether the window needs it; null where all are shown. */
  used: Uint8Array | null;
  /** What colours stand for. */
  colors: Colors;
  /** What is restored: the view of the setup, else the one that the opened session holds; null where neither is about this trace. */
  restored: ViewNote | null;
  /** The patterns for communication that the files are opened with: those of the setup, else those that the opened session holds. */
  communication: readonly string[];
  /** Null while the page has no size. */
  marks: Marks | null;
  minimap: Minimap;
}

export function firstPicture(core: Core, whole: Summary, setup: PageSetup): FirstPicture {
  const { note, screen, traffic_shown, transfers_open, color_by, added } = setup;
  if (added) refuseNothing(whole, added);
  const communication = core.communicationShown();
  const isOf = (own: ViewNote | null) => own?.trace === keyOf(whole);
  const restored = [note, added ? null : decodeView(core.viewKept())].find(isOf) ?? null;
  const { view, steps } = firstView(
    core,
    whole,
    restored && viewOf(core, restored, communication),
    added?.to ?? { ...ALL_STEPS, communication },
  );
  const { rule, step, repairs, op_time, clocks } = view;
  const is_whole =
    step === null &&
    rule === whole.view.rule &&
    repairs.length === 0 &&
    op_time === 'schedule' &&
    clocks.length === 0 &&
    samePatterns(view.communication, communication);
  const summary = is_whole ? whole : core.showView(view);
  const { devices } = summary;
  const by = restored?.rows.arranged_by ?? 'packed';
  const is_packed = by === 'packed' && !devices.some(({ by_thread }) => by_thread);
  const lanes: Lanes = is_packed ? packedLanes(devices) : { by, groups: core.arrange(by) };
  const wanted = restored?.color_by ?? color_by;
  // Slack takes longer than a first picture may; it follows.
  const colors = core.colorBy(wanted === 'slack' ? 'category' : wanted);
  const { width } = screen.viewport;
  const height = screen.viewport.height - (traffic_shown && summary.step.communication_ns > 0 ? TRAFFIC_HEIGHT : 0);
  const window = restored?.window ?? wholeStepOf(summary.span_ns);
  const near = grown(window, NEAR);
  const used = restored?.window ? core.lanesInUse(near.start, near.end) : null;
  const layout = layoutOf({ devices, lanes, rows: restored?.rows ?? firstRows(devices, transfers_open), viewport_height: height, used });
  const scroll_y = Math.max(0, Math.min(restored?.scroll_y ?? 0, layout.height - height));
  const view_of = { viewport: { width, height }, pixel_ratio: screen.pixel_ratio, layout, scroll_y, window };
  const marks = width > 0 ? core.marks(wantedMarks(view_of)) : null;
  const bins = columnsOfStep(summary.span_ns, width, screen.pixel_ratio).count;
  return { whole, summary, view, steps, lanes, used, colors, restored, communication, marks, minimap: core.minimap(bins) };
}

/** Patterns that are none are left out, as everything else that is malformed in an address. */
const viewOf = (core: Core, note: ViewNote, communication: readonly string[]): View => ({
  ...note.view,
  communication: note.communication?.filter((pattern) => core.isPattern(pattern)) ?? communication,
});

/** The open trace stays where nothing that was to be added to it has an op. */
function refuseNothing({ files }: Summary, { files: before }: Added): void {
  if (before === null) return;
  const added = files.slice(before);
  if (added.some(({ ops }) => ops > 0)) return;
  const [problem] = added.flatMap(({ problems }) => problems);
  throw new EngineError({ code: problem?.code ?? 'no-ops', message: added.map(sentence).join(' ') });
}

const sentence = ({ name, problems }: FileSummary): string =>
  say('nothing-in-file', { name, why: problems[0]?.detail ?? say('error-no-op') });
