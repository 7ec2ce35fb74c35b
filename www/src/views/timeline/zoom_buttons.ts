// Closer, further, all of it: for hands that know no key. They stand over the lower right corner of the lanes.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { Changed } from '../../state/frame';
import { leavePlace } from '../../state/shown/history';
import { fitAll, zoomAt } from '../../state/shown/view';
import type { Context } from '../../state/state';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';
import { roving } from '../shared/roving';

const FACTOR = 2;

export function zoomButtons(context: Context): HTMLElement {
  const { state } = context;
  const button = (words: string, title: string, path: string, run: () => void) =>
    el('button', { class: 'button square small', type: 'button', title, 'aria-label': words, onclick: run }, icon(path));
  const zoom = (factor: number) => {
    leavePlace(context);
    zoomAt(context, (state.window.start + state.window.end) / 2, factor);
  };
  const element = el(
    'div',
    { class: 'zoom-buttons', role: 'group', 'aria-label': say('zoom-buttons') },
    button(say('zoom-closer'), titled(say('zoom-closer'), 'zoom-in'), ICONS.larger, () => zoom(1 / FACTOR)),
    button(say('zoom-further'), titled(say('zoom-further'), 'zoom-out'), ICONS.smaller, () => zoom(FACTOR)),
    button(say('zoom-all'), titled(say('zoom-all'), 'fit'), ICONS.full, () => fitAll(context)),
  );
  roving(context, element, [Changed.trace]);
  return element;
}
