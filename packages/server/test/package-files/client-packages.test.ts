import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientPackagesFolder } from '../../src/package-files/client-packages.ts';
import { describeShared } from '../test-utils/describe-service.ts';

interface Table {
  packages: {
    name: string;
    version: string;
    files: { url: string; pinned_url: string; bytes: number; sha256: string; integrity: string }[];
  }[];
}

const json = { token: null, headers: { accept: 'application/json' } };
const pathOf = (url: string): string => new URL(url).pathname;

describeShared('the packages for apps', (service) => {
  /** Reads a file as a page or an installer would. */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    const { service: running } = service();
    return running.fetch(new Request(`http://127.0.0.1:4400${path}`, { method, headers }));
  }

  async function table(): Promise<Table['packages']> {
    expect(existsSync(clientPackagesFolder), 'Build the server first, as `npm test` does.').toBe(true);
    return (await service().call<Table>('GET', '/packages/', json)).body.packages;
  }

  test('GET /packages lists the client packages with the hash of each file', async () => {
    const [sdk, ...others] = await table();
    expect(others).toEqual([]);
    expect(sdk).toMatchObject({ name: '@service/browser', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(sdk?.files.map(({ url }) => pathOf(url))).toEqual([
      '/packages/browser.tgz',
      '/packages/browser.iife.js',
      '/packages/browser.snippet.js',
    ]);
    for (const { url, pinned_url, bytes, sha256, integrity } of sdk?.files ?? []) {
      const content = Buffer.from(await (await get(pathOf(url))).arrayBuffer());
      expect(content.length).toBe(bytes);
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      expect(`sha384-${createHash('sha384').update(content).digest('base64')}`).toBe(integrity);
      expect(pathOf(pinned_url)).toContain(`/browser-${sdk?.version}-${sha256.slice(0, 12)}.`);
      expect(Buffer.from(await (await get(pathOf(pinned_url))).arrayBuffer()).equals(content)).toBe(true);
    }
  });

  test('package files are readable from every origin and have a content type', async () => {
    const [sdk] = await table();
    const types: Record<string, string> = { tgz: 'application/gzip', js: 'text/javascript; charset=utf-8' };
    for (const { url } of sdk?.files ?? []) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await get(pathOf(url), { origin: 'https://stranger.example' }, method);
        expect(status).toBe(200);
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('content-type')).toBe(types[url.split('.').at(-1) ?? '']);
        expect(headers.get('set-cookie')).toBe(null);
      }
    }
  });

  test('HEAD of a package file returns only headers', async () => {
    const { headers, body } = await get('/packages/browser.tgz', {}, 'HEAD');
    expect([headers.get('content-type'), body]).toEqual(['application/gzip', null]);
  });

  test('package files are cached forever under the pinned name, and revalidated under the short one', async () => {
    const [sdk] = await table();
    for (const { url, pinned_url } of sdk?.files ?? []) {
      const pinned = await get(pathOf(pinned_url));
      expect(pinned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const short = await get(pathOf(url));
      expect(short.headers.get('cache-control')).toBe('public, max-age=300');
      const again = await get(pathOf(url), { 'if-none-match': short.headers.get('etag') ?? '' });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await get(pathOf(url), { 'if-none-match': 'W/"of another content"' })).status).toBe(200);
      expect((await get(pathOf(url), { 'if-none-match': '*' })).status).toBe(304);
    }
  });

  test('package files are compressed for clients that accept it, except the tarball', async () => {
    const script = await get('/packages/browser.iife.js', { 'accept-encoding': 'gzip, br' });
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(script.headers.get('vary')).toBe('Accept-Encoding');
    const tarball = await get('/packages/browser.tgz', { 'accept-encoding': 'gzip, br' });
    expect(tarball.headers.get('content-encoding')).toBe(null);
  });

  test.each([
    '/packages/packages.json',
    '/packages/browser-0.0.0-000000000000.tgz',
    '/packages/..%2fdashboard%2findex.html',
    '/packages/%2e%2e%2f%2e%2e%2fpackage.json',
    '/packages/browser.tgz/x',
    '/packages/constructor',
    '/packages/%00',
    '/packages/%E0%A4%A',
    '/packages/%3Cscript%3E',
  ])('%s is unknown, and the response does not quote it', async (path) => {
    const response = await get(path);
    expect([400, 404]).toContain(response.status);
    const text = await response.text();
    expect(text).not.toContain('script>');
    expect(text).not.toContain('dashboard');
  });

  test('a 404 of a pinned file is readable from every origin', async () => {
    const { status, headers } = await get('/packages/browser-0.0.0-000000000000.iife.js');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([404, '*']);
  });

  test('GET /packages returns a page without scripts that has the lines to copy', async () => {
    const { status, headers, text } = await service().call('GET', '/packages', {
      token: null,
      headers: { accept: 'text/html' },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
    expect(text).not.toMatch(/<script|<style|style="|\son\w+=/i);
    expect(text).toMatch(/npm install http:\/\/127\.0\.0\.1:\d+\/packages\/browser-\d[\w.-]*-[0-9a-f]{12}\.tgz</);
    const links = Array.from(text.matchAll(/ href="(\/packages\/[^"]*)"/g), ([, path]) => path ?? '');
    expect(links).toHaveLength(6);
    for (const link of links) expect((await get(link)).status).toBe(200);
  });

  test('only package files are readable from every origin', async () => {
    for (const path of ['/', '/docs.css', '/docs/api', '/healthz']) {
      const { headers } = await get(path, { origin: 'https://stranger.example' });
      expect(headers.get('access-control-allow-origin'), path).toBe(null);
      expect(headers.get('cross-origin-resource-policy'), path).not.toBe('cross-origin');
    }
  });

  test('the setup instructions of the dashboard use the script and the tarball of this server', async () => {
    const [sdk] = await table();
    const script = sdk?.files.find(({ url }) => url.endsWith('.iife.js'));
    const tarball = sdk?.files.find(({ url }) => url.endsWith('.tgz'));
    const { text } = await service().call('GET', '/', { token: null });
    const words = [pathOf(script?.pinned_url ?? ''), script?.integrity, pathOf(tarball?.pinned_url ?? '')];
    expect(text).toContain(`<meta name="sdk" content="${words.join(' ')}"`);
  });
});
