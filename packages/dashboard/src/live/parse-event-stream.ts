/**
 * Reads an event stream to its end. Calls `onEvent` with the data of each event, and after each piece that arrives
 * `onPiece` with the id of the last complete block.
 */
export async function parseEventStream(
  body: ReadableStream<Uint8Array>,
  onPiece: (id: string | null) => void,
  onEvent: (data: string) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  let id: string | null = null;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    // A block without its empty line is incomplete. If its id counted, a reconnect would skip its event.
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const line of blocks.join('\n').split('\n')) {
      if (line.startsWith('id:')) id = line.slice(3).trim();
      // Each event is one line.
      else if (line.startsWith('data:')) onEvent(line.slice(5));
    }
    onPiece(id);
  }
}
