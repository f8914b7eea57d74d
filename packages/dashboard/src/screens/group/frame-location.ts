import type { Frame } from '@service/protocol';

/** Where a frame stands, as an editor takes it: `src/cart.ts:12:7`. */
export function placeOf({ file, line, column }: Frame): string {
  return [file ?? 'native code', line, column].filter((piece) => piece !== null).join(':');
}

/** The same, without the origin, which is the same in all of them. */
export function shortPlace(frame: Frame): string {
  return placeOf({ ...frame, file: frame.file?.replace(/^https?:\/\/[^/]+/, '') ?? null });
}

/** The frame to look at first: code of the app that can be shown, else code of the app, else whatever is on top. */
export function firstFrame(frames: readonly Frame[]): Frame | undefined {
  return (
    frames.find(({ in_app, context }) => in_app && context.length > 0) ??
    frames.find(({ in_app }) => in_app) ??
    frames[0]
  );
}
