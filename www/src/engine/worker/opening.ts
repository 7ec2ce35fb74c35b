// Opening files: the core is started, reads them slice by slice, and makes the first picture.
import { say } from '../../base/messages';
import { OTHER_TEXTS } from '../../base/other_texts';
import { initSync, Session, useLanguage } from 'steplens-wasm';
import { chunksOf, contentOf } from '../chunks';
import { Arriving } from '../counted';
import type { Glance, OpenOptions, Progress, Source, StepList, Summary } from '../protocol';
import { warmUp } from '../warm_up';
import { closeOther, otherFor, otherIs, takeOther } from './other';
import { answerOf, current, pictureOf, type FirstPicture } from './shown';
import { guarded, nextTurn, post } from './thread';
import { isForBrowser, readyUnpacker, unpackedInWorker } from './unpacking';

/** By then the page is there to be seen, which takes both of two cores. */
const WARM_UP_AFTER_MS = 150;

/** Progress is reported at most this often. */
const PROGRESS_MS = 50;

const CANCELLED = { code: 'cancelled', message: say('error-cancelled') };

export let begin!: (core: WebAssembly.Module | Promise<WebAssembly.Module>) => void;
/** The page may ask before the core is there: a small trace in an export is unpacked sooner than the core. */
export const started = new Promise<WebAssembly.Module>((resolve) => {
  begin = resolve;
}).then((core) => {
  initSync({ module: core });
  if (OTHER_TEXTS && !useLanguage(OTHER_TEXTS.language, OTHER_TEXTS.core)) reportError(new Error(say('error-texts-damaged')));
  // Only while nobody waits: an export opens its own trace at once, and the page is drawn first.
  setTimeout(() => {
    if (opening !== 0) return;
    warmUp(() => opening === 0, nextTurn).catch(reportError);
    readyUnpacker();
  }, WARM_UP_AFTER_MS);
});

/** The request of the newest opening; an older one that still runs sees that it is not its own, and stops. */
let opening = 0;
/** The page has said what it will look like, for the newest opening. */
export let setupArrived = (_of: number, _setup: unknown): void => undefined;
/** Stops an opening that still waits for the core. */
let stopWaiting = (): void => undefined;

/** The core that is on its way; null where the page sends it. */
let core_arriving: Arriving | null = null;

export function coreArrives(arriving: Arriving): void {
  core_arriving = arriving;
}

/**
 * Says how far what is loaded is, now and whenever more of it comes, but not more often than people see. What comes last before a network stops is
 * said, too. Gives what ends it.
 */
function reportArriving(id: number, arriving: Arriving, phase: Progress['phase']): () => void {
  let reported_at = -Infinity;
  let later: ReturnType<typeof setTimeout> | null = null;
  const report = () => {
    later = null;
    reported_at = performance.now();
    const { bytes, total_bytes } = arriving;
    post({ kind: 'progress', id, progress: { bytes, total_bytes, ops: 0, phase } });
  };
  arriving.heard = () => {
    const wait = reported_at + PROGRESS_MS - performance.now();
    if (wait <= 0) report();
    else later ??= setTimeout(report, wait);
  };
  if (arriving.bytes > 0) report();
  return () => {
    arriving.heard = null;
    if (later !== null) clearTimeout(later);
  };
}

/** Waits for the core, but not longer than for a cancel. */
async function readyFor(id: number): Promise<void> {
  opening = id;
  const cancelled = new Promise<never>((_, reject) => {
    stopWaiting = () => reject(CANCELLED);
  });
  const end = core_arriving ? reportArriving(id, core_arriving, 'core') : null;
  await Promise.race([started, cancelled]).finally(() => end?.());
  core_arriving = null;
}

/** What was opened while the page has not heard of it: until then a cancel may come, and takes it back. */
let unheard: { id: number; keep: () => void; back: () => void } | null = null;

/** The page shows what the request `id` opened. */
export function heard(id: number): void {
  if (unheard?.id !== id) return;
  const { keep } = unheard;
  unheard = null;
  keep();
}

/** Ends what is being opened. Whatever the worker has done of it, what was open before is open again: the page does not wait for it. */
export function cancel(): void {
  opening = 0;
  stopWaiting();
  const back = unheard?.back;
  unheard = null;
  back?.();
}

/** A turn of the event loop, so that a cancel which arrived by now is heard. */
async function notCancelled(id: number): Promise<void> {
  await nextTurn();
  if (opening !== id) throw CANCELLED;
}

/** What the page says that the first picture of the request `id` is to be like. */
const setupOf = (id: number): Promise<unknown> =>
  new Promise((resolve) => {
    setupArrived = (of, setup) => {
      if (of === id) resolve(setup);
    };
  });

/** What the files hold that were read. */
const finished = (building: Session): Summary => JSON.parse(guarded(() => building.finish(), say('doing-arranging'))) as Summary;

/** Before the page is answered, and shows names. */
function sendKernels(opened: Session): void {
  const labels = guarded(() => opened.kernelLabels(), say('doing-arranging'));
  post({ kind: 'kernels', labels: JSON.parse(labels) as [string, string][] });
}

/** Opens files and makes the first picture of them. Until that is there, the trace that was open before stays. */
export async function open(id: number, sources: Source[], options: OpenOptions): Promise<FirstPicture> {
  const page_setup = setupOf(id);
  await readyFor(id);
  const building = new Session(options.communication);
  try {
    const [start, end] = options.window_unix_ns ?? [];
    building.select(options.devices ?? undefined, start, end);
    if (typeof options.memory_bytes === 'number') building.limitMemory(options.memory_bytes);
    await read(building, id, sources);
    const whole = finished(building);
    const setup = await page_setup;
    await notCancelled(id);
    sendKernels(building);
    return guarded(
      () =>
        pictureOf(building, whole, setup, (before, back) => {
          const keep = () => {
            // What it was compared with goes with it.
            closeOther();
            before?.free();
          };
          unheard = { id, keep, back: () => (back(), freeQuietly(building)) };
        }),
      say('doing-picture'),
    );
  } catch (thrown) {
    freeQuietly(building);
    throw thrown;
  }
}

/** Opens files to compare the open trace with. Returns what all of them hold; until then, and if that fails, everything stays. */
export async function openOther(id: number, sources: Source[], options: OpenOptions): Promise<Summary> {
  await readyFor(id);
  const building = new Session(options.communication);
  try {
    await read(building, id, sources);
    const whole = finished(building);
    if (whole.ops === 0) throw { code: whole.files[0]?.problems[0]?.code ?? 'no-ops', message: nothingIn(whole) };
    await notCancelled(id);
    sendKernels(building);
    const { keep, back } = otherFor(building);
    unheard = { id, keep, back: () => (back(), freeQuietly(building)) };
    return whole;
  } catch (thrown) {
    freeQuietly(building);
    throw thrown;
  }
}

const nothingIn = ({ files }: Summary): string =>
  files.map(({ name, problems }) => say('nothing-to-compare', { name, why: problems[0]?.detail ?? say('error-no-op') })).join(' ');

/** Makes B the open trace, and the open trace B. */
export async function swap(id: number): Promise<FirstPicture> {
  const setup = await setupOf(id);
  const [own, communication] = [takeOther(), current().communicationShown()];
  const whole = JSON.parse(own.showView('content', undefined, [], 'schedule', [], communication)) as Summary;
  try {
    return guarded(() => pictureOf(own, whole, setup, (before) => before && otherIs(before)), say('doing-picture'));
  } catch (thrown) {
    otherIs(own);
    throw thrown;
  }
}

/** What the files hold, counted by a session that opens none of it. */
export async function count(id: number, sources: Source[]): Promise<string> {
  await readyFor(id);
  const counting = new Session([]);
  try {
    counting.countOnly();
    await read(counting, id, sources);
    return counting.found();
  } finally {
    freeQuietly(counting);
  }
}

/** What files are at a glance: they are opened, and gone again. */
export async function glance(id: number, sources: Source[]): Promise<Glance> {
  await readyFor(id);
  const building = new Session([]);
  try {
    await read(building, id, sources);
    const { ops, files } = finished(building);
    if (ops === 0) throw { code: files[0]?.problems[0]?.code ?? 'no-ops', message: files[0]?.problems[0]?.detail ?? say('error-no-op') };
    const { verdict } = JSON.parse(guarded(() => answerOf(building, 'summary'), say('doing-arranging'))) as Summary;
    const { steps } = JSON.parse(answerOf(building, 'steps', { rule: 'content' })) as StepList;
    return { ops, steps: steps.filter(({ is_before }) => !is_before).length, verdict: verdict ?? '' };
  } finally {
    freeQuietly(building);
  }
}

/** A session that threw may be beyond freeing; its memory then goes with the worker. */
function freeQuietly(broken: Session): void {
  try {
    broken.free();
  } catch {
    // Already consumed by the call that failed.
  }
}

/** Whether it is an answer that the page understands, and not something that the browser threw. */
const isOurs = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string';

async function read(building: Session, id: number, all: Source[]): Promise<void> {
  const sample = new Arriving(0);
  const end = reportArriving(id, sample, 'sample');
  const arrived = Promise.all(all.map(async (source) => ({ ...source, blob: await contentOf(source, sample) })));
  const sources = await arrived.finally(end);
  const total_bytes = sources.reduce((sum, source) => sum + source.blob.size, 0);
  let bytes = 0;
  let reported_at = 0;
  const report = (phase: 'reading' | 'arranging') => {
    reported_at = performance.now();
    post({ kind: 'progress', id, progress: { bytes, total_bytes, ops: building.opsRead(), phase } });
  };
  for (const source of sources) {
    building.beginFile(source.name);
    building.expectBytes(source.blob.size);
    if (source.process) building.nameProcess(source.process);
    const before = bytes;
    const push = (chunk: Uint8Array, at: number): void => {
      if (opening !== id) throw CANCELLED;
      guarded(
        () => building.push(chunk),
        () => say('doing-reading', { name: source.name, at: String(at), size: String(source.blob.size) }),
      );
      if (performance.now() - reported_at >= PROGRESS_MS) report('reading');
    };
    const plain = async (isLeft: (first: Uint8Array) => boolean): Promise<boolean> => {
      let offset = 0;
      for await (const chunk of chunksOf(source.blob)) {
        if (offset === 0 && isLeft(chunk)) return false;
        push(chunk, offset);
        offset += chunk.byteLength;
        bytes = before + offset;
      }
      return true;
    };
    const unpacked = async (): Promise<boolean> => {
      building.expectUnpacked();
      try {
        for await (const { bytes: piece, at } of unpackedInWorker(source.blob)) {
          push(piece, at);
          bytes = before + at;
        }
        building.passOver(source.blob.size);
        return true;
      } catch (thrown) {
        // What the browser says is of no use: the core finds out what is wrong, and reads what there is.
        if (opening !== id || isOurs(thrown)) throw thrown;
        building.unpackHere();
        return false;
      }
    };
    const is_read = await plain((first) => isForBrowser(first, source.blob.size));
    if (!is_read && !(await unpacked())) await plain(() => false);
    building.endFile();
  }
  report('arranging');
  await notCancelled(id);
}
