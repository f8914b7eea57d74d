export function addNotice(notice: unknown): void {
  document.body.appendChild(notice as Node);
}

export function watchDeck(deck: Element | null): ResizeObserver {
  const observer = new ResizeObserver(() => undefined);
  observer.observe(deck!);
  return observer;
}

export function findBerth(code: string): Element | null {
  return document.querySelector(`#${code} > .berth`);
}

export function findHull(code: string): Element | null {
  return document.querySelector(`.hull > #${code}`);
}

export function defineBadge(name: string): void {
  customElements.define(name, class extends HTMLElement {});
}
