import type { Frame } from '@service/protocol';

/**
 * Formats the location of a frame as editors accept it: `src/cart.ts:12:7`. Bundlers write `../../src/cart.ts`,
 * relative to their output. The culprit has no such beginning either.
 */
export function formatLocation({ file, line, column }: Frame): string {
  return [file?.replace(/^(\.\.\/)+/, '') ?? 'native code', line, column].filter((piece) => piece !== null).join(':');
}

/** Formats the location without the origin of the file. */
export function formatShortLocation(frame: Frame): string {
  return formatLocation({ ...frame, file: frame.file?.replace(/^https?:\/\/[^/]+/, '') ?? null });
}
