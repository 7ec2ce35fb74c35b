// Asking again before the answer is there: one request is under way, and of those that wait only the newest is asked.

/** `ask` is called with at most one request at a time; `take` gets every answer that arrives, and `fail` what either of them threw. */
export function latest<Q, A>(
  ask: (query: Q) => Promise<A>,
  take: (answer: A, query: Q) => void,
  fail: (thrown: unknown) => void,
): (query: Q) => void {
  let busy = false;
  let next: { query: Q } | null = null;
  const run = (query: Q): void => {
    busy = true;
    answered(query).then(goOn, (thrown: unknown) => {
      fail(thrown);
      goOn();
    });
  };
  const answered = async (query: Q): Promise<void> => take(await ask(query), query);
  const goOn = (): void => {
    busy = false;
    const waiting = next;
    next = null;
    if (waiting) run(waiting.query);
  };
  return (query) => {
    if (busy) next = { query };
    else run(query);
  };
}
