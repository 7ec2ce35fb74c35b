// The texts of the page in the reader's language, from the catalogues in crates/steplens-messages/languages.
//
// A text is made once, when its element is: nothing here belongs in a loop over ops or into a frame.
import { FluentBundle, FluentNumber, type FluentResource } from '@fluent/bundle';
import catalogues from 'steplens-messages';
import { formatCount } from './format';
import type { Messages } from './message_types';

export type MessageId = keyof Messages;

/** Messages that are a whole text by themselves. */
export type PlainId = { [Id in MessageId]: Messages[Id] extends null ? Id : never }[MessageId];

/** Messages that say how many there are of something: `2 ops`. */
export type CountId = {
  [Id in MessageId]: Messages[Id] extends null ? never : { count: number } extends Messages[Id] ? Id : never;
}[MessageId];

/** The language of a catalogue that suits who reads `wanted`, the best first; English where none does. */
export function languageFor(wanted: readonly string[], known: readonly string[] = Object.keys(catalogues)): string {
  const base = (language: string) => language.split('-')[0];
  for (const language of wanted) {
    const found = known.find((one) => one === language) ?? known.find((one) => base(one) === base(language));
    if (found !== undefined) return found;
  }
  return 'en';
}

/** The page's language: every text, number and date that depends on it asks here. */
export const LANGUAGE = languageFor(typeof navigator === 'undefined' ? [] : (navigator.languages ?? []));

/** A number in a text, written as everywhere on the page. Browsers' own formatter takes 30 ms to load, before the first picture. */
class Count extends FluentNumber {
  override toString(): string {
    return formatCount(this.value);
  }
}

const bundle = new FluentBundle(LANGUAGE, { useIsolating: false });

/** Adds the texts of the page's language. */
export function addTexts(more: typeof catalogues): void {
  bundle.addResource({ body: more[LANGUAGE] ?? [] } as unknown as FluentResource);
}

addTexts(catalogues);

/** The text of a message. */
export function say<Id extends MessageId>(id: Id, ...[args]: Messages[Id] extends null ? [] : [args: Messages[Id]]): string {
  const pattern = bundle.getMessage(id)?.value;
  if (typeof pattern === 'string') return pattern;
  if (!pattern) throw new Error(`no text for the message ${id}`);
  const named = Object.entries<string | number>(args ?? {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? new Count(value) : value,
  ]);
  return bundle.formatPattern(pattern, Object.fromEntries(named) as Record<string, string | Count>);
}

/** With a capital letter, where the language has them. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(LANGUAGE) + text.slice(1);
