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
    changed();
  };
  const chip = (text: string, checked: boolean, about: string) =>
    el('button', { class: 'chip share-for', type: 'button', title: about, onclick: () => setAll(checked) }, text);
  const team = chip(say('share-for-team'), true, say('share-for-team-about'));
  const everybody = chip(say('share-for-public'), false, say('share-for-public-about'));
  const about = el('p', { class: 'note share-about', role: 'status' });
  const showPreset = () => {
    const checked = rows.filter(({ box }) => box.checked).length;
    team.setAttribute('aria-pressed', String(checked === rows.length));
    everybody.setAttribute('aria-pressed', String(checked === 0));
    setText(
      about,
      checked === rows.length ? say('share-for-team-about') : checked === 0 ? say('share-for-public-about') : say('share-hashes'),
    );
  };
  const changed = () => {
    showPreset();
    decided();
  };
  showPreset();
  const element = el(
    'fieldset',
    { onchange: changed },
    el('legend', {}, say('share-include')),
    el('div', { class: 'part-all' }, team, everybody),
    el('div', { class: 'share-kinds' }, ...rows.map(({ element }) => element)),
    about,
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
