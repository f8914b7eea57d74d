/** Takes a hook away again. */
export type Undo = () => void;

/** Several undos as one. */
export function undoAll(undos: readonly (Undo | undefined)[]): Undo {
  return () => undos.forEach((undo) => undo?.());
}
