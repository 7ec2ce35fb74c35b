// What the wheel, a drag, two fingers, a click and keys do on the picture of a fleet: what they do in the timeline.
import { clamp } from '../../base/geom';
import { chooseCell, hoverCell, setLook, setSight } from '../../state/fleet/open';
import { moved, sightOf, wholeSight, zoomed } from '../../state/fleet/sight';
import { openCell } from '../../state/fleet/trace';
import type { Fleet, Sight } from '../../state/fleet_open';
import type { Context } from '../../state/state';
import { wheelTurns } from '../keys/bindings';
import type { Surface } from '../shared/canvas';
import { zoomFactor } from '../timeline/wheel';
import { boxesOf, cellAt, placeAt } from './boxes';

/** A hand that shakes drags nothing. */
const LEAST_DRAG = { mouse: 4, touch: 9 };
/** Fingers as close as this count as one. */
const LEAST_SPREAD = 24;
/** A share of what is in sight, and a factor. */
const KEY = { pan: 0.1, zoom: 0.8 };
/** With Shift, arrows go as many cells. */
const FAR = 10;
const LINE_PX = 18;

interface Finger {
  x: number;
  y: number;
}

export function listenOnFleet(context: Context, canvas: Surface): void {
  const { element } = canvas;
  const fleetOf = (): Fleet | null => context.state.fleet;
  const boxes = (fleet: Fleet) => boxesOf(fleet, canvas.width, canvas.height);
  const point = (event: MouseEvent): Finger => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  /** Moves what is in sight by pixels. */
  const pan = (fleet: Fleet, from: Sight, dx: number, dy: number) => {
    const { picture } = boxes(fleet);
    setSight(context, moved(from, (dx / picture.width) * (from.x1 - from.x0), (dy / picture.height) * (from.y1 - from.y0)));
  };
  const zoomAt = (fleet: Fleet, at: Finger, by_x: number, by_y: number) => {
    const { picture } = boxes(fleet);
    const x = clamp(at.x, picture.x, picture.x + picture.width);
    const y = clamp(at.y, picture.y, picture.y + picture.height);
    const { column, row } = placeAt(fleet, boxes(fleet), x, y);
    setSight(context, zoomed(sightOf(fleet), column, row, by_x, by_y));
  };

  element.addEventListener(
    'wheel',
    (event) => {
      const fleet = fleetOf();
      if (!fleet) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
      const [dx, dy] = [event.deltaX * lines, event.deltaY * lines];
      const held = event.ctrlKey || event.metaKey ? 'ctrl' : event.altKey ? 'alt' : event.shiftKey ? 'shift' : 'nothing';
      switch (wheelTurns(held, context.state.gestures)) {
        case 'zoom':
          zoomAt(fleet, point(event), zoomFactor(dy), 1);
          break;
        case 'lanes':
          zoomAt(fleet, point(event), 1, zoomFactor(dy));
          break;
        case 'time':
          pan(fleet, sightOf(fleet), dx || dy, 0);
          break;
        case 'scroll':
          pan(fleet, sightOf(fleet), dx, dy);
      }
    },
    { passive: false },
  );

  const fingers = new Map<number, Finger>();
  let drag: { from: Finger; sight: Sight; moved: boolean } | null = null;
  let pinch: { from: Finger; spread: number; sight: Sight } | null = null;
  const pinched = (): { from: Finger; spread: number } | null => {
    const [a, b] = [...fingers.values()];
    if (!a || !b) return null;
    return { from: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, spread: Math.max(Math.hypot(a.x - b.x, a.y - b.y), LEAST_SPREAD) };
  };
  element.addEventListener('pointerdown', (event) => {
    const fleet = fleetOf();
    if (!fleet || event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, point(event));
    drag = { from: point(event), sight: sightOf(fleet), moved: false };
    const now = pinched();
    pinch = now && { ...now, sight: sightOf(fleet) };
  });
  element.addEventListener('pointermove', (event) => {
    const fleet = fleetOf();
    if (!fleet) return;
    const at = point(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, at);
    const now = pinched();
    if (pinch && now) {
      const by = pinch.spread / now.spread;
      const { picture } = boxes(fleet);
      const { sight } = pinch;
      const column = sight.x0 + ((pinch.from.x - picture.x) / picture.width) * (sight.x1 - sight.x0);
      const row = sight.y0 + ((pinch.from.y - picture.y) / picture.height) * (sight.y1 - sight.y0);
      const wanted = zoomed(sight, column, row, by, by);
      const across = ((pinch.from.x - now.from.x) / picture.width) * (wanted.x1 - wanted.x0);
      const down = ((pinch.from.y - now.from.y) / picture.height) * (wanted.y1 - wanted.y0);
      setSight(context, moved(wanted, across, down));
      return;
    }
    if (!drag) {
      const cell = cellAt(fleet, boxes(fleet), at.x, at.y);
      hoverCell(context, cell && { ...cell, ...at });
      element.style.cursor = cell ? 'pointer' : at.x < boxes(fleet).names.width ? 'pointer' : 'default';
      return;
    }
    const least = event.pointerType === 'mouse' ? LEAST_DRAG.mouse : LEAST_DRAG.touch;
    drag.moved ||= Math.hypot(at.x - drag.from.x, at.y - drag.from.y) >= least;
    if (!drag.moved) return;
    element.style.cursor = 'grabbing';
    hoverCell(context, null);
    pan(fleet, drag.sight, drag.from.x - at.x, drag.from.y - at.y);
  });
  const end = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    const [was, was_pinch] = [drag, pinch !== null];
    if (fingers.size < 2) pinch = null;
    if (fingers.size === 0) drag = null;
    element.style.cursor = 'default';
    const fleet = fleetOf();
    if (!fleet || event.type !== 'pointerup' || !was || was.moved || was_pinch) return;
    const at = point(event);
    const cell = cellAt(fleet, boxes(fleet), at.x, at.y);
    if (cell) click(fleet, cell, event.pointerType);
    // The names are the head of the rows: a click sorts them the other way.
    else if (at.x < boxes(fleet).names.width && at.y < boxes(fleet).series.y) setLook(context, { by_figure: !fleet.look.by_figure });
  };
  /** A finger chooses first and opens with the second tap: it hides what it touches. */
  const click = (fleet: Fleet, cell: { row: number; column: number }, kind: string) => {
    const was = fleet.chosen;
    chooseCell(context, cell);
    if (kind === 'mouse' || (was?.row === cell.row && was.column === cell.column)) openCell(context, cell.row, cell.column);
  };
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
  element.addEventListener('pointerleave', () => hoverCell(context, null));
  element.addEventListener('keydown', (event) => key(context, event, zoomAt, pan, canvas));
}

type ZoomAt = (fleet: Fleet, at: Finger, by_x: number, by_y: number) => void;
type Pan = (fleet: Fleet, from: Sight, dx: number, dy: number) => void;

/** Arrows walk from cell to cell; the rest is as in the timeline. */
function key(context: Context, event: KeyboardEvent, zoomAt: ZoomAt, pan: Pan, canvas: Surface): void {
  const { fleet } = context.state;
  if (!fleet?.run || event.ctrlKey || event.metaKey || event.altKey) return;
  const [rows, columns] = [fleet.run.rows.length, fleet.run.first_steps.length];
  const sight = sightOf(fleet);
  const page = Math.max(Math.floor(sight.y1 - sight.y0), 1);
  const walk = (down: number, across: number) => {
    const far = event.shiftKey ? FAR : 1;
    const from = fleet.chosen ?? { row: Math.floor(sight.y0), column: Math.floor(sight.x0) };
    const is_first = fleet.chosen === null;
    chooseCell(context, {
      row: clamp(from.row + (is_first ? 0 : down * far), 0, rows - 1),
      column: clamp(from.column + (is_first ? 0 : across * far), 0, columns - 1),
    });
  };
  const middle = { x: canvas.width / 2, y: canvas.height / 2 };
  const runs: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => walk(0, -1),
    ArrowRight: () => walk(0, 1),
    ArrowUp: () => walk(-1, 0),
    ArrowDown: () => walk(1, 0),
    PageUp: () => walk(-page, 0),
    PageDown: () => walk(page, 0),
    Home: () => walk(0, -columns),
    End: () => walk(0, columns),
    KeyW: () => zoomAt(fleet, middle, KEY.zoom, 1),
    KeyS: () => zoomAt(fleet, middle, 1 / KEY.zoom, 1),
    KeyA: () => pan(fleet, sight, -canvas.width * KEY.pan, 0),
    KeyD: () => pan(fleet, sight, canvas.width * KEY.pan, 0),
    Equal: () => zoomAt(fleet, middle, 1, KEY.zoom),
    Minus: () => zoomAt(fleet, middle, 1, 1 / KEY.zoom),
    NumpadAdd: () => zoomAt(fleet, middle, 1, KEY.zoom),
    NumpadSubtract: () => zoomAt(fleet, middle, 1, 1 / KEY.zoom),
    Digit0: () => setSight(context, wholeSight(fleet)),
    Enter: () => {
      if (fleet.chosen) openCell(context, fleet.chosen.row, fleet.chosen.column);
    },
    // With nothing chosen, it is the page's.
    ...(fleet.chosen ? { Escape: () => chooseCell(context, null) } : {}),
  };
  const run = runs[event.code];
  if (!run) return;
  event.preventDefault();
  event.stopPropagation();
  run();
}
