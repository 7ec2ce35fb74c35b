// The curve of the account over the window of the timeline, its largest tensors as boxes. A click chooses that moment and the box.
import { el } from '../../../base/dom';
import { formatBytes } from '../../../base/format';
import { say } from '../../../base/messages';
import { formatPoint, ns } from '../../../base/time';
import { TimeScale, type Window } from '../../../base/time_scale';
import { drawMemoryPicture, lifeAt, type MemoryLook } from '../../../draw/memory';
import type { MemoryAccount, MemoryPicture } from '../../../engine/protocol';
import { onSettled } from '../../../state/shown/history';
import { chooseLife, chooseMoment, requestPicture } from '../../../state/shown/memory';
import type { Context } from '../../../state/state';
import { paletteOf } from '../../../state/ui/theme';
import { surface } from '../../shared/canvas';

const HEIGHT = 56;
/** How far an arrow key moves the moment, of the window. */
const STEP = 0.01;

/** `again` has the panel drawn again. */
export function memoryPicture(context: Context, again: () => void): { element: HTMLElement; show: (account: MemoryAccount) => void } {
  const { state } = context;
  const picture = surface({
    class: 'memory-canvas',
    role: 'slider',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': 0,
    'aria-label': say('memory-moment'),
    title: say('memory-picture-about'),
  });
  const holder = el('div', { class: 'memory-picture' }, picture.element);
  /** The window that was shown when the view came to rest. */
  let window: Window = state.window;
  /** What was shown then. */
  let of: unknown = null;
  let account: MemoryAccount | null = null;
  let drawn: { of: MemoryPicture; look: MemoryLook } | null = null;
  onSettled(context, () => {
    window = state.window;
    again();
  });
  new ResizeObserver(again).observe(holder);
  const scaleNow = () => new TimeScale(window, Math.max(1, picture.width));
  picture.element.addEventListener('click', (event) => {
    const life = drawn && lifeAt(drawn.of, drawn.look, event.offsetX, event.offsetY);
    chooseMoment(context, ns(Math.round(scaleNow().toNs(event.offsetX))));
    const box = drawn?.of.boxes.find((own) => own.life === life);
    if (box) chooseLife(context, box.life, box.name);
  });
  picture.element.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 && event.key !== 'Home') return;
    event.preventDefault();
    event.stopPropagation();
    const length = window.end - window.start;
    const at = state.memory_at ?? account?.peak_ns ?? window.start;
    const moved = Math.min(Math.max(at + step * STEP * length, window.start), window.end);
    chooseMoment(context, event.key === 'Home' ? null : ns(Math.round(moved)));
  });
  return {
    element: holder,
    show: (shown) => {
      account = shown;
      if (of !== state.trace) window = state.window;
      of = state.trace;
      const width = holder.clientWidth;
      if (width === 0) return;
      picture.fit(width, HEIGHT);
      const found = requestPicture(context, window, Math.round(width));
      const at = state.memory_at ?? shown.peak_ns;
      const share = at === null ? 0 : (at - window.start) / Math.max(1, window.end - window.start);
      picture.element.setAttribute('aria-valuenow', String(Math.round(Math.min(Math.max(share, 0), 1) * 100)));
      const when = at === null ? say('memory-from-start') : formatPoint(ns(at), 1000);
      const moment = say('memory-moment-and-peak', { when, peak: formatBytes(shown.peak_bytes) });
      const spoken = found ? say('memory-moment-and-boxes', { moment, count: found.boxes.length }) : moment;
      picture.element.setAttribute('aria-valuetext', spoken);
      if (!found) return;
      const theme = paletteOf(state);
      picture.clear();
      picture.context.fillStyle = theme.band;
      picture.context.fillRect(0, 0, width, HEIGHT);
      const look = { width, height: HEIGHT, scale: scaleNow(), peak_bytes: shown.peak_bytes, chosen: state.memory_life, at_ns: at };
      drawMemoryPicture(picture.context, found, look, theme);
      drawn = { of: found, look };
    },
  };
}
