/**
 * Yields the same bytes in pieces of exactly `pieceBytes`, each in a buffer of that size, new or from `allocate`. Only
 * the last piece may be smaller: a view of its buffer. The bytes are copied, because what arrives on a connection is a
 * view of a larger buffer, which would be kept.
 */
export async function* gatherPieces(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  pieceBytes: number,
  allocate: (bytes: number) => Uint8Array = Buffer.allocUnsafeSlow,
): AsyncGenerator<Uint8Array> {
  let open: Uint8Array | null = null;
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      open ??= allocate(pieceBytes);
      const next = piece.subarray(at, at + pieceBytes - filled);
      open.set(next, filled);
      at += next.length;
      filled += next.length;
      if (filled < pieceBytes) continue;
      yield open;
      open = null;
      filled = 0;
    }
  }
  if (open) yield open.subarray(0, filled);
}
