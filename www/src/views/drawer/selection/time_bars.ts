// The life of one op, and of one transfer, as a little bar of its stages with their lengths.
import { el } from '../../../base/dom';
import { formatDuration, formatPoint } from '../../../base/time';
import type { OpDetails, Transfer } from '../../../engine/protocol';
import { factLine } from '../../shared/parts';

interface Stage {
  name: string;
  length: number;
  about: string;
  kind: string;
}

/** scheduled → start → kernel → end. */
export function opTimes(details: OpDetails): HTMLElement {
  const { start_ns, end_ns, op_start_ns, op_end_ns, queue_ns, category } = details;
  const before = Math.max(0, op_start_ns - start_ns);
  const after = Math.max(0, end_ns - op_end_ns);
  const stages: Stage[] = [
    { name: 'queued', length: queue_ns ?? 0, about: 'From being scheduled by the executor to the start', kind: 'wait' },
    { name: 'setup', length: before, about: 'From the start to the kernel’s start', kind: `${category}-light` },
    {
      name: 'kernel',
      length: Math.max(0, end_ns - start_ns - before - after),
      about: 'Between the kernel’s start and end',
      kind: category,
    },
    { name: 'finish', length: after, about: 'From the kernel’s end to the end', kind: `${category}-light` },
  ];
  return el('div', {}, length(details), bar(stages), recorded(details));
}

/** A transfer has no stages of its own: what it was recorded with, and that is all. */
export const recordedTimes = (details: OpDetails): HTMLElement => el('div', {}, length(details), recorded(details));

const length = ({ start_ns, end_ns }: OpDetails): HTMLElement => el('div', { class: 'big-figure' }, formatDuration(end_ns - start_ns));

function recorded({ scheduled_ns, start_ns, end_ns }: OpDetails): HTMLElement {
  const resolution = Math.max(Math.min((end_ns - start_ns) / 100, 1e6), 1);
  const named: [string, number | null][] = [
    ['scheduled', scheduled_ns],
    ['start', start_ns],
    ['end', end_ns],
  ];
  return el('dl', { class: 'facts-list' }, ...named.map(([name, at]) => at !== null && factLine(name, formatPoint(at, resolution))));
}

/** producer's end → sent → received → first consumer. */
export function transferTimes(transfer: Transfer): HTMLElement {
  const stages: Stage[] = [
    { name: 'queued', length: transfer.queued_ns ?? 0, about: 'From the producer’s end to the sending', kind: 'wait' },
    { name: 'wire', length: transfer.wire_ns ?? 0, about: 'From the sending to the receipt', kind: 'communication' },
    {
      name: 'unused',
      length: transfer.unused_ns ?? 0,
      about: 'From the receipt until its first consumer was scheduled',
      kind: 'unused',
    },
  ];
  const delayed = transfer.delayed_ns;
  return el(
    'div',
    {},
    bar(stages),
    el(
      'p',
      { class: 'delayed', title: 'Its receipt minus the latest of its first consumer’s other inputs, at least 0' },
      delayed === null
        ? 'Whether it delayed its consumer was not recorded.'
        : delayed > 0
          ? 'Delayed its first consumer by '
          : 'Its first consumer waited for something else.',
      delayed !== null && delayed > 0 && el('strong', {}, formatDuration(delayed)),
    ),
  );
}

function bar(stages: Stage[]): HTMLElement {
  const shown = stages.filter(({ length }) => length > 0);
  const total = shown.reduce((sum, { length }) => sum + length, 0);
  const part = ({ name, length, about, kind }: Stage) => {
    const element = el('span', { class: `stage stage-${kind}`, title: `${name}: ${formatDuration(length)}\n${about}` });
    element.style.flexGrow = String(total > 0 ? length / total : 0);
    return element;
  };
  const legend = ({ name, length, about, kind }: Stage) =>
    el(
      'li',
      { title: about },
      el('span', { class: `stage-key stage-${kind}` }),
      el('span', { class: 'note' }, name),
      el('span', { class: 'figure' }, formatDuration(length)),
    );
  return el(
    'div',
    { class: 'stages' },
    el('div', { class: 'stage-bar', 'aria-hidden': 'true' }, ...shown.map(part)),
    el('ul', { class: 'stage-legend' }, ...shown.map(legend)),
  );
}
