// The frame of a line above the timeline that says that not all of the files is shown, with a button that says or does more.
import { el, fill } from '../../base/dom';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import type { OpenTrace } from '../../state/types';

interface Bar {
  id: string;
  /** Besides that of every such line. */
  look?: string;
  /** Null where there is nothing to say. */
  said: (trace: OpenTrace) => string | null;
  button: string;
  go: () => void;
}

export function noticeBar({ state, frame }: Context, { id, look = '', said, button, go }: Bar): HTMLElement {
  const element = el('div', { id, class: `part-bar ${look}`.trim(), role: 'status', hidden: true });
  frame.onDom([Changed.trace], () => {
    const text = state.trace && said(state.trace);
    element.hidden = !text;
    fill(element, text && el('span', {}, text), el('button', { class: 'button', type: 'button', onclick: go }, button));
  });
  return element;
}
