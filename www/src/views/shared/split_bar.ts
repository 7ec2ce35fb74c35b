// One bar that a window of time is divided in: compute, what is exposed of the other categories, idle.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import { formatShare } from '../../base/format';
import { formatDuration } from '../../base/time';
import type { Split } from '../../engine/protocol';
import { PARTS, UNKNOWN } from './words';

/** Of the bar: on paper there is no room for a label in less. On the screen the width of the part decides. */
const NARROW = 0.13;

export interface SplitBar {
  element: HTMLElement;
  /** With `is_unknown`, nothing says what happened where no op was recorded. */
  update: (split: Split | null, of_what: string, is_unknown?: boolean) => void;
}

/** The bar of `of_what`, before anything is counted. With `labelled`, figures stand in the parts that have room for them. */
export function splitBar(labelled: boolean, of_what: string): SplitBar {
  const parts = PARTS.map(({ part, label, short }) => {
    const share = el('span', { class: 'part-share' });
    const length = el('span', { class: 'part-length' });
    const text = labelled
      ? el(
          'span',
          { class: 'part-label' },
          el('span', { class: 'part-name' }, `${label} `),
          el('span', { class: 'part-short' }, `${short} `),
          share,
          length,
        )
      : null;
    return { element: el('span', { class: `part part-${part}` }, text), share, length };
  });
  const element = el('div', { class: labelled ? 'split-bar labelled' : 'split-bar', role: 'img' }, ...parts.map((part) => part.element));
  const bar: SplitBar = {
    element,
    update(split, of_what, is_unknown = false) {
      element.classList.toggle('unknown', split === null);
      if (!split) {
        element.setAttribute('aria-label', say('split-not-counted', { what: of_what }));
        return;
      }
      const figures = PARTS.map((known, index) => {
        const words = is_unknown && known.part === 'idle' ? { ...known, ...UNKNOWN } : known;
        const part = parts[index];
        const length = words.of(split);
        const share = split.window_ns > 0 ? length / split.window_ns : 0;
        if (part) {
          part.element.style.flexGrow = String(share);
          part.element.hidden = length <= 0;
          part.element.classList.toggle('part-unknown', words.label === UNKNOWN.label);
          part.element.classList.toggle('narrow', share < NARROW);
          part.element.title = say('split-part-title', {
            part: words.label,
            length: formatDuration(length),
            share: formatShare(share),
            window: formatDuration(split.window_ns),
            about: words.explanation,
          });
          setText(part.share, formatShare(share));
          setText(part.length, `· ${formatDuration(length)}`);
        }
        return length > 0 || words.part === 'compute' || words.part === 'idle' ? `${words.label} ${formatShare(share)}` : '';
      });
      element.setAttribute('aria-label', say('label-of', { what: of_what, label: clauses(figures) }));
    },
  };
  // A picture without words is never shown, however late the figures are.
  bar.update(null, of_what);
  return bar;
}
