// The picture of the flame: a click, or Enter, shows what is on a bar; arrows walk, and what has the focus is said.
import { sentences } from '../../../base/joined';
import { el, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { say } from '../../../base/messages';
import { frameLabel, shortened } from '../../../base/names';
import { formatDuration, ns } from '../../../base/time';
import { BAR_PX, barAt, drawFlame, placed, type PlacedBar, type PlacedFlame } from '../../../draw/flame';
import { TextRuler } from '../../../draw/text';
import { CATEGORIES, type FlameAnswer, type FlameBar } from '../../../engine/protocol';
import { showBar, showName } from '../../../state/shown/flame';
import { setSearch } from '../../../state/shown/search';
import { chooseTab } from '../../../state/shown/tab';
import type { Context } from '../../../state/state';
import { paletteOf } from '../../../state/ui/theme';
import { surface } from '../../shared/canvas';
import { openMenu } from '../../shared/context_menu';
import { copyItem } from '../../shared/copy_item';

const ARROWS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

interface FlamePicture {
  element: HTMLElement;
  /** What is under the pointer, or has the focus; else what the picture leaves out. */
  said: HTMLElement;
  show: (answer: FlameAnswer) => void;
}

/** `again` has the panel drawn again. */
export function flamePicture(context: Context, again: () => void): FlamePicture {
  const { state } = context;
  const canvas = surface({ class: 'flame-canvas', role: 'application', tabindex: 0, 'aria-label': say('flame-label') });
  const space = el('div', {}, canvas.element);
  const scroll = el('div', { class: 'flame-scroll' }, space);
  const said = el('div', { class: 'flame-said', role: 'status' });
  let answer: FlameAnswer | null = null;
  let flame: PlacedFlame = { bars: [], rows: 0 };
  const ruler = new TextRuler(canvas.context, () => paletteOf(state).font);
  let hovered = -1;
  let focused = -1;
  let is_focused = false;

  const widthOf = (bar: FlameBar): number => (answer?.measure === 'gpu' ? bar.gpu_ns : bar.total_ns);
  const lookNow = () => ({ width: canvas.width, height: canvas.height, top: scroll.scrollTop });
  const barUnder = (event: MouseEvent) => barAt(flame, lookNow(), event.offsetX, event.offsetY);

  function draw(): void {
    const width = scroll.clientWidth;
    if (width === 0) return;
    canvas.fit(width, scroll.clientHeight);
    canvas.clear();
    const theme = paletteOf(state);
    const look = {
      ...lookNow(),
      hovered,
      focused: is_focused ? focused : -1,
      label: (bar: FlameBar, room: number) => shortened(frameLabel(bar.name), (text) => ruler.width(text) <= room),
      fill: ({ category }: FlameBar) => (category === null ? null : (theme.categories[CATEGORIES.indexOf(category)] ?? theme.idle)),
    };
    drawFlame(canvas.context, flame, look, theme);
  }

  const sayBar = (place: number) => {
    const bar = flame.bars[place];
    said.title = bar ? wordsOf(bar) : sentences(answer?.notes ?? []);
    setText(said, said.title);
    canvas.element.title = bar?.name ?? '';
  };

  const hover = (place: number) => {
    if (place === hovered) return;
    hovered = place;
    sayBar(place >= 0 ? place : is_focused ? focused : -1);
    draw();
  };

  const focus = (place: number) => {
    const bar = flame.bars[place];
    if (!bar) return;
    focused = place;
    const y = bar.row * BAR_PX;
    if (y < scroll.scrollTop) scroll.scrollTop = y;
    else if (y + BAR_PX > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = y + BAR_PX - scroll.clientHeight;
    sayBar(place);
    draw();
  };

  /** Shows what is on the bar; of bars about one name, what is around the bar's own name. */
  const enter = (place: number) => {
    const bar = flame.bars[place];
    if (!bar || !answer) return;
    if (state.flame.name === null) showBar(context, [...answer.path.slice(0, -1), ...pathTo(place)]);
    else showName(context, bar.name);
  };

  const pathTo = (place: number): string[] => {
    const names: string[] = [];
    for (let at = place; at >= 0; at = flame.bars[at]!.parent) names.unshift(flame.bars[at]!.name);
    return names;
  };

  const leave = () => {
    if (state.flame.name !== null) showBar(context, []);
    else if (answer && answer.path.length > 0) showBar(context, answer.path.slice(0, -1));
  };

  /** The widest bar on `place`, or the one next to it. */
  const near = (place: number, key: string): number => {
    const bar = flame.bars[place];
    if (!bar) return 0;
    if (key === 'ArrowUp') return bar.parent;
    if (key === 'ArrowDown') return flame.bars.findIndex(({ parent }) => parent === place);
    const same = flame.bars.flatMap((other, at) => (other.row === bar.row ? [at] : []));
    return same[same.indexOf(place) + (key === 'ArrowLeft' ? -1 : 1)] ?? -1;
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (ARROWS.has(event.key)) focus(near(focused, event.key));
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'Enter' || event.key === ' ') enter(focused);
    else if (event.key === 'Backspace') leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const onMenu = (event: MouseEvent) => {
    const bar = flame.bars[barUnder(event)];
    if (!bar) return;
    event.preventDefault();
    event.stopPropagation();
    const find = () => {
      setSearch(context, { text: bar.name, regex: false });
      chooseTab(context, 'matches');
    };
    openMenu({ x: event.clientX, y: event.clientY }, bar.name, [
      { words: say('flame-around'), run: () => showName(context, bar.name) },
      { words: say('flame-find'), run: find },
      copyItem(context, say('copy-name'), bar.name),
    ]);
  };

  canvas.element.addEventListener('pointermove', (event) => hover(barUnder(event)));
  canvas.element.addEventListener('pointerleave', () => hover(-1));
  canvas.element.addEventListener('click', (event) => enter(barUnder(event)));
  canvas.element.addEventListener('contextmenu', onMenu);
  canvas.element.addEventListener('keydown', onKey);
  canvas.element.addEventListener('focus', () => {
    is_focused = canvas.element.matches(':focus-visible');
    focus(Math.max(focused, 0));
  });
  canvas.element.addEventListener('blur', () => {
    is_focused = false;
    sayBar(hovered);
    draw();
  });
  scroll.addEventListener('scroll', draw, { passive: true });
  new ResizeObserver(again).observe(scroll);

  return {
    element: scroll,
    said,
    show: (now) => {
      if (now !== answer) {
        answer = now;
        flame = placed(now.bars, now.outside, widthOf);
        space.style.height = `${flame.rows * BAR_PX}px`;
        focused = hovered = -1;
        sayBar(-1);
        const own = flame.bars[0];
        scroll.scrollTop = own ? Math.max(0, (own.row + 1) * BAR_PX - scroll.clientHeight / 2) * Number(own.row > 0) : 0;
      }
      draw();
    },
  };
}

const wordsOf = ({ name, total_ns, self_ns, gpu_ns, count }: PlacedBar): string =>
  say(gpu_ns > 0 ? 'flame-bar-gpu' : 'flame-bar', {
    name: frameLabel(name),
    total: formatDuration(ns(total_ns)),
    own: formatDuration(ns(self_ns)),
    gpu: formatDuration(ns(gpu_ns)),
    times: say('flame-times', { count, shown: formatCount(count) }),
  });
