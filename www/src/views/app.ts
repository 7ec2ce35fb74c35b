// Puts the views together and keeps the page's outer state: data-state, the URL's fragment, the corner's controls.
import { el, icon } from '../base/dom';
import { Changed, EVERYTHING } from '../state/frame';
import { onSettled } from '../state/history';
import { restorePreferences } from '../state/preferences';
import { phaseOf, type Context } from '../state/state';
import { encodeView, viewNote } from '../state/url';
import { foldAll, setLaneSize, stepLaneSize } from '../state/devices';
import { titled } from './bindings';
import { drawer } from './drawer';
import { acceptFiles } from './drop';
import { emptyPage } from './empty';
import { header } from './header';
import { helpSheet } from './help_sheet';
import { ICONS } from './icons';
import { listenToKeys } from './keys';
import { minimap } from './minimap';
import { errorBar, liveRegion, loadingCard } from './status';
import { stepBar } from './step_bar';
import { timeline } from './timeline';
import { tooltip } from './tooltip';
import { tree } from './tree';

export function buildPage(context: Context, root: HTMLElement): void {
  const { state, frame } = context;
  restorePreferences(state);
  // Before all views: what is not displayed has no size.
  frame.onDom(EVERYTHING, () => {
    document.body.dataset['state'] = phaseOf(state);
    document.body.dataset['trace'] = state.trace ? 'open' : 'none';
  });
  const { axis, scroller } = timeline(context, tree(context));
  const tracks = el(
    'div',
    { class: 'tracks' },
    el('div', { class: 'axis-row' }, corner(context), axis),
    el('div', { class: 'scroller-box' }, scroller, tooltip(context)),
  );
  root.replaceChildren(
    header(context),
    errorBar(context),
    el(
      'main',
      { class: 'main' },
      emptyPage(context),
      el(
        'div',
        { class: 'trace' },
        el('div', { class: 'overview' }, stepBar(context), minimap(context)),
        tracks,
        drawer(context),
      ),
    ),
    loadingCard(context),
    acceptFiles(context),
    helpSheet(),
    liveRegion(context),
  );
  listenToKeys(context);
  onSettled(() => rememberView(context));
  frame.invalidate(EVERYTHING);
}

/** The view goes into the URL once it has come to rest, without an entry in the browser's history for each move. */
function rememberView({ state }: Context): void {
  const note = viewNote(state);
  if (note) history.replaceState(null, '', `#${encodeView(note)}`);
}

function corner(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = (title: string, path: string, run: () => void) =>
    el(
      'button',
      { class: 'button square small', type: 'button', title, 'aria-label': title, onclick: run },
      icon(path),
    );
  const auto = el(
    'button',
    { class: 'chip', type: 'button', title: titled('Lanes as tall as fits', 'auto-lanes'), onclick: () => setLaneSize(context, 'auto') },
    'auto',
  );
  frame.onDom(Changed.layout | Changed.trace, () =>
    auto.setAttribute('aria-pressed', String(state.rows.lane_size === 'auto')),
  );
  return el(
    'div',
    { class: 'side corner' },
    el('span', { class: 'corner-label' }, 'Devices'),
    button(titled('Fold or unfold all devices', 'fold-all'), ICONS.fold, () => foldAll(context)),
    button(titled('Lower lanes', 'lower'), ICONS.smaller, () => stepLaneSize(context, -1)),
    button(titled('Taller lanes', 'taller'), ICONS.larger, () => stepLaneSize(context, 1)),
    auto,
  );
}
