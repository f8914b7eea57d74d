import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { largeMap } from './large-map.ts';
import { adminToken, startWatched, type WatchedServer } from './watched-server.ts';
import { isFull } from '../../../../test/test-utils/depth.ts';

const mib = 1024 * 1024;

afterAll(cleanUp);

/** Uploads a generated map in chunks, without a Content-Length. */
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
  test('a large source map is streamed in, and one over the limit returns 413', async () => {
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
    expect(server.errorLog()).toEqual([]);
  });

  test('too many concurrent map uploads return 503', async () => {
    const { server } = await start('memory:');
    // Each upload sends only its head, so it occupies a slot and never ends.
    const stalled = Array.from({ length: 35 }, () => openUpload(server));
    // While a slot is free, other uploads do not wait for the stalled ones.
    expect(await upload(server, 100_000, 'small.js')).toMatch(/^HTTP\/1\.1 201/);
    expect(await upload(server, 600_000)).toMatch(/^HTTP\/1\.1 201/);
    stalled.push(openUpload(server));
    const rejection = await Promise.race(
      stalled.map(({ response }) => response).concat(openUpload(server).response, openUpload(server).response),
    );
    expect(rejection).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: \d+[^]*"code":"overloaded"/i);
    for (const { leave } of stalled) leave();
    // Disconnecting frees the slots.
    await expect.poll(async () => (await upload(server, 100_000)).slice(0, 12)).toMatch(/^HTTP\/1\.1 20[01]/);
    await server.stop();
    expect(server.errorLog()).toEqual([]);
  });

  // The test takes as long as the server waits for a stalled upload.
  test.skipIf(!isFull)(
    'stalled map uploads delay no others, and are timed out when they fill all places of the team',
    async () => {
      const { server } = await start('memory:');
      const sentBytes = Buffer.concat([...largeMap(400_000, 'slow.js')]).subarray(0, 300_000);
      const stalled = Array.from({ length: 4 }, () => openUpload(server, sentBytes));
      expect(await upload(server, 600_000)).toMatch(/^HTTP\/1\.1 201/);
      stalled.push(...Array.from({ length: 32 }, () => openUpload(server, sentBytes)));
      const responses = await Promise.race(stalled.map(({ response }) => response));
      expect(responses).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
      for (const { leave } of stalled) leave();
      await server.stop();
      expect(server.errorLog()).toEqual([]);
    },
  );

  // The CPU time depends on the speed of the machine, so it is measured only in the full test run.
  test.skipIf(!isFull)(
    'a map upload of 64 MiB takes little memory and does not delay 500 reports a second',
    { timeout: 300_000 },
    async () => {
      const { server, key } = await start(`file:${await temporaryFolder()}`);
      const { load, stop } = sendReports(server, key);
      await expect.poll(() => load.sent).toBeGreaterThan(2_000);
      const idleMb = await server.settledRssMb();
      await server.takePeaks();
      for (let round = 0; round < 3; round++) expect(await upload(server, 63.5 * mib)).toMatch(/^HTTP\/1\.1 20[01]/);
      const { rssMb, turnMs } = await server.takePeaks();
      await stop();
      console.log(
        `64 MiB uploads: ${idleMb.toFixed()} MB before, ${rssMb.toFixed()} MB at most, a turn of the event loop took ${turnMs.toFixed()} ms of CPU at most, ${load.sent} reports sent`,
      );
      expect(load.rejected).toBe(0);
      expect(rssMb - idleMb).toBeLessThanOrEqual(150);
      expect(rssMb).toBeLessThanOrEqual(256);
      expect(turnMs).toBeLessThanOrEqual(250);
      await server.stop();
      expect(server.errorLog()).toEqual([]);
    },
  );
});

/** Starts an upload that sends only its head and the start of its file. */
function openUpload(server: WatchedServer, sentBytes = Buffer.alloc(0)): { response: Promise<string>; leave(): void } {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const head = `POST /api/v1/projects/1/source-maps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${sentBytes.length + 1000}\r\n\r\n`;
  const part =
    sentBytes.length > 0 ? `--x\r\nContent-Disposition: form-data; name="file"; filename="slow.js.map"\r\n\r\n` : '';
  return { response: server.send([head, part, sentBytes], /\}$/, left), leave };
}

/** Sends 500 reports a second until `stop`. */
function sendReports(server: WatchedServer, key: string) {
  const load = { sent: 0, rejected: 0, isStopped: false };
  const startedAt = performance.now();
  const done = (async () => {
    while (!load.isStopped) {
      const due = Math.min(50, Math.max(0, Math.floor((performance.now() - startedAt) / 2) - load.sent));
      load.sent += due;
      await Promise.all(
        Array.from({ length: due }, async (_, index) => {
          const stacktrace = `Error: x\n    at f${index} (https://a.example/a.js:1:2)`;
          const body = { project_api_key: key, message: `Report ${index} broke`, stacktrace };
          if ((await server.call('POST', 'errors', { body })).status !== 200) load.rejected++;
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  return {
    load,
    stop: async () => {
      load.isStopped = true;
      await done;
    },
  };
}
