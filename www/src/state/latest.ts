// Asking again before the answer is there: one request is under way, and of those that wait only the newest is asked.

/** `ask` is called with at most one request at a time; `take` gets every answer that arrives. */
export function latest<Q, A>(ask: (query: Q) => Promise<A>, take: (answer: A, query: Q) => void): (query: Q) => void {
  let busy = false;
  let next: { query: Q } | null = null;
  const run = async (query: Q): Promise<void> => {
    busy = true;
    try {
      take(await ask(query), query);
    } catch {
      // A question about a trace that was replaced meanwhile has no answer, and needs none.
    }
    busy = false;
    const waiting = next;
    next = null;
    if (waiting) void run(waiting.query);
  };
  return (query) => {
    if (busy) next = { query };
    else void run(query);
  };
}
