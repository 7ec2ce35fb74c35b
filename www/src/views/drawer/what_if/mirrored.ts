// Both replays as mirrored timelines on one scale: for each device when it is busy, before the changes upwards and after them downwards.
import { el } from '../../../base/dom';
import { say } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { MirroredDevice, WhatIfPage } from '../../../engine/protocol';

const SVG = 'http://www.w3.org/2000/svg';
/** Of each half, in units of its own; percent are drawn. */
const HALF = 100;

export function mirroredTimelines({ timeline, replayed_ns, predicted_ns }: WhatIfPage): HTMLElement {
  const { devices, left_out, length_ns } = timeline;
  const ends = [el('span', {}, formatDuration(0)), el('span', { class: 'if-scale-end' }, formatDuration(length_ns))];
  return el(
    'div',
    { class: 'if-mirrored' },
    predicted_ns !== null &&
      el(
        'p',
        { class: 'note if-mirror-legend' },
        el('span', { class: 'if-key is-before' }),
        say('if-upwards', { length: formatDuration(replayed_ns) }),
        el('span', { class: 'if-key is-after' }),
        say('if-downwards', { length: formatDuration(predicted_ns) }),
      ),
    el('ul', { class: 'if-mirrors' }, ...devices.map((own) => deviceRow(own, length_ns, replayed_ns, predicted_ns))),
    el('p', { class: 'note if-scale', 'aria-hidden': true }, ...ends),
    left_out > 0 && el('p', { class: 'note' }, say('if-devices-left-out', { devices: say('devices', { count: left_out }) })),
  );
}

function deviceRow(own: MirroredDevice, whole: number, replayed: number, predicted: number | null): HTMLElement {
  const { device, before, after } = own;
  const busy = (shares: readonly number[]) =>
    formatDuration((shares.reduce((sum, share) => sum + share, 0) / 100 / Math.max(shares.length, 1)) * whole);
  const name = placeLabel(device);
  const words =
    predicted === null ? say('if-busy', { before: busy(before) }) : say('if-busy-both', { before: busy(before), after: busy(after) });
  const bins = before.length;
  const picture = svg('svg', {
    viewBox: `0 0 ${bins} ${predicted === null ? HALF : 2 * HALF}`,
    preserveAspectRatio: 'none',
    class: predicted === null ? 'if-mirror is-single' : 'if-mirror',
    role: 'img',
    'aria-label': say('label-of', { what: name, label: words }),
  });
  picture.append(area(before, -1, 'is-before'));
  const end = (length: number, from: number, to: number) =>
    svg('path', {
      class: 'if-end',
      d: `M${((length / whole) * bins).toFixed(2)},${from}V${to}`,
      'vector-effect': 'non-scaling-stroke',
    });
  picture.append(end(replayed, 0, HALF));
  if (predicted !== null) {
    picture.append(area(after, 1, 'is-after'), end(predicted, HALF, 2 * HALF));
    picture.append(svg('path', { class: 'if-middle', d: `M0,${HALF}H${bins}`, 'vector-effect': 'non-scaling-stroke' }));
  }
  return el('li', { title: words }, el('span', { class: 'if-mirror-name' }, name), wrapped(picture));
}

const wrapped = (picture: SVGElement): HTMLElement => {
  const place = el('div', { class: 'if-mirror-place' });
  place.append(picture);
  return place;
};

/** The shares as steps from the middle, up (-1) or down (+1). */
function area(shares: readonly number[], direction: 1 | -1, kind: string): SVGElement {
  const steps = shares.map((share, bin) => `V${HALF + direction * share}H${bin + 1}`).join('');
  return svg('path', { class: `if-area ${kind}`, d: `M0,${HALF}${steps}V${HALF}Z` });
}

function svg(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
