// What is not needed every day: other ways to open, recent traces, how the page looks, keys. All of it is in the palette, too, or has a key.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { Changed } from '../../state/frame';
import { RECENT_CHANGED } from '../../state/opened/recent';
import type { Context } from '../../state/state';
import { showHelp } from '../dialogs/help';
import { texturesButton, themeButton } from '../dialogs/look_buttons';
import { showPartDialog } from '../dialogs/part';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';
import { menuUnder } from '../shared/menu';
import { pickAdded, pickCompared } from '../start/drop';
import { recentList } from '../start/recent_list';
import { watchLine } from '../start/watch_folder';

const MENU = 'more-menu';

export function moreMenu(context: Context): HTMLElement {
  const { state, frame } = context;
  const close = () => document.querySelector<HTMLElement>('canvas.lanes')?.focus();
  const item = (words: string, path: string, run: () => void, more: { id?: string; title?: string } = {}) =>
    el(
      'button',
      {
        class: 'menu-item',
        type: 'button',
        ...more,
        onclick: () => {
          element.querySelector<HTMLElement>('[aria-expanded="true"]')?.click();
          run();
        },
      },
      icon(path),
      el('span', {}, words),
    );
  const of_trace = el(
    'div',
    { class: 'menu-items' },
    item(say('add-files'), ICONS.larger, pickAdded, { id: 'add-files', title: titled(say('add-files'), 'add') }),
    item(say('cmp-files'), ICONS.compare, pickCompared, { id: 'compare-files', title: titled(say('cmp-files'), 'compare') }),
    item(say('open-a-subset'), ICONS.filter, () => showPartDialog(context, 'trace'), {
      id: 'open-part',
      title: say('open-a-subset-title'),
    }),
    watchLine(context, item),
  );
  const recent = el(
    'div',
    { id: 'recent-menu', class: 'menu-recent', role: 'group', 'aria-label': say('recent-menu') },
    recentList(context, close),
  );
  const element = menuUnder(
    { id: MENU, label: say('more-menu'), title: say('more-menu-title'), words: icon(ICONS.more), over: true },
    of_trace,
    recent,
    el('div', { class: 'menu-line' }, el('span', {}, say('looks')), texturesButton(context), themeButton(context)),
    item(say('keys-and-gestures'), ICONS.help, () => showHelp(context), { title: titled(say('keys-and-gestures'), 'help') }),
  );
  frame.onDom([RECENT_CHANGED, Changed.trace], () => {
    of_trace.hidden = !state.trace;
    recent.hidden = !state.trace || (state.recent.length === 0 && state.keeps_recent);
  });
  return element;
}
