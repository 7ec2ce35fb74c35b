// The messages between the page's side of the engine and its worker.
import type { Engine, EngineErrorBody, OpenOptions, Parts, Progress, Source } from './protocol';

/** The questions that are answered from the open trace, by name. */
export type Query = Exclude<keyof Engine, 'open' | 'totals' | 'count' | 'cancel'>;

export type ToWorker =
  /** Sent first where the page has the core. */
  | { kind: 'start'; core: WebAssembly.Module }
  | { kind: 'open'; id: number; sources: Source[]; options: OpenOptions }
  /** What the first picture of the opening `id` should be like: it is needed only once the files are read. */
  | { kind: 'page-setup'; id: number; setup: unknown }
  | { kind: 'totals'; id: number }
  | { kind: 'count'; id: number; sources: Source[] }
  | { kind: 'cancel' }
  | { [Q in Query]: { kind: 'query'; id: number; query: Q; parameters: Parameters<Engine[Q]> } }[Query];

export type FromWorker =
  | { kind: 'progress'; id: number; progress: Progress }
  /** How far an answer is that is worked out in pieces. */
  | { kind: 'parts'; id: number; parts: Parts }
  | { kind: 'answer'; id: number; answer: unknown }
  /** `stack` is where it failed, '' where that is not known. */
  | { kind: 'failure'; id: number; error: EngineErrorBody; stack: string };
