import { expect, test } from 'vitest';
import { parseEventStream } from '../../src/live/parse-event-stream.ts';

const events = ['a', '\u2028', 'c'].map((text) => JSON.stringify({ text }));
const stream = `retry: 1000\n: a comment\nid: at-0\n\n${events
  .map((data, index) => `id: at-${index + 1}\ndata: ${data}\n\n`)
  .join('')}:\nid: at-3\n\n`;

/** Reads a stream that arrives in these pieces. */
async function read(pieces: string[]): Promise<{ position: string | null; received: string[] }> {
  const received: string[] = [];
  let position: string | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  await parseEventStream(
    body,
    (id) => (position = id),
    (data) => received.push(data.trim()),
  );
  return { position, received };
}

test('the position of a live stream that is cut off anywhere is that of the last received event', async () => {
  for (let cut = 0; cut <= stream.length; cut++) {
    const { position, received } = await read([stream.slice(0, cut)]);
    expect(received).toEqual(events.slice(0, received.length));
    expect(position).toBe(cut < stream.indexOf('\n\n') + 2 ? null : `at-${received.length}`);
  }
});

test('events of a live stream are complete if it arrives in single characters, and with CRLF line ends', async () => {
  for (const text of [stream, stream.replaceAll('\n', '\r\n')])
    expect(await read(Array.from(text))).toEqual({ position: 'at-3', received: events });
});
