// One device in the left column: its name, what to do with it, its share of compute, communication and idle time.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { formatBytes, formatCount, formatShare } from '../../base/format';
import { taskLabel } from '../../base/names';
import { formatDuration } from '../../base/time';
import type { DeviceId, DeviceSummary, Summary } from '../../engine/protocol';
import { chooseRow } from '../../state/shown/chosen_device';
import { hide, toggleFold, togglePin, toggleTall, toggleTransfers } from '../../state/shown/devices';
import { repairWords } from '../../state/opened/repairs';
import { Changed, type Changes } from '../../state/frame';
import { hasLabels, type Band, type Group } from '../../state/layout/layout';
import { groupsBetween } from '../../state/layout/sight';
import { membersOf, unitPlace, unitWords } from '../../state/layout/units';
import type { Context } from '../../state/state';
import { unitSplit } from '../../state/scope';
import { titled, type Command } from '../keys/bindings';
import { ICONS } from '../shared/icons';
import { cutMiddle } from '../shared/parts';
import { reconcile } from '../shared/reconcile';
import { splitBar } from '../shared/split_bar';
import { REPAIRED_MARK } from '../shared/words';

export interface DeviceRow {
  element: HTMLElement;
  /** Whether Tab comes to it: to one row of all. */
  beStop: (is_stop: boolean) => void;
  /** Brings what has changed up to date. */
  update: (changed: Changes) => void;
  /** Puts the row `top` pixels below the top of what holds it. */
  place: (band: Band, top: number) => void;
  /** Shows the names of the groups of which anything lies in [top, bottom) of the band. */
  showGroups: (band: Band, top: number, bottom: number) => void;
}

export function deviceRow(context: Context, id: DeviceId): DeviceRow {
  const { state } = context;
  const all = state.trace?.summary as Summary;
  const summary = all.devices[id] as DeviceSummary;
  const members = membersOf(all.devices, id);
  const words = unitWords(all, id);
  const spoken = unitPlace(all, id);
  const bar = splitBar(false, spoken);
  const task = el('span', { class: 'device-task' });
  // The keyboard folds with the arrow keys: one stop for each row is enough.
  const fold = el(
    'button',
    {
      class: 'device-fold',
      type: 'button',
      tabindex: -1,
      title: say('fold-title'),
      'aria-label': say('label-of', { what: spoken, label: say('fold-one') }),
      onclick: () => toggleFold(context, id),
    },
    icon(ICONS.chevron),
  );
  const choose = el(
    'button',
    {
      class: 'device-choose',
      type: 'button',
      tabindex: -1,
      title: [words.name, words.streams, say('device-click')].filter(Boolean).join('\n'),
      'aria-label': spoken,
      'aria-keyshortcuts': 'ArrowLeft ArrowRight Alt+ArrowUp Alt+ArrowDown P H',
    },
    task,
    ' ',
    el('span', { class: 'device-name' }, ...cutMiddle(words.label)),
    el('span', { class: 'device-streams' }, words.streams),
  );
  const tool = (kind: string, what: string, command: Command | null, path: string, run: () => void) =>
    el(
      'button',
      {
        class: `device-tool device-${kind}`,
        type: 'button',
        tabindex: -1,
        title: command ? titled(what, command) : what,
        'aria-label': say('label-of', { what: spoken, label: what }),
        onclick: run,
      },
      icon(path),
    );
  const tall = tool('tall', say('tall-lanes'), null, ICONS.tall, () => toggleTall(context, id));
  const pin = tool('pin', say('pin'), 'pin', ICONS.pin, () => togglePin(context, id));
  const away = tool('hide', say('hide'), 'hide', ICONS.hide, () => hide(context, [id]));
  const matches = el('span', { class: 'device-matches' });
  const compute = el('span', {});
  const exposed = el('span', { class: 'device-exposed' });
  const figures = el('div', { class: 'device-figures' }, compute, exposed);
  const traffic = el('div', { class: 'device-figures' });
  const ops = el(
    'span',
    {
      class: 'device-ops',
      title: say('ops-in-lanes', { ops: say('ops', { count: words.ops }), lanes: say('lanes', { count: words.lanes }) }),
    },
    formatCount(words.ops),
  );
  const grip = el('span', { class: 'grip', title: titled(say('drag-to-move'), 'move-up') }, icon(ICONS.grip));
  const tools = el('span', { class: 'device-tools' }, tall, away, pin);
  const repairs = repairWords(state);
  const is_repaired = members.some((member) => all.devices[member]?.repaired);
  const repaired = is_repaired && el('span', { class: 'repaired', role: 'img', title: repairs, 'aria-label': repairs }, REPAIRED_MARK);
  const line = el('div', { class: 'device-line' }, fold, choose, repaired, matches, tools, ops);
  const head = el('div', { class: 'device-head' }, grip, line, bar.element, figures, traffic);
  const isOnButton = (event: Event) => (event.target as Element).closest('button:not(.device-choose)') !== null;
  head.onclick = (event) => {
    // The second click of two folds, and changes nothing else.
    if (event.detail <= 1 && !isOnButton(event)) chooseRow(context, id);
  };
  head.ondblclick = (event) => {
    if (!isOnButton(event)) toggleFold(context, id);
  };
  const groups = el('div', { class: 'group-names' });
  const [at_once, at_most] = ['at-once', 'at-most'].map((name) => el('span', { class: name })) as [HTMLElement, HTMLElement];
  const transfers = el(
    'button',
    { class: 'device-transfers', type: 'button', tabindex: -1, onclick: () => toggleTransfers(context, id) },
    icon(ICONS.chevron),
    el('span', { class: 'transfers-words' }, say('row-transfers')),
    ' ',
    el('span', { class: 'device-at-once' }, at_once, at_most),
  );
  const element = el('div', { class: 'device', 'data-device': String(id) }, head, groups, transfers);
  const names = new Map<Group, HTMLElement>();
  return {
    element,
    beStop: (is_stop) => {
      choose.tabIndex = is_stop ? 0 : -1;
    },
    place(band, top) {
      const { named, transfers: lanes } = band;
      // What is below the name of the device: the lanes of its transfers have a name of their own.
      const room = lanes && !named ? lanes.y : band.height;
      element.style.top = `${top}px`;
      element.style.height = `${band.height}px`;
      element.classList.toggle('folded', band.folded);
      element.classList.toggle('pinned', band.pinned);
      element.classList.toggle('named', named);
      element.classList.toggle('one-line', named || room < 40);
      element.classList.toggle('two-lines', !named && room >= 40 && room < 58);
      element.classList.toggle('three-lines', !named && room >= 58 && room < 76);
      const { rows } = state;
      // Without the header of its task above it, a device says whose it is.
      const alone = band.pinned || state.layout.sections.some(({ header, bands }) => header === 0 && bands[0]?.device === id);
      element.classList.toggle('alone', alone);
      setText(task, alone && summary.task !== null ? taskLabel(summary.task) : '');
      transfers.hidden = lanes === null;
      if (lanes) {
        const count = summary.lanes - summary.op_lanes;
        const is_open = !band.closed && !band.bars;
        const most = say('lanes-at-once', { count });
        transfers.style.top = `${lanes.y}px`;
        transfers.style.height = `${Math.min(lanes.height, 16)}px`;
        setText(at_once, most);
        // Where there is no room for more.
        setText(at_most, say('lanes-at-most', { count }));
        transfers.setAttribute('aria-expanded', String(is_open));
        transfers.setAttribute('aria-label', say('transfers-of', { what: spoken, most }));
        transfers.title = titled(say(is_open ? 'transfers-close-title' : 'transfers-open-title'), 'transfers');
      }
      fold.setAttribute('aria-expanded', String(!band.folded));
      tall.setAttribute('aria-pressed', String(rows.tall.has(id)));
      tall.hidden = band.folded || (hasLabels(band) && !rows.tall.has(id));
      pin.setAttribute('aria-pressed', String(rows.pinned.includes(id)));
      if (!named && groups.firstChild) groups.replaceChildren();
      names.clear();
    },
    showGroups(band, top, bottom) {
      if (!band.named) return;
      const seen = groupsBetween(band, top, bottom);
      const staying = new Set(seen);
      for (const group of names.keys()) if (!staying.has(group)) names.delete(group);
      for (const group of seen) if (!names.has(group)) names.set(group, groupName(group));
      reconcile(
        groups,
        seen.map((group) => names.get(group) as HTMLElement),
      );
    },
    update(changed) {
      if (changed.hasAny(Changed.chosen, Changed.trace)) {
        const is_chosen = state.chosen_device.device === id;
        element.classList.toggle('chosen', is_chosen);
        choose.setAttribute('aria-pressed', String(is_chosen));
      }
      if (changed.hasAny(Changed.scope, Changed.trace)) {
        const split = unitSplit(state, id);
        if (split) {
          bar.update(split, clauses([words.name, is_repaired && say('repaired')]), summary.without_kernels === true);
          const of = (part_ns: number) => formatShare(split.window_ns > 0 ? part_ns / split.window_ns : 0);
          // Python's frames and annotations are no work, and a device that has nothing else is not idle.
          const has_work = summary.busy_ns > 0;
          setText(compute, has_work ? say('device-compute', { share: of(split.compute_ns) }) : say('device-no-work'));
          const communicates = members.some((member) => (all.devices[member]?.communication_ns ?? 0) > 0);
          setText(exposed, has_work && communicates ? say('device-exposed', { share: of(split.exposed_communication_ns) }) : '');
          figures.title = say('device-shares-title', {
            busy: formatDuration(split.busy_ns),
            window: formatDuration(split.window_ns),
            communication: formatDuration(split.communication_ns),
            hidden: formatDuration(split.overlapped_communication_ns),
          });
        } else {
          bar.update(null, words.name);
          setText(compute, state.range_lanes ? say('device-not-in-range') : '');
          setText(exposed, '');
          figures.title = '';
        }
      }
      if (changed.hasAny(Changed.totals, Changed.trace)) setText(traffic, trafficOf(summary));
      if (changed.has(Changed.search)) {
        const counts = state.search.result?.per_device;
        const count = counts && members.reduce((sum, member) => sum + (counts[member] ?? 0), 0);
        setText(matches, count === undefined ? '' : formatCount(count));
        matches.classList.toggle('none', count === 0);
        matches.title = count === undefined ? '' : say('matches-on-device', { matches: say('matches', { count }) });
      }
    },
  };
}

/** Lower groups have no room for a name; it is in the title. */
const LEAST_NAME = 11;

function groupName({ name, lanes, y, pitch }: Group): HTMLElement {
  const height = lanes * pitch;
  const element = el(
    'div',
    { class: 'group-name', title: say('group-title', { name, lanes: say('lanes', { count: lanes }) }) },
    height >= LEAST_NAME ? name : '',
  );
  element.style.top = `${y}px`;
  element.style.height = `${height}px`;
  return element;
}

function trafficOf({ received_bytes = 0, sent_bytes = 0 }: DeviceSummary): string {
  const parts = [received_bytes > 0 && `↓ ${formatBytes(received_bytes)}`, sent_bytes > 0 && `↑ ${formatBytes(sent_bytes)}`];
  return parts.filter((part) => part !== false).join('   ');
}
