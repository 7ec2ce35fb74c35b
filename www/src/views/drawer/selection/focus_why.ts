// Leads the keyboard to why the selected op started when it did.
import type { Context } from '../../../state/state';

/** Puts the keyboard on the answer, so that a screen reader reads it. */
export const focusWhy = ({ frame }: Context): void =>
  frame.afterDrawn(() => {
    const block = [...document.querySelectorAll<HTMLElement>('.why')].find((own) => own.checkVisibility());
    block?.scrollIntoView({ block: 'start' });
    block?.focus({ preventScroll: true });
  });
