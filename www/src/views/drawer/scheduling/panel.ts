// The drawer's tab of scheduling: where ops spent their time before they ran, how many ran at once, and what streams waited for.
import { listed, sentences } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, fill, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import type { SchedulingPage } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { SCHEDULING, setThreads } from '../../../state/shown/scheduling';
import type { Context } from '../../../state/state';
import type { Figures } from '../../../state/types';
import { answerPanel } from '../tab_panel';
import { atWorkSection } from './at_work';
import { gpusSection, latestSection, streamsSection, tinySection } from './lists';
import { byDevice, byOpType } from './parts_table';
import type { Section } from './section';

/** More digits than any machine has threads. */
const MOST_THREADS = 65_536;

export const panel = answerPanel({
  ask: SCHEDULING,
  failed: say('scheduling-failed'),
  changed: [Changed.totals],
  make: (context, { failed, again }) => {
    const sections: readonly Section[] = [
      byDevice(context),
      byOpType(context),
      atWorkSection(context),
      latestSection(context),
      tinySection(context),
      streamsSection(context),
      gpusSection(context),
    ];
    let chosen: Section | undefined;
    let painted: { page: SchedulingPage; chosen: Section | undefined } | null = null;
    const buttons = sections.map((section) =>
      el(
        'button',
        {
          class: 'chip',
          type: 'button',
          onclick: () => {
            chosen = section;
            again();
          },
        },
        section.title,
      ),
    );
    const sentence = el('p', { class: 'path-sentence' });
    const basis = el('p', { class: 'note' });
    const choices = el('div', { class: 'path-choices', role: 'group', 'aria-label': say('scheduling-views') }, ...buttons);
    const threads = threadsField(context);
    const place = el('div', { class: 'path-right' });
    const left = el('div', { class: 'path-left' }, sentence, choices, threads, basis);
    const element = el('div', { class: 'path scheduling' }, failed, left, place);
    const show = ({ answer: page, has_failed }: Figures<SchedulingPage>) => {
      left.hidden = has_failed;
      choices.hidden = threads.hidden = place.hidden = page === null;
      if (!page) {
        setText(sentence, say('path-following'));
        setText(basis, '');
        painted = null;
        return;
      }
      const shown = sections.filter((section) => section.has(page));
      const now = chosen && shown.includes(chosen) ? chosen : shown[0];
      setText(sentence, shown.length > 0 ? page.sentence : say('scheduling-empty'));
      setText(basis, basisOf(page));
      choices.hidden = place.hidden = shown.length === 0;
      threads.hidden = !page.at_work.some(({ queued_ns }) => queued_ns !== null);
      sections.forEach((section, at) => {
        const button = buttons[at];
        if (!button) return;
        button.hidden = !shown.includes(section);
        button.setAttribute('aria-pressed', String(section === now));
      });
      if (painted?.page === page && painted.chosen === now) return;
      painted = { page, chosen: now };
      fill(place, now?.element);
      now?.show(page);
    };
    context.frame.onDom([Changed.selection], () => sections.forEach((section) => section.mark()));
    return { element, show };
  },
});

/** What was not recorded, and what is not counted here. */
function basisOf({ not_recorded, network_ops, program_ops, by_device }: SchedulingPage): string {
  const words = [];
  if (by_device.length > 0 && not_recorded.length > 0)
    words.push(say('scheduling-not-recorded', { parts: listed(not_recorded.map((part) => PART_WORDS[part] ?? part)) }));
  const contradicted = by_device.reduce((sum, row) => sum + row.contradicted, 0);
  if (contradicted > 0) words.push(say('scheduling-contradicted', { ops: say('ops', { count: contradicted }) }));
  if (network_ops > 0) words.push(say('scheduling-network', { ops: say('ops', { count: network_ops }) }));
  if (program_ops > 0) words.push(say('scheduling-program', { ops: say('ops', { count: program_ops }) }));
  return sentences(words);
}

const PART_WORDS: Readonly<Record<string, string>> = {
  wait: say('part-wait'),
  queue: say('part-queue'),
  'set-up': say('part-set-up'),
  kernel: say('part-kernel'),
  'tear-down': say('part-tear-down'),
};

/** How many threads there are is not recorded: with the number, ops starve for want of threads or do not. */
function threadsField(context: Context): HTMLElement {
  const input = el('input', {
    type: 'number',
    'aria-label': say('threads-number'),
    placeholder: say('threads-unknown'),
    autocomplete: 'off',
    onchange: () => {
      const threads = Math.round(Number(input.value));
      const is_number = input.value !== '' && threads >= 1 && threads <= MOST_THREADS;
      setThreads(context, is_number ? threads : null);
      input.value = is_number ? formatCount(threads).replaceAll(',', '') : '';
    },
  });
  input.min = '1';
  return el('label', { class: 'threads-field', title: say('threads-about') }, el('span', {}, say('threads-number')), input);
}
