// Files that the core writes piece by piece, to save or to share.
import { say } from '../../base/messages';
import { superseded } from '../errors';
import { ONLY_HOSTED, type SavedPiece, type SaveFormat, type Saving, type Sharing, type SharingRequest } from '../protocol';
import type { LoadPacker, Packer } from './packer';
import { withRedaction } from './redaction';
import { other } from './other';
import { current } from './shown';
import { guarded } from './thread';

/** Counts the files that were begun. */
let savings = 0;
/** So long the core writes before other questions are answered. */
const SAVING_MS = 12;
/** So many of its pieces, which are up to a megabyte, are handed over at once. */
const MOST_PIECES = 8;

let loadPacker: LoadPacker | null = null;
/** Loaded for the file that is begun next. */
let ready: Packer | null = null;
/** Whether B writes the file, and not the open trace. */
let writes_b = false;
const writer = () => (writes_b ? other() : current());
/** Packs the file that is being written; null where the core writes it as it is. */
let packer: Packer | null = null;

export function packerFrom(load: LoadPacker | null): void {
  loadPacker = load;
}

/** Loads what `format` needs. */
export async function readyToSave(format: SaveFormat): Promise<void> {
  if (format !== ONLY_HOSTED) return;
  if (!loadPacker) throw { code: 'bad-option', message: format };
  ready ??= await loadPacker();
}

/** The memory of the last one goes. */
function packWith(next: Packer | null): void {
  packer?.free();
  packer = next;
}

export function beginSaving(format: SaveFormat, view: string, communication: readonly string[]): Saving {
  packWith(format === ONLY_HOSTED ? ready : null);
  if (packer) ready = null;
  writes_b = false;
  return { saving: ++savings, ending: current().beginSaving(format, view, [...communication]) };
}

/** Begins what a page to share carries. */
export function beginSharing({ view, options, redaction, of_b }: SharingRequest): Sharing {
  const saving = ++savings;
  packWith(null);
  writes_b = of_b;
  if (redaction) return { saving, file: withRedaction(redaction, (core) => writer().beginSharingRedacted(core, view)) };
  const [start, end] = options.window_unix_ns ?? [];
  writer().beginSharing(view, [...options.communication], options.devices ?? undefined, start, end);
  return { saving, file: '' };
}

export function saveMore(saving: number): SavedPiece {
  if (saving !== savings) throw superseded();
  const until = performance.now() + SAVING_MS;
  let has_more = true;
  for (let pieces = 0; has_more && pieces < MOST_PIECES && performance.now() < until; pieces++)
    has_more = guarded(() => writer().saveOne(), say('doing-saving'));
  const [done = 0, of = 0, arrows = 0, inputs = 0, categories = 0, calls = 0, devices = 0, runs = 0, cut = 0] = writer().savingFigures();
  const left_out = has_more ? null : { arrows, inputs, categories, calls, devices, runs, cut };
  const written = writer().takeSaved() as Uint8Array<ArrayBuffer>;
  return { bytes: packer ? packed(packer, written, !has_more) : written, done, of, left_out };
}

function packed(by: Packer, rows: Uint8Array, is_last: boolean): Uint8Array<ArrayBuffer> {
  return guarded(() => {
    const begun = by.push(rows);
    if (!is_last) return begun;
    const rest = by.finish();
    const all = new Uint8Array(begun.length + rest.length);
    all.set(begun);
    all.set(rest, begun.length);
    return all;
  }, say('doing-saving'));
}

export function endSaving(saving: number): void {
  if (saving !== savings) return;
  packWith(null);
  writer().endSaving();
}
