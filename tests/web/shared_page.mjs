// Shared pages, read by no code of ours.

import { gunzipSync } from 'node:zlib';
import { textOfPage } from './steplens.mjs';

/** The note and the session of a page, and the page around them. */
export function dataOf(page) {
  const html = textOfPage(page);
  const after = (mark) => html.split(mark)[1].split('</script>')[0];
  const letters = after('data-letters="base64">');
  const note = after('id="steplens-export">');
  return { note: JSON.parse(note), session: gunzipSync(Buffer.from(letters, 'base64')), around: html.replace(letters, '').replace(note, '') };
}
