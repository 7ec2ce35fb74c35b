// Bytes as text within an HTML file: five letters for four bytes, a quarter more, where base64 takes a third.
//
// The letters are `(` to `|` of ASCII, but `}` for `<`, so that no text ends or opens an element. Of a group cut short the letters
// that it lacks are the last ones. crates/steplens-formats/src/base85.rs does the same.

const FIRST = 40;
const LAST = 124;
const LESS = 60;
const FOR_LESS = 125;

/** The letters' codes. */
export function encode(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const letters = new Uint8Array(Math.ceil((bytes.length * 5) / 4));
  // What is written beyond the end of the letters is no more.
  for (let from = 0, to = 0; from < bytes.length; from += 4, to += 5) {
    let group = 0;
    for (let i = 0; i < 4; i++) group = group * 256 + (bytes[from + i] ?? 0);
    for (let i = 4; i >= 0; i--) {
      const code = FIRST + (group % 85);
      letters[to + i] = code === LESS ? FOR_LESS : code;
      group = Math.floor(group / 85);
    }
  }
  return letters;
}

export function decode(letters: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((letters.length * 4) / 5));
  for (let from = 0, to = 0; from < letters.length; from += 5, to += 4) {
    let group = 0;
    for (let i = from; i < from + 5; i++) {
      const code = i < letters.length ? letters.charCodeAt(i) : LAST;
      group = group * 85 + (code === FOR_LESS ? LESS : code) - FIRST;
    }
    for (let i = 0; i < 4; i++) bytes[to + i] = group >>> (24 - 8 * i);
  }
  return bytes;
}
