// The menus of an op, a device, a task and a row of any table. `offer_menus.ts` says when they open.
import { say } from '../base/messages';
import { placeLabel, routeLabel, taskLabel } from '../base/names';
import { formatDuration, formatPoint } from '../base/time';
import type { DeviceId, OpDetails, OpId } from '../engine/protocol';
import { attempt } from '../state/failures';
import { compareWithStep } from '../state/opened/compare';
import { showView } from '../state/opened/show_view';
import { leaderOf } from '../state/layout/units';
import { foldTogether, hide, pinAll, setFilter, togglePin } from '../state/shown/devices';
import { patternOfType } from '../state/opened/pattern_words';
import { isCounted, toggleCounted } from '../state/opened/patterns';
import { leaveHover } from '../state/shown/hover';
import { listType, setSearch } from '../state/shown/search';
import { OP_NOT_SHOWN, selectOp } from '../state/shown/select';
import { chooseRow } from '../state/shown/chosen_device';
import { choosePlace } from '../state/shown/memory';
import { memoryOf, placeOfDevice } from '../state/shown/memory_accounts';
import { chooseTab, showTransfers } from '../state/shown/tab';
import { whatIf } from '../state/shown/what_if';
import { showWhy } from '../state/shown/why';
import type { Context } from '../state/state';
import { openMenu, type MenuItem } from './shared/context_menu';
import { copyItem } from './shared/copy_item';
import type { Point } from './offer_menus';
import { restWords } from './shared/words';
import { typeOf, type Named } from './shared/op_type';

/** The menu of what is at a point of the lanes: a finger has rested there. */
export function menuAtOp(context: Context, op: OpId, at: Point): void {
  attempt(context, OP_NOT_SHOWN, ofOp(context, op, at));
}

/** Opens the menu of what is at `target`; says whether there is one. */
export function menuOf(context: Context, target: HTMLElement, at: Point): boolean {
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
  const first = target.closest('.task')?.closest<HTMLElement>('[data-first]')?.dataset['first'];
  if (first !== undefined) return ofTask(context, Number(first), at);
  const row = target.closest<HTMLTableRowElement>('tbody tr[aria-rowindex]');
  if (row) {
    ofRow(context, row, at);
    return true;
  }
  const link = target.closest<HTMLElement>('[data-link-source]')?.dataset;
  if (link) return ofLink(context, link['linkSource'] ?? '', link['linkDestination'] ?? '', at);
  const type = typeOf(target);
  if (type) openMenu(at, type.op_type, [copyItem(context, say('copy-name'), type.op_type), ...typeItems(context, type)]);
  return type !== null;
}

function ofLink(context: Context, source: string, destination: string, at: Point): boolean {
  const link = routeLabel({ source, destination });
  openMenu(at, link, [copyItem(context, say('copy-name'), link), linkItem(context, source, destination)]);
  return true;
}

/** What would change if something were twice as fast. */
const fasterItem = (context: Context, words: string, change: string): MenuItem => ({ words, run: () => whatIf(context, `${change}=0.5`) });

const linkItem = (context: Context, source: string, destination: string): MenuItem =>
  fasterItem(context, say('if-link-faster', { link: routeLabel({ source, destination }) }), `link=${source}->${destination}`);

const typeItems = (context: Context, { op_type, category }: Named): MenuItem[] => [
  listItem(context, op_type),
  ...countItem(context, op_type, category),
  fasterItem(context, say('if-type-faster', { type: op_type }), `op=type:${patternOfType(op_type)}`),
];

/** The header of a task: what is done is done to all its devices. */
function ofTask(context: Context, first: DeviceId, at: Point): boolean {
  const { state } = context;
  const section = state.layout.sections.find(({ bands }) => bands[0]?.device === first);
  if (!section) return false;
  const devices = section.bands.map(({ device }) => device);
  const { task } = section;
  const name = task === null ? restWords(state) : taskLabel(task);
  const has_transfers = devices.some((device) => {
    const { received_bytes = 0, sent_bytes = 0 } = state.trace?.summary.devices[device] ?? {};
    return received_bytes + sent_bytes > 0;
  });
  openMenu(at, name, [
    copyItem(context, say('copy-name'), task ?? name),
    ...(task === null ? [] : [{ words: say('show-only', { name }), run: () => setFilter(context, name) }]),
    { words: say('fold-or-unfold'), run: () => foldTogether(context, devices) },
    ...(task === null || !has_transfers ? [] : [fasterItem(context, say('if-task-faster', { task: name }), `network=${task}`)]),
    { words: say('pin-devices'), run: () => pinAll(context, devices) },
    { words: say('hide-devices'), run: () => hide(context, devices) },
  ]);
  return true;
}

/** A row of a table: of an op all that its mark offers, of others what their first cell names. */
function ofRow(context: Context, element: HTMLTableRowElement, at: Point): void {
  const { ofOp: op, ofDevice: of_device, ofStep: of_step } = element.dataset;
  const type = typeOf(element);
  const name = type?.op_type ?? element.querySelector('th')?.textContent.trim() ?? '';
  const cells = [...element.cells].map((cell) => cell.textContent.trim()).join('\t');
  const own = [copyItem(context, say('copy-row'), cells), ...alikeItems(element, name)];
  if (op !== undefined) {
    attempt(context, OP_NOT_SHOWN, ofOp(context, Number(op), at, own));
    return;
  }
  const device = deviceOf(context, of_device);
  openMenu(at, name, [
    copyItem(context, say('copy-name'), name),
    ...own,
    ...(of_step === undefined ? [] : stepItems(context, Number(of_step))),
    ...(type ? typeItems(context, type) : []),
    ...(device === null ? [] : deviceItems(context, device)),
  ]);
}

/** Of another step than the one that is shown. */
function stepItems(context: Context, row: number): MenuItem[] {
  if (context.state.trace?.view.step === row) return [];
  return [{ words: say('cmp-with-this-step'), run: () => compareWithStep(context, row) }];
}

/** By its number or its name. */
function deviceOf({ state }: Context, said: string | undefined): DeviceId | null {
  const devices = state.trace?.summary.devices ?? [];
  const place = devices.findIndex(({ name }, device) => name === said || String(device) === said);
  return place < 0 ? null : place;
}

/** Where the table has a filter. */
function alikeItems(element: HTMLElement, name: string): MenuItem[] {
  const field = element.closest('.long-table, section, .panel')?.querySelector<HTMLInputElement>('input[type="search"], .table-filter');
  if (!field || name === '') return [];
  const run = () => {
    field.value = name;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return [{ words: say('show-only', { name }), run }];
}

async function ofOp(context: Context, op: OpId, at: Point, more: readonly MenuItem[] = []): Promise<void> {
  const details = await context.engine.ask('op', op);
  const { name, op_type, category, device, transfer } = details;
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
    ...more,
    { words: say('zoom-to-op'), run: () => attempt(context, OP_NOT_SHOWN, select('frame')) },
    { words: say('why-late'), run: () => showWhy(context, op) },
    fasterItem(context, say('if-op-faster'), `op=name:${patternOfType(name)}`),
    ...(op_type === '' ? [] : [fasterItem(context, say('if-type-faster', { type: op_type }), `op=type:${patternOfType(op_type)}`)]),
    ...(transfer ? [linkItem(context, transfer.source, transfer.destination)] : []),
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
    ...(hasOtherSteps(context) ? [{ words: say('find-in-all-steps'), run: findInAllSteps(context, find(`name=${name}`)) }] : []),
    ...deviceItems(context, device),
  ]);
}

const hasOtherSteps = ({ state }: Context): boolean => (state.trace?.view.step ?? null) !== null && (state.steps?.steps.length ?? 0) > 1;

/** The search goes with the view. */
const findInAllSteps = (context: Context, find: () => void) => () => {
  find();
  showView(context, { step: null });
};

function ofDevice(context: Context, device: DeviceId, at: Point): void {
  const name = context.state.trace?.summary.devices[device]?.name ?? '';
  openMenu(at, name, [copyItem(context, say('copy-name'), name), ...seeItems(context, device), ...deviceItems(context, device)]);
}

/** What else the page knows of a device. */
function seeItems(context: Context, device: DeviceId): MenuItem[] {
  const { state } = context;
  const { devices = [] } = state.trace?.summary ?? {};
  const leader = leaderOf(devices, device);
  const { name = '', received_bytes = 0, sent_bytes = 0 } = devices[device] ?? {};
  const others = devices.flatMap((_, other) => (leaderOf(devices, other) === leader ? [] : [leaderOf(devices, other)]));
  const place = placeOfDevice(state, device);
  return [
    {
      words: say('device-op-types'),
      run: () => {
        if (state.chosen_device.device !== leader) chooseRow(context, leader);
        chooseTab(context, 'range');
      },
    },
    ...(place
      ? [
          {
            words: say('device-memory'),
            run: () => {
              choosePlace(context, place);
              chooseTab(context, 'memory');
            },
          },
        ]
      : memoryOf(state)
        ? []
        : [{ words: say('device-memory'), run: () => chooseTab(context, 'memory') }]),
    ...(others.length === 0 ? [] : [{ words: say('device-only'), run: () => hide(context, [...new Set(others)]) }]),
    ...(received_bytes + sent_bytes === 0 ? [] : [{ words: say('device-network'), run: () => showTransfers(context, placeLabel(name)) }]),
  ];
}

function deviceItems(context: Context, device: DeviceId): MenuItem[] {
  const { state } = context;
  const leader = leaderOf(state.trace?.summary.devices ?? [], device);
  const name = state.trace?.summary.devices[device]?.name ?? '';
  return [
    { words: say(state.rows.pinned.includes(leader) ? 'unpin-device' : 'pin-device'), run: () => togglePin(context, leader) },
    { words: say('hide-device'), run: () => hide(context, [leader]) },
    ...(name === '' ? [] : [fasterItem(context, say('if-device-faster', { device: placeLabel(name) }), `device=${name}`)]),
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

/** A line for each fact, for a mail or an issue. */
function detailsText({ state }: Context, { name, op_type, category, device, start_ns, end_ns, label }: OpDetails): string {
  const place = state.trace?.summary.devices[device]?.name ?? '';
  return [name, `${op_type} · ${category}`, place, `${formatPoint(start_ns, 1)} + ${formatDuration(end_ns - start_ns)}`, label]
    .filter((line) => line !== '')
    .join('\n');
}
