// Bytes as text within a UTF-16 HTML file: a letter is two bytes, and all of them are 1.6 % more. So are the page's own parts, by the
// build and this file, and traces in exports, by crates/steplens-formats/src/text_utf16.rs. The page reads both.
//
// A letter is two bytes as one unit of UTF-16LE, so that a file holds them as they are. Some units would not come back: half of a
// surrogate pair, what HTML changes (NUL, CR), `<`, which may end the element, and those that no text holds. Such a unit and the byte that
// follows are a whole surrogate pair, which has 20 bits: 12 for the number of the unit, 8 for the byte. Texts join: what was cut anywhere
// and written in pieces is read as one.

/** The first letter of the file. Browsers read by it, whatever a host's header or the document itself says of the encoding. */
export const BYTE_ORDER_MARK = '\ufeff';

const SURROGATES = 0xd800;
const SURROGATE_COUNT = 0x800;
/** The other units that do not come back; the last three are byte order marks and what is no character. */
const LOST = [0x00, 0x0d, 0x3c, 0xfeff, 0xfffe, 0xffff];
/** In place of a unit's number: there is only the byte. */
const ALONE = 0xfff;

const isSurrogate = (unit: number): boolean => (unit & -SURROGATE_COUNT) === SURROGATES;

/** The number of a unit that does not come back, or a negative one. */
const numberOf = (unit: number): number => {
  if (isSurrogate(unit)) return unit - SURROGATES;
  const at = LOST.indexOf(unit);
  return at < 0 ? at : SURROGATE_COUNT + at;
};

/** The letters of `bytes` as bytes of UTF-16LE. */
export function encode(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // Three bytes take four at most, the last two eight.
  const letters = new Uint8Array(Math.ceil(bytes.length / 3) * 4 + 8);
  let length = 0;
  let taken = 0;
  const put = (unit: number) => {
    letters[length++] = unit;
    letters[length++] = unit >> 8;
  };
  const putPair = (number: number, byte = 0) => {
    const bits = (number << 8) | byte;
    put(SURROGATES | (bits >> 10));
    put(0xdc00 | (bits & 0x3ff));
  };
  while (taken + 1 < bytes.length) {
    const unit = (bytes[taken] ?? 0) | ((bytes[taken + 1] ?? 0) << 8);
    const number = numberOf(unit);
    if (number < 0) put(unit);
    else if (taken + 2 < bytes.length) putPair(number, bytes[taken++ + 2]);
    else break;
    taken += 2;
  }
  while (taken < bytes.length) putPair(ALONE, bytes[taken++]);
  return letters.slice(0, length);
}

export function decode(letters: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(letters.length * 2);
  let length = 0;
  for (let at = 0; at < letters.length; at++) {
    let unit = letters.charCodeAt(at);
    let bits = -1;
    if (isSurrogate(unit)) {
      bits = ((unit & 0x3ff) << 10) | (letters.charCodeAt(++at) & 0x3ff);
      const number = bits >> 8;
      unit = number < SURROGATE_COUNT ? SURROGATES + number : (LOST[number - SURROGATE_COUNT] ?? -1);
    }
    if (unit >= 0) {
      bytes[length++] = unit;
      bytes[length++] = unit >> 8;
    }
    if (bits >= 0) bytes[length++] = bits;
  }
  return bytes.subarray(0, length);
}

/** `text` as bytes of UTF-16LE. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    bytes[at * 2] = text.charCodeAt(at);
    bytes[at * 2 + 1] = text.charCodeAt(at) >> 8;
  }
  return bytes;
}

/** The text of a file in UTF-16LE, without its byte order mark. */
export const textOf = (bytes: ArrayBuffer): string => new TextDecoder('utf-16le').decode(bytes);
