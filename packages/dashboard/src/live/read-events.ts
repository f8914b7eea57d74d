/** One event of a stream: its position, and its line of JSON. */
export interface RawEvent {
  /** The last one that the stream has told. */
  id: string | null;
  data: string;
}

/** Reads an event stream to its end. `seen` is called for every sign of life, `heard` for each event. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  seen: (id: string | null) => void,
  heard: (event: RawEvent) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  let id: string | null = null;
  let data: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('id:')) id = line.slice(3).trim();
      else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
      else if (line === '' && data.length > 0) {
        heard({ id, data: data.join('\n') });
        data = [];
      }
    }
    seen(id);
  }
}
