import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
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
