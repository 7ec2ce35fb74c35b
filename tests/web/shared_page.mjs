// Shared pages, read by no code of ours.

import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { textOfPage } from './steplens.mjs';

/** CRC-32C as RFC 3720 has it, in the eight hexadecimal digits of a page. */
function crc32c(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, '0');
}

/** The note and the session of a page, and the page around them. */
export function dataOf(page) {
  const html = textOfPage(page);
  const after = (mark) => html.split(mark)[1].split('</script>')[0];
  const letters = after('data-letters="base64">');
  const note = after('id="steplens-export">');
  const checksum = html.match(/ data-crc32c="(\w{8})" id="steplens-export"/)[1];
  assert.equal(checksum, crc32c(Buffer.from(note)), 'the checksum of the note');
  const around = html.replace(letters, '').replace(note, '').replace(checksum, '');
  return { note: JSON.parse(note), session: gunzipSync(Buffer.from(letters, 'base64')), around };
}
