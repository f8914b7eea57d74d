import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { hostileMaps, oddSources } from './hostile-maps.ts';
import { adminToken, startWatched, type WatchedServer } from './watched-server.ts';

interface UploadResponse {
  code?: string;
  detail?: string;
}

/** Uploads a map in chunks, without a length and without holding it in memory. */
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

describe('hostile source maps', () => {
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
    // Internal errors are logged at level error, whatever the response was.
    expect(server.errorLog()).toEqual([]);
  });

  /** Posts a report with frames at positions all over the map, and returns them with their resolution. */
  async function resolveFrames(
    file: string,
  ): Promise<{ frames: { file: string; context: unknown[] }[]; results: string[] }> {
    const positions = ['1:1', '1:2', '1:900000000', '2:1', '20000001:1'];
    const stacktrace = `Error: ${file}\n${positions.map((position) => `    at a (https://shop.example/${file}:${position})`).join('\n')}`;
    const report = { project_api_key: key, message: file, stacktrace };
    const posted = await server.call<{ error_group_id: number }>('POST', 'errors', { body: report });
    const path = `errors/${posted.body.error_group_id}`;
    const group = await server.call<{ latest_report: { frames: { file: string; context: unknown[] }[] } }>('GET', path);
    const why = await server.call<{ frames: { result: string }[] }>('GET', `${path}/resolution`);
    expect([posted.status, group.status, why.status]).toEqual([200, 200, 200]);
    return { frames: group.body.latest_report.frames, results: why.body.frames.map(({ result }) => result) };
  }

  test.each(hostileMaps.map(({ name }, index) => [name, index] as const))(
    'accepts or rejects a hostile map: %s',
    async (_, index) => {
      const { text, status } = hostileMaps[index] as (typeof hostileMaps)[number];
      const file = `hostile-${index}.js`;
      await server.takePeaks();
      const response = await upload(server, file, text);
      const body = JSON.parse(response.slice(response.indexOf('{'))) as UploadResponse;
      // A rejection has a sentence with the reason.
      const isReason = /[.?]$/.test(body.detail ?? '');
      expect([Number(response.slice(9, 12)), body.code, isReason]).toEqual(
        status === 201 ? [201, undefined, false] : [422, 'invalid_source_map', true],
      );
      const { frames, results } = await resolveFrames(file);
      expect(results.filter((result) => result === 'map_invalid')).toEqual([]);
      expect(frames).toHaveLength(5);
      const { turnMs } = await server.takePeaks();
      expect(turnMs).toBeLessThanOrEqual(250);
    },
  );

  test('never reads files of the machine that a map names as sources', async () => {
    const secret = join(await temporaryFolder(), 'secret.ts');
    await writeFile(secret, 'const secret = "of this machine";\n'.repeat(20));
    for (const [index, source] of oddSources(secret).entries()) {
      for (const sourceRoot of [undefined, '/', 'file://', '../../..']) {
        const file = `odd-${index}-${sourceRoot?.length ?? 0}.js`;
        const map = JSON.stringify({ version: 3, sources: [source], sourceRoot, names: [], mappings: 'AAAA' });
        expect([source, (await upload(server, file, () => [map])).slice(9, 12)]).toEqual([source, '201']);
        const { frames } = await resolveFrames(file);
        expect(frames.flatMap(({ context }) => context)).toEqual([]);
        expect(JSON.stringify(frames)).not.toMatch(/of this machine|root:x/);
      }
    }
  });

  test('uploads in a row leak no memory', async () => {
    const settledMb: number[] = [];
    // The heap of the server grows to its usual size during the first hundred.
    for (let count = 1; count <= 180; count++) {
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
      if (count === 100 || count === 180) settledMb.push(await server.settledRssMb());
    }
    const [before = 0, after = 0] = settledMb;
    // A leak of the decoded maps would take several megabytes each.
    expect(after - before).toBeLessThanOrEqual(40);
  });
});
