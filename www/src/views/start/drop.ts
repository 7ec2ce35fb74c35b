// Ways in: the file picker, dropping files and folders anywhere on the page, and pasting.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { EngineError } from '../../engine/errors';
import type { Source } from '../../engine/protocol';
import { attempt, showError } from '../../state/failures';
import { newTraceId, openQuietly } from '../../state/opened/open';
import type { Context } from '../../state/state';
import { titled } from '../keys/bindings';
import { entriesOf, filesIn } from './dropped';
import { ICONS } from '../shared/icons';

const INPUT = 'open-file';

const sourcesOf = (files: Iterable<File>): Source[] => [...files].map((file) => ({ name: file.name, blob: file }));

/** The one file input, and the button that looks like it. */
export function filePicker(context: Context): HTMLElement {
  const input = el('input', {
    id: INPUT,
    type: 'file',
    multiple: true,
    class: 'visually-hidden',
    tabindex: -1,
    'aria-label': say('open-trace-files'),
    onchange: () => {
      const sources = sourcesOf(input.files ?? []);
      // Emptied, so that choosing the same file again is a change again.
      input.value = '';
      if (sources.length > 0) attempt(context, say('not-opened'), openQuietly(context, sources, { id: newTraceId() }));
    },
  });
  const button = el(
    'button',
    {
      class: 'button',
      type: 'button',
      title: say('open-files-title', { open: titled(say('open-trace-files'), 'open') }),
      onclick: pickFiles,
    },
    icon(ICONS.open),
    say('open'),
  );
  return el('span', { class: 'picker' }, input, button);
}

export function pickFiles(): void {
  document.getElementById(INPUT)?.click();
}

async function openDropped(context: Context, sources: Source[]): Promise<void> {
  if (sources.length > 0) return openQuietly(context, sources, { id: newTraceId() });
  const message = say('error-nothing-dropped');
  showError(context, say('not-opened'), new EngineError({ code: 'no-file', message }));
}

/** Lets files and folders be dropped, and files pasted, anywhere. */
export function acceptFiles(context: Context): HTMLElement {
  const veil = el(
    'div',
    { class: 'drop-veil', hidden: true, 'aria-hidden': 'true' },
    el('div', { class: 'drop-veil-text' }, say('drop-to-open')),
  );
  let depth = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const show = (now: number) => {
    depth = Math.max(0, now);
    veil.hidden = depth === 0;
  };
  document.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(depth + 1);
  });
  document.addEventListener('dragleave', (event) => {
    if (hasFiles(event)) show(depth - 1);
  });
  document.addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(0);
    if (!event.dataTransfer) return;
    attempt(
      context,
      say('not-opened'),
      filesIn(entriesOf(event.dataTransfer)).then((sources) => openDropped(context, sources)),
    );
  });
  document.addEventListener('paste', (event) => {
    const sources = sourcesOf(event.clipboardData?.files ?? []);
    if (sources.length === 0) return;
    event.preventDefault();
    attempt(context, say('not-opened'), openQuietly(context, sources, { id: newTraceId() }));
  });
  return veil;
}
