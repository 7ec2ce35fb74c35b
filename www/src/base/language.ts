// Which language the reader wants: decided before the page's texts are there, by the early script, the single file's starter and tests.
import languages from 'steplens-messages/languages';

/** Where the reader's own choice is kept. */
const KEY = 'steplens.language';

/** The tags of the languages that there are, English first. */
export const LANGUAGES: readonly string[] = languages;

/** The language that suits who reads `wanted`, the best first; English where none does. */
export function languageFor(wanted: readonly string[], known: readonly string[] = LANGUAGES): string {
  const base = (language: string) => language.split('-')[0];
  for (const language of wanted) {
    const found = known.find((one) => one === language) ?? known.find((one) => base(one) === base(language));
    if (found !== undefined) return found;
  }
  return 'en';
}

/** What the reader has chosen; null where the browser's languages decide. */
export function chosenLanguage(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is off for this page: a file from disk, or a private window.
    return null;
  }
}

/** Keeps the reader's choice for the next time that the page is loaded. Says whether the browser keeps it. */
export function chooseLanguage(language: string): boolean {
  try {
    localStorage.setItem(KEY, language);
    return true;
  } catch {
    // The same.
    return false;
  }
}

/** The language that the page is to be in. */
export const wantedLanguage = (): string => languageFor([chosenLanguage() ?? '', ...(navigator.languages ?? [])].filter(Boolean));
