// Units: what has one row in the left column. A device; or a GPU that a trace has as several devices, its streams, which
// the row unfolds into.
//
// A unit is known by its first device, which leads it: the devices of one unit follow one another.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { deviceLabel, placeLabel } from '../../base/names';
import type { DeviceId, DeviceSummary, Summary } from '../../engine/protocol';

type Devices = readonly Pick<DeviceSummary, 'accelerator'>[];

/** Whether `device` leads a unit. */
const leads = (devices: Devices, device: DeviceId): boolean =>
  devices[device]?.accelerator === undefined || devices[device - 1]?.accelerator !== devices[device].accelerator;

/** The device that leads the unit of `device`. */
export function leaderOf(devices: Devices, device: DeviceId): DeviceId {
  const accelerator = devices[device]?.accelerator;
  let leader = device;
  while (accelerator !== undefined && devices[leader - 1]?.accelerator === accelerator) leader--;
  return leader;
}

/** The devices of the unit that `device` leads; none where it leads none. */
export function membersOf(devices: Devices, device: DeviceId): DeviceId[] {
  const accelerator = devices[device]?.accelerator;
  if (device >= devices.length || !leads(devices, device)) return [];
  const members = [device];
  while (accelerator !== undefined && devices[device + members.length]?.accelerator === accelerator) members.push(device + members.length);
  return members;
}

/** How many rows there are, each GPU once. */
export const rowCount = (devices: Devices): number => devices.filter((_, device) => leads(devices, device)).length;

const STREAMS: ReadonlySet<string> = new Set(['stream', 'stream-all', 'memcpy']);

/** Whether the streams of a unit are devices: each of them is then a group of lanes with a name. */
export const hasStreamDevices = (devices: readonly DeviceSummary[], device: DeviceId): boolean => STREAMS.has(devices[device]?.kind ?? '');

/** What a device of a unit is called within it: `stream:13`. */
export const streamLabel = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** A unit in words. */
export interface UnitWords {
  /** In full. */
  name: string;
  /** `GPU 0`, without its task. */
  label: string;
  /** `GPU 0` with its task. */
  place: string;
  /** `3 streams`; '' where there is one, or that is not known. */
  streams: string;
  ops: number;
  lanes: number;
}

/** How the core calls the row of a process's frames of Python. */
export const FRAMES = ' (Python frames)';

/** The kind of a device that holds an executor's ops once more, as TensorFlow's host profiler recorded them. */
export const HOST_PROFILER = 'host-profiler';

/** Whether a row has ranges alone: a profiler's spans, frames of Python, or what a host profiler recorded once more. Without an op nothing says so. */
export const isAside = ({ name, kind, accelerator, without_work, ops }: DeviceSummary): boolean =>
  kind === HOST_PROFILER || name.endsWith(FRAMES) || (accelerator === undefined && without_work === true && ops > 0);

/** What comes after the name of a process in the name of a GPU. */
const OF_PROCESS = / ((?:GPU|TPU|XPU|HPU|MTIA) \d+)$/;

/** A label with the task before it, if it has one. */
const withTask = (name: string, label: string): string => placeLabel(name).slice(0, -deviceLabel(name).length) + label;

/** `/device:GPU:0` is `GPU 0` as an accelerator, to distinguish it from what the executor dispatched to `GPU:0`; so is `python GPU 0`. */
function shortOf(name: string): string {
  const label = deviceLabel(name);
  return OF_PROCESS.exec(label)?.[1] ?? label.replace(/^(GPU|TPU):(\d+)$/, '$1 $2');
}

/** How many rows of a trace have each short name, with its task: one that several have names none of them. */
function countsOf({ devices, accelerators }: Summary): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { name } of accelerators) add(withTask(name, shortOf(name)));
  for (const { name } of devices) if (name.endsWith(FRAMES)) add(withTask(name, ONLY_FRAMES));
  return counts;
}

/** `(Python frames)` without its brackets. */
const ONLY_FRAMES = FRAMES.slice(2, -1);

/** What the rows of `summary` say, by the device that leads each. */
export function unitNames(summary: Summary): (device: DeviceId) => UnitWords {
  const { devices, accelerators } = summary;
  const counts = countsOf(summary);
  const is_only = (name: string, short: string) => counts.get(withTask(name, short)) === 1;
  const dispatched = new Set(accelerators.flatMap(({ dispatched_by = [] }) => dispatched_by));
  const hostLabel = (own: DeviceSummary) => {
    const { name, kind } = own;
    const label = deviceLabel(name);
    if (kind === HOST_PROFILER) return say('unit-host-profiler');
    if (!name.endsWith(FRAMES)) return isAside(own) ? clauses([say('unit-ranges'), label]) : label;
    // The ends of long names are cut: what a row is comes first, and then whose.
    return is_only(name, ONLY_FRAMES) ? ONLY_FRAMES : clauses([ONLY_FRAMES, label.slice(0, -FRAMES.length)]);
  };
  return (device) => {
    const leader = leaderOf(devices, device);
    const own = devices[leader];
    const lanes = membersOf(devices, leader).reduce((sum, member) => sum + (devices[member]?.lanes ?? 0), 0);
    const accelerator = accelerators[own?.accelerator ?? -1];
    if (!accelerator) {
      const name = own?.name ?? '';
      const is_dispatch = dispatched.has(device) || own?.without_kernels === true;
      const label = (own ? hostLabel(own) : '') + (is_dispatch ? ` ${say('unit-dispatch')}` : '');
      return { name, label, place: withTask(name, label), streams: '', ops: own?.ops ?? 0, lanes };
    }
    const { name, streams, ops } = accelerator;
    const label = is_only(name, shortOf(name)) ? shortOf(name) : deviceLabel(name);
    return { name, label, place: withTask(name, label), streams: streams > 1 ? say('streams', { count: streams }) : '', ops, lanes };
  };
}

/** The same of one row. */
export const unitWords = (summary: Summary, device: DeviceId): UnitWords => unitNames(summary)(device);

/** For a screen reader, and where there is room: `GPU 0, 3 streams`. */
export function unitPlace(summary: Summary, device: DeviceId): string {
  const { place, streams } = unitWords(summary, device);
  return clauses([place, streams]);
}

/** How many ops the row of `device` has, each once. */
export const unitOps = ({ devices, accelerators }: Summary, device: DeviceId): number =>
  (accelerators[devices[device]?.accelerator ?? -1] ?? devices[device])?.ops ?? 0;
