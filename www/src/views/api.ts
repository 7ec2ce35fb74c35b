// What other scripts and embedding pages may ask of this page.
//
//   window.steplens.version, .summary(), .openBytes(name, Uint8Array or Blob, options?)
//
// A page that embeds this one in a frame posts
//   { steplens: 'open', name: string, bytes: Uint8Array | ArrayBuffer | Blob }   or   { steplens: 'summary' }
// and is answered, at the origin it wrote from, with
//   { steplens: 'ready', summary }   or   { steplens: 'error', code, message }
// Once the page can be asked it says so to whoever embeds or opened it: { steplens: 'loaded', version }.
import { say } from '../base/messages';
import { errorBody } from '../engine/errors';
import type { OpenOptions, Summary } from '../engine/protocol';
import { openSources } from '../state/opened/open';
import type { Context } from '../state/state';
import { totalsOf } from '../state/shown/totals';

export interface SteplensApi {
  readonly version: string;
  /** Of the open trace, or null. Its totals of transfers come shortly after the first frame. */
  summary(): Summary | null;
  /** Opens a trace from memory. Resolves with its summary; rejects with an error that has a `code`. */
  openBytes(name: string, bytes: Uint8Array | Blob, options?: Partial<OpenOptions>): Promise<Summary>;
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

export function installApi(context: Context): void {
  const api: SteplensApi = {
    version: context.version,
    summary: () => context.state.trace?.summary ?? null,
    async openBytes(name, bytes, options) {
      const source = { name, blob: new Blob([bytes as Uint8Array<ArrayBuffer> | Blob]) };
      const summary = await openSources(context, [source], { options: { communication: [], ...options } });
      const { trace } = context.state;
      if (trace?.summary === summary) await totalsOf(context, trace);
      return summary;
    },
  };
  window.steplens = Object.freeze(api);
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (!isMessage(event.data) || !event.source || event.source === window) return;
    const { steplens, name, bytes } = event.data;
    const origin = event.origin === 'null' ? '*' : event.origin;
    const reply = (message: object) => event.source?.postMessage(message, { targetOrigin: origin });
    if (steplens === 'summary') reply({ steplens: 'ready', summary: api.summary() });
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
    api.openBytes(name, content).then(
      (summary) => reply({ steplens: 'ready', summary }),
      (thrown: unknown) => reply({ steplens: 'error', ...errorBody(thrown) }),
    );
  });
  const embedder = window.parent === window ? (window.opener as Window | null) : window.parent;
  embedder?.postMessage({ steplens: 'loaded', version: context.version }, '*');
}
