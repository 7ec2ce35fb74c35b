// How many hops far the arrows of the selected op go: five buttons of which one is pressed, and how many arrows that makes.
import { say } from '../../../base/messages';
import { el, setText } from '../../../base/dom';
import { MOST_HOPS, setHops, shownFlow } from '../../../state/shown/flow';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';

export function hopsControl(context: Context): HTMLElement {
  const { state, frame } = context;
  const buttons = Array.from({ length: MOST_HOPS }, (_, index) =>
    el(
      'button',
      {
        class: 'chip',
        type: 'button',
        title: titled(say('arrows-over', { hops: say('ops', { count: index + 1 }) }), index === 0 ? 'fewer-hops' : 'more-hops'),
        'aria-label': say('ops', { count: index + 1 }),
        onclick: () => setHops(context, index + 1),
      },
      String(index + 1),
    ),
  );
  const count = el('span', { class: 'note' });
  frame.onDom([Changed.selection, Changed.trace], () => {
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(index + 1 === state.hops)));
    const flow = shownFlow(context);
    setText(count, flow ? say(flow.truncated ? 'more-than-arrows' : 'arrows', { count: flow.edges.length }) : '');
  });
  count.title = say('arrows-about');
  return el(
    'div',
    { class: 'hops', role: 'group', 'aria-label': say('hops-label') },
    el('span', { class: 'note', title: say('hops-about') }, say('hops-title')),
    ...buttons,
    count,
  );
}
