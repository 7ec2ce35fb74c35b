// Bytes as text within an HTML file: five letters for four bytes, a quarter more, where base64 takes a third.
//
// The letters are `(` to `|` of ASCII, but `}` for `<`, so that no text ends or opens an element. Of a group cut short the letters
// that it lacks are the last ones. The first exports have their traces in these letters, later ones in those of text128.ts.

const FIRST = 40;
const LAST = 124;
const LESS = 60;
const FOR_LESS = 125;

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
