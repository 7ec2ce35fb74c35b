// The line at the top: what this is, what is open, search, and what can be done with it.
import { say } from '../../base/messages';
import { el, fill, icon, setText } from '../../base/dom';
import { formatBytes } from '../../base/format';
import { formatDuration } from '../../base/time';
import { chooseTab } from '../../state/shown/tab';
import { ESTIMATED } from '../../state/opened/clock_words';
import { faultCount, repairWords } from '../../state/opened/doctor';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import { openSample } from '../../state/opened/open';
import { OP_TIME_WORDS } from '../../state/opened/steps';
import type { Context } from '../../state/state';
import { titled } from '../keys/bindings';
import { filePicker } from '../start/drop';
import { recentList } from '../start/recent_list';
import { showHelp } from '../dialogs/help';
import { ICONS } from '../shared/icons';
import { menuUnder } from '../shared/menu';
import { showPartDialog } from '../dialogs/part';
import { searchBox } from './search';
import { shareButton } from './share';
import { stepSwitch } from './step_switch';
import { REPAIRED_MARK } from '../shared/words';
import { texturesButton, themeButton } from './theme';

export function header(context: Context): HTMLElement {
  const { state, frame } = context;
  const title = el('p', { class: 'file-name' });
  const facts = el('div', { class: 'facts' });
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
  frame.onDom(Changed.trace | Changed.totals | Changed.steps, () => {
    const summary = state.trace?.summary;
    with_trace.hidden = !summary;
    document.title = summary ? `${summary.files.map((file) => file.name).join(', ')} · Steplens` : 'Steplens';
    if (!summary) return;
    const [first] = summary.files;
    setText(
      title,
      summary.files.length === 1 ? (first?.name ?? '') : say('file-and-more', { file: first?.name ?? '', count: summary.files.length - 1 }),
    );
    title.title = summary.files.map((file) => `${file.name} (${file.format}, ${formatBytes(file.bytes)})`).join('\n');
    const { transfers = 0, transferred_bytes = 0 } = summary;
    const problems = summary.files.reduce((sum, file) => sum + file.problems.length, 0) + faultCount(state);
    fill(
      facts,
      summary.view.repairs.length > 0 &&
        el(
          'button',
          { class: 'fact link repaired', type: 'button', title: repairWords(state), onclick: () => chooseTab(context, 'problems') },
          REPAIRED_MARK,
          ` ${say('repaired')}`,
        ),
      summary.view.clocks &&
        el(
          'button',
          {
            class: 'fact link clocks-set',
            type: 'button',
            title: say('clocks-changed-title'),
            onclick: () => chooseTab(context, 'clocks'),
          },
          REPAIRED_MARK,
          ` ${say(summary.view.clocks.some((word) => word !== ESTIMATED) ? 'clocks-by-hand' : 'clocks-aligned')}`,
        ),
      summary.view.op_time && fact(OP_TIME_WORDS[summary.view.op_time], say('op-time-title'), 'op-time'),
      fact(formatDuration(summary.span_ns), say('length-title')),
      el(
        'button',
        {
          class: 'fact link',
          type: 'button',
          title: say('ops-title'),
          onclick: () => chooseTab(context, 'range'),
        },
        say('ops', { count: summary.ops }),
      ),
      transfers > 0 &&
        el(
          'button',
          {
            class: 'fact link',
            type: 'button',
            title:
              transferred_bytes > 0 ? say('transfers-title', { bytes: formatBytes(transferred_bytes) }) : say('transfers-title-no-sizes'),
            onclick: () => chooseTab(context, 'transfers'),
          },
          say('transfers', { count: transfers }),
        ),
      transferred_bytes > 0 && fact(formatBytes(transferred_bytes), say('bytes-title'), 'roomy-only'),
      problems > 0 &&
        el(
          'button',
          {
            class: 'fact link warning',
            type: 'button',
            title: say('problems-title'),
            onclick: () => chooseTab(context, 'problems'),
          },
          say('problems', { count: problems }),
        ),
    );
  });
  return el(
    'header',
    { class: 'header' },
    el('div', { class: 'brand' }, logo(), el('h1', { class: 'brand-name' }, 'Steplens')),
    el('div', { class: 'actions' }, filePicker(context), recentMenu(context), sample),
    el('div', { class: 'about' }, title, facts),
    stepSwitch(context),
    with_trace,
    texturesButton(context),
    themeButton(context),
    help,
  );
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

const fact = (text: string, title: string, more = ''): HTMLElement => el('span', { class: `fact ${more}`, title }, text);

function logo(): SVGSVGElement {
  const svg = icon('M7 1.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 7 1.8M10.8 10.8l3.6 3.6M4.2 5.6h3.4M5.6 8.3h4');
  svg.setAttribute('class', 'logo');
  return svg;
}
