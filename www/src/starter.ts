// The one plain script of the single file: unpacks the looks and the app, and runs it. Packed they are a third of their size. The
// policy names all of it by hashes, so that this can start nothing else.
import { UNPACKED_CLASS } from './engine/own_page';
import { decode } from './engine/text128';
import { unpacked } from './engine/unpacked';

async function put(tag: string, id: string): Promise<void> {
  const element = document.createElement(tag);
  element.className = UNPACKED_CLASS;
  element.textContent = await unpacked(decode(document.getElementById(id)?.textContent ?? '')).text();
  document.head.append(element);
}

addEventListener('DOMContentLoaded', () => {
  put('style', 'steplens-packed-style')
    .then(() => put('script', 'steplens-packed-app'))
    // There is no page yet that could show it.
    .catch((thrown: unknown) =>
      // eslint-disable-next-line words/from-catalogue -- the catalogue is in what could not be started
      document.body.append(`Steplens could not start: ${String(thrown)}. The file may be damaged: get it again.`),
    );
});
