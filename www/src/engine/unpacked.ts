// What the single file packs with gzip.

/** The bytes that `packed` holds, as they arrive. */
export function unpacked(packed: Uint8Array<ArrayBuffer>, type = ''): Response {
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(bytes, { headers: { 'Content-Type': type } });
}
