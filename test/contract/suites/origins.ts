import { expect } from 'vitest';
import type { ApiResponse } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import type { Suite } from '../suite.ts';

const putOrigins = (context: TestContext, origins: unknown, token?: string): Promise<ApiResponse> =>
  context.call('PUT', 'origins', { body: { origins }, ...(token ? { token } : {}) });

const reportStatus = async (context: TestContext, origin: string): Promise<number> =>
  (await context.report({}, { headers: { origin } })).status;

/** The allow-list that owners edit at run time. */
export const origins: Suite = {
  name: 'origins',
  tests: [
    {
      title: 'PUT /origins takes effect immediately, in addition to the settings',
      covers: ['cors.origins.read', 'cors.origins.write', 'cors.origins.both'],
      settings: { corsOrigins: ['https://settings.example'] },
      needsOwnServer: true,
      async run(context) {
        expect(await context.send(200, 'GET', 'origins')).toEqual({
          origins: [],
          from_settings: ['https://settings.example'],
        });
        expect(await reportStatus(context, 'https://shop.example')).toBe(403);
        const listed = {
          origins: ['https://shop.example', 'https://*.shop.example'],
          from_settings: ['https://settings.example'],
        };
        const response = await putOrigins(context, listed.origins);
        expect([response.status, response.body]).toEqual([200, listed]);
        expect(await context.send(200, 'GET', 'origins')).toEqual(listed);
        for (const [origin, status] of [
          ['https://shop.example', 200],
          ['https://www.shop.example', 200],
          ['https://settings.example', 200],
          ['https://evil.example', 403],
          ['null', 403],
        ] as const)
          expect([origin, await reportStatus(context, origin)]).toEqual([origin, status]);
        expect((await putOrigins(context, [])).body).toEqual({ ...listed, origins: [] });
        expect(await reportStatus(context, 'https://shop.example')).toBe(403);
      },
    },
    {
      title: 'loopback origins are rejected once PUT /origins has added an entry',
      covers: ['cors.loopback_ends', 'cors.origins.both'],
      needsOwnServer: true,
      async run(context) {
        expect(await reportStatus(context, 'http://localhost:3000')).toBe(200);
        await putOrigins(context, ['https://shop.example']);
        expect(await reportStatus(context, 'http://localhost:3000')).toBe(403);
        await putOrigins(context, []);
        expect(await reportStatus(context, 'http://localhost:3000')).toBe(200);
      },
    },
    {
      title: 'the origins of PUT /origins survive a restart',
      covers: ['cors.origins.kept'],
      needsOwnServer: true,
      targets: ['file', 'program'],
      async run(context) {
        await putOrigins(context, ['https://shop.example']);
        await context.restart();
        expect(await reportStatus(context, 'https://shop.example')).toBe(200);
        expect((await context.send(200, 'GET', 'origins')).origins).toEqual(['https://shop.example']);
      },
    },
    {
      title: "only owners of the operator's team can read and change the origins",
      covers: ['cors.origins.owners', 'problem.forbidden'],
      async run(context) {
        for (const role of ['member', 'viewer', 'stranger']) {
          const token = await context.fixture(role);
          expect([role, await context.outcome('GET', 'origins', { token })]).toEqual([role, 'forbidden']);
          expect([role, (await putOrigins(context, ['https://shop.example'], token)).body.code]).toEqual([
            role,
            'forbidden',
          ]);
        }
        expect(await context.outcome('GET', 'origins', { token: null })).toBe('missing_token');
        expect((await context.send(200, 'GET', 'origins')).origins).toEqual([]);
      },
    },
    {
      title: 'PUT /origins rejects entries that are not origins and changes nothing',
      covers: ['cors.origins.entries', 'cors.null', 'conv.unknown.fields'],
      async run(context) {
        for (const entry of [
          'null',
          'shop.example',
          'https://shop.example/path',
          'https://*evil.example',
          'https://a.*.example',
          '',
          'javascript:1',
          5,
          null,
        ])
          expect([entry, (await putOrigins(context, [entry])).body.code]).toEqual([entry, 'validation_failed']);
        for (const list of ['https://shop.example', null, {}])
          expect((await putOrigins(context, list)).body.code).toBe('validation_failed');
        const body = { origins: [], from_settings: [] };
        expect(await context.outcome('PUT', 'origins', { body })).toBe('validation_failed');
        expect((await context.send(200, 'GET', 'origins')).origins).toEqual([]);
      },
    },
  ],
};
