// Light, dark, or as the system has it; and the canvas's share of the theme.
import { el, fill, icon } from '../base/dom';
import { readTheme, type Theme } from '../draw/theme';
import { Changed, EVERYTHING } from '../state/frame';
import { keep } from '../state/preferences';
import type { Context, ThemeChoice } from '../state/state';
import { ICONS } from './icons';

/** From auto to the other one than the system's, so that the first click is seen; then through both back to auto. */
function nextTheme(choice: ThemeChoice): ThemeChoice {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  if (choice === 'auto') return system === 'dark' ? 'light' : 'dark';
  return choice === system ? 'auto' : system;
}

const WORDS: Record<ThemeChoice, string> = { auto: 'as the system has it', light: 'light', dark: 'dark' };

let theme: Theme | null = null;

/** The colours to draw with; read again after each change of the theme. */
export function currentTheme(): Theme {
  theme ??= readTheme(document.documentElement);
  return theme;
}

function applyTheme({ state, frame }: Context): void {
  if (state.theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = state.theme;
  theme = null;
  frame.invalidate(EVERYTHING);
}

export function cycleTheme(context: Context): void {
  context.state.theme = nextTheme(context.state.theme);
  keep('theme', context.state.theme);
  applyTheme(context);
}

export function themeButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el('button', { class: 'button square', type: 'button', onclick: () => cycleTheme(context) });
  frame.onDom(Changed.theme, () => {
    fill(button, icon(ICONS[state.theme]));
    button.title = `Colours: ${WORDS[state.theme]}`;
    button.setAttribute('aria-label', button.title);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyTheme(context));
  applyTheme(context);
  return button;
}
