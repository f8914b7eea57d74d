import type { Me, Project, Tokens } from '@service/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConfigInput } from '../../src/index.ts';
import type { Edges } from '../../src/services.ts';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import { setPlan } from '../../src/billing/set-plan.ts';
import { dayMs } from '../../src/time/units.ts';
import {
  cleanUp,
  describeInMemory,
  describeService,
  describeShared,
  temporaryFolder,
} from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

const ann = { email: 'ann@shop.example', password: 'ann has a password' };

describeService('registration', (start) => {
  test('registration creates an account and a team that is isolated from others', async () => {
    const { call, report } = await start({ registration: 'open' });
    await report();
    const { status, body } = await call<Tokens>('POST', 'auth/register', {
      token: null,
      body: { ...ann, email: ' Ann@Shop.Example ', name: ' Ann ', team_name: ' The shop ' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.any(String),
    });
    const as = { token: body.access_token };
    expect((await call<Me>('GET', 'auth/me', as)).body).toEqual({
      id: 2,
      email: ann.email,
      name: 'Ann',
      role: 'owner',
      team: { id: 2, name: 'The shop', plan: 'self_hosted' },
    });
    expect((await call('GET', 'projects', as)).text).toBe('[]');
    expect((await call('GET', 'projects/1', as)).status).toBe(404);
    expect((await call('GET', 'errors/1', as)).status).toBe(404);
    await call('POST', 'projects', { ...as, body: { name: 'Hers' } });
    expect((await call<Project[]>('GET', 'projects')).body.map(({ name }) => name)).toEqual(['Shop']);
    expect((await call('POST', 'auth/login', { token: null, body: ann })).status).toBe(200);
  });

  test('registration gives an e-mail address to one of several concurrent requests', async () => {
    const { call } = await start({ registration: 'open' });
    const attempts = [ann.email, 'ANN@shop.example', ann.email].map((email) =>
      call('POST', 'auth/register', { token: null, body: { ...ann, email } }),
    );
    const responses = await Promise.all(attempts);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const taken = responses.find(({ status }) => status === 409);
    expect(taken?.body.code).toBe('email_taken');
    const again = await call('POST', 'auth/register', {
      token: null,
      body: { ...ann, email: 'admin@localhost.example' },
    });
    expect(again.status).toBe(201);
    // The three requests created one team, so the next team has the next id.
    const me = await call<Me>('GET', 'auth/me', { token: (again.body as Partial<Tokens>).access_token ?? '' });
    expect(me.body).toMatchObject({ id: 3, team: { id: 3, name: 'admin@localhost.example' } });
  });
});

describeInMemory('registration', (start) => {
  test('registration is closed by default, and then rejects requests before it validates them', async () => {
    const { call } = await start();
    for (const options of [{ body: ann }, { body: '{' }, { body: 'x', headers: { 'content-type': 'text/plain' } }]) {
      const { status, body } = await call('POST', 'auth/register', { token: null, ...options });
      expect([status, body.code]).toEqual([403, 'registration_closed']);
    }
  });
});

describe('unconfirmed accounts', () => {
  const mailing = { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'errors@shop.example' };
  const names = ['project', 'member', 'plan', 'unused'];
  let at: number;
  let running: OpenService;

  const open = async (config: ConfigInput, edges: Edges = {}) => {
    running = await openService({ registration: 'open', ...config }, { now: () => at, ...edges });
  };
  const register = async (name: string) => {
    const body = { email: `${name}@shop.example`, password: ann.password };
    return (await running.call<Tokens>('POST', 'auth/register', { token: null, body })).body.access_token;
  };
  const remaining = () => {
    const { users } = running.services.store.model.tables;
    return names.filter((name) => users.find(`${name}@shop.example`));
  };

  beforeEach(() => {
    at = Date.parse('2026-11-20T09:00:00Z');
  });
  afterEach(async () => {
    await running.close();
    await cleanUp();
  });

  test('an account that was used while the server sent no mails is not deleted', async () => {
    const storage = `file:${await temporaryFolder()}`;
    await open({ storage, ...mailing });
    const [project, member, plan] = [await register('project'), await register('member'), await register('plan')];
    await register('unused');
    await running.close();
    await open({ storage });
    expect((await running.call('POST', 'projects', { token: project, body: { name: 'Hers' } })).status).toBe(201);
    const body = { email: 'second@shop.example', role: 'viewer', password: 'a second password' };
    expect((await running.call('POST', 'members', { token: member, body })).status).toBe(201);
    const { team } = (await running.call<Me>('GET', 'auth/me', { token: plan })).body;
    await setPlan(running.services, String(team.id), 'self_hosted');
    at += 8 * dayMs;
    await register('later');
    expect(remaining()).toEqual(names);
    await running.close();
    await open({ storage, ...mailing });
    await register('last');
    expect(remaining()).toEqual(['project', 'member', 'plan']);
    // Their addresses are taken.
    expect(await Promise.all(names.map(register))).toEqual([undefined, undefined, undefined, expect.any(String)]);
  });

  test('an account that is used in the same batch as a registration is not deleted', async () => {
    const driver = openMemoryDriver();
    await open(mailing, { driver });
    for (const name of names) await register(name);
    at += 8 * dayMs;
    const { store } = running.services;
    const append = driver.log.append.bind(driver.log);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const heldAppend = vi.spyOn(driver.log, 'append').mockImplementation(async (...batch) => {
      await gate;
      return append(...batch);
    });
    const commit = vi.spyOn(store, 'commit');
    const userOf = (name: string) => store.model.tables.users.find(`${name}@shop.example`)!;
    const first = store.commit((transaction) => {
      transaction.put('teams', { id: transaction.nextId('teams'), name: 'Other', created_at: '' });
    });
    await expect.poll(() => heldAppend.mock.calls.length).toBe(1);
    // All transactions that follow are one batch.
    const writes = [
      first,
      store.commit((transaction) => {
        const created_at = new Date(at).toISOString();
        const { team_id } = userOf('project');
        transaction.put('projects', {
          id: transaction.nextId('projects'),
          team_id,
          name: 'Shop',
          api_key: 'key',
          created_at,
        });
        const { must_verify: _, ...member } = userOf('member');
        transaction.put('users', { ...member, id: transaction.nextId('users'), email: 'second@shop.example' });
      }),
      setPlan(running.services, String(userOf('plan').team_id), 'self_hosted'),
    ];
    commit.mockClear();
    const last = register('last');
    await expect.poll(() => commit.mock.calls.length).toBeGreaterThan(0);
    release();
    await Promise.all([...writes, last]);
    expect(remaining()).toEqual(['project', 'member', 'plan']);
  });
});

describeShared(
  'open registration',
  (service) => {
    test.each<[name: string, fields: object, path: string]>([
      ['a short password', { password: '123456789' }, 'password'],
      ['a password that is too long', { password: 'p'.repeat(1_025) }, 'password'],
      ['no password', { password: null }, 'password'],
      ['no address', { email: 'ann' }, 'email'],
      ['an address with a line break', { email: 'ann@shop.example\nBcc: bob@shop.example' }, 'email'],
      ['an address that is too long', { email: `${'a'.repeat(250)}@shop.example` }, 'email'],
      ['a blank name', { name: '  ' }, 'name'],
      ['a name that is too long', { name: 'n'.repeat(201) }, 'name'],
      ['a team without a name', { team_name: '' }, 'team_name'],
      ['a role', { role: 'owner' }, 'role'],
    ])('registration rejects %s', async (_name, fields, path) => {
      const { call } = service();
      const { status, body } = await call('POST', 'auth/register', { token: null, body: { ...ann, ...fields } });
      expect([status, body.code, body.errors?.[0]?.path]).toEqual([422, 'validation_failed', path]);
    });

    test('registration accepts any characters in a password, and normalizes its Unicode form', async () => {
      const { call } = service();
      // The same text is sent in composed and in decomposed form.
      const password = 'Gr\u00fc\u00dfe \u2603 \ud83d\udd11 \u0000';
      await call('POST', 'auth/register', { token: null, body: { ...ann, password } });
      const typed = { ...ann, password: password.normalize('NFD') };
      expect((await call('POST', 'auth/login', { token: null, body: typed })).status).toBe(200);
      expect((await call('POST', 'auth/login', { token: null, body: { ...ann, password: 'Gr' } })).status).toBe(401);
    });
  },
  { registration: 'open' },
);
