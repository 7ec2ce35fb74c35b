// The header of a task in the left column, which stays visible while its devices scroll by.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { taskLabel } from '../../base/names';
import type { DeviceSummary } from '../../engine/protocol';
import { foldTogether } from '../../state/shown/devices';
import type { Section } from '../../state/layout/layout';
import type { Context } from '../../state/state';
import { restWords } from '../shared/words';
import { unitOps } from '../../state/layout/units';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';

export interface TaskHead {
  /** The section: the header, and below it what is put into it. */
  element: HTMLElement;
  head: HTMLElement;
  update: (section: Section) => void;
}

/** Frames of Python and spans have rows, and are no devices. */
const isWorking = (device: DeviceSummary | undefined): boolean => device?.accelerator !== undefined || device?.without_work !== true;

export function taskHead(context: Context, task: string | null): TaskHead {
  const { state } = context;
  let devices: number[] = [];
  const name = task === null ? restWords(state) : taskLabel(task);
  const count = el('span', { class: 'task-ops' });
  const fold = el(
    'button',
    {
      class: 'task-fold',
      type: 'button',
      tabindex: -1,
      'aria-label': say('fold-task', { task: name }),
      'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown H',
      title: say('fold-task-title', { task: task ?? say('no-task-title') }),
      onclick: () => foldTogether(context, devices),
    },
    icon(ICONS.chevron),
    el('span', { class: 'task-name' }, name),
  );
  const grip = el('span', { class: 'grip', title: titled(say('drag-task'), 'move-up') }, icon(ICONS.grip));
  const head = el('div', { class: 'task' }, el('div', { class: 'task-side' }, grip, fold, count));
  const element = el('section', { class: 'task-section', 'aria-label': name }, head);
  return {
    element,
    head,
    update(section) {
      devices = section.bands.map((band) => band.device);
      const { summary } = state.trace ?? {};
      const working = devices.filter((device) => isWorking(summary?.devices[device])).length || devices.length;
      const ops = devices.reduce((sum, device) => sum + (summary ? unitOps(summary, device) : 0), 0);
      setText(
        count,
        devices.length > 1 ? say('devices-and-ops', { devices: say('devices', { count: working }), ops: say('ops', { count: ops }) }) : '',
      );
      head.hidden = section.header === 0;
      element.style.setProperty('--header', `${section.header}px`);
      element.dataset['first'] = String(devices[0] ?? '');
      element.style.top = `${section.y - state.layout.pinned_height}px`;
      element.style.height = `${section.height}px`;
      fold.setAttribute('aria-expanded', String(!section.bands.every((band) => band.folded)));
    },
  };
}
