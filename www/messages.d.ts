// What the bundler makes of the catalogues of messages: see messages.mjs.

declare module 'steplens-messages' {
  import type { FluentResource } from '@fluent/bundle';

  /** In English. Other languages come as files of their own: `src/base/other_texts.ts`. */
  const english: Readonly<Record<string, FluentResource['body'][number]['value']>>;
  export default english;
}

/** Those of the page's later part. */
declare module 'steplens-messages/later' {
  export { default } from 'steplens-messages';
}

/** The tags of all languages, English first. */
declare module 'steplens-messages/languages' {
  const languages: readonly string[];
  export default languages;
}

/** What the palette is searched by: texts in every language, by the ids of their messages. */
declare module 'steplens-messages/palette' {
  const words: Readonly<Record<string, readonly string[]>>;
  export default words;
}

/** The op types that are public, one a line. */
declare module 'steplens-op-types' {
  const lines: string;
  export default lines;
}
