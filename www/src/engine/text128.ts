// Bytes as text within a UTF-8 HTML file: seven bits a byte. Exports have their traces in these letters from when base85.ts was left to when
// the file became UTF-16 (text_utf16.ts).
//
// A letter is the seven bits as a character of ASCII. Three of them would not come back: NUL, CR, and `<`, which may end the element. For
// one of these a character of two bytes, from U+0080, has its number and the seven bits that follow, so that it costs no more.

const LOST = [0x00, 0x0d, 0x3c];
const TWO_BYTES = 0x80;
/** In place of a number: the text ends with the letter whose number comes in the low bits. */
const AT_END = LOST.length;

export function decode(letters: string): Uint8Array<ArrayBuffer> {
  // A letter has fourteen bits at most.
  const bytes = new Uint8Array(Math.ceil((letters.length * 14) / 8));
  let length = 0;
  let bits = 0;
  let held = 0;
  const take = (seven: number) => {
    bits = (bits << 7) | seven;
    held += 7;
    if (held < 8) return;
    held -= 8;
    bytes[length++] = bits >> held;
    bits &= (1 << held) - 1;
  };
  for (let at = 0; at < letters.length; at++) {
    const code = letters.charCodeAt(at);
    if (code < TWO_BYTES) take(code);
    else {
      const number = (code - TWO_BYTES) >> 7;
      const low = (code - TWO_BYTES) & 0x7f;
      take(LOST[number === AT_END ? low : number] ?? 0);
      if (number !== AT_END) take(low);
    }
  }
  return bytes.slice(0, length);
}
