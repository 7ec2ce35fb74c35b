// Which op is which: how many pairs each pass found, and how many ops have no partner.
import { el, fill } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { say, type PlainId } from '../../../base/messages';
import type { ComparePage } from '../../../engine/protocol';
import { factLine } from '../../shared/parts';

const PASSES = ['exact', 'retyped', 'renumbered', 'structural', 'edited', 'only_a', 'only_b', 'reshaped', 'not_aligned'] as const;
type Pass = (typeof PASSES)[number];
const WORDS: Readonly<Record<Pass, readonly [PlainId, PlainId]>> = {
  exact: ['match-exact', 'match-exact-about'],
  retyped: ['match-retyped', 'match-retyped-about'],
  renumbered: ['match-renumbered', 'match-renumbered-about'],
  structural: ['match-structural', 'match-structural-about'],
  edited: ['match-edited', 'match-edited-about'],
  only_a: ['match-only-a', 'match-only-a-about'],
  only_b: ['match-only-b', 'match-only-b-about'],
  reshaped: ['match-reshaped', 'match-reshaped-about'],
  not_aligned: ['match-not-aligned', 'match-not-aligned-about'],
};

export function matchesPart(): { element: HTMLElement; show: (found: ComparePage) => void } {
  const facts = el('dl', { class: 'cmp-matches' });
  const element = el('section', { class: 'cmp-part' }, el('h2', {}, say('cmp-matches')), facts);
  return {
    element,
    show: ({ matches }) => {
      const shown = PASSES.filter((pass) => pass === 'exact' || pass === 'only_a' || pass === 'only_b' || matches[pass] > 0);
      fill(facts, ...shown.map((pass) => factLine(say(WORDS[pass][0]), formatCount(matches[pass]), say(WORDS[pass][1]))));
    },
  };
}
