// Short forms of TensorFlow's long names, which keep the end, where they differ.
import { say } from './messages';

/** `/job:worker/replica:0/task:1` as `worker 1`; the replica is named only where it is not 0. */
export function taskLabel(task: string): string {
  const parts = /^\/job:([^/]+)(?:\/replica:(\d+))?(?:\/task:(\d+))?$/.exec(task);
  if (!parts) return task;
  const [, job = task, replica, number] = parts;
  const name = number === undefined ? job : `${job} ${number}`;
  return replica === undefined || replica === '0' ? name : say('task-replica', { task: name, replica });
}

/** What follows the task: `CPU:0`, `GPU:0 stream:all`. */
export function deviceLabel(device: string): string {
  const rest = device.replace(/^(?:\/job:[^/]+)?(?:\/replica:[^/]+)?(?:\/task:[^/]+)?/, '');
  const label = rest.replace(/^\/(?:device:)?/, '').replaceAll('/', ' ');
  return label === '' ? device : label.replace(/^(cpu|gpu|tpu):/, (kind) => kind.toUpperCase());
}

/** Task and device in few words, for links and routes: `worker 1 CPU:0`. */
export function placeLabel(device: string): string {
  const task = /^(?:\/job:[^/]+)?(?:\/replica:[^/]+)?(?:\/task:[^/]+)?/.exec(device)?.[0] ?? '';
  return task === '' || task === device ? deviceLabel(device) : `${taskLabel(task)} ${deviceLabel(device)}`;
}

/** A task or a device, as an end of a link. */
export const endLabel = (place: string): string => {
  const task = taskLabel(place);
  return task === place ? placeLabel(place) : task;
};

/** A link: `ps 0 → worker 2`; where an end is null, all that goes to or comes from the other. */
export const routeLabel = ({ source, destination }: { source: string | null; destination: string | null }): string =>
  source === null && destination === null
    ? say('all-links')
    : `${source === null ? say('all-places') : endLabel(source)} → ${destination === null ? say('all-places') : endLabel(destination)}`;

const kernel_labels = new Map<string, string>();

/** Takes the short names of kernels, each behind its whole name. The core makes them of what it opens; a name has the same one in every trace. */
export function learnKernels(labels: readonly (readonly [string, string])[]): void {
  for (const [name, label] of labels) kernel_labels.set(name, label);
}

/** `vectorized_elementwise_kernel<CUDAFunctor_add<float>>` for the signature that a kernel of C++ has as its name; other names stay. */
export const kernelLabel = (name: string): string => kernel_labels.get(name) ?? name;

/** A frame of Python as `forward (model.py:12)`, a module without `nn.Module:`, a kernel by its short name. */
export function frameLabel(name: string): string {
  const frame = /^(?:.*[/\\])?([^/\\]+\.py)\((\d+)\): (.+)$/.exec(name);
  if (frame) return `${frame[3]} (${frame[1]}:${frame[2]})`;
  return kernelLabel(name.replace(/^nn\.Module: (?=.)/, ''));
}

/** A tensor without the partitioner's number: `edge_12_net/w/read` as `net/w/read`. */
export const tensorLabel = (tensor: string): string => tensor.replace(/^edge_\d+_(?=.)/, '');

const ELLIPSIS = '…';

/**
 * The longest telling form of `name` that `fits`: the whole, of a kernel its short name, then without its first scopes (`…/b2a/Conv2D`), then as much
 * of its last part as there is room for. Null when not even three of its characters fit. `fits` must be true of shorter texts too.
 */
export function shortened(given: string, fits: (text: string) => boolean): string | null {
  const name = kernelLabel(given);
  if (fits(name)) return name;
  let slash = name.indexOf('/');
  while (slash >= 0) {
    const tail = ELLIPSIS + name.slice(slash);
    if (fits(tail)) return tail;
    const next = name.indexOf('/', slash + 1);
    if (next < 0) break;
    slash = next;
  }
  const last = slash >= 0 ? name.slice(slash + 1) : name;
  if (fits(last)) return last;
  let low = 0;
  let high = last.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (fits(last.slice(0, middle) + ELLIPSIS)) low = middle;
    else high = middle - 1;
  }
  return low >= 3 ? last.slice(0, low) + ELLIPSIS : null;
}
