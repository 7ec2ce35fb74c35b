// The drawer's tab of marks: every one with its name, to go to, rename or delete.
import { el, icon, setText } from '../../../base/dom';
import { plural } from '../../../base/format';
import { Changed } from '../../../state/frame';
import { addNote, deleteNote, LONGEST_TEXT, renameNote, whenOf } from '../../../state/opened/notes';
import type { Note } from '../../../state/types';
import { goToNote } from '../../../state/opened/go_to_note';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { ICONS } from '../../shared/icons';
import { reconcile } from '../../shared/reconcile';

const HINT =
  'A mark keeps a moment or a stretch of time, with a name. M marks the selected range, the selected op, or the moment under the pointer. Marks are kept in the address, and in what you share.';

interface Row {
  element: HTMLElement;
  show: (note: Note) => void;
}

export function notesPanel(context: Context): HTMLElement {
  const { state, frame } = context;
  const rows = new Map<number, Row>();
  const count = el('span', { class: 'note' });
  const add = el(
    'button',
    { class: 'button', type: 'button', title: titled('Add a mark', 'mark'), onclick: () => addNote(context) },
    'Add a mark',
  );
  const list = el('ul', { class: 'note-list', 'aria-label': 'Marks' });
  const hint = el('p', { class: 'hint' }, HINT);
  let chosen: number | null = null;
  frame.onDom(Changed.notes | Changed.trace | Changed.drawer, () => {
    const { notes } = state;
    setText(count, notes.length > 0 ? plural(notes.length, 'mark') : '');
    hint.hidden = notes.length > 0;
    list.hidden = notes.length === 0;
    const known = new Set(notes.map(({ id }) => id));
    for (const id of rows.keys()) if (!known.has(id)) rows.delete(id);
    const elements = notes.map((note) => {
      const row = rows.get(note.id) ?? noteRow(context, list);
      rows.set(note.id, row);
      row.show(note);
      return row.element;
    });
    reconcile(list, elements);
    if (chosen !== state.chosen_note && state.tab === 'marks')
      rows.get(state.chosen_note ?? -1)?.element.scrollIntoView({ block: 'nearest' });
    chosen = state.chosen_note;
  });
  return el('div', { class: 'notes' }, el('div', { class: 'notes-head' }, add, count), hint, list);
}

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
    remove,
  );
  return {
    element,
    show(now) {
      const changed = note !== now;
      note = now;
      element.classList.toggle('chosen', now.id === state.chosen_note);
      if (!changed) return;
      setText(go, whenOf(now));
      go.title = `Go to ${now.text}`;
      go.setAttribute('aria-label', `Go to ${now.text}, ${whenOf(now)}`);
      name.value = now.text;
      name.setAttribute('aria-label', `Name of the mark at ${whenOf(now)}`);
      remove.title = `Delete ${now.text}`;
      remove.setAttribute('aria-label', `Delete ${now.text}`);
    },
  };
}
