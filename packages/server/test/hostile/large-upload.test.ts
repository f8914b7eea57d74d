import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';
import { largeMap } from './large-map.ts';
import { adminToken, startWatched, type WatchedServer } from './watched-server.ts';

const isFull = process.env.TEST_DEPTH === 'full';
const mib = 1024 * 1024;

afterAll(cleanUp);

/** Sends a map as a form whose length nobody has to know: the file alone says where it ends. */
async function upload(server: WatchedServer, bytes: number, file = 'large.js'): Promise<string> {
  async function* pieces(): AsyncGenerator<string | Buffer> {
    yield `POST /api/v1/projects/1/source-maps HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${adminToken}\r\n`;
    yield 'Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n';
    yield* chunk(`--x\r\nContent-Disposition: form-data; name="file"; filename="${file}.map"\r\n\r\n`);
    for (const piece of largeMap(bytes, file)) yield* chunk(piece);
    yield* chunk('\r\n--x--\r\n');
    yield '0\r\n\r\n';
  }
  return server.send(pieces());
}

function* chunk(piece: string | Buffer): Generator<string | Buffer> {
  const bytes = Buffer.from(piece as string);
  yield `${bytes.length.toString(16)}\r\n`;
  yield bytes;
  yield '\r\n';
}

async function start(storage: string): Promise<{ server: WatchedServer; key: string }> {
  const server = await startWatched(storage);
  const { body } = await server.call<{ api_key: string }>('POST', 'projects', { body: { name: 'Shop' } });
  return { server, key: body.api_key };
}

describe('a large source map', () => {
  test('is taken in piece by piece, and one past the limit is refused', async () => {
    const { server } = await start(`file:${await temporaryFolder()}`);
    const [large, again, tooLarge] = await Promise.all([
      upload(server, 8 * mib),
      upload(server, 8 * mib, 'other.js'),
      upload(server, 65 * mib, 'too-large.js'),
    ]);
    expect(large).toMatch(/^HTTP\/1\.1 201 [^]*"file":"large\.js"/);
    expect(again).toMatch(/^HTTP\/1\.1 201 [^]*"file":"other\.js"/);
    expect(tooLarge).toMatch(/^HTTP\/1\.1 413 [^]*"code":"payload_too_large"/);
    const { body } = await server.call<{ total: number }>('GET', 'projects/1/source-maps');
    expect(body.total).toBe(2);
    expect(await server.stop()).toBe(0);
    expect(server.complaints()).toEqual([]);
  });

  test('more uploads than may wait are told to come again', async () => {
    const { server } = await start('memory:');
    // Heads alone: each takes a place, and none comes to an end.
    const held = Array.from({ length: 35 }, () => openUpload(server));
    // As long as there is one left, nobody waits for those that send nothing.
    expect(await upload(server, 100_000, 'small.js')).toMatch(/^HTTP\/1\.1 201/);
    expect(await upload(server, 600_000)).toMatch(/^HTTP\/1\.1 201/);
    held.push(openUpload(server));
    const told = await Promise.race(
      held.map(({ answer }) => answer).concat(openUpload(server).answer, openUpload(server).answer),
    );
    expect(told).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: \d+[^]*"code":"overloaded"/i);
    for (const { leave } of held) leave();
    // Those that left make room for those who come.
    await expect.poll(async () => (await upload(server, 100_000)).slice(0, 12)).toMatch(/^HTTP\/1\.1 20[01]/);
    await server.stop();
    expect(server.complaints()).toEqual([]);
  });

  // It takes as long as a line may pause.
  test.skipIf(!isFull)(
    'holds up others for some seconds at most if its line is too slow',
    { timeout: 60_000 },
    async () => {
      const { server } = await start('memory:');
      const begun = Buffer.concat([...largeMap(400_000, 'slow.js')]).subarray(0, 300_000);
      const held = Array.from({ length: 4 }, () => openUpload(server, begun));
      expect(await upload(server, 600_000)).toMatch(/^HTTP\/1\.1 201/);
      const answers = await Promise.race(held.map(({ answer }) => answer));
      expect(answers).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
      for (const { leave } of held) leave();
      await server.stop();
      expect(server.complaints()).toEqual([]);
    },
  );

  // What is measured depends on the machine: it has its place where there is time for it.
  test.skipIf(!isFull)(
    'of 64 MiB takes little memory and holds up nobody, beside 500 reports a second',
    { timeout: 300_000 },
    async () => {
      const { server, key } = await start(`file:${await temporaryFolder()}`);
      const { load, stop } = sendReports(server, key);
      await expect.poll(() => load.sent).toBeGreaterThan(2_000);
      const idleMb = await server.settledRssMb();
      server.worst();
      for (let round = 0; round < 3; round++) expect(await upload(server, 63.5 * mib)).toMatch(/^HTTP\/1\.1 20[01]/);
      const { rssMb, delayMs } = server.worst();
      await stop();
      console.log(
        `64 MiB uploads: ${idleMb.toFixed()} MB before, ${rssMb.toFixed()} MB at most, loop held up ${delayMs.toFixed()} ms at most, ${load.sent} reports beside`,
      );
      expect(load.refused).toBe(0);
      expect(rssMb - idleMb).toBeLessThanOrEqual(150);
      expect(rssMb).toBeLessThanOrEqual(256);
      expect(delayMs).toBeLessThanOrEqual(250);
      await server.stop();
      expect(server.complaints()).toEqual([]);
    },
  );
});

/** An upload of which only the head comes, and the beginning of its file. */
function openUpload(server: WatchedServer, begun = Buffer.alloc(0)): { answer: Promise<string>; leave(): void } {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const head = `POST /api/v1/projects/1/source-maps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${begun.length + 1000}\r\n\r\n`;
  const part =
    begun.length > 0 ? `--x\r\nContent-Disposition: form-data; name="file"; filename="slow.js.map"\r\n\r\n` : '';
  return { answer: server.send([head, part, begun], /\}$/, left), leave };
}

/** 500 reports a second, from now on. */
function sendReports(server: WatchedServer, key: string) {
  const load = { sent: 0, refused: 0, isOver: false };
  const began = performance.now();
  const done = (async () => {
    while (!load.isOver) {
      const due = Math.min(50, Math.max(0, Math.floor((performance.now() - began) / 2) - load.sent));
      load.sent += due;
      await Promise.all(
        Array.from({ length: due }, async (_, index) => {
          const stacktrace = `Error: x\n    at f${index} (https://a.example/a.js:1:2)`;
          const body = { project_api_key: key, message: `Report ${index} broke`, stacktrace };
          if ((await server.call('POST', 'errors', { body })).status !== 200) load.refused++;
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  return {
    load,
    stop: async () => {
      load.isOver = true;
      await done;
    },
  };
}
