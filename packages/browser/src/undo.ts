const undos: (() => void)[] = [];

/** Remembers how a hook is taken away again. */
export function onClose(undo: () => void): void {
  undos.push(undo);
}

/** Takes every hook away. */
export function undoAll(): void {
  undos.splice(0).forEach((undo) => undo());
}
