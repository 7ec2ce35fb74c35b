// The field below the axis in which a new mark gets its name: Enter keeps the mark, Esc drops it.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { clamp } from '../../base/geom';
import { Changed } from '../../state/frame';
import { endNaming, LONGEST_TEXT, noteWithId } from '../../state/opened/notes';
import type { Context } from '../../state/state';
import { timeScale } from '../../state/shown/view';

const WIDTH = 220;

export function noteField(context: Context): HTMLElement {
  const { state, frame } = context;
  let named: number | null = null;
  let before: Element | null = null;
  const end = (text: string | null) => {
    if (state.naming === null) return;
    endNaming(context, text);
    // Back to where the keyboard was, so that the next key goes on there.
    const place = before instanceof HTMLElement && before.isConnected ? before : document.querySelector('.lanes');
    if (document.activeElement === input && place instanceof HTMLElement) place.focus({ preventScroll: true });
  };
  const input = el('input', {
    class: 'note-field',
    'aria-label': say('mark-name'),
    title: say('mark-name-title'),
    autocomplete: 'off',
    spellcheck: 'false',
    hidden: true,
    onkeydown: (event) => {
      if (event.key === 'Enter') end(input.value);
      else if (event.key === 'Escape') end(null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onblur: () => end(input.value),
  });
  input.maxLength = LONGEST_TEXT;
  frame.onDom([Changed.notes, Changed.view, Changed.layout, Changed.trace], () => {
    const note = noteWithId(state, state.naming);
    input.hidden = !note;
    if (!note) {
      named = null;
      return;
    }
    const tree = document.querySelector<HTMLElement>('.lanes')?.offsetLeft ?? 0;
    const x = clamp(timeScale(state).toPx(note.start_ns), 0, Math.max(state.viewport.width - WIDTH - 8, 0));
    input.style.transform = `translateX(${Math.round(tree + x)}px)`;
    if (named === note.id) return;
    named = note.id;
    before = document.activeElement;
    input.value = note.text;
    input.focus({ preventScroll: true });
    input.select();
  });
  return input;
}
