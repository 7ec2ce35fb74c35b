// What other scripts and embedding pages may ask of this page.
//
//   window.steplens.version, .summary(), .openBytes(name, Uint8Array or Blob, options?), .compareBytes(name, Uint8Array or Blob)
//
// A page that embeds this one in a frame posts
//   { steplens: 'open', name: string, bytes: Uint8Array | ArrayBuffer | Blob }   or   { steplens: 'summary' }
// and is answered, at the origin it wrote from, with
//   { steplens: 'ready', summary }   or   { steplens: 'error', code, message }
// After { steplens: 'follow' } it hears what is selected, now and whenever that changes:
//   { steplens: 'selected', op, range, step }
// The answer to 'summary' is null for a page that did not open all that is shown, and it hears of no selection: what the user opened is
// not that page's to read. What is inside a document that the embedding page wrote itself (`srcdoc`) is that page's.
// Once the page can be asked it says so to whoever embeds or opened it: { steplens: 'loaded', version }.
import { say } from '../base/messages';
import { errorBody } from '../engine/errors';
import type { OpenOptions, Source, Summary } from '../engine/protocol';
import { compareWith } from '../state/opened/compare';
import { openSources } from '../state/opened/open';
import { Changed } from '../state/frame';
import type { Context } from '../state/state';
import type { Giver } from '../state/types';
import { totalsOf } from '../state/shown/totals';
import { selected } from './selected';

export interface SteplensApi {
  readonly version: string;
  /** Of the open trace, or null. Its totals of transfers come shortly after the first frame. */
  summary(): Summary | null;
  /** Opens a trace from memory. Resolves with its summary; rejects with an error that has a `code`. */
  openBytes(name: string, bytes: Uint8Array | Blob, options?: Partial<OpenOptions>): Promise<Summary>;
  /** Compares the open trace with one from memory, as the user does; what fails the page says. */
  compareBytes(name: string, bytes: Uint8Array | Blob): void;
}

declare global {
  interface Window {
    steplens: SteplensApi;
  }
}

interface Message {
  steplens: string;
  name?: unknown;
  bytes?: unknown;
}

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'steplens' in data && typeof data.steplens === 'string';

const post = ({ window, origin }: Giver, message: object): void =>
  window.postMessage(message, { targetOrigin: origin === null || origin === 'null' ? '*' : origin });

/** What a document that another page wrote (`srcdoc`) carries is that page's. */
export function giveToWriter({ state }: Context, sources: readonly { blob: Blob }[]): void {
  if (!location.href.startsWith('about:srcdoc')) return;
  for (const { blob } of sources) state.givers.set(blob, { window: window.parent, origin: null });
}

export function installApi(context: Context): void {
  const api: SteplensApi = {
    version: context.version,
    summary: () => context.state.trace?.summary ?? null,
    openBytes: (name, bytes, options) => openBlob(name, new Blob([bytes as Uint8Array<ArrayBuffer> | Blob]), options),
    compareBytes: (name, bytes) => compareWith(context, [{ name, blob: new Blob([bytes as Uint8Array<ArrayBuffer> | Blob]) }]),
  };
  const { givers } = context.state;
  const openBlob = async (name: string, blob: Blob, options?: Partial<OpenOptions>): Promise<Summary> => {
    const source = { name, blob };
    const summary = await openSources(context, [source], { options: { communication: [], ...options } });
    const { trace } = context.state;
    if (trace?.summary === summary) await totalsOf(context, trace);
    return summary;
  };
  const isGivenBy = (source: Source, { window, origin }: Giver): boolean => {
    const giver = 'blob' in source ? givers.get(source.blob) : undefined;
    return giver?.window === window && (giver.origin === null || giver.origin === origin);
  };
  const isOf = (giver: Giver): boolean => context.state.trace?.sources.every((source) => isGivenBy(source, giver)) ?? false;
  const followers = new Map<Giver, string>();
  const tellFollowers = (): void => {
    for (const [giver, heard] of followers) {
      if (!isOf(giver)) continue;
      const now = selected(context.state);
      const text = JSON.stringify(now);
      if (text === heard) continue;
      followers.set(giver, text);
      post(giver, { steplens: 'selected', ...now });
    }
  };
  context.frame.onDom([Changed.selection, Changed.scope, Changed.trace], tellFollowers);
  window.steplens = Object.freeze(api);
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (!isMessage(event.data) || !event.source || event.source === window) return;
    const { steplens, name, bytes } = event.data;
    const giver: Giver = { window: event.source, origin: event.origin };
    const reply = (message: object) => post(giver, message);
    if (steplens === 'summary') reply({ steplens: 'ready', summary: isOf(giver) ? api.summary() : null });
    if (steplens === 'follow') {
      for (const { window } of followers.keys()) if (window === giver.window) return;
      followers.set(giver, '');
      tellFollowers();
    }
    if (steplens !== 'open') return;
    const content = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
    if (typeof name !== 'string' || !(content instanceof Uint8Array || content instanceof Blob)) {
      reply({
        steplens: 'error',
        code: 'bad-message',
        message: say('error-bad-message'),
      });
      return;
    }
    const blob = new Blob([content as Uint8Array<ArrayBuffer> | Blob]);
    givers.set(blob, giver);
    openBlob(name, blob).then(
      (summary) => reply({ steplens: 'ready', summary }),
      (thrown: unknown) => reply({ steplens: 'error', ...errorBody(thrown) }),
    );
  });
  const embedder = window.parent === window ? (window.opener as Window | null) : window.parent;
  embedder?.postMessage({ steplens: 'loaded', version: context.version }, '*');
}
