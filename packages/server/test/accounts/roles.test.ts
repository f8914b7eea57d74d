import type { Role } from '@service/protocol';
import { expect, test } from 'vitest';
import { addMember, createPersonalToken } from './members.ts';
import { describeInMemory, type CallOptions, type TestService } from '../test-utils/describe-service.ts';

/** The routes that write, and the roles that may use them. `{name}` is replaced by an id of the caller's team. */
const writes: [method: string, path: string, allowed: 'owner' | 'member' | 'all', body?: unknown][] = [
  ['POST', 'projects', 'member', {}],
  ['PUT', 'projects/{project}', 'member', {}],
  ['POST', 'projects/{project}/api-key/rotate', 'member', { x: 1 }],
  ['POST', 'projects/{project}/source-maps', 'member', {}],
  ['DELETE', 'projects/{project}/source-maps/{map}?x=1', 'member'],
  ['PATCH', 'errors/{group}/status', 'member', {}],
  ['POST', 'errors/{group}/ai-summary', 'member', { x: 1 }],
  ['POST', 'errors/{group}/merge', 'member', {}],
  ['POST', 'errors/{group}/unmerge', 'member', {}],
  ['PUT', 'projects/{project}/notifications', 'member', {}],
  ['POST', 'projects/{project}/notifications/test', 'member', { x: 1 }],
  ['POST', 'projects/{project}/notifications/recipients/ask', 'member', {}],
  ['DELETE', 'errors/{group}?x=1', 'member'],
  ['DELETE', 'projects/{project}?x=1', 'member'],
  ['POST', 'members', 'owner', {}],
  ['PATCH', 'members/{member}', 'owner', { x: 1 }],
  ['DELETE', 'members/{member}?x=1', 'owner'],
  ['PUT', 'origins', 'owner', {}],
  ['POST', 'billing/checkout', 'owner', {}],
  ['PATCH', 'auth/me', 'all', { x: 1 }],
  ['POST', 'auth/verification', 'all', { x: 1 }],
  ['POST', 'auth/me/delete', 'all', {}],
  ['POST', 'team/delete', 'owner', {}],
  ['POST', 'auth/tokens', 'all', {}],
  ['DELETE', 'auth/tokens/{token}?x=1', 'all'],
];

const reads = [
  'projects',
  'projects/{project}',
  'projects/{project}/facets',
  'facets',
  'projects/{project}/source-maps',
  'projects/{project}/notifications/recipients',
].concat([
  'errors',
  'errors/{group}',
  'errors/{group}/reports',
  'errors/{group}/merged',
  'errors/{group}/similar',
  'members',
  'auth/me',
  'auth/tokens',
  'billing/plans',
  'billing/usage',
  'billing/payments',
  'billing/payments/1',
  'source-maps/usage',
]);

describeInMemory('roles', (start) => {
  /** Starts a service whose team has one project, group, payment and source map, and one member of each role. */
  async function startTeam(): Promise<TestService & { as: Record<Role, CallOptions & { tokenId: number }> }> {
    const service = await start({ sandboxSecret: 'a secret of the sandbox' });
    const { call, report } = service;
    await report();
    await call('POST', 'billing/checkout', { body: { plan: 'self_hosted' } });
    const form = new FormData();
    form.set('file', new Blob(['{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}']), 'app.js.map');
    await call('POST', 'projects/1/source-maps', { body: form });
    const member = await addMember(call, 'ann@shop.example', 'member');
    const viewer = await addMember(call, 'ben@shop.example', 'viewer');
    const caller = async (options: CallOptions): Promise<CallOptions & { tokenId: number }> => ({
      ...options,
      tokenId: (await createPersonalToken(call, { ...options, body: { name: 'CI' } })).id,
    });
    const as = {
      owner: await caller({}),
      member: await caller({ token: member.token }),
      viewer: await caller({ token: viewer.token }),
    };
    return Object.assign(service, { as });
  }

  const pathWithIds = (path: string, tokenId: number): string =>
    path
      .replace('{token}', String(tokenId))
      .replace('{member}', '3')
      .replace(/\{\w+\}/g, '1');

  test('roles are checked on every write, before the request is validated', async () => {
    const { call, as } = await startTeam();
    for (const [method, path, allowed, body] of writes) {
      for (const [role, { tokenId, ...caller }] of Object.entries(as)) {
        const mayWrite = allowed === 'all' || role === 'owner' || role === allowed;
        const response = await call(method, pathWithIds(path, tokenId), { ...caller, body });
        // Every request is invalid, so that it changes nothing for the next role.
        const responses = mayWrite ? ['415 unsupported_media_type', '422 validation_failed'] : ['403 forbidden'];
        expect(responses, `${method} ${path} as ${role}`).toContain(`${response.status} ${response.body.code}`);
      }
    }
  });

  test('every role may read the data of its team', async () => {
    const { call, as } = await startTeam();
    for (const path of reads) {
      for (const [role, { tokenId, ...caller }] of Object.entries(as))
        expect((await call('GET', pathWithIds(path, tokenId), caller)).status, `${path} as ${role}`).toBe(200);
    }
  });

  test('every route that writes is in the table of roles', async () => {
    const { service } = await start();
    const open = new Set([
      'errors',
      'auth/register',
      'auth/login',
      'auth/refresh',
      'auth/logout',
      'auth/links/use',
      'auth/confirmations/use',
      'auth/invitations/accept',
      'auth/session',
      // This webhook checks a signature instead.
      'billing/webhook/:',
    ]);
    const known = new Set(
      writes.map(([method, path]) => `${method} ${path.replace(/\?.*/, '').replace(/\{\w+\}/g, ':')}`),
    );
    // What Sentry's clients send is not part of this API, and has its own tests.
    const uncovered = service.app['~routes'].flatMap(({ method = '', route = '' }) => {
      const path = route.replace('/api/v1/', '').replace(/:\w+/g, ':');
      const isWrite = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && route.startsWith('/api/v1/');
      return isWrite && !open.has(path) && !known.has(`${method} ${path}`) ? [`${method} ${path}`] : [];
    });
    expect(uncovered).toEqual([]);
  });

  test('a member who becomes a viewer loses write access immediately', async () => {
    const { call } = await start();
    const ann = await addMember(call, 'ann@shop.example', 'member');
    const create = () => call('POST', 'projects', { token: ann.token, body: { name: 'Blog' } });
    expect((await create()).status).toBe(201);
    await call('PATCH', `members/${ann.id}`, { body: { role: 'viewer' } });
    expect((await create()).body.code).toBe('forbidden');
  });

  test('the owner of another team has no access to the origins of the server', async () => {
    const { call } = await start({ registration: 'open' });
    const { body } = await call<{ access_token: string }>('POST', 'auth/register', {
      token: null,
      body: { email: 'eve@other.example', password: 'correct horse battery' },
    });
    for (const method of ['GET', 'PUT'])
      expect((await call(method, 'origins', { token: body.access_token })).body.code).toBe('forbidden');
  });
});
