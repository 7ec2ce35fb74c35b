// Light, dark, or as the system has it; textures; and the canvas's share of the theme.
import { el, fill, icon } from '../../base/dom';
import { readTheme, type Theme } from '../../draw/theme';
import { Changed, EVERYTHING } from '../../state/frame';
import { keep } from '../../state/ui/preferences';
import { announce, type Context } from '../../state/state';
import type { ThemeChoice } from '../../state/types';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';

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
  theme ??= readTheme(document.documentElement, document.documentElement.dataset['textures'] === 'on');
  return theme;
}

/** People who ask their system for more contrast, or for its own few colours, need more than colour. */
const SYSTEM_WANTS_TEXTURES = '(prefers-contrast: more), (forced-colors: active)';

const hasTextures = ({ state }: Context): boolean => state.textures ?? matchMedia(SYSTEM_WANTS_TEXTURES).matches;

function applyTheme(context: Context): void {
  const { state, frame } = context;
  document.documentElement.dataset['textures'] = hasTextures(context) ? 'on' : 'off';
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

export function toggleTextures(context: Context): void {
  const { state } = context;
  state.textures = !hasTextures(context);
  keep('textures', state.textures ? 'yes' : 'no');
  applyTheme(context);
  announce(
    context,
    state.textures ? 'Each category has a texture of its own' : 'Categories differ by colour only',
    Changed.notice,
  );
}

export function texturesButton(context: Context): HTMLElement {
  const button = el(
    'button',
    {
      class: 'button square textures',
      type: 'button',
      title: titled('Textures: one for each category', 'textures'),
      'aria-label': 'Textures for categories',
      onclick: () => toggleTextures(context),
    },
    icon(ICONS.textures),
  );
  context.frame.onDom(Changed.theme, () => button.setAttribute('aria-pressed', String(hasTextures(context))));
  return button;
}

export function themeButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el('button', { class: 'button square', type: 'button', onclick: () => cycleTheme(context) });
  frame.onDom(Changed.theme, () => {
    fill(button, icon(ICONS[state.theme]));
    button.title = `Colours: ${WORDS[state.theme]}`;
    button.setAttribute('aria-label', button.title);
  });
  for (const wish of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'])
    matchMedia(wish).addEventListener('change', () => applyTheme(context));
  applyTheme(context);
  return button;
}
