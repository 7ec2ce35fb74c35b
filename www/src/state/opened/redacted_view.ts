// The view of a shared file without the words that the user wrote into it.
import type { OtherNote } from '../types';
import type { ViewNote } from './url';

/** What the user wrote: names of marks, what is searched for, what devices are filtered by. */
export const writtenIn = ({ query, rows, notes }: ViewNote): string[] =>
  [query, rows.filter, ...notes.map(({ text }) => text)].filter((text) => text !== '');

/** What it is compared with goes along, and needs no name for that. */
const redactedOther = (other: OtherNote): OtherNote => ({ ...other, name: other.name === null ? null : HIDDEN });
const HIDDEN = 'B';

/** `note` with the tasks of its clocks as `clocks` calls them. Its patterns have decided the categories, and name ops, as changes do. */
export function redactedNote(note: ViewNote, clocks: readonly string[], has_words: boolean): ViewNote {
  const redacted = {
    ...note,
    view: { ...note.view, clocks: [...clocks] },
    communication: null,
    changes: [],
    other: note.other && redactedOther(note.other),
  };
  if (has_words) return redacted;
  return {
    ...redacted,
    query: '',
    rows: { ...note.rows, filter: '' },
    notes: note.notes.map((own) => ({ ...own, text: '' })),
  };
}
