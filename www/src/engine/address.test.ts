// Which addresses open.html may ask for, and what a trace from there is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, otherAddress, traceAddress } from './address';

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

test('letters that look like others are shown as what they are', () => {
  // Cyrillic а and е, a full-width dot, a soft hyphen, and letters that turn round what follows: a reader sees the host that is asked.
  const hosts: [string, string][] = [
    ['\u0430pple.example', 'xn--pple-43d.example'],
    ['trac\u0435s.example', 'xn--tracs-2we.example'],
    ['traces\uff0eexample', 'traces.example'],
    ['tra\u00adces.example', 'traces.example'],
    ['\uff11\uff12\uff17.0.0.1', '127.0.0.1'],
  ];
  for (const [host, seen] of hosts) {
    for (const read of [traceAddress, (search: string, page: string) => otherAddress(search.replace('?url', '?b'), page)]) {
      assert.equal(read(`?url=${encodeURIComponent(https(`${host}/a.pb`))}`, PAGE)?.host, seen);
    }
  }
  for (const bidi of ['\u202e', '\u2066', '\u200f']) {
    assert.match(String(of(https(`traces.example/${bidi}bp.a`))), /^[\x21-\x7e]+$/);
    assert.equal(codeOf(https(`traces${bidi}.example/a.pb`)), 'address-missing', 'no host has such letters');
  }
});

test('an address that is refused says nothing but itself', () => {
  const saidOf = (url: string): string => {
    try {
      return of(url);
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };
  const turned = saidOf('javascript:\u202e)1(trela\u0430\n');
  assert.ok(turned.includes('javascript:%E2%80%AE)1(trela%D0%B0%0A'), turned);
  const long = saidOf(`javascript:${'x'.repeat(1_000_000)}`);
  assert.ok(long.includes(`:${'x'.repeat(189)}…`) && long.length < 500, long.slice(0, 500));
  assert.equal(codeOf(https(`traces.example/${'a'.repeat(100_000)}`))?.length, https('traces.example/').length + 100_000);
});

test('an address within an address is one of the page’s own host', () => {
  assert.equal(of('?url=a'), https('viewer.example/steplens/open.html?url=a'));
  assert.equal(codeOf(`filesystem:${PAGE}`), 'address-not-allowed');
  // Two strokes begin another host, in either direction.
  assert.equal(of('//other.example/a.pb'), https('other.example/a.pb'));
  assert.equal(of('\\\\other.example\\a.pb'), https('other.example/a.pb'));
});

test('a trace is called by the end of its path', () => {
  const name = (url: string) => nameOf(new URL(url));
  assert.equal(name(https('traces.example/runs/step%207.pb?x=/y')), 'step 7.pb');
  assert.equal(name(https('traces.example/runs/')), 'runs');
  assert.equal(name(https('traces.example/')), 'traces.example');
  assert.equal(name(https('traces.example/100%.pb')), '100%.pb');
});
