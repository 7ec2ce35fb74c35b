// Writes tar archives (POSIX ustar): names, bytes and whether they are programs; no times and no users, so that equal files give equal archives.

const BLOCK = 512;
/** The longest name, and the longest folder before it. */
const [NAME, PREFIX] = [100, 155];

/** `entries` are `{ name, bytes, is_program }`. */
export function tar(entries) {
  const parts = entries.flatMap(({ name, bytes, is_program = false }) => {
    const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
    return [header(name, bytes.length, is_program ? 0o755 : 0o644), bytes, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(name, size, mode) {
  const [prefix, rest] = split(name);
  const block = Buffer.alloc(BLOCK);
  const octal = (value, at, length) => block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  block.write(rest, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\0', 257);
  block.write('00', 263);
  block.write(prefix, 345);
  const sum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A name is in two parts where it is long, at a slash. */
function split(name) {
  if (Buffer.byteLength(name) <= NAME) return ['', name];
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= PREFIX && Buffer.byteLength(rest) <= NAME) return [prefix, rest];
  }
  throw new Error(`the name is too long for an archive: ${name}`);
}
