import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { password } from '../credentials.ts';
import type { Suite } from '../suite.ts';

async function createToken(context: TestContext, token: string, body: object = {}): Promise<Json> {
  return context.send(201, 'POST', 'auth/tokens', { token, body: { name: 'CI', ...body } });
}

/** Personal access tokens. */
export const personalTokens: Suite = {
  name: 'personal tokens',
  // Hashing passwords is slow, and only the test with its own target depends on the storage.
  targets: ['memory'],
  tests: [
    {
      title: 'a personal access token is shown once and works as a Bearer token',
      covers: ['auth.tokens.create', 'auth.tokens.prefix', 'auth.tokens.once', 'auth.tokens.delete', 'conv.lists.page'],
      async run(context) {
        const { access_token: own } = await context.signUp();
        const made = await createToken(context, own);
        expect(made).toEqual({
          id: expect.any(Number),
          name: 'CI',
          token: expect.stringMatching(/^pat_\S{20,}$/),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          expires_at: null,
        });
        const { token, ...shown } = made;
        const list = await context.call('GET', 'auth/tokens', { token: own });
        expect(list.body).toEqual({ items: [shown], total: 1, page: 1, size: 50, pages: 1 });
        expect(list.text).not.toContain(token.slice(4, 24));
        expect(await context.outcome('GET', 'projects', { token })).toBe(200);
        expect(await context.outcome('POST', 'projects', { token, body: { name: 'Shop' } })).toBe(201);
        for (const wrong of [token.slice(0, -1), `${token}a`, token.toUpperCase(), token.slice(4), 'pat_'])
          expect(await context.outcome('GET', 'projects', { token: wrong })).toBe('invalid_token');
        await context.send(204, 'DELETE', `auth/tokens/${made.id}`, { token: own });
        expect(await context.outcome('GET', 'projects', { token })).toBe('invalid_token');
        expect(await context.outcome('DELETE', `auth/tokens/${made.id}`, { token: own })).toBe('token_not_found');
        for (const body of [
          {},
          { name: '' },
          { name: 5 },
          { name: 'CI', expires_at: 'tomorrow' },
          { name: 'CI', expires_at: 5 },
        ])
          expect([body, await context.outcome('POST', 'auth/tokens', { token: own, body })]).toEqual([
            body,
            'validation_failed',
          ]);
      },
    },
    {
      title: 'a personal access token has the role of its owner and is visible only to them',
      covers: ['auth.tokens.role', 'auth.tokens.own', 'auth.roles.stored', 'problem.token_not_found'],
      async run(context) {
        const owner = await context.signUp();
        const person = await context.addMember('member', owner.access_token);
        const { id, token } = await createToken(context, person.access_token);
        const write = (): Promise<string | number> =>
          context.outcome('POST', 'projects', { token, body: { name: 'Shop' } });
        expect(await write()).toBe(201);
        await context.send(200, 'PATCH', `members/${person.id}`, {
          token: owner.access_token,
          body: { role: 'viewer' },
        });
        expect(await write()).toBe('forbidden');
        expect(await context.send(200, 'GET', 'auth/me', { token })).toMatchObject({ role: 'viewer' });
        expect((await context.send(200, 'GET', 'auth/tokens', { token: owner.access_token })).items).toEqual([]);
        expect(await context.outcome('DELETE', `auth/tokens/${id}`, { token: owner.access_token })).toBe(
          'token_not_found',
        );
      },
    },
    {
      title: 'a personal access token is rejected after its expiry',
      covers: ['auth.tokens.expire'],
      controlsClock: true,
      async run(context) {
        const { access_token } = await context.signUp();
        const expires_at = new Date(Date.now() + 3_600_000).toISOString();
        const made = await createToken(context, access_token, { expires_at });
        expect(made.expires_at).toBe(expires_at);
        vi.setSystemTime(Date.now() + 3_599_000);
        expect(await context.outcome('GET', 'projects', { token: made.token })).toBe(200);
        vi.setSystemTime(Date.now() + 2_000);
        expect(await context.outcome('GET', 'projects', { token: made.token })).toMatch(/^(expired|invalid)_token$/);
        expect(await context.outcome('GET', 'projects', { token: made.token })).toBe('expired_token');
      },
    },
    {
      title: 'the storage contains no token or password in plain text',
      covers: ['auth.tokens.hashed'],
      needsOwnServer: true,
      targets: ['file'],
      async run(context) {
        const person = await context.signUp();
        const { token } = await createToken(context, person.access_token);
        const invitation = await context.invite('viewer');
        await context.report();
        const folder = context.folder ?? '';
        const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
          entry.isFile(),
        );
        const all = Buffer.concat(
          await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name)))),
        );
        expect(all.length).toBeGreaterThan(500);
        expect(all.includes(person.email)).toBe(true);
        for (const secret of [token, token.slice(4), person.refresh_token, person.access_token, invitation, password])
          expect([secret, all.includes(secret)]).toEqual([secret, false]);
      },
    },
  ],
};
