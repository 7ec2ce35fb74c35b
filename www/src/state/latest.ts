// Asking again before the answer is there: one request is under way, and of those that wait only the newest is asked.

/** Runs one request at a time. Of those that come meanwhile only the newest is run. */
export class Queue {
  #busy = false;
  #next: Request | null = null;

  /** `fail` gets what `work` throws. */
  add(work: () => Promise<void>, fail: (thrown: unknown) => void): void {
    if (this.#busy) this.#next = { work, fail };
    else this.#run({ work, fail });
  }

  #run({ work, fail }: Request): void {
    this.#busy = true;
    work().then(
      () => this.#goOn(),
      (thrown: unknown) => {
        fail(thrown);
        this.#goOn();
      },
    );
  }

  #goOn(): void {
    this.#busy = false;
    const next = this.#next;
    this.#next = null;
    if (next) this.#run(next);
  }
}

interface Request {
  work: () => Promise<void>;
  fail: (thrown: unknown) => void;
}

/** `ask` is called with at most one request at a time; `take` gets every answer that arrives, and `fail` what either of them threw. */
export function latest<Q, A>(
  ask: (query: Q) => Promise<A>,
  take: (answer: A, query: Q) => void,
  fail: (thrown: unknown) => void,
): (query: Q) => void {
  const queue = new Queue();
  return (query) => queue.add(async () => take(await ask(query), query), fail);
}
