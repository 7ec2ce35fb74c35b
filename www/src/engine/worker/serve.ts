// The worker's side of the engine: hears the page, and answers from the open trace.
//
//   page                          worker                              wasm
//   open(sources)  ── message ──> chunk of a Blob ── push(chunk) ──>  Session being built
//   progress       <── message ── between chunks
//   summary        <── message ── finish()           <── JSON ──────  Session, which replaces the one before
//   marks(query)   ── message ──> marks(...)         ── columns ───>  copied out, buffers transferred to the page
import { errorBody } from '../errors';
import type { ToWorker } from '../messages';
import { ANSWERS, buffersOf, parsed, type Answer } from './answers';
import { begin, cancel, count, open, setupArrived, started } from './opening';
import { inPieces, IN_PIECES, needsOf, prepared } from './prepared';
import type { LoadPacker } from './packer';
import { packerFrom, readyToSave } from './saving';
import { current, picturesBy, type MakePicture } from './shown';
import { post } from './thread';

declare const self: DedicatedWorkerGlobalScope;

async function answer(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'start':
      begin(message.core);
      return;
    case 'cancel':
      cancel();
      return;
    case 'open': {
      const picture = await open(message.id, message.sources, message.options);
      post({ kind: 'answer', id: message.id, answer: picture }, [...buffersOf(picture.marks ?? {}), ...buffersOf(picture.minimap)]);
      return;
    }
    case 'page-setup':
      setupArrived(message.id, message.setup);
      return;
    case 'totals':
      await prepared(['transfers']);
      post({ kind: 'answer', id: message.id, answer: JSON.parse(current().totals()) });
      return;
    case 'count': {
      const found = await count(message.id, message.sources);
      post({ kind: 'answer', id: message.id, answer: JSON.parse(found) });
      return;
    }
    case 'query': {
      await prepared(needsOf(message));
      if (message.query === 'beginSaving') await readyToSave(message.parameters[0]);
      // The message is made from one question: its parameters are those of its name.
      const answer = ANSWERS[message.query] as (...parameters: unknown[]) => Answer<unknown>;
      const one = IN_PIECES[message.query];
      const { value, transfer } = one ? parsed(await inPieces(one, message.id)) : answer(...message.parameters);
      post({ kind: 'answer', id: message.id, answer: value }, transfer);
    }
  }
}

/** `core` is null where the page sends it, `packer`, which packs Parquet, where that is not to be had. */
export function serveWorker(make: MakePicture, core: Promise<WebAssembly.Module> | null, packer: LoadPacker | null): void {
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
