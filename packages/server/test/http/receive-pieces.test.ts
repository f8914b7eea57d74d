import { Readable } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bodyBudget } from '../../src/http/body-budget.ts';
import { receivePieces, type PiecesReader } from '../../src/http/receive-pieces.ts';

const mib = 1024 * 1024;
const limits = { sentBytes: 20 * mib, decodedBytes: 100 * mib };

/** A reader that counts bytes and keeps none of them. */
function counter(): PiecesReader & { bytes: number } {
  return {
    bytes: 0,
    push(piece) {
      this.bytes += piece.length;
    },
    end: () => undefined,
    heldBytes: 0,
    isDone: false,
  };
}

function receive(body: Buffer, encoding: string | null, reader: PiecesReader): Promise<() => void> {
  return receivePieces(
    {
      header: (name) => (name === 'content-encoding' ? encoding : null),
      body: () => Readable.from([body.subarray(0, 1_000), body.subarray(1_000)]),
      socketAddress: () => '127.0.0.1',
    },
    limits,
    reader,
  );
}

test.each([
  ['gzip', gzipSync],
  ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
] as const)('a decompression bomb in %s is rejected after a small part is decompressed', async (encoding, encode) => {
  const bomb = encode(Buffer.alloc(90 * mib));
  const reader = counter();
  await expect(receive(bomb, encoding, reader)).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(reader.bytes).toBeLessThan(mib + 200 * bomb.length + mib);
  expect(reader.bytes).toBeLessThan(25 * mib);
  expect(bodyBudget.heldBytes).toBe(0);
});

test('a large body with a usual compression ratio is read whole', async () => {
  const noise = Buffer.from(Array.from({ length: 3 * mib }, (_, at) => (at * 2_654_435_761) >>> 13));
  const reader = counter();
  const release = await receive(gzipSync(noise), 'gzip', reader);
  expect(reader.bytes).toBe(noise.length);
  release();
  expect(bodyBudget.heldBytes).toBe(0);
});

test('bytes that a reader keeps count towards the memory of bodies until they are released', async () => {
  const reader = { ...counter(), heldBytes: 5_000 };
  const release = await receive(Buffer.from('{}'), null, reader);
  expect(bodyBudget.heldBytes).toBe(5_000);
  release();
  expect(bodyBudget.heldBytes).toBe(0);
});

test('an error of the reader rejects the body and frees its memory', async () => {
  const reader: PiecesReader = {
    ...counter(),
    push() {
      throw new Error('no envelope');
    },
  };
  await expect(receive(gzipSync('x'), 'gzip', reader)).rejects.toThrow('no envelope');
  expect(bodyBudget.heldBytes).toBe(0);
});

test('a body is not read further once its reader is done', async () => {
  const reader = { ...counter(), isDone: true };
  (await receive(Buffer.alloc(10 * mib), null, reader))();
  expect(reader.bytes).toBe(1_000);
});
