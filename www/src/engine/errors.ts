// What can go wrong between the page and its core, as one error type with a stable code.
import { say, type PlainId } from '../base/messages';
import type { EngineErrorBody } from './protocol';

/** The code of questions about something that is not shown any more. Nobody waits for their answer. */
export const SUPERSEDED = 'superseded';

export class EngineError extends Error {
  readonly code: string;
  /** Where the worker failed; '' where it did not. */
  readonly worker_stack: string;

  constructor(body: EngineErrorBody, worker_stack = '') {
    super(body.message);
    this.name = 'EngineError';
    this.code = body.code;
    this.worker_stack = worker_stack;
  }
}

export const superseded = (): EngineError => new EngineError({ code: SUPERSEDED, message: say('error-superseded') });

/** Anything thrown, as an error body. What has no code of its own is `internal`. */
export function errorBody(thrown: unknown): EngineErrorBody {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
    const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'internal';
    return { code, message: String(thrown.message) };
  }
  return { code: 'internal', message: String(thrown) };
}

const HINTS: Record<string, PlainId> = {
  internal: 'hint-internal',
  'worker-failed': 'hint-worker-failed',
  'out-of-memory': 'hint-out-of-memory',
};

/** What the user can do about an error, where that is known; the code decides, never the message. */
export const hintFor = (code: string): string | null => (HINTS[code] === undefined ? null : say(HINTS[code]));
