// The texts of a language that is not English. They come as a whole, before anything of the page: it makes some of its texts as it is loaded.
import type { FluentResource } from '@fluent/bundle';

type Pattern = FluentResource['body'][number]['value'];

export interface OtherTexts {
  language: string;
  /**
   * The page's texts by the ids of their messages. In the single file, whose parts are of one build, they are in the order of the English ones, without ids: a
   * third of them, packed. What has no text is null.
   */
  page: Readonly<Record<string, Pattern>> | readonly (Pattern | null)[];
  /** The core's, as `cargo xtask page` packed them. */
  core: string;
}

declare global {
  // A script of its own sets it (hosted), or the starter of the single file.
  var steplens_texts: OtherTexts | undefined;
}

/** In a hosted worker, whose name is its language: loads them, before anything else runs. */
function loadInWorker(): void {
  if (typeof importScripts !== 'function' || self.name === '' || self.name === 'en') return;
  try {
    importScripts(`${self.name}.js`);
  } catch {
    // Without a network and not kept yet: then the page had no texts either, and both are in English.
  }
}

loadInWorker();

/** Null where the language is English. */
export const OTHER_TEXTS: OtherTexts | null = globalThis.steplens_texts ?? null;

/** The script that gives a worker of the single file the texts that this page has. */
export const textsScript = (): string => (OTHER_TEXTS ? `globalThis.steplens_texts=${JSON.stringify(OTHER_TEXTS)};` : '');
