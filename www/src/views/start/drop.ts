// Ways in: the file picker, dropping files and folders anywhere on the page, and pasting.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { EngineError } from '../../engine/errors';
import { droppedFleet, placeAmong } from '../../engine/fleet/folders';
import type { Source } from '../../engine/protocol';
import { attempt, showError } from '../../state/failures';
import { addSources } from '../../state/opened/add';
import { compareWith } from '../../state/opened/compare';
import { newTraceId, openQuietly } from '../../state/opened/open';
import type { Context } from '../../state/state';
import { titled } from '../keys/bindings';
import { showFleetAt } from './fleet_folder';
import { entriesOf, filesIn } from './dropped';
import { ICONS } from '../shared/icons';

const INPUT = 'open-file';
const ADD_INPUT = 'add-file';
const COMPARE_INPUT = 'compare-file';

const sourcesOf = (files: Iterable<File>): Source[] => [...files].map((file) => ({ name: file.name, blob: file }));

/** The inputs for files, and the button that looks like the one that opens. */
export function filePicker(context: Context): HTMLElement {
  const open = el(
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
  const input = (id: string, label: string, take: (sources: Source[]) => void) => {
    const element = el('input', {
      id,
      type: 'file',
      multiple: true,
      class: 'visually-hidden',
      tabindex: -1,
      'aria-label': label,
      onchange: () => {
        const sources = sourcesOf(element.files ?? []);
        // Emptied, so that choosing the same file again is a change again.
        element.value = '';
        if (sources.length > 0) take(sources);
      },
    });
    return element;
  };
  return el(
    'span',
    { class: 'picker' },
    input(INPUT, say('open-trace-files'), (sources) => openChosen(context, sources)),
    input(ADD_INPUT, say('add-files'), (sources) => addSources(context, sources)),
    input(COMPARE_INPUT, say('cmp-files'), (sources) => compareWith(context, sources)),
    open,
  );
}

/** Lets the user choose files to add to the open trace. */
export function pickAdded(): void {
  document.getElementById(ADD_INPUT)?.click();
}

/** Lets the user choose what the open trace is compared with. */
export function pickCompared(): void {
  document.getElementById(COMPARE_INPUT)?.click();
}

export function pickFiles(): void {
  document.getElementById(INPUT)?.click();
}

/** Opens files: as a fleet where the summary of one is among them. */
function openChosen(context: Context, sources: Source[]): void {
  const fleet = placeAmong(sources);
  if (fleet) showFleetAt(context, fleet);
  else attempt(context, say('not-opened'), openQuietly(context, sources, { id: newTraceId() }));
}

/** What becomes of files that are dropped. */
type Purpose = 'open' | 'compare' | 'add';

async function openDropped(context: Context, sources: Source[], purpose: Purpose): Promise<void> {
  if (sources.length > 0 && purpose === 'add') return addSources(context, sources);
  if (sources.length > 0 && purpose === 'compare') return compareWith(context, sources);
  if (sources.length > 0) return openChosen(context, sources);
  const message = say('error-nothing-dropped');
  showError(context, say('not-opened'), new EngineError({ code: 'no-file', message }));
}

/** From the left of the window to the right. */
const PURPOSES: readonly Purpose[] = ['open', 'compare', 'add'];

/** After so long without a word the files are not over the page any more. */
const SILENCE_MS = 2_000;

/** Lets files and folders be dropped, and files pasted, anywhere. */
export function acceptFiles(context: Context): HTMLElement {
  const half = (purpose: Purpose, words: string) =>
    el('div', { class: `drop-half to-${purpose}` }, el('div', { class: 'drop-veil-text' }, words));
  const to_add = half('add', say('drop-to-add'));
  const to_compare = half('compare', say('cmp-drop'));
  const veil = el(
    'div',
    { class: 'drop-veil', hidden: true, 'aria-hidden': 'true' },
    half('open', say('drop-to-open')),
    to_compare,
    to_add,
  );
  /** By the third of the window; with Shift they are added anywhere. */
  const purposeOf = ({ shiftKey, clientX }: DragEvent): Purpose => {
    if (!context.state.trace) return 'open';
    if (shiftKey) return 'add';
    return PURPOSES[Math.min(Math.floor((clientX / innerWidth) * PURPOSES.length), PURPOSES.length - 1)] ?? 'open';
  };
  let watch = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const hide = () => {
    clearTimeout(watch);
    veil.hidden = true;
  };
  /** While files are dragged over the page it hears of them several times a second. Not every browser says that they are gone. */
  const show = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    clearTimeout(watch);
    watch = window.setTimeout(hide, SILENCE_MS);
    veil.hidden = false;
    to_add.hidden = to_compare.hidden = !context.state.trace;
    veil.dataset['purpose'] = purposeOf(event);
  };
  document.addEventListener('dragenter', show);
  document.addEventListener('dragover', show);
  document.addEventListener('dragleave', (event) => {
    // Into another element of the page it is no leaving.
    if (event.relatedTarget === null) hide();
  });
  document.addEventListener('dragend', hide);
  // While something is dragged, the pointer is not heard of.
  document.addEventListener('pointermove', hide);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || veil.hidden) return;
      event.preventDefault();
      event.stopPropagation();
      hide();
    },
    { capture: true },
  );
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    hide();
    if (!event.dataTransfer) return;
    const purpose = purposeOf(event);
    const entries = entriesOf(event.dataTransfer);
    attempt(
      context,
      say('not-opened'),
      droppedFleet(entries).then((fleet) =>
        fleet ? showFleetAt(context, fleet) : filesIn(entries).then((sources) => openDropped(context, sources, purpose)),
      ),
    );
  });
  document.addEventListener('paste', (event) => {
    const sources = sourcesOf(event.clipboardData?.files ?? []);
    if (sources.length === 0) return;
    event.preventDefault();
    openChosen(context, sources);
  });
  return veil;
}
