// The later part of the page: what its first frame does not need. Hosted, it is a file of its own, which is loaded once that frame is there.
import { say } from '../base/messages';
import { EngineError, errorBody } from '../engine/errors';

export class LaterPart<Later> {
  readonly #load: (again: number) => Promise<Later>;
  #there: Later | null = null;
  #loading: Promise<Later> | null = null;
  #failures = 0;

  /** `load` is given how often it failed before: a browser may remember that an address failed. */
  constructor(load: (again: number) => Promise<Later>) {
    this.#load = load;
  }

  /** Null until it has been loaded. */
  get there(): Later | null {
    return this.#there;
  }

  /** Whether nothing is there because it could not be loaded, and nobody has tried again. */
  get has_failed(): boolean {
    return this.#failures > 0 && this.#there === null && this.#loading === null;
  }

  /** Loads it if nobody has; after a failure, again. */
  get(): Promise<Later> {
    this.#loading ??= this.#start();
    return this.#loading;
  }

  async #start(): Promise<Later> {
    try {
      this.#there = await this.#load(this.#failures);
      // For whoever measures or waits.
      performance.mark('steplens:later');
      return this.#there;
    } catch (thrown) {
      this.#failures += 1;
      this.#loading = null;
      throw new EngineError({ code: 'page-incomplete', message: say('error-no-later', { got: errorBody(thrown).message }) });
    }
  }
}
