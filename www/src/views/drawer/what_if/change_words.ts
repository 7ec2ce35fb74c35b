// A change in its parts and in words. It is written as the options of `steplens what-if` are: `op=type:Conv2D=0.5`.
import { say, type PlainId } from '../../../base/messages';
import { endLabel, placeLabel, taskLabel } from '../../../base/names';

export interface ChangeParts {
  /** `op`, `link` and so on. */
  word: string;
  what: string;
  /** What a time is multiplied by; null where a change has none. */
  factor: number | null;
}

const WITH_FACTOR: readonly string[] = ['op', 'link', 'network', 'device'];

export function partsOf(change: string): ChangeParts {
  const [word, rest] = cut(change, change.indexOf('='));
  if (!WITH_FACTOR.includes(word)) return { word, what: rest, factor: null };
  const [what, factor] = cut(rest, rest.lastIndexOf('='));
  // `network=0.5` is of all of it.
  return factor === '' && word === 'network' ? { word, what: '', factor: Number(what) } : { word, what, factor: Number(factor) };
}

const cut = (text: string, at: number): [string, string] => (at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]);

export function changeOf({ word, what, factor }: ChangeParts): string {
  return [word, what, factor === null ? '' : String(factor)].filter((part) => part !== '').join('=');
}

const HIDDEN: Readonly<Record<string, PlainId>> = {
  input: 'if-hide-input',
  launch: 'if-hide-launch',
  copy: 'if-hide-copy',
  communication: 'if-hide-communication',
};

/** What the change is of, in words. */
export function changeWords({ word, what }: ChangeParts): string {
  switch (word) {
    case 'op': {
      const [, field, name] = /^(type|name):\^(.*)\$$/s.exec(what) ?? [];
      if (name === undefined) return say('if-ops', { pattern: what });
      return field === 'type' ? say('if-op-type', { type: unescaped(name) }) : say('if-op', { op: unescaped(name) });
    }
    case 'link': {
      const [, source = '', destination = ''] = /^(.*?)(?:->|,)(.*)$/s.exec(what) ?? [];
      return say('if-link', { link: `${endLabel(source)} → ${endLabel(destination)}` });
    }
    case 'network':
      return what === '' ? say('if-network') : say('if-network-of', { task: taskLabel(what) });
    case 'device':
      return placeLabel(what);
    case 'threads':
      return say('if-threads');
    case 'order':
      return say('if-order');
    case 'half':
      return say('if-half', { pattern: what });
    case 'merge':
      return say('if-merge', { pattern: what });
    case 'like-peers':
      return say('if-like-peers', { task: taskLabel(what) });
    default: {
      const hidden = word === 'hide' ? HIDDEN[what] : undefined;
      return hidden ? say(hidden) : `${word} ${what}`;
    }
  }
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

/** What a factor does. */
export function factorWords(factor: number): string {
  if (factor === 0) return say('if-no-time');
  if (factor === 1) return say('if-as-recorded');
  if (factor === 0.5) return say('if-twice');
  if (factor === 2) return say('if-half-as-fast');
  return factor < 1 ? say('if-faster', { times: written(1 / factor) }) : say('if-slower', { times: written(factor) });
}

const written = (times: number): string => (times >= 10 ? times.toFixed(0) : times.toFixed(times >= 2 ? 1 : 2));
