/** Yields the same bytes in pieces of exactly `pieceBytes`. Only the last piece may be smaller. */
export async function* gather(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    let rest = piece;
    while (size + rest.length >= pieceBytes) {
      gathered.push(rest.subarray(0, pieceBytes - size));
      rest = rest.subarray(pieceBytes - size);
      yield Buffer.concat(gathered, pieceBytes);
      gathered = [];
      size = 0;
    }
    if (rest.length === 0) continue;
    gathered.push(rest);
    size += rest.length;
  }
  if (size > 0) yield Buffer.concat(gathered, size);
}
