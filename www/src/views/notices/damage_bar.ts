// The line that says that not all of what was recorded could be read, so that nobody takes the figures for those of the whole step.
import { say } from '../../base/messages';
import { el, fill } from '../../base/dom';
import { Changed } from '../../state/frame';
import { chooseTab } from '../../state/shown/tab';
import type { Context } from '../../state/state';
import type { OpenTrace } from '../../state/types';

export function damageBar(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('div', { id: 'damage-bar', class: 'part-bar damage-bar', role: 'status', hidden: true });
  frame.onDom(Changed.trace, () => {
    const text = state.trace && damageWords(state.trace);
    element.hidden = !text;
    fill(
      element,
      text && el('span', {}, text),
      el('button', { class: 'button', type: 'button', onclick: () => chooseTab(context, 'problems') }, say('damage-open')),
    );
  });
  return element;
}

/** Which file is not whole, and what the figures are of; null where all are. */
export function damageWords({ summary }: OpenTrace): string | null {
  const damaged = summary.files.filter((file) => file.incomplete);
  const [first] = damaged;
  if (!first) return null;
  const ops = say('ops', { count: summary.ops });
  return damaged.length === 1 ? say('damage-of-one', { name: first.name, ops }) : say('damage-of-many', { count: damaged.length, ops });
}
