// The open trace and this page as one HTML file that opens anywhere, without a network: the core writes what it carries, here it gets its page.
import { say } from '../base/messages';
import { EXPORT_ELEMENT, FILE_CLASS, OTHER_ELEMENT, OTHER_FILE_CLASS, UNPACKED_CLASS } from './elements';
import { EngineError } from './errors';
import type { OwnPage } from './own_page';
import { asFromDisk } from './watched/served';

/** The comment in the place for the data of the single-file page. Made of two parts, so that the page's own script never holds it. */
const PLACE = 'steplens:data';
const MARKER = `<!--${PLACE}${'-->'}`;

/** The page around `data`, which the core wrote. */
export async function exportPage(page: OwnPage, data: Blob[]): Promise<Blob> {
  const template = await singleFile(page);
  const at = template.indexOf(MARKER);
  if (at < 0)
    throw new EngineError({
      code: 'page-incomplete',
      message: say('error-no-place'),
    });
  const [before, after] = [template.slice(0, at), template.slice(at + MARKER.length)];
  return new Blob([before, ...data, after], { type: 'text/html' });
}

/** Data of a page as that of B: its elements have other names. The core writes all that stands before the letters at once. */
export async function asOther([first, ...rest]: Blob[]): Promise<Blob[]> {
  if (!first) return [];
  const text = await first.text();
  // Nothing in the note can be taken for these: quotes are escaped there.
  const renamed = text
    .replace(`id="${EXPORT_ELEMENT}"`, `id="${OTHER_ELEMENT}"`)
    .replace(`class="${FILE_CLASS}"`, `class="${OTHER_FILE_CLASS}"`);
  return [new Blob([renamed]), ...rest];
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
  return response.text();
}

/** The attributes of the body before the page runs. */
const AT_START = { 'data-state': 'empty', 'data-trace': 'none', 'data-fleet': 'none' };

/** This very document as it was before it ran: without what the page drew and without the traces it carries. */
function ownDocument(): string {
  const root = document.documentElement.cloneNode(true) as HTMLElement;
  for (const name of root.getAttributeNames()) if (name !== 'lang') root.removeAttribute(name);
  root.querySelector('#app')?.replaceChildren();
  const body = root.querySelector('body');
  for (const [name, value] of Object.entries(AT_START)) body?.setAttribute(name, value);
  const title = root.querySelector('title');
  if (title) title.textContent = 'Steplens';
  for (const element of root.querySelectorAll(`.${UNPACKED_CLASS}`)) element.remove();
  asFromDisk(root);
  const data = [...root.querySelectorAll(`#${EXPORT_ELEMENT}, .${FILE_CLASS}, #${OTHER_ELEMENT}, .${OTHER_FILE_CLASS}`)];
  const [first, last] = [data[0], data.at(-1)];
  if (first && last) {
    const place = document.createRange();
    place.setStartBefore(first);
    place.setEndAfter(last);
    place.deleteContents();
    place.insertNode(document.createComment(PLACE));
  }
  return `<!doctype html>\n${root.outerHTML}`;
}
