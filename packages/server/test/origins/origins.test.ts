import type { Origins } from '@service/protocol';
import { expect, test } from 'vitest';
import { addMember } from '../accounts/members.ts';
import { describeInMemory, describeService, type TestService } from '../test-utils/describe-service.ts';

const from = (origin: string) => ({ headers: { origin } });

describeService('PUT /origins', (start, driver) => {
  const put = ({ call }: TestService, origins: unknown) => call<Origins>('PUT', 'origins', { body: { origins } });

  test('the stored allow-list extends the configured one, immediately and after a restart', async () => {
    const service = await start({ corsOrigins: ['https://SHOP.example:443'] });
    const { call, report, restart } = service;
    expect((await call('GET', 'origins')).body).toEqual({ origins: [], from_settings: ['https://shop.example'] });
    const changed = await put(service, [
      ' https://Blog.example:443 ',
      'https://blog.example',
      'https://*.news.example',
    ]);
    expect([changed.status, changed.body]).toEqual([
      200,
      { origins: ['https://blog.example', 'https://*.news.example'], from_settings: ['https://shop.example'] },
    ]);
    if (driver === 'file:') await restart();
    expect((await call('GET', 'origins')).body).toEqual(changed.body);
    for (const origin of ['https://shop.example', 'https://blog.example', 'https://a.b.news.example']) {
      const response = await report({}, from(origin));
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect((await call('OPTIONS', 'errors', { token: null, ...from(origin) })).status).toBe(204);
    }
    expect((await report({}, from('https://news.example'))).status).toBe(403);
    await put(service, []);
    expect((await report({}, from('https://blog.example'))).status).toBe(403);
    expect((await report({}, from('https://shop.example'))).status).toBe(200);
  });

  test('a stored allow-list excludes pages of this machine, and an empty one allows them again', async () => {
    const service = await start();
    const local = async (): Promise<number> => (await service.report({}, from('http://localhost:3000'))).status;
    expect(await local()).toBe(200);
    await put(service, ['https://shop.example']);
    expect(await local()).toBe(403);
    await put(service, []);
    expect(await local()).toBe(200);
  });
});

describeInMemory('PUT /origins', (start) => {
  test('an allow-list of `*` allows every origin but `null`', async () => {
    const { call, report } = await start();
    await call('PUT', 'origins', { body: { origins: ['*'] } });
    const response = await report({}, from('https://any.example'));
    expect(response.headers.get('access-control-allow-origin')).toBe('https://any.example');
    expect((await report({}, from('null'))).status).toBe(403);
  });

  test('pages of the server itself may always report', async () => {
    const { report } = await start({ baseUrl: 'https://errors.example:443', corsOrigins: ['https://shop.example'] });
    expect((await report({}, from('https://errors.example'))).status).toBe(200);
  });

  test('PUT /origins requires an owner of the operator’s team', async () => {
    const { call } = await start();
    const { token } = await addMember(call, 'ann@shop.example', 'member');
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { origins: ['*'] }],
    ] as const)
      expect((await call(method, 'origins', { token, body })).body.code).toBe('forbidden');
  });

  test.each([
    [{}, 'origins'],
    [{ origins: 'https://shop.example' }, 'origins'],
    [{ origins: [7] }, 'origins.0'],
    [{ origins: ['https://shop.example', 'null'] }, 'origins.1'],
    [{ origins: ['https://shop.example/'] }, 'origins.0'],
    [{ origins: [`https://${'a'.repeat(300)}.example`] }, 'origins.0'],
    [{ origins: Array.from({ length: 1_001 }, (_, index) => `https://shop${index}.example`) }, 'origins'],
    [{ origins: [], from_settings: [] }, 'from_settings'],
  ])('PUT /origins rejects %j', async (body, path) => {
    const { call } = await start();
    const response = await call('PUT', 'origins', { body });
    expect([response.status, response.body.errors?.[0]?.path]).toEqual([422, path]);
    expect((await call('GET', 'origins')).body).toEqual({ origins: [], from_settings: [] });
  });
});
