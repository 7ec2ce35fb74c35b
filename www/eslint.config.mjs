// The lints that need types. A promise that nobody awaits hides its failure: give it to `attempt` (src/state/failures.ts), or await it.
import tseslint from 'typescript-eslint';
import { joinedByMessages, textFromCatalogue } from './lint_words.mjs';

const DROPS_FAILURES = {
  selector: 'CallExpression[callee.property.name="catch"] > ArrowFunctionExpression[body.type="Identifier"][body.name="undefined"]',
  message: 'This drops every failure. Give the promise to `attempt`, or say which failures are expected.',
};

/** Assignments to `state.…` and `context.state.…`, as deep as a field of a field. */
const STATE_WRITTEN = ['AssignmentExpression[left', 'UpdateExpression[argument'].flatMap((written) =>
  ['', '.object'].flatMap((deep) => [`${written}${deep}.object.name="state"]`, `${written}${deep}.object.property.name="state"]`]),
);

/** What a module remembers, an opening cannot reset and a test cannot see. */
const MODULE_STATE = [
  'Program > VariableDeclaration[kind="let"]',
  'Program > ExportNamedDeclaration > VariableDeclaration[kind="let"]',
  'NewExpression[callee.name=/^Weak(Map|Set)$/]',
].map((selector) => ({ selector, message: 'What the page remembers is a field of the state: see src/state/state.ts.' }));

export default tseslint.config(
  {
    files: ['src/**/*.ts'],
    ignores: ['src/**/*.test.ts'],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { ts: tseslint.plugin, words: { rules: { 'from-catalogue': textFromCatalogue, joined: joinedByMessages } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'ts/no-floating-promises': ['error', { ignoreVoid: false }],
      'ts/no-misused-promises': 'error',
      'ts/await-thenable': 'error',
      'no-empty': 'error',
      'words/from-catalogue': 'error',
      'words/joined': 'error',
      'no-restricted-syntax': ['error', DROPS_FAILURES],
    },
  },
  {
    files: ['src/state/**/*.ts'],
    ignores: ['src/**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', DROPS_FAILURES, ...MODULE_STATE] },
  },
  {
    files: ['src/views/**/*.ts'],
    ignores: ['src/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        DROPS_FAILURES,
        ...MODULE_STATE,
        ...STATE_WRITTEN.map((selector) => ({ selector, message: 'A view writes no state: call a function of src/state.' })),
      ],
    },
  },
);
