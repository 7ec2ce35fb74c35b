// The few parts of Node, its test runner above all, that *.test.ts files use, so that Node's globals stay out of the page's types.

declare module 'node:test' {
  type Body = () => void | Promise<void>;
  export function test(name: string, body: Body): void;
  export function describe(name: string, body: () => void): void;
  export function it(name: string, body: Body): void;
  export function beforeEach(body: Body): void;
  export function afterEach(body: Body): void;
  /** Timers that run when the test says so. */
  export const mock: {
    timers: { enable(options: { apis: 'setTimeout'[] }): void; tick(milliseconds: number): void; reset(): void };
  };
  export default test;
}

declare module 'node:assert/strict' {
  type Expected = RegExp | Error | object | ((error: unknown) => boolean);
  interface Assert {
    (value: unknown, message?: string): asserts value;
    ok(value: unknown, message?: string): asserts value;
    equal<T>(actual: unknown, expected: T, message?: string): asserts actual is T;
    strictEqual<T>(actual: unknown, expected: T, message?: string): asserts actual is T;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    deepStrictEqual(actual: unknown, expected: unknown, message?: string): void;
    notDeepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(value: string, pattern: RegExp, message?: string): void;
    doesNotMatch(value: string, pattern: RegExp, message?: string): void;
    throws(body: () => unknown, expected?: Expected, message?: string): void;
    doesNotThrow(body: () => unknown, message?: string): void;
    rejects(body: Promise<unknown> | (() => Promise<unknown>), expected?: Expected, message?: string): Promise<void>;
    fail(message?: string): never;
  }
  const assert: Assert;
  export default assert;
}

declare module 'node:assert' {
  export { default as strict } from 'node:assert/strict';
}

declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function writeFileSync(path: string, text: string): void;
}

declare module 'node:process' {
  export const env: Readonly<Record<string, string | undefined>>;
}
