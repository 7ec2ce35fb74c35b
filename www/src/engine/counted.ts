// How much of a response has arrived: what people wait for on a slow network.

/** How far a download is. Bytes are unpacked ones, as those of `total_bytes` are; 0 is not known. */
export class Arriving {
  bytes = 0;
  /** Hears of each piece; null while nobody waits. */
  heard: (() => void) | null = null;

  constructor(public total_bytes: number) {}

  add(bytes: number): void {
    this.bytes += bytes;
    this.heard?.();
  }
}

/** The same response, whose bytes are counted as they pass. */
export function counted(response: Response, arriving: Arriving): Response {
  if (!response.body) return response;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      arriving.add(piece.byteLength);
      controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(count), { status, statusText, headers });
}

/** How long a response is once it is unpacked; 0 where a host packs it on its way, because the length is then of what is packed. */
export const lengthOf = ({ headers }: Response): number =>
  headers.get('Content-Encoding') !== null ? 0 : Number(headers.get('Content-Length') ?? 0);
