// The open trace, and how it is shown: what the first picture of it is made from, without waiting.
import { say } from '../../base/messages';
import { ns, type Ns } from '../../base/time';
import { isPattern, type Session } from 'steplens-wasm';
import {
  COLOR_BIES,
  type AnswerName,
  type ColorBy,
  type Colors,
  type Core,
  type LaneGroup,
  type Lighting,
  type Marks,
  type MarksQuery,
  type Minimap,
  type StepList,
  type Summary,
} from '../protocol';

let session: Session | null = null;
/** Counts what was shown: another trace, another view of it. A question that waited longer than what it asks about is dropped. */
export let shown = 0;
/** What colours stand for; it stays while other steps are shown. */
let colored: ColorBy = 'category';
/** Whether ops that are not lit stand back. */
let lighting: Lighting = 'off';

export function current(): Session {
  if (!session) throw { code: 'no-trace', message: say('error-no-trace') };
  return session;
}

/** The JSON of an answer that the program has, too; `chosen` is what `Options` of its folder in the report has. */
export const answerOf = (session: Session, name: AnswerName, chosen: object = {}): string => session.answer(name, JSON.stringify(chosen));

/** What questions about colours and light change. */
export function setLighting(now: Lighting): void {
  lighting = now;
}

/** Also what makes the first picture asks these, without waiting. */
export const core: Core = {
  showView({ rule, step, repairs, op_time, clocks, communication }) {
    shown++;
    lighting = 'off';
    const summary = JSON.parse(
      current().showView(rule, step ?? undefined, [...repairs], op_time, [...clocks], [...communication]),
    ) as Summary;
    // Steps have the same colours one after the other; slack takes longer than a picture may.
    if (colored !== 'category' && colored !== 'slack') current().colorBy(colored);
    return summary;
  },
  steps: (rule) => JSON.parse(answerOf(current(), 'steps', { rule })) as StepList,
  arrange: (by) => JSON.parse(current().arrange(by)) as LaneGroup[][],
  colorBy: (by) => {
    lighting = 'off';
    colored = by;
    return JSON.parse(current().colorBy(by)) as Colors;
  },
  lanesInUse: (start_ns, end_ns) => current().lanesInUse(start_ns, end_ns),
  marks,
  minimap: (bins): Minimap => ({ bins, shares: current().minimap(bins) }),
  isPattern,
  viewKept: () => current().viewKept(),
  communicationShown: () => current().communicationShown(),
};

function marks(query: MarksQuery): Marks {
  return marksOf(current(), query);
}

/** The marks of any open trace. */
export function marksOf(session: Session, query: MarksQuery): Marks {
  const buffers = session.marks(query.start_ns, query.end_ns, query.width_px, query.lanes, query.pitches, query.most);
  const { colorBy, row, stacks, x0, x1, style, op, count, density, text, names } = buffers;
  const column_px = (buffers.columnNs * query.width_px) / (query.end_ns - query.start_ns);
  buffers.free();
  const strips = session.strips(query.start_ns, query.end_ns, query.width_px, query.strips);
  const color_by = COLOR_BIES.find((by) => by === colorBy) ?? 'category';
  const exposed = session.exposed(query.start_ns, query.end_ns, query.width_px, query.strips);
  return { query, color_by, light: lighting, row, stacks, x0, x1, style, op, count, density, text, names, column_px, strips, exposed };
}

export function edgeNear(lanes: Uint32Array, at_ns: number, slack_ns: number): Ns | null {
  const edge = current().edgeNear(lanes, at_ns, slack_ns);
  return edge === undefined ? null : ns(edge);
}

/** The part of a first picture that is handed over rather than copied. */
export interface FirstPicture {
  marks: Marks | null;
  minimap: Minimap;
}

/** Makes the first picture of what was opened, from the setup of the page. */
export type MakePicture = (core: Core, whole: Summary, setup: unknown) => FirstPicture;

let makePicture: MakePicture;

export function picturesBy(make: MakePicture): void {
  makePicture = make;
}

/**
 * The first picture of `opened`, which replaces the open trace; if that fails, the open trace stays. `then` is given the one before, and what puts it
 * back.
 */
export function pictureOf(
  opened: Session,
  whole: Summary,
  setup: unknown,
  then: (before: Session | null, back: () => void) => void = (before) => before?.free(),
): FirstPicture {
  const before = { session, shown, colored, lighting };
  session = opened;
  shown++;
  colored = 'category';
  lighting = 'off';
  try {
    const picture = makePicture(core, whole, setup);
    then(before.session, () => {
      ({ session, colored, lighting } = before);
      // Whatever was asked of the other meanwhile is not waited for.
      shown++;
    });
    return picture;
  } catch (thrown) {
    ({ session, shown, colored, lighting } = before);
    throw thrown;
  }
}
