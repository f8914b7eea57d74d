import type { ContextLine, Frame } from '@service/protocol';

/** Returns the original source lines near a frame, or else the lines of the script that the client sent. */
export function sourceLinesOf({ context, sent_context }: Frame): readonly ContextLine[] {
  return context[0] ? context : (sent_context ?? context);
}
