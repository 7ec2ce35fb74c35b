// Packs what a host that does not compress would send as it is: next to each file of the page one with .gz and one with .br.
//
//   node xtask/packed.mjs DIST

import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What is not packed already. */
const PACKED = new Set(['.css', '.html', '.js', '.svg', '.txt', '.wasm']);

/** Packs the files of a folder; gives their names. The same files give the same bytes. */
export async function packFolder(folder) {
  const names = (await readdir(folder)).filter((name) => PACKED.has(path.extname(name))).sort();
  for (const name of names) {
    const file = path.join(folder, name);
    const bytes = await readFile(file);
    await writeFile(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    await writeFile(`${file}.br`, brotliCompressSync(bytes, { params }));
  }
  return names;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('packed.mjs needs the folder of the page');
  await packFolder(folder);
}
