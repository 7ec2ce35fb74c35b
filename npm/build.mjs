// Makes the npm package: the core, the element and the viewer as modules with types, and its tarball.
//
//   node npm/build.mjs --core DIR --page DIR --out DIR
//
// DIR of --core holds what wasm-pack made of the core (xtask/src/npm_core.rs), that of --page the hosted page. Types of answers are made from
// `schemas/`.

import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const ROOT = path.join(HERE, '..');
const TSC = path.join(ROOT, 'www/node_modules/typescript-7/bin/tsc');
const BINDINGS = ['steplens_npm.js', 'steplens_npm.d.ts'];
/** What of the page is for who visits it: a link that asks, and what keeps it without a network. */
const NOT_IN_VIEWER = new Set(['sw.js', 'open.html', 'open.js', 'open.css', 'steplens.html']);

const { values: args } = parseArgs({ options: { core: { type: 'string' }, page: { type: 'string' }, out: { type: 'string' } } });
for (const name of ['core', 'page', 'out']) if (!args[name]) throw new Error(`npm/build.mjs needs --${name}`);
const [core, page, out] = ['core', 'page', 'out'].map((name) => path.resolve(args[name]));

/** `critical-path` -> `CriticalPath`. */
const typeName = (name) => name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

/** What a schema allows, as a type of TypeScript. */
function typeOf(schema, rename) {
  if (schema.$ref) return rename(schema.$ref.split('/').pop());
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, rename)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, rename)).join(' | ');
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => typeOf(item, rename)).join(', ')}]`;
  // Whatever a row holds.
  if (schema.type === 'array' && !schema.items) return 'unknown[]';
  if (schema.type === 'array') return `(${typeOf(schema.items, rename)})[]`;
  if (schema.type === 'integer') return 'number';
  if (['number', 'string', 'boolean', 'null'].includes(schema.type)) return schema.type;
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

const comment = (indent, text) => (text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '');

function interfaceOf(name, { description, properties, required }, rename) {
  const fields = Object.entries(properties).map(
    ([field, schema]) =>
      `${comment('  ', schema.description)}  ${JSON.stringify(field)}${required.includes(field) ? '' : '?'}: ${typeOf(schema, rename)};\n`,
  );
  return `${comment('', description)}export interface ${name} {\n${fields.join('')}}\n`;
}

/** The types of all answers. A part that several have is one type; parts that are only called alike have the answer's name in front. */
async function answers() {
  const made = new Map();
  const files = (await readdir(path.join(ROOT, 'schemas'))).filter((name) => name.endsWith('.json')).sort();
  const schemas = await Promise.all(files.map(async (name) => JSON.parse(await readFile(path.join(ROOT, 'schemas', name), 'utf8'))));
  const names = schemas.map(({ title }) => typeName(title.replace(/^steplens\.(.*)\/\d+$/, '$1')));
  for (const [at, schema] of schemas.entries()) {
    const differs = (part) =>
      names.includes(part) || schemas.some((other) => other.$defs[part] && JSON.stringify(other.$defs[part]) !== JSON.stringify(schema.$defs[part]));
    const rename = (part) => (differs(part) ? `${names[at]}${part}` : part);
    for (const [part, own] of Object.entries(schema.$defs)) made.set(rename(part), interfaceOf(rename(part), own, rename));
    made.set(names[at], interfaceOf(names[at], schema, rename));
  }
  return `// What the core answers: made from schemas/ by npm/build.mjs.\n\n${[...made.values()].join('\n')}`;
}

function run(command, options, what) {
  const { status, stdout, stderr } = spawnSync(command, options, { encoding: 'utf8', cwd: HERE });
  if (status !== 0) throw new Error(`${what}: ${stdout}${stderr}`);
  return stdout;
}

await rm(out, { recursive: true, force: true });
await mkdir(path.join(out, 'viewer'), { recursive: true });
const sources = path.join(out, 'src');
await cp(path.join(HERE, 'src'), sources, { recursive: true });
await writeFile(path.join(sources, 'answers.ts'), await answers());
for (const name of BINDINGS) await cp(path.join(core, name), path.join(sources, name));
const config = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [path.join(ROOT, 'www/node_modules/@types')],
    declaration: true,
    rootDir: sources,
    outDir: out,
    noUncheckedIndexedAccess: true,
  },
  include: [sources],
  exclude: [],
};
await writeFile(path.join(out, 'tsconfig.json'), JSON.stringify(config));
await writeFile(path.join(sources, 'package.json'), '{"type":"module"}');
run(process.execPath, [TSC, '--project', path.join(out, 'tsconfig.json')], 'compiling the npm package');
// The bindings are JavaScript already.
for (const name of BINDINGS) await cp(path.join(core, name), path.join(out, name));
for (const name of ['src', 'tsconfig.json']) await rm(path.join(out, name), { recursive: true });
for (const name of await readdir(page)) {
  if (!NOT_IN_VIEWER.has(name)) await cp(path.join(page, name), path.join(out, 'viewer', name));
}
// The viewer has a core of its own, which can draw.
await cp(path.join(core, 'steplens.wasm'), path.join(out, 'steplens.wasm'));
await cp(path.join(ROOT, 'schemas'), path.join(out, 'schemas'), { recursive: true });
await cp(path.join(HERE, 'examples'), path.join(out, 'examples'), { recursive: true });
// The viewer has licences of its own.
for (const name of ['README.md', 'package.json', 'licences.txt']) await cp(path.join(HERE, name), path.join(out, name));
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'CHANGELOG.md']) await cp(path.join(ROOT, name), path.join(out, name));
