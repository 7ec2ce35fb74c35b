// The wasm says word for word what the native program says, all of it, about every trace; and what only the page asks for is as in tests/golden.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { CHROME_TRACES, FIXTURES, RangeQuery, open } from './core.mjs';
import { ROOT, fixture } from './site.mjs';

/** The program, which `cargo xtask test` builds. */
const PROGRAM = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');

/** As in tests/tests/golden.rs: rows on lines of their own. These texts are short. */
const golden = (text) => `${text.trimEnd().replaceAll('},{', '},\n{').replaceAll(':[{', ':[\n{')}\n`;

/** Fails with the place of the first difference: the texts are long. */
function same(got, want, name) {
  if (got === want) return;
  const at = [...got].findIndex((char, index) => char !== want[index]);
  const around = (text) => text.slice(Math.max(0, at - 60), at + 40);
  assert.fail(`${name} differs at character ${at}: got …${around(got)}…, want …${around(want)}…`);
}

/** What the program prints about `file` with `--json`. */
async function printed(command, file, ...more) {
  const options = { cwd: path.dirname(file), maxBuffer: 1 << 28 };
  const { stdout } = await promisify(execFile)(PROGRAM, [command, '--json', path.basename(file), ...more], options);
  return stdout.trimEnd();
}

/** The page has no list of single waits. */
const withoutWaits = (text) => JSON.stringify({ ...JSON.parse(text), waits: undefined });

/** The page's summary, with the verdict that the page has with its findings: the program's summary has it, too. */
function withVerdict(summary, findings) {
  const { verdict, verdict_main, verdict_figures } = JSON.parse(findings);
  assert.equal(typeof verdict, 'string');
  const figures = verdict_figures === undefined ? '' : `,"verdict_figures":${JSON.stringify(verdict_figures)}`;
  return summary.replace(/"transferred_bytes":\d+,(?:"(?:clocks|doctor)":.*?,)?(?="step":)/, (before) => `${before}"verdict":${JSON.stringify(verdict)},"verdict_main":${JSON.stringify(verdict_main)}${figures},`);
}

/** What lies among the fixtures and is no trace, or none that has an op. */
const NO_TRACE = /\.json$|pickles\.json\.gz$|\.tf2$/;
const list = (folder) => readdirSync(fixture(folder)).sort().map((name) => path.join(folder, name));
const ALL = [...FIXTURES, 'ps2w6.pb.gz', 'gpu/kernels.pb', ...list('chrome'), ...list('containers').filter((name) => !NO_TRACE.test(name))];

/** The view of everything, with these patterns. */
const withPatterns = (session, patterns) => session.showView('content', undefined, [], 'schedule', [], patterns);

for (const file of ['ps4w.pb', 'mnist-adam.pb', 'chrome/ps4w.ctf.json.gz']) {
  test(`${file}: native and wasm are the same with patterns for communication`, async () => {
    const patterns = ['^MatMul', 'Conv2D'];
    const given = patterns.flatMap((pattern) => ['--communication', pattern]);
    const { session } = await open(fixture(file));
    const plain = session.summary();
    // Set while the trace is open, taken back, and set as it is opened.
    withPatterns(session, patterns);
    const { session: opened } = await open(fixture(file), undefined, patterns);
    for (const one of [session, opened]) {
      same(withVerdict(one.summary(), one.findings()), await printed('summary', fixture(file), ...given), `summary of ${file}`);
      same(withoutWaits(one.network()), withoutWaits(await printed('network', fixture(file), ...given)), `network of ${file}`);
      same(one.answer('doctor', ''), await printed('doctor', fixture(file), ...given), `doctor of ${file}`);
      withPatterns(one, []);
      same(one.summary(), plain, `${file} without patterns`);
    }
    assert.throws(() => withPatterns(session, ['(']), { code: 'bad-option' });
    // What was shown is still there.
    same(session.summary(), plain, `${file} after a bad pattern`);
  });
}

for (const file of ALL) {
  test(`${file}: native and wasm are the same`, async () => {
    const { session, summaryJson } = await open(fixture(file));
    const texts = {
      summary: withVerdict(summaryJson, session.findings()),
      ops: session.answer('ops', ''),
      transfers: session.answer('transfers', ''),
      memory: session.answer('memory', ''),
      network: session.network(),
      'critical-path': session.answer('critical-path', ''),
      scheduling: session.answer('scheduling', ''),
      findings: session.findings(),
      steps: session.answer('steps', ''),
      clocks: session.answer('clocks', ''),
      doctor: session.answer('doctor', ''),
    };
    for (const [command, text] of Object.entries(texts)) {
      const kept = command === 'network' ? withoutWaits : (own) => own.trimEnd();
      same(kept(text), kept(await printed(command, fixture(file))), `${command} of ${file}`);
    }
    session.free();
  });
}

for (const file of [...FIXTURES, ...CHROME_TRACES]) {
  test(`${file}: the figures of a range are the golden ones`, async () => {
    const { session, summary } = await open(fixture(file));
    const quarter = Math.floor(summary.span_ns / 4);
    const middle = () => new RangeQuery(quarter, summary.span_ns - quarter);
    const name = `${path.basename(file).replace(/\.(pb|json|json\.gz)$/, '')}.range.json`;
    const text = `${session.range(middle())}\n${session.opTypes(middle())}`;
    same(golden(text), readFileSync(path.join(ROOT, 'tests/golden', name), 'utf8'), name);
    session.free();
  });
}

for (const [a, b] of [['ps4w.pb', 'ps4w-later.pb'], ['mnist-adam.pb', 'multidev.pb'], ['ps4w.pb', 'ps4w-skewed.pb']]) {
  test(`${a} and ${b}: native and wasm compare the same, at once and in pieces`, async () => {
    const [{ session }, { session: other }] = await Promise.all([open(fixture(a)), open(fixture(b))]);
    same(session.compareJson(other), await printed('compare', fixture(a), b), `compare of ${a} and ${b}`);
    let pieces = 1;
    let answer;
    while ((answer = session.compareOne(other)) === undefined) pieces++;
    assert.ok(pieces > 1, `${pieces} pieces`);
    const { device_pairs, changes, ...rest } = JSON.parse(answer);
    // The page replays nothing for it.
    assert.deepEqual(rest, { ...JSON.parse(session.compareJson(other)), findings: null });
    // Each op of A has the partner that has it as its own.
    const { only_a, exact, retyped, renumbered, structural, edited } = rest.matches;
    const ops = Uint32Array.from({ length: rest.a.ops }, (_, op) => op);
    const of_a = session.comparedOps(other, false, ops);
    const partners = ops.map((op) => of_a[2 * op]);
    const paired = ops.filter((op) => partners[op] !== 0xffffffff);
    assert.equal(paired.length, exact + retyped + renumbered + structural + edited);
    assert.equal(rest.a.ops - paired.length, only_a);
    const back = session.comparedOps(other, true, paired.map((op) => partners[op]));
    assert.deepEqual([...paired], [...paired.map((_, at) => back[2 * at])]);
    const changed = (kind) => ops.filter((op) => of_a[2 * op + 1] === kind).length;
    assert.deepEqual([0, 1, 2, 3].map(changed), [changes.same, changes.slower, changes.faster, changes.only_a]);
    assert.equal(new Set(device_pairs.flatMap(({ a }) => (a === null ? [] : [a]))).size, JSON.parse(session.summary()).devices.length);
    // Another step of the same trace is no other trace: nothing differs.
    const sibling = session.sibling();
    assert.equal(JSON.parse(session.compareJson(sibling)).difference_ns, 0);
    for (const own of [sibling, session, other]) own.free();
  });
}

test('what was compared is forgotten with another view, and a comparison that has begun starts over', async () => {
  const [{ session }, { session: other }] = await Promise.all([open(fixture('ps4w.pb')), open(fixture('ps4w-later.pb'))]);
  session.compareOne(other);
  session.arrange('op_type');
  let answer;
  while ((answer = session.compareOne(other)) === undefined);
  assert.equal(JSON.parse(answer).sentence, JSON.parse(session.compareJson(other)).sentence);
  assert.ok(session.comparedPair(other, false, 0).includes('"sentence"'));
  assert.throws(() => session.comparedPair(other, false, 0xfffffff0), { code: 'no-such-op' });
  session.showView('content', undefined, [], 'schedule', [], []);
  assert.throws(() => session.comparedOps(other, false, Uint32Array.of(0)), { code: 'not-open' });
  session.free();
  other.free();
});

test('the size of the slices makes no difference', async () => {
  const whole = await open(fixture('collective.pb'), Infinity);
  const bytes = await open(fixture('collective.pb'), 1);
  assert.equal(bytes.summaryJson, whole.summaryJson);
  assert.equal(bytes.session.answer('ops', ''), whole.session.answer('ops', ''));
});

test('the answer about the network in pieces is the answer at once, also when the lanes are arranged in between', async () => {
  const { session } = await open(fixture('ps4w.pb'));
  const inPieces = () => {
    for (;;) {
      const answer = session.networkOne();
      if (answer !== undefined) return answer;
    }
  };
  same(inPieces(), session.network(), 'at once');
  session.networkOne();
  session.arrange('op_type');
  same(inPieces(), session.network(), 'arranged in between');
  session.free();
});
