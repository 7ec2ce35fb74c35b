// What the page says to the worker.
import type { ParametersOf, Verb } from './engine';
import type { OpenOptions, Source } from './protocol';

export type ToWorker =
  /** Sent first where the page has the core. */
  | { kind: 'start'; core: WebAssembly.Module }
  | { kind: 'open'; id: number; sources: Source[]; options: OpenOptions }
  /** Opens files as B, which the open trace is compared with. */
  | { kind: 'open-other'; id: number; sources: Source[]; options: OpenOptions }
  /** B becomes the open trace, which becomes B. */
  | { kind: 'swap'; id: number }
  /** What the first picture of the opening `id` should be like: it is needed only once the files are read. */
  | { kind: 'page-setup'; id: number; setup: unknown }
  /** Opens files only to say what they are at a glance. */
  | { kind: 'glance'; id: number; sources: Source[] }
  | { kind: 'count'; id: number; sources: Source[] }
  | { kind: 'cancel' }
  /** The page has heard the answer to the opening `id`: what it replaced is not needed any more. */
  | { kind: 'heard'; id: number }
  | Asked;

/** A verb, answered from the open trace. */
export interface Asked<V extends Verb = Verb> {
  kind: 'query';
  id: number;
  query: V;
  parameters: ParametersOf<V>;
}
