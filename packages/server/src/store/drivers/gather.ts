/** The same bytes in pieces of at least so many; only the last one may be smaller. */
export async function* gather(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    size += piece.length;
    if (size < pieceBytes) continue;
    yield Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(gathered, size);
}
