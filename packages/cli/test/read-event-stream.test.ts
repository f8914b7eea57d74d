import { expect, test } from 'vitest';
import { readEventStream } from '../src/read-event-stream.ts';

test.each([
  ['\n', 1],
  ['\r\n', 1],
  ['\r\n', 1_000],
])('events are read with line ends %j, in pieces of %i bytes', async (lineEnd, bytes) => {
  const text = ': open\n\nid: 1\nevent: error\ndata: {"a":"b: c"}\n\nid: 2\n\n'.replaceAll('\n', lineEnd);
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      const all = Buffer.from(text);
      for (let at = 0; at < all.length; at += bytes) controller.enqueue(all.subarray(at, at + bytes));
      controller.close();
    },
  });
  const events: unknown[] = [];
  for await (const event of readEventStream(new Response(pieces), 60_000)) events.push(event);
  expect(events).toEqual([
    { id: null, data: null },
    { id: '1', data: '{"a":"b: c"}' },
    { id: '2', data: null },
  ]);
});
