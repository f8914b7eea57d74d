import type { Frame, RawFrame } from '@service/protocol';

/** A frame with the facts that its key needs: those of the protocol, the parser and the resolver. */
export interface GroupedFrame extends Frame {
  /**
   * Set if `function` was read in the source (`Cart.total`), not reported by the browser. The name is then correct,
   * even if it is null.
   */
  readonly named?: boolean;
  /** The first known path of `file`, in the format of `normalizePath`, if the file was renamed since. */
  readonly oldestPath?: string;
  /** The function that this frame calls, if the engine did not keep its frame. `file` is a normalized path. */
  readonly callee?: { readonly file: string; readonly function: string };
  readonly raw: RawFrame & { readonly async?: true; readonly eval?: true; readonly module?: string };
}
