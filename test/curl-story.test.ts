import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { adminToken, startServer } from './test-utils/server-process.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('Skipped the specification test with curl. To run it: apt-get install curl');

/** Maps 1:1 of the script to `const total = cart.items;` in src/cart.ts. */
const sourceMap = JSON.stringify({
  version: 3,
  file: 'app.js',
  sources: ['src/cart.ts'],
  sourcesContent: ['const total = cart.items;'],
  names: [],
  mappings: 'AAAA',
});

test.skipIf(!hasCurl)('the scenario of the specification works with curl', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-curl-'));
  const server = await startServer(`file:${join(folder, 'data')}`);

  /** Runs curl and returns status and body. */
  async function curl(method: string, path: string, ...more: string[]): Promise<[number, Record<string, unknown>]> {
    const args = [
      '-sS',
      '-X',
      method,
      `${server.url}/api/v1/${path}`,
      '-H',
      `Authorization: Bearer ${adminToken}`,
      '-w',
      '\n%{http_code}',
      ...more,
    ];
    const { stdout } = await promisify(execFile)('curl', args);
    const end = stdout.lastIndexOf('\n');
    return [Number(stdout.slice(end + 1)), JSON.parse(stdout.slice(0, end) || 'null') as Record<string, unknown>];
  }
  const json = (body: object): string[] => ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];

  try {
    const [created, project] = await curl('POST', 'projects', ...json({ name: 'Shop' }));
    expect(created).toBe(201);
    expect(Object.keys(project)).toEqual(['id', 'name', 'api_key', 'created_at']);

    const report = {
      project_api_key: project.api_key,
      message: 'total is undefined',
      stacktrace: 'TypeError: total is undefined\n    at checkout (https://shop.example/app.js:1:1)',
      environment: 'production',
      release: '1.0.0',
      url: 'https://shop.example/cart',
      user_agent: 'curl',
      metadata: { cart: 3 },
      breadcrumbs: [
        { timestamp: '2026-11-20T09:00:00.000Z', type: 'navigation', category: 'history', data: { to: '/cart' } },
      ],
    };
    const [accepted, first] = await curl('POST', 'errors', ...json(report));
    expect([accepted, first]).toEqual([
      200,
      { success: true, error_group_id: 1, fingerprint: expect.any(String), is_new_group: true },
    ]);

    const [, list] = await curl(
      'GET',
      `errors?project_id=${String(project.id)}&environment=production&status=active&search=total&page=1&size=10`,
    );
    expect(list).toMatchObject({ total: 1, items: [{ error_group_id: 1, status: 'active', count: 1 }] });
    const [, details] = await curl('GET', 'errors/1');
    expect(details).toMatchObject({
      fingerprint: first.fingerprint,
      latest_report: { metadata: { cart: 3 }, breadcrumbs: report.breadcrumbs },
    });

    const [, resolved] = await curl('PATCH', 'errors/1/status', ...json({ status: 'resolved' }));
    expect(resolved.status).toBe('resolved');
    const [, again] = await curl('POST', 'errors', ...json(report));
    expect(again).toMatchObject({ error_group_id: 1, is_new_group: false });
    expect((await curl('GET', 'errors/1'))[1]).toMatchObject({ status: 'active', reopen_count: 1, count: 2 });

    const [, rotated] = await curl('POST', `projects/${String(project.id)}/api-key/rotate`);
    expect((await curl('POST', 'errors', ...json(report)))[0]).toBe(401);
    expect((await curl('POST', 'errors', ...json({ ...report, project_api_key: rotated.api_key })))[0]).toBe(200);

    await writeFile(join(folder, 'app.js.map'), sourceMap);
    const [uploaded, map] = await curl(
      'POST',
      'projects/1/source-maps',
      '-F',
      `file=@${join(folder, 'app.js.map')}`,
      '-F',
      'release=1.0.0',
    );
    expect([uploaded, map.file]).toEqual([201, 'app.js']);
    expect((await curl('GET', 'errors/1'))[1]).toMatchObject({
      latest_report: {
        frames: [
          {
            file: 'src/cart.ts',
            line: 1,
            column: 1,
            resolved: true,
            context: [{ line: 1, text: 'const total = cart.items;' }],
          },
        ],
      },
    });

    expect((await curl('DELETE', 'projects/1'))[0]).toBe(204);
    expect((await curl('GET', 'errors/1'))[0]).toBe(404);
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
