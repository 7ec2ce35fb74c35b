// <steplens-timeline>: shows a trace in any page. The viewer is a frame, and talks by postMessage: it has its own looks, keys and policy.
import type { Summary } from './answers.js';

type Answer =
  | { steplens: 'loaded'; version: string }
  | { steplens: 'ready'; summary: Summary | null }
  | { steplens: 'error'; code: string; message: string }
  | ({ steplens: 'selected' } & SteplensSelection);

/** What the user selected. Times are in ns, from the first start of what is shown. */
export interface SteplensSelection {
  op: { name: string; op_type: string; device: string; start_ns: number; end_ns: number } | null;
  range: { start_ns: number; end_ns: number } | null;
  /** The place of the step that is shown, from 1; null where all are. */
  step: number | null;
}

export interface SteplensErrorDetail {
  code: string;
  message: string;
}

/** Its events, each a `CustomEvent`. */
export interface SteplensTimelineEventMap {
  /** The viewer can be asked; `detail` is its version. */
  'steplens-loaded': CustomEvent<string>;
  /** A trace is shown. */
  'steplens-ready': CustomEvent<Summary>;
  /** `src` or a call of `open` failed. */
  'steplens-error': CustomEvent<SteplensErrorDetail>;
  /** Another op, range or step is selected in a trace that this element opened. */
  'steplens-selected': CustomEvent<SteplensSelection>;
}

/** A question that the viewer has not answered. It answers in order. */
interface Waiting {
  resolve(summary: Summary | null): void;
  reject(error: Error): void;
}

class ViewerError extends Error {
  override readonly name = 'SteplensError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Attributes: `src` is the address of a trace; `name` what to call it; `view` what follows `#` in an address of the viewer; `viewer` the address of
 * the viewer, if that is not the one in this package.
 */
export class SteplensTimeline extends HTMLElement {
  static readonly observedAttributes = ['src', 'viewer', 'view'];

  #frame: HTMLIFrameElement | null = null;
  #waiting: Waiting[] = [];
  #unsent: { message: object; waiting: Waiting }[] = [];
  #is_loaded = false;
  /** Counts what was asked to be opened from `src`: an older answer is not wanted any more. */
  #src_count = 0;
  readonly #listen = (event: MessageEvent<unknown>): void => this.#heard(event);

  /** Opens a trace from memory. Resolves with its summary once it is shown. */
  async open(name: string, bytes: Uint8Array | ArrayBuffer | Blob): Promise<Summary> {
    try {
      const summary = await this.#ask({ steplens: 'open', name, bytes });
      if (!summary) throw new ViewerError('no-trace', 'the viewer shows no trace');
      this.dispatchEvent(new CustomEvent('steplens-ready', { detail: summary }));
      return summary;
    } catch (thrown) {
      this.#failed(thrown);
      throw thrown;
    }
  }

  /** Of the trace that is shown, or null. */
  summary(): Promise<Summary | null> {
    return this.#ask({ steplens: 'summary' });
  }

  get src(): string | null {
    return this.getAttribute('src');
  }
  set src(src: string | null) {
    if (src === null) this.removeAttribute('src');
    else this.setAttribute('src', src);
  }

  connectedCallback(): void {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' });
      const style = document.createElement('style');
      style.textContent = ':host { display: block; height: 600px } iframe { width: 100%; height: 100%; border: 0; display: block }';
      root.append(style);
    }
    window.addEventListener('message', this.#listen);
    this.#load();
    this.#openSrc();
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#listen);
    this.#frame?.remove();
    this.#frame = null;
    this.#giveUp();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (name !== 'src') this.#load();
    this.#openSrc();
  }

  /** Another viewer: the one before forgets its trace. */
  #load(): void {
    this.#giveUp();
    this.#is_loaded = false;
    this.#frame?.remove();
    const viewer = new URL(this.getAttribute('viewer') ?? new URL('./viewer/index.html', import.meta.url).href, document.baseURI);
    viewer.hash = this.getAttribute('view') ?? '';
    const frame = document.createElement('iframe');
    frame.title = 'Steplens';
    frame.src = viewer.href;
    this.#frame = frame;
    this.shadowRoot?.append(frame);
  }

  #openSrc(): void {
    const src = this.src;
    const count = ++this.#src_count;
    if (src === null) return;
    const address = new URL(src, document.baseURI);
    const name = this.getAttribute('name') ?? decodeURIComponent(address.pathname.split('/').pop() ?? '');
    fetch(address)
      .then(async (response) => {
        if (!response.ok) throw new ViewerError('src-status', `${address.href} gave status ${response.status}`);
        return response.blob();
      })
      .catch((thrown: unknown) => {
        if (thrown instanceof ViewerError) throw thrown;
        throw new ViewerError('src-unreachable', `${address.href}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      })
      .then(
        (blob) => {
          if (count !== this.#src_count || !this.isConnected) return;
          this.open(name, blob).catch(() => {
            // The event says it.
          });
        },
        (thrown: unknown) => {
          if (count === this.#src_count) this.#failed(thrown);
        },
      );
  }

  #ask(message: object): Promise<Summary | null> {
    return new Promise((resolve, reject) => {
      if (!this.#frame) return reject(new ViewerError('not-connected', 'the element is in no document'));
      this.#unsent.push({ message, waiting: { resolve, reject } });
      this.#send();
    });
  }

  #send(): void {
    if (!this.#is_loaded) return;
    // The viewer may be of another host: it hears only what is sent to its own.
    const origin = new URL(this.#frame?.src ?? '').origin;
    for (const { message, waiting } of this.#unsent.splice(0)) {
      this.#waiting.push(waiting);
      this.#frame?.contentWindow?.postMessage(message, origin);
    }
  }

  #heard({ source, data }: MessageEvent<unknown>): void {
    if (!this.#frame || source !== this.#frame.contentWindow) return;
    if (typeof data !== 'object' || data === null || !('steplens' in data)) return;
    const answer = data as Answer;
    if (answer.steplens === 'loaded') {
      this.#is_loaded = true;
      this.#frame.contentWindow?.postMessage({ steplens: 'follow' }, new URL(this.#frame.src).origin);
      this.dispatchEvent(new CustomEvent('steplens-loaded', { detail: answer.version }));
      this.#send();
      return;
    }
    if (answer.steplens === 'selected') {
      const { op, range, step } = answer;
      this.dispatchEvent(new CustomEvent<SteplensSelection>('steplens-selected', { detail: { op, range, step } }));
      return;
    }
    const waiting = this.#waiting.shift();
    if (answer.steplens === 'ready') waiting?.resolve(answer.summary);
    else waiting?.reject(new ViewerError(answer.code, answer.message));
  }

  #giveUp(): void {
    const left = [...this.#waiting.splice(0), ...this.#unsent.splice(0).map(({ waiting }) => waiting)];
    for (const { reject } of left) reject(new ViewerError('cancelled', 'the viewer was taken away'));
  }

  #failed(thrown: unknown): void {
    const code = thrown instanceof ViewerError ? thrown.code : 'internal';
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    this.dispatchEvent(new CustomEvent<SteplensErrorDetail>('steplens-error', { detail: { code, message } }));
  }
}

export interface SteplensTimeline {
  addEventListener<K extends keyof SteplensTimelineEventMap>(
    type: K,
    listener: (this: SteplensTimeline, event: SteplensTimelineEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'steplens-timeline': SteplensTimeline;
  }
}

if (!customElements.get('steplens-timeline')) customElements.define('steplens-timeline', SteplensTimeline);
