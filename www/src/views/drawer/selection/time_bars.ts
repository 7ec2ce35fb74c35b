// The life of one op, and of one transfer, as a little bar of its stages with their lengths.
import { say } from '../../../base/messages';
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
  if (!details.has_stages) return el('div', {}, length(details), runs(details), recorded(details));
  const { start_ns, end_ns, op_start_ns, op_end_ns, queue_ns, category } = details;
  const before = Math.max(0, op_start_ns - start_ns);
  const after = Math.max(0, end_ns - op_end_ns);
  const stages: Stage[] = [
    { name: say('stage-queued'), length: queue_ns ?? 0, about: say('stage-queued-about'), kind: 'wait' },
    { name: say('stage-setup'), length: before, about: say('stage-setup-about'), kind: `${category}-light` },
    {
      name: say('stage-kernel'),
      length: Math.max(0, end_ns - start_ns - before - after),
      about: say('stage-kernel-about'),
      kind: category,
    },
    { name: say('stage-finish'), length: after, about: say('stage-finish-about'), kind: `${category}-light` },
  ];
  return el('div', {}, length(details), bar(stages), recorded(details));
}

/** Where nothing but a start and an end was recorded: how long it ran, and how much of that is its own. */
const runs = ({ start_ns, end_ns, self_ns }: OpDetails): HTMLElement =>
  el(
    'dl',
    { class: 'facts-list' },
    factLine(say('stage-runs'), formatDuration(end_ns - start_ns)),
    self_ns > 0 && self_ns < end_ns - start_ns && factLine(say('self-time-of-op'), formatDuration(self_ns), say('self-time-about')),
  );

/** A transfer has no stages of its own: what it was recorded with, and that is all. */
export const recordedTimes = (details: OpDetails): HTMLElement => el('div', {}, length(details), recorded(details));

const length = ({ start_ns, end_ns }: OpDetails): HTMLElement => el('div', { class: 'big-figure' }, formatDuration(end_ns - start_ns));

function recorded({ scheduled_ns, start_ns, end_ns }: OpDetails): HTMLElement {
  const resolution = Math.max(Math.min((end_ns - start_ns) / 100, 1e6), 1);
  const named: [string, number | null][] = [
    [say('time-scheduled'), scheduled_ns],
    [say('time-start'), start_ns],
    [say('time-end'), end_ns],
  ];
  return el('dl', { class: 'facts-list' }, ...named.map(([name, at]) => at !== null && factLine(name, formatPoint(at, resolution))));
}

/** producer's end → sent → received → first consumer. */
export function transferTimes(transfer: Transfer): HTMLElement {
  const stages: Stage[] = [
    { name: say('stage-queued'), length: transfer.queued_ns ?? 0, about: say('stage-send-queue-about'), kind: 'queued' },
    { name: say('stage-in-transit'), length: transfer.wire_ns ?? 0, about: say('stage-in-transit-about'), kind: 'transit' },
    {
      name: say('stage-waited-after'),
      length: transfer.unused_ns ?? 0,
      about: say('stage-waited-after-about'),
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
      { class: 'delayed', title: say('delay-about') },
      delayed === null ? say('delay-unknown') : delayed > 0 ? `${say('delay-by')} ` : say('delay-none'),
      delayed !== null && delayed > 0 && el('strong', {}, formatDuration(delayed)),
    ),
  );
}

function bar(stages: Stage[]): HTMLElement {
  const shown = stages.filter(({ length }) => length > 0);
  const total = shown.reduce((sum, { length }) => sum + length, 0);
  const part = ({ name, length, about, kind }: Stage) => {
    const element = el('span', {
      class: `stage stage-${kind}`,
      title: say('stage-title', { stage: name, length: formatDuration(length), about }),
    });
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
