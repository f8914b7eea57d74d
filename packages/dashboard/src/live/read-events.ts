/** Reads an event stream to its end. `seen` is called for every sign of life, `heard` for each event. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  seen: (id: string | null) => void,
  heard: (data: string) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  let id: string | null = null;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    // What ends before its empty line has not been told: its id would skip it.
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const line of blocks.join('\n').split('\n')) {
      if (line.startsWith('id:')) id = line.slice(3).trim();
      // Each event is one line.
      else if (line.startsWith('data:')) heard(line.slice(5));
    }
    seen(id);
  }
}
