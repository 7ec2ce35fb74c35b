// What the right mouse button and the key for menus offer on an op, a device row and a row of a table about an op type.
import { say } from '../base/messages';
import { formatDuration, formatPoint } from '../base/time';
import type { DeviceId, OpDetails, OpId } from '../engine/protocol';
import { attempt, showError } from '../state/failures';
import { Changed } from '../state/frame';
import { leaderOf } from '../state/layout/units';
import { hide, togglePin } from '../state/shown/devices';
import { isCounted, toggleCounted } from '../state/opened/patterns';
import { leaveHover } from '../state/shown/hover';
import { listType, setSearch } from '../state/shown/search';
import { OP_NOT_SHOWN, selectOp } from '../state/shown/select';
import { chooseTab } from '../state/shown/tab';
import { showWhy } from '../state/shown/why';
import { announce, type Context } from '../state/state';
import { openMenu, type MenuItem } from './shared/context_menu';
import { copyText } from './shared/copy';
import { typeOf } from './shared/op_type';

interface Point {
  x: number;
  y: number;
}

export function offerMenus(context: Context, root: HTMLElement): void {
  root.addEventListener('contextmenu', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || event.defaultPrevented || !context.state.trace) return;
    if (menuOf(context, target, placeOf(event, target))) event.preventDefault();
  });
}

/** The key for menus has no place of its own. */
function placeOf({ clientX, clientY, button }: MouseEvent, target: HTMLElement): Point {
  if (button === 2) return { x: clientX, y: clientY };
  const { left, top } = target.getBoundingClientRect();
  return { x: left + 24, y: top + 24 };
}

/** Whether there is one. */
function menuOf(context: Context, target: HTMLElement, at: Point): boolean {
  const { state } = context;
  if (target.matches('canvas.lanes')) {
    const op = state.hover?.op ?? state.selection?.op;
    if (op === undefined) return false;
    attempt(context, OP_NOT_SHOWN, ofOp(context, op, at));
    return true;
  }
  const device = target.closest<HTMLElement>('[data-device]')?.dataset['device'];
  if (device !== undefined) {
    ofDevice(context, Number(device), at);
    return true;
  }
  const type = typeOf(target);
  if (!type) return false;
  const { op_type, category } = type;
  openMenu(at, op_type, [
    copyItem(context, say('copy-name'), op_type),
    listItem(context, op_type),
    ...countItem(context, op_type, category),
  ]);
  return true;
}

async function ofOp(context: Context, op: OpId, at: Point): Promise<void> {
  const details = await context.engine.op(op);
  const { name, op_type, category, device } = details;
  const find = (text: string) => () => {
    setSearch(context, { text, regex: false });
    chooseTab(context, 'matches');
  };
  const scope = name.slice(0, name.lastIndexOf('/') + 1);
  const select = (reveal: 'frame' | 'show') => selectOp(context, op, reveal);
  // What the pointer was on says nothing more while the menu is there.
  leaveHover(context);
  openMenu(at, name, [
    copyItem(context, say('copy-name'), name),
    copyItem(context, say('copy-op-details'), detailsText(context, details)),
    { words: say('zoom-to-op'), run: () => attempt(context, OP_NOT_SHOWN, select('frame')) },
    { words: say('why-late'), run: () => showWhy(context, op) },
    {
      words: say('show-in-table'),
      run: () =>
        attempt(
          context,
          OP_NOT_SHOWN,
          select('show').then(() => chooseTab(context, 'table')),
        ),
    },
    listItem(context, op_type),
    ...countItem(context, op_type, category),
    ...(scope === '' ? [] : [{ words: say('list-ops-of-scope', { scope }), run: find(`name:${scope}`) }]),
    { words: say('find-same-op'), run: find(`name=${name}`) },
    ...deviceItems(context, device),
  ]);
}

function ofDevice(context: Context, device: DeviceId, at: Point): void {
  const name = context.state.trace?.summary.devices[device]?.name ?? '';
  openMenu(at, name, [copyItem(context, say('copy-name'), name), ...deviceItems(context, device)]);
}

function deviceItems(context: Context, device: DeviceId): MenuItem[] {
  const { state } = context;
  const leader = leaderOf(state.trace?.summary.devices ?? [], device);
  return [
    { words: say(state.rows.pinned.includes(leader) ? 'unpin-device' : 'pin-device'), run: () => togglePin(context, leader) },
    { words: say('hide-device'), run: () => hide(context, [leader]) },
  ];
}

const listItem = (context: Context, op_type: string): MenuItem => ({
  words: say('list-ops-of-type', { type: op_type }),
  run: () => listType(context, op_type),
});

/** Patterns add to communication, and never touch ranges: what names or another pattern put there stays there. */
function countItem(context: Context, op_type: string, category: string | null): MenuItem[] {
  const is_counted = isCounted(context.state, op_type);
  if (!is_counted && (category === 'communication' || category === 'range')) return [];
  return [
    { words: say(is_counted ? 'count-as-named' : 'count-as-communication', { type: op_type }), run: () => toggleCounted(context, op_type) },
  ];
}

const copyItem = (context: Context, words: string, text: string): MenuItem => ({
  words,
  run: () => {
    copyText(Promise.resolve(text)).then(
      () => announce(context, say('copied-text'), Changed.notice),
      (thrown: unknown) => showError(context, say('not-copied'), thrown),
    );
  },
});

/** A line for each fact, for a mail or an issue. */
function detailsText({ state }: Context, { name, op_type, category, device, start_ns, end_ns, label }: OpDetails): string {
  const place = state.trace?.summary.devices[device]?.name ?? '';
  return [name, `${op_type} · ${category}`, place, `${formatPoint(start_ns, 1)} + ${formatDuration(end_ns - start_ns)}`, label]
    .filter((line) => line !== '')
    .join('\n');
}
