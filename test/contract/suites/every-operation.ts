import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { ProblemCode } from '../../../packages/protocol/src/index.ts';
import type { RequestOptions } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { operationName, testedOperations, type TestedOperation } from '../tested-operations.ts';
import type { Suite, ContractTest } from '../suite.ts';

const jsonLimitBytes = 64 * 1024;
const unusedId = '900000000000';

/** Tests generated for each operation of the table. */
export const everyOperation: Suite = {
  name: 'every operation',
  // The program target covers file storage.
  targets: ['memory', 'program'],
  tests: testedOperations.flatMap((operation) => [
    ...validRequestTests(operation),
    ...(operation.isPublic ? [] : tokenTests(operation)),
    ...(operation.notFoundCodes ? [invalidIdTest(operation), otherTeamTest(operation)] : []),
    ...(operation.isPublic ? [] : [roleTest(operation)]),
    unknownQueryTest(operation),
    ...(operation.bodyType === 'json' ? [invalidBodyTest(operation)] : []),
    checkOrderTest(operation),
  ]),
};

async function fillPath(
  context: TestContext,
  { path, query }: TestedOperation,
  given: Record<string, string> = {},
): Promise<string> {
  let filled = path;
  for (const [braced, name = ''] of path.matchAll(/\{([a-z][A-Za-z]*)\}/g))
    filled = filled.replace(braced, given[name] ?? (await context.fixture(name)));
  return query === undefined ? filled : `${filled}?${query}`;
}

/** Returns the option with a valid body, if the operation reads one. */
async function bodyOf(context: TestContext, { validBody, bodyWithObjects }: TestedOperation): Promise<RequestOptions> {
  const body = validBody?.() ?? (await bodyWithObjects?.(context));
  return body === undefined ? {} : { body };
}

function validRequestTests(operation: TestedOperation): ContractTest[] {
  // A valid request needs a link or an invitation first; the account and member suites test it.
  if (operation.bodyType === 'json' && !operation.validBody && !operation.bodyWithObjects) return [];
  return [
    {
      title: `${operationName(operation)}: a valid request succeeds`,
      covers: [
        'conv.prefix',
        'conv.bodies.out',
        'conv.request_id.always',
        'conv.headers.nosniff',
        'conv.headers.no_store',
        ...(operation.method === 'DELETE' ? (['conv.deletes.empty', 'conv.deletes.gone'] as const) : []),
      ],
      async run(context) {
        const path = await fillPath(context, operation);
        const options = {
          ...(operation.isPublic ? { token: null } : {}),
          ...(await bodyOf(context, operation)),
        };
        expect(await context.outcome(operation.method, path, options)).toBe(operation.status);
        if (operation.method === 'DELETE')
          expect(await context.outcome('DELETE', path)).toBe(Object.values(operation.notFoundCodes ?? {}).at(-1));
      },
    },
  ];
}

function tokenTests(operation: TestedOperation): ContractTest[] {
  const rows: [options: RequestOptions, code: ProblemCode][] = [
    [{ token: null }, 'missing_token'],
    [{ token: null, headers: { authorization: 'Basic YWRtaW46c2VjcmV0' } }, 'missing_token'],
    [{ token: 'made-up-token-0123456789' }, 'invalid_token'],
    [{ token: 'eyJhbGciOiJub25lIn0.eyJzaWQiOiJ4IiwiZXhwIjo5OTk5OTk5OTk5fQ.' }, 'invalid_token'],
  ];
  return [
    {
      title: `${operationName(operation)}: a missing or invalid token returns 401`,
      covers: ['auth.bearer', 'problem.missing_token', 'problem.invalid_token', 'problem.bearer'],
      async run(context) {
        const path = await fillPath(context, operation);
        for (const [options, code] of rows) expect(await context.outcome(operation.method, path, options)).toBe(code);
        const key = { token: await context.fixture('key') };
        expect(await context.outcome(operation.method, path, key), 'a project key is not a token').toBe(
          'invalid_token',
        );
      },
    },
  ];
}

/** Values that are not positive integers, or ids that no object has. */
const invalidIds = [
  '0',
  '-1',
  'abc',
  '1.5',
  '1e1',
  '0x1',
  '%20',
  '1%20',
  'null',
  '__proto__',
  unusedId,
  '9007199254740993',
  '99999999999999999999',
];

function invalidIdTest(operation: TestedOperation): ContractTest {
  return {
    title: `${operationName(operation)}: an invalid or unknown id returns 404`,
    covers: [
      'conv.ids.in_paths',
      ...Object.values(operation.notFoundCodes ?? {}).map((code) => `problem.${code}` as never),
    ],
    async run(context) {
      for (const [name, code] of Object.entries(operation.notFoundCodes ?? {}))
        for (const id of invalidIds) {
          const path = await fillPath(context, operation, { [name]: id });
          expect([
            id,
            await context.outcome(operation.method, path, operation.validBody ? { body: operation.validBody() } : {}),
          ]).toEqual([id, code]);
        }
    },
  };
}

/** Asserts that another team's object gets exactly the response of an object that does not exist. */
function otherTeamTest(operation: TestedOperation): ContractTest {
  return {
    title: `${operationName(operation)}: an object of another team looks missing`,
    covers: ['auth.teams.apart', 'problem.others_are_missing'],
    async run(context) {
      const options = (): Promise<RequestOptions> => bodyOf(context, operation);
      const path = await fillPath(context, operation);
      const token = await context.fixture('stranger');
      const theirs = await context.call(operation.method, path, { ...(await options()), token });
      const [name = ''] = Object.keys(operation.notFoundCodes ?? {});
      const missingPath = await fillPath(context, operation, { [name]: unusedId });
      const missing = await context.call(operation.method, missingPath, { ...(await options()), token });
      expect(missing.body.code).toBe(Object.values(operation.notFoundCodes ?? {})[0]);
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
      // The rejected request has not changed the object.
      expect(await context.outcome(operation.method, path, await options())).toBe(operation.status);
    },
  };
}

/** Asserts that viewers and members below the minimum role get 403, and the others the success status. */
function roleTest(operation: TestedOperation): ContractTest {
  const { method, status, minimumRole } = operation;
  const mayMember = minimumRole !== 'owner';
  const mayViewer = minimumRole === undefined;
  return {
    title: `${operationName(operation)}: the role of the caller is checked`,
    covers: ['problem.forbidden', 'auth.roles.member', 'auth.roles.viewer', 'auth.members.read', 'auth.members.write'],
    async run(context) {
      for (const [role, may] of [
        ['viewer', mayViewer],
        ['member', mayMember],
      ] as const) {
        const token = await context.fixture(role);
        // Tokens are visible only to the user who created them.
        const own: Record<string, string> = operation.path.includes('{tokenId}')
          ? { tokenId: String((await context.send(201, 'POST', 'auth/tokens', { token, body: { name: 'CI' } })).id) }
          : {};
        const path = await fillPath(context, operation, own);
        const options = { token, ...(await bodyOf(context, operation)) };
        expect([role, await context.outcome(method, path, options)]).toEqual([role, may ? status : 'forbidden']);
      }
    },
  };
}

function unknownQueryTest(operation: TestedOperation): ContractTest {
  return {
    title: `${operationName(operation)}: an unknown query parameter returns 422`,
    covers: ['conv.unknown.query', 'problem.validation_failed'],
    async run(context) {
      const valid = await fillPath(context, operation);
      const path = `${valid}${valid.includes('?') ? '&' : '?'}color=red`;
      const body = operation.validBody?.() ?? operation.parsableBody;
      const options = { body, ...(operation.isPublic ? { token: null } : {}) };
      expect(await context.outcome(operation.method, path, options)).toBe('validation_failed');
    },
  };
}

function contentType(type: string): RequestOptions {
  return { headers: { 'content-type': type } };
}

function invalidBodyTest(operation: TestedOperation): ContractTest {
  const validBody = (): object => (operation.validBody?.() ?? operation.parsableBody) as object;
  const rows: [what: string, options: RequestOptions, code: ProblemCode][] = [
    ['empty', contentType('application/json'), 'malformed_json'],
    ['blank', { body: '  ' }, 'malformed_json'],
    ['broken', { body: '{"name":' }, 'malformed_json'],
    ['with trailing data', { body: '{} {}' }, 'malformed_json'],
    ['not UTF-8', { body: Buffer.from([0xff, 0xfe, 0x7b, 0x7d]) }, 'malformed_json'],
    ['null', { body: 'null' }, 'validation_failed'],
    ['an array', { body: '[]' }, 'validation_failed'],
    ['a number', { body: '1' }, 'validation_failed'],
    ['a string', { body: '"name"' }, 'validation_failed'],
    ['an unknown field', { body: { ...validBody(), color: 'red' } }, 'validation_failed'],
    ['__proto__', { body: `${JSON.stringify(validBody()).slice(0, -1)},"__proto__":{"a":1}}` }, 'validation_failed'],
    ['text/plain', { body: '{}', ...contentType('text/plain') }, 'unsupported_media_type'],
    ['a form', { body: 'a=b', ...contentType('application/x-www-form-urlencoded') }, 'unsupported_media_type'],
    ['of a type with the same prefix', { body: '{}', ...contentType('application/jsonp') }, 'unsupported_media_type'],
    ['in brotli', { body: '{}', headers: { 'content-encoding': 'br' } }, 'unsupported_media_type'],
    ['gzipped twice', { body: '{}', headers: { 'content-encoding': 'gzip, gzip' } }, 'unsupported_media_type'],
    ['too large', { body: JSON.stringify(validBody()).padEnd(jsonLimitBytes + 1) }, 'payload_too_large'],
    [
      'too large when unpacked',
      {
        body: gzipSync(JSON.stringify(validBody()).padEnd(jsonLimitBytes + 1)),
        headers: { 'content-encoding': 'gzip' },
      },
      'payload_too_large',
    ],
  ];
  return {
    title: `${operationName(operation)}: an unreadable body is rejected`,
    covers: [
      'conv.bodies.empty',
      'conv.bodies.unparsable',
      'conv.bodies.not_object',
      'conv.bodies.type',
      'conv.compression.other',
      'conv.compression.limit',
      'conv.unknown.fields',
      'limits.json',
      'problem.malformed_json',
      'problem.unsupported_media_type',
    ],
    async run(context) {
      const path = await fillPath(context, operation);
      const open = operation.isPublic ? { token: null } : {};
      for (const [what, options, code] of rows)
        expect([what, await context.outcome(operation.method, path, { ...open, ...options })]).toEqual([what, code]);
      // Valid requests to public operations hash a password, which is slow.
      if (!operation.validBody || operation.isPublic) return;
      const gzip = { 'content-encoding': 'gzip' };
      for (const [what, options] of [
        ['with a charset', { body: validBody(), ...contentType('application/json; charset=utf-8') }],
        ['just large enough', { body: JSON.stringify(validBody()).padEnd(jsonLimitBytes) }],
        ['gzipped', { body: gzipSync(JSON.stringify(validBody())), headers: gzip }],
        [
          'gzipped and just large enough',
          { body: gzipSync(JSON.stringify(validBody()).padEnd(jsonLimitBytes)), headers: gzip },
        ],
      ] as const)
        expect([what, await context.outcome(operation.method, path, { ...open, ...options })]).toEqual([
          what,
          operation.status,
        ]);
    },
  };
}

/** Sends a request with all faults, then removes one at a time. The response must report the first remaining fault. */
function checkOrderTest(operation: TestedOperation): ContractTest {
  const { method, isPublic, notFoundCodes = {}, bodyType, minimumRole } = operation;
  const faults: ProblemCode[] = [
    'method_not_allowed',
    ...(isPublic ? [] : (['invalid_token'] as const)),
    ...Object.values(notFoundCodes),
    ...(minimumRole ? (['forbidden'] as const) : []),
    ...(bodyType === 'json'
      ? (['unsupported_media_type', 'payload_too_large', 'malformed_json', 'validation_failed'] as const)
      : []),
    ...(bodyType === undefined ? (['validation_failed'] as const) : []),
  ];
  return {
    title: `${operationName(operation)}: checks run in the documented order`,
    covers: ['conv.order'],
    async run(context) {
      const codes: unknown[] = [];
      for (const index of faults.keys()) {
        const left = new Set(faults.slice(index));
        const given = Object.fromEntries(
          Object.entries(notFoundCodes).map(([name, code]) => [name, left.has(code) ? unusedId : undefined]),
        ) as Record<string, string>;
        const path = await fillPath(context, operation, given);
        const json = `{"color":"red"${left.has('malformed_json') ? '' : '}'}${left.has('payload_too_large') ? ' '.repeat(jsonLimitBytes) : ''}`;
        codes.push(
          await context.outcome(
            left.has('method_not_allowed') ? 'PURGE' : method,
            bodyType ? path : `${path}?color=red`,
            {
              ...(isPublic ? { token: null } : {}),
              ...(left.has('forbidden')
                ? { token: await context.fixture(minimumRole === 'owner' ? 'member' : 'viewer') }
                : {}),
              ...(left.has('invalid_token') ? { token: 'made-up-token-0123456789' } : {}),
              ...(bodyType === 'json' ? { body: json } : {}),
              ...(left.has('unsupported_media_type') ? contentType('text/plain') : {}),
            },
          ),
        );
      }
      expect(codes).toEqual(faults);
    },
  };
}
