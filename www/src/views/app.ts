// Puts the views together and keeps the page's outer state: data-state and the URL's fragment.
import { LANGUAGE } from '../base/messages';
import { el } from '../base/dom';
import { followOther } from '../state/opened/compare';
import { Changed, EVERYTHING } from '../state/frame';
import { askAhead } from '../state/shown/ahead';
import { keepArranged } from '../state/shown/arrange';
import { keepColored } from '../state/shown/colors';
import { endGlideOnInput } from '../state/shown/glide';
import { keepRowsFitting } from '../state/shown/lanes_in_view';
import { followHistory } from '../state/fleet/history';
import { onSettled } from '../state/shown/history';
import { isDrawerFull, keepDrawerHeight } from '../state/ui/drawer';
import { isAtSide } from '../state/ui/low_window';
import { restorePreferences } from '../state/ui/preferences';
import { phaseOf, type Context } from '../state/state';
import { rememberRecentView } from '../state/opened/recent';
import { encodeView, viewNote } from '../state/opened/url';
import { menuAtOp, offerMenus } from './offer_menus';
import { corner, rowNotes } from './devices/corner';
import { drawer } from './drawer/drawer';
import { acceptFiles } from './start/drop';
import { emptyPage } from './start/empty';
import { pickWatched } from './start/watch_folder';
import { header } from './header/header';
import { listenToKeys } from './keys';
import { glance } from './overview/glance';
import { minimap } from './overview/minimap';
import { noteField } from './timeline/note_field';
import { damageBar } from './notices/damage_bar';
import { partBar } from './notices/part_bar';
import { fleetBar } from './notices/fleet_bar';
import { watchBar } from './notices/watch_bar';
import { errorBar, liveRegion, loadingCard } from './notices/status';
import { statusLine } from './notices/status_line';
import { printReports } from './print/printing';
import { selectionCard } from './timeline/selection_card';
import { timeline } from './timeline/timeline';
import { tooltip } from './timeline/tooltip';
import { zoomButtons } from './timeline/zoom_buttons';
import { tree } from './devices/tree';
import { treeEdge } from './devices/tree_width';
import { COMPARE_CHANGED } from '../state/shown/comparison';

export function buildPage(context: Context, root: HTMLElement): void {
  const { state, frame } = context;
  document.documentElement.lang = LANGUAGE;
  restorePreferences(state);
  keepDrawerHeight(context);
  // Before all views: what is shown depends on it.
  frame.onDom(EVERYTHING, () => {
    document.body.dataset['state'] = phaseOf(state);
    document.body.dataset['trace'] = state.trace ? 'open' : 'none';
  });
  closeMenusOfOther(context);
  keepArranged(context);
  keepColored(context);
  frame.onDom([Changed.trace, Changed.layout], () => followOther(context));
  const column_head = corner(context);
  const edge = treeEdge(context, column_head);
  const rows = tree(context);
  const { axis, traffic, strip, scroller } = timeline(context, rows, (op, at) => menuAtOp(context, op, at));
  const tracks = el(
    'div',
    { class: 'tracks' },
    // First for the keyboard; the style sheet puts it below the others.
    el(
      'div',
      { class: 'scroller-box' },
      scroller,
      rows.drop_line,
      ...rowNotes(context),
      noteField(context),
      zoomButtons(context),
      selectionCard(context),
      tooltip(context),
    ),
    el('div', { class: 'axis-row' }, column_head, axis),
    traffic,
    strip,
    edge,
  );
  root.replaceChildren(
    header(context),
    errorBar(context),
    damageBar(context),
    partBar(context),
    fleetBar(context, (element) => element.append(context.later.there?.fleetPanel(context) ?? '')),
    watchBar(context, () => pickWatched(context)),
    el(
      'main',
      { class: 'main' },
      emptyPage(context),
      workspace(
        context,
        el('div', { class: 'time-side' }, tracks, minimap(context)),
        el('div', { class: 'overview' }, glance(context)),
        drawer(context),
      ),
    ),
    loadingCard(context),
    acceptFiles(context),
    statusLine(context),
    liveRegion(context),
  );
  listenToKeys(context);
  offerMenus(context, root);
  printReports(context);
  onSettled(context, () => rememberView(context));
  followHistory(context);
  keepRowsFitting(context);
  askAhead(context);
  endGlideOnInput(context);
  frame.invalidate(...EVERYTHING);
}

/**
 * The timeline, which is the first stop of the keyboard after the header; what stands above it; and the drawer where the user has it. The style sheet
 * places them.
 */
function workspace({ state, frame }: Context, ...parts: HTMLElement[]): HTMLElement {
  const element = el('div', { class: 'trace workspace' }, ...parts);
  frame.onDom([Changed.drawer, Changed.layout, Changed.trace, COMPARE_CHANGED], () => {
    element.classList.toggle('at-side', isAtSide(state) && !isDrawerFull(state));
    element.classList.toggle('full', isDrawerFull(state));
  });
  return element;
}

/** What is open over a trace is about that one: it closes when another trace comes, however that was opened. */
function closeMenusOfOther({ state, frame }: Context): void {
  let of = state.trace?.whole;
  frame.onDom([Changed.trace], () => {
    if (of === state.trace?.whole) return;
    of = state.trace?.whole;
    for (const menu of document.querySelectorAll('.menu:not([hidden]), .context-menu')) menu.dispatchEvent(new Event('close'));
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close();
  });
}

/** The view goes into the URL once it has come to rest, without an entry in the browser's history for each move. */
function rememberView(context: Context): void {
  // The address is the fleet's while that is shown.
  const note = context.state.fleet?.is_shown ? null : viewNote(context.state);
  if (note) history.replaceState(history.state, '', `#${encodeView(note)}`);
  rememberRecentView(context);
}
