// The picture of the view in a report: the lanes as on the screen, in light colours, with names and an axis, at the resolution of paper.
import { el } from '../../base/dom';
import { batchOf } from '../../draw/batch';
import { drawAxis } from '../../draw/axis';
import { Strips } from '../../draw/strips';
import { TextRuler } from '../../draw/text';
import { readTheme, type Theme } from '../../draw/theme';
import type { Marks, Summary } from '../../engine/protocol';
import { clockOf } from '../../state/shown/clock';
import { layoutOf } from '../../state/layout/layout';
import { bandsInSight, topOf } from '../../state/layout/sight';
import { leaderOf, unitNames } from '../../state/layout/units';
import type { Screen } from '../../state/shown/marks';
import { timeScale } from '../../state/shown/view';
import type { Context, State } from '../../state/state';
import { surface } from '../shared/canvas';
import { paintLanes } from '../timeline/timeline';

/** The width of the lanes on paper in CSS pixels as the page draws them: letters are about 7 points high on A4 and Letter. */
const WIDTH = 680;
const NAMES = 120;
const AXIS = 24;
/** Two thirds of a sheet. */
const USUAL_HEIGHT = 420;
const MOST_HEIGHT = 760;
/** 330 dots an inch on A4. */
const RATIO = 3;

/** The state laid out for paper: everything that the rows show from the top, without what is only for hands. */
export function printed(state: State): State & Screen & { state: State } {
  const devices = state.trace?.summary.devices ?? [];
  const made = (viewport_height: number) => layoutOf({ devices, lanes: state.lanes, rows: state.rows, viewport_height });
  const layout = made(USUAL_HEIGHT);
  const height = Math.max(40, Math.min(layout.height, MOST_HEIGHT));
  const paper: State = { ...state, ...WITHOUT_HANDS, layout, scroll_y: 0, viewport: { width: WIDTH, height } };
  return { ...paper, state: paper, pixel_ratio: RATIO };
}

/** What the pointer asked for. */
const WITHOUT_HANDS = { hover: null, hover_x: null, path_lit: false, light: null, pointed: null } as const;

/** Whether rows are below what the picture shows. */
export const isCut = ({ layout, viewport }: State): boolean => layout.height > viewport.height + 1;

/** `state` is laid out for paper; its marks are `marks`. */
export function picture(context: Context, paper: State, marks: Marks, label: string): HTMLCanvasElement {
  const palette = lightPalette();
  const state: State = { ...paper, ...WITHOUT_HANDS, palette };
  const { width, height } = state.viewport;
  const lanes = surface({});
  Object.assign(lanes, { width, height, ratio: RATIO });
  Object.assign(lanes.element, { width: Math.round(width * RATIO), height: Math.round(height * RATIO) });
  const is_searching = state.search.query !== '' && state.search.result !== null;
  paintLanes({ ...context, state }, lanes, batchOf(marks, is_searching), new Strips(), new TextRuler(lanes.context, () => palette.font));
  const whole = el('canvas');
  whole.width = (NAMES + width) * RATIO;
  whole.height = (AXIS + height) * RATIO;
  const canvas = whole.getContext('2d');
  if (!canvas) throw new Error('this browser has no 2D canvas');
  canvas.fillStyle = palette.background;
  canvas.fillRect(0, 0, whole.width, whole.height);
  canvas.drawImage(lanes.element, NAMES * RATIO, AXIS * RATIO);
  canvas.setTransform(RATIO, 0, 0, RATIO, NAMES * RATIO, 0);
  drawAxis(canvas, timeScale(state), clockOf(state), AXIS, palette, []);
  canvas.setTransform(RATIO, 0, 0, RATIO, 0, AXIS * RATIO);
  if (state.trace) drawNames(canvas, state, state.trace.summary, palette);
  return asPixels(whole, label);
}

/** The same as an image of pixels: what is drawn while Chromium prepares to print it keeps as strokes, and scales wrongly. */
function asPixels(drawn: HTMLCanvasElement, label: string): HTMLCanvasElement {
  const { width, height } = drawn;
  const sheet = new OffscreenCanvas(width, height);
  sheet.getContext('2d')?.drawImage(drawn, 0, 0);
  const image = el('canvas', { class: 'print-picture', role: 'img', 'aria-label': label });
  image.width = width;
  image.height = height;
  image.getContext('bitmaprenderer')?.transferFromImageBitmap(sheet.transferToImageBitmap());
  return image;
}

/** The name of each row that begins on the picture, cut where it has no room. */
function drawNames(canvas: CanvasRenderingContext2D, state: State, summary: Summary, theme: Theme): void {
  const wordsOf = unitNames(summary);
  canvas.textBaseline = 'middle';
  const ruler = new TextRuler(canvas, () => theme.font);
  for (const band of bandsInSight(state)) {
    const y = topOf(state, band);
    canvas.fillStyle = theme.line;
    canvas.fillRect(0, y + band.height - 1, NAMES, 1);
    if (leaderOf(summary.devices, band.device) !== band.device || y + 8 > state.viewport.height) continue;
    canvas.fillStyle = theme.text;
    canvas.font = theme.font;
    canvas.fillText(cut(wordsOf(band.device).place, ruler), 2, y + Math.min(band.height / 2, 10));
  }
}

function cut(name: string, ruler: TextRuler): string {
  const characters = [...name];
  while (characters.length > 1 && ruler.width(`${characters.join('')}…`) > NAMES - 6) characters.pop();
  return characters.length === [...name].length ? name : `${characters.join('')}…`;
}

/** The light colours, whatever the page has: they are read between two frames, so that nobody sees the change. */
function lightPalette(): Theme {
  const { dataset } = document.documentElement;
  const before = dataset['theme'];
  dataset['theme'] = 'light';
  try {
    return readTheme(document.documentElement, dataset['textures'] === 'on');
  } finally {
    if (before === undefined) delete dataset['theme'];
    else dataset['theme'] = before;
  }
}
