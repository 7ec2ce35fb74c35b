// The texts of the page in the reader's language, from the catalogues in crates/steplens-messages/languages.
//
// A text is made once, when its element is: nothing here belongs in a loop over ops or into a frame.
import { FluentBundle, FluentNumber, type FluentResource } from '@fluent/bundle';
import english from 'steplens-messages';
import { formatCount } from './format';
import type { Messages } from './message_types';
import { OTHER_TEXTS, type OtherTexts } from './other_texts';

export type MessageId = keyof Messages;

/** Messages that are a whole text by themselves. */
export type PlainId = { [Id in MessageId]: Messages[Id] extends null ? Id : never }[MessageId];

/** Messages that say how many there are of something: `2 ops`. */
export type CountId = {
  [Id in MessageId]: Messages[Id] extends null ? never : { count: number } extends Messages[Id] ? Id : never;
}[MessageId];

/** The page's language: every text, number and date that depends on it asks here. */
export const LANGUAGE = OTHER_TEXTS?.language ?? 'en';

/** A number in a text, written as everywhere on the page. Browsers' own formatter takes 30 ms to load, before the first picture. */
class Count extends FluentNumber {
  override toString(): string {
    return formatCount(this.value);
  }
}

const bundle = new FluentBundle(LANGUAGE, { useIsolating: false });

/** Adds English texts where the page's language has none of its own. */
export function addTexts(more: OtherTexts['page']): void {
  const ids = Object.keys(Array.isArray(more) ? english : more);
  const body = Object.values(more).flatMap((value, at) => (value ? { id: ids[at], value, attributes: {} } : []));
  bundle.addResource({ body } as unknown as FluentResource);
}

if (OTHER_TEXTS) addTexts(OTHER_TEXTS.page);
addTexts(english);

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
