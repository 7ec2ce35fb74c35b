// What the single file packs with gzip.

/** What is being read: nothing but its own promises would hold a stream, and browsers collected one with whoever waited for it. */
const held = new Set<unknown>();

/** The bytes that `packed` holds, as they arrive. */
export function unpacked(packed: Uint8Array<ArrayBuffer>, type = ''): Response {
  const [stream, unpacker] = [new Blob([packed]).stream(), new DecompressionStream('gzip')];
  const parts = [stream, unpacker];
  held.add(parts);
  const release = (): boolean => held.delete(parts);
  // What goes wrong is heard by who reads the response.
  stream.pipeTo(unpacker.writable).then(release, release);
  return new Response(unpacker.readable, { headers: { 'Content-Type': type } });
}
