// What the step waited for, as a bar under the step bar: the observed critical path by kind. It is asked for after the first frame.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, fill, setText } from '../../base/dom';
import { formatShare } from '../../base/format';
import { formatDuration } from '../../base/time';
import type { PathPage } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { request } from '../../state/figures';
import { arePathsQuick, PATH, pathOf } from '../../state/shown/path';
import { chooseTab } from '../../state/shown/tab';
import type { Context } from '../../state/state';
import { clockNote } from '../shared/clock_note';
import { kindWords } from '../shared/path_words';

export function waitBar(context: Context): HTMLElement {
  const { state, frame } = context;
  const open = el('button', {
    class: 'chip wait-open',
    type: 'button',
    title: say('path-open-about'),
    onclick: () => chooseTab(context, 'path'),
  });
  setText(open, say('path-open'));
  const bar = el('div', { class: 'split-bar labelled', role: 'img', 'aria-label': say('path-not-yet') });
  const withheld = clockNote(context);
  let shown: PathPage | null = null;
  frame.onDom([Changed.trace | Changed.totals | Changed.layout, 'criticalPath'], () => {
    // With the totals the data flow has been followed, and the first frame is long there.
    const summary = state.trace?.summary;
    if (summary && (summary.transfers ?? null) !== null && arePathsQuick(state)) request(context, PATH);
    bar.hidden = summary?.clocks !== undefined;
    const path = pathOf(state);
    if (path === shown && path) return;
    shown = path;
    bar.classList.toggle('unknown', path === null);
    fill(bar, ...(path ? partsOf(path) : []));
    bar.setAttribute(
      'aria-label',
      path ? say('path-bar', { parts: listed(path.by_category.map((part) => said(path, part))) }) : say('path-not-yet'),
    );
  });
  return el(
    'div',
    { class: 'step-row wait-row' },
    el('div', { class: 'side' }, el('span', { class: 'scope-name' }, say('path-waited-for')), open),
    bar,
    withheld,
  );
}

type Part = PathPage['by_category'][number];

const said = (path: PathPage, part: Part): string => `${kindWords(part.key).label} ${formatShare(part.length_ns / path.length_ns)}`;

function partsOf(path: PathPage): HTMLElement[] {
  return path.by_category.map((part) => {
    const { label, look, about } = kindWords(part.key);
    const share = part.length_ns / path.length_ns;
    const element = el(
      'span',
      {
        class: `part part-${look}`,
        title: say('path-part-about', { label, length: formatDuration(part.length_ns), share: formatShare(share), about }),
      },
      el(
        'span',
        { class: 'part-label' },
        el('span', { class: 'part-name' }, `${label} `),
        el('span', { class: 'part-share' }, formatShare(share)),
      ),
    );
    element.style.flexGrow = String(share);
    return element;
  });
}
