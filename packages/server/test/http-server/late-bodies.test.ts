import { expect, test } from 'vitest';
import { addMember, createPersonalToken, members } from '../accounts/members.ts';
import { describeInMemory, type TestService } from '../test-utils/describe-service.ts';

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
  ['POST', 'errors/1/merge', { group_ids: [2] }],
  ['POST', 'errors/1/unmerge', { group_ids: [2] }],
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
  ['POST', 'auth/me/delete', { current_password: 'correct horse battery' }],
  ['POST', 'team/delete', { current_password: 'correct horse battery', team_name: 'Operator' }],
  ['POST', 'auth/verification', {}],
  ['POST', 'projects/1/notifications/recipients/ask', { email: 'eve@shop.example' }],
];

interface PendingRequest {
  /** Resolves once the caller is authenticated and the body is read. */
  isReading: Promise<unknown>;
  /** Sends the body. */
  finish(): Promise<{ status: number; code: unknown }>;
}

/** Starts a request and holds back its body. */
function startRequest(
  { service }: TestService,
  token: string,
  [method, path, body]: (typeof writes)[number],
): PendingRequest {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let notifyReading = (): void => undefined;
  const reading = new Promise<void>((resolve) => (notifyReading = resolve));
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        notifyReading();
        await released;
        controller.enqueue(new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const type = typeof body === 'string' ? 'multipart/form-data; boundary=part' : 'application/json';
  const responded = service.fetch(
    new Request(`http://127.0.0.1:4400/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: stream,
      duplex: 'half',
    } as RequestInit),
  );
  return {
    isReading: Promise.race([reading, responded]),
    async finish() {
      release();
      const response = await responded;
      return { status: response.status, code: ((await response.json()) as { code?: unknown }).code };
    },
  };
}

describeInMemory('a write with a delayed body', (start) => {
  type Ann = { id: number; token: string };
  const cases: [
    title: string,
    end: (service: TestService, ann: Ann) => Promise<{ status: number }>,
    response: object,
  ][] = [
    ['is removed', ({ call }, { id }) => call('DELETE', `members/${id}`), { status: 401, code: 'invalid_token' }],
    [
      'signs out',
      ({ call }, { token }) => call('POST', 'auth/logout', { token }),
      { status: 401, code: 'invalid_token' },
    ],
    [
      'changes the password',
      ({ call }, { id }) => call('PATCH', `members/${id}`, { body: { password: 'another password' } }),
      { status: 401, code: 'invalid_token' },
    ],
    [
      'is no longer an owner',
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

  test.each(cases)('a write is rejected if its user %s before the body arrives', async (_title, end, response) => {
    const service = await start({ sandboxSecret: 'a secret of the sandbox' });
    await service.report();
    const ann = await addMember(service.call, 'ann@shop.example', 'owner');
    const before = await state(service);
    const pending = writes.map((write) => startRequest(service, ann.token, write));
    await Promise.all(pending.map(({ isReading }) => isReading));
    expect((await end(service, ann)).status).toBeLessThan(300);
    for (const [index, { finish }] of pending.entries())
      expect(await finish(), writes[index]?.slice(0, 2).join(' ')).toEqual(response);
    expect(await state(service)).toEqual(before);
  });

  test('a write is rejected if its personal access token is deleted before the body arrives', async () => {
    const service = await start();
    const { id, token } = await createPersonalToken(service.call);
    const pending = startRequest(service, token, ['PUT', 'origins', { origins: ['*'] }]);
    await pending.isReading;
    expect((await service.call('DELETE', `auth/tokens/${id}`)).status).toBe(204);
    expect(await pending.finish()).toEqual({ status: 401, code: 'invalid_token' });
    expect((await service.call('GET', 'origins')).body).toMatchObject({ origins: [] });
  });

  test('the table of writes has every operation that requires a credential and reads a body', async () => {
    const { service } = await start();
    const open =
      /^auth\/(?:register|login|refresh|logout|links\/use|confirmations\/use|invitations\/accept|session)$|^billing\/webhook\/|^\/api\/:\/(?:envelope|store|minidump|security|user-report)$|^\/api\/0\//;
    const covered = new Set(writes.map(([method, path]) => `${method} ${path.replaceAll('1', ':')}`));
    const uncovered = service.app['~routes'].flatMap(({ method = '', route = '' }) => {
      const path = route.replace('/api/v1/', '').replace(/:\w+/g, ':');
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && route.startsWith('/api/') && !open.test(path);
      const operation = `${method} ${path}`;
      return hasBody && operation !== 'POST errors' && !covered.has(operation) ? [operation] : [];
    });
    expect(uncovered).toEqual([]);
  });

  test('a write with a delayed body succeeds if its user keeps access', async () => {
    const service = await start();
    const ann = await addMember(service.call, 'ann@shop.example', 'member');
    const pending = startRequest(service, ann.token, ['POST', 'projects', { name: 'Late' }]);
    await pending.isReading;
    expect((await pending.finish()).status).toBe(201);
  });
});
