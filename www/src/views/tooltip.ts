// What the op under the pointer is, in three lines beside it.
import { el, fill } from '../base/dom';
import { formatBytes, formatRate, plural } from '../base/format';
import { placeLabel, tensorLabel } from '../base/names';
import { formatDuration, formatPoint } from '../base/time';
import type { OpDetails } from '../engine/protocol';
import { Changed } from '../state/frame';
import type { Context } from '../state/state';
import { CATEGORY_WORDS } from './words';

export function tooltip({ state, frame }: Context): HTMLElement {
  const element = el('div', { class: 'tooltip', hidden: true, 'aria-hidden': 'true' });
  let shown: OpDetails | null = null;
  frame.onDom(Changed.hover | Changed.trace, () => {
    const { hover } = state;
    element.hidden = !hover?.details;
    if (!hover?.details) return;
    if (shown !== hover.details) {
      shown = hover.details;
      fill(element, ...lines(hover.details, hover.count));
    }
    const host = element.parentElement;
    if (!host) return;
    const lanes = host.querySelector<HTMLElement>('.lanes');
    const x = hover.x + (lanes?.offsetLeft ?? 0);
    const y = hover.y;
    const { offsetWidth, offsetHeight } = element;
    const left = x + 14 + offsetWidth > host.clientWidth ? x - offsetWidth - 10 : x + 14;
    const top = y + 18 + offsetHeight > host.clientHeight ? y - offsetHeight - 10 : y + 18;
    element.style.transform = `translate(${Math.max(4, Math.round(left))}px, ${Math.max(4, Math.round(top))}px)`;
  });
  return element;
}

function lines(details: OpDetails, count: number): HTMLElement[] {
  const { transfer } = details;
  const length = formatDuration(details.end_ns - details.start_ns);
  const made = [
    el('div', { class: 'tip-name' }, transfer ? tensorLabel(transfer.tensor) : details.name),
    el(
      'div',
      { class: 'tip-line' },
      el('span', { class: `dot dot-${details.category}` }),
      `${details.op_type} · ${CATEGORY_WORDS[details.category]}`,
    ),
    el(
      'div',
      { class: 'tip-line tip-strong' },
      length,
      el('span', { class: 'tip-muted' }, ` from ${formatPoint(details.start_ns, 1000)}`),
    ),
  ];
  if (transfer) {
    made.push(el('div', { class: 'tip-line' }, `${placeLabel(transfer.source)} → ${placeLabel(transfer.destination)}`));
    const speed = transfer.bytes_per_second === null ? '' : ` · ${formatRate(transfer.bytes_per_second)}`;
    made.push(el('div', { class: 'tip-line' }, `${formatBytes(transfer.bytes)}${speed}`));
  }
  if (count > 1)
    made.push(
      el('div', { class: 'tip-line tip-muted' }, `the longest of ${plural(count, 'op')} too short to tell apart here`),
    );
  return made;
}
