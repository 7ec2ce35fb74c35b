// What the bundler makes of the catalogues of messages: see messages.mjs.

declare module 'steplens-messages' {
  import type { FluentResource } from '@fluent/bundle';

  /** By language, as in `en` or `zh-CN`. */
  const catalogues: Readonly<Record<string, FluentResource['body']>>;
  export default catalogues;
}

/** Those of the page's later part. */
declare module 'steplens-messages/later' {
  export { default } from 'steplens-messages';
}
