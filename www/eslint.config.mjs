// The lints that need types. A promise that nobody awaits hides its failure: give it to `attempt` (src/state/failures.ts), or await it.
import tseslint from 'typescript-eslint';

export default tseslint.config({
  files: ['src/**/*.ts'],
  ignores: ['src/**/*.test.ts'],
  languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  plugins: { ts: tseslint.plugin },
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  rules: {
    'ts/no-floating-promises': ['error', { ignoreVoid: false }],
    'ts/no-misused-promises': 'error',
    'ts/await-thenable': 'error',
    'no-empty': 'error',
    'no-restricted-syntax': [
      'error',
      {
        selector: 'CallExpression[callee.property.name="catch"] > ArrowFunctionExpression[body.type="Identifier"][body.name="undefined"]',
        message: 'This drops every failure. Give the promise to `attempt`, or say which failures are expected.',
      },
    ],
  },
});
