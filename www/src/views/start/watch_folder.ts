// The way to a watched folder: the browser's picker, or where it has none the files of a folder as they are now.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { ICONS } from '../shared/icons';
import { WATCHED_CHANGED } from '../../state/watched/below';

interface HasPicker {
  showDirectoryPicker?(options: { id: string; mode: 'read' }): Promise<FileSystemDirectoryHandle>;
}

const INPUT = 'watch-files';

/** The button on the empty page. */
export function watchButton(context: Context): HTMLElement {
  return el(
    'button',
    {
      id: 'watch-folder',
      class: 'button big',
      type: 'button',
      title: say('watch-folder-title'),
      onclick: () => pickWatched(context),
    },
    icon(ICONS.watch),
    say('watch-folder'),
  );
}

/** The same in the menu, once a trace is open; `item` makes it. */
export function watchLine(
  context: Context,
  item: (words: string, path: string, run: () => void, more: { id?: string; title?: string }) => HTMLElement,
): HTMLElement {
  const { state, frame } = context;
  const element = item(say('watch-folder'), ICONS.watch, () => pickWatched(context), {
    id: 'watch-folder-too',
    title: say('watch-folder-title'),
  });
  frame.onDom([Changed.trace, WATCHED_CHANGED], () => {
    element.hidden = state.trace === null || state.watching !== null;
  });
  return element;
}

/** The input for browsers without a picker. */
export function folderInput(context: Context): HTMLElement {
  const input = el('input', {
    id: INPUT,
    type: 'file',
    class: 'visually-hidden',
    tabindex: -1,
    'aria-label': say('watch-folder'),
    onchange: () => {
      const files = [...(input.files ?? [])];
      // Emptied, so that choosing the same folder again is a change again.
      input.value = '';
      if (files.length > 0) attempt(context, say('watch-failed'), watchPicked(context, files));
    },
  });
  input.webkitdirectory = true;
  return input;
}

/** Lets the user choose a folder to watch. */
export function pickWatched(context: Context): void {
  const { showDirectoryPicker } = window as HasPicker;
  if (showDirectoryPicker) attempt(context, say('watch-failed'), pick(context, showDirectoryPicker.bind(window)));
  else document.getElementById(INPUT)?.click();
}

async function pick(context: Context, show: NonNullable<HasPicker['showDirectoryPicker']>): Promise<void> {
  try {
    await watchPicked(context, await show({ id: 'steplens-watched', mode: 'read' }));
  } catch (thrown) {
    // The user chose none.
    if (!(thrown instanceof DOMException && thrown.name === 'AbortError')) throw thrown;
  }
}

async function watchPicked(context: Context, folder: FileSystemDirectoryHandle | readonly File[]): Promise<void> {
  (await context.later.get()).watchPicked(context, folder);
}
