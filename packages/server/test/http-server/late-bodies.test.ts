import { expect, test } from 'vitest';
import { addMember, createPersonalToken, members } from '../accounts/people.ts';
import { describeInMemory, type TestService } from '../test-utils/service.ts';

const form = [
  '--part',
  'content-disposition: form-data; name="file"; filename="app.js.map"',
  '',
  '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}',
  '--part--',
  '',
].join('\r\n');

const writes: [method: string, path: string, body: object | string][] = [
  ['POST', 'projects', { name: 'Late' }],
  ['PUT', 'projects/1', { name: 'Late' }],
  ['POST', 'projects/1/api-key/rotate', {}],
  ['POST', 'projects/1/source-maps', form],
  ['PATCH', 'errors/1/status', { status: 'resolved' }],
  ['POST', 'errors/1/ai-summary', {}],
  [
    'PUT',
    'projects/1/notifications',
    { email: { enabled: false, to: [] }, webhook: { enabled: false, url: null, format: 'slack' } },
  ],
  ['POST', 'projects/1/notifications/test', {}],
  ['POST', 'members', { email: 'eve@shop.example', role: 'owner' }],
  ['PATCH', 'members/1', { name: 'Late', role: 'viewer' }],
  ['PUT', 'origins', { origins: ['*'] }],
  ['PATCH', 'auth/me', { name: 'Late' }],
  ['POST', 'billing/checkout', { plan: 'self_hosted' }],
  ['POST', 'auth/tokens', { name: 'Late' }],
];

interface Begun {
  /** Resolves once the caller is known and the body is waited for. */
  isAwaited: Promise<unknown>;
  /** Lets the body come. */
  finish(): Promise<{ status: number; code: unknown }>;
}

/** Begins a request whose body is still on its way. */
function begin({ service }: TestService, token: string, [method, path, body]: (typeof writes)[number]): Begun {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let tellAwaited = (): void => undefined;
  const awaited = new Promise<void>((resolve) => (tellAwaited = resolve));
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        tellAwaited();
        await released;
        controller.enqueue(new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const type = typeof body === 'string' ? 'multipart/form-data; boundary=part' : 'application/json';
  const answer = service.fetch(
    new Request(`http://127.0.0.1:4400/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: stream,
      duplex: 'half',
    } as RequestInit),
  );
  return {
    isAwaited: Promise.race([awaited, answer]),
    async finish() {
      release();
      const response = await answer;
      return { status: response.status, code: ((await response.json()) as { code?: unknown }).code };
    },
  };
}

describeInMemory('a write whose body comes late', (start) => {
  type Ann = { id: number; token: string };
  const cases: [what: string, end: (service: TestService, ann: Ann) => Promise<{ status: number }>, answer: object][] =
    [
      ['was removed', ({ call }, { id }) => call('DELETE', `members/${id}`), { status: 401, code: 'invalid_token' }],
      [
        'has signed out',
        ({ call }, { token }) => call('POST', 'auth/logout', { token }),
        { status: 401, code: 'invalid_token' },
      ],
      [
        'got another password',
        ({ call }, { id }) => call('PATCH', `members/${id}`, { body: { password: 'another password' } }),
        { status: 401, code: 'invalid_token' },
      ],
      [
        'is no owner any more',
        ({ call }, { id }) => call('PATCH', `members/${id}`, { body: { role: 'viewer' } }),
        { status: 403, code: 'forbidden' },
      ],
    ];

  const state = async ({ call }: TestService) => ({
    projects: (await call('GET', 'projects')).body,
    maps: (await call('GET', 'projects/1/source-maps')).body,
    status: (await call('GET', 'errors/1')).body.status,
    origins: (await call('GET', 'origins')).body,
    owner: (await members(call))[0],
    members: (await members(call))
      .map(({ email, name }) => ({ email, name }))
      .filter(({ email }) => !email.startsWith('ann')),
  });

  test.each(cases)('is not done for one who %s meanwhile', async (_what, end, answer) => {
    const service = await start({ sandboxSecret: 'a secret of the sandbox' });
    await service.report();
    const ann = await addMember(service.call, 'ann@shop.example', 'owner');
    const before = await state(service);
    const begun = writes.map((write) => begin(service, ann.token, write));
    await Promise.all(begun.map(({ isAwaited }) => isAwaited));
    expect((await end(service, ann)).status).toBeLessThan(300);
    for (const [index, { finish }] of begun.entries())
      expect(await finish(), writes[index]?.slice(0, 2).join(' ')).toEqual(answer);
    expect(await state(service)).toEqual(before);
  });

  test('is not done by a personal access token that was deleted meanwhile', async () => {
    const service = await start();
    const { id, token } = await createPersonalToken(service.call);
    const begun = begin(service, token, ['PUT', 'origins', { origins: ['*'] }]);
    await begun.isAwaited;
    expect((await service.call('DELETE', `auth/tokens/${id}`)).status).toBe(204);
    expect(await begun.finish()).toEqual({ status: 401, code: 'invalid_token' });
    expect((await service.call('GET', 'origins')).body).toMatchObject({ origins: [] });
  });

  test('is one of those that are tried here', async () => {
    const { service } = await start();
    const open = /^auth\/(?:register|login|refresh|logout|links\/use|invitations\/accept|session)$|^billing\/webhook\//;
    const tried = new Set(writes.map(([method, path]) => `${method} ${path.replaceAll('1', ':')}`));
    const untried = service.app['~routes'].flatMap(({ method = '', route = '' }) => {
      const path = route.replace('/api/v1/', '').replace(/:\w+/g, ':');
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && route.startsWith('/api/') && !open.test(path);
      const asks = `${method} ${path}`;
      return hasBody && asks !== 'POST errors' && !tried.has(asks) ? [asks] : [];
    });
    expect(untried).toEqual([]);
  });

  test('is done for one who stays', async () => {
    const service = await start();
    const ann = await addMember(service.call, 'ann@shop.example', 'member');
    const begun = begin(service, ann.token, ['POST', 'projects', { name: 'Late' }]);
    await begun.isAwaited;
    expect((await begun.finish()).status).toBe(201);
  });
});
