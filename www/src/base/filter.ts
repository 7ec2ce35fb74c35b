// What is typed into the filter of a list, one language for all of them.
//
// Commas separate what is wanted: `ps, worker 1`. Each is a part of a text, or words that parts of one text begin with; `/gpu:[01]/` is a
// regular expression; `-ps` leaves out.

/** Which rows a filter keeps, each by its texts. */
export function filterOf(filter: string): (texts: readonly string[]) => boolean {
  const terms = filter
    .split(/,(?![^/]*\/\s*(?:,|$))/)
    .map((term) => term.trim().toLowerCase())
    .filter((term) => term !== '' && term !== '-');
  const wanted = terms.filter((term) => !term.startsWith('-')).map(matcherOf);
  const unwanted = terms.filter((term) => term.startsWith('-')).map((term) => matcherOf(term.slice(1).trim()));
  return (texts) => {
    const lower = texts.map((text) => text.toLowerCase());
    const isOne = (matchers: Matcher[]) => matchers.some((matches) => lower.some(matches));
    return (wanted.length === 0 || isOne(wanted)) && !isOne(unwanted);
  };
}

type Matcher = (text: string) => boolean;

/** `term` and texts in lower case. */
function matcherOf(term: string): Matcher {
  const expression = /^\/(.+)\/$/.exec(term)?.[1];
  const pattern = expression === undefined ? null : patternOf(expression);
  if (pattern) return (text) => pattern.test(text);
  const words = term.split(/\s+/);
  return (text) => {
    if (text.includes(term)) return true;
    const parts = text.split(/[\s/]+/);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  };
}

/** Null for what is no regular expression, or none yet: it is searched for as it stands. */
function patternOf(expression: string): RegExp | null {
  try {
    return new RegExp(expression, 'iu');
  } catch {
    return null;
  }
}
