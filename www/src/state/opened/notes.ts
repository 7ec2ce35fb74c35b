// The user's own marks on the time line: called notes here, because `marks` are what is drawn of the ops.
//
// They are kept in the order of their start, live in the URL's fragment, and so in what is shared.
import { say } from '../../base/messages';
import { clamp } from '../../base/geom';
import { formatDuration, formatPoint, ns, type Ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import { chooseTab } from '../shown/tab';
import { Changed } from '../frame';
import { noteView } from '../shown/history';
import { announce, type Context, type State } from '../state';
import type { Note, NoteText } from '../types';
import { timeScale } from '../shown/view';

/** Bounds for what an address may ask to be drawn. */
export const MOST_NOTES = 500;
export const LONGEST_TEXT = 200;

const inOrder = (notes: readonly Note[]): Note[] =>
  [...notes].sort((a, b) => a.start_ns - b.start_ns || a.end_ns - b.end_ns || a.id - b.id);

export const noteWithId = ({ notes }: Pick<State, 'notes'>, id: number | null): Note | undefined => notes.find((note) => note.id === id);

/** Notes as an address lists them, within all steps: those of other steps lie before or after the one that is shown. */
export function notesFrom(state: State, texts: readonly NoteText[], all: Window): Note[] {
  const within = (at: Ns) => ns(clamp(at, all.start, all.end));
  const noteOf = ({ start_ns, end_ns, text }: NoteText): Note => ({
    start_ns: within(start_ns),
    end_ns: within(end_ns),
    text,
    id: state.next_note_id++,
  });
  return inOrder(texts.slice(0, MOST_NOTES).map(noteOf));
}

/** The same notes after the axis has begun to count from another moment. */
export function movedNotes(notes: readonly Note[], by: Ns): Note[] {
  return notes.map((note) => ({ ...note, start_ns: ns(note.start_ns + by), end_ns: ns(note.end_ns + by) }));
}

function change(context: Context, notes: readonly Note[], notice: string): void {
  const { state } = context;
  state.notes = inOrder(notes);
  announce(context, notice, Changed.notes, Changed.notice);
  noteView(context);
}

/** `12.34 ms`, and for a stretch how long it is. */
export function whenOf({ start_ns, end_ns }: NoteText): string {
  const start = formatPoint(start_ns, Math.max((end_ns - start_ns) / 100, 1000));
  return end_ns > start_ns ? `${start} · ${formatDuration(end_ns - start_ns)}` : start;
}

/** What M is about: the selected range, else the selected op's span, else the moment under the pointer. */
function subjectOf(state: State): NoteText {
  const { range, selection, hover_x, viewport, notes } = state;
  const text = say('mark-number', { number: String(notes.length + 1) });
  if (range) return { start_ns: range.start, end_ns: range.end, text };
  const op = selection?.details;
  if (op) return { start_ns: op.start_ns, end_ns: op.end_ns, text: op.name.slice(0, LONGEST_TEXT) };
  const span = state.trace?.summary.span_ns ?? 0;
  const at = Math.round(timeScale(state).toNs(hover_x ?? viewport.width / 2));
  const moment = ns(clamp(at, 0, span));
  return { start_ns: moment, end_ns: moment, text };
}

/** Adds a note with a name to begin with; its name field opens at once. */
export function addNote(context: Context): void {
  const { state } = context;
  if (state.notes.length >= MOST_NOTES) {
    announce(context, say('marks-full', { most: String(MOST_NOTES) }), Changed.notice);
    return;
  }
  const note: Note = { ...subjectOf(state), id: state.next_note_id++ };
  state.naming = note.id;
  state.chosen_note = note.id;
  state.offer = null;
  change(context, [...state.notes, note], say('mark-name-it', { when: whenOf(note) }));
}

/** Ends the naming of a new note: with a name it is kept, with null dropped. */
export function endNaming(context: Context, text: string | null): void {
  const { state } = context;
  const note = noteWithId(state, state.naming);
  state.naming = null;
  if (!note) return;
  if (text === null)
    change(
      context,
      state.notes.filter((other) => other !== note),
      say('mark-dropped'),
    );
  else renameNote(context, note, text);
}

export function renameNote(context: Context, note: Note, text: string): void {
  const trimmed = text.trim().slice(0, LONGEST_TEXT);
  const named: Note = { ...note, text: trimmed === '' ? note.text : trimmed };
  const others = context.state.notes.filter(({ id }) => id !== note.id);
  change(context, [...others, named], say('marked-at', { name: named.text, when: whenOf(named) }));
}

/** Deletes at once, and offers to take it back. */
export function deleteNote(context: Context, note: Note): void {
  const { state } = context;
  const bring_back = () => {
    state.offer = null;
    change(context, [...state.notes, note], say('mark-restored', { name: note.text }));
  };
  state.offer = { text: say('mark-deleted', { name: note.text }), action: say('undo'), run: bring_back };
  change(
    context,
    state.notes.filter(({ id }) => id !== note.id),
    say('mark-deleted-undo', { name: note.text }),
  );
}

/** Shows it in the list of marks. */
export function chooseNote(context: Context, note: Note): void {
  context.state.chosen_note = note.id;
  context.frame.invalidate(Changed.notes);
  chooseTab(context, 'marks');
}

export function dismissOffer({ state, frame }: Context): void {
  state.offer = null;
  frame.invalidate(Changed.notes);
}
