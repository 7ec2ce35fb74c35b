// The way to a fleet: the browser's picker, or where it has none the files of a folder.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { listedFiles, pickedFiles, placeIn } from '../../engine/fleet/folders';
import type { FleetPlace } from '../../engine/fleet/place';
import { attempt } from '../../state/failures';
import type { Context } from '../../state/state';
import { ICONS } from '../shared/icons';

interface HasPicker {
  showDirectoryPicker?(options: { id: string; mode: 'read' }): Promise<FileSystemDirectoryHandle>;
}

/** Lets the user choose a folder; null where none was. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | readonly File[] | null> {
  const { showDirectoryPicker } = window as HasPicker;
  if (!showDirectoryPicker) return listedFolder();
  try {
    return await showDirectoryPicker.call(window, { id: 'steplens-fleet', mode: 'read' });
  } catch (thrown) {
    // The user chose none.
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

function listedFolder(): Promise<readonly File[] | null> {
  const input = el('input', { type: 'file' });
  input.webkitdirectory = true;
  return new Promise((give) => {
    input.addEventListener('change', () => give([...(input.files ?? [])]));
    input.addEventListener('cancel', () => give(null));
    input.click();
  });
}

/** The button on the empty page. */
export function fleetButton(context: Context): HTMLElement {
  const open = () =>
    attempt(
      context,
      say('fleet-failed'),
      pickFolder().then((picked) => {
        if (picked) showFleetAt(context, placeIn('kind' in picked ? pickedFiles(picked) : listedFiles(picked)));
      }),
    );
  return el(
    'button',
    { id: 'open-fleet', class: 'button big', type: 'button', title: say('fleet-open-title'), onclick: open },
    icon(ICONS.fleet),
    say('fleet-open'),
  );
}

/** Opens a fleet with the later part of the page. */
export function showFleetAt(context: Context, place: FleetPlace): void {
  attempt(
    context,
    say('fleet-failed'),
    context.later.get().then((parts) => parts.openFleet(context, place)),
  );
}
