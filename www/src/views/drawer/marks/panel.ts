// The drawer's tab of marks: every one with its name, to go to, rename or delete; of a range, how its time divides, next to that of the others.
import { say } from '../../../base/messages';
import { el, icon, setText } from '../../../base/dom';
import { Changed } from '../../../state/frame';
import { addNote, deleteNote, LONGEST_TEXT, renameNote, whenOf } from '../../../state/opened/notes';
import type { Split } from '../../../engine/protocol';
import { noteSplits } from '../../../state/shown/note_splits';
import type { Note } from '../../../state/types';
import { goToNote } from '../../../state/opened/go_to_note';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { ICONS } from '../../shared/icons';
import { splitBar } from '../../shared/split_bar';
import { reconcile } from '../../shared/reconcile';
import { isShown, type MakePanel } from '../tab_panel';

const HINT = say('marks-hint');

interface Row {
  element: HTMLElement;
  show: (note: Note, split: Split | null | undefined) => void;
}

export const panel: MakePanel = (context, tab) => {
  const { state, frame } = context;
  const rows = new Map<number, Row>();
  const splitOf = noteSplits(context);
  const count = el('span', { class: 'note' });
  const add = el(
    'button',
    { class: 'button', type: 'button', title: titled(say('add-mark'), 'mark'), onclick: () => addNote(context) },
    say('add-mark'),
  );
  const list = el('ul', { class: 'note-list', 'aria-label': say('tab-marks') });
  const hint = el('p', { class: 'hint' }, HINT);
  let chosen: number | null = null;
  frame.onDom([Changed.notes, Changed.trace, Changed.drawer], () => {
    const { notes } = state;
    setText(count, notes.length > 0 ? say('marks', { count: notes.length }) : '');
    hint.hidden = notes.length > 0;
    list.hidden = notes.length === 0;
    const known = new Set(notes.map(({ id }) => id));
    for (const id of rows.keys()) if (!known.has(id)) rows.delete(id);
    const elements = notes.map((note) => {
      const row = rows.get(note.id) ?? noteRow(context, list);
      rows.set(note.id, row);
      // Who does not look at the marks asks for nothing.
      row.show(note, isShown(state, tab) ? splitOf(note) : null);
      return row.element;
    });
    reconcile(list, elements);
    if (chosen !== state.chosen_note && state.tab === tab) rows.get(state.chosen_note ?? -1)?.element.scrollIntoView({ block: 'nearest' });
    chosen = state.chosen_note;
  });
  return el('div', { class: 'notes' }, el('div', { class: 'notes-head' }, add, count), hint, list);
};

function noteRow(context: Context, list: HTMLElement): Row {
  const { state } = context;
  let note: Note | null = null;
  const go = el('button', {
    class: 'op-link note-when',
    type: 'button',
    onclick: () => {
      if (note) goToNote(context, note);
    },
  });
  const name = el('input', {
    class: 'note-name',
    autocomplete: 'off',
    spellcheck: 'false',
    onchange: () => {
      if (note && name.value !== note.text) renameNote(context, note, name.value);
    },
    onkeydown: (event) => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      if (event.key === 'Escape') name.value = note?.text ?? '';
      event.preventDefault();
      event.stopPropagation();
      // What was typed is taken when the field is left.
      go.focus();
    },
  });
  name.maxLength = LONGEST_TEXT;
  const bar = splitBar(true, say('marked-range'));
  const remove = el(
    'button',
    {
      class: 'button square small',
      type: 'button',
      onclick: () => {
        if (!note) return;
        // The keyboard stays in the list: on the row that takes this one's place.
        const next = element.nextElementSibling ?? element.previousElementSibling;
        deleteNote(context, note);
        const place = next?.querySelector<HTMLElement>('.note-when') ?? list.closest<HTMLElement>('.panel');
        place?.focus();
      },
    },
    icon(ICONS.close),
  );
  const element = el(
    'li',
    {
      class: 'note-row',
      onkeydown: (event) => {
        if (event.key !== 'Delete' || event.target === name) return;
        event.preventDefault();
        remove.click();
      },
    },
    go,
    name,
    bar.element,
    remove,
  );
  return {
    element,
    show(now, split) {
      bar.element.hidden = split === undefined;
      if (split !== undefined) bar.update(split, now.text);
      const changed = note !== now;
      note = now;
      element.classList.toggle('chosen', now.id === state.chosen_note);
      if (!changed) return;
      setText(go, whenOf(now));
      go.title = say('go-to-mark', { name: now.text });
      go.setAttribute('aria-label', say('go-to-mark-at', { name: now.text, when: whenOf(now) }));
      name.value = now.text;
      name.setAttribute('aria-label', say('name-of-mark-at', { when: whenOf(now) }));
      remove.title = say('delete-mark', { name: now.text });
      remove.setAttribute('aria-label', say('delete-mark', { name: now.text }));
    },
  };
}
