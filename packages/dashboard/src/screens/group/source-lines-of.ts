import type { ContextLine, Frame } from '@service/protocol';

/** Returns the lines near a frame: of the original source, else those that the client sent of the code that ran. */
export function sourceLinesOf({ context, sent_context }: Frame): readonly ContextLine[] {
  return context[0] ? context : (sent_context ?? context);
}
