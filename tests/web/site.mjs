// Serves the built page on a free port of this machine and remembers what was asked for.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** The page that is tested: `cargo xtask` says which. By hand, that of `cargo xtask serve` and `cargo xtask test`. */
export const DIST = path.resolve(ROOT, process.env.STEPLENS_PAGE_FOLDER ?? 'target/page');
/** The core of that page, with its bindings. */
export const BINDINGS = path.resolve(ROOT, process.env.STEPLENS_BINDINGS ?? 'www/build/wasm-quick');
/** The file `name` of the built page, which has a hash in its name. */
export const builtFile = (name, ending) => readdirSync(DIST).find((file) => new RegExp(`^${name}-\\w+\\.${ending}$`).test(file));
export const fixture = (name) => path.join(ROOT, 'tests/fixtures', name);

/** A file of each format and packing that is read. */
export const EVERY_FORMAT = [
  'mnist-adam.pb',
  'chrome/timeline-hook.json',
  'chrome/ps4w.ctf.json.gz',
  'containers/mnist-adam.pbtxt',
  'containers/mnist-adam.pb.zst',
  'containers/mnist-adam.step_stats.pb',
  'containers/events.out.tfevents.1795196999.host',
  'containers/tf2.xplane.pb',
  'containers/paddle-trainer0.profile',
  'containers/mnist-adam.p2.pickle',
  'containers/tracing-session.pickle.gz',
].map(fixture);

const MIME = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/json',
};

/**
 * The folder `dist` under `/prefix/`: the page must work from any folder of a host. `types` are other types for some endings. For
 * the file `held` it lets the page wait until `release` is called, where `half` after the first half of it; `without` a file there
 * is none. Without `keeps` a browser asks for each file whenever it is loaded.
 */
export async function serveSite(folder = DIST, { prefix = '/some/folder/', types = {}, held = null, half = false, without = null, keeps = true } = {}) {
  const requested = [];
  const sent = [];
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    requested.push(pathname);
    const name = pathname.startsWith(prefix) ? pathname.slice(prefix.length) || 'index.html' : '';
    const is_held = held !== null && name === held;
    if (is_held && !half) await released;
    try {
      if (!/^[\w.-]+$/.test(name) || name === without) throw new Error('not a file of the page');
      const body = await readFile(path.join(folder, name));
      const headers = {
        'Content-Type': { ...MIME, ...types }[path.extname(name)] ?? 'application/octet-stream',
        'Content-Length': body.length,
        // As hosts of static files do: what has a hash in its name stays as it is.
        'Cache-Control': !keeps ? 'no-store' : /-\w{8,}\.\w+$/.test(name) ? 'max-age=31536000, immutable' : 'no-cache',
      };
      response.writeHead(200, headers);
      const middle = is_held && half ? Math.floor(body.length / 2) : 0;
      if (middle > 0) {
        response.write(body.subarray(0, middle));
        await released;
      }
      response.end(body.subarray(middle), () => sent.push(name));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails may not get to close it; it must end all the same.
  server.unref();
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    requested,
    release,
    /** Waits until a file whose name matches was sent, whole. */
    sent: async (pattern) => {
      while (!sent.some((name) => pattern.test(name))) await setTimeout(20);
    },
    /** Waits until a file whose name matches was asked for. */
    asked: async (pattern) => {
      while (!requested.some((pathname) => pattern.test(path.basename(pathname)))) await setTimeout(20);
    },
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
