// What those who made the trace call a thing that has a name of its own there.
import { say } from '../base/messages';
import type { DeviceId, Summary } from '../engine/protocol';

interface RowTerms {
  /** What the row is that ops run on, one after another. */
  row: string;
  on_row: string;
  before_about: string;
}

const THREAD: RowTerms = { row: say('fact-thread'), on_row: say('block-around'), before_about: say('fact-before-about') };
const STREAM: RowTerms = { row: say('fact-stream'), on_row: say('block-around-stream'), before_about: say('fact-before-stream-about') };

/** Work of a GPU runs on a stream, and everything else on a thread. */
export const rowTerms = ({ devices }: Summary, device: DeviceId): RowTerms =>
  devices[device]?.accelerator === undefined ? THREAD : STREAM;
