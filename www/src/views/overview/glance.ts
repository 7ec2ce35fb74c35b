// The step at a glance, above the timeline: how it divides, what it waited for, and what would help. Folded, it is one line.
import { el, icon } from '../../base/dom';
import { say } from '../../base/messages';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { isOverviewFolded, keepOverviewFitting, toggleOverview } from '../../state/ui/overview';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';
import { findingsRow } from './findings';
import { stepBar } from './step_bar';
import { waitBar } from './wait_bar';

export function glance(context: Context): HTMLElement {
  const { state, frame } = context;
  const fold = el(
    'button',
    { class: 'button square small overview-fold', type: 'button', onclick: () => toggleOverview(context) },
    icon(ICONS.up),
  );
  const rows = el('div', { class: 'glance' }, stepBar(context), waitBar(context), findingsRow(context), fold);
  keepOverviewFitting(context);
  frame.onDom(Changed.trace | Changed.layout, () => {
    const is_folded = isOverviewFolded(state);
    rows.classList.toggle('folded', is_folded);
    fold.title = titled(is_folded ? say('show-overview') : say('fold-overview'), 'overview');
    fold.setAttribute('aria-label', fold.title);
    fold.setAttribute('aria-expanded', String(!is_folded));
  });
  return rows;
}
