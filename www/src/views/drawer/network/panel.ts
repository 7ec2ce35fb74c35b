// The drawer's tab of the network: questions with their answers in a few words at the left, and at the right what one of them rests on.
import { say } from '../../../base/messages';
import { el, setText } from '../../../base/dom';
import type { Network } from '../../../engine/protocol';
import { chooseSection, NETWORK, NETWORK_CHANGED } from '../../../state/shown/network';
import type { Figures } from '../../../state/types';
import { clockNote } from '../../shared/clock_note';
import { answerPanel } from '../tab_panel';
import { collectivesSection } from './collectives';
import { exposedSection } from './exposed';
import { linksSection } from './links';
import { orderSection } from './order';
import { readySection } from './ready';
import type { Section } from './section';
import { stragglersSection } from './stragglers';
import { tensorsSection } from './tensors';

const NOTHING = say('network-nothing');

export const panel = answerPanel({
  ask: NETWORK,
  failed: say('network-failed'),
  changed: [NETWORK_CHANGED],
  make: (context, { failed }) => {
    const sections: readonly Section[] = [
      stragglersSection(context),
      exposedSection(context),
      tensorsSection(context),
      collectivesSection(context),
      readySection(context),
      linksSection(context),
      orderSection(context),
    ];
    const answers = sections.map(({ id, title }) => {
      const answer = el('span', { class: 'network-answer' });
      const element = el(
        'button',
        {
          class: 'network-question',
          type: 'button',
          role: 'tab',
          id: `network-${id}`,
          'aria-controls': `network-of-${id}`,
          onclick: () => chooseSection(context, id),
          onkeydown: (event) => walk(event, id),
        },
        el('span', { class: 'network-title' }, title),
        answer,
      );
      return { element, answer };
    });
    const questions = el(
      'div',
      { class: 'network-questions', role: 'tablist', 'aria-orientation': 'vertical', 'aria-label': say('network-questions') },
      ...answers.map(({ element }) => element),
    );
    for (const { id, element } of sections) {
      element.classList.add('network-section');
      element.id = `network-of-${id}`;
      element.tabIndex = 0;
      element.setAttribute('role', 'tabpanel');
      element.setAttribute('aria-labelledby', `network-${id}`);
    }
    const nothing = el('p', { class: 'note network-nothing' });
    const element = el(
      'div',
      { class: 'network' },
      clockNote(context),
      nothing,
      failed,
      questions,
      ...sections.map((section) => section.element),
    );

    /** Those with an answer. */
    let answered: readonly Section[] = [];
    const walk = (event: KeyboardEvent, id: string) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const at = answered.findIndex((section) => section.id === id);
      const next = answered[(at + step + answered.length) % answered.length];
      if (!next) return;
      chooseSection(context, next.id);
      document.getElementById(`network-${next.id}`)?.focus();
    };
    let shown: Network | null = null;
    const show = ({ answer: network, parts, has_failed }: Figures<Network>) => {
      if (network && network !== shown) {
        const said = sections.map((section) => section.said(network));
        answered = sections.filter((_, at) => said[at] !== '');
        answers.forEach(({ element, answer }, at) => {
          setText(answer, said[at] ?? '');
          answer.title = said[at] ?? '';
          element.hidden = said[at] === '';
        });
        for (const section of answered) section.show(network);
      }
      shown = network;
      const chosen = answered.find(({ id }) => id === context.state.network_section) ?? answered[0];
      nothing.hidden = (chosen !== undefined && network !== null) || has_failed;
      const waiting = parts ? say('network-parts', { done: String(parts.done), of: String(parts.of) }) : say('following-transfers');
      setText(nothing, network ? NOTHING : waiting);
      questions.hidden = network === null || chosen === undefined;
      sections.forEach((section, at) => {
        const is_chosen = network !== null && section === chosen;
        section.element.hidden = !is_chosen;
        const button = answers[at]?.element;
        button?.setAttribute('aria-selected', String(is_chosen));
        if (button) button.tabIndex = is_chosen ? 0 : -1;
      });
    };
    return { element, show };
  },
});
