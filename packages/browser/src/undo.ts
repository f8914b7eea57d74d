/** Takes hooks away again: nothing, a function, or a list of such. */
export type Undo = (() => void) | undefined | Undo[];

export function undoAll(undo: Undo): void {
  if (Array.isArray(undo)) undo.forEach(undoAll);
  else undo?.();
}
