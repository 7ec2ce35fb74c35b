// A trace of the worker's own making, opened before the user's: the browser compiles a WebAssembly function well only after it was
// called often enough, and never replaces one that runs. What opening calls once, such as sorting and packing, is called here
// in many short rounds; between two of them a question of the page is answered.
import { RangeQuery, Session } from 'steplens-wasm';

const OPS = 512;
/** How often each round reads the step: messages that follow one another merge. Making it takes longer than reading it. */
const REPEATS = 4;
const ROUNDS = 16;
const NODES = 64;
const WORKER = '/job:worker/replica:0/task:0/device:CPU:0';
const PS = '/job:ps/replica:0/task:0/device:CPU:0';
/** Of the size of real ones, so that numbers have as many bytes. */
const START_MICROS = 1_795_196_148_647_448;

/** Ends early once `isWanted` is false. */
export async function warmUp(isWanted: () => boolean, nextTurn: () => Promise<void>): Promise<void> {
  const step = runMetadata();
  for (let round = 0; round < ROUNDS && isWanted(); round++) {
    openAndAsk(step);
    await nextTurn();
  }
}

function openAndAsk(step: Uint8Array): void {
  const session = new Session([]);
  session.beginFile('warm-up');
  for (let time = 0; time < REPEATS; time++) session.push(step);
  session.endFile();
  session.finish();
  const end_ns = OPS * 10_000;
  session.marks(0, end_ns, 1600, Uint32Array.of(0, 1), Float32Array.of(18, 18), 5000).free();
  session.minimap(64);
  session.opTypes(new RangeQuery(0, end_ns));
  session.concurrency(new RangeQuery(0, end_ns), 64).free();
  while (session.prepareOne('transfers'));
  session.totals();
  session.free();
}

/** RunMetadata { step_stats { dev_stats { device, node_stats... } } }, with the field numbers of step_stats.proto. */
function runMetadata(): Uint8Array<ArrayBuffer> {
  const ops = Array.from({ length: OPS }, (_, index) => bytes(2, index % 4 === 3 ? received(index) : computed(index)));
  const device = [...bytes(1, text(WORKER)), ...ops.flat()];
  return Uint8Array.from(bytes(1, bytes(1, device)));
}

function computed(index: number): number[] {
  const name = `net/layer_${index % NODES}/Conv2D`;
  return [
    ...bytes(1, text(name)),
    ...times(index),
    ...bytes(6, [...bytes(1, text('cpu')), ...number(2, 4096), ...bytes(6, [...number(1, START_MICROS), ...number(2, 4096)])]),
    ...bytes(
      7,
      bytes(3, [...number(1, 1), ...bytes(2, bytes(2, number(1, 32))), ...bytes(4, [...number(1, 4096), ...bytes(3, text('cpu'))])]),
    ),
    ...bytes(8, text(`${name} = Conv2D(net/layer_${(index + 1) % NODES}/Conv2D, net/w/read)`)),
    ...number(9, START_MICROS + index * 10 - 3),
    ...number(13, (START_MICROS + index * 10) * 1000),
  ];
}

function received(index: number): number[] {
  const size = bytes(7, bytes(3, bytes(4, number(1, 4096))));
  return [
    ...bytes(1, text('RecvTensor')),
    ...times(index),
    ...size,
    // eslint-disable-next-line words/from-catalogue -- a label as TensorFlow writes it
    ...bytes(8, text(`[4096B] [1.000000Mb/s] edge_${index % NODES}_net/w/read from ${PS} to ${WORKER}`)),
  ];
}

const times = (index: number): number[] => [...number(2, START_MICROS + index * 10), ...number(3, 1), ...number(4, 7), ...number(5, 8)];

const text = (value: string): number[] => [...new TextEncoder().encode(value)];
const number = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)];
const bytes = (field: number, value: number[]): number[] => [...varint(field * 8 + 2), ...varint(value.length), ...value];

/** Times in ns pass 2^53: what a double cannot tell apart there does not matter here. */
function varint(value: number): number[] {
  const groups = [];
  for (; value >= 128; value = Math.floor(value / 128)) groups.push((value % 128) + 128);
  return [...groups, value];
}
