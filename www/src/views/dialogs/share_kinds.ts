// The boxes of what a shared file includes: a kind of text each, how many there are, and what becomes of some of them.
import { say, type PlainId } from '../../base/messages';
import { el, fill, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { KINDS, type Kind } from '../../engine/redaction';
import type { RedactionShown } from '../../engine/protocol';

const TEXTS: Record<Kind, PlainId> = {
  names: 'share-kind-names',
  'op-types': 'share-kind-op-types',
  hosts: 'share-kind-hosts',
  tags: 'share-kind-tags',
  files: 'share-kind-files',
  shapes: 'share-kind-shapes',
  notes: 'share-kind-notes',
};

/** So many examples of names; of other kinds one. */
const NAMES_SHOWN = 2;

interface Row {
  kind: Kind;
  element: HTMLElement;
  box: HTMLInputElement;
  count: HTMLElement;
  examples: HTMLElement;
}

export interface KindBoxes {
  element: HTMLElement;
  included(): ReadonlySet<Kind>;
  /** Shows what becomes of texts; `written` are those that the user wrote. */
  show(shown: RedactionShown, written: readonly string[]): void;
}

/** `decided` hears of every change by the user. */
export function kindBoxes(first: ReadonlySet<string>, decided: () => void): KindBoxes {
  const rows: Row[] = KINDS.map((kind) => {
    const box = el('input', { type: 'checkbox', checked: first.has(kind), name: `share-${kind}` });
    const count = el('span', { class: 'figure' });
    const examples = el('span', { class: 'share-examples' });
    return {
      kind,
      box,
      count,
      examples,
      element: el('label', { class: 'share-kind' }, box, el('span', {}, say(TEXTS[kind])), count, examples),
    };
  });
  const setAll = (checked: boolean) => {
    for (const { box } of rows) box.checked = checked;
    decided();
  };
  const chip = (text: string, checked: boolean) => el('button', { class: 'chip', type: 'button', onclick: () => setAll(checked) }, text);
  const element = el(
    'fieldset',
    { onchange: decided },
    el('legend', {}, say('share-include')),
    el('div', { class: 'part-all' }, chip(say('choose-all'), true), chip(say('choose-none'), false)),
    el('div', { class: 'share-kinds' }, ...rows.map(({ element }) => element)),
    el('p', { class: 'note' }, say('share-hashes')),
  );
  return {
    element,
    included: () => new Set(rows.filter(({ box }) => box.checked).map(({ kind }) => kind)),
    show({ kinds }, written) {
      for (const { kind, box, count, examples } of rows) {
        const own = kinds.find((other) => other.kind === kind);
        const pairs = own?.examples ?? written.map((before) => ({ before, after: box.checked ? before : '' }));
        const lines = pairs.slice(0, kind === 'names' ? NAMES_SHOWN : 1).map(({ before, after }) => exampleOf(before, after));
        setText(count, formatCount(own?.count ?? written.length));
        fill(examples, ...lines.map((line) => el('span', {}, line)));
      }
    },
  };
}

const exampleOf = (before: string, after: string): string =>
  before === after ? before : say('share-example', { before, after: after || say('share-left-out') });
