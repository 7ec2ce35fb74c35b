// Above the timeline: the verdict, which folds away, and below it how the step divides, which is the legend.
import { el } from '../../base/dom';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { findingsRow } from './findings';
import { splitLegend } from './split_legend';

export function glance(context: Context): HTMLElement {
  const { state, frame } = context;
  const rows = el('div', { class: 'glance' }, findingsRow(context), splitLegend(context));
  frame.onDom([Changed.trace, Changed.layout], () => rows.classList.toggle('folded', state.overview_folded));
  return rows;
}
