// Files packed with gzip: unpacked by the browser in a worker of its own, while the core reads what came out.
//
// The core unpacks by itself what is small, what this worker cannot unpack (damaged, cut short, several members, something behind the
// end), and all where there is no such worker, or in Firefox.

declare const self: DedicatedWorkerGlobalScope;

/** Behind the address of the worker's script. */
const HASH = '#unpack';

const GZIP = [0x1f, 0x8b];

/** The core unpacks less than that, which is some megabytes of a trace, sooner than a worker starts. */
const WORTH_BYTES = 1 << 20;

/** How much is handed over at once. */
const PIECE_BYTES = 512 << 10;
/** How many pieces are on their way at most: the memory that this takes. The browser unpacks in bursts of several MB: with 8 pieces it waited for a fifth of its time. */
const MOST_WAITING = 32;

/** A piece of what came out; `at` is how much of the file had gone in. The last one has none. */
interface Piece {
  bytes: Uint8Array<ArrayBuffer> | null;
  at: number;
}

/** What is sent to the worker that unpacks: a file, or the memory of a piece that was read. */
type ToUnpacker = Blob | ArrayBuffer;

export const isUnpacker = (): boolean => self.location.hash === HASH;

/** Firefox now and then never ends such a stream, and nobody hears of it: some of a hundred damaged files were not opened at all. */
const CAN_UNPACK = typeof DecompressionStream === 'function' && !navigator.userAgent.includes('Firefox/');

/** Whether a file that begins with `first` is unpacked by the browser. */
export const isForBrowser = (first: Uint8Array, size: number): boolean =>
  size >= WORTH_BYTES && first[0] === GZIP[0] && first[1] === GZIP[1] && CAN_UNPACK;

/** A worker that unpacks and has nothing to do: it is started before it is wanted, and unpacks one file after the other. */
let idle: Worker | null = null;

const startedUnpacker = (): Worker => new Worker(self.location.href.split('#')[0] + HASH);

/** Starts the worker that unpacks, so that the first packed file does not wait for it. */
export function readyUnpacker(): void {
  if (idle !== null || !CAN_UNPACK) return;
  let worker: Worker;
  try {
    worker = startedUnpacker();
  } catch {
    // A page from disk may start none, and the core unpacks.
    return;
  }
  worker.onerror = (event) => {
    event.preventDefault();
    if (idle === worker) idle = null;
  };
  idle = worker;
}

/** Those that unpack now: nothing but its own handlers would hold one that waits for a stream, and it could be collected. */
const busy = new Set<Worker>();

/** The pieces that come out of `blob`. Throws where the browser cannot go on, after the pieces before that or some of them. */
export async function* unpackedInWorker(blob: Blob): AsyncGenerator<{ bytes: Uint8Array; at: number }> {
  const worker = idle ?? startedUnpacker();
  idle = null;
  busy.add(worker);
  let is_whole = false;
  try {
    const arrived: Piece[] = [];
    let failed: unknown = null;
    let wake = (): void => undefined;
    worker.onmessage = ({ data }: MessageEvent<Piece>) => {
      arrived.push(data);
      wake();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      failed = event;
      wake();
    };
    worker.postMessage(blob satisfies ToUnpacker);
    while (!is_whole) {
      const piece = arrived.shift();
      if (piece?.bytes) {
        yield { bytes: piece.bytes, at: piece.at };
        worker.postMessage(piece.bytes.buffer satisfies ToUnpacker, [piece.bytes.buffer]);
      } else if (piece) is_whole = true;
      else if (failed !== null) throw failed;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    busy.delete(worker);
    // What was cancelled or failed halfway cannot be stopped otherwise.
    if (is_whole && idle === null) idle = worker;
    else worker.terminate();
  }
}

/** In the worker that unpacks. What goes wrong is thrown, and heard by the worker that started this one. */
export function startUnpacker(): void {
  const free: ArrayBuffer[] = Array.from({ length: MOST_WAITING }, () => new ArrayBuffer(PIECE_BYTES));
  let wake = (): void => undefined;
  const nextFree = async (): Promise<Uint8Array<ArrayBuffer>> => {
    let buffer = free.pop();
    for (; !buffer; buffer = free.pop()) await new Promise<void>((resolve) => (wake = resolve));
    return new Uint8Array(buffer);
  };
  self.onmessage = ({ data }: MessageEvent<ToUnpacker>) => {
    if (data instanceof ArrayBuffer) {
      free.push(data);
      wake();
    } else
      unpack(data, nextFree).catch((thrown: unknown) => {
        setTimeout(() => {
          throw thrown;
        });
      });
  };
}

/** What unpacks now: nothing but its own promises would hold it, and browsers collected such a stream with whoever waited for it. */
const held = new Set<DecompressionStream>();

/** How much of the file is read at once. No stream of the file itself: Firefox collected one that was being read. */
const READ_BYTES = 1 << 20;

async function unpack(blob: Blob, nextFree: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
  const unpacker = new DecompressionStream('gzip');
  held.add(unpacker);
  let at = 0;
  const feed = async (): Promise<void> => {
    const writer = unpacker.writable.getWriter();
    for (let from = 0; from < blob.size; from += READ_BYTES) {
      const bytes = await blob.slice(from, from + READ_BYTES).arrayBuffer();
      await writer.write(new Uint8Array(bytes));
      at = Math.min(from + READ_BYTES, blob.size);
    }
    await writer.close();
  };
  await Promise.all([feed(), handedOver(unpacker.readable.getReader(), nextFree, () => at)]);
  held.delete(unpacker);
  self.postMessage({ bytes: null, at } satisfies Piece);
}

/** Hands over what `reader` reads, in pieces; `at` says how much of the file has gone in. */
async function handedOver(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  nextFree: () => Promise<Uint8Array<ArrayBuffer>>,
  at: () => number,
): Promise<void> {
  let piece = await nextFree();
  let filled = 0;
  const handOver = (): void => {
    self.postMessage({ bytes: piece.subarray(0, filled), at: at() } satisfies Piece, [piece.buffer]);
    filled = 0;
  };
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    for (let rest: Uint8Array = value; rest.byteLength > 0;) {
      const taken = rest.subarray(0, PIECE_BYTES - filled);
      piece.set(taken, filled);
      filled += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
      if (filled === PIECE_BYTES) {
        handOver();
        piece = await nextFree();
      }
    }
  }
  if (filled > 0) handOver();
}
