// The place of the watched folder, under the line at the top. What is in it comes with the later part of the page.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { isSpread } from '../../state/watched/spread';
import { WATCHED_CHANGED } from '../../state/watched/below';

export function watchBar(context: Context, pick: () => void): HTMLElement {
  const { state, frame, later } = context;
  const element = el('section', { id: 'watch', class: 'watch', 'aria-label': say('watch-region'), hidden: true });
  let is_built = false;
  frame.onDom([WATCHED_CHANGED, Changed.trace], () => {
    const { watching } = state;
    element.hidden = watching === null;
    const spread = watching !== null && isSpread(watching, state.trace !== null);
    element.classList.toggle('spread', spread);
    // While nothing is open it is what the page is about.
    element.setAttribute('role', spread && state.trace === null ? 'main' : 'region');
    if (watching === null || is_built || !later.there) return;
    is_built = true;
    element.append(later.there.watchPanel(context, pick));
  });
  return element;
}
