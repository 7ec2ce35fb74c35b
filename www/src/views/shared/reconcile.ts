// Makes an element's children be these and no others, moving as few as it can: a child that stays keeps the focus.

export function reconcile(parent: Element, wanted: readonly Element[]): void {
  const staying = new Set(wanted);
  for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const child of wanted) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}
