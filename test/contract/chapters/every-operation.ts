import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { ProblemCode } from '../../../packages/protocol/src/index.ts';
import type { Ask } from '../answer.ts';
import type { Chapter, ContractTest } from '../chapter.ts';
import { operationName, operations, type Operation } from '../operations.ts';
import type { Scene } from '../scene.ts';

const jsonLimitBytes = 64 * 1024;
const neverGiven = '900000000000';

/** What is the same for every operation, asked of each. */
export const everyOperation: Chapter = {
  name: 'every operation',
  // The program has its storage in files.
  places: ['memory', 'program'],
  tests: operations.flatMap((operation) => [
    ...goodRequests(operation),
    ...(operation.isOpen ? [] : tokens(operation)),
    ...(operation.missing ? [badIds(operation), othersIds(operation)] : []),
    ...(operation.isOpen ? [] : [roles(operation)]),
    unknownQuery(operation),
    ...(operation.takes === 'json' ? [bodies(operation)] : []),
    order(operation),
  ]),
};

async function pathOf(scene: Scene, { path }: Operation, given: Record<string, string> = {}): Promise<string> {
  let filled = path;
  for (const [braced, name = ''] of path.matchAll(/\{([a-z][A-Za-z]*)\}/g))
    filled = filled.replace(braced, given[name] ?? (await scene.know(name)));
  return filled;
}

function goodRequests(operation: Operation): ContractTest[] {
  // A link has to be made first: it has tests of its own.
  if (operation.takes === 'json' && !operation.body) return [];
  return [
    {
      title: `${operationName(operation)}: a good request`,
      proves: [
        'conv.prefix',
        'conv.bodies.out',
        'conv.request_id.always',
        'conv.headers.nosniff',
        'conv.headers.no_store',
        ...(operation.method === 'DELETE' ? (['conv.deletes.empty', 'conv.deletes.gone'] as const) : []),
      ],
      async run(scene) {
        const path = await pathOf(scene, operation);
        const ask = {
          ...(operation.isOpen ? { token: null } : {}),
          ...(operation.body ? { body: operation.body() } : {}),
        };
        expect(await scene.codeOf(operation.method, path, ask)).toBe(operation.status);
        if (operation.method === 'DELETE')
          expect(await scene.codeOf('DELETE', path)).toBe(Object.values(operation.missing ?? {}).at(-1));
      },
    },
  ];
}

function tokens(operation: Operation): ContractTest[] {
  const rows: [ask: Ask, code: ProblemCode][] = [
    [{ token: null }, 'missing_token'],
    [{ token: null, headers: { authorization: 'Basic YWRtaW46c2VjcmV0' } }, 'missing_token'],
    [{ token: 'made-up-token-0123456789' }, 'invalid_token'],
    [{ token: 'eyJhbGciOiJub25lIn0.eyJzaWQiOiJ4IiwiZXhwIjo5OTk5OTk5OTk5fQ.' }, 'invalid_token'],
  ];
  return [
    {
      title: `${operationName(operation)}: without a good token`,
      proves: ['auth.bearer', 'problem.missing_token', 'problem.invalid_token', 'problem.bearer'],
      async run(scene) {
        const path = await pathOf(scene, operation);
        for (const [ask, code] of rows) expect(await scene.codeOf(operation.method, path, ask)).toBe(code);
        const key = { token: await scene.know('key') };
        expect(await scene.codeOf(operation.method, path, key), 'a key of a project is no token').toBe('invalid_token');
      },
    },
  ];
}

/** No positive integer, or one that was never given. */
const badIdentifiers = [
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
  neverGiven,
  '9007199254740993',
  '99999999999999999999',
];

function badIds(operation: Operation): ContractTest {
  return {
    title: `${operationName(operation)}: ids that are none`,
    proves: ['conv.ids.in_paths', ...Object.values(operation.missing ?? {}).map((code) => `problem.${code}` as never)],
    async run(scene) {
      for (const [name, code] of Object.entries(operation.missing ?? {}))
        for (const id of badIdentifiers) {
          const path = await pathOf(scene, operation, { [name]: id });
          expect([
            id,
            await scene.codeOf(operation.method, path, operation.body ? { body: operation.body() } : {}),
          ]).toEqual([id, code]);
        }
    },
  };
}

/** Whoever is of another team is told what everybody is told of things that were never there. */
function othersIds(operation: Operation): ContractTest {
  return {
    title: `${operationName(operation)}: what is another team's`,
    proves: ['auth.teams.apart', 'problem.others_are_missing'],
    async run(scene) {
      const ask = (): Ask => (operation.body ? { body: operation.body() } : {});
      const path = await pathOf(scene, operation);
      const token = await scene.know('stranger');
      const theirs = await scene.call(operation.method, path, { ...ask(), token });
      const [name = ''] = Object.keys(operation.missing ?? {});
      const missingPath = await pathOf(scene, operation, { [name]: neverGiven });
      const missing = await scene.call(operation.method, missingPath, { ...ask(), token });
      expect(missing.body.code).toBe(Object.values(operation.missing ?? {})[0]);
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
      // Nothing has happened to it.
      expect(await scene.codeOf(operation.method, path, ask())).toBe(operation.status);
    },
  };
}

/** The role of a caller decides: each that may not is refused, each that may is let in. */
function roles(operation: Operation): ContractTest {
  const { method, status, who } = operation;
  const mayMember = who !== 'owners';
  const mayViewer = who === undefined;
  return {
    title: `${operationName(operation)}: roles`,
    proves: ['problem.forbidden', 'auth.roles.member', 'auth.roles.viewer', 'auth.members.read', 'auth.members.write'],
    async run(scene) {
      for (const [role, may] of [
        ['viewer', mayViewer],
        ['member', mayMember],
      ] as const) {
        const token = await scene.know(role);
        // What is one's own only is made by oneself.
        const own: Record<string, string> = operation.path.includes('{tokenId}')
          ? { tokenId: String((await scene.get(201, 'POST', 'auth/tokens', { token, body: { name: 'CI' } })).id) }
          : {};
        const path = await pathOf(scene, operation, own);
        const ask = { token, ...(operation.body ? { body: operation.body() } : {}) };
        expect([role, await scene.codeOf(method, path, ask)]).toEqual([role, may ? status : 'forbidden']);
      }
    },
  };
}

function unknownQuery(operation: Operation): ContractTest {
  return {
    title: `${operationName(operation)}: an unknown query parameter`,
    proves: ['conv.unknown.query', 'problem.validation_failed'],
    async run(scene) {
      const path = `${await pathOf(scene, operation)}?colour=red`;
      const body = operation.body?.() ?? operation.shape;
      const ask = { body, ...(operation.isOpen ? { token: null } : {}) };
      expect(await scene.codeOf(operation.method, path, ask)).toBe('validation_failed');
    },
  };
}

function text(type: string): Ask {
  return { headers: { 'content-type': type } };
}

function bodies(operation: Operation): ContractTest {
  const good = (): object => (operation.body?.() ?? operation.shape) as object;
  const rows: [what: string, ask: Ask, code: ProblemCode][] = [
    ['none', text('application/json'), 'malformed_json'],
    ['blank', { body: '  ' }, 'malformed_json'],
    ['broken', { body: '{"name":' }, 'malformed_json'],
    ['with more behind', { body: '{} {}' }, 'malformed_json'],
    ['no UTF-8', { body: Buffer.from([0xff, 0xfe, 0x7b, 0x7d]) }, 'malformed_json'],
    ['null', { body: 'null' }, 'validation_failed'],
    ['an array', { body: '[]' }, 'validation_failed'],
    ['a number', { body: '1' }, 'validation_failed'],
    ['a text', { body: '"name"' }, 'validation_failed'],
    ['an unknown field', { body: { ...good(), colour: 'red' } }, 'validation_failed'],
    ['__proto__', { body: `${JSON.stringify(good()).slice(0, -1)},"__proto__":{"a":1}}` }, 'validation_failed'],
    ['text/plain', { body: '{}', ...text('text/plain') }, 'unsupported_media_type'],
    ['a form', { body: 'a=b', ...text('application/x-www-form-urlencoded') }, 'unsupported_media_type'],
    ['of a type that only begins so', { body: '{}', ...text('application/jsonp') }, 'unsupported_media_type'],
    ['in brotli', { body: '{}', headers: { 'content-encoding': 'br' } }, 'unsupported_media_type'],
    ['gzipped twice', { body: '{}', headers: { 'content-encoding': 'gzip, gzip' } }, 'unsupported_media_type'],
    ['too large', { body: JSON.stringify(good()).padEnd(jsonLimitBytes + 1) }, 'payload_too_large'],
    [
      'too large when unpacked',
      { body: gzipSync(JSON.stringify(good()).padEnd(jsonLimitBytes + 1)), headers: { 'content-encoding': 'gzip' } },
      'payload_too_large',
    ],
  ];
  return {
    title: `${operationName(operation)}: bodies that can not be read`,
    proves: [
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
    async run(scene) {
      const path = await pathOf(scene, operation);
      const open = operation.isOpen ? { token: null } : {};
      for (const [what, ask, code] of rows)
        expect([what, await scene.codeOf(operation.method, path, { ...open, ...ask })]).toEqual([what, code]);
      // Those that are open make a password slow.
      if (!operation.body || operation.isOpen) return;
      const gzip = { 'content-encoding': 'gzip' };
      for (const [what, ask] of [
        ['with a charset', { body: good(), ...text('application/json; charset=utf-8') }],
        ['just large enough', { body: JSON.stringify(good()).padEnd(jsonLimitBytes) }],
        ['gzipped', { body: gzipSync(JSON.stringify(good())), headers: gzip }],
        [
          'gzipped and just large enough',
          { body: gzipSync(JSON.stringify(good()).padEnd(jsonLimitBytes)), headers: gzip },
        ],
      ] as const)
        expect([what, await scene.codeOf(operation.method, path, { ...open, ...ask })]).toEqual([
          what,
          operation.status,
        ]);
    },
  };
}

/** Each request has one fault less than that before it; each is told of the first it has. */
function order(operation: Operation): ContractTest {
  const { method, isOpen, missing = {}, takes, who } = operation;
  const faults: ProblemCode[] = [
    'method_not_allowed',
    ...(isOpen ? [] : (['invalid_token'] as const)),
    ...Object.values(missing),
    ...(who ? (['forbidden'] as const) : []),
    ...(takes === 'json'
      ? (['unsupported_media_type', 'payload_too_large', 'malformed_json', 'validation_failed'] as const)
      : []),
    ...(takes === undefined ? (['validation_failed'] as const) : []),
  ];
  return {
    title: `${operationName(operation)}: the order of checks`,
    proves: ['conv.order'],
    async run(scene) {
      const told: unknown[] = [];
      for (const index of faults.keys()) {
        const left = new Set(faults.slice(index));
        const given = Object.fromEntries(
          Object.entries(missing).map(([name, code]) => [name, left.has(code) ? neverGiven : undefined]),
        ) as Record<string, string>;
        const path = await pathOf(scene, operation, given);
        const json = `{"colour":"red"${left.has('malformed_json') ? '' : '}'}${left.has('payload_too_large') ? ' '.repeat(jsonLimitBytes) : ''}`;
        told.push(
          await scene.codeOf(left.has('method_not_allowed') ? 'PURGE' : method, takes ? path : `${path}?colour=red`, {
            ...(isOpen ? { token: null } : {}),
            ...(left.has('forbidden') ? { token: await scene.know(who === 'owners' ? 'member' : 'viewer') } : {}),
            ...(left.has('invalid_token') ? { token: 'made-up-token-0123456789' } : {}),
            ...(takes === 'json' ? { body: json } : {}),
            ...(left.has('unsupported_media_type') ? text('text/plain') : {}),
          }),
        );
      }
      expect(told).toEqual(faults);
    },
  };
}
