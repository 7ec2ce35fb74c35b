// What a shared file holds of the trace's texts: what is asked of the core, and the search through the finished file.
import public_op_types from 'steplens-op-types';
import { say } from '../base/messages';
import type { Engine } from './engine';
import { EngineError } from './errors';
import { carried, carriedOther, type Carried } from './own_page';
import type { RedactionRequest } from './protocol';

/** The kinds of text, in the order of the boxes. */
export const KINDS = ['names', 'op-types', 'hosts', 'tags', 'files', 'shapes', 'notes'] as const;
export type Kind = (typeof KINDS)[number];

/** A key that nobody has had, and that is kept nowhere. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const redactionRequest = (included: ReadonlySet<Kind>, key: string): RedactionRequest => ({
  included: KINDS.filter((kind) => included.has(kind)),
  key,
  public: public_op_types,
});

/** The first hidden word in the data of a finished `file`, which is read as whoever gets it reads it; null where there is none. */
export async function leakIn(engine: Engine, file: Blob, request: RedactionRequest, written: readonly string[]): Promise<string | null> {
  const page = new DOMParser().parseFromString(await file.text(), 'text/html');
  const [data, of_b] = [carried(page), carriedOther(page)];
  if (!data) throw new EngineError({ code: 'page-incomplete', message: say('error-no-place') });
  // What is hidden of either must be in neither.
  const asked: [Carried, boolean][] = of_b
    ? [
        [data, false],
        [data, true],
        [of_b, false],
        [of_b, true],
      ]
    : [[data, false]];
  let word: string | null = null;
  for (const [own, by_b] of asked) word ??= await leakInOne(engine, own, request, written, by_b);
  return word;
}

async function leakInOne(
  engine: Engine,
  { view, options, sources }: Carried,
  request: RedactionRequest,
  written: readonly string[],
  by_b: boolean,
): Promise<string | null> {
  const strings = stringsIn([view, ...new URLSearchParams(view).values(), options]);
  let word: string | null = null;
  for (const { name, blob } of await sources) {
    const session = new Uint8Array(await blob.arrayBuffer());
    word ??= await engine.ask('redactionLeak', request, written, session, [name, ...strings], by_b);
  }
  return word;
}

/** Every string in `value`. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
