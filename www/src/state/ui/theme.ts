// Light, dark, or as the system has it; textures; and the colours that the canvas is drawn with.
import { say } from '../../base/messages';
import { readTheme, type Theme } from '../../draw/theme';
import { Changed, EVERYTHING } from '../frame';
import { announce, type Context, type State } from '../state';
import type { ThemeChoice } from '../types';
import { keep } from './preferences';

/** From auto to the other one than the system's, so that the first click is seen; then through both back to auto. */
function nextTheme(choice: ThemeChoice): ThemeChoice {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  if (choice === 'auto') return system === 'dark' ? 'light' : 'dark';
  return choice === system ? 'auto' : system;
}

/** The colours to draw with; read again after each change of the theme. */
export function paletteOf(state: State): Theme {
  state.palette ??= readTheme(document.documentElement, document.documentElement.dataset['textures'] === 'on');
  return state.palette;
}

/** People who ask their system for more contrast, or for its own few colours, need more than colour. */
const SYSTEM_WANTS_TEXTURES = '(prefers-contrast: more), (forced-colors: active)';

export const hasTextures = ({ textures }: State): boolean => textures ?? matchMedia(SYSTEM_WANTS_TEXTURES).matches;

function applyTheme({ state, frame }: Context): void {
  document.documentElement.dataset['textures'] = hasTextures(state) ? 'on' : 'off';
  if (state.theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = state.theme;
  state.palette = null;
  frame.invalidate(...EVERYTHING);
}

/** From here on letters are larger, as in the style sheet. */
const LARGE_SCREEN = '(min-width: 3000px) and (min-height: 1600px)';

/** Applies the theme, now and whenever the system's preferences change, or the screen. */
export function keepTheme(context: Context): void {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)', LARGE_SCREEN])
    matchMedia(query).addEventListener('change', () => applyTheme(context));
  applyTheme(context);
}

export function cycleTheme(context: Context): void {
  context.state.theme = nextTheme(context.state.theme);
  keep('theme', context.state.theme);
  applyTheme(context);
}

export function toggleTextures(context: Context): void {
  const { state } = context;
  state.textures = !hasTextures(state);
  keep('textures', state.textures ? 'yes' : 'no');
  applyTheme(context);
  announce(context, state.textures ? say('textures-on') : say('textures-off'), Changed.notice);
}
