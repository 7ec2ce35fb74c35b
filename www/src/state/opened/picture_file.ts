// A picture of what is shown: the time and the devices that the page shows, and the file that it becomes.
import { say } from '../../base/messages';
import { EngineError } from '../../engine/errors';
import type { DeviceId, PictureKind } from '../../engine/protocol';
import { shownOf } from '../layout/rows';
import { HOST_PROFILER, membersOf } from '../layout/units';
import type { State } from '../state';
import type { OpenTrace } from '../types';
import { baseName } from './saved_file';

export const fileOfPicture = (trace: OpenTrace, kind: PictureKind, ending: 'svg' | 'png'): string => `${baseName(trace)}.${kind}.${ending}`;

/** The devices from the top of the page to its bottom; empty where these are all of them in the order of the trace. */
export function devicesListed({ trace, rows }: State): DeviceId[] {
  const devices = trace?.summary.devices ?? [];
  const { pinned, scrolled } = shownOf(devices, rows);
  // What a host profiler recorded once more is on a picture where it is unfolded on the page.
  const isAside = (device: DeviceId) => devices[device]?.kind === HOST_PROFILER && rows.folded.has(device);
  const listed = [...pinned, ...scrolled].flatMap((leader) => membersOf(devices, leader)).filter((device) => !isAside(device));
  const usual = devices.flatMap(({ kind }, device) => (kind === HOST_PROFILER ? [] : [device]));
  return listed.length === usual.length && listed.every((device, place) => device === usual[place]) ? [] : listed;
}

/** More pixels than this no browser has room for, and nobody prints. */
const MOST_PIXELS = 100_000_000;

/** `svg` in an image: its names are of a stranger, and only as an image it can run nothing and load nothing. */
export async function imageOf(svg: string, image: HTMLImageElement): Promise<void> {
  image.src = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(reader.readyState.toString()));
    reader.readAsDataURL(new Blob([svg], { type: 'image/svg+xml' }));
  });
  await image.decode();
}

/** `image` as pixels, `scale` of them for each of its own. */
export async function pngOf(image: HTMLImageElement, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale];
  const too_large = () => new EngineError({ code: 'picture-too-large', message: say('error-picture-too-large') });
  if (width * height > MOST_PIXELS) throw too_large();
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw too_large();
  context.drawImage(image, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw too_large();
  return blob;
}
