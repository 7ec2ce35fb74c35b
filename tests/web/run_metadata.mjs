// Writes small RunMetadata files by hand: protobuf's wire format in 30 lines, and the few fields that the tests set.

const bytesOf = (text) => new TextEncoder().encode(text);

function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

/** A field of a message: a number as varint, a string or a list of bytes with its length. */
function field(number, value) {
  if (typeof value === 'number' || typeof value === 'bigint') return [...varint(number << 3), ...varint(value)];
  const bytes = typeof value === 'string' ? bytesOf(value) : value;
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
}

/** NodeExecStats; times in microseconds. */
const nodeStats = ({ name, label = '', start, end }) => [
  ...field(1, name),
  ...field(2, start),
  ...field(4, 0),
  ...field(5, end - start),
  ...field(8, label),
];

/** `devices`: [{ device, ops: [{ name, label, start, end }] }], as the bytes of a RunMetadata with one StepStats. */
export function runMetadata(devices) {
  const devStats = devices.map(({ device, ops }) => [...field(1, device), ...ops.flatMap((op) => field(2, nodeStats(op)))]);
  return Uint8Array.from(field(1, devStats.flatMap((dev) => field(1, dev))));
}
