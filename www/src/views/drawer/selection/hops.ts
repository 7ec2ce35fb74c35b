// How many hops far the arrows of the selected op go: five buttons of which one is pressed, and how many arrows that makes.
import { el, setText } from '../../../base/dom';
import { plural } from '../../../base/format';
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
        title: titled(`Arrows over ${plural(index + 1, 'hop')}`, index === 0 ? 'fewer-hops' : 'more-hops'),
        'aria-label': plural(index + 1, 'hop'),
        onclick: () => setHops(context, index + 1),
      },
      String(index + 1),
    ),
  );
  const count = el('span', { class: 'note' });
  frame.onDom(Changed.selection | Changed.trace, () => {
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(index + 1 === state.hops)));
    const flow = shownFlow(context);
    setText(count, flow ? `${flow.truncated ? 'more than ' : ''}${plural(flow.edges.length, 'arrow')}` : '');
  });
  count.title =
    'Dashed arrows with an open head lead to the op, from what it was made from; solid ones with a filled head lead to what used it. An op leads to the kernels that it launched. A transfer is an op on the way';
  return el(
    'div',
    { class: 'hops', role: 'group', 'aria-label': 'How far arrows go' },
    el('span', { class: 'note', title: 'How many ops far the arrows follow the data, both ways' }, 'Hops'),
    ...buttons,
    count,
  );
}
