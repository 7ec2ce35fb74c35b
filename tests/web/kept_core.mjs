// Keeps the compiled core in the process of Chromium that the pages of a file of tests live in.
//
// Every page has a worker of its own, which checks the functions of the core as they arrive and compiles each when it is first called: a third of
// what it takes to load the page and to open a trace. V8 has one copy of a module for a whole process, compiled functions included, as long as
// anybody in it holds the module. So one page more holds it, and pages of one site share a process (`--process-per-site`; ports make no difference).

import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { builtFile, DIST } from './site.mjs';

/** Opens the page that holds the core of the tested page, behind all others, within `patience_ms`; `close` takes it away. */
export async function keepCore(contexts, patience_ms) {
  const server = http.createServer(async (request, response) => {
    const [type, body] = request.url === '/core' ? ['application/wasm', await readFile(path.join(DIST, builtFile('steplens', 'wasm')))] : ['text/html', ''];
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails may not get to close it; it must end all the same.
  server.unref();
  const page = await contexts.newPage({ background: true });
  page.setDefaultTimeout(patience_ms);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(async () => {
    window.core = await WebAssembly.compileStreaming(fetch('core'));
  });
  return {
    async close() {
      await page.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
