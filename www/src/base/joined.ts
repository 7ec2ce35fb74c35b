// Texts of several parts, put together as the page's language does it: punctuation and spaces are part of a language.
import type { Child } from './dom';
import type { Messages } from './message_types';
import { say, type MessageId } from './messages';

type Text = string | false | null | undefined;
type Joint = 'list-next' | 'clause-next' | 'aside-next' | 'sentence-next';

const joined =
  (joint: Joint) =>
  (texts: readonly Text[]): string =>
    texts.filter((text) => typeof text === 'string' && text !== '').reduce<string>((before, next) => join(joint, before, String(next)), '');

const join = (joint: Joint, before: string, next: string): string => (before === '' ? next : say(joint, { before, next }));

/** Names: `ps 0, worker 0, worker 1`. */
export const listed = joined('list-next');

/** Facts about one thing: `11 links, 3.67 MiB`. */
export const clauses = joined('clause-next');

/** What is to be known besides: `1 ms waiting of 20 ms; worker 1 was last in 3 of 5`. */
export const asides = joined('aside-next');

/** Whole sentences. */
export const sentences = joined('sentence-next');

/** The first `most` names of a list, and how many more there are. */
export function listedFirst(names: readonly string[], most: number): string {
  const shown = listed(names.slice(0, most));
  return names.length > most ? say('list-and-more', { names: shown, count: names.length - most }) : shown;
}

const MARK = '\u0001';

/** A message with elements among its arguments: its text and the elements, in the order of the language. */
export function pieces<Id extends MessageId>(id: Id, args: { [Name in keyof Messages[Id]]: Messages[Id][Name] | Node }): Child[] {
  const nodes: Node[] = [];
  const texts = Object.entries<unknown>(args as Record<string, unknown>).map(([name, value]) => {
    if (!(value instanceof Node)) return [name, value];
    return [name, `${MARK}${nodes.push(value) - 1}${MARK}`];
  });
  // The arguments are those of the message: only what they hold differs.
  const text = (say as (id: MessageId, args: unknown) => string)(id, Object.fromEntries(texts));
  return text.split(MARK).map((piece, at) => (at % 2 === 1 ? (nodes[Number(piece)] ?? null) : piece));
}
