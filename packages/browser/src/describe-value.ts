import { classOf, normalize } from './normalize.ts';
import { readProperty, readText } from './read-property.ts';
import { isEvent } from './unwrap-event.ts';

/** Describes a thrown value that is not an error by its distinguishing features. */
export function describeValue(value: unknown): string {
  const name = classOf(value);
  if (isEvent(value)) {
    const target = readProperty(value, 'target');
    return `${name} ${readText(value, 'type')} of ${classOf(target)} ${sourceOf(target)}`.trimEnd();
  }
  if (name === 'Response') return `Response ${readProperty(value, 'status')} ${readText(value, 'url')}`.trimEnd();
  return typeof value === 'object' ? JSON.stringify(normalize(value)) : String(value);
}

/** Returns the URL of an element that loads something, such as an image or a style sheet. */
export function sourceOf(element: unknown): string {
  return readText(element, 'src') || readText(element, 'href');
}
