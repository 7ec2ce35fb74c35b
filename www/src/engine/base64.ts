// Bytes as text in the single file: base64, the simplest that every tool that edits, mails, diffs, scans or serves HTML keeps.

export function decode(letters: string): Uint8Array<ArrayBuffer> {
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
