// Shared pages, read by the documented letters and no code of ours.

import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { textOfPage } from './steplens.mjs';

/** The note and the session of a page, and the page around them. */
export function dataOf(page) {
  const html = textOfPage(page);
  const after = (mark) => html.split(mark)[1].split('</script>')[0];
  const lost = [0x00, 0x0d, 0x3c, 0xfeff, 0xfffe, 0xffff];
  const packed = [];
  const letters = after('data-letters="utf-16">');
  for (const letter of letters) {
    const code = letter.codePointAt(0);
    const [number, byte] = [(code - 0x10000) >> 8, code & 0xff];
    const unit = code < 0x10000 ? code : number < 0x800 ? 0xd800 + number : lost[number - 0x800];
    if (unit !== undefined) packed.push(unit & 0xff, unit >> 8);
    else assert.equal(number, 0xfff);
    if (code >= 0x10000) packed.push(byte);
  }
  const note = after('id="steplens-export">');
  return { note: JSON.parse(note), session: gunzipSync(Uint8Array.from(packed)), around: html.replace(letters, '').replace(note, '') };
}
