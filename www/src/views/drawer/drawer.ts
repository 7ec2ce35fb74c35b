// The drawer: places below the timeline, next to it or in its place; as large as the user made it, remembered. The tabs of a place are its sections,
// which a second row chooses from.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { isAtSide } from '../../state/ui/low_window';
import {
  isDrawerFull,
  moveDrawer,
  setDrawerHeight,
  setDrawerWidth,
  shownDrawerHeight,
  toggleDrawer,
  toggleDrawerFull,
  widestDrawer,
} from '../../state/ui/drawer';
import { chooseTab, growDrawer, turnDrawer } from '../../state/shown/tab';
import { lights } from '../../state/shown/colors';
import { typeOfRow } from '../shared/op_type';
import { Changed, EVERYTHING } from '../../state/frame';
import type { Context } from '../../state/state';
import { PLACES, placeOf, TAB_TITLES, TABS, tabsOf, type Tab } from '../../state/tabs';
import { titled } from '../keys/bindings';
import { failedNote } from '../shared/failed_note';
import { ICONS } from '../shared/icons';
import { roving } from '../shared/roving';
import { FACES, hasContent } from './faces';
import { COMPARE_CHANGED } from '../../state/shown/comparison';

/** Steps of the keyboard on the separator, in CSS pixels. */
const STEP = 24;

export function drawer(context: Context): HTMLElement {
  const { state, frame, later } = context;
  const panels = new Map(TABS.map((tab) => [tab, panelPlace(tab)]));
  /** Panels are built when they are shown for the first time: building all of them took a fifth of the page's start. */
  const built = new Set<Tab>();
  /** The first frame of a trace comes before any panel: building one and laying it out took 15 ms. */
  let was_drawn = false;
  const tabs = new Map(TABS.map((tab) => [tab, tabButton(context, tab)]));
  const places = PLACES.map((own) => placeRow(context, own, tabs));
  const toggle = el(
    'button',
    { class: 'button square small drawer-toggle', type: 'button', onclick: () => toggleDrawer(context) },
    icon(ICONS.down),
  );
  const full = el(
    'button',
    { class: 'button square small drawer-full', type: 'button', onclick: () => toggleDrawerFull(context) },
    icon(ICONS.full),
  );
  const at_side = el(
    'button',
    { class: 'button square small drawer-side', type: 'button', onclick: () => moveDrawer(context) },
    icon(ICONS.side),
  );
  const below = el(
    'button',
    { class: 'button square small drawer-side', type: 'button', onclick: () => moveDrawer(context) },
    icon(ICONS.below),
  );
  const tools = el('div', { class: 'drawer-tools' }, at_side, below, full, toggle);
  const list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': say('details') }, ...places.map(({ button }) => button));
  /** The panels are in the later part of the page. */
  const waitForPanels = () => {
    const drawAgain = () => frame.invalidate(Changed.drawer);
    later.get().then(drawAgain, drawAgain);
  };
  const not_loaded = failedNote(say('panels-failed'), waitForPanels);
  const body = el('div', { class: 'panels' }, not_loaded, ...panels.values());
  const element = el(
    'section',
    { class: 'drawer', 'aria-label': say('details') },
    separator(context),
    el('div', { class: 'drawer-head' }, list, tools),
    ...places.map(({ sections }) => sections),
    body,
  );
  lights(context, body, (target) => {
    const op_type = typeOfRow(target);
    return op_type === null ? null : { op_type, lighting: 'soft' };
  });
  frame.onDom([Changed.drawer, Changed.trace, Changed.layout, COMPARE_CHANGED], () => {
    const panel = panels.get(state.tab);
    if (panel && state.trace && state.drawer_open && !built.has(state.tab)) {
      if (!was_drawn) {
        frame.afterDrawn(() => {
          was_drawn = true;
          frame.invalidate(Changed.drawer);
        });
      } else if (later.there) {
        built.add(state.tab);
        panels.set(state.tab, shownAt(panel, later.there.PANELS[state.tab](context, state.tab)));
      } else if (!later.has_failed) waitForPanels();
    }
    for (const [tab, panel] of panels) panel.hidden = tab !== state.tab;
    not_loaded.hidden = !later.has_failed;
    for (const [tab, button] of tabs) {
      const chosen = tab === state.tab && state.drawer_open;
      button.tabIndex = tab === state.tab ? 0 : -1;
      if (chosen && button.getAttribute('aria-selected') !== 'true') button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      button.setAttribute('aria-selected', String(chosen));
    }
    body.hidden = !state.drawer_open;
    const is_at_side = isAtSide(state);
    const is_full = isDrawerFull(state);
    element.style.height = state.drawer_open && !is_at_side && !is_full ? `${shownDrawerHeight(state)}px` : '';
    element.style.width = is_at_side && !is_full ? `min(${state.drawer_width}px, ${widestDrawer()}px)` : '';
    at_side.hidden = is_at_side;
    below.hidden = !is_at_side;
    for (const [button, words, command] of [
      [at_side, say('drawer-side'), 'drawer-place'],
      [below, say('drawer-below'), 'drawer-place'],
      [full, is_full ? say('drawer-not-full') : say('drawer-full'), 'drawer-full'],
    ] as const) {
      button.title = titled(words, command);
      button.setAttribute('aria-label', button.title);
    }
    full.setAttribute('aria-pressed', String(is_full));
    element.classList.toggle('closed', !state.drawer_open);
    toggle.title = titled(state.drawer_open ? say('hide-drawer') : say('show-drawer'), 'drawer');
    toggle.setAttribute('aria-label', toggle.title);
    toggle.setAttribute('aria-expanded', String(state.drawer_open));
  });
  roving(context, tools, [Changed.drawer]);
  frame.onDom([Changed.selection, Changed.search, Changed.notes, Changed.totals, Changed.drawer], () => growDrawer(context));
  return element;
}

/** A place in the first row, and the row of its sections; a place of one tab is that tab's button. */
function placeRow(
  context: Context,
  own: (typeof PLACES)[number],
  tabs: ReadonlyMap<Tab, HTMLButtonElement>,
): { button: HTMLElement; sections: HTMLElement | null } {
  const { state, frame } = context;
  const { place, title } = own;
  const all = tabsOf(own);
  const [only] = all;
  const single = all.length === 1 && only !== undefined ? tabs.get(only) : undefined;
  if (single) {
    single.classList.add(`place-${place}`);
    return { button: single, sections: null };
  }
  const id = `sections-${place}`;
  const shown = () => all.filter((tab) => hasContent(state, tab));
  /** The section that was read last. */
  let last: Tab | null = null;
  const button = el(
    'button',
    {
      class: 'tab',
      type: 'button',
      id: `place-${place}`,
      role: 'tab',
      'aria-controls': id,
      onclick: () => {
        const there = shown();
        const tab = last !== null && there.includes(last) ? last : there[0];
        if (tab !== undefined) chooseTab(context, tab);
      },
      onkeydown: walkTabs,
    },
    el('span', { class: 'tab-label', 'data-short': 'short' in own ? say(own.short) : undefined }, say(title)),
  );
  const sections = el(
    'div',
    { id, class: 'tabs sections', role: 'tablist', 'aria-label': say(title) },
    ...all.flatMap((tab) => tabs.get(tab) ?? []),
  );
  const show = () => {
    const is_here = placeOf(state.tab) === place;
    if (is_here) last = state.tab;
    const there = shown();
    button.hidden = there.length === 0;
    button.tabIndex = is_here ? 0 : -1;
    button.setAttribute('aria-selected', String(is_here && state.drawer_open));
    sections.hidden = !is_here || !state.drawer_open || there.length < 2;
  };
  frame.onDom(EVERYTHING, show);
  frame.onDom(
    all.flatMap((tab) => FACES[tab]?.verbs ?? []),
    show,
  );
  return { button, sections };
}

/** From tab to tab of a row, by arrows: what is there, and is chosen as the keyboard comes to it. */
function walkTabs(event: KeyboardEvent): void {
  const { key, currentTarget: from } = event;
  if (!(from instanceof HTMLElement) || (key !== 'ArrowRight' && key !== 'ArrowLeft')) return;
  event.preventDefault();
  const all = [...(from.parentElement?.children ?? [])].filter((own): own is HTMLElement => own instanceof HTMLElement && !own.hidden);
  const next = all[(all.indexOf(from) + (key === 'ArrowRight' ? 1 : -1) + all.length) % all.length];
  next?.click();
  next?.focus();
}

/** What a tab controls while its panel is not built. */
const panelPlace = (tab: Tab): HTMLElement =>
  el('div', { id: `panel-${tab}`, class: 'panel', role: 'tabpanel', 'aria-labelledby': `tab-${tab}`, tabindex: 0 });

/** `panel` in the place of `place`. */
function shownAt(place: HTMLElement, panel: HTMLElement): HTMLElement {
  panel.id = place.id;
  panel.classList.add('panel');
  for (const name of ['role', 'aria-labelledby', 'tabindex']) panel.setAttribute(name, place.getAttribute(name) ?? '');
  place.replaceWith(panel);
  return panel;
}

function tabButton(context: Context, tab: Tab): HTMLButtonElement {
  const { state, frame } = context;
  const { changed = [], verbs = [], badge } = FACES[tab] ?? {};
  const count = el('span', { class: 'tab-count' });
  const button = el(
    'button',
    {
      class: 'tab',
      type: 'button',
      id: `tab-${tab}`,
      role: 'tab',
      'aria-controls': `panel-${tab}`,
      onclick: () => chooseTab(context, tab),
      onkeydown: walkTabs,
    },
    el('span', { class: 'tab-label' }, say(TAB_TITLES[tab])),
    count,
  );
  frame.onDom([Changed.trace, Changed.drawer, ...changed, ...verbs], () => {
    const has_content = hasContent(state, tab);
    button.hidden = !has_content;
    if (has_content === false && state.tab === tab) turnDrawer(context, 'range');
    const counted = badge?.(state) ?? 0;
    setText(count, counted > 0 ? formatCount(counted) : '');
  });
  return button;
}

function separator(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('div', {
    class: 'separator',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-label': say('drawer-height'),
    onkeydown: (event) => {
      // Towards the timeline is larger.
      const [more, less] = isAtSide(state) ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
      const step = event.key === more ? STEP : event.key === less ? -STEP : 0;
      if (step === 0) return;
      event.preventDefault();
      if (isAtSide(state)) setDrawerWidth(context, state.drawer_width + step);
      else setDrawerHeight(context, shownDrawerHeight(state) + step);
    },
    onpointerdown: (event) => {
      element.setPointerCapture(event.pointerId);
      const from = { x: event.clientX, y: event.clientY, width: element.parentElement?.offsetWidth ?? 0, height: shownDrawerHeight(state) };
      const drag = (now: PointerEvent) => {
        if (isAtSide(state)) setDrawerWidth(context, from.width + from.x - now.clientX);
        else setDrawerHeight(context, from.height + from.y - now.clientY);
      };
      element.addEventListener('pointermove', drag);
      element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', drag), {
        once: true,
      });
    },
  });
  frame.onDom([Changed.drawer, COMPARE_CHANGED], () => {
    const is_at_side = isAtSide(state);
    element.setAttribute('aria-orientation', is_at_side ? 'vertical' : 'horizontal');
    element.setAttribute('aria-label', is_at_side ? say('drawer-width') : say('drawer-height'));
    element.setAttribute('aria-valuenow', String(Math.round(is_at_side ? state.drawer_width : shownDrawerHeight(state))));
    element.setAttribute('aria-valuemin', is_at_side ? '320' : '96');
    element.setAttribute('aria-valuemax', String(is_at_side ? widestDrawer() : Math.round(innerHeight * 0.7)));
    element.hidden = !state.drawer_open || isDrawerFull(state);
  });
  return element;
}
