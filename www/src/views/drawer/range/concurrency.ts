// How many ops are in flight at the same time, over the range or the step: a strip for each category, with its peak.
import { listed } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { formatPoint } from '../../../base/time';
import type { Window } from '../../../base/time_scale';
import { WORK, type Concurrency } from '../../../engine/protocol';
import { CATEGORY_WORDS } from '../../shared/words';

/** About two pixels each. */
export const CONCURRENCY_BINS = 240;
/** A strip's height in units of its own; its width has one for each bin. */
const HEIGHT = 100;

const EXPLANATION = say('concurrency-about');
const SVG = 'http://www.w3.org/2000/svg';

export interface ConcurrencyChart {
  element: HTMLElement;
  update: (answer: Concurrency, window: Window) => void;
}

export function concurrencyChart(): ConcurrencyChart {
  const strips = WORK.map(() => strip());
  const element = el('div', { class: 'strips', role: 'img', title: EXPLANATION }, ...strips.map((one) => one.element));
  WORK.forEach((category, index) => {
    strips[index]?.name.append(el('span', { class: `dot dot-${category}` }), CATEGORY_WORDS[category]);
    strips[index]?.path.setAttribute('class', `fill-${category}`);
  });
  let shown: { answer: Concurrency; window: Window } | null = null;
  /** The figures at `share` of the window or, with null, the peaks. */
  const sayAt = (share: number | null) => {
    if (!shown) return;
    const { answer, window } = shown;
    const bin = share === null ? 0 : Math.min(Math.floor(share * answer.bins), answer.bins - 1);
    const at = formatPoint(window.start + (share ?? 0) * (window.end - window.start), (window.end - window.start) / 1000);
    strips.forEach(({ figure }, index) =>
      setText(
        figure,
        share === null
          ? say('concurrency-peak', { count: answer.peaks[index] ?? 0 })
          : say('concurrency-at', { average: formatAverage(answer.in_flight[bin * WORK.length + index] ?? 0), at }),
      ),
    );
  };
  element.addEventListener('pointermove', ({ clientX }) => {
    const box = strips.find((one) => !one.element.hidden)?.picture.getBoundingClientRect();
    const share = box ? (clientX - box.left) / box.width : -1;
    sayAt(share >= 0 && share < 1 ? share : null);
  });
  element.addEventListener('pointerleave', () => sayAt(null));
  return {
    element,
    update(answer, window) {
      shown = { answer, window };
      strips.forEach(({ element: row, path, picture }, index) => {
        const peak = answer.peaks[index] ?? 0;
        row.hidden = peak === 0;
        picture.setAttribute('viewBox', `0 0 ${answer.bins} ${HEIGHT}`);
        if (peak > 0) path.setAttribute('d', outline(answer, index, peak));
      });
      const peaks = WORK.map((category, index) => `${CATEGORY_WORDS[category]} ${answer.peaks[index] ?? 0}`);
      element.setAttribute('aria-label', say('concurrency-spoken', { peaks: listed(peaks) }));
      sayAt(null);
    },
  };
}

/** Steps, because each bin is an average over its slice; closed at the bottom. */
function outline({ bins, in_flight }: Concurrency, category: number, peak: number): string {
  let steps = `M0,${HEIGHT}`;
  for (let bin = 0; bin < bins; bin++) {
    const share = (in_flight[bin * WORK.length + category] ?? 0) / peak;
    steps += `V${((1 - share) * HEIGHT).toFixed(1)}H${bin + 1}`;
  }
  return `${steps}V${HEIGHT}Z`;
}

const formatAverage = (value: number): string => (value >= 100 ? formatCount(value) : value.toFixed(1));

function strip() {
  const name = el('span', { class: 'strip-name' });
  const figure = el('span', { class: 'strip-figure' });
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('preserveAspectRatio', 'none');
  picture.setAttribute('class', 'strip-picture');
  const path = document.createElementNS(SVG, 'path');
  picture.append(path);
  return { element: el('div', { class: 'strip' }, name, picture, figure), name, figure, picture, path };
}
