// Serves the built page on a free port of this machine and remembers what was asked for.

import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const DIST = path.join(ROOT, 'dist');
export const fixture = (name) => path.join(ROOT, 'tests/fixtures', name);

const MIME = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/json',
};

/** The folder `dist` under `/prefix/`: the page must work from any folder of a host. For `never` it lets the page wait. */
export async function serveSite(folder = DIST, { prefix = '/some/folder/', never = null } = {}) {
  const requested = [];
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    requested.push(pathname);
    const name = pathname.startsWith(prefix) ? pathname.slice(prefix.length) || 'index.html' : '';
    if (never !== null && name === never) return;
    try {
      if (!/^[\w.-]+$/.test(name)) throw new Error('not a file of the page');
      const body = await readFile(path.join(folder, name));
      response.writeHead(200, { 'Content-Type': MIME[path.extname(name)] ?? 'application/octet-stream' }).end(body);
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
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
