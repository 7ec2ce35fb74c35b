// The user's notes: flags on the time axis, and thin lines through the lanes that hide no op. CSS pixels.
import type { Rect } from '../base/geom';
import type { TimeScale } from '../base/time_scale';
import type { Measure } from './axis';
import type { Theme } from './theme';

/** What is drawn of a note. */
export interface Flagged {
  id: number;
  start_ns: number;
  end_ns: number;
  text: string;
}

export interface Flag {
  id: number;
  rect: Rect;
  /** As much of its text as there is room for; empty where there is none. */
  text: string;
}

const PADDING = 5;
const MOST_WIDTH = 180;
/** Narrower than this a flag is a pennant without text. */
const LEAST_WIDTH = 26;
const PENNANT = 9;
const TOP = 3;
const HEIGHT = 16;

/** Where the flags of `notes` (in order of start) are that can be seen. None covers the next one's pole. */
export function flagsOf(notes: readonly Flagged[], scale: TimeScale, measure: Measure): Flag[] {
  const seen = notes
    // A stretch that began before the window has its flag at the edge.
    .map((note) => ({ note, x: Math.max(scale.toPx(note.start_ns), 0), end: scale.toPx(note.end_ns) }))
    .filter(({ note, x, end }) => x < scale.width && (end > 0 || scale.toPx(note.start_ns) >= 0))
    .sort((a, b) => a.x - b.x);
  return seen.map(({ note, x }, index) => {
    const room = Math.min((seen[index + 1]?.x ?? scale.width) - x - 2, MOST_WIDTH);
    const text = room >= LEAST_WIDTH ? shortened(note.text, room - 2 * PADDING, measure) : '';
    const width = text === '' ? PENNANT : Math.ceil(measure(text)) + 2 * PADDING;
    return { id: note.id, text, rect: { x: Math.round(x), y: TOP, width, height: HEIGHT } };
  });
}

function shortened(text: string, room: number, measure: Measure): string {
  if (measure(text) <= room) return text;
  const characters = [...text];
  let fitting = 0;
  let width = measure('…');
  for (const character of characters) {
    width += measure(character);
    if (width > room) break;
    fitting += 1;
  }
  return fitting === 0 ? '' : `${characters.slice(0, fitting).join('')}…`;
}

export function drawFlags(
  context: CanvasRenderingContext2D,
  flags: readonly Flag[],
  chosen: number | null,
  height: number,
  theme: Theme,
): void {
  context.font = theme.font;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const { id, rect, text } of flags) {
    const { x, y, width } = rect;
    context.fillStyle = theme.note;
    context.fillRect(x, y, 1, height - y);
    context.beginPath();
    if (text === '') {
      context.moveTo(x, y);
      context.lineTo(x + width, y + HEIGHT / 4);
      context.lineTo(x, y + HEIGHT / 2);
    } else context.roundRect(x, y, width, HEIGHT, [0, 4, 4, 0]);
    context.fill();
    context.fillStyle = theme.on_note;
    if (text !== '') context.fillText(text, x + PADDING, y + HEIGHT / 2 + 0.5);
    if (id !== chosen || text === '') continue;
    context.strokeStyle = theme.text;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

/** How long the stretches are, as a line along the lower edge of the axis. */
export function drawStretches(
  context: CanvasRenderingContext2D,
  notes: readonly Flagged[],
  scale: TimeScale,
  height: number,
  theme: Theme,
): void {
  context.fillStyle = theme.note;
  for (const { start_ns, end_ns } of notes) {
    const left = Math.max(scale.toPx(start_ns), 0);
    const right = Math.min(scale.toPx(end_ns), scale.width);
    if (end_ns > start_ns && right > left) context.fillRect(left, height - 2, Math.max(right - left, 1), 2);
  }
}

/** A line through the lanes where a note begins and, fainter, where a stretch ends. */
export function drawNoteLines(
  context: CanvasRenderingContext2D,
  notes: readonly Flagged[],
  scale: TimeScale,
  height: number,
  theme: Theme,
): void {
  context.fillStyle = theme.note;
  const line = (at: number, alpha: number) => {
    const x = Math.round(scale.toPx(at));
    if (x < 0 || x > scale.width) return;
    context.globalAlpha = alpha;
    context.fillRect(x, 0, 1, height);
  };
  for (const { start_ns, end_ns } of notes) {
    line(start_ns, 0.75);
    if (end_ns > start_ns) line(end_ns, 0.4);
  }
  context.globalAlpha = 1;
}
