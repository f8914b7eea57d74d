import { measured } from './lib/measured.ts';

export function addNotice(notice: unknown): void {
  const { body } = document;
  if (body.childElementCount > 100) body.firstElementChild?.remove();
  body.appendChild(notice as Node);
}

export function watchDeck(deck: Element | null): ResizeObserver {
  const observer = new ResizeObserver(() => undefined);
  observer.observe(deck!);
  return observer;
}

export function findBerth(code: string): Element | null {
  return measured('berth', () => document.querySelector(`#${code} > .berth`));
}

export function findHull(code: string): Element | null {
  const hull = `.hull > #${code}`;
  return document.querySelector(hull);
}

export function defineBadge(name: string): void {
  customElements.define(name, class extends HTMLElement {});
}
