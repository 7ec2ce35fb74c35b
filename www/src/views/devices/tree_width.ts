// The edge between the left column and the lanes: drag it, or move it with the arrow keys; a double click resets it.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { LEAST_TREE, resetTreeWidth, setTreeWidth, widestTree, WIDEST_TREE } from '../../state/ui/tree_width';

/** Steps of the keyboard, in CSS pixels. */
const STEP = 16;

/** `corner` is as wide as the column. */
export function treeEdge(context: Context, corner: HTMLElement): HTMLElement {
  const { state, frame } = context;
  const root = document.documentElement;
  const width = () => corner.offsetWidth || LEAST_TREE;
  const element = el('div', {
    class: 'tree-edge',
    role: 'separator',
    tabindex: 0,
    title: say('column-width-title'),
    'aria-orientation': 'vertical',
    'aria-label': say('column-width'),
    ondblclick: () => resetTreeWidth(context),
    onkeydown: (event) => {
      const step = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
      if (step === 0) return;
      event.preventDefault();
      setTreeWidth(context, width() + step);
    },
    onpointerdown: (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      const from = { x: event.clientX, width: width() };
      const drag = (now: PointerEvent) => {
        if (now.clientX !== event.clientX) setTreeWidth(context, from.width + now.clientX - from.x);
      };
      element.addEventListener('pointermove', drag);
      element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', drag), {
        once: true,
      });
    },
  });
  // Before the lanes are fitted into what the column leaves them.
  let shown: number | null = null;
  frame.onDom([Changed.layout, Changed.trace], () => {
    if (state.tree_width === shown) return;
    shown = state.tree_width;
    if (shown === null) root.style.removeProperty('--tree');
    else root.style.setProperty('--tree', `min(${shown}px, ${WIDEST_TREE * 100}vw)`);
  });
  // Runs after the layout: reading a size while the page is painted would force another one.
  new ResizeObserver(() => {
    element.setAttribute('aria-valuenow', String(width()));
    element.setAttribute('aria-valuemin', String(LEAST_TREE));
    element.setAttribute('aria-valuemax', String(widestTree()));
  }).observe(corner);
  return element;
}
