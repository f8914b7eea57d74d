import { describe, expect, test } from 'vitest';
import { largeBodyBytes, ReceivedBytes } from '../../src/http/received-bytes.ts';

const chunkBytes = 16 * 1024;

function chunksOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}

function bodyOf(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, index) => index % 251));
}

describe.each([0, 100, largeBodyBytes, largeBodyBytes + 1, 3 * largeBodyBytes + 7])('a body of %i bytes', (size) => {
  const body = bodyOf(size);

  test.each([
    ['its length', size],
    ['no length', 0],
    ['a smaller length', size - 1],
    ['a larger length', 2 * size],
    ['no number', NaN],
  ])('is received whole when it declares %s', (_, declaredBytes) => {
    const received = new ReceivedBytes(Math.max(0, declaredBytes));
    let sent = 0;
    for (const chunk of chunksOf(body)) {
      received.push(chunk);
      sent += chunk.length;
      expect(Buffer.concat(received.chunks).equals(body.subarray(0, sent))).toBe(true);
    }
    expect(received.size).toBe(size);
    expect(received.isLarge).toBe(size > largeBodyBytes);
    expect(received.join().equals(body)).toBe(true);
  });
});

test('a large body of a known length does not keep the buffers of its chunks', () => {
  const body = bodyOf(2 * largeBodyBytes);
  const received = new ReceivedBytes(body.length);
  for (const chunk of chunksOf(body)) received.push(Buffer.from(chunk));
  expect(received.chunks).toHaveLength(1);
  expect(received.join().buffer.byteLength).toBe(body.length);
});
