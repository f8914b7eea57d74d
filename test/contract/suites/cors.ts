import { expect } from 'vitest';
import type { ApiResponse } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import type { Suite } from '../suite.ts';

const preflight = (context: TestContext, origin: string): Promise<ApiResponse> =>
  context.call('OPTIONS', 'errors', {
    token: null,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });

const corsHeaders = (response: ApiResponse): string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));

/** Sends a report and a preflight from each origin, and asserts whether they are allowed. */
async function expectAllowed(context: TestContext, origins: [origin: string, isAllowed: boolean][]): Promise<void> {
  for (const [origin, isAllowed] of origins) {
    const response = await context.report({}, { headers: { origin } });
    const preflightResponse = await preflight(context, origin);
    expect([origin, response.status, preflightResponse.status]).toEqual([
      origin,
      ...(isAllowed ? [200, 204] : [403, 403]),
    ]);
    expect(response.headers.get('vary')).toMatch(/\borigin\b/i);
    expect(preflightResponse.headers.get('vary')).toMatch(/\borigin\b/i);
    if (!isAllowed) {
      expect([response.body.code, preflightResponse.body.code]).toEqual(['origin_not_allowed', 'origin_not_allowed']);
      expect([...corsHeaders(response), ...corsHeaders(preflightResponse)]).toEqual([]);
      continue;
    }
    for (const { headers } of [response, preflightResponse]) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  }
}

/** Requests from other origins. */
export const cors: Suite = {
  name: 'CORS',
  targets: ['memory', 'program'],
  tests: [
    {
      title: 'an exact origin on the allow-list is allowed, similar origins are not',
      covers: [
        'cors.exact',
        'cors.vary',
        'cors.foreign',
        'cors.foreign_preflight',
        'problem.origin_not_allowed',
        'cors.null',
        'cors.loopback_ends',
      ],
      settings: { corsOrigins: ['https://shop.example', 'http://plain.example:8080'] },
      run: (context) =>
        expectAllowed(context, [
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
      title: 'a wildcard origin allows any number of labels, but not the apex',
      covers: ['cors.wildcard'],
      settings: { corsOrigins: ['https://*.shop.example'] },
      run: (context) =>
        expectAllowed(context, [
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
      title: '* allows every origin except null, and the response echoes the origin',
      covers: ['cors.star', 'cors.null'],
      settings: { corsOrigins: ['*'] },
      run: (context) =>
        expectAllowed(context, [
          ['https://anything.example', true],
          ['http://localhost:3000', true],
          ['null', false],
        ]),
    },
    {
      title: 'with an empty allow-list only loopback origins are allowed',
      covers: ['cors.loopback', 'cors.null'],
      run: (context) =>
        expectAllowed(context, [
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
      title: 'the origin of the configured base URL is allowed',
      covers: ['cors.own'],
      settings: { corsOrigins: ['https://shop.example'], baseUrl: 'https://errors.example' },
      // The program does not listen at the configured name.
      targets: ['memory'],
      run: (context) =>
        expectAllowed(context, [
          ['https://errors.example', true],
          ['http://errors.example', false],
          ['http://127.0.0.1:4400', false],
        ]),
    },
    {
      title: 'requests from the own origin and requests without an origin are allowed',
      covers: ['cors.own', 'cors.none', 'cors.vary'],
      settings: { corsOrigins: ['https://shop.example'] },
      async run(context) {
        await expectAllowed(context, [
          [context.server.url, true],
          ['http://127.0.0.1:1', false],
        ]);
        const response = await context.report();
        expect(response.status).toBe(200);
        expect(corsHeaders(response)).toEqual([]);
        expect(response.headers.get('vary')).toMatch(/\borigin\b/i);
      },
    },
    {
      title: 'a preflight response has the allowed method and headers, and a max age',
      covers: ['cors.preflight', 'cors.headers.allowed'],
      async run(context) {
        const { status, headers, text } = await preflight(context, 'http://localhost:3000');
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
      title: 'the page can read responses and errors',
      covers: ['cors.headers.exposed', 'cors.no_credentials', 'problem.cors', 'cors.vary'],
      settings: { errorQuota: 1 },
      needsOwnServer: true,
      async run(context) {
        const options = { headers: { origin: 'http://localhost:3000' } };
        const responses = [
          await context.report({}, options),
          await context.report({ project_api_key: 'x' }, options),
          await context.report({ message: 5 }, options),
          await context.report({}, { body: '{', ...options }),
          await context.report({}, { body: '{}', headers: { ...options.headers, 'content-type': 'text/plain' } }),
          await context.report({}, { body: ' '.repeat(1024 * 1024 + 1), ...options }),
          await context.report({}, options),
        ];
        expect(responses.map(({ status }) => status)).toEqual([200, 401, 422, 400, 415, 413, 429]);
        for (const { headers } of responses) {
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
      title: 'a report from a foreign origin is not counted',
      covers: ['cors.foreign'],
      async run(context) {
        const { status } = await context.report({}, { headers: { origin: 'https://evil.example' } });
        expect(status).toBe(403);
        expect((await context.send(200, 'GET', `errors?project_id=${await context.fixture('project')}`)).total).toBe(0);
      },
    },
    {
      title: 'only POST /errors has CORS headers',
      covers: ['cors.reports_only'],
      settings: { corsOrigins: ['*'] },
      async run(context) {
        const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
        for (const path of ['projects', 'auth/login', 'errors/1']) {
          expect([path, corsHeaders(await context.call('OPTIONS', path, { headers, token: null }))]).toEqual([
            path,
            [],
          ]);
          expect([path, corsHeaders(await context.call('GET', path, { headers }))]).toEqual([path, []]);
        }
        expect(corsHeaders(await context.call('GET', 'errors', { headers }))).toEqual([]);
      },
    },
  ],
};
