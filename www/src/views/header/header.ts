// The line at the top: what this is, what is open, search, and what can be done with it.
import { el, fill, icon, setText } from '../../base/dom';
import { formatBytes, plural } from '../../base/format';
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
import { showHelp } from '../dialogs/help';
import { ICONS } from '../shared/icons';
import { askForPart } from '../dialogs/part_dialog';
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
            title: 'Open the sample',
            'aria-label': 'Open the sample',
            onclick: () => attempt(context, 'Not opened', openSample(context)),
          },
          icon(ICONS.sample),
          el('span', { class: 'wide-only' }, 'Sample'),
        );
  const help = el(
    'button',
    {
      class: 'button square',
      type: 'button',
      title: titled('Keys and gestures', 'help'),
      'aria-label': 'Keys and gestures',
      onclick: showHelp,
    },
    icon(ICONS.help),
  );
  const part = el(
    'button',
    {
      id: 'open-part',
      class: 'button square',
      type: 'button',
      title: 'Open a part of these files: some devices, or a window of time',
      'aria-label': 'Open a part',
      onclick: () => attempt(context, 'Not opened', askForPart(context, 'trace')),
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
    setText(title, summary.files.length === 1 ? (first?.name ?? '') : `${first?.name ?? ''} and ${summary.files.length - 1} more`);
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
          ' repaired',
        ),
      summary.view.clocks &&
        el(
          'button',
          {
            class: 'fact link clocks-set',
            type: 'button',
            title: 'Times are those of clocks that were set, and not as recorded; shows how',
            onclick: () => chooseTab(context, 'clocks'),
          },
          REPAIRED_MARK,
          summary.view.clocks.some((word) => word !== ESTIMATED) ? ' clocks set by hand' : ' clocks aligned',
        ),
      summary.view.op_time &&
        fact(
          `ops last ${OP_TIME_WORDS[summary.view.op_time]}`,
          'All figures are of ops that last so; the menu Lanes has the choice',
          'op-time',
        ),
      fact(formatDuration(summary.span_ns), 'From the first start to the last end over all devices'),
      el(
        'button',
        {
          class: 'fact link',
          type: 'button',
          title: 'Ops as recorded; shows them by type',
          onclick: () => chooseTab(context, 'range'),
        },
        plural(summary.ops, 'op'),
      ),
      transfers > 0 &&
        el(
          'button',
          {
            class: 'fact link',
            type: 'button',
            title: `${transferred_bytes > 0 ? `${formatBytes(transferred_bytes)} moved between devices` : 'No sizes were recorded'}; shows every transfer`,
            onclick: () => chooseTab(context, 'transfers'),
          },
          plural(transfers, 'transfer'),
        ),
      transferred_bytes > 0 && fact(formatBytes(transferred_bytes), 'Sum of all transfers’ bytes', 'roomy-only'),
      problems > 0 &&
        el(
          'button',
          {
            class: 'fact link warning',
            type: 'button',
            title: 'What was found to be wrong with the files, what was done about it, and what can be repaired',
            onclick: () => chooseTab(context, 'problems'),
          },
          plural(problems, 'problem'),
        ),
    );
  });
  return el(
    'header',
    { class: 'header' },
    el('div', { class: 'brand' }, logo(), el('h1', { class: 'brand-name' }, 'Steplens')),
    el('div', { class: 'actions' }, filePicker(context), sample),
    el('div', { class: 'about' }, title, facts),
    stepSwitch(context),
    with_trace,
    texturesButton(context),
    themeButton(context),
    help,
  );
}

const fact = (text: string, title: string, more = ''): HTMLElement => el('span', { class: `fact ${more}`, title }, text);

function logo(): SVGSVGElement {
  const svg = icon('M7 1.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 7 1.8M10.8 10.8l3.6 3.6M4.2 5.6h3.4M5.6 8.3h4');
  svg.setAttribute('class', 'logo');
  return svg;
}
