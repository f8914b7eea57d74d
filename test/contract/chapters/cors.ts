import { expect } from 'vitest';
import type { Answer } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import type { Scene } from '../scene.ts';

const preflight = (scene: Scene, origin: string): Promise<Answer> =>
  scene.call('OPTIONS', 'errors', {
    token: null,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });

const corsHeaders = (answer: Answer): string[] =>
  [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));

/** Asks from each origin, and holds what it gets against what it should: whether it may. */
async function expectAllowed(scene: Scene, rows: [origin: string, isAllowed: boolean][]): Promise<void> {
  for (const [origin, isAllowed] of rows) {
    const answer = await scene.report({}, { headers: { origin } });
    const before = await preflight(scene, origin);
    expect([origin, answer.status, before.status]).toEqual([origin, ...(isAllowed ? [200, 204] : [403, 403])]);
    expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
    expect(before.headers.get('vary')).toMatch(/\borigin\b/i);
    if (!isAllowed) {
      expect([answer.body.code, before.body.code]).toEqual(['origin_not_allowed', 'origin_not_allowed']);
      expect([...corsHeaders(answer), ...corsHeaders(before)]).toEqual([]);
      continue;
    }
    for (const { headers } of [answer, before]) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  }
}

/** Pages of other origins. */
export const cors: Chapter = {
  name: 'CORS',
  places: ['memory', 'program'],
  tests: [
    {
      title: 'an exact origin is allowed, its neighbours are not',
      proves: [
        'cors.exact',
        'cors.vary',
        'cors.foreign',
        'cors.foreign_preflight',
        'problem.origin_not_allowed',
        'cors.null',
        'cors.loopback_ends',
      ],
      settings: { corsOrigins: ['https://shop.example', 'http://plain.example:8080'] },
      run: (scene) =>
        expectAllowed(scene, [
          ['https://shop.example', true],
          ['http://plain.example:8080', true],
          ['http://shop.example', false],
          ['https://shop.example:8443', false],
          ['https://www.shop.example', false],
          ['https://shop.example.evil.example', false],
          ['https://evilshop.example', false],
          ['http://plain.example', false],
          ['http://localhost:3000', false],
          ['null', false],
        ]),
    },
    {
      title: 'a wildcard allows any number of labels, but not the apex',
      proves: ['cors.wildcard'],
      settings: { corsOrigins: ['https://*.shop.example'] },
      run: (scene) =>
        expectAllowed(scene, [
          ['https://www.shop.example', true],
          ['https://a.b.c.shop.example', true],
          ['https://shop.example', false],
          ['http://www.shop.example', false],
          ['https://www.shop.example:444', false],
          ['https://evilshop.example', false],
          ['https://www.shop.example.evil.example', false],
        ]),
    },
    {
      title: 'a star allows all but null, and is answered with the origin',
      proves: ['cors.star', 'cors.null'],
      settings: { corsOrigins: ['*'] },
      run: (scene) =>
        expectAllowed(scene, [
          ['https://anything.example', true],
          ['http://localhost:3000', true],
          ['null', false],
        ]),
    },
    {
      title: 'without an entry loopback is allowed, and nothing else',
      proves: ['cors.loopback', 'cors.null'],
      run: (scene) =>
        expectAllowed(scene, [
          ['http://localhost', true],
          ['https://localhost:3000', true],
          ['http://app.localhost:5173', true],
          ['http://127.0.0.1:8080', true],
          ['https://127.9.8.7', true],
          ['http://[::1]:3000', true],
          ['http://localhost.evil.example', false],
          ['http://128.0.0.1', false],
          ['http://127.0.0.1.evil.example', false],
          ['http://192.168.0.1', false],
          ['https://shop.example', false],
          ['null', false],
        ]),
    },
    {
      title: 'the own origin that was set is allowed',
      proves: ['cors.own'],
      settings: { corsOrigins: ['https://shop.example'], baseUrl: 'https://errors.example' },
      // A program that has another name is not found by it.
      places: ['memory'],
      run: (scene) =>
        expectAllowed(scene, [
          ['https://errors.example', true],
          ['http://errors.example', false],
          ['http://127.0.0.1:4400', false],
        ]),
    },
    {
      title: 'the own origin is allowed, and who has none',
      proves: ['cors.own', 'cors.none', 'cors.vary'],
      settings: { corsOrigins: ['https://shop.example'] },
      async run(scene) {
        await expectAllowed(scene, [
          [scene.server.url, true],
          ['http://127.0.0.1:1', false],
        ]);
        const answer = await scene.report();
        expect(answer.status).toBe(200);
        expect(corsHeaders(answer)).toEqual([]);
        expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
      },
    },
    {
      title: 'a preflight says what may be sent, and for how long',
      proves: ['cors.preflight', 'cors.headers.allowed'],
      async run(scene) {
        const { status, headers, text } = await preflight(scene, 'http://localhost:3000');
        expect([status, text]).toEqual([204, '']);
        expect(headers.get('access-control-allow-methods')).toContain('POST');
        expect(headers.get('access-control-allow-headers')?.toLowerCase().split(/, */).toSorted()).toEqual([
          'content-encoding',
          'content-type',
        ]);
        expect(headers.get('access-control-max-age')).toBe('86400');
      },
    },
    {
      title: 'answers and errors can be read by the page',
      proves: ['cors.headers.exposed', 'cors.no_credentials', 'problem.cors', 'cors.vary'],
      settings: { errorQuota: 1 },
      isAlone: true,
      async run(scene) {
        const ask = { headers: { origin: 'http://localhost:3000' } };
        const answers = [
          await scene.report({}, ask),
          await scene.report({ project_api_key: 'x' }, ask),
          await scene.report({ message: 5 }, ask),
          await scene.report({}, { body: '{', ...ask }),
          await scene.report({}, { body: '{}', headers: { ...ask.headers, 'content-type': 'text/plain' } }),
          await scene.report({}, { body: ' '.repeat(1024 * 1024 + 1), ...ask }),
          await scene.report({}, ask),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 401, 422, 400, 415, 413, 429]);
        for (const { headers } of answers) {
          expect(headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
          expect(headers.get('access-control-expose-headers')?.split(/, */).toSorted()).toEqual([
            'Retry-After',
            'X-Request-Id',
          ]);
          expect(headers.get('access-control-allow-credentials')).toBeNull();
          expect(headers.get('vary')).toMatch(/\borigin\b/i);
        }
      },
    },
    {
      title: 'a report of a foreign page is not counted',
      proves: ['cors.foreign'],
      async run(scene) {
        const { status } = await scene.report({}, { headers: { origin: 'https://evil.example' } });
        expect(status).toBe(403);
        expect((await scene.get(200, 'GET', `errors?project_id=${await scene.know('project')}`)).total).toBe(0);
      },
    },
    {
      title: 'nothing but reports can be sent from another origin',
      proves: ['cors.reports_only'],
      settings: { corsOrigins: ['*'] },
      async run(scene) {
        const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
        for (const path of ['projects', 'auth/login', 'errors/1']) {
          expect([path, corsHeaders(await scene.call('OPTIONS', path, { headers, token: null }))]).toEqual([path, []]);
          expect([path, corsHeaders(await scene.call('GET', path, { headers }))]).toEqual([path, []]);
        }
        expect(corsHeaders(await scene.call('GET', 'errors', { headers }))).toEqual([]);
      },
    },
  ],
};
