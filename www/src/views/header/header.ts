// The line at the top: what this is, what is open, search, and what can be done with it.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { formatBytes } from '../../base/format';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import { openSample } from '../../state/opened/open';
import type { Context } from '../../state/state';
import { keepTheme } from '../../state/ui/theme';
import { titled } from '../keys/bindings';
import { filePicker } from '../start/drop';
import { recentList } from '../start/recent_list';
import { watchIcon } from '../start/watch_folder';
import { showHelp } from '../dialogs/help';
import { ICONS } from '../shared/icons';
import { roving } from '../shared/roving';
import { menuUnder } from '../shared/menu';
import { showPartDialog } from '../dialogs/part';
import { factsOf } from './facts';
import { searchBox } from './search';
import { shareButton } from './share';
import { stepSwitch } from './step_switch';
import { texturesButton, themeButton } from '../dialogs/look_buttons';

export function header(context: Context): HTMLElement {
  const { state, frame } = context;
  const title = el('p', { class: 'file-name' });
  const sample =
    context.page.fileUrl('sample.steplens.gz') === null
      ? null
      : el(
          'button',
          {
            class: 'button',
            type: 'button',
            title: say('open-sample'),
            'aria-label': say('open-sample'),
            onclick: () => attempt(context, say('not-opened'), openSample(context)),
          },
          icon(ICONS.sample),
          el('span', { class: 'wide-only' }, say('sample')),
        );
  const help = el(
    'button',
    {
      class: 'button square',
      type: 'button',
      title: titled(say('keys-and-gestures'), 'help'),
      'aria-label': say('keys-and-gestures'),
      onclick: () => showHelp(context),
    },
    icon(ICONS.help),
  );
  const part = el(
    'button',
    {
      id: 'open-part',
      class: 'button square',
      type: 'button',
      title: say('open-a-subset-title'),
      'aria-label': say('open-a-subset'),
      onclick: () => showPartDialog(context, 'trace'),
    },
    icon(ICONS.filter),
  );
  const with_trace = el('div', { class: 'with-trace' }, searchBox(context), part, shareButton(context));
  frame.onDom(Changed.trace | Changed.steps, () => {
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
    el('div', { class: 'actions' }, filePicker(context), recentMenu(context), watchIcon(context), sample),
    el('div', { class: 'about' }, title, factsOf(context)),
    stepSwitch(context),
    with_trace,
    texturesButton(context),
    themeButton(context),
    help,
  );
  keepTheme(context);
  roving(context, element, [Changed.trace | Changed.steps | Changed.recent | Changed.phase | Changed.search | Changed.totals, 'doctor']);
  return element;
}

/** The way back to a trace that was open before. */
function recentMenu(context: Context): HTMLElement {
  const { state, frame } = context;
  const close = () => document.querySelector<HTMLElement>('canvas.lanes')?.focus();
  const element = menuUnder(
    { id: 'recent-menu', label: say('recent-menu'), title: say('recent-menu'), words: icon(ICONS.recent) },
    recentList(context, close),
  );
  frame.onDom(Changed.recent | Changed.trace, () => {
    element.hidden = !state.trace || (state.recent.length === 0 && state.keeps_recent);
  });
  return element;
}

function logo(): SVGSVGElement {
  const svg = icon('M7 1.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 7 1.8M10.8 10.8l3.6 3.6M4.2 5.6h3.4M5.6 8.3h4');
  svg.setAttribute('class', 'logo');
  return svg;
}
