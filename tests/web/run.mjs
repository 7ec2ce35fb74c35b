// Runs files of browser tests, and lends them browsers, which are started once for all files:
//
//   node tests/web/run.mjs --at-once N [options of `node --test`] FILE...
//
// Each browser is lent to one file at a time, which makes a context of its own in it: what one file leaves (storage, a clipboard, windows that
// have the focus) no other one meets. There are as many Chromiums as files run at the same time, and one Firefox: it serves one at a time anyway.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { start } from './browsers.mjs';
import { inOneFile } from './puppeteer.mjs';

const [option, at_once, ...rest] = process.argv.slice(2);
if (option !== '--at-once' || !(Number(at_once) > 0)) throw new Error('run.mjs needs --at-once N first');

/** Browsers of one kind, at most `most` of them. */
class Pool {
  #free = [];
  #waiting = [];
  #all = new Set();

  constructor(kind, most) {
    Object.assign(this, { kind, most });
  }

  async take() {
    if (this.#free.length > 0) return this.#free.pop();
    if (this.#all.size >= this.most) return new Promise((resolve) => this.#waiting.push(resolve));
    const place = {};
    this.#all.add(place);
    return Object.assign(place, await start(this.kind));
  }

  async put(started, is_clean) {
    // Nobody knows what is left in it.
    if (!is_clean) {
      console.log(`a test ended without giving back its ${this.kind}: it is started again`);
      await started.close().catch((error) => console.log(`it could not be closed: ${error.message}`));
      Object.assign(started, await start(this.kind));
    }
    const next = this.#waiting.shift();
    if (next) next(started);
    else this.#free.push(started);
  }

  close() {
    return Promise.all([...this.#all].map((started) => started.close()));
  }
}

const pools = { chrome: new Pool('chrome', Number(at_once)), firefox: new Pool('firefox', 1) };
const lender = http.createServer(async (request, response) => {
  const pool = pools[request.url.slice(1)];
  const started = await pool.take();
  let word = '';
  request.setEncoding('utf8').on('data', (part) => (word += part));
  let is_back = false;
  const put = (is_clean) => {
    if (is_back) return;
    is_back = true;
    void pool.put(started, is_clean);
  };
  request.on('end', () => {
    put(word === 'clean');
    response.end();
  });
  response.on('close', () => put(false));
  response.write(await started.lend());
});
// A file may wait long for a browser, and keep it long.
Object.assign(lender, { timeout: 0, requestTimeout: 0, headersTimeout: 0 });
lender.listen(0, '127.0.0.1');
await once(lender, 'listening');

const env = { ...process.env, STEPLENS_BROWSERS: `http://127.0.0.1:${lender.address().port}`, STEPLENS_PUPPETEER: await inOneFile() };
// The core in a test is compiled by what is quick to compile, as in the browsers.
const tests = spawn(process.execPath, ['--liftoff-only', '--test', `--test-concurrency=${at_once}`, ...rest], { stdio: 'inherit', env });
const [code] = await once(tests, 'exit');
lender.closeAllConnections();
lender.close();
await Promise.all(Object.values(pools).map((pool) => pool.close()));
process.exitCode = code ?? 1;
