// The line at the top: what this is, what is open, search, and what can be done with it.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { formatBytes } from '../../base/format';
import { Changed } from '../../state/frame';
import { RECENT_CHANGED } from '../../state/opened/recent';
import type { Context } from '../../state/state';
import { keepTheme } from '../../state/ui/theme';
import { filePicker } from '../start/drop';
import { roving } from '../shared/roving';
import { factsOf } from './facts';
import { searchBox } from './search';
import { shareButton } from './share';
import { moreMenu } from './more_menu';

export function header(context: Context): HTMLElement {
  const { state, frame } = context;
  const title = el('p', { class: 'file-name' });
  const with_trace = el('div', { class: 'with-trace' }, searchBox(context), shareButton(context));
  frame.onDom([Changed.trace, Changed.steps], () => {
    const summary = state.trace?.summary;
    with_trace.hidden = !summary;
    document.title = summary ? `${listed(summary.files.map((file) => file.name))} · Steplens` : 'Steplens';
    if (!summary) return;
    const [first] = summary.files;
    setText(
      title,
      summary.files.length === 1 ? (first?.name ?? '') : say('file-and-more', { file: first?.name ?? '', count: summary.files.length - 1 }),
    );
    title.title = summary.files
      .map((file) => say('file-of-format', { name: file.name, format: file.format, size: formatBytes(file.bytes) }))
      .join('\n');
  });
  const element = el(
    'header',
    { class: 'header' },
    el('div', { class: 'brand' }, logo(), el('h1', { class: 'brand-name' }, 'Steplens')),
    filePicker(context),
    el('div', { class: 'about' }, title, factsOf(context)),
    with_trace,
    moreMenu(context),
  );
  keepTheme(context);
  roving(context, element, [Changed.trace, Changed.steps, RECENT_CHANGED, Changed.phase, Changed.search, Changed.totals, 'doctor']);
  return element;
}

function logo(): SVGSVGElement {
  const svg = icon('M7 1.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 7 1.8M10.8 10.8l3.6 3.6M4.2 5.6h3.4M5.6 8.3h4');
  svg.setAttribute('class', 'logo');
  return svg;
}
