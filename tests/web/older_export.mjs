// Makes exports as earlier versions of Steplens wrote them, in UTF-8: at first a session of version 1 in the letters of base 85, then one as
// today's in letters of seven bits.
//
// `crates/steplens-formats/src/session/mod.rs` has the layout, and what version 1 had not: categories, and what formats say of devices.

import { gzipSync } from 'node:zlib';

/** The start of every session; its version follows. */
const MAGIC = 'STEPLENS';

function numberAt(bytes, at) {
  let [value, factor] = [0, 1];
  for (;;) {
    const byte = bytes[at++];
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte < 128) return [value, at];
  }
}

function numberOf(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

/** The first `count` columns of a section's body. */
function firstColumns(body, count) {
  let [, at] = numberAt(body, 0);
  for (let column = 0; column < count; column++) {
    const [length, start] = numberAt(body, at);
    at = start + length;
  }
  return body.subarray(0, at);
}

/** `session`, which has version 2, as version 1 had it. */
export function sessionOfVersion1(session) {
  const parts = [Buffer.from(MAGIC), Buffer.of(1)];
  for (let at = MAGIC.length + 1; at < session.length;) {
    const tag = Buffer.from(session.subarray(at, at + 4)).toString('latin1');
    const [length, start] = numberAt(session, at + 4);
    at = start + length;
    if (tag === 'catg') continue;
    const whole = session.subarray(start, at);
    const body = tag === 'devs' ? firstColumns(whole, 2) : whole;
    parts.push(Buffer.from(tag), Buffer.from(numberOf(body.length)), body);
  }
  return Buffer.concat(parts);
}

/** Five letters for four bytes, from `(` on, and `}` for `<`. */
export function base85(bytes) {
  const groups = [];
  for (let from = 0; from < bytes.length; from += 4) {
    const group = Buffer.alloc(4);
    const count = bytes.copy(group, 0, from, from + 4);
    let value = group.readUInt32BE();
    const letters = [];
    for (let i = 0; i < 5; i++) {
      letters.unshift(String.fromCharCode(40 + (value % 85)).replace('<', '}'));
      value = Math.floor(value / 85);
    }
    groups.push(letters.slice(0, count + 1).join(''));
  }
  return groups.join('');
}

/** Seven bits a letter, but for NUL, CR and `<`: one from U+0080 on has the number of these, and the seven bits that follow. */
export function text128(bytes) {
  const lost = [0x00, 0x0d, 0x3c];
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const sevens = (bits.match(/.{1,7}/g) ?? []).map((seven) => Number.parseInt(seven.padEnd(7, '0'), 2));
  const codes = [];
  while (sevens.length > 0) {
    const seven = sevens.shift();
    const number = lost.indexOf(seven);
    if (number < 0) codes.push(seven);
    else codes.push(0x80 + (sevens.length > 0 ? (number << 7) | sevens.shift() : (lost.length << 7) | number));
  }
  return codes.map((code) => String.fromCharCode(code)).join('');
}

/** The single-file page with `session` inside, called `name`, in `lettersOf` its gzip, as `mark` says in its element. */
export function olderExport(page, name, session, lettersOf, mark) {
  const note = { schema: 'steplens.export/1', version: '0.0.1', view: '', files: [{ name, bytes: session.length }], options: { communication: [] } };
  const scripts = [
    `<script type="application/json" id="steplens-export">${JSON.stringify(note)}</script>`,
    `<script type="application/gzip" class="steplens-file"${mark}>${lettersOf(gzipSync(session))}</script>`,
  ].join('\n');
  return page.replace('<!--steplens:data-->', () => scripts);
}
