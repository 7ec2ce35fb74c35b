// How many of the matching ops are about how long: a bar for each length, which a click makes the table's filter.
import { say } from '../../../base/messages';
import { el, fill } from '../../../base/dom';
import { formatDuration, formatEnds, type Ns } from '../../../base/time';
import type { LengthBin } from '../../../engine/protocol';

export type Lengths = readonly [Ns, Ns] | null;

export interface Histogram {
  element: HTMLElement;
  show: (bins: readonly LengthBin[], chosen: Lengths) => void;
}

/** `choose` gets the lengths of the bar that was clicked, and null where it was chosen already. */
export function histogram(choose: (lengths: Lengths) => void): Histogram {
  const bars = el('div', { class: 'length-bars', role: 'group', 'aria-label': say('lengths') });
  const least = el('span', {});
  const most = el('span', {});
  const said = el('span', { class: 'note', 'aria-live': 'polite' });
  const all = el('button', { class: 'chip', type: 'button', onclick: () => choose(null) }, say('lengths-all'));
  const element = el(
    'div',
    { class: 'lengths', hidden: true },
    el('div', { class: 'length-head' }, el('h2', {}, say('lengths')), said, all),
    bars,
    el('div', { class: 'length-axis', 'aria-hidden': 'true' }, least, most),
  );
  let shown: readonly LengthBin[] = [];
  return {
    element,
    show(bins, chosen) {
      element.hidden = bins.length === 0;
      all.hidden = chosen === null;
      const most_ops = bins.reduce((sum, { count }) => Math.max(sum, count), 1);
      const bin = chosen && bins.find(({ from_ns }) => from_ns === chosen[0]);
      said.textContent = bin ? about(bin) : say('lengths-click');
      if (bins !== shown) {
        shown = bins;
        fill(bars, ...bins.map((own) => bar(own, most_ops, choose)));
        least.textContent = formatDuration(bins[0]?.from_ns ?? 0);
        most.textContent = formatDuration(bins.at(-1)?.to_ns ?? 0);
      }
      bins.forEach(({ from_ns }, at) => bars.children[at]?.setAttribute('aria-pressed', String(from_ns === chosen?.[0])));
    },
  };

  function bar(own: LengthBin, most_ops: number, choose: (lengths: Lengths) => void): HTMLElement {
    const inside = el('span', { class: 'length-bar' });
    // One op is to be seen next to a thousand.
    inside.style.height = own.count === 0 ? '0' : `max(2px, ${100 * Math.sqrt(own.count / most_ops)}%)`;
    const words = about(own);
    const choice: Lengths = [own.from_ns, own.to_ns];
    const pressed = (button: Element) => button.getAttribute('aria-pressed') === 'true';
    const button: HTMLButtonElement = el(
      'button',
      {
        type: 'button',
        title: words,
        'aria-label': words,
        'aria-pressed': false,
        disabled: own.count === 0,
        onclick: () => choose(pressed(button) ? null : choice),
      },
      inside,
    );
    return button;
  }
}

const about = ({ from_ns, to_ns, count, total_ns }: LengthBin): string =>
  say('lengths-bin', {
    // The end is no length of the bar: one nanosecond wide, it is about one length.
    length: to_ns - from_ns <= 1 ? formatDuration(from_ns) : say('color-between', formatEnds(from_ns, to_ns)),
    ops: say('ops', { count }),
    total: formatDuration(total_ns),
  });
