import type { H3Event } from 'h3';

/** Returns the id in a path, or 0, which no record has, if it is not a positive integer. */
export function pathId(event: H3Event, name: string): number {
  const text = event.context.params?.[name] ?? '';
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : 0;
}
