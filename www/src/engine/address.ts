// Reads a trace from an address that the user agreed to: for open.html, whose policy allows that. The viewer itself requests nothing.
import { say } from '../base/messages';
import { EngineError } from './errors';

/** Larger files are better opened from disk: the browser would keep all of it before the first op is read. */
export const MOST_BYTES = 8 * 2 ** 30;
/** Larger files are asked about once more when their size is known. */
export const LARGE_BYTES = 512 * 2 ** 20;
/** So much of an answer becomes a part of a Blob, which browsers may keep on disk. */
const PART_BYTES = 32 * 2 ** 20;

/** So much of an address is repeated in an error. */
const SHOWN_LETTERS = 200;

const THIS_MACHINE: readonly string[] = ['localhost', '127.0.0.1'];

/** The address in `search` (`?url=…`), which may be relative to `page`. */
export function traceAddress(search: string, page: string): URL {
  const given = new URLSearchParams(search).get('url') ?? '';
  if (given === '') throw failure('address-missing', say('address-missing'));
  return addressOf(given, page);
}

/** That of the trace to compare it with (`&b=…`); null without one. */
export function otherAddress(search: string, page: string): URL | null {
  const given = new URLSearchParams(search).get('b') ?? '';
  return given === '' ? null : addressOf(given, page);
}

function addressOf(given: string, page: string): URL {
  let address: URL;
  try {
    address = new URL(given, page);
  } catch {
    throw failure('address-missing', say('address-unreadable', { address: shown(given) }));
  }
  const { protocol, hostname, origin } = address;
  const is_http = protocol === 'http:' && (origin === new URL(page).origin || THIS_MACHINE.includes(hostname));
  const has_password = address.username !== '' || address.password !== '';
  if ((protocol !== 'https:' && !is_http) || has_password) {
    throw failure('address-not-allowed', say('address-not-allowed', { address: shown(given) }));
  }
  return address;
}

/** `given` in a sentence, like an address itself: nothing in it can turn letters round, hide them or look like others, and it is short. */
function shown(given: string): string {
  const start = [...given.slice(0, 2 * SHOWN_LETTERS)].slice(0, SHOWN_LETTERS).join('');
  const letters = start.replace(/[^\x21-\x7e]/gu, (letter) => encodeURIComponent(letter));
  return start.length < given.length ? `${letters}…` : letters;
}

/** What to call the trace: the end of the path, or the host. */
export function nameOf(address: URL): string {
  const end = address.pathname.split('/').findLast((part) => part !== '') ?? address.hostname;
  try {
    return decodeURIComponent(end);
  } catch {
    // A percent sign that is only that.
    return end;
  }
}

export interface Download {
  signal: AbortSignal;
  /** How much has come, of how much where the server says it. */
  onProgress(read: number, of: number | null): void;
  /** Whether so much is to be read. */
  wantsLarge(bytes: number): Promise<boolean>;
}

/** All that is at `address`. Without cookies, and without saying from where it is asked for. */
export async function download(address: URL, { signal, onProgress, wantsLarge }: Download): Promise<Blob> {
  const { host } = address;
  let response: Response;
  try {
    response = await fetch(address, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (thrown) {
    throw cancelled(signal) ?? failure('address-unreachable', say('address-unreachable', { host, why: words(thrown) }));
  }
  if (!response.ok || response.body === null) {
    throw failure('address-status', say('address-status', { host, status: String(response.status) }));
  }
  const length = Number(response.headers.get('Content-Length') ?? '');
  const of = length > 0 ? length : null;
  if (of !== null && of > MOST_BYTES) throw tooLarge(host);
  if (of !== null && of > LARGE_BYTES && !(await wantsLarge(of))) throw failure('cancelled', say('error-cancelled'));
  return bodyOf(response.body, of, { host, signal, onProgress });
}

interface Reading {
  host: string;
  signal: AbortSignal;
  onProgress: Download['onProgress'];
}

async function bodyOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  of: number | null,
  { host, signal, onProgress }: Reading,
): Promise<Blob> {
  const reader = body.getReader();
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  let in_chunks = 0;
  for (;;) {
    // A packed answer is longer than its length says: then nothing tells how much there is.
    onProgress(read, of !== null && read <= of ? of : null);
    let next: ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;
    try {
      next = await reader.read();
    } catch (thrown) {
      throw cancelled(signal) ?? failure('address-broken-off', say('address-broken-off', { host, at: String(read), why: words(thrown) }));
    }
    if (next.done) break;
    read += next.value.byteLength;
    if (read > MOST_BYTES) throw tooLarge(host);
    chunks.push(next.value);
    in_chunks += next.value.byteLength;
    if (in_chunks >= PART_BYTES) {
      parts.push(new Blob(chunks));
      [chunks, in_chunks] = [[], 0];
    }
  }
  return new Blob([...parts, ...chunks]);
}

const failure = (code: string, message: string): EngineError => new EngineError({ code, message });
const tooLarge = (host: string): EngineError => failure('address-too-large', say('address-too-large', { host }));
const cancelled = (signal: AbortSignal): EngineError | null => (signal.aborted ? failure('cancelled', say('error-cancelled')) : null);
const words = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
