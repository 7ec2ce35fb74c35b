// Bytes as text in the single file: base64, the simplest that every tool that edits, mails, diffs, scans or serves HTML keeps.

export function decode(letters: string): Uint8Array<ArrayBuffer> {
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The bytes of the letters of base64 among `letters`, which may be cut, or hold others. */
export function decodeAny(letters: string): Uint8Array<ArrayBuffer> {
  const own = letters.replace(/[^A-Za-z0-9+/]/g, '');
  // One letter alone is less than a byte.
  return decode(own.length % 4 === 1 ? own.slice(0, -1) : own);
}
