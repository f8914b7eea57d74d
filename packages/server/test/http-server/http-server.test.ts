import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parseConfig, type ConfigInput } from '../../src/config.ts';
import { startHttpServer } from '../../src/http-server/http-server.ts';
import { openServices } from '../../src/services.ts';

test('requests that arrive before the app is loaded are handled once it is', async () => {
  const services = await openServices(parseConfig({ storage: 'memory:', port: 0 }));
  let loaded: (handler: RequestListener) => void = () => undefined;
  const server = await startHttpServer(services, () => new Promise((resolve) => (loaded = resolve)));
  const early = Promise.all([fetch(services.baseUrl), fetch(services.baseUrl)]);
  loaded((_request, response) => response.end('here'));
  expect(await Promise.all((await early).map((response) => response.text()))).toEqual(['here', 'here']);
  await server.stop();
  await services.close();
});

test('an idle connection stays open for longer than proxies keep theirs', async () => {
  const services = await openServices(parseConfig({ storage: 'memory:', port: 0 }));
  const server = await startHttpServer(services, async () => (_request, response) => response.end('here'));
  const response = await fetch(services.baseUrl);
  expect(response.headers.get('keep-alive')).toBe('timeout=61');
  await server.stop();
  await services.close();
});

describe('a server that listens on all addresses', () => {
  /** Returns what a server with these settings logs when it starts. */
  async function startLog(config: ConfigInput): Promise<string> {
    let text = '';
    const services = await openServices(parseConfig({ storage: 'memory:', port: 0, ...config }), {
      logTo: { write: (line) => void (text += line) },
    });
    const server = await startHttpServer(services, async () => (_request, response) => response.end());
    await server.stop();
    await services.close();
    return text;
  }

  test.each(['0.0.0.0', '::', '0'])('warns on %s that other machines cannot open its links', async (host) => {
    expect(await startLog({ host })).toMatch(/http:\/\/\S+:\d+.*other machines can't open.*--base-url/);
  });

  test('warns of nothing if its URL is set, or if it listens on one address', async () => {
    expect(await startLog({ host: '0.0.0.0', baseUrl: 'https://errors.example.com' })).toBe('');
    expect(await startLog({ host: '127.0.0.1' })).toBe('');
  });
});
