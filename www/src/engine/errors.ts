// What can go wrong between the page and its core, as one error type with a stable code.
import type { EngineErrorBody } from './protocol';

export class EngineError extends Error {
  readonly code: string;

  constructor(body: EngineErrorBody) {
    super(body.message);
    this.name = 'EngineError';
    this.code = body.code;
  }
}

/** Anything thrown, as an error body. What has no code of its own is `internal`. */
export function errorBody(thrown: unknown): EngineErrorBody {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
    const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'internal';
    return { code, message: String(thrown.message) };
  }
  return { code: 'internal', message: String(thrown) };
}

const HINTS: Record<string, string> = {
  internal: 'This is a fault of Steplens, not of your file.',
  'out-of-memory': 'Open a part of it, close other tabs, or open fewer files at once.',
};

/** What the user can do about an error, where that is known; the code decides, never the message. */
export const hintFor = (code: string): string | null => HINTS[code] ?? null;
