// The one plain script of the single file: unpacks the looks and the app, and runs it. Packed they are a third of their size. The
// policy names all of it by hashes, so that this can start nothing else.
import { wantedLanguage } from './base/language';
import type { OtherTexts } from './base/other_texts';
import { decode } from './engine/base64';
import { UNPACKED_CLASS } from './engine/elements';
import { unpacked } from './engine/unpacked';

const packed = (id: string): string | null => document.getElementById(id)?.textContent ?? null;

/** The texts of the reader's language, where it is not English. */
async function putTexts(): Promise<void> {
  const texts = packed(`steplens-packed-texts-${wantedLanguage()}`);
  if (texts !== null) globalThis.steplens_texts = JSON.parse(await unpacked(decode(texts)).text()) as OtherTexts;
}

async function put(tag: string, id: string): Promise<void> {
  const element = document.createElement(tag);
  element.className = UNPACKED_CLASS;
  element.textContent = await unpacked(decode(packed(id) ?? '')).text();
  document.head.append(element);
}

addEventListener('DOMContentLoaded', () => {
  Promise.all([putTexts(), put('style', 'steplens-packed-style')])
    .then(() => put('script', 'steplens-packed-app'))
    // There is no page yet that could show it.
    .catch((thrown: unknown) =>
      // eslint-disable-next-line words/from-catalogue -- the catalogue is in what could not be started
      document.body.append(`Steplens could not start: ${String(thrown)}. The file may be damaged: get it again.`),
    );
});
