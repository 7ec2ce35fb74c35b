// The place of a fleet: the whole page while it is shown, a line with the way back while a trace is. What is in it comes with the later part.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { FLEET_CHANGED } from '../../state/fleet/open';

export function fleetBar({ state, frame, later }: Context, make: (element: HTMLElement) => void): HTMLElement {
  const element = el('section', { id: 'fleet', class: 'fleet', 'aria-label': say('fleet-region'), hidden: true });
  let is_built = false;
  frame.onDom([FLEET_CHANGED, Changed.trace], () => {
    const { fleet } = state;
    element.hidden = fleet === null;
    // While it is shown it is what the page is about.
    element.setAttribute('role', fleet?.is_shown ? 'main' : 'region');
    document.body.dataset['fleet'] = fleet === null ? 'none' : fleet.is_shown ? 'shown' : 'behind';
    if (fleet === null || is_built || !later.there) return;
    is_built = true;
    make(element);
  });
  return element;
}
