// The drawer's last tab: what was found to be wrong with what was read, what can be repaired, and what each file lost.
import { say } from '../../../base/messages';
import { el, fill } from '../../../base/dom';
import { formatBytes, formatCount } from '../../../base/format';
import type { FileSummary } from '../../../engine/protocol';
import { DOCTOR } from '../../../state/opened/findings';
import { Changed } from '../../../state/frame';
import { canNameProcesses, nameProcess } from '../../../state/opened/processes';
import type { Context } from '../../../state/state';
import { answerPanel } from '../tab_panel';
import { findingElement } from './finding';

export const panel = answerPanel({
  ask: DOCTOR,
  failed: say('problems-failed'),
  changed: [Changed.steps],
  make: (context, { failed }) => {
    const { state, frame } = context;
    const found = el('section', { class: 'findings', 'aria-label': say('findings') });
    const files = el('div', {});
    frame.onDom([Changed.trace], () =>
      fill(files, ...(state.trace?.summary.files ?? []).map((file, at) => fileElement(context, file, at))),
    );
    const show = () => {
      const list = state.findings?.list ?? [];
      const focused = document.activeElement?.closest<HTMLElement>('[data-finding]')?.dataset['finding'];
      found.hidden = list.length === 0;
      fill(found, ...list.map((finding) => findingElement(context, finding)));
      if (focused !== undefined) found.querySelector<HTMLElement>(`[data-finding="${CSS.escape(focused)}"] .repair`)?.focus();
    };
    return { element: el('div', { class: 'problems' }, failed, found, files), show };
  },
});

function fileElement(context: Context, file: FileSummary, at: number): HTMLElement {
  const lost = file.problems.length;
  const { trace } = context.state;
  return el(
    'section',
    { class: 'problem-file' },
    el(
      'h2',
      {},
      file.name,
      el('span', { class: 'note' }, ` ${file.format} · ${formatBytes(file.bytes)} · ${say('ops', { count: file.ops })}`),
    ),
    trace && canNameProcesses(trace) ? processField(context, file, at) : null,
    lost === 0 ? el('p', { class: 'note' }, say('nothing-lost')) : null,
    ...(file.notes ?? []).map((note) => el('p', { class: 'note' }, note)),
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

/** The name goes to the devices of the file that belong to no cluster; Enter opens the files again with it. */
function processField(context: Context, file: FileSummary, at: number): HTMLElement {
  const input = el('input', {
    type: 'text',
    value: context.state.trace?.sources[at]?.process ?? '',
    placeholder: say('process-example'),
    title: say('process-title'),
    'aria-label': say('process-of', { file: file.name }),
    autocomplete: 'off',
    spellcheck: 'false',
    onchange: () => nameProcess(context, at, input.value.trim()),
  });
  return el('label', { class: 'process-name' }, el('span', { class: 'note' }, say('process')), input);
}
