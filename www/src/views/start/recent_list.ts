// The recent traces: one click opens a trace at its last view; each can be removed, and all of it switched off.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { formatBytes } from '../../base/format';
import { formatMoment } from '../../base/clock';
import { MOST_RECENT, MOST_RECENT_BYTES, type RecentTrace } from '../../engine/recent_store';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import { addRecent, canKeep, compareRecent, forgetRecent, openRecent, setKeepsRecent, RECENT_CHANGED } from '../../state/opened/recent';
import type { Context } from '../../state/state';
import { ICONS } from '../shared/icons';
import { reconcile } from '../shared/reconcile';

/** `chosen` hears that one is opened. */
export function recentList(context: Context, chosen: () => void = () => undefined): HTMLElement {
  const { state, frame } = context;
  const list = el('ul', { class: 'recent-list' });
  const keep = el('input', { type: 'checkbox', onchange: () => setKeepsRecent(context, keep.checked) });
  const choice = el('label', { class: 'choice recent-keep', title: say('recent-keep-about') }, keep, el('span', {}, say('recent-keep')));
  const note = el('p', { class: 'note' }, say('recent-privacy', { traces: String(MOST_RECENT), bytes: formatBytes(MOST_RECENT_BYTES) }));
  const none = el('li', { class: 'note' }, say('recent-none'));
  // A line that stays the same stays: one that is made again under the pointer would miss the click.
  let shown = new Map<string, HTMLElement>();
  frame.onDom([RECENT_CHANGED, Changed.trace], () => {
    keep.checked = state.keeps_recent;
    const lines = new Map<string, HTMLElement>();
    for (const recent of state.recent) {
      const { id, name, ops, bytes, opened_ms } = recent;
      const said = JSON.stringify([id, name, ops, bytes, opened_ms, isAddable(context, recent)]);
      lines.set(said, shown.get(said) ?? line(context, recent, chosen));
    }
    shown = lines;
    reconcile(list, lines.size > 0 ? [...lines.values()] : [none]);
  });
  return el('div', { class: 'recent', hidden: !canKeep(context) }, list, choice, note);
}

/** Whether it can be shown together with the open trace. */
const isAddable = ({ state }: Context, { id, bytes }: RecentTrace): boolean => state.trace !== null && state.trace.id !== id && bytes > 0;

function line(context: Context, recent: RecentTrace, chosen: () => void): HTMLElement {
  const { id, name, ops, bytes, opened_ms } = recent;
  const open = () => {
    chosen();
    attempt(context, say('not-opened'), openRecent(context, id));
  };
  const figures = [say('ops', { count: ops }), bytes > 0 ? formatMoment(opened_ms) : say('recent-unkept')].join(' · ');
  return el(
    'li',
    { class: 'recent-line' },
    el(
      'button',
      { class: 'recent-open', type: 'button', title: say('recent-open', { name }), disabled: bytes === 0, onclick: open },
      el('span', { class: 'recent-name' }, name),
      el('span', { class: 'note' }, figures),
    ),
    isAddable(context, recent) &&
      el(
        'button',
        {
          class: 'button square small recent-add',
          type: 'button',
          title: say('recent-add', { name }),
          'aria-label': say('recent-add', { name }),
          onclick: () => {
            chosen();
            attempt(context, say('not-added'), addRecent(context, id));
          },
        },
        icon(ICONS.larger),
      ),
    isAddable(context, recent) &&
      el(
        'button',
        {
          class: 'button square small recent-compare',
          type: 'button',
          title: say('cmp-recent', { name }),
          'aria-label': say('cmp-recent', { name }),
          onclick: () => {
            chosen();
            attempt(context, say('cmp-not-compared'), compareRecent(context, id));
          },
        },
        icon(ICONS.compare),
      ),
    el(
      'button',
      {
        class: 'button square small',
        type: 'button',
        title: say('recent-remove', { name }),
        'aria-label': say('recent-remove', { name }),
        onclick: () => forgetRecent(context, id),
      },
      icon(ICONS.close),
    ),
  );
}
