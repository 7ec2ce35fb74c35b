// What is said of a cell: under the pointer, and in a line below the picture, which a screen reader hears too.
import { clauses } from '../../base/joined';
import { el, fill, setText } from '../../base/dom';
import { say } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { FleetCell, FleetFigure } from '../../engine/protocol';
import { cellInHand, rowAt, FLEET_CHANGED } from '../../state/fleet/open';
import { nameOf, openCell } from '../../state/fleet/trace';
import type { At, Fleet } from '../../state/fleet_open';
import type { Context } from '../../state/state';
import { beganWords, columnWords, FIGURE_WORDS, rowWords, written } from './words';

interface Said {
  title: string;
  value: string;
  peers: string;
  why: string;
  began: string;
  trace: string;
}

/** The answer of the core, where it is of this cell: the one before stays until the next is there. */
const cellOf = (fleet: Fleet, at: At): FleetCell | null =>
  fleet.cell?.row === rowAt(fleet, at) && fleet.cell.column === at.column ? fleet.cell : null;

function said(fleet: Fleet, at: At): Said | null {
  const { run, heat } = fleet;
  const row = run?.rows[rowAt(fleet, at)];
  if (!run || !heat || !row) return null;
  const { scale, values } = heat.is;
  const value = values[at.row * run.first_steps.length + at.column] ?? NaN;
  const cell = cellOf(fleet, at);
  const own = cell?.figures.find(({ figure }) => figure === heat.of.figure);
  const has_peers = !scale.is_share && own?.peers_ns != null;
  const figure = FIGURE_WORDS[heat.of.figure];
  return {
    title: say('fleet-at', { task: rowWords(row), step: columnWords(run, at.column) }),
    value: Number.isNaN(value)
      ? say('fleet-nothing-here')
      : say(scale.is_largest ? 'fleet-figure-largest' : 'fleet-figure', { figure, value: written(value, scale.is_share) }),
    peers: has_peers ? say('fleet-peers', { value: formatDuration(own.peers_ns ?? 0) }) : '',
    why: cell?.most_beyond
      ? say('fleet-beyond', { figure: FIGURE_WORDS[cell.most_beyond as FleetFigure], value: formatDuration(cell.beyond_ns) })
      : '',
    began: beganWords(run, at.column),
    trace: cell?.source ?? '',
  };
}

/** Under the pointer. */
export function tipPart({ state, frame }: Context, box: HTMLElement): HTMLElement {
  const tip = el('div', { class: 'tooltip fleet-tip', hidden: true, 'aria-hidden': true });
  frame.onDom([FLEET_CHANGED], () => {
    const { fleet } = state;
    const hover = fleet?.hover ?? null;
    const words = fleet && hover && said(fleet, hover);
    tip.hidden = !words;
    if (!words || !hover) return;
    fill(
      tip,
      el('div', { class: 'tip-name' }, words.title),
      el('div', { class: 'tip-line tip-strong' }, words.value),
      words.peers !== '' && el('div', { class: 'tip-line' }, words.peers),
      words.why !== '' && el('div', { class: 'tip-line' }, words.why),
      words.trace !== '' && el('div', { class: 'tip-line note' }, say('fleet-opens', { file: nameOf(words.trace) })),
    );
    const left = hover.x + 14 + tip.offsetWidth > box.clientWidth ? hover.x - tip.offsetWidth - 10 : hover.x + 14;
    const top = hover.y + 16 + tip.offsetHeight > box.clientHeight ? hover.y - tip.offsetHeight - 10 : hover.y + 16;
    tip.style.transform = `translate(${Math.max(4, Math.round(left))}px, ${Math.max(4, Math.round(top))}px)`;
  });
  return tip;
}

/** The line below the picture. */
export function cellLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const words = el('span', { id: 'fleet-cell-words', role: 'status' });
  const open = el(
    'button',
    {
      id: 'fleet-open-trace',
      class: 'button outlined',
      type: 'button',
      onclick: () => {
        const chosen = state.fleet?.chosen;
        if (chosen) openCell(context, chosen.row, chosen.column);
      },
    },
    say('fleet-open-trace'),
  );
  frame.onDom([FLEET_CHANGED], () => {
    const { fleet } = state;
    if (!fleet?.run) return;
    const at = cellInHand(fleet);
    const own = at && said(fleet, at);
    setText(words, own ? clauses([own.title, own.value, own.peers, own.why, own.began].filter((part) => part !== '')) : say('fleet-hint'));
    words.classList.toggle('note', !own);
    open.disabled = fleet.chosen === null || fleet.hover !== null || cellOf(fleet, fleet.chosen)?.source == null;
  });
  return el('p', { class: 'fleet-cell' }, words, open);
}
