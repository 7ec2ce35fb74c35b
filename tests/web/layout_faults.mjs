// What the eye would find wrong with the page as it is laid out now: text that is cut, text over text, text outside the window.

/**
 * One line for each fault. A text may be cut where an ellipsis says so and a title has the whole of it, where its end is shown elsewhere,
 * and where a user can scroll to it; never a figure with its unit, and never a line through its letters.
 */
export const layoutFaults = (page) => page.evaluate(() => {
  const shown = textsShown();
  return [...new Set([...shown.flatMap(({ faults }) => faults), ...overlaps(shown), ...wider()])];

  function wider() {
    const { scrollWidth } = document.documentElement;
    return scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
  }

  function nameOf(element) {
    const own = ({ localName, id, classList }) => [localName, id && `#${id}`, ...[...classList].map((name) => `.${name}`)].join('');
    return element.parentElement ? `${own(element.parentElement)} > ${own(element)}` : own(element);
  }

  function textsShown() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const element = node.parentElement;
      if (node.data.trim() === '' || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (element.closest('.visually-hidden, script, style, option')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        if (rect.width <= 1 || rect.height <= 1) continue;
        const text = boxOf(element, rect, node.data.trim().slice(0, 50));
        if (text) texts.push({ node, element, ...text });
      }
    }
    return texts;
  }

  /** What of a line of text can be seen, and what is wrong with that; null where nothing of it is in sight. */
  function boxOf(element, rect, text) {
    const box = { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
    const faults = [];
    let scrolls = false;
    // What is fixed stands over whatever it is within.
    const above = (holder) => (getComputedStyle(holder).position === 'fixed' ? null : holder.parentElement);
    for (let holder = element; holder && holder !== document.documentElement; holder = above(holder)) {
      const { overflowX, overflowY, textOverflow, clipPath } = getComputedStyle(holder);
      if (clipPath.startsWith('inset(50%')) return null;
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const edge = holder.getBoundingClientRect();
      const beside = box.left >= edge.right - 1 || box.right <= edge.left + 1 || box.top >= edge.bottom - 1 || box.bottom <= edge.top + 1;
      if (beside) return null;
      const is_wide = box.right > edge.right + 1 || box.left < edge.left - 1;
      const is_high = box.bottom > edge.bottom + 2 || box.top < edge.top - 2;
      const canScroll = (overflow) => overflow === 'auto' || overflow === 'scroll';
      if ((is_wide && canScroll(overflowX)) || (is_high && canScroll(overflowY))) scrolls = true;
      else if (is_high) faults.push(`cut through its letters: ${nameOf(element)} "${text}"`);
      else if (is_wide && !scrolls) {
        const is_said = textOverflow === 'ellipsis' && (element.closest('[title]') || element.matches('.cut-start'));
        if (!is_said || element.closest('.numeric, .figure')) faults.push(`cut: ${nameOf(element)} "${text}"`);
      }
      box.left = Math.max(box.left, edge.left);
      box.top = Math.max(box.top, edge.top);
      box.right = Math.min(box.right, edge.right);
      box.bottom = Math.min(box.bottom, edge.bottom);
    }
    const is_outside = box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 2;
    if (is_outside && !scrolls) faults.push(`outside the window: ${nameOf(element)} "${text}"`);
    return { ...box, text, faults };
  }

  /** Pairs of texts over each other, neither of which is covered by what the other stands on. */
  function overlaps(texts) {
    const found = [];
    texts.forEach((one, at) => {
      for (const other of texts.slice(at + 1)) {
        const left = Math.max(one.left, other.left);
        const top = Math.max(one.top, other.top);
        const right = Math.min(one.right, other.right);
        const bottom = Math.min(one.bottom, other.bottom);
        if (right - left <= 2 || bottom - top <= 4 || one.node === other.node) continue;
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isSeen = ({ element }) => above !== null && (element === above || element.contains(above) || above.contains(element));
        if (isSeen(one) && isSeen(other)) found.push(`over each other: ${nameOf(one.element)} "${one.text}", ${nameOf(other.element)} "${other.text}"`);
      }
    });
    return found;
  }
});
