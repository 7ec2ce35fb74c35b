// The worker's side of the engine: hears the page, and answers from the open trace.
//
//   page                          worker                              wasm
//   open(sources)  ── message ──> chunk of a Blob ── push(chunk) ──>  Session being built
//   progress       <── message ── between chunks
//   summary        <── message ── finish()           <── JSON ──────  Session, which replaces the one before
//   marks(query)   ── message ──> marks(...)         ── columns ───>  copied out, buffers transferred to the page
import type { Arriving } from '../counted';
import { errorBody } from '../errors';
import type { Asked, ToWorker } from '../to_worker';
import { buffersOf, parsed, type Answer, type Part, type Pieces } from '../verbs/verb';
import { VERBS } from '../verbs/verbs';
import { begin, cancel, coreArrives, count, glance, heard, open, openOther, setupArrived, started, swap } from './opening';
import { inPieces, prepared } from './prepared';
import type { LoadPacker } from './packer';
import { packerFrom } from './saving';
import { picturesBy, type FirstPicture, type MakePicture } from './shown';
import { post } from './thread';

declare const self: DedicatedWorkerGlobalScope;

const sendPicture = (id: number, picture: FirstPicture): void =>
  post({ kind: 'answer', id, answer: picture }, [...buffersOf(picture.marks ?? {}), ...buffersOf(picture.minimap)]);

async function answer(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'start':
      begin(message.core);
      return;
    case 'cancel':
      cancel();
      return;
    case 'heard':
      heard(message.id);
      return;
    case 'open': {
      sendPicture(message.id, await open(message.id, message.sources, message.options));
      return;
    }
    case 'open-other':
      post({ kind: 'answer', id: message.id, answer: await openOther(message.id, message.sources, message.options) });
      return;
    case 'swap':
      sendPicture(message.id, await swap(message.id));
      return;
    case 'page-setup':
      setupArrived(message.id, message.setup);
      return;
    case 'count': {
      const found = await count(message.id, message.sources);
      post({ kind: 'answer', id: message.id, answer: JSON.parse(found) });
      return;
    }
    case 'glance':
      post({ kind: 'answer', id: message.id, answer: await glance(message.id, message.sources) });
      return;
    case 'query': {
      const { value, transfer } = await answerTo(message);
      post({ kind: 'answer', id: message.id, answer: value }, transfer);
    }
  }
}

/** A verb as the worker runs it: a message is made from one verb, and its parameters are those of that verb. */
interface Runnable {
  needs?: readonly Part[] | ((...parameters: unknown[]) => readonly Part[]);
  load?: (...parameters: unknown[]) => Promise<void>;
  in_pieces?: Pieces;
  answer: (...parameters: unknown[]) => Answer<unknown>;
}

async function answerTo({ id, query, parameters }: Asked): Promise<Answer<unknown>> {
  const { needs = [], load, in_pieces, answer } = VERBS[query] as Runnable;
  await prepared(typeof needs === 'function' ? needs(...parameters) : needs);
  await load?.(...parameters);
  return in_pieces ? parsed(await inPieces(in_pieces, id)) : answer(...parameters);
}

/**
 * `core` is null where the page sends it, `packer`, which packs Parquet, where that is not to be had. `arriving` is how far the core is
 * that has to be loaded.
 */
export function serveWorker(
  make: MakePicture,
  core: Promise<WebAssembly.Module> | null,
  packer: LoadPacker | null,
  arriving: Arriving | null = null,
): void {
  if (arriving) coreArrives(arriving);
  picturesBy(make);
  packerFrom(packer);
  started.catch(() => {
    // Each question is answered with it.
  });
  if (core) begin(core);
  self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
    answer(message).catch((thrown: unknown) => {
      const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
      if ('id' in message) post({ kind: 'failure', id: message.id, error: errorBody(thrown), stack });
      // Nobody waits for an answer to it, but the page hears of what the worker did not catch.
      else reportError(thrown);
    });
  };
}
