// The button next to the view's length that says, and chooses, which clock the time axis shows.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { toggleWallClock } from '../../state/shown/clock';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { titled } from '../keys/bindings';

export function clockButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el(
    'button',
    {
      class: 'chip clock-button',
      type: 'button',
      title: titled(say('wall-clock-title'), 'clock'),
      onclick: () => toggleWallClock(context),
    },
    'UTC',
  );
  frame.onDom(Changed.view | Changed.trace, () => button.setAttribute('aria-pressed', String(state.wall_clock)));
  return button;
}
