import { expect, test } from 'vitest';
import { readEvents } from '../../packages/dashboard/src/live/read-events.ts';

const events = ['a', '\u2028', 'c'].map((text) => JSON.stringify({ text }));
const told = `retry: 1000\n: what happens\nid: at-0\n\n${events
  .map((data, index) => `id: at-${index + 1}\ndata: ${data}\n\n`)
  .join('')}:\nid: at-3\n\n`;

/** Reads a stream of these pieces. */
async function read(pieces: string[]): Promise<{ position: string | null; heard: string[] }> {
  const heard: string[] = [];
  let position: string | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  await readEvents(
    body,
    (id) => (position = id),
    (data) => heard.push(data.trim()),
  );
  return { position, heard };
}

test('wherever a stream is cut off, its position is that of the last event that was heard', async () => {
  for (let cut = 0; cut <= told.length; cut++) {
    const { position, heard } = await read([told.slice(0, cut)]);
    expect(heard).toEqual(events.slice(0, heard.length));
    expect(position).toBe(cut < told.indexOf('\n\n') + 2 ? null : `at-${heard.length}`);
  }
});

test('events are whole however they are cut into pieces, and with the line ends of a proxy', async () => {
  for (const text of [told, told.replaceAll('\n', '\r\n')])
    expect(await read(Array.from(text))).toEqual({ position: 'at-3', heard: events });
});
