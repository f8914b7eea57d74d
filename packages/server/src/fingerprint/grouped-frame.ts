import type { Frame, RawFrame } from '@service/protocol';

/** A frame as the key reads it: the protocol's, and what only the stack reader and the resolver know. */
export interface GroupedFrame extends Frame {
  /** True when `function` was read in the source itself (`Cart.total`), not told by the browser: it is the truth then, also when null. */
  readonly named?: boolean;
  /** The path by which `file` was known first, as `normalizePath` has it, if it was renamed since. */
  readonly oldestPath?: string;
  /** The function that it calls, where the engine has not kept its frame; the file as the key has it. */
  readonly callee?: { readonly file: string; readonly function: string };
  readonly raw: RawFrame & { readonly async?: true };
}
