// The device that the figures of the tab Range are about: all of them, until one is chosen there or in the left column.
import { say } from '../../base/messages';
import type { DeviceId } from '../../engine/protocol';
import { Changed } from '../frame';
import { hasStreamDevices, unitWords } from '../layout/units';
import { announce, type Context } from '../state';
import { EVERY_DEVICE, type ChosenDevice } from '../types';
import { noteView } from './history';
import { turnDrawer } from './tab';

/** Chooses a device; all devices, if it is the chosen one. */
export function chooseDevice(context: Context, { device, accelerator }: ChosenDevice): void {
  const { state } = context;
  const { chosen_device: before, trace } = state;
  const is_back = device === null || (device === before.device && accelerator === before.accelerator);
  state.chosen_device = is_back ? EVERY_DEVICE : { device, accelerator };
  const summary = trace?.summary;
  const said = is_back || !summary ? say('all-devices-chosen') : say('device-chosen', { device: unitWords(summary, device).place });
  announce(context, said, Changed.chosen, Changed.notice);
}

/** Chooses what has a row of its own: of a GPU all of its streams. */
export function chooseRow(context: Context, device: DeviceId): void {
  const devices = context.state.trace?.summary.devices ?? [];
  const accelerator = devices[device]?.accelerator !== undefined && hasStreamDevices(devices, device);
  chooseDevice(context, { device, accelerator });
  turnDrawer(context, 'range');
  noteView(context);
}
