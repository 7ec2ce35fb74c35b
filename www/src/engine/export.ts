// Writes the open trace and this page as one HTML file that opens anywhere, without a network.
import { say } from '../base/messages';
import { EXPORT_ELEMENT, FILE_CLASS, UNPACKED_CLASS } from './elements';
import { EngineError } from './errors';
import { LETTERS, type OwnPage } from './own_page';
import type { OpenOptions } from './protocol';
import { BYTE_ORDER_MARK, bytesOf, encode, textOf } from './text_utf16';

/** The place for the data in the single-file page. Written in two parts, so that the page's own script never holds it. */
const MARKER = '<!--' + 'steplens:data-->';

export interface ExportRequest {
  version: string;
  /** The view as a URL fragment. */
  view: string;
  options: OpenOptions;
  /** What to call the session. */
  name: string;
  /** The open trace, as the engine's `sessionBytes` gives it. */
  session: Uint8Array<ArrayBuffer>;
}

export async function exportPage(page: OwnPage, request: ExportRequest): Promise<Blob> {
  const template = await singleFile(page);
  const at = template.indexOf(MARKER);
  if (at < 0)
    throw new EngineError({
      code: 'page-incomplete',
      message: say('error-no-place'),
    });
  const note = {
    schema: 'steplens.export/1',
    version: request.version,
    view: request.view,
    files: [{ name: request.name, bytes: request.session.length }],
    options: request.options,
  };
  // As \u003c, no `<` in a name can end the script element or open a comment.
  const json = JSON.stringify(note).replaceAll('<', '\\u003c');
  const before = `${template.slice(0, at)}<script type="application/json" id="${EXPORT_ELEMENT}">${json}</script>
<script type="application/gzip" class="${FILE_CLASS}" data-letters="${LETTERS}">`;
  const after = `</script>${template.slice(at + MARKER.length)}`;
  const session = await packed(new Blob([request.session]));
  return new Blob([bytesOf(BYTE_ORDER_MARK + before), ...session, bytesOf(after)], { type: 'text/html' });
}

async function singleFile(page: OwnPage): Promise<string> {
  const url = page.fileUrl('steplens.html');
  if (url === null) return ownDocument();
  const response = await fetch(url);
  if (!response.ok)
    throw new EngineError({
      code: 'page-incomplete',
      message: say('error-no-single-file', { status: String(response.status) }),
    });
  return textOf(await response.arrayBuffer());
}

/** This very document as it was before it ran: without what the page drew and without the traces it carries. */
function ownDocument(): string {
  const root = document.documentElement.cloneNode(true) as HTMLElement;
  for (const name of root.getAttributeNames()) if (name !== 'lang') root.removeAttribute(name);
  root.querySelector('#app')?.replaceChildren();
  const body = root.querySelector('body');
  body?.setAttribute('data-state', 'empty');
  const title = root.querySelector('title');
  if (title) title.textContent = 'Steplens';
  for (const element of root.querySelectorAll(`#${EXPORT_ELEMENT}, .${FILE_CLASS}, .${UNPACKED_CLASS}`)) element.remove();
  let html = `<!doctype html>\n${root.outerHTML}`;
  if (!html.includes(MARKER)) html = html.replace(/(?=<script id="steplens-app">)/, () => MARKER);
  return html;
}

/** The gzip of a file in letters, in blobs: neither the file nor its text is ever one string. */
async function packed(blob: Blob): Promise<Blob[]> {
  const reader = blob.stream().pipeThrough(new CompressionStream('gzip')).getReader();
  const blobs: Blob[] = [];
  let rest: Uint8Array = new Uint8Array(0);
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const bytes = new Uint8Array(rest.length + value.length);
    bytes.set(rest);
    bytes.set(value, rest.length);
    const { letters, taken } = encode(bytes, false);
    blobs.push(new Blob([letters]));
    rest = bytes.slice(taken);
  }
  blobs.push(new Blob([encode(rest).letters]));
  return blobs;
}
