// The drawer's last tab: what was read, and what was found to be wrong with it.
import { el, fill } from '../base/dom';
import { formatBytes, formatCount, plural } from '../base/format';
import type { FileSummary } from '../engine/protocol';
import { Changed } from '../state/frame';
import type { Context } from '../state/state';

export function problemsPanel({ state, frame }: Context): HTMLElement {
  const element = el('div', { class: 'problems' });
  frame.onDom(Changed.trace, () => fill(element, ...(state.trace?.summary.files ?? []).map(fileElement)));
  return element;
}

function fileElement(file: FileSummary): HTMLElement {
  const lost = file.problems.length;
  return el(
    'section',
    { class: 'problem-file' },
    el(
      'h2',
      {},
      file.name,
      el('span', { class: 'note' }, ` ${file.format} · ${formatBytes(file.bytes)} · ${plural(file.ops, 'op')}`),
    ),
    lost === 0
      ? el('p', { class: 'note' }, 'Nothing was found to be wrong with this file: every op of it is shown.')
      : null,
    el(
      'ul',
      { class: 'problem-list' },
      ...file.problems.map((problem) =>
        el(
          'li',
          {},
          el('span', { class: 'problem-count' }, formatCount(problem.count)),
          el('code', {}, problem.code),
          el('span', {}, problem.detail),
        ),
      ),
    ),
  );
}
