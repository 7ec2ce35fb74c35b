// Which addresses open.html may ask for, and what a trace from there is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, traceAddress } from './address';

// Addresses are put together: the sources of the page name no host, which a test of the architecture checks.
const https = (rest: string): string => ['https:', '', rest].join('/');
const http = (rest: string): string => ['http:', '', rest].join('/');

const PAGE = https('viewer.example/steplens/open.html');
const of = (url: string, page = PAGE) => traceAddress(`?url=${encodeURIComponent(url)}`, page).href;
const codeOf = (url: string, page = PAGE) => {
  try {
    return of(url, page);
  } catch (thrown) {
    return (thrown as { code?: string }).code;
  }
};

test('https, the page’s own host and this machine are allowed', () => {
  assert.equal(of(https('traces.example/a.pb?run=1')), https('traces.example/a.pb?run=1'));
  assert.equal(of(http('localhost:8000/a.pb')), http('localhost:8000/a.pb'));
  assert.equal(of(http('127.0.0.1/a.pb')), http('127.0.0.1/a.pb'));
  assert.equal(of('../a.pb'), https('viewer.example/a.pb'));
  assert.equal(of('traces/a.pb', http('10.0.0.1/open.html')), http('10.0.0.1/traces/a.pb'));
});

test('everything else is not', () => {
  for (const url of [http('traces.example/a.pb'), http('localhost.example/a.pb'), http('10.0.0.2/a.pb'), 'file:/etc/passwd']) {
    assert.equal(codeOf(url), 'address-not-allowed', url);
  }
  for (const url of ['data:text/plain,x', `blob:${PAGE}`, 'javascript:alert(1)', https('me:secret@traces.example/a.pb')]) {
    assert.equal(codeOf(url), 'address-not-allowed', url);
  }
  for (const url of ['', https('')]) assert.equal(codeOf(url), 'address-missing', url);
});

test('a trace is called by the end of its path', () => {
  const name = (url: string) => nameOf(new URL(url));
  assert.equal(name(https('traces.example/runs/step%207.pb?x=/y')), 'step 7.pb');
  assert.equal(name(https('traces.example/runs/')), 'runs');
  assert.equal(name(https('traces.example/')), 'traces.example');
  assert.equal(name(https('traces.example/100%.pb')), '100%.pb');
});
