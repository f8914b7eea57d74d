import type { ContextLine, Frame } from '@service/protocol';

/** Formats the location of a frame as editors accept it: `src/cart.ts:12:7`. */
export function formatLocation({ file, line, column }: Frame): string {
  return [file ?? 'native code', line, column].filter((piece) => piece !== null).join(':');
}

/** Formats the location without the origin of the file. */
export function formatShortLocation(frame: Frame): string {
  return formatLocation({ ...frame, file: frame.file?.replace(/^https?:\/\/[^/]+/, '') ?? null });
}

/** Returns the lines near a frame: of the original source, else those that the client sent of the code that ran. */
export function sourceLinesOf({ context, sent_context }: Frame): readonly ContextLine[] {
  return context[0] ? context : (sent_context ?? context);
}

/** Returns the frame to look at first: one of the app with source, else one of the app, else the top frame. */
export function mainFrame(frames: readonly Frame[]): Frame | undefined {
  return (
    frames.find((frame) => frame.in_app && sourceLinesOf(frame)[0]) ?? frames.find(({ in_app }) => in_app) ?? frames[0]
  );
}
