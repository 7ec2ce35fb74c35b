// What the replayed step waits for, before and after the changes, as bars on one scale.
import { el } from '../../../base/dom';
import { say } from '../../../base/messages';
import { formatDuration } from '../../../base/time';
import type { WhatIfPage } from '../../../engine/protocol';
import { kindWords } from '../../shared/path_words';
import { signed } from '../../shared/signed';

export function waitsTable({ critical_before, critical_after, predicted_ns }: WhatIfPage): HTMLElement {
  const is_changed = predicted_ns !== null;
  const categories = [...new Set([...critical_before, ...critical_after].map(({ category }) => category))];
  const lengthIn = (parts: WhatIfPage['critical_before'], category: string): number =>
    parts.find((part) => part.category === category)?.length_ns ?? 0;
  const longest = Math.max(...[...critical_before, ...critical_after].map(({ length_ns }) => length_ns), 1);
  const bar = (length: number, look: string, when: string) => {
    const own = el('span', { class: `if-bar stage-${look} ${when}` });
    own.style.width = `${(length / longest) * 100}%`;
    return own;
  };
  const numeric = (text: string) => el('td', { class: 'numeric' }, text);
  const row = (category: string) => {
    const { label, look, about } = kindWords(category);
    const [before, after] = [lengthIn(critical_before, category), lengthIn(critical_after, category)];
    return el(
      'tr',
      {},
      el('th', { scope: 'row', title: about }, label),
      el('td', { class: 'if-bars' }, bar(before, look, 'is-before'), is_changed && bar(after, look, 'is-after')),
      numeric(formatDuration(before)),
      is_changed && numeric(formatDuration(after)),
      is_changed && changeCell(after - before),
    );
  };
  const head = (text: string) => el('th', { scope: 'col', class: 'numeric' }, text);
  return el(
    'table',
    { class: 'plain-table if-waits' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { scope: 'col' }, say('path-waited-for')),
        el('td', {}),
        head(say('if-before')),
        is_changed && head(say('if-after')),
        is_changed && head(say('if-change')),
      ),
    ),
    el('tbody', {}, ...categories.map(row)),
  );
}

const changeCell = (change: number): HTMLElement =>
  el('td', { class: `numeric ${change < 0 ? 'is-less' : change > 0 ? 'is-more' : ''}` }, signed(change));
