// open.html?url=ADDRESS: asks, reads a trace from that address, and hands it to the viewer in a frame, which may request nothing but its own files.
//
// Nothing is requested before the user agrees.
import { el, fill, setText } from './base/dom';
import { formatBytes } from './base/format';
import { LANGUAGE, say } from './base/messages';
import { download, nameOf, otherAddress, traceAddress } from './engine/address';
import { errorBody } from './engine/errors';
import type { SteplensApi } from './views/api';

const VIEWER = './index.html';

const app = document.getElementById('app');
if (!app) throw new Error('the document has no #app');
const card = el('main', { class: 'open-card' });
fill(app, card);

function show(state: 'ask' | 'loading' | 'error', ...children: (Node | string)[]): void {
  document.body.dataset['state'] = state;
  fill(card, el('h1', {}, say('open-title')), ...children);
}

const button = (text: string, onclick: () => void, is_primary = false) =>
  el('button', { class: `button ${is_primary ? 'primary' : 'outlined'}`, type: 'button', onclick }, text);

function viewerLink(): HTMLAnchorElement {
  const link = el('a', {}, say('open-without'));
  link.href = VIEWER;
  return link;
}

function ask(): void {
  let address: URL;
  let other: URL | null;
  try {
    address = traceAddress(location.search, location.href);
    other = otherAddress(location.search, location.href);
  } catch (thrown) {
    fail(thrown, null);
    return;
  }
  show(
    'ask',
    el('p', {}, say('open-from'), ' ', el('strong', { id: 'open-host' }, address.host)),
    el('p', { class: 'open-address', id: 'open-address' }, address.href),
    ...(other
      ? [
          el('p', {}, say('open-compared'), ' ', el('strong', { id: 'open-other-host' }, other.host)),
          el('p', { class: 'open-address', id: 'open-other-address' }, other.href),
        ]
      : []),
    el('p', {}, say('open-what-happens')),
    el(
      'p',
      { class: 'open-buttons' },
      button(say('open-yes'), () => start(address, other), true),
      viewerLink(),
    ),
  );
}

function start(address: URL, other: URL | null): void {
  read(address, other).catch((thrown: unknown) => fail(thrown, address, other));
}

/** What is at both addresses, one after the other, and then the viewer with it. */
async function read(address: URL, other: URL | null): Promise<void> {
  const blob = await got(address);
  const of_b = other && { name: nameOf(other), blob: await got(other) };
  await view(nameOf(address), blob, of_b);
}

async function got(address: URL): Promise<Blob> {
  const stop = new AbortController();
  const said = el('p', { id: 'open-progress', role: 'status' }, say('open-waiting', { host: address.host }));
  const bar = el('progress', { 'aria-label': say('open-title') });
  const buttons = el('p', { class: 'open-buttons' });
  const cancel = button(say('open-cancel'), () => stop.abort());
  fill(buttons, cancel);
  show('loading', said, bar, buttons);
  cancel.focus();
  return download(address, {
    signal: stop.signal,
    onProgress(bytes, of) {
      const read = formatBytes(bytes);
      setText(said, of === null ? say('open-read', { read }) : say('open-read-of', { read, of: formatBytes(of) }));
      if (of !== null) Object.assign(bar, { max: of, value: bytes });
      else bar.removeAttribute('value');
    },
    wantsLarge: (bytes) =>
      new Promise((resolve) => {
        setText(said, say('open-large', { size: formatBytes(bytes), host: address.host }));
        stop.signal.addEventListener('abort', () => resolve(false));
        const more = button(say('open-large-yes'), () => {
          more.remove();
          resolve(true);
        });
        buttons.prepend(more);
      }),
  });
}

function fail(thrown: unknown, address: URL | null, other: URL | null = null): void {
  const { code, message } = errorBody(thrown);
  const alert = el('div', { id: 'error', role: 'alert', 'data-code': code }, el('p', {}, message));
  const again = address && button(say('try-again'), () => start(address, other), true);
  show('error', alert, el('p', { class: 'open-buttons' }, ...(again ? [again] : []), viewerLink()));
}

/** The viewer in the whole window. What it cannot read it says itself. */
async function view(name: string, blob: Blob, other: { name: string; blob: Blob } | null): Promise<void> {
  const frame = el('iframe', { class: 'open-viewer', title: 'Steplens' });
  const asked = new Promise<void>((resolve) => {
    addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
      const is_loaded = typeof data === 'object' && data !== null && 'steplens' in data && data.steplens === 'loaded';
      if (is_loaded && source === frame.contentWindow) resolve();
    });
  });
  // The address behind # is that of a view: the viewer takes it if it is one of this trace.
  frame.src = `${VIEWER}${location.hash}`;
  document.body.append(frame);
  await asked;
  const viewer = frame.contentWindow as (Window & { steplens: SteplensApi }) | null;
  if (!viewer) return;
  const opened = viewer.steplens.openBytes(name, blob).then(
    () => {
      document.title = viewer.document.title;
      if (other) viewer.steplens.compareBytes(other.name, other.blob);
    },
    () => {
      // The viewer shows why.
    },
  );
  document.body.dataset['state'] = 'open';
  card.remove();
  frame.focus();
  // Who copies the address, or leaves, finds the view again.
  const keepView = () => history.replaceState(null, '', `${location.pathname}${location.search}${viewer.location.hash}`);
  for (const type of ['blur', 'pagehide']) viewer.addEventListener(type, keepView);
  await opened;
}

document.documentElement.lang = LANGUAGE;
document.title = say('open-title');
ask();
