// The folder that the page was served with by `steplens serve`: the requests of the page to its own origin.
//
// `crates/steplens-host/src/live/server/page.rs` writes into the page that it is served, and that it may ask its origin.
import { say } from '../../base/messages';
import { EngineError, errorBody } from '../errors';
import { REQUEST_STANDS_S, type TracesBelow, type WatchedFile } from '../requests/watched';
import type { Place } from './place';

const SERVED = 'meta[name="steplens-served"]';
/** That of a dataset: `../fleet/served.ts`. */
const FLEET = 'meta[name="steplens-fleet"]';
const POLICY = 'meta[http-equiv="Content-Security-Policy"]';
const OWN_ORIGIN = "connect-src 'self'; ";

/** The folder; null where the page was not served with one. */
export function servedFolder(page: Document = document): Place | null {
  const name = page.querySelector(SERVED)?.getAttribute('content') ?? null;
  if (name === null) return null;
  return {
    name,
    grows: true,
    async list() {
      const listing = (await (await wanted('folder')).json()) as { files: WatchedFile[] };
      return listing.files;
    },
    async read(path, from, to) {
      // An empty range cannot be asked for.
      if (to <= from) return new Uint8Array();
      const answer = await asked(`folder/${path}`, { headers: { Range: `bytes=${from}-${to - 1}` } });
      if (answer.status === 416) return new Uint8Array();
      if (answer.status === 404) return null;
      const bytes = new Uint8Array(await (await checked(answer)).arrayBuffer());
      return answer.status === 206 ? bytes : bytes.slice(from, to);
    },
    async file(path) {
      const answer = await asked(`folder/${path}`);
      return answer.status === 404 ? null : (await checked(answer)).blob();
    },
    async traces() {
      const { files, unread } = (await (await wanted('traces')).json()) as TracesBelow;
      // The server counts in µs.
      return { files: files.map((file) => ({ ...file, changed: file.changed / 1000 })), unread };
    },
    async trace(path) {
      const answer = await asked(`traces/${path.split('/').map(encodeURIComponent).join('/')}`);
      return answer.status === 404 ? null : (await checked(answer)).blob();
    },
    async ask(request) {
      const processes = request.processes.length > 0 ? request.processes : null;
      const body = JSON.stringify({ ...request, processes, expires_s: REQUEST_STANDS_S });
      const answer = await wanted('requests', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      return ((await answer.json()) as { id: string }).id;
    },
  };
}

/** Makes a copy of the page that of a file: a page that is passed on asks nobody. */
export function asFromDisk(root: Element): void {
  for (const mark of [SERVED, FLEET]) root.querySelector(mark)?.remove();
  const policy = root.querySelector(POLICY);
  policy?.setAttribute('content', (policy.getAttribute('content') ?? '').replace(OWN_ORIGIN, ''));
}

export async function asked(path: string, options: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(`/${path}`, { ...options, cache: 'no-store' });
  } catch (thrown) {
    throw new EngineError({ code: 'server-gone', message: say('watch-server-gone', { why: errorBody(thrown).message }) });
  }
}

const wanted = async (path: string, options?: RequestInit): Promise<Response> => checked(await asked(path, options));

export async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const said = await answer.text();
  let message = said.trim();
  try {
    message = (JSON.parse(said) as { message: string }).message;
  } catch {
    // What the gate says is plain text.
  }
  throw new EngineError({ code: 'server-refused', message: say('watch-server-refused', { status: String(answer.status), why: message }) });
}
