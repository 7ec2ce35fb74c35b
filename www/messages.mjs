// The page's texts: reads the catalogues (crates/steplens-messages/languages, a folder for each language), gives them to the bundler, and makes the
// types of their messages.
//
//   node www/messages.mjs            writes www/src/base/message_types.ts
//   node www/messages.mjs --check    fails where that file is not up to date, a text is unused, or languages differ

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FluentResource } from '@fluent/bundle';
import { parse, Visitor } from '@fluent/syntax';

const WWW = import.meta.dirname;
const CATALOGUES = path.join(WWW, '..', 'crates', 'steplens-messages', 'languages');
const TYPES = path.join(WWW, 'src', 'base', 'message_types.ts');
/** The language that every other one is compared with. */
const FIRST = 'en';
/** What a number chooses between in some language. */
const PLURALS = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/** English first. */
export const languages = () => readdirSync(CATALOGUES).sort((a, b) => (b === FIRST) - (a === FIRST) || (a < b ? -1 : 1));
/** The catalogue of the page, and what others have for it below this heading. */
const ON_THE_PAGE = '\n## On the page\n';
const filesOf = (language) => readdirSync(path.join(CATALOGUES, language)).map((name) => path.join(CATALOGUES, language, name));
const textOf = (language) => {
  const texts = filesOf(language).map((file) => [path.basename(file), readFileSync(file, 'utf8')]);
  return texts.map(([name, text]) => (name === 'page.ftl' ? text : (text.split(ON_THE_PAGE)[1] ?? ''))).join('\n');
};

/** All texts of the page in a language by their ids, parsed, or those that are `named`. */
export function messagesIn(language, named = null) {
  const all = new FluentResource(textOf(language)).body.filter(({ id }) => named === null || named.has(id));
  const more = all.find(({ attributes }) => Object.keys(attributes).length > 0);
  if (more) throw new Error(`${more.id} has attributes, which the page does not say`);
  return Object.fromEntries(all.map(({ id, value }) => [id, value]));
}

/** What the palette is searched by: the plain texts of commands, tabs and settings in every language, by their ids. */
function paletteWords() {
  const is_sought = (id) => /^(?:key|tab|color-by|palette)-|^range-title$/.test(id);
  const words = {};
  for (const language of languages())
    for (const [id, value] of Object.entries(messagesIn(language)))
      if (is_sought(id) && typeof value === 'string') (words[id] ??= []).push(value);
  return words;
}

/**
 * An esbuild plugin: `steplens-messages` are the English messages, already parsed, or only those of `start`; `steplens-messages/later` those of
 * `later`, or none; `steplens-messages/languages` the tags of all languages;
 * `steplens-messages/palette` what the palette is searched by.
 */
export const messages = ({ start = null, later = new Set() } = {}) => ({
  name: 'messages',
  setup(build) {
    build.onResolve({ filter: /^steplens-messages(\/\w+)?$/ }, ({ path: name }) => ({ path: name, namespace: 'messages' }));
    build.onLoad({ filter: /.*/, namespace: 'messages' }, ({ path: name }) => {
      const named = name.endsWith('/later') ? later : start;
      const made = name.endsWith('/languages') ? languages() : name.endsWith('/palette') ? paletteWords() : messagesIn(FIRST, named);
      return {
        contents: `export default ${JSON.stringify(made)}`,
        loader: 'js',
        watchFiles: filesOf(FIRST),
      };
    });
  },
});

/** What stands between quotes in the TypeScript among `files`: message ids, and more. */
export function textsOf(files) {
  const texts = files.filter((name) => name.endsWith('.ts')).map((name) => readFileSync(name, 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/'[a-z0-9-]+'/g) ?? []).map((quoted) => quoted.slice(1, -1)));
}

/** Every file of the page but the types of messages. */
const pageFiles = () =>
  readdirSync(path.join(WWW, 'src'), { recursive: true })
    .filter((name) => !name.endsWith('message_types.ts'))
    .map((name) => path.join(WWW, 'src', name));

/** What a message wants to know, by name: `number` for `$count` and what a plural or NUMBER needs; the words that it chooses between; or a `string`. */
class Arguments extends Visitor {
  found = new Map();

  visitVariableReference({ id }) {
    if (!this.found.has(id.name)) this.found.set(id.name, id.name === 'count' ? 'number' : 'string');
  }

  visitSelectExpression(node) {
    const { selector, variants } = node;
    if (selector.type === 'VariableReference') {
      const keys = variants.map(({ key }) => (key.type === 'NumberLiteral' ? key.value : key.name));
      const counts = keys.every((key) => PLURALS.has(key) || /^\d+$/.test(key));
      this.found.set(selector.id.name, counts ? 'number' : keys.map((key) => `'${key}'`).join(' | '));
    }
    this.genericVisit(node);
  }

  visitFunctionReference(node) {
    for (const argument of node.arguments.positional) if (argument.type === 'VariableReference') this.found.set(argument.id.name, 'number');
    this.genericVisit(node);
  }
}

/** Each message of a catalogue, with what it wants to know. */
function messagesOf(language) {
  const found = new Map();
  for (const entry of parse(textOf(language), { withSpans: true }).body) {
    if (entry.type === 'Junk') throw new Error(`${language}: ${entry.annotations[0]?.message}: ${entry.content.slice(0, 80)}`);
    if (entry.type !== 'Message') continue;
    if (found.has(entry.id.name)) throw new Error(`${language}: there are two messages ${entry.id.name}`);
    if (!entry.value || entry.attributes.length > 0) throw new Error(`${language}: ${entry.id.name} is more or less than one text`);
    const wanted = new Arguments();
    wanted.visit(entry.value);
    found.set(entry.id.name, wanted.found);
  }
  return found;
}

function typesOf(all) {
  const lines = [...all].map(([id, wanted]) => {
    const fields = [...wanted].map(([name, type]) => `${name}: ${type}`).join('; ');
    return `  '${id}': ${fields === '' ? 'null' : `{ ${fields} }`};`;
  });
  return `// Made by www/messages.mjs from crates/steplens-messages/languages/${FIRST}/: each text of the page, and what it wants to know.

export interface Messages {
${lines.join('\n')}
}
`;
}

/** What is wrong with the catalogues and their use. */
function faults(all) {
  const used = textsOf(pageFiles());
  const unused = [...all.keys()].filter((id) => !used.has(id)).map((id) => `no code shows the message ${id}`);
  const written = (map) => [...map].map(([id, wanted]) => `${id}(${[...wanted.keys()].sort().join()})`);
  const differing = languages().flatMap((language) => {
    const other = new Set(written(messagesOf(language)));
    const own = new Set(written(all));
    return [
      ...[...own].filter((id) => !other.has(id)).map((id) => `${language} lacks ${id}`),
      ...[...other].filter((id) => !own.has(id)).map((id) => `${language} has ${id}, which ${FIRST} has not`),
    ];
  });
  const stale =
    readFileSync(TYPES, 'utf8') === typesOf(all) ? [] : ['www/src/base/message_types.ts is not up to date: run node www/messages.mjs'];
  return [...unused, ...differing, ...stale];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const all = messagesOf(FIRST);
  if (process.argv.includes('--check')) {
    const found = faults(all);
    for (const fault of found) console.error(fault);
    process.exit(found.length > 0 ? 1 : 0);
  }
  writeFileSync(TYPES, typesOf(all));
}
