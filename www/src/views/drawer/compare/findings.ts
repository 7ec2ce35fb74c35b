// What would help in one of both traces only. Asked after what differs: both steps are replayed for it.
import { el, fill, setText } from '../../../base/dom';
import { say } from '../../../base/messages';
import type { ComparedFindings, FindingBoth } from '../../../engine/protocol';
import { COMPARED_FINDINGS } from '../../../state/shown/comparison';
import type { Context } from '../../../state/state';
import { asking } from '../../shared/asking';

export interface ComparedFindingsPart {
  element: HTMLElement;
  show: () => void;
}

export function findingsPart(context: Context): ComparedFindingsPart {
  const { failed, ask } = asking(context, COMPARED_FINDINGS, say('cmp-findings-failed'));
  const list = el('ul', { class: 'cmp-findings' });
  const note = el('p', { class: 'note', role: 'status' });
  const element = el(
    'section',
    { class: 'cmp-part' },
    el('h2', {}, say('cmp-findings')),
    el('p', { class: 'note' }, say('cmp-findings-about')),
    failed,
    note,
    list,
  );
  let painted: ComparedFindings | null = null;
  const show = () => {
    const figures = ask();
    const answer = figures?.answer ?? null;
    element.hidden = figures === null;
    const rows = answer?.findings.filter(({ change }) => change === 'new' || change === 'gone') ?? [];
    setText(note, answer ? say('cmp-findings-same') : say('cmp-findings-sought'));
    note.hidden = figures?.has_failed === true || (answer !== null && rows.length > 0);
    if (answer === painted) return;
    painted = answer;
    fill(list, ...rows.map(row));
  };
  return { element, show };
}

const row = ({ change, what }: FindingBoth): HTMLElement =>
  el('li', {}, el('span', { class: `cmp-change is-${change}` }, say(change === 'new' ? 'cmp-finding-new' : 'cmp-finding-gone')), ' ', what);
