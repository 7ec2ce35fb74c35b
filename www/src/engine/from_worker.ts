// What the worker says to the page.
import type { EngineErrorBody, Parts, Progress } from './protocol';

export type FromWorker =
  | { kind: 'progress'; id: number; progress: Progress }
  /** How far an answer is that is worked out in pieces. */
  | { kind: 'parts'; id: number; parts: Parts }
  /** The short names of kernels, before any answer of what was opened. */
  | { kind: 'kernels'; labels: [string, string][] }
  | { kind: 'answer'; id: number; answer: unknown }
  /** `stack` is where it failed, '' where that is not known. */
  | { kind: 'failure'; id: number; error: EngineErrorBody; stack: string };
