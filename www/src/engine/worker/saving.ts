// Files that the core writes piece by piece, to save or to share.
import { say } from '../../base/messages';
import { superseded } from '../errors';
import type { SavedPiece, SaveFormat, Saving, Sharing, SharingRequest } from '../protocol';
import { withRedaction } from './redaction';
import { current } from './shown';
import { guarded } from './thread';

/** Counts the files that were begun. */
let savings = 0;
/** So long the core writes before other questions are answered. */
const SAVING_MS = 12;
/** So many of its pieces, which are up to a megabyte, are handed over at once. */
const MOST_PIECES = 8;

export function beginSaving(format: SaveFormat, view: string, communication: readonly string[]): Saving {
  return { saving: ++savings, ending: current().beginSaving(format, view, [...communication]) };
}

/** Begins what a page to share carries. */
export function beginSharing({ view, options, redaction }: SharingRequest): Sharing {
  const saving = ++savings;
  if (redaction) return { saving, file: withRedaction(redaction, (core) => current().beginSharingRedacted(core, view)) };
  const [start, end] = options.window_unix_ns ?? [];
  current().beginSharing(view, [...options.communication], options.devices ?? undefined, start, end);
  return { saving, file: '' };
}

export function saveMore(saving: number): SavedPiece {
  if (saving !== savings) throw superseded();
  const until = performance.now() + SAVING_MS;
  let has_more = true;
  for (let pieces = 0; has_more && pieces < MOST_PIECES && performance.now() < until; pieces++)
    has_more = guarded(() => current().saveOne(), say('doing-saving'));
  const [done = 0, of = 0, arrows = 0, inputs = 0, categories = 0, calls = 0, devices = 0, runs = 0, cut = 0] = current().savingFigures();
  const left_out = has_more ? null : { arrows, inputs, categories, calls, devices, runs, cut };
  return { bytes: current().takeSaved() as Uint8Array<ArrayBuffer>, done, of, left_out };
}

export function endSaving(saving: number): void {
  if (saving === savings) current().endSaving();
}
