import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { listen } from '../../src/http-server/http-server.ts';
import { openServices } from '../../src/services.ts';

test('requests that come before the app is loaded are answered once it is', async () => {
  const services = await openServices(parseConfig({ storage: 'memory:', port: 0 }));
  let loaded: (listener: RequestListener) => void = () => undefined;
  const listening = await listen(services, () => new Promise((resolve) => (loaded = resolve)));
  const early = Promise.all([fetch(services.baseUrl), fetch(services.baseUrl)]);
  loaded((_request, response) => response.end('here'));
  expect(await Promise.all((await early).map((answer) => answer.text()))).toEqual(['here', 'here']);
  await listening.stop();
  await services.close();
});
