// How many ops ran at once over the step, and how many were queued meanwhile, against the number of threads that the user gives.
import { el, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { say } from '../../../base/messages';
import { formatDuration } from '../../../base/time';
import type { AtWorkRow } from '../../../engine/protocol';

/** The chart's height in units of its own; its width has one for each slice. */
const HEIGHT = 100;
const SVG = 'http://www.w3.org/2000/svg';

/** `span_ns` is what all slices together last. */
export function atWorkChart(row: AtWorkRow, threads: number | null, span_ns: number): HTMLElement {
  const { average, most_of_slice, queued_average, most } = row;
  const slices = average.length;
  // What is queued stands above what runs; a slice or two with thousands of them would press everything else flat.
  const top = Math.max(most, threads ?? 0, 1) * 1.25;
  const y = (ops: number) => Math.max((1 - ops / top) * HEIGHT, 0).toFixed(1);
  const area = (of: (slice: number) => number) =>
    `M0,${HEIGHT}${average.map((_, slice) => `V${y(of(slice))}H${slice + 1}`).join('')}V${HEIGHT}Z`;
  const picture = svg('svg', { viewBox: `0 0 ${slices} ${HEIGHT}`, preserveAspectRatio: 'none', class: 'at-work-picture' });
  const line = (ops: number, kind: string) =>
    svg('path', { class: kind, d: `M0,${y(ops)}H${slices}`, 'vector-effect': 'non-scaling-stroke' });
  picture.append(
    svg('path', { class: 'at-work-queued', d: area((slice) => (average[slice] ?? 0) + (queued_average[slice] ?? 0)) }),
    svg('path', { class: 'at-work-average', d: area((slice) => average[slice] ?? 0) }),
    svg('path', {
      class: 'at-work-most',
      d: `M0,${y(most_of_slice[0] ?? 0)}${most_of_slice.map((ops, slice) => `V${y(ops)}H${slice + 1}`).join('')}`,
      'vector-effect': 'non-scaling-stroke',
    }),
    ...(threads === null ? [] : [line(threads, 'at-work-threads')]),
  );
  const reading = el('p', { class: 'note at-work-reading' });
  const rest =
    threads === null ? say('at-work-chart-words') : say('at-work-chart-threads', { threads: say('threads', { count: threads }) });
  setText(reading, rest);
  const chart = el('div', {
    class: 'at-work-chart',
    role: 'img',
    'aria-label': say('at-work-chart-spoken', { most: say('ops', { count: most }) }),
  });
  chart.append(picture);
  chart.addEventListener('pointermove', ({ clientX }) => {
    const box = chart.getBoundingClientRect();
    const slice = Math.min(Math.max(Math.floor(((clientX - box.left) / box.width) * slices), 0), slices - 1);
    setText(
      reading,
      say('at-work-at', {
        at: formatDuration((span_ns * slice) / slices),
        average: (average[slice] ?? 0).toFixed(1),
        most: formatCount(most_of_slice[slice] ?? 0),
        queued: (queued_average[slice] ?? 0).toFixed(1),
      }),
    );
  });
  chart.addEventListener('pointerleave', () => setText(reading, rest));
  return el('div', {}, chart, reading);
}

function svg(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
