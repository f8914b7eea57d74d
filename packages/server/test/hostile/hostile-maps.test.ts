import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';
import { hostileMaps, oddSources } from './hostile-maps.ts';
import { adminToken, startWatched, type WatchedServer } from './watched-server.ts';

const isFull = process.env.TEST_DEPTH === 'full';

interface Told {
  code?: string;
  detail?: string;
}

/** As it comes from a line: nobody has to hold it, and nobody knows how long it is. */
function upload(server: WatchedServer, file: string, text: () => Iterable<string>): Promise<string> {
  function* pieces(): Generator<string> {
    yield `POST /api/v1/projects/1/source-maps HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${adminToken}\r\n`;
    yield 'Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n';
    yield chunk(`--x\r\nContent-Disposition: form-data; name="file"; filename="${file}.map"\r\n\r\n`);
    let gathered = '';
    for (const piece of text()) {
      gathered += piece;
      if (gathered.length < 64 * 1024) continue;
      yield chunk(gathered);
      gathered = '';
    }
    yield chunk(`${gathered}\r\n--x--\r\n`);
    yield '0\r\n\r\n';
  }
  return server.send(pieces());
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

describe('a source map that was made to harm', () => {
  let server: WatchedServer;
  let key = '';
  beforeAll(async () => {
    server = await startWatched(`file:${await temporaryFolder()}`);
    key = (await server.call<{ api_key: string }>('POST', 'projects', { body: { name: 'Shop' } })).body.api_key;
  });
  afterAll(async () => {
    const code = await server.stop();
    await cleanUp();
    expect(code).toBe(0);
    // A defect is logged as an error, whatever it was answered.
    expect(server.complaints()).toEqual([]);
  });

  /** Frames in a script, in all the places in which something of a map may stand; what the group tells of them. */
  async function told(file: string): Promise<{ frames: { file: string; context: unknown[] }[]; results: string[] }> {
    const places = ['1:1', '1:2', '1:900000000', '2:1', '20000001:1'];
    const stacktrace = `Error: ${file}\n${places.map((place) => `    at a (https://shop.example/${file}:${place})`).join('\n')}`;
    const report = { project_api_key: key, message: file, stacktrace };
    const posted = await server.call<{ error_group_id: number }>('POST', 'errors', { body: report });
    const path = `errors/${posted.body.error_group_id}`;
    const group = await server.call<{ latest_report: { frames: { file: string; context: unknown[] }[] } }>('GET', path);
    const why = await server.call<{ frames: { result: string }[] }>('GET', `${path}/resolution`);
    expect([posted.status, group.status, why.status]).toEqual([200, 200, 200]);
    return { frames: group.body.latest_report.frames, results: why.body.frames.map(({ result }) => result) };
  }

  test.each(hostileMaps.map(({ name }, index) => [name, index] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, index) => {
      const { text, status } = hostileMaps[index] as (typeof hostileMaps)[number];
      const file = `hostile-${index}.js`;
      server.worst();
      const answer = await upload(server, file, text);
      const body = JSON.parse(answer.slice(answer.indexOf('{'))) as Told;
      // A refusal says why, in a sentence.
      const isReason = /[.?]$/.test(body.detail ?? '');
      expect([Number(answer.slice(9, 12)), body.code, isReason]).toEqual(
        status === 201 ? [201, undefined, false] : [422, 'invalid_source_map', true],
      );
      const { frames, results } = await told(file);
      expect(results.filter((result) => result === 'map_invalid')).toEqual([]);
      expect(frames).toHaveLength(5);
      // What is measured depends on the machine: it has its place where there is time for it.
      expect(server.worst().delayMs).toBeLessThanOrEqual(isFull ? 250 : Infinity);
    },
  );

  test('names files of the machine, and nothing of them is told: they are names to show', async () => {
    const secret = join(await temporaryFolder(), 'secret.ts');
    await writeFile(secret, 'const secret = "of this machine";\n'.repeat(20));
    for (const [index, source] of oddSources(secret).entries()) {
      for (const sourceRoot of [undefined, '/', 'file://', '../../..']) {
        const file = `odd-${index}-${sourceRoot?.length ?? 0}.js`;
        const map = JSON.stringify({ version: 3, sources: [source], sourceRoot, names: [], mappings: 'AAAA' });
        expect([source, (await upload(server, file, () => [map])).slice(9, 12)]).toEqual([source, '201']);
        const { frames } = await told(file);
        expect(frames.flatMap(({ context }) => context)).toEqual([]);
        expect(JSON.stringify(frames)).not.toMatch(/of this machine|root:x/);
      }
    }
  });

  test('and a hundred good ones in a row leave memory as it was', { timeout: 60_000 }, async () => {
    const settledMb: number[] = [];
    for (let count = 1; count <= 100; count++) {
      const map = {
        version: 3,
        sources: ['a.ts'],
        sourcesContent: [`// ${count}\n${'x();\n'.repeat(2_000)}`],
        names: [],
      };
      const mappings = 'AAAA,CACA,CACA,CACA;'.repeat(15_000);
      expect(
        (await upload(server, `good-${count}.js`, () => [JSON.stringify({ ...map, mappings })])).slice(9, 12),
      ).toBe('201');
      if (count === 20 || count === 100) settledMb.push(await server.settledRssMb());
    }
    const [before = 0, after = 0] = settledMb;
    // Each of them decoded takes some megabytes.
    expect(after - before).toBeLessThanOrEqual(40);
  });
});
