// What the core takes as a redaction.
import { RedactionQuery } from 'steplens-wasm';
import type { RedactionRequest } from '../protocol';

const coreRedaction = ({ included, key, public: listed }: RedactionRequest): RedactionQuery =>
  new RedactionQuery(included.join(','), key, listed);

/** Asks with the query as the core takes it, which is freed after that. */
export function withRedaction<T>(query: RedactionRequest, ask: (core: RedactionQuery) => T): T {
  const core = coreRedaction(query);
  try {
    return ask(core);
  } finally {
    core.free();
  }
}
