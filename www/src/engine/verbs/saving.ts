// Files and pictures of what is open, and what they would tell whoever gets them.
import {
  SESSION,
  type PictureQuery,
  type RedactionRequest,
  type RedactionShown,
  type SaveFormat,
  type SavedPiece,
  type SharingRequest,
} from '../protocol';
import { withRedaction } from '../worker/redaction';
import { beginSaving, beginSharing, endSaving, readyToSave, saveMore } from '../worker/saving';
import { other } from '../worker/other';
import { current } from '../worker/shown';
import { FLOW, parsed, plain, TRANSFERS, type Answer, type VerbEntries } from './verb';

export const SAVING = {
  /**
   * The open trace as a Steplens session: a file that opens as the same trace, a quarter of the packed RunMetadata. It shows again
   * `view`, a fragment, with these patterns for communication.
   */
  sessionBytes: {
    answer: (view: string, communication: readonly string[]): Answer<Uint8Array<ArrayBuffer>> => {
      const bytes = current().sessionBytes(view, [...communication]) as Uint8Array<ArrayBuffer>;
      return { value: bytes, transfer: [bytes.buffer] };
    },
  },
  /** What a redaction would hide. */
  redactionShown: {
    answer: (query: RedactionRequest) => parsed<RedactionShown>(withRedaction(query, (core) => current().redactionShown(core))),
  },
  /** The words of a view's clocks, redacted. */
  redactedClocks: {
    answer: (query: RedactionRequest, clocks: readonly string[]) =>
      plain(withRedaction(query, (core) => current().redactedClocks(core, [...clocks]))),
  },
  /** The first hidden word of the open trace, or of B, or one of what the user has `written`, in a finished file: in its session or in its other strings. */
  redactionLeak: {
    answer: (
      query: RedactionRequest,
      written: readonly string[],
      session: Uint8Array<ArrayBuffer>,
      strings: readonly string[],
      by_b: boolean,
    ) =>
      plain(withRedaction(query, (core) => (by_b ? other() : current()).redactionLeak(core, [...written], session, [...strings]) ?? null)),
  },
  /** A picture of what is shown, as SVG: names of a stranger are in it, so it is for a file or an `<img>` only. */
  picture: {
    needs: FLOW,
    answer: ({ kind, width, theme, window, devices, has_heading }: PictureQuery) => {
      const times = window ? [window.start, window.end] : [];
      return plain(current().picture(kind, width, theme, Float64Array.from(times), Uint32Array.from(devices), has_heading));
    },
  },
  /** Begins a file of what is shown, or a session of all that is open; another that was begun is lost. */
  beginSaving: {
    needs: (format: SaveFormat) => (format === SESSION ? [] : TRANSFERS),
    load: (format: SaveFormat) => readyToSave(format),
    answer: (format: SaveFormat, view: string, communication: readonly string[]) => plain(beginSaving(format, view, communication)),
  },
  /** Begins what a page to share carries: all that is open, or what is left of it where it is redacted. Another file that was begun is lost. */
  beginSharing: { answer: (request: SharingRequest) => plain(beginSharing(request)) },
  /** Writes for some milliseconds, and hands over what that gave. */
  saveMore: {
    answer: (saving: number): Answer<SavedPiece> => {
      const piece = saveMore(saving);
      return { value: piece, transfer: [piece.bytes.buffer] };
    },
  },
  /** Forgets it, whole or not. */
  endSaving: { answer: (saving: number) => plain(endSaving(saving)) },
} satisfies VerbEntries;
